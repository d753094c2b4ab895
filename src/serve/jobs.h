// SPDX-License-Identifier: Apache-2.0
/*
 * jobs: reports made by processes of their own, so that no trace can harm the server.
 *
 * Few at a time, each with limits of time, memory and disk, which is reserved before; uploads
 * have a place that reports do not take, and no address takes all places.  A result is a file that
 * appears whole or not at all, and is made once: requests for it meanwhile share the job, which
 * ends early when the clients of all have left.
 */
#pragma once

#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/sbuf.h"
#include "serve/store.h"

enum { JOBS_RUN = 4, JOBS_WAIT = 64, JOBS_UPLOADS = 8, JOBS_EACH = 28 /* of an address */ };
enum { JOB_ARGS = 128, RESULT_SIZE = 96 };

/* Results of job_make beside the exit status of a process. */
enum {
	JOB_BUSY = -1,   /* too many wait, or the system gives no process */
	JOB_KILLED = -2, /* it took too long or too much memory, or crashed */
	JOB_FULL = -3,   /* it would need more of the disk than may be used */
	JOB_LEFT = -4,   /* the client has gone */
	JOB_GONE = -5,   /* a trace is not there any more */
	JOB_FAILED = -6, /* the system failed otherwise */
};

/* One is free when it is neither active nor wanted. */
struct job {
	char result[RESULT_SIZE]; /* empty: it is not to be shared */
	char address[INET6_ADDRSTRLEN]; /* of the client that asked first */
	bool active, upload;      /* active: a request waits for a process, or listens to it */
	bool done;
	int wanted; /* requests whose clients are there */
	pid_t pid;  /* 0: it does not run */
	int status;
	struct sbuf words;
};

struct jobs {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	unsigned seconds;
	uint64_t disk_most;  /* bytes of a file that a job may write */
	uint64_t cache_most; /* bytes of all results that are kept */
	uint64_t reserved;
	bool stopping;
	struct job all[JOBS_WAIT];
};

/* A request for a job. */
struct job_ask {
	const struct sbuf *args; /* by job_word */
	const char *result;      /* the file that it writes; kept for exit status 1 as RESULT!, 4 as RESULT~ */
	const char (*of)[ID_SIZE]; /* ids of traces; without them the result is not kept */
	int of_count;
	const char *address;     /* the client's */
	int client;              /* its socket; -1: none */
	bool upload;             /* for an upload: no other request shares it */
};

void jobs_init(struct jobs *, unsigned seconds, uint64_t disk_most, uint64_t cache_most);
/* No more of them; those that run are ended. */
void jobs_stop(struct jobs *);
/* When no request is left. */
void jobs_release(struct jobs *);
/* Appends a word of its command line, JOB_ARGS at most: the sub-command, options, files. */
void job_word(struct sbuf *args, const char *word);
/*
 * Runs slowtop with these words unless the result is there.  Its exit status, or JOB_...; for 0,
 * 1 and 4 `fd` is the result, to be closed.  `words` has what it said.
 */
int job_make(struct jobs *, const struct job_ask *, int *fd, struct sbuf *words);
