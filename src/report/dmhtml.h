/*
 * dmhtml: dmtracedump's profile as one HTML page: the four parts of the text, tables to
 * sort, classes and names to unfold, every [index] a link to the method's callers.
 */
#ifndef SLOWTOP_REPORT_DMHTML_H
#define SLOWTOP_REPORT_DMHTML_H

#include "report/dmtrace.h"
#include "report/sink.h"

/* `script_base` as in htmlpage.h. */
void dmhtml_write(struct sink *, const struct dmtrace *, const char *script_base);
/* All names of a method. */
void dmhtml_method(struct sbuf *, const struct dm_method *);

#endif
