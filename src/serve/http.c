// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "serve/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/worker.h"

enum {
	HEAD_SECONDS = 15,      /* for the head of a request */
	STEP_SECONDS = 15,      /* for its next STEP_BYTES */
	STEP_BYTES = 64 << 10,
	STOP_SECONDS = 8,
	METHOD_SHOWN = 32,
	DISK_MOST = 256 << 20, /* of a file that a job writes; or as large as uploads are */
};

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* Ends the connection after so many seconds. */
static void
until(struct request *r, int64_t seconds)
{
	pthread_mutex_lock(&r->server->mutex);
	r->until_ms = clock_ms() + seconds * 1000;
	pthread_mutex_unlock(&r->server->mutex);
}

/* Requests that change something ------------------------------------------------------ */

static void
upload_take(struct request *r, const char *bytes, size_t n)
{
	struct server *s = r->server;

	if (r->status != 0 || n == 0)
		return;
	if (r->upload.bytes + n > s->options->max_upload)
		r->status = 413;
	else if ((r->upload.path.n == 0 && !upload_open(&r->upload)) ||
	    !upload_add(&r->upload, bytes, n))
		r->status = status_of(errno);
	if (r->upload.bytes - r->step >= STEP_BYTES) {
		r->step = r->upload.bytes;
		if (store_space() == 0)
			r->status = 507;
		until(r, STEP_SECONDS);
	}
}

/* A piece of a field of the form; the token comes before the file. */
static enum MHD_Result
field_take(void *context, enum MHD_ValueKind kind, const char *key, const char *filename,
    const char *type, const char *encoding, const char *data, uint64_t offset, size_t size)
{
	struct request *r = context;

	if (key == NULL) /* a part without a name */
		return MHD_YES;
	if (strcmp(key, "token") == 0 && r->token.n + size <= 4096)
		sbuf_bytes(&r->token, data, size);
	if (strcmp(key, "trace") != 0 || r->status != 0)
		return MHD_YES;
	if (!r->admitted)
		r->status = token_check(&r->server->tokens, r->address, sbuf_view(&r->token));
	r->admitted = r->status == 0;
	if (offset == 0 && size > 0 && r->traces++ > 0)
		r->status = 400; /* the second would be put after the first */
	if (offset == 0 && r->name.n == 0 && filename != NULL)
		sbuf_text(&r->name, filename);
	upload_take(r, data, size);
	return MHD_YES;
}

/* MHD_NO: something of the form is missing. */
static enum MHD_Result
form_end(struct request *r)
{
	enum MHD_Result whole = mhd(r)->MHD_destroy_post_processor(r->form);

	r->form = NULL;
	return whole;
}

void
name_clean(struct sbuf *name)
{
	struct sbuf clean = {0};

	clean_append(&clean, str_head(sbuf_view(name), NAME_MAX_BYTES / 4), 0);
	sbuf_release(name);
	*name = clean;
	if (name->n == 0)
		sbuf_text(name, "unnamed");
}

/*
 * Appends the address that the client called, as far as it and a proxy tell; a link to another
 * place is only told to those that sent it.
 */
static void
put_address(struct MHD_Connection *c, const struct request *r, struct sbuf *out)
{
	const char *host = mhd(r)->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host");
	const char *scheme = mhd(r)->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "X-Forwarded-Proto");
	const char *prefix = mhd(r)->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "X-Forwarded-Prefix");
	bool secure = scheme != NULL && strcmp(scheme, "https") == 0;

	sbuf_printf(out, "http%s://%s", secure ? "s" : "", host);
	if (prefix != NULL)
		clean_append(out, str_from(prefix), 0);
	while (out->p[out->n - 1] == '/')
		out->p[--out->n] = '\0';
}

static enum MHD_Result
send_stored(struct MHD_Connection *c, struct request *r, const char *id, int status)
{
	struct sbuf location = {0}, text = {0};
	enum MHD_Result sent;

	put_root(r, &location);
	sbuf_printf(&location, "t/%s", id);
	put_address(c, r, &text);
	sbuf_printf(&text, "/t/%s\n", id);
	sent = send_text(c, r, r->is_form ? 303 : status, &text, "text/plain; charset=utf-8",
	    policy_page, sbuf_cstr(&location));
	sbuf_release(&location);
	return sent;
}

/* Is it a trace?  A status; `words` says why not. */
static int
upload_look(struct request *r, const char *line, struct sbuf *words)
{
	struct job_ask ask = {.result = line, .address = r->address, .client = r->fd, .upload = true};
	int made;

	until(r, ANSWER_SECONDS);
	made = line_make(r->server, &ask, sbuf_cstr(&r->upload.path), words);
	words_clean(words, "", sbuf_cstr(&r->upload.path), sbuf_view(&r->name));
	switch (made) {
	case 0:
		return 201;
	case JOB_BUSY:
	case JOB_LEFT:
		return 503;
	case JOB_FULL:
		sbuf_clear(words);
		sbuf_printf(words, "%s: to read it takes more of the disk than may be used",
		    sbuf_cstr(&r->name));
		return 507;
	case JOB_GONE:
	case JOB_FAILED:
		return 500;
	case JOB_KILLED:
		sbuf_clear(words);
		sbuf_printf(words, "%s: to read it takes too long or too much memory",
		    sbuf_cstr(&r->name));
		return 413;
	default:
		return 415;
	}
}

/* Gives it its name; a status. */
static int
upload_name(struct request *r, const char *id, const char *line)
{
	struct server *s = r->server;
	int status = 201;

	pthread_mutex_lock(&s->keeping);
	if (store_has(id))
		status = 200;
	else if (!upload_keep(&r->upload, id, sbuf_view(&r->name), line))
		status = status_of(errno);
	else
		store_retain(s->options->max_age, s->options->max_total);
	pthread_mutex_unlock(&s->keeping);
	return status;
}

/* All of it has come: it is kept if slowtop can read it. */
static enum MHD_Result
upload_finish(struct MHD_Connection *c, struct request *r)
{
	struct sbuf line = {0}, words = {0};
	char id[ID_SIZE];
	enum MHD_Result sent;
	int status;

	if (r->form != NULL && form_end(r) == MHD_NO && r->status == 0)
		return send_message(c, r, 400, STR("the form ends before its last boundary"));
	if (r->status != 0)
		return send_message(
		    c, r, r->status, r->traces > 1 ? STR("one trace at a time") : STR(""));
	if (r->upload.path.n == 0)
		return send_message(c, r, 400, STR("nothing was sent"));
	if (!upload_end(&r->upload, id))
		return send_status(c, r, status_of(errno));
	if (store_has(id))
		return send_stored(c, r, id, 200);
	name_clean(&r->name);
	sbuf_printf(&line, "%s.line", sbuf_cstr(&r->upload.path));
	status = upload_look(r, sbuf_cstr(&line), &words);
	if (status == 201)
		status = upload_name(r, id, sbuf_cstr(&line));
	(void)unlink(sbuf_cstr(&line));
	sent = status == 200 || status == 201 ? send_stored(c, r, id, status)
					      : send_message(c, r, status, sbuf_view(&words));
	sbuf_release(&line);
	sbuf_release(&words);
	return sent;
}

static enum MHD_Result
answer_delete(struct MHD_Connection *c, struct request *r, const char *url)
{
	char id[ID_SIZE];
	struct sbuf text = {0};

	if (strncmp(url, "/t/", 3) != 0 || strlen(url) != 3 + ID_SIZE - 1 ||
	    !id_take(str_from(url + 3), id) || !store_has(id))
		return send_status(c, r, 404);
	pthread_mutex_lock(&r->server->keeping);
	store_remove(id);
	pthread_mutex_unlock(&r->server->keeping);
	sbuf_text(&text, "removed\n");
	return send_text(c, r, 200, &text, "text/plain", policy_page, NULL);
}

static void
address_of(struct MHD_Connection *c, struct request *r)
{
	const union MHD_ConnectionInfo *info =
	    mhd(r)->MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const union address *a = info != NULL ? (const void *)info->client_addr : NULL;
	bool v6 = a != NULL && a->any.sa_family == AF_INET6;

	if (a == NULL ||
	    inet_ntop(a->any.sa_family, v6 ? (const void *)&a->v6.sin6_addr : &a->v4.sin_addr,
		r->address, sizeof(r->address)) == NULL)
		snprintf(r->address, sizeof(r->address), "-");
}

static enum MHD_Result
begin(struct MHD_Connection *c, struct request *r, const char *url, const char *method)
{
	struct sbuf words = {0};
	enum MHD_Result sent = MHD_YES;
	int refused;

	r->begun_ms = clock_ms();
	r->method = method;
	r->upload.fd = -1;
	address_of(c, r);
	pthread_mutex_lock(&r->server->mutex);
	r->begun = true;
	pthread_mutex_unlock(&r->server->mutex);
	refused = refuse(c, r, url, &words);
	until(r, r->uploads ? STEP_SECONDS : ANSWER_SECONDS);
	if (refused == 0 && r->is_form &&
	    (r->form = mhd(r)->MHD_create_post_processor(c, 4096, field_take, r)) == NULL)
		refused = 400;
	if (refused == 0 && r->uploads && !r->is_form)
		sbuf_text(&r->name, url + strlen("/upload/"));
	if (refused != 0)
		sent = send_message(c, r, refused, sbuf_view(&words));
	sbuf_release(&words);
	return sent;
}

static struct request *
request_of(const struct server *s, struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
	    s->mhd.MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info != NULL ? info->socket_context : NULL;
}

static enum MHD_Result
answer(void *context, struct MHD_Connection *c, const char *url, const char *method,
    const char *version, const char *data, size_t *size, void **state)
{
	struct request *r = request_of(context, c);

	if (r == NULL)
		return MHD_NO;
	if (*state == NULL) {
		*state = r;
		return begin(c, r, url, method);
	}
	if (*size > 0) {
		if (r->form != NULL)
			(void)mhd(r)->MHD_post_process(r->form, data, *size);
		else if (r->uploads)
			upload_take(r, data, *size);
		*size = 0;
		/* A refusal is sent after the body, if that ends soon. */
		return MHD_YES;
	}
	if (r->uploads)
		return upload_finish(c, r);
	if (strcmp(method, "DELETE") == 0)
		return answer_delete(c, r, url);
	return answer_get(c, r, url);
}

/* Connections and requests begin and end -------------------------------------------------- */

/* The head's first line has come. */
static void *
line_take(void *context, const char *uri, struct MHD_Connection *c)
{
	struct request *r = request_of(context, c);

	if (r != NULL) {
		sbuf_clear(&r->url);
		clean_append(&r->url, (struct str){uri, strcspn(uri, "?")}, 0);
	}
	return NULL;
}

static struct request
connected(struct server *s, int fd)
{
	return (struct request){
	    .server = s, .fd = fd, .until_ms = clock_ms() + HEAD_SECONDS * 1000};
}

static void
request_end(void *context, struct MHD_Connection *c, void **state,
    enum MHD_RequestTerminationCode why)
{
	struct request *r = *state;
	time_t now = time(NULL);
	struct tm tm;
	char when[32] = "";
	struct sbuf method = {0};

	if (r == NULL)
		return;
	if (gmtime_r(&now, &tm) != NULL)
		(void)strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	clean_append(&method, str_head(str_from(r->method), METHOD_SHOWN), 0);
	fprintf(r->server->options->log, "%s %s %s %s %d %llu %llu %lld ms\n", when, r->address,
	    sbuf_cstr(&method), sbuf_cstr(&r->url), r->status, (unsigned long long)r->upload.bytes,
	    (unsigned long long)r->sent, (long long)(clock_ms() - r->begun_ms));
	sbuf_release(&method);
	fflush(r->server->options->log);
	if (r->form != NULL)
		(void)form_end(r);
	upload_release(&r->upload);
	sbuf_release(&r->url);
	sbuf_release(&r->token);
	sbuf_release(&r->name);
	*state = NULL;
	pthread_mutex_lock(&r->server->mutex);
	*r = connected(r->server, r->fd);
	pthread_mutex_unlock(&r->server->mutex);
}

static void
connection_changed(void *context, struct MHD_Connection *c, void **socket_context,
    enum MHD_ConnectionNotificationCode what)
{
	struct server *s = context;
	struct request *r = *socket_context;
	const union MHD_ConnectionInfo *info =
	    s->mhd.MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);

	pthread_mutex_lock(&s->mutex);
	if (what == MHD_CONNECTION_NOTIFY_STARTED && info != NULL) {
		for (r = s->requests; r < s->requests + CLIENTS && r->fd >= 0;)
			r++;
		if (r < s->requests + CLIENTS) {
			*r = connected(s, info->connect_fd);
			*socket_context = r;
		}
	} else if (r != NULL) {
		sbuf_release(&r->url);
		r->fd = -1;
		*socket_context = NULL;
	}
	pthread_mutex_unlock(&s->mutex);
}

/* Ends connections whose time is over, or all; how many requests are being answered. */
static int
end_slow(struct server *s, bool all)
{
	int64_t now = clock_ms();
	int busy = 0;

	pthread_mutex_lock(&s->mutex);
	for (const struct request *r = s->requests; r < s->requests + CLIENTS; r++) {
		if (r->fd >= 0 && (all || now >= r->until_ms))
			(void)shutdown(r->fd, SHUT_RDWR);
		busy += r->fd >= 0 && r->begun;
	}
	pthread_mutex_unlock(&s->mutex);
	return busy;
}

/* Start and end -------------------------------------------------------------------------- */

/* "ADDRESS:PORT", the address of version 6 in brackets; `host` gets the address as written. */
static bool
address_parse(const char *text, union address *a, char host[static INET6_ADDRSTRLEN], bool *local,
    struct err *e)
{
	const char *colon = strrchr(text, ':');
	size_t n = colon != NULL ? (size_t)(colon - text) : 0;
	bool v6 = n > 2 && *text == '[' && text[n - 1] == ']', good = false;
	char number[INET6_ADDRSTRLEN];
	uint64_t port;

	*a = (union address){.any.sa_family = v6 ? AF_INET6 : AF_INET};
	if (n > 0 && n < INET6_ADDRSTRLEN && colon[1] != '\0' &&
	    *digits_take(colon + 1, colon + strlen(colon), 5, &port) == '\0' && port <= 65535) {
		*(v6 ? &a->v6.sin6_port : &a->v4.sin_port) = htons((uint16_t)port);
		snprintf(host, INET6_ADDRSTRLEN, "%.*s", (int)n, text);
		snprintf(number, sizeof(number), "%.*s", (int)n - 2 * v6, text + v6);
		good = inet_pton(a->any.sa_family, number,
			   v6 ? (void *)&a->v6.sin6_addr : &a->v4.sin_addr) == 1;
		*local = v6 ? IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr)
			    : ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
	}
	return good || err_set(e, ERR_MALFORMED,
	    "--listen takes an address and a port, such as 127.0.0.1:8790");
}

/* Until a signal ends it; SIGHUP, when there are tokens, does not, but has them read again. */
static void
signals_await(struct server *s, const sigset_t *signals)
{
	const char *tokens = s->options->token_file;
	struct err e;
	int came;

	for (int seconds = 0;; seconds++) {
		(void)end_slow(s, false);
		if (seconds % 3600 == 0) {
			pthread_mutex_lock(&s->keeping);
			store_retain(s->options->max_age, s->options->max_total);
			pthread_mutex_unlock(&s->keeping);
		}
		alarm(1);
		if (sigwait(signals, &came) != 0 || came == SIGALRM)
			continue;
		if (came != SIGHUP || tokens == NULL)
			return;
		e = (struct err){.kind = ERR_NONE};
		fprintf(s->options->log, "%s\n",
		    tokens_read(&s->tokens, tokens, &e) ? "tokens read" : e.what);
		fflush(s->options->log);
	}
}

static bool
functions_get(struct mhd_functions *mhd, struct err *e)
{
#ifdef MICROHTTPD_FILE
	static const char *const names[] = {MHD_FUNCTIONS(LIBRARY_NAME)};

	return library_load(MICROHTTPD_FILE, names, sizeof(names) / sizeof(names[0]), mhd, e);
#else
	*mhd = (struct mhd_functions){MHD_FUNCTIONS(LIBRARY_ADDRESS)};
	return true;
#endif
}

static bool
daemon_run(struct server *s, union address *a, bool local, struct err *e)
{
	const union MHD_DaemonInfo *info;
	struct MHD_Daemon *daemon;
	MHD_socket listening;
	bool v6 = a->any.sa_family == AF_INET6;
	sigset_t ends;
	int64_t deadline;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigaddset(&ends, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &ends, NULL); /* threads inherit it */
	daemon = s->mhd.MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
		MHD_USE_POLL | MHD_USE_ITC | (v6 ? MHD_USE_IPv6 : 0u), 0, NULL, NULL, answer, s,
	    MHD_OPTION_SOCK_ADDR, &a->any, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CLIENTS,
	    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)HEAD_SECONDS,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(32 << 10),
	    MHD_OPTION_THREAD_STACK_SIZE, (size_t)(1 << 20),
	    MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)(local ? CLIENTS_LOCAL : CLIENTS_EACH),
	    MHD_OPTION_URI_LOG_CALLBACK, line_take, s,
	    MHD_OPTION_NOTIFY_COMPLETED, request_end, s,
	    MHD_OPTION_NOTIFY_CONNECTION, connection_changed, s, MHD_OPTION_END);
	if (daemon == NULL)
		return err_system(e, "cannot listen there");
	info = s->mhd.MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
	fprintf(s->options->out, "http://%s:%u/\n", s->address, info != NULL ? info->port : 0u);
	fflush(s->options->out);
	signals_await(s, &ends);
	/* No new connections; requests in progress may end. */
	listening = s->mhd.MHD_quiesce_daemon(daemon);
	for (deadline = clock_ms() + STOP_SECONDS * 1000;
	     end_slow(s, false) > 0 && clock_ms() < deadline;)
		(void)nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
	jobs_stop(&s->jobs);
	(void)end_slow(s, true);
	s->mhd.MHD_stop_daemon(daemon);
	if (listening != MHD_INVALID_SOCKET)
		close(listening);
	return true;
}

const char *
serve_library(void)
{
#ifdef MICROHTTPD_FILE
	return MICROHTTPD_VERSION; /* of what it was built with */
#else
	return MHD_get_version();
#endif
}

/* From the root: the working directory will be another. */
static void
path_full(const char *path, struct sbuf *out)
{
	char *here = *path != '/' ? getcwd(NULL, 0) : NULL;

	if (here != NULL)
		sbuf_printf(out, "%s/", here);
	sbuf_text(out, path);
	free(here);
}

/* Checks that no option is missing and all fit; reads the tokens. */
static bool
options_check(struct server *s, bool local, struct err *e)
{
	const struct serve_options *o = s->options;

	if (!local && o->token_file == NULL)
		return err_set(
		    e, ERR_UNSUPPORTED, "others could reach this address: --token-file is needed");
	if (o->read_token && o->token_file == NULL)
		return err_set(e, ERR_UNSUPPORTED, "--read-token needs --token-file");
	return o->token_file == NULL || tokens_read(&s->tokens, o->token_file, e);
}

bool
serve_run(const struct serve_options *options, struct err *e)
{
	struct serve_options o = *options;
	struct server s = {.options = &o};
	union address a;
	bool local = false, good = false, foreign;
	struct sbuf token_file = {0};
	int lock;

	o.max_upload = o.max_upload > 0 ? o.max_upload : UINT64_C(1) << 30;
	o.max_total = o.max_total > 0 ? o.max_total : UINT64_C(20) << 30;
	if (o.token_file != NULL) {
		path_full(o.token_file, &token_file);
		o.token_file = sbuf_cstr(&token_file);
	}
	pthread_mutex_init(&s.mutex, NULL);
	pthread_mutex_init(&s.keeping, NULL);
	pthread_mutex_init(&s.tokens.mutex, NULL);
	s.tokens.wrong = mem_zero(WRONGS, sizeof(*s.tokens.wrong));
	if (getentropy(&s.tokens.key, sizeof(s.tokens.key)) < 0)
		s.tokens.key = (uint64_t)clock_ms();
	for (int i = 0; i < CLIENTS; i++)
		s.requests[i].fd = -1;
	if (!address_parse(
		o.listen != NULL ? o.listen : "127.0.0.1:8790", &a, s.address, &local, e) ||
	    !options_check(&s, local, e) || !functions_get(&s.mhd, e) || (lock = store_open(o.folder, &foreign, e)) < 0)
		goto out;
	(void)setenv(SERVE_JOB, "", 1);
	(void)setenv("TMPDIR", "tmp", 1); /* of jobs: on the disk whose space is looked at */
	jobs_init(&s.jobs, o.job_time > 0 ? o.job_time : 60,
	    o.max_upload > DISK_MOST ? o.max_upload : DISK_MOST, o.max_total / 4);
	if (adopt_all(&s) == 0 && foreign)
		store_refuse(e);
	else
		good = daemon_run(&s, &a, local, e);
	jobs_release(&s.jobs);
	close(lock);
out:
	sbuf_release(&s.tokens.text);
	mem_free(s.tokens.wrong);
	sbuf_release(&token_file);
	return good;
}
