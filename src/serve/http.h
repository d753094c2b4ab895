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
	JOB_SECONDS = 3600,    /* jobs have limits of their own */
};

/* A connection, ended when it takes too long: a byte now and then keeps no other away. */
struct client {
	int fd; /* -1: free */
	int64_t until_ms;
	struct request *request; /* that has begun; NULL: none */
};

struct server {
	const struct serve_options *options;
	struct sbuf token;
	char address[INET6_ADDRSTRLEN];
	struct jobs jobs;
	pthread_mutex_t mutex; /* of all below */
	struct client clients[CLIENTS];
	int busy; /* requests being answered */
};

struct request {
	struct server *server;
	struct client *client;
	struct timespec begun;
	const char *method;
	struct sbuf url;
	struct upload upload;
	struct MHD_PostProcessor *form;
	struct sbuf token, name;
	uint64_t step; /* bytes of the upload when it was looked at last */
	int status;    /* why nothing more is taken */
	bool uploads;
};

/* The connection is ended after so many seconds. */
void until(struct server *, struct client *, int64_t seconds);

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
