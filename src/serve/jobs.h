// SPDX-License-Identifier: Apache-2.0
/*
 * jobs: reports made by processes of their own, so that no trace can harm the server.
 *
 * Few at a time, each with limits of time, memory and output.  A result is a file that
 * appears whole or not at all, and is made once: requests for it meanwhile wait for it.
 */
#pragma once

#include <stdbool.h>
#include <pthread.h>
#include <sys/types.h>

#include "base/sbuf.h"

enum { JOBS_RUN = 2, JOBS_WAIT = 32, JOB_ARGS = 24 };

enum {
	JOB_BUSY = -1,   /* too many wait */
	JOB_KILLED = -2, /* it took too long, or crashed */
};

struct jobs {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	unsigned seconds;
	int waiting;
	bool stopping;
	pid_t pids[JOBS_RUN];              /* 0: free */
	const char *results[JOBS_RUN];
};

void jobs_init(struct jobs *, unsigned seconds);
/* No more of them; those that run are ended. */
void jobs_stop(struct jobs *);
/* Appends a word of its command line, JOB_ARGS at most: the sub-command, options, files. */
void job_word(struct sbuf *args, const char *word);
/*
 * Runs slowtop with these words unless the file `result` is there, which it is to write.  Its exit
 * status, or JOB_...; `words` has what it said.
 */
int job_make(struct jobs *, const struct sbuf *args, const char *result, struct sbuf *words);
