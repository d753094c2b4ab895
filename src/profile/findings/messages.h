// SPDX-License-Identifier: Apache-2.0
/*
 * messages: the work of a thread between two waits for a message.
 *
 * A message is a longest stretch of a thread's time in which it does not wait in its looper; a
 * visit to the looper of no length ends it, too, and so does a second dispatch, of a log a second
 * frame.  Of a log it is time within slices that have an end, and time running, runnable and
 * blocked.  The time of a thread without a looper is not divided.  Times are nanoseconds on the
 * axis.
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
	nsec own_late, late; /* of these, the part over the budget: late ms */
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
	nsec time, late; /* of states only */
	nsec longest, at;
	uint32_t node;
};

/* Frames of the display: calls of one method, of a log rows of profile/timeline/jank.h. */
struct frame_sum {
	uint64_t count, late;
	nsec time, over; /* of the late ones; over: the budget, of told ones the union of what is */
	nsec worst, worst_at; /* the one that is over by most: its length */
	nsec worst_over;
	uint32_t worst_janks; /* bits of log_janks; 0: none are told, */
	enum jank_cause worst_cause;
};

/* A row that is late. */
struct late_row {
	nsec from, due, to;
	bool told; /* by SurfaceFlinger */
	uint32_t janks;
	enum jank_cause cause;
};

struct message {
	nsec start, time, cpu;
	uint64_t records;
	nsec state[JANK_STATES];
	nsec waited; /* asleep in slices that are in no class of work */
	struct frame_sum frames; /* that began in it */
};

/* Late messages of one kind. */
struct message_group {
	uint64_t count, blocked, framed; /* framed: with late frames in them */
	nsec time, over; /* over: the budget, each */
	struct message longest;
	struct loop_sums sums; /* of the longest */
};

/* By length; those of which late frames have half are apart. */
enum message_length { LENGTH_LATE, LENGTH_FRAMES, LENGTH_STALL, LENGTH_ANR, LENGTHS };

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
	bool looper;       /* the thread's time is divided into messages */
	nsec budget, frame_budget; /* longer messages, and frames, are late */
	nsec from[LENGTHS];        /* messages as long as this are of the group */
	bool by_rows;              /* of a log: frames are these rows of the process, in order of time: */
	uint64_t row_count;
	struct late_row *late_rows; /* owned by the caller */
	uint32_t late_row_count;

	/* Found. */
	uint64_t count, late_count;
	nsec busy, cpu;
	nsec late_time, late; /* of late messages: their length, and what is over the budget */
	struct message longest;
	struct message_group groups[LENGTHS];
	struct loop_sums all, latest; /* latest: of late messages */
	struct work works_all[FINDING_KINDS], works_late[FINDING_KINDS];
	struct frame_sum frames, frames_apart; /* apart: in no stall */
	struct loop_sums frame; /* of the worst of these */
	struct range *stalls; /* messages in order of time, of both kinds */
	size_t stall_count, stall_room;
	uint64_t records; /* of the thread, in the range */
	uint64_t unfinished; /* slices */
	bool looped; /* it was in its looper in the range */
	uint32_t method_count;
	struct node_marks *nodes;
};

/* The marks of the thread's nodes, for messages_find; true if it has calls of a looper. */
bool messages_look(struct messages *);
/* False when cancelled; messages_release in both cases. */
bool messages_find(struct messages *, const atomic_bool *cancel);
void messages_release(struct messages *);

/* The item of a node, made with all that call it; sums_close once before times are asked for. */
struct sum *sums_item(struct loop_sums *, uint32_t node);
void sums_close(struct loop_sums *, const struct tree *);
