/* track_text: what a row of the timeline has at the time cursor, in words. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/sbuf.h"
#include "view/timeline_drawing.h"

/* "12.345 ms since 1.204113 s" */
static void
put_span(struct sbuf *out, const struct timeline_pane *p, nsec from, nsec to)
{
	char length[FMT_SIZE], start[FMT_SIZE];

	sbuf_printf(out, "%s ms since %s%s", fmt_ms(length, to - from),
	    timescale_text(&p->scale, start, from, 6), timescale_unit(&p->scale));
}

static void
put_thread(struct sbuf *out, const struct timeline_pane *p, uint32_t thread)
{
	struct str name;

	if (thread >= trace_thread_count(p->trace)) {
		sbuf_text(out, "the idle task");
		return;
	}
	name = names_thread(p->names, thread);
	sbuf_printf(out, "%" PRIu32 " %.*s", trace_thread(p->trace, thread)->id, STR_ARG(name));
}

uint32_t
track_point_waker(const struct track_point *p, nsec *at)
{
	enum task_class class = task_states[p->state.state].class;

	if (class == TASK_CLASS_RUNNING)
		return SCHED_NONE;
	if (class == TASK_CLASS_RUNNABLE) {
		*at = p->from;
		return p->state.waker;
	}
	*at = p->to;
	return p->after.state != TASK_UNKNOWN ? p->after.waker : SCHED_NONE;
}

/* "Sleeping 12.345 ms since 1.204113 s, woken by 1187 main" */
static void
put_state(struct sbuf *out, const struct timeline_pane *p, const struct track_point *at)
{
	const struct interval *i = &at->state;
	nsec woken;
	uint32_t waker = track_point_waker(at, &woken);

	sbuf_text(out, task_states[i->state].name);
	if (i->state == TASK_RUNNING)
		sbuf_printf(out, " on cpu%u", i->cpu);
	if (i->io != IO_UNTOLD)
		sbuf_text(out, i->io == IO_YES ? " for I/O" : ", not for I/O");
	sbuf_char(out, ' ');
	put_span(out, p, at->from, at->to);
	if (i->caller > 0) {
		const struct str *caller = seg_at(&p->trace->log->texts, i->caller - 1);
		struct str clean = names_clean(p->names, *caller);

		sbuf_printf(out, ", in %.*s", STR_ARG(clean));
	}
	if (waker != SCHED_NONE) {
		sbuf_text(out, ", woken by ");
		put_thread(out, p, waker);
	}
	if (i->state == TASK_RUNNING) {
		if (i->next != TASK_UNKNOWN)
			sbuf_printf(out, ", then %s", task_states[i->next].name);
		sbuf_printf(out, ", priority %" PRId32, i->priority);
	}
	if (at->before.state != TASK_UNKNOWN)
		sbuf_printf(out, ", before %s", task_states[at->before.state].name);
}

static void
put_core(struct sbuf *out, const struct timeline_pane *p, const struct track_point *at)
{
	if (at->idle) {
		sbuf_text(out, at->lost ? "not known, for events are missing, " : "idle ");
		put_span(out, p, at->from, at->to);
		return;
	}
	put_thread(out, p, at->state.thread);
	sbuf_text(out, " ran ");
	put_span(out, p, at->from, at->to);
	if (at->state.next != TASK_UNKNOWN)
		sbuf_printf(out, ", then %s", task_states[at->state.next].name);
	sbuf_printf(out, ", priority %" PRId32, at->state.priority);
}

static void
put_counter(struct sbuf *out, const struct timeline_pane *p, const struct track_point *at)
{
	const struct log_counter *c =
	    seg_at(&p->trace->log->counters, p->point_track.index);
	struct str name = names_clean(p->names, c->name);

	sbuf_printf(out, "%.*s %" PRId64 ", ", STR_ARG(name), at->value);
	put_span(out, p, at->from, at->to);
	sbuf_printf(out, ", in all %" PRId64 " to %" PRId64, c->min, c->max);
}

/* "NAME on TRACK", as its line has it. */
static void
put_instant(struct sbuf *out, const struct timeline_pane *p, const struct log_detail *d)
{
	struct str text = names_clean(p->names, d->name);

	sbuf_printf(out, "%.*s", STR_ARG(text));
	if (d->track.p == NULL)
		return;
	text = names_clean(p->names, d->track);
	sbuf_printf(out, " on %.*s", STR_ARG(text));
}

/* "resume; next pause at 1.204113 s" at one, else what is before and behind. */
static void
put_instants(struct sbuf *out, const struct timeline_pane *p, const struct instants_near *near)
{
	char time[FMT_SIZE];
	const char *unit = timescale_unit(&p->scale);
	bool here = near->has_last && near->last == p->point_at;

	if (!here)
		sbuf_text(out, "none here");
	else
		put_instant(out, p, &near->last_detail);
	if (near->has_next) {
		sbuf_text(out, "; next ");
		put_instant(out, p, &near->next_detail);
		sbuf_printf(out, " at %s%s", timescale_text(&p->scale, time, near->next, 6), unit);
	}
	if (near->has_last && !here) {
		sbuf_text(out, "; last ");
		put_instant(out, p, &near->last_detail);
		sbuf_printf(out, " at %s%s", timescale_text(&p->scale, time, near->last, 6), unit);
	}
}

const char *
track_point_text(
    const struct timeline_pane *p, const struct track_point *at, char out[static TRACK_TEXT])
{
	struct sbuf text = {0};

	switch (p->point_track.kind) {
	case TRACK_STATE:
		put_state(&text, p, at);
		break;
	case TRACK_CORE:
		put_core(&text, p, at);
		break;
	case TRACK_LOAD:
		sbuf_printf(&text, "%" PRId64 " core%s ran, ", at->value,
		    at->value == 1 ? "" : "s");
		put_span(&text, p, at->from, at->to);
		break;
	case TRACK_PROCESS:
		sbuf_printf(&text, "%" PRId64 " of its threads ran, ", at->value);
		put_span(&text, p, at->from, at->to);
		break;
	case TRACK_FREQUENCY:
		sbuf_printf(&text, "cpu%" PRIu32 " %" PRId64 " kHz ", p->point_track.index,
		    at->value);
		put_span(&text, p, at->from, at->to);
		break;
	case TRACK_IDLE:
		if (at->value > 0)
			sbuf_printf(&text, "cpu%" PRIu32 " idle, level %" PRId64 ", ",
			    p->point_track.index, at->value - 1);
		else
			sbuf_printf(&text, "cpu%" PRIu32 " not idle ", p->point_track.index);
		put_span(&text, p, at->from, at->to);
		break;
	case TRACK_COUNTER:
		put_counter(&text, p, at);
		break;
	case TRACK_INSTANTS:
	case TRACK_POINTS:
		put_instants(&text, p, &at->near);
		break;
	default:
		break;
	}
	snprintf(out, TRACK_TEXT, "%.*s", STR_ARG(sbuf_view(&text)));
	sbuf_release(&text);
	return out;
}
