// SPDX-License-Identifier: Apache-2.0
/*
 * schedline: what the kernel's events about threads and cores say.
 *
 * Payloads are "key=value ..."; a comm may hold blanks, `=` and keys, so keys are looked
 * for, in their order, never words counted.  trace-cmd's own form, "comm:pid [prio] state
 * ==> comm:pid [prio]", is read as well.  Borrows the payload.
 *
 * Layout: the kernel's include/trace/events/sched.h, power.h and task.h; trace-cmd's
 * plugin_sched_switch.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "trace/sched.h"

enum sched_event {
	EVENT_NONE,
	EVENT_SWITCH,
	EVENT_WAKEUP,
	EVENT_WAKING,
	EVENT_BLOCKED,
	EVENT_EXIT,
	EVENT_FREE, /* the kernel forgets the thread, some time after its end */
	EVENT_FREQUENCY,
	EVENT_IDLE,
	EVENT_RENAME,
	EVENT_NEWTASK,
};

struct schedline {
	struct str comm;       /* of `tid`; may be empty */
	struct str next_comm;  /* of a switch */
	struct str caller;     /* of a blocked thread; p NULL: not told */
	uint32_t tid;          /* the thread it is about; of a switch, the one that leaves */
	uint32_t next;         /* the thread that begins to run */
	int32_t priority;      /* of `next` */
	uint32_t value;        /* kHz; idle: level, 0 not idle; of a new task clone()'s flags */
	uint32_t cpu;          /* of a frequency or level */
	enum task_state state; /* of the thread that leaves */
	bool io;
};

/* False when the payload does not say what such an event must. */
bool schedline_parse(struct schedline *, enum sched_event, struct str payload);
/* Finds the word, up to a blank, after "key="; false without the key. */
bool payload_word(struct str payload, struct str key, struct str *word);
/* Reads the number that a word begins with; false without one. */
bool word_number(struct str word, int64_t *value);
