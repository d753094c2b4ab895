/*
 * callrows_list: the calls of one method of a report; for the files of callrows.h only.
 */
#ifndef SLOWTOP_REPORT_CALLROWS_LIST_H
#define SLOWTOP_REPORT_CALLROWS_LIST_H

#include "report/report.h"
#include "view/calls_list.h"

enum { CALLROWS_PERMILLES = 5 };
extern const unsigned callrows_permilles[CALLROWS_PERMILLES]; /* percentiles that are told */

/* In the order asked for; false when cancelled.  calls_list_release in both cases. */
bool callrows_find(struct calls_list *, struct sink *, const struct report *,
    uint32_t method);
/* Rows up to the limit. */
size_t callrows_count(const struct calls_list *, const struct report *);
uint32_t callrows_caller(const struct calls *, const struct call_row *);
/* Longer than the budget. */
bool callrows_over(const struct calls *, const struct call_row *);

#endif
