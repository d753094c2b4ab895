/*
 * info: what a trace is, without a method of it: `slowtop info`.
 *
 * The text is that of the terminal program's view (view/pages/info.h).  The form of the JSON is
 * in slowtop(1) and stays.
 */
#include <config.h>

#include "report/text/document.h"

#include <stdio.h>
#include <time.h>

#include "base/utf8.h"
#include "view/pages/info.h"

/* Text -------------------------------------------------------------------------- */

static void
text_pair(struct sbuf *out, const struct info_row *row, size_t names)
{
	size_t width = utf8_width(row->name);

	sbuf_text(out, "  ");
	sbuf_str(out, row->name);
	if (row->value.n == 0)
		return;
	for (; width < names + 2; width++)
		sbuf_char(out, ' ');
	if (width > names + 2)
		sbuf_text(out, "  ");
	sbuf_str(out, row->value);
}

static void
text_row(struct sbuf *out, const struct info_row *row, size_t names)
{
	switch (row->kind) {
	case INFO_HEADING:
		sbuf_str(out, row->name);
		break;
	case INFO_PAIR:
	case INFO_DAMAGE:
		text_pair(out, row, names);
		break;
	case INFO_NOTE:
		sbuf_text(out, "  ");
		sbuf_str(out, row->name);
		break;
	case INFO_TITLES:
	case INFO_FIGURES:
		sbuf_text(out, "  ");
		sbuf_str(out, row->name);
		sbuf_text(out, "  ");
		sbuf_str(out, row->value);
		break;
	case INFO_BLANK:
		break;
	}
	sbuf_char(out, '\n');
}

void
info_text(struct sink *sink, const struct report *r)
{
	struct info info = {0};
	struct load_status status = {0};
	size_t names;

	load_status_of(&status, r->profile, 1);
	info_build(&info, r->trace, r->figures.names, &status, r->fold, r->scope);
	names = (size_t)info_name_columns(&info);
	for (size_t i = 0; i < info.count && sink_row(sink); i++)
		text_row(&sink->text, &info.rows[i], names);
	info_release(&info);
}

/* JSON -------------------------------------------------------------------------- */

static void
members_start(struct json *j, const struct trace *t)
{
	time_t seconds = (time_t)(t->start_us / 1000000);
	char day[64], text[80];
	struct tm tm;

	if (t->start_us == 0)
		return;
	member_uint(j, "start_us", t->start_us);
	if (!trace_start_is_date(t) || gmtime_r(&seconds, &tm) == NULL ||
	    strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		return;
	snprintf(text, sizeof(text), "%s.%06dZ", day, (int)(t->start_us % 1000000));
	member_str(j, "start_date", str_from(text));
}

static void
members_counts(struct json *j, const struct report *r)
{
	uint64_t open = 0;

	for (uint32_t i = 0; i < r->fold->thread_count; i++)
		open += r->fold->threads[i].open;
	member_uint(j, "calls", r->fold->calls);
	member_uint(j, "open", open);
	member_uint(j, "methods_named", trace_methods_named(r->trace));
	member_uint(j, "threads_named", r->trace->threads_listed);
}

static void
json_options(struct json *j, const struct trace *t)
{
	member_array(j, "options");
	for (size_t i = 0; i < t->property_count; i++) {
		json_object(j);
		member_str(j, "name", t->properties[i].key);
		member_str(j, "value", t->properties[i].value);
		json_end(j);
	}
	json_end(j);
	member_array(j, "notes");
	for (size_t i = 0; i < t->note_count; i++)
		json_str(j, t->notes[i]);
	json_end(j);
}

static void
json_trace(struct json *j, const struct report *r)
{
	const struct trace *t = r->trace;

	member_object(j, "trace");
	members_trace(j, r);
	if (t->record_size > 0)
		member_uint(j, "record_size", t->record_size);
	member_uint(j, "data_bytes", t->source->end - t->source->begin);
	member_bool(j, "compressed", t->compressed);
	member_bool(j, "text_apart", t->text_apart);
	member_bool(j, "threads_by_turns", t->source->by_thread);
	member_bool(j, "overflow", t->overflow);
	members_start(j, t);
	if (!t->own_axes) {
		member_us(j, "begin_us", r->profile->begin);
		member_us(j, "end_us", r->profile->end);
	}
	if (t->elapsed > 0)
		member_us(j, "elapsed_us", t->elapsed);
	members_counts(j, r);
	json_options(j, t);
	json_end(j);
}

void
info_json(struct sink *sink, const struct report *r)
{
	struct json j;

	members_begin(&j, sink);
	json_trace(&j, r);
	members_damage(&j, &r->profile->damage);
	members_scope(&j, r);
	logs_json(&j, r);
	member_array(&j, "threads");
	for (uint32_t i = 0;
	     i < r->trace->threads.count && sink_row(sink); i++) {
		if (!scope_has(r->scope, i))
			continue;
		json_object(&j);
		members_thread(&j, r, i, true);
		json_end(&j);
	}
	json_end(&j);
	members_end(&j, sink);
}
