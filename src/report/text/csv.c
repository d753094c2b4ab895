/*
 * csv: the rows of the view (RFC 4180), with the figures of json; one record a method, a
 * group of them, or a relation.
 */
#include <config.h>

#include "report/text/forms.h"

#include "base/mem.h"
#include "report/names.h"
#include "report/text/fields.h"
#include "report/text/labels.h"
#include "report/text/relations.h"

static void
field_label(struct sbuf *out, const struct report *r, uint32_t index)
{
	struct sbuf raw = {0};

	label_raw(&raw, r, index);
	field_put(out, sbuf_view(&raw));
	sbuf_release(&raw);
}

/* What tells a row from others: a group has one name, a method its id and parts. */
static void
field_name(struct sbuf *out, const struct report *r, uint32_t index)
{
	const struct method *method = trace_method(r->trace, index);
	char id[NAME_ID_SIZE];

	if (r->members != NULL) {
		field_label(out, r, index);
		return;
	}
	field_put(out, name_id(id, r->trace, index));
	field_put(out, method->class_name);
	field_put(out, method->name);
	field_put(out, method->signature);
}

static void
method_line(struct sbuf *out, const struct report *r, uint32_t index)
{
	const struct method_sum *sum = &r->fold->methods[index];

	field_name(out, r, index);
	if (r->members != NULL)
		field_count(out, r->members[index]);
	else
		field_put(out, trace_method(r->trace, index)->file);
	if (sum->rank == RANK_NONE)
		field_put(out, STR(""));
	else
		field_count(out, sum->rank);
	field_count(out, sum->calls);
	field_count(out, sum->recursive_calls);
	field_times(out, r, sum->inclusive, sum->exclusive);
	field_line_end(out);
}

/* The method, or group, whose relations these are. */
static void
field_of(struct sbuf *out, const struct report *r, uint32_t index)
{
	char id[NAME_ID_SIZE];

	if (r->members != NULL)
		field_label(out, r, index);
	else
		field_put(out, name_id(id, r->trace, index));
}

static void
relation_line(struct sbuf *out, const struct report *r, uint32_t of, const char *word,
    const struct row *row)
{
	struct value calls = column_get(&r->figures, COLUMN_CALLS, row);

	field_of(out, r, of);
	if (row->kind == ROW_SELF) {
		sbuf_text(out, r->members != NULL ? "self,self," : "self,self,,self,,");
	} else {
		field_put(out, str_from(word));
		field_name(out, r, row->method);
	}
	field_count(out, row->relation.calls);
	field_count(out, calls.kind == VALUE_OF ? (uint64_t)calls.b : 0);
	field_times(out, r, row->relation.inclusive, NULL);
	field_line_end(out);
}

/* The method itself first, so that its own figures are there to compare with. */
static void
relation_lines(struct sbuf *out, const struct report *r, uint32_t index)
{
	const struct method_sum *sum = &r->fold->methods[index];

	field_of(out, r, index);
	field_put(out, str_from(label_key(r)));
	field_name(out, r, index);
	field_count(out, sum->calls);
	field_count(out, sum->calls + sum->recursive_calls);
	field_times(out, r, sum->inclusive, NULL);
	field_line_end(out);
	for (int k = 0; k < RELATION_KINDS; k++) {
		uint32_t count;
		struct row *rows = relation_rows(r, index, (enum relation_kind)k, &count);

		for (uint32_t i = 0; i < count; i++)
			relation_line(out, r, index, relation_words[k].one, &rows[i]);
		mem_free(rows);
	}
}

static void
headings(struct sbuf *out, const struct report *r)
{
	const char *names = r->members != NULL ? label_key(r) : "id,class,name,signature";

	if (r->relations)
		sbuf_printf(out, "of,relation,%s,calls,total,", names);
	else
		sbuf_printf(out, "%s,%s,rank,calls,recursive_calls,", names,
		    r->members != NULL ? "methods" : "file");
	field_time_names(out, r, !r->relations);
	field_line_end(out);
}

void
csv_methods(struct sink *sink, const struct report *r)
{
	headings(&sink->text, r);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		if (r->relations)
			relation_lines(&sink->text, r, r->rows[i]);
		else
			method_line(&sink->text, r, r->rows[i]);
	}
}

void
report_csv(struct sink *sink, const struct report *r)
{
	r->options->view->csv(sink, r);
}
