/*
 * lowoverhead: tells the dumps of ART's always-on method tracing (trace_profile.cc) from
 * other files.  They have no letters to know them by: blocks of entries, then names.
 */
#ifndef SLOWTOP_FORMAT_METHOD_LOWOVERHEAD_H
#define SLOWTOP_FORMAT_METHOD_LOWOVERHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool lowoverhead_is(const uint8_t *p, size_t n);

#endif
