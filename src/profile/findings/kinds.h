// SPDX-License-Identifier: Apache-2.0
/*
 * kinds: what is judged, and each kind of finding made of it.
 *
 * For findings.c only.  A function makes the finding of a kind, without rank, and says whether
 * there is one; the later ones may look at those before.
 */
#pragma once

#include "profile/findings/messages.h"
#include "profile/log/usage.h"

struct judge {
	const struct profile *profile;
	const struct finding_query *query;
	const atomic_bool *cancel;
	struct findings *f;
	struct messages m;
	nsec overhead;  /* of a record, by the recorder */
	bool sampled, judged; /* judged: there is a thread to judge */
	bool program;   /* a log of one program: judged as a method trace is */
	nsec *cpu;      /* by thread: what it ran, or its records where nothing tells */
	bool cpu_known;
	struct usage *usage; /* of a log with switches, else NULL */
	uint32_t fired; /* mask of 1 << enum finding_kind, of classes of work */
	bool late;      /* some finding has late ms */
	struct range_sums sums; /* of a range, of all threads; else without counts */
};

typedef bool find_kind(struct judge *, enum finding_kind, struct finding *);

find_kind find_messages, find_frames, find_none, find_work, find_path, find_hot, find_calls,
    find_thread, find_process, find_recursion, find_threads, find_anr, find_startup, find_cpu; /* the last three: device.c */

static inline uint32_t
method_at(const struct judge *j, const struct sum *item)
{
	return j->profile->tree.nodes[item->node].method;
}

/* The threshold of a kind. */
nsec judge_least(const struct judge *, enum finding_kind);

/* cause.c ------------------------------------------------------------------------- */

struct tallied {
	uint32_t method; /* METHOD_NONE: of none */
	nsec time;
};

/* Methods with a time each; those of one name in a class are one, those of none another. */
struct kind_tally {
	struct idmap places; /* by method */
	struct intern names;
	struct tallied *items;
	size_t count, room;
};

void tally_add(struct kind_tally *, const struct trace *, uint32_t method, nsec time);
/* The one with the most; the tally is released. */
struct tallied tally_most(struct kind_tally *);

/* Calls of a class of work in the sums: their time and late ms. */
nsec work_time(const struct judge *, const struct loop_sums *, enum finding_kind, nsec *late);
/* The method of a class with the most time, and the caller of the app's own with most of that. */
void work_methods(const struct judge *, const struct loop_sums *, enum finding_kind,
    struct tallied *method, struct tallied *caller);
/* Returns the innermost slice, of a log, in which the thread slept longest. */
struct tallied asleep_most(const struct judge *, const struct loop_sums *);

/* The cause of `whole`; `state`: time in classes of work that are states, of a log. */
void cause_find(const struct judge *, const struct loop_sums *, nsec whole,
    const nsec state[FINDING_KINDS], struct finding_cause *);
/* Only the end of the path, with its late ms. */
void cause_path(const struct judge *, const struct loop_sums *, nsec whole, struct finding_cause *,
    nsec *late);
/* The time in which calls of both methods are open. */
nsec shared_time(const struct judge *, const struct loop_sums *, uint32_t a, uint32_t b);
