/*
 * dmtext: dmtracedump's profile as text, byte for byte.
 */
#ifndef SLOWTOP_REPORT_DMTEXT_H
#define SLOWTOP_REPORT_DMTEXT_H

#include "report/dmtrace.h"
#include "report/sink.h"

/*
 * Names are written as they stand in the file, as dmtracedump does; `safe` is for a
 * terminal, where all but the tab is shown as base/clean.h says.
 */
void dmtext_write(struct sink *, const struct dmtrace *, bool safe);
/* A name, and all names of a method, as in it. */
void dmtext_name(struct sbuf *, struct str, bool safe);
void dmtext_method(struct sbuf *, const struct dm_method *, bool safe);

#endif
