// SPDX-License-Identifier: Apache-2.0
/*
 * uftrace: what `uftrace dump` prints: each task's calls, one after the other.
 *
 *	reading 1711.dat
 *	3685.791802641   1711: [entry] main(55939848f2c6) depth: 0
 *	3685.791938714   1711: [exit ] main(55939848f2c6) depth: 0
 *
 * A call ends at its depth.  The scheduler's events, which are in sections of their own, are calls
 * of "linux:schedule" in what the task was in, as uftrace report counts them.
 */
#include <config.h>

#include "base/mem.h"
#include "format/log/text.h"
#include "format/samples/samples.h"

enum { LOOK_BYTES = 1 << 16, NAME_MOST = 4096 };

enum uftrace_kind { UFTRACE_NONE, UFTRACE_ENTRY, UFTRACE_EXIT, UFTRACE_EVENT, UFTRACE_LOST };

struct uftrace_line {
	enum uftrace_kind kind;
	uint32_t tid, depth;
	nsec at;
	struct str name;
};

/* A task leaves its core, or has one again. */
struct uftrace_switch {
	uint32_t tid;
	bool out;
	nsec at;
	size_t order;
};

struct uftrace_text {
	struct sampler s;
	nsec begin;             /* the first time of all tasks */
	struct uftrace_switch *switches; /* by task and time */
	size_t switch_count, switch_room, next;
	uint32_t tid, thread;   /* that is read */
	bool any, asleep;
	nsec last;
	uint32_t schedule;      /* method */
	uint64_t events;        /* others */
};

/* Lines -------------------------------------------------------------------------------- */

/* "SECONDS.NANOSECONDS   TID: [kind ] rest" */
static bool
line_parse(struct str line, struct uftrace_line *l)
{
	static const struct {
		struct str word;
		enum uftrace_kind kind;
	} kinds[] = {{STR("[entry] "), UFTRACE_ENTRY}, {STR("[exit ] "), UFTRACE_EXIT},
	    {STR("[event] "), UFTRACE_EVENT}, {STR("[lost ]"), UFTRACE_LOST}};
	const char *end = line.p + line.n, *at, *begin;
	uint64_t seconds, ns, tid;

	*l = (struct uftrace_line){.kind = UFTRACE_NONE};
	at = digits_take(line.p, end, 9, &seconds);
	if (at == line.p || at == end || *at != '.' || (begin = at + 1) + 9 > end ||
	    (at = digits_take(begin, end, 9, &ns)) != begin + 9)
		return false;
	while (at < end && is_blank(*at))
		at++;
	begin = at;
	at = digits_take(at, end, 9, &tid);
	if (at == begin || end - at < 2 || at[0] != ':' || at[1] != ' ')
		return false;
	at += 2;
	l->tid = (uint32_t)tid;
	l->at = (nsec)(seconds * 1000000000 + ns);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct str rest = {at, (size_t)(end - at)};

		if (!str_starts(rest, kinds[i].word))
			continue;
		l->kind = kinds[i].kind;
		l->name = (struct str){at + kinds[i].word.n, rest.n - kinds[i].word.n};
	}
	return l->kind != UFTRACE_NONE;
}

/* "NAME(ADDRESS) depth: N" */
static bool
call_parse(struct uftrace_line *l)
{
	static const struct str mark = STR(") depth: ");
	const char *end = l->name.p + l->name.n, *at = end;
	uint64_t depth;

	while (at > l->name.p && is_digit(at[-1]))
		at--;
	if (at == end || (size_t)(at - l->name.p) < mark.n || memcmp(at - mark.n, mark.p, mark.n) != 0 ||
	    digits_take(at, end, 5, &depth) != end)
		return false;
	l->depth = (uint32_t)depth;
	at -= mark.n;
	while (at > l->name.p && at[-1] != '(')
		at--;
	if (at == l->name.p)
		return false;
	l->name.n = (size_t)(at - l->name.p) - 1;
	return l->name.n > 0;
}

static bool
is_switch(const struct uftrace_line *l)
{
	return l->kind == UFTRACE_EVENT && str_starts(l->name, STR("linux:sched-"));
}

/* Calls -------------------------------------------------------------------------------- */

/* Takes the switches of the task until then. */
static void
switches_until(struct uftrace_text *u, nsec at)
{
	for (; u->next < u->switch_count && u->switches[u->next].tid == u->tid &&
	     u->switches[u->next].at <= at; u->next++) {
		const struct uftrace_switch *w = &u->switches[u->next];

		u->last = w->at > u->last ? w->at : u->last;
		if (w->out == u->asleep || (!u->asleep && samples_thread(&u->s, u->thread)->stack == 0))
			continue;
		if (w->out)
			samples_begin(&u->s, u->thread, u->schedule, w->at - u->begin);
		else
			samples_end_call(&u->s, u->thread, u->schedule, 0, w->at - u->begin);
		u->asleep = w->out;
	}
}

/* Ends open calls where the task was seen last, until that time. */
static void
task_end(struct uftrace_text *u, nsec until)
{
	if (u->any) {
		switches_until(u, until);
		samples_close(&u->s, u->thread, u->last - u->begin);
	}
	u->any = u->asleep = false;
}

static void
task_begin(struct uftrace_text *u, uint32_t tid)
{

	task_end(u, INT64_MAX);
	u->tid = tid;
	u->last = 0;
	u->thread = trace_thread_define(u->s.trace, tid, (struct str){"", 0}, NULL);
	u->any = u->thread != THREAD_NONE;
	for (u->next = 0; u->next < u->switch_count && u->switches[u->next].tid != tid;)
		u->next++;
}

static bool
uftrace_take(struct sampler *s)
{
	struct uftrace_text *u = (struct uftrace_text *)s;
	struct uftrace_line l;
	struct str line;
	uint32_t method;

	if (!samples_line(s, &line)) {
		task_end(u, INT64_MAX);
		return false;
	}
	if (!line_parse(line, &l)) {
		if (!str_starts(line, STR("reading ")) && !str_starts(line, STR("uftrace file header")) &&
		    line.n > 0 && !is_blank(*line.p))
			samples_fault(s, DAMAGE_SKIPPED_LINE);
		return true;
	}
	if (l.kind == UFTRACE_LOST) {
		samples_fault(s, DAMAGE_LOST_RECORDS);
		u->last = l.at > u->last ? l.at : u->last;
		task_end(u, l.at);
		return true;
	}
	if (l.kind == UFTRACE_EVENT || !call_parse(&l)) {
		u->events += l.kind == UFTRACE_EVENT && !is_switch(&l);
		if (l.kind != UFTRACE_EVENT)
			samples_fault(s, DAMAGE_SKIPPED_LINE);
		return true;
	}
	if (!u->any || l.tid != u->tid)
		task_begin(u, l.tid);
	if (!u->any)
		return true;
	switches_until(u, l.at);
	if (u->asleep) { /* it runs, whatever the scheduler said */
		samples_end_call(s, u->thread, u->schedule, 0, l.at - u->begin);
		u->asleep = false;
	}
	method = samples_method(s, str_head(l.name, NAME_MOST), (struct str){"", 0}, false);
	u->last = l.at > u->last ? l.at : u->last;
	if (l.kind == UFTRACE_ENTRY)
		samples_begin(s, u->thread, method, l.at - u->begin);
	else
		samples_end_call(s, u->thread, method, l.depth + 1, l.at - u->begin);
	return true;
}

static void
uftrace_end(struct sampler *s)
{
	const struct uftrace_text *u = (struct uftrace_text *)s;

	trace_note_count(s->trace, u->events, "other events are left out");
}

static void
uftrace_free(struct sampler *s)
{
	struct uftrace_text *u = (struct uftrace_text *)s;

	mem_free(u->switches);
}

static const struct samples_format uftrace = {uftrace_take, uftrace_end, uftrace_free};

/* Opening ------------------------------------------------------------------------------ */

static int
switch_order(const void *a, const void *b)
{
	const struct uftrace_switch *x = a, *y = b;

	return order_then(ORDER(x->tid, y->tid), order_then(ORDER(x->at, y->at),
	    ORDER(x->order, y->order)));
}

/* Finds the first time, and the scheduler's events. */
static void
lines_look(struct uftrace_text *u, struct str file)
{
	struct uftrace_line l;

	u->begin = INT64_MAX;
	while (file.p != NULL) {
		if (!line_parse(str_cut(&file, '\n'), &l))
			continue;
		if ((l.kind == UFTRACE_ENTRY || l.kind == UFTRACE_EXIT) && l.at < u->begin)
			u->begin = l.at;
		if (!is_switch(&l))
			continue;
		MEM_GROW(u->switches, u->switch_room, u->switch_count + 1);
		u->switches[u->switch_count] = (struct uftrace_switch){l.tid,
		    str_starts(l.name, STR("linux:sched-out")), l.at, u->switch_count};
		u->switch_count++;
	}
	if (u->begin == INT64_MAX)
		u->begin = 0;
	mem_sort(u->switches, u->switch_count, sizeof(*u->switches), switch_order);
}

static bool
is_dump(struct str file)
{
	struct str head;
	struct uftrace_line l;

	if (str_starts(file, STR("\xef\xbb\xbf")))
		file = (struct str){file.p + 3, file.n - 3};
	head = str_head(file, LOOK_BYTES);
	if (str_starts(file, STR("uftrace file header: magic")))
		return true;
	return str_starts(head, STR("reading ")) && (str_cut(&head, '\n'), head.p != NULL) &&
	    line_parse(str_cut(&head, '\n'), &l);
}

bool
uftrace_open(struct trace *t, struct input *in, struct err *e)
{
	struct str file = {(const char *)in->data.bytes, in->data.size};
	struct uftrace_text *u;

	if (!logtext_is_text(file) || !is_dump(file))
		return false;
	u = mem_zero(1, sizeof(*u));
	lines_look(u, file);
	samples_open(&u->s, &uftrace, t, in);
	u->schedule = samples_method(&u->s, STR("linux:schedule"), STR(""), true);
	t->format = "uftrace";
	t->sampled = false;
	samples_clocks(&u->s, HAS_WALL);
	return true;
}
