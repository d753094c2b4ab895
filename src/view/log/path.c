// SPDX-License-Identifier: Apache-2.0
/* The table of where the time of a stretch of a thread went: causes, and below each its leaves. */

#include <config.h>

#include "view/log/filling.h"

enum { PATH_NUMBER, PATH_TIME, PATH_SHARE, PATH_COUNT, PATH_LONGEST, PATH_AT, PATH_TID, PATH_CAUSE,
	PATH_KIND, PATH_THREAD, PATH_WHAT };

static const struct column path_columns[] = {
	{"number", "#", "causes by time, leaves after their cause", VALUE_COUNT, .from = 140,
	    .flags = LIST_ASCENDING},
	{"time", "Time ms", "in the stretch; those of causes add up to it", VALUE_TIME, .from = 0},
	{"share%", "% of it", "of the stretch", VALUE_PERCENT, .from = 0},
	{"count", "Count", "how many times", VALUE_COUNT, .from = 96},
	{"longest", "Longest ms", "of these times; Enter goes to it", VALUE_TIME, .from = 110},
	{"at", "At ms", "when the longest began", VALUE_TIME, .from = 120, .flags = LIST_ASCENDING},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"cause", "Cause", "", VALUE_TEXT, .flags = LIST_FOR_PROGRAMS},
	{"kind", "Kind", "", VALUE_TEXT, .flags = LIST_FOR_PROGRAMS},
	{"thread", "Thread", "of a leaf: its id and name", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{"what", "Where the time went", "the cause; below it what happened meanwhile", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

/* "blocked: FUNCTION", without one "blocked". */
static void
function_put(struct filling *f, const char *text, uint32_t caller)
{
	struct value function = filling_caller(f, caller);

	sbuf_text(&f->text, text);
	if (caller > 0)
		sbuf_printf(&f->text, ": %.*s", STR_ARG(function.text));
}

struct value
path_cause(struct filling *f, const struct critical_sum *s)
{
	struct value of;

	switch ((enum critical_cause)s->cause) {
	case CRITICAL_RUNNING:
		return filling_text("running");
	case CRITICAL_RUNNABLE:
		return filling_text("runnable");
	case CRITICAL_LOCK:
		sbuf_printf(&f->text, "lock, owner %.*s", STR_ARG(names_clean(f->names, s->owner)));
		break;
	case CRITICAL_BINDER:
		of = filling_process(f, s->of);
		sbuf_printf(&f->text, "binder: %.*s", STR_ARG(of.text));
		if (s->method != METHOD_NONE) {
			sbuf_char(&f->text, ' ');
			sbuf_str(&f->text, names_clean(f->names,
			    binder_method(trace_method(f->trace, s->method)->name)));
		}
		break;
	case CRITICAL_IO:
		function_put(f, "blocked, I/O", s->of);
		break;
	case CRITICAL_BLOCKED:
		function_put(f, "blocked", s->of);
		break;
	case CRITICAL_INTERRUPT:
		return filling_text("sleeping, woken by IRQ");
	case CRITICAL_WOKEN:
		of = filling_thread(f, s->of);
		sbuf_printf(&f->text, "woken by %.*s", STR_ARG(of.text));
		break;
	default:
		return filling_text("not known");
	}
	return filling_kept(f);
}

static struct value
leaf_text(struct filling *f, const struct critical_sum *s)
{
	if (s->leaf == LEAF_IDLE)
		return filling_text("the core was idle");
	if (s->leaf == LEAF_HELD)
		return filling_text("had the core");
	if (s->leaf != LEAF_IO)
		return filling_text(critical_leaf_names[s->leaf]);
	function_put(f, "I/O", s->of);
	return filling_kept(f);
}

/* A cause leads to its longest wait, a leaf, and a run, to its time. */
static struct usage_goal
path_goal(const struct filling *f, const struct critical_sum *s)
{
	const struct critical *p = &f->usage->list.path;
	struct usage_goal goal = {.kind = GOAL_TIME, .thread = s->is_cause ? p->thread : s->thread,
	    .at = s->longest_at, .to = s->longest_at + s->longest};

	if (!s->is_cause || s->cause == CRITICAL_RUNNING)
		return goal;
	goal.kind = GOAL_TABLE;
	goal.table = USAGE_WAITS;
	goal.ask = USAGE_ASK_NONE;
	goal.ask.what = USAGE_ASK_WAITS;
	goal.ask.thread = p->thread;
	goal.ask.at = goal.at;
	goal.ask.to = goal.to;
	return goal;
}

static void
path_fill(struct filling *f)
{
	const struct critical *p = &f->usage->list.path;
	struct value cause = VALUE_NONE;

	for (size_t i = 0; i < p->count; i++) {
		const struct critical_sum *s = &p->sums[i];
		struct value *v = filling_add(f, i, path_goal(f, s));

		f->tables->rows[f->tables->count - 1].depth = !s->is_cause;
		v[PATH_NUMBER] = value_count(i + 1);
		v[PATH_TIME] = value_time(s->time);
		v[PATH_SHARE] = value_percent(s->time, p->range.to - p->range.from);
		v[PATH_COUNT] = value_count(s->count);
		v[PATH_LONGEST] = value_time(s->longest);
		v[PATH_AT] = value_time(s->longest_at);
		if (s->is_cause)
			cause = path_cause(f, s);
		v[PATH_CAUSE] = cause;
		v[PATH_WHAT] = s->is_cause ? cause : leaf_text(f, s);
		if (s->is_cause)
			continue;
		v[PATH_KIND] = filling_text(critical_leaf_names[s->leaf]);
		if (s->thread == THREAD_NONE)
			continue;
		v[PATH_TID] = value_count(trace_thread(f->trace, s->thread)->id);
		v[PATH_THREAD] = filling_thread(f, s->thread);
	}
}

void
path_heading(struct filling *f, struct sbuf *out)
{
	const struct critical *p = &f->usage->list.path;
	const char *gap = ": ";
	struct value thread;

	if (p->thread >= trace_thread_count(f->trace)) {
		sbuf_text(out, "no thread to tell of");
		return;
	}
	thread = filling_thread(f, p->thread);

	sbuf_printf(out, "%s ms of %.*s", fmt_ms(FMT_BUF, p->range.to > p->range.from ? p->range.to - p->range.from : 0),
	    STR_ARG(thread.text));
	for (size_t i = 0; i < p->count; i++) {
		struct value cause;

		if (!p->sums[i].is_cause)
			continue;
		cause = path_cause(f, &p->sums[i]);
		sbuf_printf(out, "%s%.*s %s", gap, STR_ARG(cause.text), fmt_ms(FMT_BUF, p->sums[i].time));
		gap = ", ";
	}
}

void
path_begin(struct list *l, const struct critical *p)
{
	size_t i = 0;

	while (i < p->count && (!p->sums[i].is_cause || p->sums[i].cause == CRITICAL_RUNNING))
		i++;
	if (i < p->count)
		(void)list_go(l, (struct list_id){i, 0}, i);
}

const struct usage_table_info usage_path = {
	"Where the time went", true, path_fill, USAGE_ASK_PATH,
	USAGE_SOURCE("path", path_columns, PATH_NUMBER, "nothing is known of this time"),
};
