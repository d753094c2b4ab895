// SPDX-License-Identifier: Apache-2.0
/*
 * number: numbers and times as text, the one place that decides about rounding; times as
 * people type them, and where the labels of a time axis go.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/*
 * Numbers as text, the one place that decides about rounding.
 *
 * Every function writes into a caller's buffer of FMT_SIZE bytes, ends it with a
 * NUL and returns it.  Nothing depends on the locale, nothing uses floating point.
 * Times are nanoseconds, any int64_t.
 *
 * Rounding is half up in the magnitude: 0.5 becomes 1 and -0.5 becomes -1, so a
 * value and its negative look alike.  What rounds to zero has no sign.
 */

enum { FMT_SIZE = 64 };

/* A buffer that lives as long as the block around it. */
#define FMT_BUF ((char[FMT_SIZE]){""})

enum fmt_unit { FMT_NS, FMT_US, FMT_MS, FMT_S };

const char *fmt_unit_name(enum fmt_unit); /* "ns", "us", "ms", "s" */
/* The largest unit of which `ns` holds at least one; FMT_NS for 0. */
enum fmt_unit fmt_unit_for(int64_t ns);

/* "1234.568" for 1234567890 in FMT_MS with 3 decimals; none finer than 1 ns. */
const char *fmt_time(
    char out[static FMT_SIZE], int64_t ns, enum fmt_unit unit, unsigned decimals);
/* Milliseconds with three decimals: "0.000", "1961.183". */
const char *fmt_ms(char out[static FMT_SIZE], int64_t ns);
/*
 * Four significant digits in the unit that suits: "999 ns", "12.35 us", "1.000 s".
 * Never finer than whole `finest` units, which are what the trace can tell.
 */
const char *fmt_auto(char out[static FMT_SIZE], int64_t ns, enum fmt_unit finest);
/* A duration for people: "850.0 ms", "12.35 s", "4m07s", "3h02m", "2d05h". */
const char *fmt_duration(char out[static FMT_SIZE], int64_t ns);

/*
 * part / total as "61.02".  Something that would round to 0.00 is "<.01" (below
 * zero ">-.01"); "-" when there is no total (0 or less); from 10^9 percent on
 * ">999999999" ("<-999999999").
 */
const char *fmt_percent(char out[static FMT_SIZE], int64_t part, int64_t total);

/* `separator` goes between groups of three digits: at most four bytes, or "". */
const char *fmt_count(char out[static FMT_SIZE], uint64_t count, const char *separator);
/* With as many digits as tell it from all others: "0.1", "1e+300", "inf". */
const char *fmt_real(char out[static FMT_SIZE], double);
/* "1023 B", "1.5 KiB", "16.0 EiB". */
const char *fmt_bytes(char out[static FMT_SIZE], uint64_t bytes);

/*
 * A time as people type it, or as the screen has it.
 *
 * Digits with an optional decimal point and an optional unit: s (also without one), ms,
 * us (as well with a micro sign) or ns, blanks before it or not: "1.25", "1250ms", "12.35 us".
 * Exact: what is finer than a nanosecond is refused.
 */

/* Nanoseconds; false and `e` when the text is no such time or is too large. */
bool timetext_parse(struct str text, int64_t *ns, struct err *e);
/* Like timetext_parse, but a number without a unit is in `unit`, as "ms". */
bool timetext_parse_in(struct str text, struct str unit, int64_t *ns, struct err *e);
/* Returns the unit after the number; empty: it has none. */
struct str timetext_unit(struct str text);

/*
 * Where the labels of a time axis go.
 *
 * The step is the smallest of 1, 2 or 5 times a power of ten nanoseconds that gives a
 * label at least the room wanted; labels are at its multiples.
 */

struct ticks {
	int64_t first;  /* ns: the first multiple of step that is not before the range */
	int64_t step;   /* ns, at least 1 */
	int64_t minor;  /* ns between minor ticks, a fifth of step; 0 under 5 ns */
	uint32_t count; /* labels in the range: first + i * step for i below this */
	unsigned decimals; /* that tell labels apart when they are in `unit` */
};

/*
 * Ticks for the range [from, to) drawn in `width` cells, with `cells` for a label.  An
 * empty range or no width has no labels.
 */
struct ticks ticks_make(
    int64_t from, int64_t to, unsigned width, unsigned cells, enum fmt_unit unit);
