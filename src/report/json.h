/*
 * json: the report for programs; its form is in slowtop(1) and stays.
 */
#ifndef SLOWTOP_REPORT_JSON_H
#define SLOWTOP_REPORT_JSON_H

#include "report/report.h"

void report_json(struct sink *, const struct report *);
/* Methods, or groups of them. */
void json_methods(struct json *, struct sink *, const struct report *);

#endif
