/*
 * schedline-quick: payloads as nearly all kernels print them, with nothing between the keys
 * and no `=` in a comm (schedline.h).
 *
 * What is otherwise in any way is left to the search for keys, which gives the same where
 * both give something.
 */
#include <config.h>

#include "format/logwords.h"
#include "format/schedline-parts.h"

/* Is `text` next?  Then it is passed. */
#define PASS(at, end, text) pass((at), (end), (text), sizeof(text) - 1)

static inline bool
pass(const char **at, const char *end, const char *text, size_t n)
{
	if ((size_t)(end - *at) < n || memcmp(*at, text, n) != 0)
		return false;
	*at += n;
	return true;
}

/* A number of at most seven digits, with something behind it. */
static inline bool
number_pass(const char **at, const char *end, uint32_t *value)
{
	uint64_t w;
	unsigned n;

	if (end - *at < 8)
		return false;
	w = word_load(*at);
	n = word_digits(w);
	if (n == 0 || n == 8)
		return false;
	*value = (uint32_t)word_number(w, n);
	*at += n;
	return true;
}

/* A number that may end the payload. */
static inline bool
number_last(const char **at, const char *end, uint32_t *value)
{
	const char *p = *at;
	uint32_t n = 0;

	if (number_pass(at, end, value))
		return true;
	for (; p < end && is_digit(*p) && p - *at < 8; p++)
		n = n * 10 + (uint32_t)(*p - '0');
	if (p == *at || p - *at == 8)
		return false;
	*value = n;
	*at = p;
	return true;
}

#define TEXT_PASS(at, end, key, text) text_pass((at), (end), (key), sizeof(key) - 1, (text))

/* A text up to a key, which has the first `=`; as long as a comm is. */
static inline bool
text_pass(const char **at, const char *end, const char *key, size_t n, struct str *text)
{
	const char *from = *at, *p = from;
	uint64_t found;

	for (;; p += 8) {
		if (end - p < 8 || p - from > 32)
			return false;
		found = word_find(word_load(p), '=');
		if (found != 0)
			break;
	}
	p += word_first(found) + 1;
	if ((size_t)(p - from) < n || memcmp(p - n, key, n) != 0)
		return false;
	*at = p;
	*text = schedline_text(from, p - n);
	return true;
}

static inline enum task_state
state_quick(struct str s)
{
	if (s.n == 1 && s.p[0] == 'S')
		return TASK_SLEEPING;
	if (s.n == 1 && s.p[0] == 'R')
		return TASK_RUNNABLE;
	if (s.n == 2 && s.p[0] == 'R' && s.p[1] == '+')
		return TASK_PREEMPTED;
	return task_state_parse(s);
}

static bool
switch_quick(struct schedline *s, const char *p, const char *end)
{
	uint32_t number;
	struct str state;

	if (!PASS(&p, end, "prev_comm=") || !TEXT_PASS(&p, end, " prev_pid=", &s->comm) ||
	    !number_pass(&p, end, &s->tid) || !PASS(&p, end, " prev_prio=") ||
	    !number_pass(&p, end, &number) || !PASS(&p, end, " prev_state="))
		return false;
	state.p = p;
	while (p < end && *p != ' ')
		p++;
	state.n = (size_t)(p - state.p);
	if (!PASS(&p, end, " ==> next_comm=") || !TEXT_PASS(&p, end, " next_pid=", &s->next_comm) ||
	    !number_pass(&p, end, &s->next) || !PASS(&p, end, " next_prio=") ||
	    !number_last(&p, end, &number))
		return false;
	s->state = state_quick(state);
	s->priority = (int32_t)number;
	return true;
}

/* comm=C pid=N */
static bool
subject_quick(struct schedline *s, const char *p, const char *end)
{
	return PASS(&p, end, "comm=") && TEXT_PASS(&p, end, " pid=", &s->comm) &&
	    number_pass(&p, end, &s->tid);
}

/* pid=N iowait=N caller=C */
static bool
blocked_quick(struct schedline *s, const char *p, const char *end)
{
	uint32_t io;

	if (!PASS(&p, end, "pid=") || !number_pass(&p, end, &s->tid) || s->tid == 0 ||
	    !PASS(&p, end, " iowait=") || !number_pass(&p, end, &io) ||
	    !PASS(&p, end, " caller="))
		return false;
	s->io = io != 0;
	s->caller = (struct str){p, 0};
	while (p < end && *p != ' ')
		p++;
	s->caller.n = (size_t)(p - s->caller.p);
	return true;
}

bool
schedline_quick(struct schedline *s, enum sched_event event, struct str payload)
{
	const char *end = payload.p + payload.n;

	*s = schedline_nothing;
	switch (event) {
	case EVENT_SWITCH:
		return switch_quick(s, payload.p, end);
	case EVENT_WAKEUP:
	case EVENT_WAKING:
	case EVENT_EXIT:
		return subject_quick(s, payload.p, end);
	case EVENT_BLOCKED:
		return blocked_quick(s, payload.p, end);
	default:
		return false;
	}
}
