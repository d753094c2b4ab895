// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/figures.h"

#include <string.h>

#include "view/diff/rates.h"

/* Clocks of different grain can leave the CPU a little ahead: the wait is then 0. */
static struct value
waiting(const nsec time[CLOCKS])
{
	return value_time(
	    time[CLOCK_WALL] > time[CLOCK_CPU] ? time[CLOCK_WALL] - time[CLOCK_CPU] : 0);
}

static struct value
per_call(const struct sums *s, enum clock_id clock)
{
	int64_t calls = s->call_count > INT64_MAX ? INT64_MAX : (int64_t)s->call_count;

	return value_time((s->inclusive[clock] + calls / 2) / calls);
}

/* A time in ms a second of the last interval. */
static struct value
rate_of(const struct figures *f, const struct sums *s, nsec time)
{
	return s->now == NULL || time == 0
	    ? VALUE_NONE : value_real((double)time * 1e3 / (double)f->rates->length, 1);
}

static struct value
calls_rate(const struct figures *f, const struct sums *s)
{
	return s->now == NULL || s->now->calls == 0
	    ? VALUE_NONE : value_real((double)s->now->calls * 1e9 / (double)f->rates->length, 1);
}

/* Returns B minus A. */
static struct value
between(const nsec *times)
{
	return times != NULL ? value_time(diff_between(times[DIFF_A], times[DIFF_B])) : VALUE_NONE;
}

/* Without time in A the change has no percentage. */
static struct value
between_percent(const struct pathjoin_figures *sides)
{
	nsec a = sides != NULL ? sides->inclusive[DIFF_A] : 0;

	return a > 0 ? value_percent(diff_between(a, sides->inclusive[DIFF_B]), a) : VALUE_NONE;
}

static struct value
side_time(const struct pathjoin_figures *sides, int side)
{
	return sides != NULL ? value_time(sides->inclusive[side]) : VALUE_NONE;
}

struct value
sums_value(const struct figures *f, int column, const struct sums *s)
{
	enum clock_id clock = column_clock(&column_table[column], f->clock);
	bool timed = !s->timeless || clock != CLOCK_CPU, named = s->method != METHOD_NONE;

	switch (column) {
#define COLUMN(number, value, ...)                                                               \
	case COLUMN_##number:                                                                    \
		return value;
#include "view/figures.def"
#undef COLUMN
	default:
		return VALUE_NONE;
	}
}

/* Rows of the method table ------------------------------------------------------------ */

static uint64_t
all_calls(const struct method_sum *m)
{
	return m->calls + m->recursive_calls;
}

static void
sum_method(struct sums *s, const struct figures *f, const struct method_sum *m)
{
	memcpy(s->inclusive, m->inclusive, sizeof(s->inclusive));
	memcpy(s->exclusive, m->exclusive, sizeof(s->exclusive));
	s->own = true;
	s->longest = longest_length(&m->longest);
	s->longest_at = m->longest.at;
	s->threads = m->threads;
	if (f->rates != NULL && f->rates->length > 0 && s->method < f->rates->count)
		s->now = &f->rates->now[s->method];
	s->call_count = all_calls(m);
	s->calls = value_calls(VALUE_CALLS, m->calls, m->recursive_calls);
	memcpy(s->base, f->base == BASE_TRACE ? f->fold->whole : f->fold->total, sizeof(s->base));
}

/* Relations have no time of their own, as in Traceview. */
static void
sum_relation(struct sums *s, const struct figures *f, const struct row *row)
{
	const struct method_sum *of = &f->fold->methods[row->of];
	bool parent = row->kind == ROW_PARENT || row->kind == ROW_PARENT_RECURSIVE;
	bool self = row->kind == ROW_SELF;

	memcpy(s->inclusive, self ? of->self : row->relation.inclusive, sizeof(s->inclusive));
	if (!self)
		s->calls = value_calls(VALUE_OF, row->relation.calls,
		    all_calls(parent ? of : &f->fold->methods[row->method]));
	memcpy(s->base,
	    f->base == BASE_TRACE    ? f->fold->whole
	    : f->base == BASE_PARENT ? of->inclusive
				     : f->fold->total,
	    sizeof(s->base));
}

struct value
figures_busy(const struct figures *f, uint32_t thread)
{
	nsec known;

	if (f->fold == NULL || !trace_has_clock(f->trace, CLOCK_WALL))
		return VALUE_NONE;
	known = fold_known(f->fold, f->trace, thread);
	return known > 0 ? value_percent(fold_busy(f->fold, f->trace, thread), known) : VALUE_NONE;
}

struct value
figures_unknown(const struct figures *f, uint32_t thread)
{
	const struct fold *fold = f->fold;

	return fold == NULL || trace_thread(f->trace, thread)->kind == THREAD_ASYNC
	    ? VALUE_NONE : value_time(thread < fold->thread_count ? fold->threads[thread].unknown : 0);
}

struct value
column_get(const struct figures *f, int column, const struct row *row)
{
	bool self = row->kind == ROW_SELF;
	const struct method_sum *m = &f->fold->methods[row->method];
	struct sums s = {.method = self ? METHOD_NONE : row->method, .longest = -1};

	/* Texts need no sums, and names of equal rows are asked for all over memory. */
	if (column_is_text(&column_table[column]))
		return sums_value(f, column, &s);
	s.rank = self ? RANK_NONE : m->rank;
	s.timeless =
	    f->trace->log != NULL && trace_method(f->trace, self ? row->of : row->method)->async;
	if (row->kind == ROW_METHOD)
		sum_method(&s, f, m);
	else
		sum_relation(&s, f, row);
	memcpy(s.exclusive_base, s.base, sizeof(s.base));
	return sums_value(f, column, &s);
}

struct value
figures_field(const struct figures *f, uint32_t method, int i)
{
	const struct method *m = trace_method(f->trace, method);
	const struct str texts[] = {
	    names_id(f->names, method), m->class_name, m->name, m->signature, m->file};

	if (i < (int)(sizeof(texts) / sizeof(texts[0])))
		return value_text(texts[i]);
	return value_if(f->trace->log != NULL && method != METHOD_TOPLEVEL,
	    value_text(m->async ? STR("async") : STR("sync")));
}

enum { OTHER_TIME = LIST_UNIT | LIST_OTHER_CLOCK | LIST_BOTH_CLOCKS };

const struct column column_table[COLUMNS + 1] = {
#define COLUMN(number, value, ...) [COLUMN_##number] = {__VA_ARGS__},
#include "view/figures.def"
#undef COLUMN
    [COLUMNS] = {.id = NULL},
};

_Static_assert((int)COLUMNS <= (int)COLUMNSET_MAX, "COLUMNSET_MAX has room for all columns");

enum column_id
columns_find(struct str id)
{
	enum column_id i = 0;

	while (i < COLUMNS && !str_equal(id, str_from(column_table[i].id)))
		i++;
	return i;
}

int
column_width(const struct figures *f, enum column_id id)
{
	const struct column *c = &column_table[id];
	uint32_t methods = f->fold != NULL && c->kind != VALUE_TEXT ? f->fold->met_count : 0;
	int64_t most = 0, most_b = 0;
	char out[FMT_SIZE];
	/* Room for the sign of the order after the title. */
	size_t width = strlen(column_title(f, c, out)) + 1;

	if (width < (size_t)c->width)
		width = (size_t)c->width;
	for (uint32_t i = 0; i < methods; i++) {
		uint32_t method = f->fold->met[i];
		struct value v = column_get(
		    f, id, &(struct row){.kind = ROW_METHOD, .method = method, .of = method});
		size_t n;

		/* Text grows with the value: only those that exceed all before are written out. */
		if (v.a <= most && v.b <= most_b)
			continue;
		most = v.a > most ? v.a : most;
		most_b = v.b > most_b ? v.b : most_b;
		n = value_format(f, v, FMT_SIZE, out).n;
		if (n > width)
			width = n;
	}
	return (int)width;
}
