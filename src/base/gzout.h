/*
 * gzout: a stream whose bytes go compressed (gzip, RFC 1952) into another one.
 *
 * fclose ends it, and fails when a write did; the other stream stays open.
 */
#ifndef SLOWTOP_BASE_GZOUT_H
#define SLOWTOP_BASE_GZOUT_H

#include <stdio.h>

/* NULL when there is no memory for it. */
FILE *gzout_open(FILE *to);

#endif
