// SPDX-License-Identifier: Apache-2.0
/*
 * sequence_list: what a thread did, in the order of time: a tree of its calls.
 *
 * Its rows are those of profile/timeline/sequence.h but for calls that were open all the time,
 * which are in the heading.  Where one child has most of the time of its row it is open at first.
 * It takes the result over and borrows the display.
 */
#pragma once

#include "profile/timeline/sequence.h"
#include "view/list/list.h"

enum sequence_column {
#define COLUMN(number, ...) number,
#include "view/sequence_list.def"
#undef COLUMN
	SEQUENCE_COLUMNS
};

extern const struct list_source sequence_source;

struct sequence_list {
	struct list list;
	const struct display *display; /* borrowed */
	struct thread_sequence *sequence; /* owned; NULL before the first */
	uint32_t thread;
	/* Thread (identity_thread) and range whose heaviest rows were opened at first. */
	uint64_t opened;
	struct range opened_range;
	enum clock_id clock; /* of the time axis */
};

void sequence_list_init(struct sequence_list *, const struct display *);
void sequence_list_release(struct sequence_list *);
/* Takes it over. */
void sequence_list_set(struct sequence_list *, struct thread_sequence *);
/* Returns the cursor's row of the sequence; NULL: there is none. */
const struct sequence_row *sequence_list_cursor(const struct sequence_list *);
/*
 * The thread to show of those in scope: the main one if it has something of the fold's range, else
 * the one with a call open for most of it; without any the main one.  THREAD_NONE: there is none.
 */
uint32_t sequence_thread(const struct trace *, const struct fold *, const struct scope *);
