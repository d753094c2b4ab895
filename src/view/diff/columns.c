// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/diff/columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct diff_change_row diff_changes[DIFF_CHANGES] = {
    [DIFF_SLOWER] = {"slower", "More time", "^"},
    [DIFF_FASTER] = {"faster", "Less time", "v"},
    [DIFF_ONLY_B] = {"only-b", "Only in B", "n"},
    [DIFF_ONLY_A] = {"only-a", "Only in A", "x"},
    [DIFF_UNCHANGED] = {"unchanged", "Unchanged", "="},
};

const char *const diff_value_words[DIFF_VALUES] = {"incl", "excl"};
const char *const diff_value_names[DIFF_VALUES] = {"inclusive", "exclusive"};

/* Values -------------------------------------------------------------------------- */

static struct value
side_time(const struct diff_row *r, const struct diff_by *by, int side)
{
	return r->sum[side].method != METHOD_NONE ? value_time(diff_time(r, side, by)) : VALUE_NONE;
}

static struct value
per_call(const struct diff_row *r, const struct diff_by *by, int side)
{
	return r->sum[side].calls > 0 ? value_time(diff_per_call(r, side, by)) : VALUE_NONE;
}

static struct value
percent(const struct diff_row *r, const struct diff_by *by)
{
	if (r->sum[DIFF_B].method == METHOD_NONE || diff_time(r, DIFF_A, by) <= 0)
		return VALUE_NONE;
	return value_percent(diff_delta(r, by), diff_time(r, DIFF_A, by));
}

static struct value
side_calls(const struct diff_row *r, int side)
{
	return r->sum[side].method != METHOD_NONE ? value_count(r->sum[side].calls) : VALUE_NONE;
}

static int
digits(uint64_t n)
{
	int count = 1;

	for (; n >= 10; n /= 10)
		count++;
	return count;
}

/* How many calls more; the length of both texts sets the column's width. */
static struct value
calls(const struct diff_row *r, const struct diff_by *by)
{
	struct value v = value_number(diff_cause(r, by).calls);

	v.b = digits(r->sum[DIFF_A].calls) + digits(r->sum[DIFF_B].calls);
	return v;
}

/* Exclusive, when the others are inclusive; and the reverse. */
static struct value
other_delta(const struct diff_row *r, const struct diff_by *by)
{
	struct diff_by other = *by;

	other.value = by->value == DIFF_INCLUSIVE ? DIFF_EXCLUSIVE : DIFF_INCLUSIVE;
	return value_time(diff_delta(r, &other));
}

struct value
diff_column_value(enum diff_column column, const struct diff_row *r, const struct diff_by *by)
{

	switch (column) {
#define COLUMN(number, value, ...)                                                               \
	case number:                                                                             \
		return value;
#include "view/diff/columns.def"
#undef COLUMN
	default:
		return VALUE_NONE;
	}
}

enum { DIFFERENCE = LIST_UNIT | LIST_MAGNITUDE | LIST_REPORT };

const struct column diff_columns[] = {
#define COLUMN(number, value, ...) [number] = {__VA_ARGS__},
#include "view/diff/columns.def"
#undef COLUMN
    [DIFF_COLUMNS] = {.id = NULL},
};

const char *
diff_column_word(int i)
{
	for (int c = 0; c < DIFF_COLUMNS; c++)
		if ((diff_columns[c].flags & LIST_FOR_PROGRAMS) == 0 && i-- == 0)
			return diff_columns[c].id;
	return NULL;
}

enum diff_column
diff_column_find(struct str word)
{
	enum diff_column c = 0;

	while (c < DIFF_COLUMNS && (!str_equal(str_from(diff_columns[c].id), word) ||
				       (diff_columns[c].flags & LIST_FOR_PROGRAMS) != 0))
		c++;
	return c;
}

/* Text ---------------------------------------------------------------------------- */

static const char *
bare_time(const struct trace_unit *u, nsec time, bool auto_units, char out[static FMT_SIZE])
{
	if (unit_counts(u))
		return unit_count(u, out, time, 3);
	return auto_units ? fmt_auto(out, time, FMT_US) : fmt_ms(out, time);
}

/* Adds a plus to positive numbers. */
static const char *
sign(bool more, const char *number, char out[static FMT_SIZE])
{
	char text[FMT_SIZE];

	snprintf(text, sizeof(text), "%s", number);
	snprintf(out, FMT_SIZE, "%s%.*s", more && text[0] != '<' && text[0] != '>' ? "+" : "",
	    FMT_SIZE - 2, text);
	return out;
}

const char *
diff_time_text(const struct trace_unit *u, nsec time, bool auto_units, char out[static FMT_SIZE])
{
	char zero[FMT_SIZE], text[FMT_SIZE];

	bare_time(u, 0, auto_units, zero);
	bare_time(u, time, auto_units, text);
	return sign(time > 0 && strcmp(text, zero) != 0, text, out);
}

const char *
diff_min_text(nsec min, char out[static FMT_SIZE])
{
	enum fmt_unit unit = fmt_unit_for(min);
	char number[FMT_SIZE];
	size_t n;

	fmt_time(number, min, unit, 3);
	n = strlen(number);
	while (strchr(number, '.') != NULL && (number[n - 1] == '0' || number[n - 1] == '.')) {
		bool point = number[--n] == '.';

		number[n] = '\0';
		if (point)
			break;
	}
	snprintf(out, FMT_SIZE, "%.*s %s", FMT_SIZE - 4, number, fmt_unit_name(unit));
	return out;
}

const char *
diff_percent_text(nsec a, nsec b, char out[static FMT_SIZE])
{
	char text[FMT_SIZE];
	nsec delta = diff_between(a, b);

	fmt_percent(text, delta, a);
	return sign(delta > 0 && a > 0, text, out);
}

static const char *
calls_text(const struct diff_row *r, char out[static FMT_SIZE])
{
	int n = 0;

	for (int side = 0; side < DIFF_SIDES; side++) {
		const struct diff_sum *s = &r->sum[side];

		if (side == DIFF_B)
			n += snprintf(out + n, FMT_SIZE - (size_t)n, ">");
		if (s->method == METHOD_NONE)
			n += snprintf(out + n, FMT_SIZE - (size_t)n, "-");
		else
			n += snprintf(out + n, FMT_SIZE - (size_t)n, "%" PRIu64, s->calls);
	}
	return out;
}

const char *
diff_column_text(enum diff_column column, const struct diff_row *r, const struct diff_by *by,
    bool auto_units, char out[static FMT_SIZE])
{
	struct value v;

	out[0] = '\0';
	switch (column) {
	case DIFF_COLUMN_METHOD:
		return out;
	case DIFF_COLUMN_CALLS:
		return calls_text(r, out);
	case DIFF_COLUMN_PERCENT:
		if (r->sum[DIFF_A].method == METHOD_NONE || r->sum[DIFF_B].method == METHOD_NONE) {
			snprintf(out, FMT_SIZE, "%s",
			    r->sum[DIFF_A].method == METHOD_NONE ? "new" : "gone");
			return out;
		}
		return diff_percent_text(diff_time(r, DIFF_A, by), diff_time(r, DIFF_B, by), out);
	default:
		break;
	}
	v = diff_column_value(column, r, by);
	if (v.kind == VALUE_EMPTY) {
		snprintf(out, FMT_SIZE, "-");
		return out;
	}
	if (column == DIFF_COLUMN_A || column == DIFF_COLUMN_B || column == DIFF_COLUMN_AVG_A ||
	    column == DIFF_COLUMN_AVG_B)
		return bare_time(&by->unit, v.a, auto_units, out);
	return diff_time_text(&by->unit, v.a, auto_units, out);
}

const char *
diff_column_title(
    enum diff_column column, const struct diff_by *by, bool auto_units, char out[static FMT_SIZE])
{
	const struct column *c = &diff_columns[column];

	snprintf(out, FMT_SIZE, "%s%s%s",
	    column != DIFF_COLUMN_OTHER ? "" : by->value == DIFF_INCLUSIVE ? "Excl " : "Incl ",
	    c->title, c->kind == VALUE_TIME && !auto_units && !unit_counts(&by->unit) ? " ms" : "");
	return out;
}

static int64_t
magnitude(int64_t n)
{
	return n >= 0 ? n : n == INT64_MIN ? INT64_MAX : -n;
}

void
diff_cause_text(struct sbuf *out, const struct diff_row *r, const struct diff_by *by)
{
	struct diff_cause cause = diff_cause(r, by);
	char by_calls[FMT_SIZE], by_time[FMT_SIZE], each[FMT_SIZE];
	nsec per_call;

	if (r->sum[DIFF_A].method == METHOD_NONE || r->sum[DIFF_B].method == METHOD_NONE) {
		sbuf_printf(out, "only in %s",
		    r->sum[DIFF_A].method == METHOD_NONE ? "B" : "A");
		return;
	}
	if (cause.calls == 0 && cause.by_time == 0) {
		sbuf_text(out, "none, as many calls of the same length");
		return;
	}
	if (cause.calls != 0)
		sbuf_printf(out, "%s from %" PRId64 " %s call%s",
		    diff_time_text(&by->unit, cause.by_calls, true, by_calls),
		    magnitude(cause.calls), cause.calls < 0 ? "fewer" : "more",
		    magnitude(cause.calls) == 1 ? "" : "s");
	else
		sbuf_text(out, "as many calls");
	if (r->sum[DIFF_A].calls == 0 || r->sum[DIFF_B].calls == 0)
		return;
	per_call = diff_between(diff_per_call(r, DIFF_A, by), diff_per_call(r, DIFF_B, by));
	sbuf_printf(out, ", %s because calls are %s %s",
	    diff_time_text(&by->unit, cause.by_time, true, by_time),
	    unit_counts(&by->unit)
		? unit_text(&by->unit, each, per_call < 0 ? -per_call : per_call)
		: fmt_auto(each, per_call < 0 ? -per_call : per_call, FMT_NS),
	    per_call < 0 ? "shorter" : "longer");
}
