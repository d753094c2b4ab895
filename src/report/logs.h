/*
 * logs: what a report says of a text log beside its slices.
 */
#ifndef SLOWTOP_REPORT_LOGS_H
#define SLOWTOP_REPORT_LOGS_H

#include "base/json.h"
#include "report/report.h"

/* "processes", "cpus", "states", "counters", "events" and "log"; nothing of a method trace. */
void logs_json(struct json *, const struct report *);

#endif
