/*
 * csv: the rows of the view (RFC 4180), with the figures of json; one record a method, a
 * group of them, or a relation.
 */
#ifndef SLOWTOP_REPORT_CSV_H
#define SLOWTOP_REPORT_CSV_H

#include "report/report.h"

void report_csv(struct sink *, const struct report *);
/* Methods, or groups of them. */
void csv_methods(struct sink *, const struct report *);

#endif
