// SPDX-License-Identifier: Apache-2.0
/*
 * unit: what the figures of a trace count, and how they are printed.
 *
 * Nanoseconds are printed as times.  Of other units a thousandth is kept as a nanosecond, so that
 * a file that has times in microseconds has these as they are.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/number.h"
#include "trace/event.h"

struct trace_unit {
	const char *name; /* "samples", "cycles", ...; NULL: nanoseconds */
	bool bytes;
	bool fractions;   /* some figures have them */
};

/* True if figures are no times. */
static inline bool
unit_counts(const struct trace_unit *u)
{
	return u->name != NULL;
}

/* "12.345 ms", "1,234 samples", "1.5 KiB". */
const char *unit_text(const struct trace_unit *, char out[static FMT_SIZE], nsec);
/* Like unit_text, without a unit: "12.345", "1,234". */
const char *unit_figure(const struct trace_unit *, char out[static FMT_SIZE], nsec);
/* A figure that is no time, with at most three decimals, and no separators. */
const char *unit_count(const struct trace_unit *, char out[static FMT_SIZE], nsec, unsigned decimals);
/* After figures: "ms", "samples". */
const char *unit_name(const struct trace_unit *);
