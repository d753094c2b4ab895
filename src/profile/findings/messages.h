// SPDX-License-Identifier: Apache-2.0
/*
 * messages: what a thread did between two waits for a message.
 *
 * A message is a longest stretch of a thread's time in which it does not wait in its looper.  Of a
 * log it is time within slices that have an end, and time running, runnable and blocked.  Times
 * are nanoseconds on the axis.
 *
 * One walk over the thread's records.  The call paths of late messages are summed apart from
 * those of all.  Memory: 24 bytes a node of the tree, of which only what is met is touched.
 */
#pragma once

#include "profile/findings/marks.h"

/* A node of the call tree in some messages. */
struct sum {
	uint32_t node;
	uint32_t parent;  /* item + 1; 0: none */
	uint32_t child, sibling; /* item + 1; 0: none */
	uint32_t pending; /* callees that are not added yet */
	nsec own, time; /* on the axis: exclusive, inclusive */
	nsec cpu;                  /* exclusive */
	nsec asleep;               /* exclusive, of a log: in no class of work */
	uint64_t calls, below;     /* below: of callees, too */
};

struct loop_sums {
	struct sum *items;
	uint32_t count;
	size_t room;
	uint32_t *slot; /* by node: where its item may be */
};

/* Calls, or stretches in a state, of a class of work. */
struct work {
	uint64_t count;
	nsec time; /* of states only */
	nsec longest, at;
	uint32_t node;
};

struct message {
	nsec start, time, cpu;
	uint64_t records;
	nsec state[JANK_STATES];
};

/* Messages of one length. */
struct message_group {
	uint64_t count;
	nsec time, over; /* over: the budget, each */
	struct message longest;
	struct loop_sums sums; /* of the longest */
};

enum message_length { LENGTH_LATE, LENGTH_STALL, LENGTH_ANR, LENGTHS };

struct node_marks {
	uint32_t own;    /* of its method */
	uint32_t inside; /* with those of all callers */
	uint32_t caller; /* nearest that is the app's own, METHOD_NONE */
};

struct messages {
	/* Asked for. */
	const struct profile *profile;
	uint32_t thread;
	struct range range;
	struct marks *marks;
	nsec budget, frame_budget; /* longer messages, and frames, are late */
	nsec from[LENGTHS];        /* messages as long as this are of the group */

	/* Found. */
	uint64_t count;
	nsec busy, cpu, late;
	struct message longest;
	struct message_group groups[LENGTHS];
	struct loop_sums all, latest; /* latest: of late messages */
	struct work works_all[FINDING_KINDS], works_late[FINDING_KINDS];
	uint64_t frames, frames_late;
	nsec frames_time, frames_over, frames_worst, frames_worst_at; /* of those over the budget */
	uint64_t records; /* of the thread, in the range */
	uint64_t unfinished; /* slices */
	bool looper; /* it has calls of one */
	uint32_t method_count;
	struct node_marks *nodes;
};

/* False when cancelled; messages_release in both cases. */
bool messages_find(struct messages *, const atomic_bool *cancel);
void messages_release(struct messages *);

/* The item of a node, made with all that call it; sums_close once before times are asked for. */
struct sum *sums_item(struct loop_sums *, uint32_t node);
void sums_close(struct loop_sums *, const struct tree *);
