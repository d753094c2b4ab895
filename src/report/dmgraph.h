/*
 * dmgraph: who calls whom as a graph in Graphviz's DOT language.
 *
 * A node for each method, an edge for each caller and callee, from (toplevel) along calls
 * that are not recursive.  An edge is kept when the time of its own calls is at least
 * `threshold` percent of the caller's, and a method when an edge leads to it.
 */
#ifndef SLOWTOP_REPORT_DMGRAPH_H
#define SLOWTOP_REPORT_DMGRAPH_H

#include "base/sbuf.h"
#include "report/dmtrace.h"

void dmgraph_write(struct sbuf *out, const struct dmtrace *, int threshold);

#endif
