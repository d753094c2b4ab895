// SPDX-License-Identifier: Apache-2.0
/*
 * framerows: the view of the frames of the display: a row each, as on the screen
 * (view/frames.h), in order of time unless another one is asked for.
 *
 * --method says what a frame is.  Filters look at its thread, its method and the one that
 * took most of it.
 */
#include <config.h>

#include "report/text/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "view/frames.h"
#include "view/list/list.h"

struct framerows {
	struct display display;
	struct frames frames;
	uint32_t over; /* rows over the budget, before the limit */
};

/* A column as CSV and JSON call it; a thread's id comes after its name. */
static const char *
key_of(int column, char out[static FMT_SIZE])
{
	const struct column *c = &frames_source.columns[column];

	return column == FRAME_METHOD	     ? "method"
	    : column == FRAME_HEAVIEST_TIME ? "heaviest_us"
					     : output_key(c->id, c->kind, "_us", out);
}

/* Rows ---------------------------------------------------------------------------- */

bool
framerows_column(const char *view, int i, char word[static FMT_SIZE])
{
	if (i >= FRAME_COLUMNS)
		return false;
	snprintf(word, FMT_SIZE, "%s", frames_source.columns[i].id);
	return true;
}

/* All frames; NULL when cancelled, or a pattern is bad or too costly. */
static struct jank *
find(const struct report *r, const atomic_bool *cancel, struct err *e)
{
	const struct report_patterns *methods = &r->options->methods;
	struct jank_query q = {.scope = r->scope, .range = r->fold->range};
	struct err why = {0};
	struct sbuf any = {0};
	struct jank *j;

	for (size_t i = 0; i < methods->count; i++)
		sbuf_printf(&any, "%s%s", i > 0 ? "|" : "", methods->list[i].text);
	q.pattern = sbuf_view(&any);
	j = jank_find(r->profile, &q, cancel, &why);
	sbuf_release(&any);
	if (j == NULL) {
		err_set(e, ERR_CANCELLED, "interrupted");
	} else if (why.kind != ERR_NONE) {
		*e = why;
		jank_free(j);
		j = NULL;
	}
	return j;
}

static bool
sort(struct list *l, const struct report_options *o, struct err *e)
{
	for (int i = 0; i < FRAME_COLUMNS; i++) {
		const struct column *c = &frames_source.columns[i];

		if (strcmp(o->sort_word, c->id) != 0 || !list_has(l, i))
			continue;
		list_sort(l, i, o->sort_signed ? o->ascending : column_ascends(c));
		return true;
	}
	return err_set(e, ERR_UNSUPPORTED, "the frames of this trace have no column '%s'",
	    o->sort_word);
}

static bool
passes(const struct report *r, const struct jank_frame *frame, bool *yes, struct err *e)
{
	struct names *names = r->figures.names;
	struct sbuf shown = {0}, raw = {0};
	bool good;

	sbuf_str(&shown, names_thread(names, frame->thread));
	sbuf_str(&raw, trace_thread(r->trace, frame->thread)->name);
	for (int i = 0; i < 2; i++) {
		uint32_t method = i == 0 ? frame->method : frame->heaviest;

		if (method == METHOD_NONE)
			continue;
		sbuf_char(&shown, ' ');
		sbuf_str(&shown, names_full(names, method));
		sbuf_char(&raw, ' ');
		name_raw(&raw, r->trace, method);
	}
	good = rows_pass_filters(r, sbuf_view(&shown), sbuf_view(&raw), yes, e);
	sbuf_release(&shown);
	sbuf_release(&raw);
	return good;
}

bool
framerows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	struct framerows *f = r->frames = mem_zero(1, sizeof(*f));
	const struct report_options *o = r->options;
	struct list *l = &f->frames.list;
	struct jank *jank;
	bool good = true, yes;

	display_init(&f->display, r->trace, r->figures.names);
	frames_init(&f->frames, &f->display);
	frames_set_budget(&f->frames, o->budget > 0 ? o->budget : INT64_MAX);
	if ((jank = find(r, cancel, e)) == NULL)
		return false;
	frames_set(&f->frames, jank);
	if (o->sort_given && !sort(l, o, e))
		return false;
	r->rows = mem_alloc((l->at.count + 1) * sizeof(*r->rows));
	for (uint32_t i = 0; i < l->at.count && good; i++) {
		const struct jank_frame *frame = frames_at(&f->frames, &l->rows[i]);

		good = passes(r, frame, &yes, e);
		if (!good || !yes)
			continue;
		r->rows[r->count++] = i;
		f->over += frames_is_over(&f->frames, frame);
	}
	rows_cut(r);
	return good;
}

void
framerows_free(struct framerows *f)
{
	if (f == NULL)
		return;
	frames_release(&f->frames);
	display_release(&f->display);
	mem_free(f);
}

/* Output -------------------------------------------------------------------------- */

void
framerows_text(struct sink *sink, const struct report *r)
{
	const struct framerows *f = r->frames;
	const struct jank *jank = f->frames.jank;
	struct sheet sheet;

	sbuf_printf(&sink->text, "%" PRIu32 " frame%s", r->matched, r->matched == 1 ? "" : "s");
	if (r->options->budget > 0)
		sbuf_printf(&sink->text, ", %" PRIu32 " over %s ms", f->over,
		    fmt_ms(FMT_BUF, r->options->budget));
	if (jank->count < jank->total)
		sbuf_printf(&sink->text, "; of %" PRIu64 " only the longest %" PRIu32 " are kept",
		    jank->total, jank->count);
	sbuf_text(&sink->text, "\n\n");
	list_sheet(&sheet, &f->frames.list);
	sheet_rows_text(sink, r, &sheet);
}

static void
row_write(struct fields *fields, const struct report *r, const struct list_row *row)
{
	const struct frames *f = &r->frames->frames;
	const struct jank_frame *frame = frames_at(f, row);
	const struct thread *thread = trace_thread(r->trace, frame->thread);
	struct sbuf name = {0};

	fields_row(fields);
	for (int c = 0; c < FRAME_COLUMNS; c++) {
		uint32_t method = c == FRAME_METHOD ? frame->method : frame->heaviest;

		if (!list_has(&f->list, c))
			continue;
		if (c == FRAME_THREAD) {
			fields_put(fields, value_text(thread->name));
			fields_put(fields, value_count(thread->id));
		} else if (c == FRAME_METHOD || (c == FRAME_HEAVIEST && method != METHOD_NONE)) {
			sbuf_clear(&name);
			name_raw(&name, r->trace, method);
			fields_put(fields, value_text(sbuf_view(&name)));
		} else {
			fields_put(fields, list_value(&f->list, row, c));
		}
	}
	fields_bool(fields, frame->cut);
	fields_end(fields);
	sbuf_release(&name);
}

void
framerows_write(struct sink *sink, struct json *j, const struct report *r)
{
	const struct framerows *f = r->frames;
	const char *list[FRAME_COLUMNS + 3] = {NULL};
	char keys[FRAME_COLUMNS][FMT_SIZE];
	struct fields fields;
	int n = 0;

	for (int c = 0; c < FRAME_COLUMNS; c++) {
		if (list_has(&f->frames.list, c))
			list[n++] = key_of(c, keys[c]);
		if (c == FRAME_THREAD)
			list[n++] = "tid";
	}
	list[n] = "cut";
	if (j != NULL) {
		MEMBERS(j, {"budget_us", value_time(r->options->budget)},
		    {"found", value_count(f->frames.jank->total)}, {"over_budget", value_count(f->over)});
		member_array(j, "frames");
	}
	fields_init(&fields, &sink->text, j, ~0u, list, NULL);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++)
		row_write(&fields, r, &f->frames.list.rows[r->rows[i]]);
	if (j != NULL)
		json_end(j);
}
