#include <config.h>

#include "report/diffreport.h"

#include <stdlib.h>

#include "base/mem.h"
#include "report/names.h"
#include "report/rows.h"

const struct diffreport_format diffreport_formats[] = {
    {"text", "tables to read", diffreport_text},
    {"csv", "comma-separated values, one line a method", diffreport_csv},
    {"json", "everything, for programs", diffreport_json},
};
const int diffreport_format_count =
    (int)(sizeof(diffreport_formats) / sizeof(diffreport_formats[0]));

void
diffreport_options_init(struct diffreport_options *o)
{
	*o = (struct diffreport_options){
	    .format = &diffreport_formats[0], .sort = DIFF_COLUMN_DELTA};
}

bool
diffreport_clock(const struct report_options *o, const struct trace *a, const struct trace *b,
    enum clock_id *clock, struct err *e)
{
	unsigned both = a->clocks & b->clocks;

	if (o->clock_given)
		return report_clock(o, a, clock, e) && report_clock(o, b, clock, e);
	*clock = (both & 1u << CLOCK_WALL) != 0 ? CLOCK_WALL : CLOCK_CPU;
	if (both != 0)
		return true;
	return err_set(e, ERR_UNSUPPORTED, "no clock is in both traces: %s only in A, %s only in B",
	    trace_default_clock(a) == CLOCK_CPU ? "cpu" : "wall",
	    trace_default_clock(b) == CLOCK_CPU ? "cpu" : "wall");
}

/* Rows ---------------------------------------------------------------------------- */

struct str
diffreport_name(const struct diffreport *d, const struct diff_row *r)
{
	int side = r->sum[DIFF_B].method != METHOD_NONE ? DIFF_B : DIFF_A;

	return names_full(d->side[side].figures.names, r->sum[side].method);
}

/* A row with what it is sorted by. */
struct keyed {
	int64_t key;
	struct str name;
	uint32_t row;
	bool rising;
};

static int
keyed_order(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order = (a->key > b->key) - (a->key < b->key);

	if (order != 0)
		return a->rising ? order : -order;
	order = str_compare(a->name, b->name);
	if (order != 0)
		return order;
	return (a->row > b->row) - (a->row < b->row);
}

static int
keyed_names(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order = str_compare(a->name, b->name);

	if (order != 0)
		return a->rising ? order : -order;
	return (a->row > b->row) - (a->row < b->row);
}

static void
sort_list(const struct diffreport *d, struct diffreport_list *list)
{
	const struct diffreport_options *o = d->how;
	struct keyed *keys = mem_alloc(((size_t)list->count + 1) * sizeof(*keys));

	for (uint32_t i = 0; i < list->count; i++) {
		const struct diff_row *r = &d->diff.rows[list->rows[i]];

		keys[i] = (struct keyed){list_key(
				 &diff_columns[o->sort], diff_column_value(o->sort, r, &d->by)),
		    diffreport_name(d, r), list->rows[i], o->rising};
	}
	qsort(keys, list->count, sizeof(*keys),
	    o->sort == DIFF_COLUMN_METHOD ? keyed_names : keyed_order);
	for (uint32_t i = 0; i < list->count; i++)
		list->rows[i] = keys[i].row;
	mem_free(keys);
	list->matched = list->count;
	if (list->count > d->options[DIFF_B].limit)
		list->count = d->options[DIFF_B].limit;
}

/* A row passes when the method does, in a trace that has it. */
static void
choose(struct diffreport *d, uint8_t *const hidden[DIFF_SIDES])
{
	for (int change = 0; change < DIFF_CHANGES; change++)
		d->lists[change].rows =
		    mem_alloc(((size_t)d->diff.count + 1) * sizeof(*d->lists[change].rows));
	for (uint32_t i = 0; i < d->diff.count; i++) {
		const struct diff_row *r = &d->diff.rows[i];
		struct diffreport_list *list = &d->lists[diff_change(r, &d->by)];
		int side = r->sum[DIFF_B].method != METHOD_NONE ? DIFF_B : DIFF_A;

		if (hidden[side][r->sum[side].method] == 0)
			list->rows[list->count++] = i;
	}
	for (int change = 0; change < DIFF_CHANGES; change++)
		sort_list(d, &d->lists[change]);
}

/* Making --------------------------------------------------------------------------- */

static bool
side_make(struct diffreport *d, int side, const struct profile *p, uint8_t **hidden,
    const atomic_bool *cancel, struct err *e)
{
	struct report *r = &d->side[side];
	struct fold_query q = {.range = &d->options[side].range};

	if (!report_open(r, p, &d->options[side], cancel, e))
		return false;
	q.scope = r->scope;
	q.sums = r->sums.counts != NULL ? &r->sums : NULL;
	q.of = r->of;
	r->fold = fold_make(p, &q, cancel);
	if (r->fold == NULL)
		return err_set(e, ERR_CANCELLED, "interrupted");
	r->figures.fold = r->fold;
	return rows_hidden(r, hidden, cancel, e);
}

bool
diffreport_make(struct diffreport *d, const struct profile *a, const struct profile *b,
    const struct report_options *o, const struct diffreport_options *how,
    const atomic_bool *cancel, struct err *e, int *failed)
{
	const struct profile *profiles[DIFF_SIDES] = {a, b};
	uint8_t *hidden[DIFF_SIDES] = {NULL, NULL};
	bool good = true;

	*d = (struct diffreport){.how = how};
	*failed = -1;
	if (!diffreport_clock(o, a->trace, b->trace, &d->by.clock, e))
		return false;
	for (int side = 0; side < DIFF_SIDES && good; side++) {
		d->options[side] = *o;
		d->options[side].clock_given = true;
		d->options[side].clock = d->by.clock;
		good = side_make(d, side, profiles[side], &hidden[side], cancel, e);
		if (!good)
			*failed = side;
	}
	if (good) {
		diff_names_update(&d->names, a->trace, b->trace);
		diff_make(&d->diff, &d->names, d->side[DIFF_A].fold, d->side[DIFF_B].fold);
		d->by.value = how->value;
		d->by.min = how->min_given ? how->min : diff_min_default(&d->diff, d->by.clock);
		choose(d, hidden);
	}
	for (int side = 0; side < DIFF_SIDES; side++)
		mem_free(hidden[side]);
	return good;
}

void
diffreport_release(struct diffreport *d)
{
	for (int change = 0; change < DIFF_CHANGES; change++)
		mem_free(d->lists[change].rows);
	diff_release(&d->diff);
	diff_names_release(&d->names);
	for (int side = 0; side < DIFF_SIDES; side++)
		report_release(&d->side[side]);
	*d = (struct diffreport){.how = NULL};
}

int
diffreport_write(const struct diffreport *d, FILE *file, const atomic_bool *cancel)
{
	struct sink sink = sink_to(file, cancel);

	d->how->format->write(&sink, d);
	return sink_end(&sink);
}

static bool
too_slow(const struct diffreport *d, const struct diff_row *r)
{
	const struct diffreport_options *o = d->how;

	return (!o->fail_time_given || diff_delta(r, &d->by) > o->fail_time) &&
	    (!o->fail_percent_given || diff_exceeds(r, &d->by, o->fail_percent));
}

bool
diffreport_is_gate(const struct diffreport *d)
{
	return d->how->fail_time_given || d->how->fail_percent_given;
}

bool
diffreport_compared(const struct diffreport *d)
{
	for (int change = 0; change < DIFF_CHANGES; change++)
		if (d->lists[change].matched > 0)
			return true;
	return false;
}

uint32_t
diffreport_regressions(const struct diffreport *d, uint32_t *worst)
{
	static const enum diff_change lists[] = {DIFF_SLOWER, DIFF_ONLY_B};
	uint32_t count = 0;

	if (!diffreport_is_gate(d))
		return 0;
	for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
		const struct diffreport_list *list = &d->lists[lists[l]];

		for (uint32_t i = 0; i < list->matched; i++) {
			const struct diff_row *r = &d->diff.rows[list->rows[i]];

			if (!too_slow(d, r))
				continue;
			if (count++ == 0 || diff_delta(r, &d->by) >
				diff_delta(&d->diff.rows[*worst], &d->by))
				*worst = list->rows[i];
		}
	}
	return count;
}
