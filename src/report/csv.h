/*
 * csv: one record a method, or one a relation (RFC 4180), with the figures of json.
 */
#ifndef SLOWTOP_REPORT_CSV_H
#define SLOWTOP_REPORT_CSV_H

#include "report/report.h"

void report_csv(struct sink *, const struct report *);

#endif
