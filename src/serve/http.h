// SPDX-License-Identifier: Apache-2.0
/*
 * http: what a request is while it is answered; http.c takes requests and checks access,
 * and answers.c makes the answers.  By libmicrohttpd, with a thread for each connection.
 */
#pragma once

#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <time.h>

#include "base/sbuf.h"
#include "serve/jobs.h"
#include "serve/serve.h"
#include "serve/store.h"

enum {
	CLIENTS = 256,
	ANSWER_SECONDS = 1800, /* for a whole upload, and for an answer to be fetched */
};

struct server;

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
	const char *method;
	struct upload upload;
	struct MHD_PostProcessor *form;
	struct sbuf token, name;
	uint64_t step; /* bytes of the upload when it was looked at last */
	int status;    /* why nothing more is taken */
	bool uploads;
};

struct server {
	const struct serve_options *options;
	struct sbuf text; /* of the file with the token: */
	struct str token; /* empty: none is needed */
	char address[INET6_ADDRSTRLEN];
	struct jobs jobs;
	pthread_mutex_t mutex;
	struct request requests[CLIENTS];
};

/* The connection is ended after so many seconds. */
void until(struct request *, int64_t seconds);

/* answers.c: each queues an answer and notes its status; texts are used up. */
extern const char policy_page[];
enum MHD_Result send_text(struct MHD_Connection *, struct request *, int status, struct sbuf *text,
    const char *type, const char *policy, const char *location);
enum MHD_Result send_message(struct MHD_Connection *, struct request *, int status, struct str words);
enum MHD_Result send_status(struct MHD_Connection *, struct request *, int status);
/* Appends the way from the request's address to the list: a proxy may put it anywhere. */
void put_root(const struct request *, struct sbuf *out);
/* To a request that changes nothing. */
enum MHD_Result answer_get(struct MHD_Connection *, struct request *, const char *url);
