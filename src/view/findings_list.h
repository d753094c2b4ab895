// SPDX-License-Identifier: Apache-2.0
/*
 * findings_list: findings as a list: a row each, below an open one what shows it, and last what
 * limits the answer.
 *
 * It takes the findings over and borrows the display.  Sentences are made once, by findings_set.
 */
#pragma once

#include "view/findings.h"
#include "view/list/list.h"

enum findings_column {
#define COLUMN(number, ...) number,
#include "view/findings_list.def"
#undef COLUMN
	FOUND_COLUMNS
};

extern const struct list_source findings_source;

struct findings_list {
	struct list list;
	const struct display *display; /* borrowed */
	struct findings *found;        /* owned; NULL before the first */
	struct str *texts;             /* by finding, then by limit; in the arena */
	struct arena arena;
	bool opened; /* findings were, in the beginning */
};

void findings_list_init(struct findings_list *, const struct display *);
void findings_list_release(struct findings_list *);
/* Takes it over. */
void findings_list_set(struct findings_list *, struct findings *);
/* Below the list, where it leaves room: all of a text of the cursor's finding that was cut. */
void findings_list_draw_whole(const struct findings_list *, struct canvas *, struct rect list);
/* Once the size of the list is known: opens the first finding, and others as long as all fit. */
void findings_list_begin(struct findings_list *);
/* The finding of the cursor's row, or of the row above it; NULL: there is none. */
const struct finding *findings_list_cursor(const struct findings_list *);
/*
 * Appends the first finding in one line, and how it looks; without a finding the first limit;
 * nothing before there is an answer.
 */
look findings_list_first(const struct findings_list *, struct sbuf *out);
/* Members of an open object: a thread with its process. */
void finding_thread(struct json *, const struct finding_words *, uint32_t thread, uint32_t process);
