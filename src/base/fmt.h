/*
 * fmt: numbers as text, the one place that decides about rounding.
 *
 * Every function writes into a caller's buffer of FMT_SIZE bytes, ends it with a
 * NUL and returns it.  Nothing depends on the locale, nothing uses floating point.
 * Times are nanoseconds, any int64_t.
 *
 * Rounding is half up in the magnitude: 0.5 becomes 1 and -0.5 becomes -1, so a
 * value and its negative look alike.  What rounds to zero has no sign.
 */
#ifndef SLOWTOP_BASE_FMT_H
#define SLOWTOP_BASE_FMT_H

#include <stdint.h>

enum { FMT_SIZE = 64 };

enum fmt_unit { FMT_NS, FMT_US, FMT_MS, FMT_S };

const char *fmt_unit_name(enum fmt_unit); /* "ns", "us", "ms", "s" */
/* The largest unit of which `ns` holds at least one; FMT_NS for 0. */
enum fmt_unit fmt_unit_for(int64_t ns);

/* "1234.568" for 1234567890 in FMT_MS with 3 decimals; none finer than 1 ns. */
const char *fmt_time(
    char out[static FMT_SIZE], int64_t ns, enum fmt_unit unit, unsigned decimals);
/* Milliseconds with three decimals: "0.000", "1961.183". */
const char *fmt_ms(char out[static FMT_SIZE], int64_t ns);
/* Microseconds, exact: an integer when whole, else as many decimals as needed. */
const char *fmt_us(char out[static FMT_SIZE], int64_t ns);
/*
 * Four significant digits in the unit that suits: "999 ns", "12.35 us", "1.000 s".
 * Never finer than whole `finest` units, which are what the trace can tell.
 */
const char *fmt_auto(char out[static FMT_SIZE], int64_t ns, enum fmt_unit finest);
/* As a person would say it: "850.0 ms", "12.35 s", "4m07s", "3h02m", "2d05h". */
const char *fmt_duration(char out[static FMT_SIZE], int64_t ns);

/*
 * part / total as "61.02".  Something that would round to 0.00 is "<.01" (below
 * zero ">-.01"); "-" when there is no total (0 or less); from 10^9 percent on
 * ">999999999" ("<-999999999").
 */
const char *fmt_percent(char out[static FMT_SIZE], int64_t part, int64_t total);

/* `separator` goes between groups of three digits: at most four bytes, or "". */
const char *fmt_count(char out[static FMT_SIZE], uint64_t count, const char *separator);
/* "1023 B", "1.5 KiB", "16.0 EiB". */
const char *fmt_bytes(char out[static FMT_SIZE], uint64_t bytes);

#endif
