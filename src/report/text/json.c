/*
 * json: the report for programs; its form is in slowtop(1) and stays.
 */
#include <config.h>

#include "report/text/forms.h"

#include "base/mem.h"
#include "report/names.h"
#include "report/text/labels.h"
#include "report/text/members.h"
#include "report/text/relations.h"

/* The keys of a time on each clock. */
static const char *const inclusive_keys[CLOCKS] = {"incl_cpu_us", "incl_wall_us"};
static const char *const exclusive_keys[CLOCKS] = {"excl_cpu_us", "excl_wall_us"};

static void
json_time(struct json *j, const struct report *r, const char *const keys[CLOCKS],
    enum clock_id clock, nsec time)
{
	member_time(j, r->trace, keys, clock, time);
}

static void
json_trace(struct json *j, const struct report *r)
{
	json_key(j, "trace");
	json_object(j);
	members_trace(j, r);
	json_end(j);
}

/* In force, in order; only when there are any. */
static void
json_transforms(struct json *j, const struct report *r)
{
	const struct transforms *list = &r->options->transforms;
	struct sbuf text = {0};

	if (list->count == 0)
		return;
	json_key(j, "transforms");
	json_array(j);
	for (size_t i = 0; i < list->count; i++) {
		sbuf_clear(&text);
		transform_argument_text(&text, &list->list[i], r->trace);
		json_object(j);
		member_str(j, "name", str_from(transform_kinds[list->list[i].id].name));
		member_str(j, "argument", sbuf_view(&text));
		json_end(j);
	}
	json_end(j);
	sbuf_release(&text);
}

static void
json_total(struct json *j, const struct report *r)
{
	json_key(j, "total");
	json_object(j);
	for (int c = 0; c < CLOCKS; c++)
		json_time(j, r, member_span_keys, (enum clock_id)c, r->fold->total[c]);
	json_end(j);
}

static void
json_threads(struct json *j, const struct report *r)
{
	json_key(j, "threads");
	json_array(j);
	for (uint32_t i = 0; i < r->trace->threads.count; i++) {
		json_object(j);
		members_thread(j, r, i, false);
		json_end(j);
	}
	json_end(j);
}

/* Methods ----------------------------------------------------------------------- */

/* A group has no id but its name. */
static void
json_label(struct json *j, const struct report *r, const char *key, uint32_t index)
{
	struct sbuf name = {0};
	char id[NAME_ID_SIZE];

	label_raw(&name, r, index);
	if (r->members == NULL)
		member_str(j, "id", name_id(id, r->trace, index));
	member_str(j, key, sbuf_view(&name));
	sbuf_release(&name);
}

static void
json_relation(struct json *j, const struct report *r, const struct row *row)
{
	struct value calls = column_get(&r->figures, COLUMN_CALLS, row);
	const char *key = r->members != NULL ? label_key(r) : "name";

	json_object(j);
	if (row->kind != ROW_SELF) {
		json_label(j, r, key, row->method);
	} else {
		if (r->members == NULL)
			member_str(j, "id", STR("self"));
		member_str(j, key, STR("self"));
	}
	member_uint(j, "calls", row->relation.calls);
	member_uint(j, "total", calls.kind == VALUE_OF ? (uint64_t)calls.b : 0);
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
	if (r->members != NULL) {
		json_label(j, r, label_key(r), index);
		member_uint(j, "methods", r->members[index]);
	} else {
		member_str(j, "id", name_id(id, r->trace, index));
		member_str(j, "class", method->class_name);
		member_str(j, "name", method->name);
		member_str(j, "signature", method->signature);
		member_str(j, "file", method->file);
		if (r->trace->log != NULL && index != METHOD_TOPLEVEL)
			member_str(j, "kind", method->async ? STR("async") : STR("sync"));
	}
	json_key(j, "rank");
	if (sum->rank == RANK_NONE)
		json_null(j);
	else
		json_uint(j, sum->rank);
	member_uint(j, "calls", sum->calls);
	member_uint(j, "recursive_calls", sum->recursive_calls);
	for (int c = 0; c < CLOCKS; c++) {
		if (method->async && c == CLOCK_CPU)
			continue; /* of no thread, so it has none */
		json_time(j, r, inclusive_keys, (enum clock_id)c, sum->inclusive[c]);
		json_time(j, r, exclusive_keys, (enum clock_id)c, sum->exclusive[c]);
	}
	if (r->relations)
		json_relations(j, r, index);
	json_end(j);
}

void
json_methods(struct json *j, struct sink *sink, const struct report *r)
{
	json_key(j, r->options->view->name);
	json_array(j);
	for (uint32_t i = 0; i < r->count && j->error == 0 && sink_wanted(sink); i++)
		json_method(j, r, r->rows[i]);
	json_end(j);
}

void
report_json(struct sink *sink, const struct report *r)
{
	struct json j;

	json_init(&j, sink->file, 2);
	json_object(&j);
	json_trace(&j, r);
	members_damage(&j, &r->profile->damage);
	members_scope(&j, r);
	json_transforms(&j, r);
	json_total(&j, r);
	if (r->options->view->has_threads)
		json_threads(&j, r);
	r->options->view->json(&j, sink, r);
	logs_json(&j, r);
	members_end(&j, sink);
}
