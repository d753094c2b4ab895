#include <config.h>

#include "report/json.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "report/names.h"
#include "report/relations.h"

/* The keys of a time on each clock. */
static const char *const total_keys[CLOCKS] = {"cpu_us", "wall_us"};
static const char *const inclusive_keys[CLOCKS] = {"incl_cpu_us", "incl_wall_us"};
static const char *const exclusive_keys[CLOCKS] = {"excl_cpu_us", "excl_wall_us"};
static const char *const clock_words[CLOCKS] = {"cpu", "wall"};

static void
json_member(struct json *j, const char *key, struct str value)
{
	json_key(j, key);
	json_str(j, value);
}

static void
json_member_uint(struct json *j, const char *key, uint64_t value)
{
	json_key(j, key);
	json_uint(j, value);
}

static void
json_time(struct json *j, const struct report *r, const char *const keys[CLOCKS],
    enum clock_id clock, nsec time)
{
	if (!trace_has_clock(r->trace, clock))
		return;
	json_key(j, keys[clock]);
	json_us(j, time);
}

/* Properties -------------------------------------------------------------------- */

static int
property_order(const void *left, const void *right)
{
	const struct property *a = *(const struct property *const *)left;
	const struct property *b = *(const struct property *const *)right;
	int order = str_compare(a->key, b->key);

	return order != 0 ? order : (a > b) - (a < b);
}

/* An object has a key once: of several properties of a name the last holds. */
static void
json_properties(struct json *j, const struct trace *t)
{
	size_t n = t->property_count;
	const struct property **sorted = mem_alloc((n + 1) * sizeof(*sorted));
	bool *last = mem_zero(n + 1, sizeof(*last));

	for (size_t i = 0; i < n; i++)
		sorted[i] = &t->properties[i];
	qsort(sorted, n, sizeof(*sorted), property_order);
	for (size_t i = 0; i < n; i++)
		last[sorted[i] - t->properties] =
		    i + 1 == n || !str_equal(sorted[i]->key, sorted[i + 1]->key);

	json_key(j, "properties");
	json_object(j);
	for (size_t i = 0; i < n; i++) {
		if (!last[i])
			continue;
		json_key_str(j, t->properties[i].key);
		json_str(j, t->properties[i].value);
	}
	json_end(j);
	mem_free(last);
	mem_free(sorted);
}

/* The trace --------------------------------------------------------------------- */

static void
json_trace(struct json *j, const struct report *r)
{
	const struct trace *t = r->trace;

	json_key(j, "trace");
	json_object(j);
	json_member(j, "file", str_from(t->path));
	json_member(j, "format", str_from(t->format));
	json_key(j, "version");
	json_int(j, t->version);
	json_key(j, "clocks");
	json_array(j);
	for (int c = 0; c < CLOCKS; c++)
		if (trace_has_clock(t, (enum clock_id)c))
			json_str(j, str_from(clock_words[c]));
	json_end(j);
	json_member_uint(j, "records", r->profile->records);
	json_member_uint(j, "threads", r->threads_met);
	json_member_uint(j, "methods", r->methods_met);
	if (r->profile->sampled.yes) {
		json_key(j, "sample_interval_us");
		json_us(j, r->profile->sampled.interval / 1000 * 1000);
	}
	json_properties(j, t);
	json_end(j);
}

static void
json_damage(struct json *j, const struct damage *damage)
{
	json_key(j, "damage");
	json_array(j);
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (damage->kind[i].count == 0)
			continue;
		json_object(j);
		json_member(j, "kind", str_from(damage_kinds[i].name));
		json_member_uint(j, "count", damage->kind[i].count);
		json_member_uint(j, "offset", damage->kind[i].offset);
		json_end(j);
	}
	json_end(j);
}

/* Only when threads or a window were chosen: what total, calls and times are about. */
static void
json_scope(struct json *j, const struct report *r)
{
	const struct range *range = &r->fold->range;

	if (r->scope == NULL && range_is_all(range))
		return;
	json_key(j, "scope");
	json_object(j);
	if (r->scope != NULL) {
		json_key(j, "threads");
		json_array(j);
		for (uint32_t i = 0; i < r->scope->count; i++)
			if (scope_has(r->scope, i))
				json_uint(j, trace_thread(r->trace, i)->id);
		json_end(j);
	}
	if (range->from != INT64_MIN) {
		json_key(j, "from_us");
		json_us(j, range->from);
	}
	if (range->to != INT64_MAX) {
		json_key(j, "to_us");
		json_us(j, range->to);
	}
	json_end(j);
}

static void
json_total(struct json *j, const struct report *r)
{
	json_key(j, "total");
	json_object(j);
	for (int c = 0; c < CLOCKS; c++)
		json_time(j, r, total_keys, (enum clock_id)c, r->fold->total[c]);
	json_end(j);
}

static void
json_threads(struct json *j, const struct report *r)
{
	json_key(j, "threads");
	json_array(j);
	for (uint32_t i = 0; i < r->trace->threads.count; i++) {
		static const struct fold_thread none;
		const struct thread *thread = trace_thread(r->trace, i);
		const struct fold_thread *figures =
		    i < r->fold->thread_count ? &r->fold->threads[i] : &none;

		json_object(j);
		json_member_uint(j, "id", thread->id);
		json_member(j, "name", thread->name);
		for (int c = 0; c < CLOCKS; c++)
			json_time(j, r, total_keys, (enum clock_id)c,
			    figures->last[c] - figures->first[c]);
		json_member_uint(j, "records", figures->records);
		json_end(j);
	}
	json_end(j);
}

/* Methods ----------------------------------------------------------------------- */

static void
json_relation(struct json *j, const struct report *r, const struct row *row)
{
	struct value calls = column_get(&r->figures, COLUMN_CALLS, row);
	char id[NAME_ID_SIZE];

	json_object(j);
	if (row->kind == ROW_SELF) {
		json_member(j, "id", STR("self"));
		json_member(j, "name", STR("self"));
	} else {
		struct sbuf name = {0};

		name_raw(&name, r->trace, row->method);
		json_member(j, "id", name_id(id, r->trace, row->method));
		json_member(j, "name", sbuf_view(&name));
		sbuf_release(&name);
	}
	json_member_uint(j, "calls", row->relation.calls);
	json_member_uint(j, "total", calls.kind == VALUE_OF ? (uint64_t)calls.b : 0);
	for (int c = 0; c < CLOCKS; c++)
		json_time(
		    j, r, inclusive_keys, (enum clock_id)c, row->relation.inclusive[c]);
	json_end(j);
}

static void
json_relations(struct json *j, const struct report *r, uint32_t method)
{
	for (int k = 0; k < RELATION_KINDS; k++) {
		uint32_t count;
		struct row *rows =
		    relation_rows(r, method, (enum relation_kind)k, &count);

		json_key(j, relation_words[k].list);
		json_array(j);
		for (uint32_t i = 0; i < count; i++)
			json_relation(j, r, &rows[i]);
		json_end(j);
		mem_free(rows);
	}
}

static void
json_method(struct json *j, const struct report *r, uint32_t index)
{
	const struct method *method = trace_method(r->trace, index);
	const struct method_sum *sum = &r->fold->methods[index];
	char id[NAME_ID_SIZE];

	json_object(j);
	json_member(j, "id", name_id(id, r->trace, index));
	json_member(j, "class", method->class_name);
	json_member(j, "name", method->name);
	json_member(j, "signature", method->signature);
	json_member(j, "file", method->file);
	json_key(j, "rank");
	if (sum->rank == RANK_NONE)
		json_null(j);
	else
		json_uint(j, sum->rank);
	json_member_uint(j, "calls", sum->calls);
	json_member_uint(j, "recursive_calls", sum->recursive_calls);
	for (int c = 0; c < CLOCKS; c++) {
		json_time(j, r, inclusive_keys, (enum clock_id)c, sum->inclusive[c]);
		json_time(j, r, exclusive_keys, (enum clock_id)c, sum->exclusive[c]);
	}
	if (r->relations)
		json_relations(j, r, index);
	json_end(j);
}

void
report_json(struct sink *sink, const struct report *r)
{
	struct json j;

	json_init(&j, sink->file, 2);
	json_object(&j);
	json_trace(&j, r);
	json_damage(&j, &r->profile->damage);
	json_scope(&j, r);
	json_total(&j, r);
	json_threads(&j, r);
	json_key(&j, "methods");
	json_array(&j);
	for (uint32_t i = 0; i < r->count && j.error == 0 && sink_wanted(sink); i++)
		json_method(&j, r, r->rows[i]);
	if (!sink_wanted(sink)) { /* half a list must not look like a whole one */
		json_release(&j);
		return;
	}
	json_end(&j);
	json_end(&j);
	if (!json_finish(&j, NULL))
		sink->error = j.error;
}
