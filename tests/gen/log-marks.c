// SPDX-License-Identifier: Apache-2.0
/* What programs write of themselves (loggen.h). */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "loggen.h"

enum { NAMES = 24, MARK_MAX = 1200, MARK_CUT = 512 };

/* Names with all that parts fields elsewhere. */
static const char *const names[NAMES] = {
    "draw", "Choreographer#doFrame", "performTraversals", "read file", "a|b", "x: y",
    "decode[7]", "n=1,m=2", "HandleStateTransition, 20020111_com.x_[6255]", "#", "DrawFrame",
    "present", "[PID 14446 KILLED][SIG 9]", "m:smaps/[anon:ArkTS Code:38650] (rw-p)",
    "binder transaction", "H:twice", "traversal", "Lock contention on thread list lock",
    "inflate", "measure", "layout", "queueBuffer", "dequeueBuffer", "onMessageReceived"};

/* What one name is: mostly itself, and for long logs a few thousand with a number. */
static void
name_make(struct log_model *m, char *text, size_t room, unsigned name)
{
	if (name < NAMES)
		snprintf(text, room, "%s", names[name]);
	else
		snprintf(text, room, "%s %u", names[name % NAMES], name / NAMES);
	(void)m;
}

static unsigned
name_choose(struct log_model *m, unsigned core)
{
	unsigned name = rng_below(&m->rng, NAMES), index = m->core[core];

	if (m->params->regular && index)
		return (m->threads[index - 1].tid % 7 + m->threads[index - 1].depth * 2 + name % 2) % NAMES;
	return rng_below(&m->rng, 6) ? name : name + NAMES * (1 + rng_below(&m->rng, 200));
}

static const char *
level(struct log_model *m)
{
	static const char *const levels[] = {"M62", "I62", "M62", "I3062", "D3062", "C0563"};

	return levels[rng_below(&m->rng, 6)];
}

/* What a HiTrace name begins with. */
static const char *
chain(struct log_model *m)
{
	static const char *const chains[] = {"[a92ab94c18e1341,0,0]#", "[8b00e96b2,2,1]#C##",
	    "[8b00e96b2,2,1]#S##", "[8b00e96b2,3,2]#"};

	return rng_below(&m->rng, 8) ? "" : chains[rng_below(&m->rng, 4)];
}

static const char *
func(struct log_model *m)
{
	if (m->params->lines == LINES_TRACECMD || m->params->lines == LINES_BRIEF)
		return "print";
	return m->params->lines == LINES_PRE32 ? "0" : "tracing_mark_write";
}

static void
mark_out(struct log_model *m, unsigned core, char *text)
{
	if (rng_chance(&m->rng, m->params->cut)) {
		size_t n = strlen(text);

		memset(text + n, 'x', MARK_MAX - 1 - n);
		text[MARK_MAX - 1] = '\0';
	}
	if (strlen(text) > MARK_CUT)
		text[MARK_CUT] = '\0';
	if (m->params->lines == LINES_TRACECMD && rng_below(&m->rng, 2))
		log_line(m, core, func(m), "0xffffffff811f0aa5s: %s", text);
	else
		log_line(m, core, func(m), "%s", text);
}

static void
begin(struct log_model *m, unsigned core, unsigned pid, unsigned form)
{
	static const char *const args[] = {"", "|user=root,type=2", "", "|k=v"};
	char name[120], text[MARK_MAX];

	name_make(m, name, sizeof name, name_choose(m, core));
	if (form == MARKS_ANDROID && rng_below(&m->rng, 32) == 0)
		snprintf(text, sizeof text, "B|%u|view|src=%s|toplevel.flow", pid, "a;b");
	else if (form == MARKS_ANDROID)
		snprintf(text, sizeof text, "B|%u|%s", pid, name);
	else if (form == MARKS_OLD)
		snprintf(text, sizeof text, "B|%u|H:%s%s", pid, chain(m), name);
	else
		snprintf(text, sizeof text, "B|%u|H:%s%s|%s%s", pid, chain(m), name, level(m),
		    args[rng_below(&m->rng, 4)]);
	mark_out(m, core, text);
}

static void
end(struct log_model *m, unsigned core, unsigned pid, unsigned form)
{
	char text[MARK_MAX];

	if (form == MARKS_ANDROID && rng_below(&m->rng, 4) == 0)
		snprintf(text, sizeof text, "E");
	else if (form == MARKS_NEW)
		snprintf(text, sizeof text, "E|%u|%s", pid, level(m));
	else
		snprintf(text, sizeof text, "E|%u%s", pid, form == MARKS_OLD ? "|" : "");
	mark_out(m, core, text);
}

static void
async_write(struct log_model *m, unsigned core, char kind, const struct log_async *a)
{
	static const char *const tails[] = {"", "|cat", "||k=v", "|cat|k=v,l=w", "|other cat"};
	char name[120], text[MARK_MAX];

	name_make(m, name, sizeof name, a->name);
	if (kind == 'G')
		snprintf(text, sizeof text, "G|%u|track %u|%s|%u", a->pid, a->name % 3, name, a->id);
	else if (kind == 'H')
		snprintf(text, sizeof text, "H|%u|track %u|%u", a->pid, a->name % 3, a->id);
	else if (a->marks == MARKS_ANDROID)
		snprintf(text, sizeof text, "%c|%u|%s|%u", kind, a->pid, name, a->id);
	else if (a->marks == MARKS_OLD)
		snprintf(text, sizeof text, "%c|%u|H:%s%s %u", kind, a->pid, chain(m), name, a->id);
	else
		snprintf(text, sizeof text, "%c|%u|H:%s%s|%u|%s%s", kind, a->pid, chain(m), name,
		    a->id, level(m), kind == 'S' ? tails[rng_below(&m->rng, 5)] : "");
	mark_out(m, core, text);
}

/* Begins an asynchronous slice, or ends an open one. */
static void
async(struct log_model *m, unsigned core, const struct log_thread *t, unsigned form)
{
	struct log_async *a;

	if (m->async_count == LOG_ASYNC_MAX || (m->async_count > 0 && rng_below(&m->rng, 2))) {
		a = &m->async[rng_below(&m->rng, m->async_count)];
		async_write(m, core, a->kind == 'G' ? 'H' : 'F', a);
		*a = m->async[--m->async_count];
		return;
	}
	a = &m->async[m->async_count++];
	a->kind = m->params->tracks && rng_below(&m->rng, 3) == 0 ? 'G' : 'S';
	a->pid = t->pid;
	a->name = rng_below(&m->rng, NAMES);
	a->id = rng_below(&m->rng, 200);
	a->marks = a->kind == 'G' ? MARKS_ANDROID : form;
	async_write(m, core, a->kind, a);
	if (rng_chance(&m->rng, m->params->open * 20))
		m->async_count--;
}

static void
counter(struct log_model *m, unsigned core, unsigned pid, unsigned form)
{
	char text[MARK_MAX];
	int value = (int)rng_below(&m->rng, 2000) - 200;
	unsigned name = rng_below(&m->rng, 6);

	if (form == MARKS_ANDROID)
		snprintf(text, sizeof text, "C|%u|%s|%d", rng_below(&m->rng, 20) ? pid : 0,
		    rng_below(&m->rng, 40) ? names[name] : "", value);
	else if (form == MARKS_OLD)
		snprintf(text, sizeof text, "C|%u|H:%s %d", pid, names[name], value);
	else
		snprintf(text, sizeof text, "C|%u|H:%s%s|%d|%s", pid, chain(m), names[name], value,
		    level(m));
	mark_out(m, core, text);
}

static void
other(struct log_model *m, unsigned core, unsigned pid)
{
	static const char *const texts[] = {"free text | with a bar", "Bx|1|x",
	    "trace_event_clock_sync: realtime_ts=1600000000000", "trace_event_clock_sync: name=7"};
	char text[MARK_MAX];

	if (!m->params->tracks || rng_below(&m->rng, 3) == 0)
		snprintf(text, sizeof text, "%s", texts[rng_below(&m->rng, 4)]);
	else if (rng_below(&m->rng, 2))
		snprintf(text, sizeof text, "I|%u|%s", pid, names[rng_below(&m->rng, NAMES)]);
	else
		snprintf(text, sizeof text, "N|%u|track|%s", pid, names[rng_below(&m->rng, NAMES)]);
	mark_out(m, core, text);
}

void
log_mark(struct log_model *m, unsigned core)
{
	static const struct log_thread idle = {.pid = 1, .marks = MARKS_ANDROID};
	unsigned index = m->core[core], what = rng_below(&m->rng, 100);
	const struct log_thread *t = index ? &m->threads[index - 1] : &idle;
	unsigned *depth = index ? &m->threads[index - 1].depth : &m->idle_depth[core];
	unsigned form = t->marks < MARKS_MIXED ? t->marks : rng_below(&m->rng, 3);

	if (what < 84) {
		bool stray = rng_chance(&m->rng, m->params->stray);
		bool deeper = *depth == 0 || (*depth < m->params->depth && rng_below(&m->rng, 2));

		if (!index && *depth > 1)
			deeper = false;
		if (deeper && !stray) {
			++*depth;
			begin(m, core, t->pid, form);
		} else {
			*depth -= *depth > 0;
			if (!rng_chance(&m->rng, m->params->open))
				end(m, core, t->pid, form);
		}
	} else if (what < 92) {
		counter(m, core, t->pid, form);
	} else if (what < 99) {
		async(m, core, t, form);
	} else {
		other(m, core, t->pid);
	}
}
