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

#include "report/text/tables.h"
#include "view/pages/info.h"

/* Text -------------------------------------------------------------------------- */

static void
text_row(struct sbuf *out, const struct info_row *row, int names)
{
	if (row->kind != INFO_HEADING && row->kind != INFO_BLANK)
		sbuf_text(out, "  ");
	if ((row->kind == INFO_PAIR || row->kind == INFO_DAMAGE) && row->value.n > 0)
		cell_text(out, row->name, names, true);
	else if (row->kind != INFO_BLANK)
		sbuf_str(out, row->name);
	if (row->kind == INFO_TITLES || row->kind == INFO_FIGURES || row->value.n > 0)
		sbuf_text(out, "  ");
	sbuf_str(out, row->value);
	sbuf_char(out, '\n');
}

void
info_text(struct sink *sink, const struct report *r)
{
	struct info info = {0};
	struct load_status status = {0};
	int names;

	load_status_of(&status, r->profile, 1);
	info_build(&info, r->trace, r->figures.names, &status, r->fold, r->scope);
	names = info_name_columns(&info);
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
json_trace(struct json *j, const struct report *r)
{
	const struct trace *t = r->trace;
	uint64_t open = 0;

	member_object(j, "trace");
	members_trace(j, r);
	MEMBERS(j, {"record_size", value_if(t->record_size > 0, value_count(t->record_size))},
	    {"data_bytes", value_count(t->source->end - t->source->begin)});
	member_bool(j, "compressed", t->compressed);
	member_bool(j, "text_apart", t->text_apart);
	member_bool(j, "threads_by_turns", t->source->by_thread);
	member_bool(j, "overflow", t->overflow);
	members_start(j, t);
	MEMBERS(j, {"begin_us", value_if(!t->own_axes, value_time(r->profile->begin))},
	    {"end_us", value_if(!t->own_axes, value_time(r->profile->end))});
	for (uint32_t i = 0; i < r->fold->thread_count; i++)
		open += r->fold->threads[i].open;
	MEMBERS(j, {"elapsed_us", value_if(t->elapsed > 0, value_time(t->elapsed))},
	    {"calls", value_count(r->fold->calls)}, {"open", value_count(open)},
	    {"methods_named", value_count(trace_methods_named(t))},
	    {"threads_named", value_count(t->threads_listed)});
	member_array(j, "options");
	for (size_t i = 0; i < t->property_count; i++) {
		json_object(j);
		MEMBERS(j, {"name", value_text(t->properties[i].key)},
		    {"value", value_text(t->properties[i].value)});
		json_end(j);
	}
	json_end(j);
	member_array(j, "notes");
	for (size_t i = 0; i < t->note_count; i++)
		json_str(j, t->notes[i]);
	json_end(j);
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
