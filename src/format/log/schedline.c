// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/schedline.h"

#include "base/compat.h"

/* Where " key=" begins, from `from` on; a key at the very beginning needs no blank. */
static inline const char *
key_find(const char *from, const char *begin, const char *end, const char *key, size_t n)
{
	const char *p = from, *equals;

	if ((size_t)(end - from) > n && *from == ' ' && memcmp(from + 1, key, n) == 0)
		return from + 1;

	/* Names rarely hold the key's last byte: it is found sooner than any other. */
	while (p < end && (equals = memchr(p, '=', (size_t)(end - p))) != NULL) {
		p = equals + 1;
		if ((size_t)(p - from) >= n && memcmp(p - n, key, n) == 0 &&
		    (p - n == begin || p[-1 - (ptrdiff_t)n] == ' '))
			return p - n;
	}
	return NULL;
}

/* A comm, without the blanks after it. */
static struct str
comm_of(const char *from, const char *to)
{
	while (to > from && to[-1] == ' ')
		to--;
	return (struct str){from, (size_t)(to - from)};
}

#define KEY(from, key) key_find((from), p.p, p.p + p.n, (key), sizeof(key) - 1)

/* Moves after a key; false, and where it was, without one. */
static inline bool
key_pass(const char **at, struct str p, const char *key, size_t n)
{
	const char *found = key_find(*at, p.p, p.p + p.n, key, n);

	if (found != NULL)
		*at = found + n;
	return found != NULL;
}

#define PASS(key) key_pass(&at, p, (key), sizeof(key) - 1)

/* Up to a blank; `*at` moves there. */
static struct str
word_take(const char **at, const char *end)
{
	const char *from = *at;

	while (*at < end && **at != ' ')
		++*at;
	return (struct str){from, (size_t)(*at - from)};
}

static bool
number_take(const char **at, const char *end, int64_t *value)
{
	bool negative = *at < end && **at == '-';
	const char *digits = *at + negative;
	uint64_t n;

	*at = digits_take(digits, end, 18, &n);
	*value = negative ? -(int64_t)n : (int64_t)n;
	return *at > digits;
}

/* The number after a key; true when there is one. */
static bool
number_of(struct str p, const char *key, size_t n, int64_t *value)
{
	const char *at = p.p;

	return key_pass(&at, p, key, n) && number_take(&at, p.p + p.n, value);
}

#define NUMBER(key, value) number_of(p, (key), sizeof(key) - 1, (value))

bool
payload_word(struct str p, struct str key, struct str *word)
{
	const char *at = p.p;

	if (!key_pass(&at, p, key.p, key.n))
		return false;
	*word = word_take(&at, p.p + p.n);
	return true;
}

bool
word_number(struct str word, int64_t *value)
{
	const char *at = word.p;

	return number_take(&at, word.p + word.n, value);
}

static bool
tid_take(const char **at, const char *end, uint32_t *tid)
{
	int64_t n;

	if (!number_take(at, end, &n) || n < 0 || n > UINT32_MAX)
		return false;
	*tid = (uint32_t)n;
	return true;
}

/* "comm:pid [prio]", as trace-cmd's own printers have it; `*at` moves past it. */
static bool
brief_task(const char **at, const char *end, uint32_t *tid, struct str *comm, int32_t *priority)
{
	const char *open = *at, *colon, *digits;
	int64_t number;

	while ((open = memchr(open, '[', (size_t)(end - open))) != NULL) {
		const char *p = open + 1;

		colon = memrchr(*at, ':', (size_t)(open - *at));
		digits = colon != NULL ? colon + 1 : open;
		if (colon != NULL && tid_take(&digits, open, tid) && digits + 1 == open &&
		    *digits == ' ' && number_take(&p, end, &number) && p < end && *p == ']') {
			*priority = (int32_t)number;
			*comm = comm_of(*at, colon);
			*at = p + 1;
			return true;
		}
		open++;
	}
	return false;
}

/* "comm:pid [prio] state ==> comm:pid [prio]": trace-cmd report without -R. */
static bool
brief_switch(struct schedline *s, struct str payload)
{
	const char *p = payload.p, *end = p + payload.n;

	if (payload.n == 0 || !brief_task(&p, end, &s->tid, &s->comm, &s->priority) ||
	    p == end || *p++ != ' ')
		return false;
	s->state = task_state_parse(word_take(&p, end));
	if (end - p < 5 || memcmp(p, " ==> ", 5) != 0)
		return false;
	p += 5;
	return brief_task(&p, end, &s->next, &s->next_comm, &s->priority);
}

static bool
switch_parse(struct schedline *s, struct str p)
{
	const char *at = p.p, *end = p.p + p.n, *comm;
	int64_t priority = SCHED_NO_PRIORITY;

	if (!str_starts(p, STR("prev_comm=")))
		return brief_switch(s, p);
	if (!PASS("prev_pid="))
		return false;
	s->comm = comm_of(p.p + 10, at - 9);
	if (!tid_take(&at, end, &s->tid) || !PASS("prev_state="))
		return false;
	s->state = task_state_parse(word_take(&at, end));
	if (!PASS("next_comm="))
		return false;
	comm = at;
	if (!PASS("next_pid="))
		return false;
	s->next_comm = comm_of(comm, at - 9);
	if (!tid_take(&at, end, &s->next))
		return false;
	if (PASS("next_prio="))
		(void)number_take(&at, end, &priority);
	s->priority = (int32_t)priority;
	return true;
}

/* comm=C pid=N */
static bool
subject_parse(struct schedline *s, struct str p)
{
	const char *at = p.p;

	if (!PASS("pid="))
		return p.n > 0 && brief_task(&at, p.p + p.n, &s->tid, &s->comm, &s->priority);
	if (str_starts(p, STR("comm=")))
		s->comm = comm_of(p.p + 5, at - 4);
	return tid_take(&at, p.p + p.n, &s->tid);
}

static bool
blocked_parse(struct schedline *s, struct str p)
{
	const char *at = p.p;
	int64_t tid, io;

	if (!NUMBER("pid=", &tid) || tid <= 0 || tid > UINT32_MAX ||
	    (!NUMBER("iowait=", &io) && !NUMBER("io_wait=", &io)))
		return false;
	s->tid = (uint32_t)tid;
	s->io = io != 0;
	if (PASS("caller="))
		s->caller = word_take(&at, p.p + p.n);
	return true;
}

static bool
core_parse(struct schedline *s, struct str p, bool idle)
{
	int64_t state, cpu;

	if (!NUMBER("state=", &state) || !NUMBER("cpu_id=", &cpu))
		return false;
	if (idle) /* leaving is -1, in 32 bits */
		state = state == UINT32_MAX ? 0 : state + 1;
	s->value = (uint32_t)state;
	s->cpu = cpu < 0 || cpu > UINT32_MAX ? UINT32_MAX : (uint32_t)cpu;
	return true;
}

static bool
name_parse(struct schedline *s, struct str p, bool rename)
{
	const char *at = p.p, *to;
	int64_t tid;

	if (!NUMBER("pid=", &tid) || tid <= 0 || tid > UINT32_MAX)
		return false;
	s->tid = (uint32_t)tid;
	if (rename ? !PASS("newcomm=") : !PASS("comm="))
		return false;
	to = rename ? KEY(at, "oom_score_adj=") : KEY(at, "clone_flags=");
	s->comm = comm_of(at, to != NULL ? to : p.p + p.n);
	return true;
}

bool
schedline_parse(struct schedline *s, enum sched_event event, struct str payload)
{
	*s = (struct schedline){.comm = {"", 0}};
	switch (event) {
	case EVENT_SWITCH:
		return switch_parse(s, payload);
	case EVENT_WAKEUP:
	case EVENT_WAKING:
	case EVENT_EXIT:
	case EVENT_FREE:
		return subject_parse(s, payload);
	case EVENT_BLOCKED:
		return blocked_parse(s, payload);
	case EVENT_FREQUENCY:
	case EVENT_IDLE:
		return core_parse(s, payload, event == EVENT_IDLE);
	case EVENT_RENAME:
	case EVENT_NEWTASK:
		return name_parse(s, payload, event == EVENT_RENAME);
	case EVENT_NONE:
		break;
	}
	return true;
}
