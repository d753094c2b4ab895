/*
 * colour: of a method in pictures: its package gives the hue, or without a class its name;
 * class and name give the shade.
 *
 * The same names have the same colour in every trace.
 */
#ifndef SLOWTOP_REPORT_COLOUR_H
#define SLOWTOP_REPORT_COLOUR_H

#include <stdint.h>

#include "trace/trace.h"

/* 0xRRGGBB, light enough for black text. */
uint32_t colour_of(const struct trace *, uint32_t method);

#endif
