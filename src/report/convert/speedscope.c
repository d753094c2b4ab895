// SPDX-License-Identifier: Apache-2.0
/*
 * speedscope: the JSON file format of speedscope, an evented profile a thread.
 *
 * Source: the file format's schema, version 0.0.1, in speedscope's own package
 * (file-format-schema.json): events O and C with the index of a frame, at times that never
 * go back, properly nested.
 */
#include <config.h>

#include "base/json.h"
#include "report/convert/convert.h"
#include "report/convert/events.h"

struct speedscope {
	struct convert *convert;
	struct sbuf *out;
	uint32_t *frames; /* by method: index + 1 among those that are written */
	enum clock_id clock;
	bool any; /* an event was written */
};

static void
frames_write(struct speedscope *s)
{
	const struct tree *tree = &s->convert->profile->tree;
	const struct trace *t = s->convert->trace;
	uint32_t count = 0;

	for (uint32_t n = 1; n < tree->count; n++)
		s->frames[tree->nodes[n].method] = 1;
	for (uint32_t i = 1; i < trace_method_count(t) && sink_row(s->convert->sink); i++) {
		const struct method *m = trace_method(t, i);

		if (s->frames[i] == 0 || convert_hides(s->convert, i))
			continue;
		s->frames[i] = ++count;
		sbuf_text(s->out, count > 1 ? ",\n{\"name\":" : "\n{\"name\":");
		json_quoted(s->out, convert_name(s->convert, i));
		if (m->file.n > 0) {
			sbuf_text(s->out, ",\"file\":");
			json_quoted(s->out, m->file);
		}
		if (m->line > 0) {
			sbuf_text(s->out, ",\"line\":");
			sbuf_number(s->out, m->line, 0);
		}
		sbuf_char(s->out, '}');
	}
}

static bool
event_write(void *context, const struct bythread_event *ev)
{
	struct speedscope *s = context;
	uint32_t method = s->convert->profile->tree.nodes[ev->node].method;

	if (s->any)
		sbuf_char(s->out, ',');
	s->any = true;
	sbuf_text(s->out, ev->enter ? "\n{\"type\":\"O\",\"frame\":" : "\n{\"type\":\"C\",\"frame\":");
	sbuf_number(s->out, s->frames[method] - 1, 0);
	sbuf_text(s->out, ",\"at\":");
	sbuf_us(s->out, ev->at[s->clock]);
	sbuf_char(s->out, '}');
	return sink_row(s->convert->sink);
}

static bool
profile_write(struct speedscope *s, struct bythread *calls, uint32_t thread, bool first)
{
	const struct bythread_stack *stack = &calls->stacks[thread];
	const struct trace_unit *unit = &s->convert->trace->unit;
	struct sbuf name = {0};
	bool whole;

	sbuf_str(&name, convert_thread_name(s->convert, thread));
	sbuf_printf(&name, " [%u]", (unsigned)trace_thread(s->convert->trace, thread)->id);
	sbuf_text(s->out, first ? "\n" : ",\n");
	sbuf_text(s->out, "{\"type\":\"evented\",\"name\":");
	json_quoted(s->out, sbuf_view(&name));
	sbuf_release(&name);
	/* A nanosecond stands for a thousandth of a count. */
	sbuf_printf(s->out, ",\"unit\":\"%s\",\"startValue\":",
	    !unit_counts(unit) ? "microseconds" : unit->bytes ? "bytes" : "none");
	sbuf_us(s->out, stack->begin[s->clock]);
	sbuf_text(s->out, ",\"endValue\":");
	sbuf_us(s->out, stack->end[s->clock]);
	sbuf_text(s->out, ",\"events\":[");
	s->any = false;
	whole = bythread_read(calls, thread, event_write, s);
	sbuf_text(s->out, "]}");
	return whole;
}

bool
convert_speedscope(struct convert *convert)
{
	struct speedscope s = {
	    .convert = convert, .out = &convert->sink->text, .clock = convert->clock};
	struct bythread calls = {0};
	uint64_t most = 0; /* events of the thread to begin with */
	uint32_t written = 0, active = 0;
	bool whole;

	s.frames = convert_zero(convert, trace_method_count(convert->trace), sizeof(*s.frames));
	whole = bythread_make(&calls, convert);
	if (whole) {
		sbuf_text(s.out,
		    "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"name\":");
		json_quoted(s.out, convert_title(convert));
		sbuf_text(s.out, ",\"exporter\":\"" PACKAGE_STRING "\",\n\"shared\":{\"frames\":[");
		frames_write(&s);
		sbuf_text(s.out, "]},\n\"profiles\":[");
	}
	for (uint32_t i = 0; i < calls.stack_count && whole; i++) {
		if (calls.stacks[i].events == 0)
			continue;
		whole = profile_write(&s, &calls, i, written == 0);
		if (calls.stacks[i].events > most) {
			/* In a log each process has a main thread. */
			most = convert->trace->log == NULL &&
				str_equal(trace_thread(convert->trace, i)->name, STR("main"))
			    ? UINT64_MAX : calls.stacks[i].events;
			active = written;
		}
		written++;
	}
	if (whole)
		sbuf_printf(s.out, "],\n\"activeProfileIndex\":%u}\n", (unsigned)active);
	bythread_release(&calls);
	return whole;
}
