// SPDX-License-Identifier: Apache-2.0
/*
 * threadrows: the view of the threads: a row each, those with the most time first.
 */
#include <config.h>

#include "report/text/views.h"

#include "base/mem.h"
#include "report/report.h"

static const struct fold_thread *
sum_of(const struct report *r, uint32_t thread)
{
	static const struct fold_thread none;

	return thread < r->fold->thread_count ? &r->fold->threads[thread] : &none;
}

static nsec
span(const struct fold_thread *sum, enum clock_id clock)
{
	return sum->last[clock] - sum->first[clock];
}

/* Rows ---------------------------------------------------------------------------- */

static struct ranked
ranked_make(const struct report *r, uint32_t thread)
{
	const struct fold_thread *sum = sum_of(r, thread);
	struct ranked k = {.id = trace_thread(r->trace, thread)->id, .index = thread};

	if (r->options->sort == COLUMN_METHOD)
		k.text = names_thread(r->figures.names, thread);
	else if (r->options->sort == COLUMN_CALLS)
		k.key = sum->calls > INT64_MAX ? INT64_MAX : (int64_t)sum->calls;
	else
		k.key = sum->part[r->figures.clock];
	return k;
}

bool
threadrows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	enum column_id sort = r->options->sort;
	uint32_t count = r->trace->threads.count;
	struct ranked *keys;
	bool good = true, passes;

	if (sort != COLUMN_INCL && sort != COLUMN_CALLS && sort != COLUMN_METHOD)
		return err_set(e, ERR_UNSUPPORTED,
		    "threads are sorted by incl, calls or method, not by '%s'",
		    column_table[sort].id);
	keys = mem_alloc(((size_t)count + 1) * sizeof(*keys));
	r->rows = mem_alloc(((size_t)count + 1) * sizeof(*r->rows));
	for (uint32_t t = 0; t < count && good; t++) {
		if (!scope_has(r->scope, t))
			continue;
		good = rows_pass(r, names_thread(r->figures.names, t),
		    trace_thread(r->trace, t)->name, &passes, e);
		if (good && passes)
			keys[r->count++] = ranked_make(r, t);
	}
	ranked_sort(keys, r->count, r->options->ascending, r->rows);
	rows_cut(r);
	return good;
}

/* Text ---------------------------------------------------------------------------- */

/* What is shown of a thread before its name, and which clocks that takes. */
static const struct {
	const char *title;
	unsigned clocks;
} shown[] = {
    {"Id", 0},
    {"Share%", 0},
    {"Wall ms", HAS_WALL},
    {"Cpu ms", HAS_CPU},
    {"Busy%", HAS_BOTH},
    {"In calls ms", 0},
    {"Calls", 0},
    {"Records", 0},
    {"Open", 0},
};

static struct str
thread_cell(const void *of, int column, const void *row, char out[static FMT_SIZE])
{
	const struct report *r = of;
	enum clock_id clock = r->figures.clock;
	uint32_t thread = row != NULL ? *(const uint32_t *)row : 0;
	const struct fold_thread *sum = sum_of(r, thread);

	if ((shown[column].clocks & ~r->trace->clocks) != 0)
		return (struct str){NULL, 0};
	if (row == NULL)
		return str_from(r->trace->log != NULL && strcmp(shown[column].title, "Calls") == 0
		    ? "Count" : names_words(r->figures.names, shown[column].title));
	return value_format(&r->figures,
	    (const struct value[]){
		value_count(trace_thread(r->trace, thread)->id),
		value_percent(sum->part[clock], r->fold->total[clock]),
		value_time(span(sum, CLOCK_WALL)),
		value_time(span(sum, CLOCK_CPU)),
		figures_busy(&r->figures, thread),
		value_time(sum->covered),
		value_count(sum->calls),
		value_count(sum->records),
		value_count(sum->open),
	    }[column],
	    FMT_SIZE - 1, out);
}

struct columns
threadrows_columns(const struct report *r)
{
	struct columns t = {.of = r, .count = sizeof(shown) / sizeof(shown[0]), .cell = thread_cell};

	columns_fit(&t, NULL);
	return t;
}

void
threadrows_text(struct sink *sink, const struct report *r)
{
	struct columns t = threadrows_columns(r);

	for (uint32_t i = 0; i < r->count; i++)
		columns_fit(&t, &r->rows[i]);
	columns_text(&t, &sink->text, NULL);
	sbuf_text(&sink->text, "Name\n");
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		columns_text(&t, &sink->text, &r->rows[i]);
		sbuf_str(&sink->text, names_thread(r->figures.names, r->rows[i]));
		sbuf_char(&sink->text, '\n');
	}
}

/* For programs -------------------------------------------------------------------- */

static void
threads_csv(struct sink *sink, const struct report *r)
{
	const char *const list[] = {"id", "name", "records", "calls", "open", "in_calls_us",
	    "cpu_us", "first_cpu_us", "last_cpu_us", "wall_us", "first_wall_us", "last_wall_us",
	    r->trace->log != NULL ? "kind" : NULL, NULL};
	struct fields f;

	fields_init(&f, &sink->text, NULL, r->trace->clocks, list, NULL);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		fields_row(&f);
		const struct fold_thread *sum = sum_of(r, r->rows[i]);
		const struct thread *thread = trace_thread(r->trace, r->rows[i]);
		const nsec spans[CLOCKS] = {span(sum, CLOCK_CPU), span(sum, CLOCK_WALL)};

		fields_put(&f, value_count(thread->id));
		fields_put(&f, value_text(thread->name));
		fields_put(&f, value_count(sum->records));
		fields_put(&f, value_count(sum->calls));
		fields_put(&f, value_count(sum->open));
		fields_put(&f, value_time(sum->covered));
		fields_times(&f, spans, sum->first, sum->last);
		if (r->trace->log != NULL)
			fields_put(&f, value_text(str_from(name_thread_kind(thread))));
		fields_end(&f);
	}
}

void
threadrows_write(struct sink *sink, struct json *j, const struct report *r)
{
	if (j == NULL) {
		threads_csv(sink, r);
		return;
	}
	member_array(j, "threads");
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		json_object(j);
		members_thread(j, r, r->rows[i], true);
		member_us(j, "in_calls_us", sum_of(r, r->rows[i])->covered);
		json_end(j);
	}
	json_end(j);
}
