#include <config.h>

#include "report/text/threadrows.h"

#include <stdlib.h>

#include "base/mem.h"
#include "report/names.h"
#include "report/text/fields.h"
#include "report/text/members.h"
#include "report/text/rows.h"

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

struct keyed {
	int64_t key;
	struct str name;
	uint32_t thread, id;
	bool ascending;
};

static int
keyed_order(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order = (a->key > b->key) - (a->key < b->key);

	if (order == 0)
		order = str_compare(a->name, b->name);
	if (order != 0)
		return a->ascending ? order : -order;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

static struct keyed
keyed_make(const struct report *r, uint32_t thread)
{
	const struct fold_thread *sum = sum_of(r, thread);
	struct keyed k = {.thread = thread,
	    .id = trace_thread(r->trace, thread)->id,
	    .ascending = r->options->ascending};

	if (r->options->sort == COLUMN_METHOD)
		k.name = names_thread(r->figures.names, thread);
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
	struct keyed *keys;
	bool good = true, passes;

	(void)cancel;
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
			keys[r->count++] = keyed_make(r, t);
	}
	if (good) {
		qsort(keys, r->count, sizeof(*keys), keyed_order);
		for (uint32_t i = 0; i < r->count; i++)
			r->rows[i] = keys[i].thread;
		rows_cut(r);
	}
	mem_free(keys);
	return good;
}

/* Text ---------------------------------------------------------------------------- */

static const char *
figure_id(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_count(out, trace_thread(r->trace, r->rows[row])->id, "");
}

static const char *
figure_share(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	enum clock_id clock = r->figures.clock;

	return fmt_percent(out, sum_of(r, r->rows[row])->part[clock], r->fold->total[clock]);
}

static const char *
figure_wall(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, span(sum_of(r, r->rows[row]), CLOCK_WALL));
}

static const char *
figure_cpu(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, span(sum_of(r, r->rows[row]), CLOCK_CPU));
}

static const char *
figure_busy(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	const struct range *range = &r->fold->range;
	const struct profile *p = r->profile;
	nsec from = range->from > p->begin ? range->from : p->begin;
	nsec to = range->to < p->end ? range->to : p->end;

	return fmt_percent(out, span(sum_of(r, r->rows[row]), CLOCK_CPU), to - from);
}

static const char *
figure_covered(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, sum_of(r, r->rows[row])->covered);
}

static const char *
figure_calls(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_count(out, sum_of(r, r->rows[row])->calls, "");
}

static const char *
figure_records(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_count(out, sum_of(r, r->rows[row])->records, "");
}

static const char *
figure_open(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_count(out, sum_of(r, r->rows[row])->open, "");
}

const struct figure threadrows_figures[] = {
    {"Id", 0, figure_id},
    {"Share%", 0, figure_share},
    {"Wall ms", FIGURE_WALL, figure_wall},
    {"Cpu ms", FIGURE_CPU, figure_cpu},
    {"Busy%", FIGURE_CPU | FIGURE_WALL, figure_busy},
    {"In calls ms", 0, figure_covered},
    {"Calls", 0, figure_calls},
    {"Records", 0, figure_records},
    {"Open", 0, figure_open},
};
const int threadrows_figure_count =
    (int)(sizeof(threadrows_figures) / sizeof(threadrows_figures[0]));

void
threadrows_text(struct sink *sink, const struct report *r)
{
	struct figuretext t;

	figuretext_init(&t, r, threadrows_figures, threadrows_figure_count);
	figuretext_titles(&t, &sink->text);
	sbuf_text(&sink->text, "Name\n");
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		figuretext_line(&t, &sink->text, i);
		sbuf_str(&sink->text, names_thread(r->figures.names, r->rows[i]));
		sbuf_char(&sink->text, '\n');
	}
}

/* For programs -------------------------------------------------------------------- */

static void
headings(struct sbuf *out, const struct report *r)
{
	static const char *const names[CLOCKS][3] = {
	    [CLOCK_CPU] = {"cpu_us", "first_cpu_us", "last_cpu_us"},
	    [CLOCK_WALL] = {"wall_us", "first_wall_us", "last_wall_us"},
	};

	sbuf_text(out, "id,name,records,calls,open,in_calls_us,");
	for (int c = 0; c < CLOCKS; c++)
		for (int i = 0; i < 3; i++)
			if (trace_has_clock(r->trace, (enum clock_id)c))
				field_put(out, str_from(names[c][i]));
	if (r->trace->log != NULL)
		field_put(out, STR("kind"));
	field_line_end(out);
}

void
threadrows_csv(struct sink *sink, const struct report *r)
{
	struct sbuf *out = &sink->text;

	headings(out, r);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		const struct fold_thread *sum = sum_of(r, r->rows[i]);
		const struct thread *thread = trace_thread(r->trace, r->rows[i]);

		field_count(out, thread->id);
		field_put(out, thread->name);
		field_count(out, sum->records);
		field_count(out, sum->calls);
		field_count(out, sum->open);
		field_time(out, r, r->profile->axis, sum->covered);
		for (int c = 0; c < CLOCKS; c++) {
			field_time(out, r, (enum clock_id)c, span(sum, (enum clock_id)c));
			field_time(out, r, (enum clock_id)c, sum->first[c]);
			field_time(out, r, (enum clock_id)c, sum->last[c]);
		}
		if (r->trace->log != NULL)
			field_put(out, str_from(name_thread_kind(thread)));
		field_line_end(out);
	}
}

void
threadrows_json(struct json *j, struct sink *sink, const struct report *r)
{
	json_key(j, "threads");
	json_array(j);
	for (uint32_t i = 0; i < r->count && j->error == 0 && sink_wanted(sink); i++) {
		json_object(j);
		members_thread(j, r, r->rows[i], true);
		member_us(j, "in_calls_us", sum_of(r, r->rows[i])->covered);
		json_end(j);
	}
	json_end(j);
}
