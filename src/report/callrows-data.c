/* callrows-data: single calls as CSV and JSON. */
#include <config.h>

#include <inttypes.h>

#include "report/callrows.h"
#include "report/callrows_list.h"
#include "report/fields.h"
#include "report/members.h"
#include "report/names.h"

/* "before", "beyond", "both": at which end a range or the trace cuts the call. */
static const char *
cut_word(const struct call_row *row)
{
	static const char *const words[] = {"", "before", "beyond", "both"};

	return words[(row->flags & CALL_BEFORE ? 1 : 0) + (row->flags & CALL_BEYOND ? 2 : 0)];
}

static void
csv_row(struct sbuf *out, const struct calls_list *l, const struct report *r,
    const struct call_row *row)
{
	const struct calls *c = l->calls;
	const struct method *method = trace_method(r->trace, c->method);
	uint32_t caller = callrows_caller(c, row), number = calls_list_number(l, row);
	char id[NAME_ID_SIZE];
	struct sbuf name = {0};

	field_put(out, name_id(id, r->trace, c->method));
	field_put(out, method->class_name);
	field_put(out, method->name);
	field_put(out, method->signature);
	if (number > 0)
		field_count(out, number);
	else
		field_put(out, STR(""));
	field_time(out, r, r->profile->axis, row->start);
	field_times(out, r, row->time, row->exclusive);
	field_count(out, trace_thread(r->trace, row->thread)->id);
	field_put(out, trace_thread(r->trace, row->thread)->name);
	field_count(out, c->frames[row->frame].depth);
	field_count(out, (row->flags & CALL_RECURSIVE) != 0);
	field_put(out, str_from(cut_word(row)));
	field_count(out, callrows_over(c, row));
	field_put(out, name_id(id, r->trace, caller));
	name_raw(&name, r->trace, caller);
	field_put(out, sbuf_view(&name));
	sbuf_release(&name);
	field_line_end(out);
}

void
callrows_csv(struct sink *sink, const struct report *r)
{
	struct sbuf *out = &sink->text;
	bool more = true;

	sbuf_text(out, "id,class,name,signature,number,start_us,");
	field_time_names(out, r, true);
	sbuf_text(out, "thread,thread_name,depth,recursive,cut,over,caller_id,caller,");
	field_line_end(out);
	for (uint32_t i = 0; i < r->count && more; i++) {
		struct calls_list l;

		more = callrows_find(&l, sink, r, r->rows[i]);
		for (size_t k = 0; more && k < callrows_count(&l, r) && (more = sink_row(sink)); k++)
			csv_row(out, &l, r, calls_list_at(&l, &l.list.rows[k]));
		calls_list_release(&l);
	}
}

static const char *const inclusive_keys[CLOCKS] = {"incl_cpu_us", "incl_wall_us"};
static const char *const exclusive_keys[CLOCKS] = {"excl_cpu_us", "excl_wall_us"};

static void
json_clock(struct json *j, const struct calls *c, enum clock_id clock)
{
	const struct spread *s = &c->spread[clock];
	char key[16];

	json_key(j, clock == CLOCK_CPU ? "cpu" : "wall");
	json_object(j);
	member_us(j, "sum_us", c->inclusive[clock]);
	member_us(j, "own_us", c->exclusive[clock]);
	member_us(j, "min_us", s->min);
	member_us(j, "mean_us", spread_mean(s));
	member_us(j, "max_us", s->max);
	for (int i = 0; i < CALLROWS_PERMILLES; i++) {
		unsigned p = callrows_permilles[i];

		snprintf(key, sizeof(key), p % 10 > 0 ? "p%u%u_us" : "p%u%.0u_us", p / 10, p % 10);
		member_us(j, key, calls_percentile(c, clock, p));
	}
	json_key(j, "histogram");
	json_array(j);
	for (int i = 0; i < SPREAD_BUCKETS; i++) {
		if (s->bucket[i] == 0)
			continue;
		json_object(j);
		json_key(j, "to_us");
		if (i + 1 < SPREAD_BUCKETS)
			json_us(j, spread_bound(i));
		else
			json_null(j);
		member_uint(j, "calls", s->bucket[i]);
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

static void
json_method(struct json *j, const struct report *r, uint32_t index)
{
	const struct method *method = trace_method(r->trace, index);
	char id[NAME_ID_SIZE];

	member_str(j, "id", name_id(id, r->trace, index));
	member_str(j, "class", method->class_name);
	member_str(j, "name", method->name);
	member_str(j, "signature", method->signature);
	member_str(j, "file", method->file);
}

static void
json_figures(struct json *j, const struct calls *c, const struct report *r)
{
	member_uint(j, "calls", c->count - c->recursive);
	member_uint(j, "recursive_calls", c->recursive);
	member_uint(j, "cut_calls", c->cut);
	member_us(j, "budget_us", c->budget);
	member_uint(j, "over_budget", c->over);
	member_uint(j, "kept", c->row_count);
	json_key(j, "exact_percentiles");
	json_bool(j, calls_all_kept(c));
	for (int k = 0; k < CLOCKS; k++)
		if (trace_has_clock(r->trace, (enum clock_id)k))
			json_clock(j, c, (enum clock_id)k);
}

static void
json_row(struct json *j, const struct calls_list *l, const struct report *r,
    const struct call_row *row)
{
	const struct calls *c = l->calls;
	uint32_t number = calls_list_number(l, row), caller = callrows_caller(c, row);
	struct sbuf name = {0};
	char id[NAME_ID_SIZE];

	json_object(j);
	json_key(j, "number");
	if (number > 0)
		json_uint(j, number);
	else
		json_null(j);
	member_us(j, "start_us", row->start);
	for (int k = 0; k < CLOCKS; k++) {
		member_time(j, r->trace, inclusive_keys, (enum clock_id)k, row->time[k]);
		member_time(j, r->trace, exclusive_keys, (enum clock_id)k, row->exclusive[k]);
	}
	member_uint(j, "thread", trace_thread(r->trace, row->thread)->id);
	member_uint(j, "depth", c->frames[row->frame].depth);
	json_key(j, "recursive");
	json_bool(j, (row->flags & CALL_RECURSIVE) != 0);
	json_key(j, "cut");
	if ((row->flags & (CALL_BEFORE | CALL_BEYOND)) != 0)
		json_str(j, str_from(cut_word(row)));
	else
		json_null(j);
	name_raw(&name, r->trace, caller);
	member_str(j, "caller_id", name_id(id, r->trace, caller));
	member_str(j, "caller", sbuf_view(&name));
	sbuf_release(&name);
	json_end(j);
}

void
callrows_json(struct json *j, struct sink *sink, const struct report *r)
{
	bool more = true;

	json_key(j, "methods");
	json_array(j);
	for (uint32_t i = 0; i < r->count && more; i++) {
		struct calls_list l;

		more = callrows_find(&l, sink, r, r->rows[i]) && j->error == 0;
		if (more) {
			json_object(j);
			json_method(j, r, r->rows[i]);
			json_figures(j, l.calls, r);
			json_key(j, "rows");
			json_array(j);
			for (size_t k = 0; k < callrows_count(&l, r) && j->error == 0 && sink_wanted(sink); k++)
				json_row(j, &l, r, calls_list_at(&l, &l.list.rows[k]));
			json_end(j);
			json_end(j);
		}
		calls_list_release(&l);
	}
	json_end(j);
}
