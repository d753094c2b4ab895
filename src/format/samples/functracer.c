// SPDX-License-Identifier: Apache-2.0
/*
 * functracer: what the kernel's function tracer printed, as `cat trace` and trace-cmd report have it.
 *
 *	bash-431 [003] d.... 12.345678: vfs_read <-ksys_read
 *	bash-431 [003] 12.345678: function:             vfs_read <-- ksys_read
 *
 * Each line is a call of a function by another, without a length: a sample of two frames on its
 * task, which weighs one.
 */
#include <config.h>

#include "base/compat.h"
#include "base/mem.h"
#include "format/log/line.h"
#include "format/log/text.h"
#include "format/samples/samples.h"

enum { LOOK_LINES = 64 };

struct functracer {
	struct sampler s;
	struct sbuf line;     /* in the form of events */
};

struct function_call {
	struct logline record; /* its texts are the reader's until the next line */
	struct str function, caller;
};

/* Lines -------------------------------------------------------------------------------- */

/* A line's task and functions; false for others.  `event`: what makes it the line of an event. */
static bool
call_parse(struct str line, struct sbuf *event, struct function_call *c)
{
	static const struct str word = STR("function:");
	const char *mark = line.n > 0 ? memmem(line.p, line.n, " <-", 3) : NULL, *begin;
	struct str head;

	if (mark == NULL)
		return false;
	for (begin = mark; begin > line.p && !is_blank(begin[-1]); begin--)
		continue;
	c->function = (struct str){begin, (size_t)(mark - begin)};
	mark += 3 + (mark + 3 < line.p + line.n && mark[3] == '-');
	c->caller = str_trim((struct str){mark, (size_t)(line.p + line.n - mark)});
	head = str_trim((struct str){line.p, (size_t)(begin - line.p)});
	if (head.n > word.n && memcmp(head.p + head.n - word.n, word.p, word.n) == 0)
		head = str_trim((struct str){head.p, head.n - word.n});
	sbuf_clear(event);
	sbuf_str(event, head);
	sbuf_text(event, " function: call");
	return c->function.n > 0 && c->caller.n > 0 && head.n > 0 && head.p[head.n - 1] == ':' &&
	    logline_parse(&c->record, sbuf_view(event)) && c->record.tid != LOGLINE_NOBODY;
}

/* The task's thread, named when it is met first. */
static uint32_t
thread_of(struct functracer *f, const struct logline *record)
{
	uint32_t thread = idmap_get(&f->s.tasks, record->tid);
	struct str name = str_equal(record->comm, STR("<...>")) ? STR("") : record->comm;

	if (thread != IDMAP_NONE)
		return thread;
	name = arena_str(&f->s.trace->arena, name);
	thread = trace_thread_define(f->s.trace, record->tid, name, NULL);
	idmap_put(&f->s.tasks, record->tid, thread);
	return thread;
}

static bool
functracer_take(struct sampler *s)
{
	struct functracer *f = (struct functracer *)s;
	struct function_call c;
	struct str line;

	if (!samples_line(s, &line))
		return false;
	if (str_trim(line).n == 0 || *line.p == '#')
		return true;
	if (!call_parse(line, &f->line, &c)) {
		if (!logtext_is_remark(str_trim(line)))
			samples_fault(s, DAMAGE_SKIPPED_LINE);
		return true;
	}
	samples_frame(s, c.caller, (struct str){"", 0}, false);
	samples_frame(s, c.function, (struct str){"", 0}, false);
	s->calls = 1;
	samples_add(s, thread_of(f, &c.record), 1000, 0, false);
	return true;
}

static void
functracer_free(struct sampler *s)
{
	sbuf_release(&((struct functracer *)s)->line);
}

static const struct samples_format functracer = {functracer_take, NULL, functracer_free};

/* Opening ------------------------------------------------------------------------------ */

/* Calls are most of the first lines. */
static bool
is_functracer(struct str file)
{
	struct sbuf event = {0};
	struct function_call c;
	size_t lines = 0, calls = 0;

	while (file.p != NULL && lines < LOOK_LINES) {
		struct str line = str_cut(&file, '\n');

		if (str_trim(line).n == 0 || *line.p == '#' || logtext_is_remark(str_trim(line)))
			continue;
		lines++;
		calls += call_parse(line, &event, &c);
	}
	sbuf_release(&event);
	return calls > 0 && calls * 2 > lines;
}

bool
functracer_open(struct trace *t, struct input *in, struct err *e)
{
	struct str file = {(const char *)in->data.bytes, in->data.size};
	struct functracer *f;

	if (!logtext_is_text(file) || !is_functracer(file))
		return false;
	f = mem_zero(1, sizeof(*f));
	samples_open(&f->s, &functracer, t, in);
	t->format = "ftrace";
	t->unit.name = "calls";
	trace_note(t, "the function tracer tells calls, not how long they took");
	return true;
}
