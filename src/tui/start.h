// SPDX-License-Identifier: Apache-2.0
/*
 * start: what the browser begins with, where the command line says so.
 *
 * What can be known only of records (threads, methods) is looked for while they come, and
 * what is still missing when all are there is told.  Texts are borrowed.
 */
#pragma once

#include "profile/sum/range.h"
#include "profile/sum/transform.h"
#include "view/names/processes.h"

struct app;
struct pattern;

struct start {
	const char *view; /* a word of views_word; NULL: the first */
	const char *const *filters; /* texts as after & */
	size_t filter_count;
	struct pattern *const *methods; /* to begin at the first that matches any */
	size_t method_count;
	const struct transforms *transforms; /* NULL: none */
	struct thread_words threads;
	struct range window;
	const char *sort; /* of the view (list_sort_word); NULL: its own */
	bool together; /* one call tree for all threads */
};

/* Before the first screen. */
void start_begin(struct app *, const struct start *);
/* Goes on when new threads and methods have come. */
void start_follow(struct app *);
/* The user moved: the start no longer places the cursor. */
void start_moved(struct app *);
