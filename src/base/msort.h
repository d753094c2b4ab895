/*
 * msort: sorts pointers, stable, in the same order everywhere.
 *
 * A top-down merge sort: the halves are the first n/2 and the rest, and of equals the
 * one from the first half goes first.  With an order that contradicts itself the result
 * is thus still the same on every machine (qsort's is not).
 */
#ifndef SLOWTOP_BASE_MSORT_H
#define SLOWTOP_BASE_MSORT_H

#include <stddef.h>

typedef int msort_order(const void *a, const void *b, const void *context);

/* O(n log n) comparisons of items, which are what the pointers point to. */
void msort(void **items, size_t n, msort_order *order, const void *context);

#endif
