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
	nsec *cpu;      /* by thread: what it ran, or its records where nothing tells */
	struct usage *usage; /* of a log with switches, else NULL */
	uint32_t fired; /* mask of 1 << enum finding_kind */
	bool user;      /* some finding has user's time */
};

typedef bool find_kind(struct judge *, enum finding_kind, struct finding *);

find_kind find_messages, find_frames, find_none, find_work, find_path, find_hot, find_calls,
    find_thread, find_process;

/* The threshold of a kind. */
nsec judge_least(const struct judge *, enum finding_kind);
