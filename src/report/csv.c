#include <config.h>

#include "report/csv.h"

#include <inttypes.h>

#include "base/clean.h"
#include "base/csv.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "report/names.h"
#include "report/relations.h"

/*
 * Fields end in a comma; the last one's becomes the end of the line.  What they hold is
 * what the file holds, escape sequences too, so before a terminal it is cleaned.
 */
static void
field(struct sbuf *out, struct str value)
{
	csv_field(out, value);
	sbuf_char(out, ',');
}

static void
field_text(struct sbuf *out, const struct report *r, struct str value)
{
	struct sbuf clean = {0};

	if (!r->options->to_terminal) {
		field(out, value);
		return;
	}
	clean_append(&clean, value, r->options->ascii ? CLEAN_ASCII : 0);
	field(out, sbuf_view(&clean));
	sbuf_release(&clean);
}

static void
field_count(struct sbuf *out, uint64_t value)
{
	sbuf_printf(out, "%" PRIu64 ",", value);
}

static void
line_end(struct sbuf *out)
{
	out->n--;
	sbuf_text(out, "\r\n");
}

static void
field_times(struct sbuf *out, const struct report *r, const nsec *inclusive,
    const nsec *exclusive)
{
	char number[FMT_SIZE];

	for (int c = 0; c < CLOCKS; c++) {
		if (!trace_has_clock(r->trace, (enum clock_id)c))
			continue;
		field(out, str_from(fmt_us(number, inclusive[c])));
		if (exclusive != NULL)
			field(out, str_from(fmt_us(number, exclusive[c])));
	}
}

/* The headings of field_times. */
static void
field_time_names(struct sbuf *out, const struct report *r, bool exclusive)
{
	static const char *const names[CLOCKS][2] = {
	    [CLOCK_CPU] = {"incl_cpu_us", "excl_cpu_us"},
	    [CLOCK_WALL] = {"incl_wall_us", "excl_wall_us"},
	};

	for (int c = 0; c < CLOCKS; c++)
		for (int i = 0; i < 1 + exclusive; i++)
			if (trace_has_clock(r->trace, (enum clock_id)c))
				field(out, str_from(names[c][i]));
}

static void
field_name(struct sbuf *out, const struct report *r, uint32_t index)
{
	const struct method *method = trace_method(r->trace, index);
	char id[NAME_ID_SIZE];

	field(out, name_id(id, r->trace, index));
	field_text(out, r, method->class_name);
	field_text(out, r, method->name);
	field_text(out, r, method->signature);
}

static void
method_line(struct sbuf *out, const struct report *r, uint32_t index)
{
	const struct method_sum *sum = &r->fold->methods[index];

	field_name(out, r, index);
	field_text(out, r, trace_method(r->trace, index)->file);
	if (sum->rank == RANK_NONE)
		field(out, STR(""));
	else
		field_count(out, sum->rank);
	field_count(out, sum->calls);
	field_count(out, sum->recursive_calls);
	field_times(out, r, sum->inclusive, sum->exclusive);
	line_end(out);
}

static void
relation_line(struct sbuf *out, const struct report *r, struct str of, const char *word,
    const struct row *row)
{
	struct value calls = column_get(&r->figures, COLUMN_CALLS, row);

	field(out, of);
	if (row->kind == ROW_SELF) {
		sbuf_text(out, "self,self,,self,,");
	} else {
		field(out, str_from(word));
		field_name(out, r, row->method);
	}
	field_count(out, row->relation.calls);
	field_count(out, calls.kind == VALUE_OF ? (uint64_t)calls.b : 0);
	field_times(out, r, row->relation.inclusive, NULL);
	line_end(out);
}

/* The method itself first, so that its own figures are there to compare with. */
static void
relation_lines(struct sbuf *out, const struct report *r, uint32_t index)
{
	const struct method_sum *sum = &r->fold->methods[index];
	char buffer[NAME_ID_SIZE];
	struct str id = name_id(buffer, r->trace, index);

	field(out, id);
	field(out, STR("method"));
	field_name(out, r, index);
	field_count(out, sum->calls);
	field_count(out, sum->calls + sum->recursive_calls);
	field_times(out, r, sum->inclusive, NULL);
	line_end(out);
	for (int k = 0; k < RELATION_KINDS; k++) {
		uint32_t count;
		struct row *rows = relation_rows(r, index, (enum relation_kind)k, &count);

		for (uint32_t i = 0; i < count; i++)
			relation_line(out, r, id, relation_words[k].one, &rows[i]);
		mem_free(rows);
	}
}

void
report_csv(struct sink *sink, const struct report *r)
{
	struct sbuf *out = &sink->text;

	if (r->relations)
		sbuf_text(out, "of,relation,id,class,name,signature,calls,total,");
	else
		sbuf_text(
		    out, "id,class,name,signature,file,rank,calls,recursive_calls,");
	field_time_names(out, r, !r->relations);
	line_end(out);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		if (r->relations)
			relation_lines(out, r, r->rows[i]);
		else
			method_line(out, r, r->rows[i]);
	}
}
