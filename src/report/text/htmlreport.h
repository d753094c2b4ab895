/*
 * htmlreport: the report for people as one HTML page: what the trace is and lost, the
 * profile, who calls whom, a flame graph, the threads.
 *
 * Needs nothing else, also no script: that adds sorting, zoom and search.  Parts are cut
 * so that a usual trace's page stays under 2 MB; each says what is missing.
 */
#ifndef SLOWTOP_REPORT_TEXT_HTMLREPORT_H
#define SLOWTOP_REPORT_TEXT_HTMLREPORT_H

#include "report/flame/flame.h"

/* The report is of methods, with relations; `flame` made of it. */
void htmlreport_write(struct sink *, const struct report *, const struct flame *);

#endif
