/*
 * head: the first lines of the text report: which trace, which part of it, what the
 * percentages are of, and what was damaged.
 */
#ifndef SLOWTOP_REPORT_HEAD_H
#define SLOWTOP_REPORT_HEAD_H

#include "report/report.h"

void head_print(struct sbuf *out, const struct report *);

#endif
