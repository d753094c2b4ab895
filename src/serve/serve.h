// SPDX-License-Identifier: Apache-2.0
/*
 * serve: a folder of traces as web pages; they are uploaded, listed, reported and compared.
 *
 * The server reads no trace itself: reports are made by processes of their own (jobs.h), and
 * are files beside the traces (store.h).  No path is made of what a client sends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/*
 * In the environment of processes that make reports.  These end with such a status where the
 * system failed, not the trace or what was asked of it.
 */
#define SERVE_JOB "SLOWTOP_JOB"
enum {
	SERVE_FULL = 100, /* no space */
	SERVE_BUSY,       /* no files, no threads */
	SERVE_MEMORY,
	SERVE_GONE, /* the trace is not there */
	SERVE_FAILED,
};

struct serve_options {
	const char *folder;
	const char *listen;     /* ADDRESS:PORT, or NULL; port 0: any */
	const char *token_file; /* NULL: none, on the loopback interface only */
	bool read_token;        /* reading needs one, too */
	const char *host;       /* further name that clients may use, or NULL */
	uint64_t max_upload, max_total; /* bytes; 0: 1 GB and 20 GB */
	unsigned max_age;               /* days; 0: any */
	unsigned job_time;              /* seconds; 0: 60 */
	FILE *out; /* gets the address, when it can be used */
	FILE *log; /* gets a line for each request */
};

/*
 * Until SIGINT or SIGTERM, or SIGHUP, which with tokens has their file read again.  The working
 * directory becomes the folder.
 */
bool serve_run(const struct serve_options *, struct err *);
/* Version of the library that it needs; NULL: built without. */
const char *serve_library(void);
