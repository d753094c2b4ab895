// SPDX-License-Identifier: Apache-2.0
/*
 * http: what a request is while it is answered; http.c takes requests, access.c checks whether
 * they may be answered, answers.c makes the answers, and adopt.c lists traces of the folder before
 * the first request.  By libmicrohttpd, with a thread for each connection.
 */
#pragma once

#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <time.h>

#include "base/library.h"
#include "base/sbuf.h"
#include "serve/jobs.h"
#include "serve/serve.h"
#include "serve/store.h"

enum {
	CLIENTS = 256,
	CLIENTS_EACH = 32, /* of one address; that of the machine itself may be a proxy's: */
	CLIENTS_LOCAL = 192,
	WRONGS = 1 << 16,
	ANSWER_SECONDS = 1800, /* for a whole upload, and for an answer to be fetched */
};

/* libmicrohttpd's functions. */
#define MHD_FUNCTIONS(ROW) \
	ROW(MHD_lookup_connection_value) \
	ROW(MHD_basic_auth_get_username_password) \
	ROW(MHD_free) \
	ROW(MHD_get_connection_values) \
	ROW(MHD_add_response_header) \
	ROW(MHD_queue_response) \
	ROW(MHD_destroy_response) \
	ROW(MHD_create_response_from_buffer) \
	ROW(MHD_create_response_from_fd64) \
	ROW(MHD_destroy_post_processor) \
	ROW(MHD_get_connection_info) \
	ROW(MHD_create_post_processor) \
	ROW(MHD_post_process) \
	ROW(MHD_start_daemon) \
	ROW(MHD_get_daemon_info) \
	ROW(MHD_quiesce_daemon) \
	ROW(MHD_stop_daemon)

struct mhd_functions {
	MHD_FUNCTIONS(LIBRARY_MEMBER)
};

struct server;

/*
 * Upload tokens.  An address that sends many wrong ones has to wait.  Wrong ones are counted by a
 * keyed hash of the address, so that other addresses cannot push its counter out.
 */
struct tokens {
	pthread_mutex_t mutex;
	struct sbuf text; /* of their file, a token in each line; empty: none is needed */
	uint64_t key;
	struct wrong {
		int64_t since_ms;
		int count;
	} *wrong; /* WRONGS */
};

/*
 * A connection, and what it asks now.  It is ended when it takes too long: a byte now and then
 * keeps no other away.
 */
struct request {
	struct server *server;
	int fd;           /* -1: there is no such connection; under the mutex, as the next two: */
	int64_t until_ms;
	bool begun;       /* a request is being answered */
	struct sbuf url;  /* as it was sent, without the query, which may hold secrets */
	int64_t begun_ms;
	char address[INET6_ADDRSTRLEN]; /* the client's */
	const char *method;
	uint64_t sent; /* bytes of the answer */
	struct upload upload;
	struct MHD_PostProcessor *form;
	struct sbuf token, name;
	uint64_t step; /* bytes of the upload when it was looked at last */
	int status;    /* why nothing more is taken */
	int traces;    /* files in the form */
	bool uploads, is_form;
	bool admitted; /* its token was seen */
};

struct server {
	struct mhd_functions mhd;
	const struct serve_options *options;
	struct tokens tokens;
	char address[INET6_ADDRSTRLEN];
	struct jobs jobs;
	pthread_mutex_t keeping; /* names are given to files of traces, and taken */
	pthread_mutex_t mutex;
	struct request requests[CLIENTS];
};

static inline const struct mhd_functions *
mhd(const struct request *r)
{
	return &r->server->mhd;
}

/* Control characters are shown, and what is beyond the longest name is left out. */
void name_clean(struct sbuf *name);

/* adopt.c: gives ids to traces of the folder that have none; how many there are. */
unsigned adopt_all(struct server *);
struct job_ask;
/*
 * Writes the line that `slowtop triage` has of a file, as its result, if it can read it: what the
 * list shows.  As job_make; only where the result goes, and for whom, is taken of the asking.
 */
int line_make(struct server *, const struct job_ask *, const char *file, struct sbuf *words);

/* access.c: */

/* Replaces the tokens by those of a file; on failure the old ones stay. */
bool tokens_read(struct tokens *, const char *path, struct err *);
/* 0: the token is good, or none is needed; else 401 or 429. */
int token_check(struct tokens *, const char *address, struct str given);
/* Why a request is not answered, before its body: a status, sometimes `words`; 0: go on. */
int refuse(struct MHD_Connection *, struct request *, const char *url, struct sbuf *words);
/* Returns the methods allowed for an address, as in the header Allow. */
const char *methods_of(const char *url);

/* answers.c: each queues an answer and notes its status; texts are used up. */
extern const char policy_page[];
enum MHD_Result send_text(struct MHD_Connection *, struct request *, int status, struct sbuf *text,
    const char *type, const char *policy, const char *location);
enum MHD_Result send_message(
    struct MHD_Connection *, struct request *, int status, struct str words);
enum MHD_Result send_status(struct MHD_Connection *, struct request *, int status);
/* Appends the way from the request's address to the list: a proxy may put it anywhere. */
void put_root(const struct request *, struct sbuf *out);
/* The status for an errno. */
int status_of(int error);
/* For readers: without what only the command line has, and with `name` for the file `path`. */
void words_clean(struct sbuf *words, const char *queries, const char *path, struct str name);
/* To a request that changes nothing. */
enum MHD_Result answer_get(struct MHD_Connection *, struct request *, const char *url);
