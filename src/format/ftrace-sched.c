#include <config.h>

#include "format/ftrace-reader.h"

enum sched_event {
	EVENT_NONE,
	EVENT_SWITCH,
	EVENT_WAKEUP,
	EVENT_WAKING,
	EVENT_BLOCKED,
	EVENT_EXIT,
	EVENT_FREQUENCY,
	EVENT_IDLE,
	EVENT_RENAME,
	EVENT_NEWTASK,
};

static const struct {
	struct str func;
	enum sched_event event;
} events[] = {
	{ STR("sched_switch"), EVENT_SWITCH },
	{ STR("sched_wakeup"), EVENT_WAKEUP },
	{ STR("sched_wakeup_new"), EVENT_WAKEUP },
	{ STR("sched_waking"), EVENT_WAKING },
	{ STR("sched_blocked_reason"), EVENT_BLOCKED },
	{ STR("sched_process_exit"), EVENT_EXIT },
	{ STR("cpu_frequency"), EVENT_FREQUENCY },
	{ STR("cpu_idle"), EVENT_IDLE },
	{ STR("task_rename"), EVENT_RENAME },
	{ STR("task_newtask"), EVENT_NEWTASK },
};

uint8_t
sched_kind(struct str func)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (str_equal(func, events[i].func))
			return (uint8_t)events[i].event;
	}
	return EVENT_NONE;
}

/* Where " key=" begins, from `from` on; a key at the very beginning needs no blank. */
static const char *
key_find(const char *from, const char *begin, const char *end, const char *key, size_t n)
{
	const char *p = from;

	while (p < end && (p = memchr(p, key[0], (size_t)(end - p))) != NULL) {
		if ((size_t)(end - p) >= n && memcmp(p, key, n) == 0 &&
		    (p == begin || p[-1] == ' '))
			return p;
		p++;
	}
	return NULL;
}

#define KEY(from, key) key_find((from), p.p, p.p + p.n, (key), sizeof(key) - 1)

static bool
number_take(const char **at, const char *end, int64_t *value)
{
	const char *p = *at;
	bool negative = p < end && *p == '-';
	int64_t n = 0;
	const char *digits = p + negative;

	for (p = digits; p < end && *p >= '0' && *p <= '9' && p - digits < 18; p++)
		n = n * 10 + (*p - '0');
	*value = negative ? -n : n;
	*at = p;
	return p > digits;
}

/* The number behind a key; true when there is one. */
static bool
number_of(struct str p, const char *key, size_t n, int64_t *value)
{
	const char *at = key_find(p.p, p.p, p.p + p.n, key, n);

	if (at == NULL)
		return false;
	at += n;
	return number_take(&at, p.p + p.n, value);
}

#define NUMBER(key, value) number_of(p, (key), sizeof(key) - 1, (value))

static bool
tid_ok(int64_t n)
{
	return n >= 0 && n <= UINT32_MAX;
}

static struct str
text_between(const char *from, const char *to)
{
	while (to > from && to[-1] == ' ')
		to--;
	return (struct str){from, (size_t)(to - from)};
}

/* A thread that an event names by id and comm. */
static uint32_t
thread_of(struct reader *r, int64_t tid, struct str comm)
{
	uint32_t row;

	if (tid == 0)
		return SCHED_NONE;
	row = row_of_tid(r, (uint32_t)tid);
	row_name(r, row, comm);
	return row;
}

static void
switched(struct reader *r, const struct sched_switch *e)
{
	sched_switch(&r->log->sched, e);
	if (e->prev != SCHED_NONE && r->rows[e->prev].exiting &&
	    task_states[e->state].class == TASK_CLASS_DEAD)
		row_ended(r, e->prev);
}

/* "comm:pid [prio]", as trace-cmd's own printers have it; `*at` moves behind it. */
static bool
brief_task(const char **at, const char *end, int64_t *tid, struct str *comm, int64_t *priority)
{
	const char *open = *at, *colon, *digits;

	while ((open = memchr(open, '[', (size_t)(end - open))) != NULL) {
		const char *p = open + 1;

		colon = memrchr(*at, ':', (size_t)(open - *at));
		digits = colon != NULL ? colon + 1 : open;
		if (colon != NULL && number_take(&digits, open, tid) && tid_ok(*tid) &&
		    digits + 1 == open && *digits == ' ' && number_take(&p, end, priority) &&
		    p < end && *p == ']') {
			*comm = text_between(*at, colon);
			*at = p + 1;
			return true;
		}
		open++;
	}
	return false;
}

/* "comm:pid [prio] state ==> comm:pid [prio]": trace-cmd report without -R. */
static bool
brief_switch_take(struct reader *r, const struct logline *line, nsec at)
{
	const char *p = line->payload.p, *end = p + line->payload.n, *state;
	struct sched_switch e = {.at = at, .cpu = line->cpu};
	int64_t prev, next, priority;
	struct str prev_comm, next_comm;

	if (line->payload.n == 0 || !brief_task(&p, end, &prev, &prev_comm, &priority) ||
	    p == end || *p++ != ' ')
		return false;
	for (state = p; p < end && *p != ' ';)
		p++;
	e.state = task_state_parse((struct str){state, (size_t)(p - state)});
	if (end - p < 5 || memcmp(p, " ==> ", 5) != 0)
		return false;
	p += 5;
	if (!brief_task(&p, end, &next, &next_comm, &priority))
		return false;
	e.next_priority = (int32_t)priority;
	e.prev = thread_of(r, prev, prev_comm);
	e.next = thread_of(r, next, next_comm);
	switched(r, &e);
	return true;
}

static bool
switch_take(struct reader *r, const struct logline *line, nsec at)
{
	struct str p = line->payload;
	const char *end = p.p + p.n, *key, *comm;
	struct sched_switch e = {.at = at, .cpu = line->cpu};
	int64_t prev, next, priority = SCHED_NO_PRIORITY;
	struct str prev_comm, next_comm;

	if (!str_starts(p, STR("prev_comm=")))
		return brief_switch_take(r, line, at);
	key = KEY(p.p, "prev_pid=");
	if (key == NULL)
		return false;
	prev_comm = text_between(p.p + 10, key);
	key += 9;
	if (!number_take(&key, end, &prev) || !tid_ok(prev))
		return false;
	key = KEY(key, "prev_state=");
	if (key == NULL)
		return false;
	comm = key + 11;
	key = comm;
	while (key < end && *key != ' ')
		key++;
	e.state = task_state_parse((struct str){comm, (size_t)(key - comm)});
	comm = KEY(key, "next_comm=");
	if (comm == NULL)
		return false;
	comm += 10;
	key = KEY(comm, "next_pid=");
	if (key == NULL)
		return false;
	next_comm = text_between(comm, key);
	key += 9;
	if (!number_take(&key, end, &next) || !tid_ok(next))
		return false;
	key = KEY(key, "next_prio=");
	if (key != NULL) {
		key += 10;
		(void)number_take(&key, end, &priority);
	}
	e.next_priority = (int32_t)priority;
	e.prev = thread_of(r, prev, prev_comm);
	e.next = thread_of(r, next, next_comm);
	switched(r, &e);
	return true;
}

/* comm=C pid=N: whom the event is about. */
static bool
subject_of(struct reader *r, struct str p, uint32_t *thread)
{
	const char *pid = KEY(p.p, "pid="), *digits = p.p;
	struct str comm = STR("");
	int64_t tid, priority;

	if (pid == NULL) {
		if (p.n == 0 || !brief_task(&digits, p.p + p.n, &tid, &comm, &priority))
			return false;
		*thread = thread_of(r, tid, comm);
		return true;
	}
	digits = pid + 4;
	if (!number_take(&digits, p.p + p.n, &tid) || !tid_ok(tid))
		return false;
	if (str_starts(p, STR("comm=")))
		comm = text_between(p.p + 5, pid);
	*thread = thread_of(r, tid, comm);
	return true;
}

static bool
blocked_take(struct reader *r, const struct logline *line)
{
	struct str p = line->payload;
	const char *caller = KEY(p.p, "caller="), *end = p.p + p.n;
	int64_t tid, io;
	uint32_t index = 0;

	if (!NUMBER("pid=", &tid) || !tid_ok(tid) || tid == 0 ||
	    (!NUMBER("iowait=", &io) && !NUMBER("io_wait=", &io)))
		return false;
	if (caller != NULL) {
		struct str text = {caller + 7, 0};

		while (text.p + text.n < end && text.p[text.n] != ' ')
			text.n++;
		index = intern_add(&r->callers, text, 0);
		if (index == r->log->texts.count) {
			struct str *s = seg_reserve(&r->log->texts);

			if (s == NULL)
				return true;
			*s = text;
			seg_commit(&r->log->texts);
		}
		index++;
	}
	sched_blocked(&r->log->sched, row_of_tid(r, (uint32_t)tid), io != 0, index);
	return true;
}

static void
step_add(struct reader *r, nsec at, int64_t cpu, uint32_t value, bool idle)
{
	struct log_step *step;

	if (cpu < 0 || cpu >= LOGLINE_CPUS)
		return;
	step = spool_add(&r->log->steps, &r->e);
	if (step != NULL)
		*step = (struct log_step){at, (uint32_t)cpu, value, idle};
}

static bool
core_take(struct reader *r, const struct logline *line, nsec at, bool idle)
{
	struct str p = line->payload;
	int64_t state, cpu;

	if (!NUMBER("state=", &state) || !NUMBER("cpu_id=", &cpu))
		return false;
	if (idle) /* leaving is told as -1, in 32 bits */
		state = state == UINT32_MAX ? 0 : state + 1;
	step_add(r, at, cpu, (uint32_t)state, idle);
	return true;
}

static bool
name_take(struct reader *r, const struct logline *line, enum sched_event event)
{
	struct str p = line->payload;
	const char *from, *to;
	int64_t tid;
	uint32_t row;

	if (!NUMBER("pid=", &tid) || !tid_ok(tid) || tid == 0)
		return false;
	if (event == EVENT_RENAME) {
		from = KEY(p.p, "newcomm=");
		to = from != NULL ? KEY(from, "oom_score_adj=") : NULL;
		from = from != NULL ? from + 8 : NULL;
	} else {
		from = KEY(p.p, "comm=");
		to = from != NULL ? KEY(from, "clone_flags=") : NULL;
		from = from != NULL ? from + 5 : NULL;
	}
	if (from == NULL)
		return false;
	row = row_of_tid(r, (uint32_t)tid);
	if (event == EVENT_NEWTASK && r->rows[row].exiting) {
		row_ended(r, row);
		row = row_of_tid(r, (uint32_t)tid);
	}
	row_name(r, row, text_between(from, to != NULL ? to : p.p + p.n));
	return true;
}

/* Whoever is named was only interrupted when the flags tell so (the third: h, H, s, Z, z). */
static uint32_t
waker_of(const struct logline *line, uint32_t row)
{
	bool interrupt = line->flags.n >= 3 && line->flags.p[2] != '.';

	return row == SCHED_NONE || interrupt ? SCHED_INTERRUPT : row;
}

void
sched_take(struct reader *r, uint8_t kind, const struct logline *line, nsec at, uint32_t row)
{
	uint32_t thread;
	bool understood = true;

	switch ((enum sched_event)kind) {
	case EVENT_SWITCH:
		understood = switch_take(r, line, at);
		break;
	case EVENT_WAKEUP:
		understood = subject_of(r, line->payload, &thread);
		if (understood && thread != SCHED_NONE)
			sched_wakeup(&r->log->sched, at, thread, waker_of(line, row));
		break;
	case EVENT_WAKING:
		understood = subject_of(r, line->payload, &thread);
		if (understood && thread != SCHED_NONE)
			sched_waking(&r->log->sched, at, thread, waker_of(line, row));
		break;
	case EVENT_BLOCKED:
		understood = blocked_take(r, line);
		break;
	case EVENT_EXIT:
		understood = subject_of(r, line->payload, &thread);
		if (understood && thread != SCHED_NONE)
			r->rows[thread].exiting = true;
		break;
	case EVENT_FREQUENCY:
	case EVENT_IDLE:
		understood = core_take(r, line, at, kind == EVENT_IDLE);
		break;
	case EVENT_RENAME:
	case EVENT_NEWTASK:
		understood = name_take(r, line, (enum sched_event)kind);
		break;
	case EVENT_NONE:
		break;
	}
	if (!understood) {
		r->log->summary.malformed++;
		damage_add(r->damage, DAMAGE_MALFORMED_LINE, 1, r->line_at);
	}
}
