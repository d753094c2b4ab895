/* sched-state: the states of threads by the letters or bits of sched_switch (sched.h). */
#include <config.h>

#include "trace/sched.h"

const struct task_state_info task_states[TASK_STATES] = {
	[TASK_UNKNOWN] = { "", "Unknown", TASK_CLASS_NONE },
	[TASK_RUNNING] = { "", "Running", TASK_CLASS_RUNNING },
	[TASK_RUNNABLE] = { "R", "Runnable", TASK_CLASS_RUNNABLE },
	[TASK_PREEMPTED] = { "R+", "Runnable (preempted)", TASK_CLASS_RUNNABLE },
	[TASK_SLEEPING] = { "S", "Sleeping", TASK_CLASS_SLEEP },
	[TASK_BLOCKED] = { "D", "Uninterruptible sleep", TASK_CLASS_BLOCKED },
	[TASK_BLOCKED_KILLABLE] = { "DK", "Uninterruptible, killable", TASK_CLASS_BLOCKED },
	[TASK_STOPPED] = { "T", "Stopped", TASK_CLASS_STOPPED },
	[TASK_TRACED] = { "t", "Traced", TASK_CLASS_STOPPED },
	[TASK_EXITED] = { "X", "Exited", TASK_CLASS_DEAD },
	[TASK_ZOMBIE] = { "Z", "Zombie", TASK_CLASS_DEAD },
	[TASK_DEAD] = { "x", "Dead", TASK_CLASS_DEAD },
	[TASK_IDLE] = { "I", "Idle kernel thread", TASK_CLASS_SLEEP },
	[TASK_WAKE_KILL] = { "K", "Wake-kill", TASK_CLASS_SLEEP },
	[TASK_WAKING] = { "W", "Waking", TASK_CLASS_SLEEP },
	[TASK_PARKED] = { "P", "Parked", TASK_CLASS_SLEEP },
	[TASK_NO_LOAD] = { "N", "No load", TASK_CLASS_SLEEP },
	[TASK_OTHER] = { "?", "Other", TASK_CLASS_OTHER },
};

/* Where letters are combined the first of these that is among them decides. */
static const char decisive[] = "XZxDTtISKWPNR";

static const enum task_state by_letter[] = {TASK_EXITED, TASK_ZOMBIE, TASK_DEAD, TASK_BLOCKED,
	TASK_STOPPED, TASK_TRACED, TASK_IDLE, TASK_SLEEPING, TASK_WAKE_KILL, TASK_WAKING,
	TASK_PARKED, TASK_NO_LOAD, TASK_RUNNABLE};

/* trace-cmd's raw bits, as the kernel had them before 4.14. */
static enum task_state
state_number(uint64_t n)
{
	static const enum task_state by_bit[] = {TASK_SLEEPING, TASK_BLOCKED, TASK_STOPPED,
	    TASK_TRACED, TASK_EXITED, TASK_ZOMBIE, TASK_DEAD, TASK_WAKE_KILL};

	if (n == 0)
		return TASK_RUNNABLE;
	if (n >= 0x100 && (n & (n - 1)) == 0)
		return TASK_PREEMPTED;
	if ((n & 0x82) == 0x82)
		return TASK_BLOCKED_KILLABLE;
	if ((n & 0x30) != 0)
		return (n & 0x10) != 0 ? TASK_EXITED : TASK_ZOMBIE;
	if ((n & 2) != 0)
		return (n & 0x400) != 0 ? TASK_IDLE : TASK_BLOCKED;
	for (int i = 0; i < 8; i++) {
		if ((n & 1u << i) != 0)
			return by_bit[i];
	}
	return TASK_OTHER;
}

enum task_state
task_state_parse(struct str s)
{
	bool killable = false, plus = s.n > 0 && s.p[s.n - 1] == '+';
	size_t best = sizeof(by_letter) / sizeof(by_letter[0]);
	uint64_t number = 0;

	s.n -= plus;
	if (s.n == 0)
		return TASK_OTHER;
	if (s.p[0] >= '0' && s.p[0] <= '9') {
		for (size_t i = 0; i < s.n; i++) {
			if (s.p[i] < '0' || s.p[i] > '9' || i == 9)
				return TASK_OTHER;
			number = number * 10 + (uint64_t)(s.p[i] - '0');
		}
		return plus ? TASK_OTHER : state_number(number);
	}
	for (size_t i = 0; i < s.n; i++) {
		const char *at = memchr(decisive, s.p[i], sizeof(decisive) - 1);

		killable |= s.p[i] == 'K';
		if (s.p[i] == '|')
			continue;
		if (at == NULL)
			return TASK_OTHER;
		if ((size_t)(at - decisive) < best)
			best = (size_t)(at - decisive);
	}
	if (best == sizeof(by_letter) / sizeof(by_letter[0]))
		return TASK_OTHER;
	if (plus)
		return by_letter[best] == TASK_RUNNABLE ? TASK_PREEMPTED : TASK_OTHER;
	if (by_letter[best] == TASK_BLOCKED && killable)
		return TASK_BLOCKED_KILLABLE;
	return by_letter[best];
}
