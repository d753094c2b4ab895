/*
 * convert-formats: the functions behind the rows of convert_formats; for convert.c and the
 * files that define them.
 */
#ifndef SLOWTOP_REPORT_CONVERT_FORMATS_H
#define SLOWTOP_REPORT_CONVERT_FORMATS_H

#include "report/convert.h"

bool convert_callgrind(struct convert *);
/*
 * What a text log has for Chrome's format: the arguments of a slice (nothing of a method
 * trace), and events for names of processes, for counters, for moments and for what cores
 * were set to.
 */
void chrome_log_args(struct sbuf *, const struct convert *, uint64_t offset);
bool chrome_log_processes(struct convert *);
bool chrome_log_counters(struct convert *);
bool chrome_log_moments(struct convert *);

bool convert_chrome(struct convert *);
bool convert_firefox(struct convert *);
bool convert_folded(struct convert *);
bool convert_perfetto(struct convert *);
bool convert_pprof(struct convert *);
bool convert_speedscope(struct convert *);
bool convert_svg(struct convert *);
bool convert_trace(struct convert *);
bool convert_trace1(struct convert *);
bool convert_trace2(struct convert *);

#endif
