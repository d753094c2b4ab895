// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"

#define TEN_TO_9 UINT64_C(1000000000)

enum { SIGNIFICANT = 4 }; /* digits of fmt_auto */

static const uint64_t power_of_ten[] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, TEN_TO_9};

/* Nanoseconds in a unit are ten to the power of this. */
static const struct {
	const char *name;
	unsigned exponent;
} units[] = {
    [FMT_NS] = {"ns", 0},
    [FMT_US] = {"us", 3},
    [FMT_MS] = {"ms", 6},
    [FMT_S] = {"s", 9},
};

static uint64_t
divide_half_up(uint64_t value, uint64_t by)
{
	uint64_t rest = value % by;

	return value / by + (rest >= by - rest);
}

/* `scaled` counts steps of the last decimal. */
static const char *
put_decimal(char *out, bool negative, uint64_t scaled, unsigned decimals)
{
	const char *sign = negative && scaled > 0 ? "-" : "";
	uint64_t one = power_of_ten[decimals];

	if (decimals == 0)
		snprintf(out, FMT_SIZE, "%s%" PRIu64, sign, scaled);
	else
		snprintf(out, FMT_SIZE, "%s%" PRIu64 ".%0*" PRIu64, sign, scaled / one,
		    (int)decimals, scaled % one);
	return out;
}

static unsigned
count_digits(uint64_t value)
{
	unsigned digits = 1;

	while (value >= 10) {
		value /= 10;
		digits++;
	}
	return digits;
}

const char *
fmt_unit_name(enum fmt_unit unit)
{
	return units[unit].name;
}

enum fmt_unit
fmt_unit_for(int64_t ns)
{
	enum fmt_unit unit = FMT_S;

	while (unit > FMT_NS && wide_abs(ns) < power_of_ten[units[unit].exponent])
		unit--;
	return unit;
}

const char *
fmt_time(char out[static FMT_SIZE], int64_t ns, enum fmt_unit unit, unsigned decimals)
{
	unsigned exponent = units[unit].exponent;

	if (decimals > exponent)
		decimals = exponent;
	return put_decimal(out, ns < 0,
	    divide_half_up(wide_abs(ns), power_of_ten[exponent - decimals]), decimals);
}

const char *
fmt_ms(char out[static FMT_SIZE], int64_t ns)
{
	return fmt_time(out, ns, FMT_MS, 3);
}

const char *
fmt_auto(char out[static FMT_SIZE], int64_t ns, enum fmt_unit finest)
{
	uint64_t value = wide_abs(ns), scaled;
	enum fmt_unit unit = finest;
	unsigned decimals, digits;

	for (;;) {
		unsigned exponent = units[unit].exponent;
		unsigned known = exponent - units[finest].exponent;

		digits = count_digits(value / power_of_ten[exponent]);
		if (digits > 3 && unit < FMT_S) {
			unit++;
			continue;
		}
		decimals = digits < SIGNIFICANT ? SIGNIFICANT - digits : 0;
		if (decimals > known)
			decimals = known;
		scaled = divide_half_up(value, power_of_ten[exponent - decimals]);
		if (count_digits(scaled) <= digits + decimals)
			break;
		/* Rounding made it one digit longer: 999.96 us is 1.000 ms, 9.9996
		 * is 10.00. */
		if (digits == 3 && unit < FMT_S) {
			unit++;
			continue;
		}
		if (decimals > 0) {
			scaled /= 10;
			decimals--;
		}
		break;
	}
	put_decimal(out, ns < 0, scaled, decimals);
	digits = (unsigned)strlen(out);
	snprintf(out + digits, FMT_SIZE - digits, " %s", units[unit].name);
	return out;
}

const char *
fmt_duration(char out[static FMT_SIZE], int64_t ns)
{
	static const struct {
		uint64_t seconds;     /* in the smaller part */
		uint64_t small_count; /* smaller parts in a larger one */
		uint64_t below;       /* smaller parts from which the next row is used */
		char large, small;
	} parts[] = {
	    {1, 60, 60 * 60, 'm', 's'},
	    {60, 60, 24 * 60, 'h', 'm'},
	    {60 * 60, 24, UINT64_MAX, 'd', 'h'},
	};
	uint64_t value = wide_abs(ns), count;
	unsigned i = 0;

	if (value < 60 * TEN_TO_9 - TEN_TO_9 / 200) /* which would read 60.00 s */
		return fmt_auto(out, ns, FMT_NS);
	while ((count = divide_half_up(value, parts[i].seconds * TEN_TO_9)) >=
	       parts[i].below)
		i++;
	snprintf(out, FMT_SIZE, "%s%" PRIu64 "%c%02" PRIu64 "%c", ns < 0 ? "-" : "",
	    count / parts[i].small_count, parts[i].large, count % parts[i].small_count,
	    parts[i].small);
	return out;
}

const char *
fmt_percent(char out[static FMT_SIZE], int64_t part, int64_t total)
{
	uint64_t value = wide_abs(part), scaled;
	bool negative = part < 0;

	if (total <= 0 || value / (uint64_t)total >= 10000000) {
		snprintf(out, FMT_SIZE, "%s",
		    total <= 0 ? "-" : negative ? "<-999999999" : ">999999999");
		return out;
	}
	/* 1 is 100.00 %; the product need not fit in 64 bits. */
	scaled = wide_div(wide_add(wide_mul(value, 20000), (uint64_t)total), (uint64_t)total * 2);
	if (scaled == 0 && value > 0) {
		snprintf(out, FMT_SIZE, "%s", negative ? ">-.01" : "<.01");
		return out;
	}
	return put_decimal(out, negative, scaled, 2);
}

const char *
fmt_count(char out[static FMT_SIZE], uint64_t count, const char *separator)
{
	char digits[24];
	int left = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	size_t width = strlen(separator);
	char *to = out;

	if (width > 4)
		width = 0;
	for (const char *d = digits; *d != '\0'; d++) {
		*to++ = *d;
		if (--left > 0 && left % 3 == 0) {
			memcpy(to, separator, width);
			to += width;
		}
	}
	*to = '\0';
	return out;
}

const char *
fmt_real(char out[static FMT_SIZE], double number)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, FMT_SIZE, "%.*g", digits, number);
		if (strtod(out, NULL) == number)
			break;
	}
	return out;
}

const char *
fmt_bytes(char out[static FMT_SIZE], uint64_t bytes)
{
	static const char prefixes[] = "KMGTPE";
	unsigned shift = 10, prefix = 0;
	uint64_t tenths;

	if (bytes < 1024) {
		snprintf(out, FMT_SIZE, "%" PRIu64 " B", bytes);
		return out;
	}
	for (;; shift += 10, prefix++) {
		uint64_t whole = bytes >> shift,
			 rest = bytes & ((UINT64_C(1) << shift) - 1);

		/* rest < 2^60, so ten times that and a half fit. */
		tenths =
		    whole * 10 + ((rest * 10 + (UINT64_C(1) << (shift - 1))) >> shift);
		if (tenths < 10240 || prefixes[prefix + 1] == '\0')
			break;
	}
	snprintf(out, FMT_SIZE, "%" PRIu64 ".%" PRIu64 " %ciB", tenths / 10, tenths % 10,
	    prefixes[prefix]);
	return out;
}

/* Times as people type them ------------------------------------------------------- */

static bool
unit_find(struct str unit, int64_t *ns)
{
	static const struct {
		struct str name;
		int64_t ns;
	} words[] = {
		{ STR("s"), 1000000000 },
		{ STR("ms"), 1000000 },
		{ STR("us"), 1000 },
		{ STR("\302\265s"), 1000 }, /* U+00B5, of keyboards */
		{ STR("\316\274s"), 1000 }, /* U+03BC, a letter */
		{ STR("ns"), 1 },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (str_equal(unit, words[i].name)) {
			*ns = words[i].ns;
			return true;
		}
	}
	return false;
}

bool
timetext_parse(struct str text, int64_t *ns, struct err *e)
{
	return timetext_parse_in(text, STR("s"), ns, e);
}

/* Returns the number before the unit. */
static struct str
number_of(struct str text)
{
	size_t n = 0;

	while (n < text.n && (is_digit(text.p[n]) || text.p[n] == '.'))
		n++;
	return (struct str){text.p, n};
}

struct str
timetext_unit(struct str text)
{
	size_t n = number_of(text).n;

	return str_trim((struct str){text.p + n, text.n - n});
}

bool
timetext_parse_in(struct str text, struct str default_unit, int64_t *ns, struct err *e)
{
	struct str unit = timetext_unit(text);
	int64_t scale, value = 0;
	size_t digits = 0;

	if (!unit_find(unit.n > 0 ? unit : default_unit, &scale))
		return err_set(e, ERR_MALFORMED, "expected a time such as 1.25, 1.25s or 1250ms");
	text = number_of(text);
	while (text.n > 0 && is_digit(text.p[0])) {
		if (value > (INT64_MAX / scale - (text.p[0] - '0')) / 10)
			return err_set(e, ERR_LIMIT, "the time is too large");
		value = value * 10 + (text.p[0] - '0');
		text = (struct str){text.p + 1, text.n - 1};
		digits++;
	}
	value *= scale;
	if (text.n > 0 && text.p[0] == '.') {
		for (text = (struct str){text.p + 1, text.n - 1}; text.n > 0 && is_digit(text.p[0]);
		     text = (struct str){text.p + 1, text.n - 1}) {
			scale /= 10;
			if (scale == 0 && text.p[0] != '0')
				return err_set(e, ERR_LIMIT, "the time is finer than a nanosecond");
			if (__builtin_add_overflow(value, (text.p[0] - '0') * scale, &value))
				return err_set(e, ERR_LIMIT, "the time is too large");
			digits++;
		}
	}
	if (digits == 0 || text.n > 0)
		return err_set(e, ERR_MALFORMED, "expected a time such as 1.25, 1.25s or 1250ms");
	*ns = value;
	return true;
}

/* Labels of an axis --------------------------------------------------------------- */

enum { DECIMALS_MAX = 9 };

/* No larger one fits in int64_t; a range over that gets a label or two more. */
#define STEP_MAX INT64_C(5000000000000000000)

/* The smallest step that makes at most `parts` of `range`. */
static int64_t
step_for(uint64_t range, uint64_t parts)
{
	/* step * parts >= range, without the product */
	uint64_t least = range / parts + (range % parts != 0);
	int64_t power = 1;

	for (;; power *= 10) {
		if (least <= (uint64_t)power)
			return power;
		if (least <= 2 * (uint64_t)power)
			return 2 * power;
		if (least <= 5 * (uint64_t)power || 5 * power == STEP_MAX)
			return 5 * power;
	}
}

/* Decimals of the unit's tenths, hundredths and so on until the step is whole. */
static unsigned
decimals_for(int64_t step, enum fmt_unit unit)
{
	int64_t place = (int64_t)power_of_ten[units[unit].exponent];
	unsigned decimals = 0;

	while (step % place != 0 && decimals < DECIMALS_MAX) {
		place /= 10;
		decimals++;
	}
	return decimals;
}

struct ticks
ticks_make(int64_t from, int64_t to, unsigned width, unsigned cells, enum fmt_unit unit)
{
	struct ticks t = {.first = from, .step = 1};
	uint64_t range, ahead, left;
	int64_t past;

	if (to <= from || width == 0)
		return t;
	range = (uint64_t)to - (uint64_t)from;
	t.step = step_for(range, cells > 0 && width > cells ? width / cells : 1);
	t.minor = t.step / 5;
	t.decimals = decimals_for(t.step, unit);

	/* Distance to the next multiple; `from` may lie before zero. */
	past = from % t.step;
	ahead = past > 0 ? (uint64_t)(t.step - past) : (uint64_t)-past;
	if (ahead >= range)
		return t;
	t.first = (int64_t)((uint64_t)from + ahead);
	left = range - ahead;
	t.count = (uint32_t)((left - 1) / (uint64_t)t.step + 1);
	return t;
}
