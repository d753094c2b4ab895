/*
 * dmtext: dmtracedump's profile as text, byte for byte.
 */
#ifndef SLOWTOP_REPORT_DMTEXT_H
#define SLOWTOP_REPORT_DMTEXT_H

#include "report/dmtrace.h"
#include "report/sink.h"

/* Names are written as they stand in the file, as dmtracedump does. */
void dmtext_write(struct sink *, const struct dmtrace *);
/* All names of a method, as in it. */
void dmtext_method(struct sbuf *, const struct dm_method *);

#endif
