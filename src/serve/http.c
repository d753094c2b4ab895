// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "serve/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/outfile.h"
#include "base/utf8.h"
#include "base/worker.h"

enum {
	HEAD_SECONDS = 15,      /* for the head of a request */
	STEP_SECONDS = 15,      /* for its next STEP_BYTES */
	STEP_BYTES = 64 << 10,
	STOP_SECONDS = 8,
	SPARE_BYTES = 1 << 30, /* or a twentieth of the disk, if that is less */
};

void
until(struct request *r, int64_t seconds)
{
	pthread_mutex_lock(&r->server->mutex);
	r->until_ms = clock_ms() + seconds * 1000;
	pthread_mutex_unlock(&r->server->mutex);
}

/* Requests that change something ------------------------------------------------------ */

/* In a time that does not depend on where they differ. */
static bool
token_good(const struct server *s, struct str given)
{
	unsigned char differ = given.n != s->token.n;

	if (s->token.n == 0)
		return true;
	for (size_t i = 0; i < given.n; i++)
		differ |= (unsigned char)(given.p[i] ^ s->token.p[i % s->token.n]);
	return !differ;
}

/* Is there room for so much more?  Other programs write there, too. */
static bool
has_space(uint64_t bytes)
{
	struct statvfs fs;
	uint64_t left, spare;

	if (statvfs("tmp", &fs) != 0)
		return true;
	left = (uint64_t)fs.f_bavail * fs.f_frsize;
	spare = (uint64_t)fs.f_blocks * fs.f_frsize / 20;
	spare = spare < SPARE_BYTES ? spare : SPARE_BYTES;
	return left > spare && left - spare >= bytes;
}

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
		r->status = errno == ENOSPC || errno == EDQUOT ? 507 : 500;
	if (r->upload.bytes - r->step >= STEP_BYTES) {
		r->step = r->upload.bytes;
		if (!has_space(0))
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
	if (!token_good(r->server, sbuf_view(&r->token)))
		r->status = 401;
	if (offset == 0 && r->name.n == 0 && filename != NULL)
		sbuf_text(&r->name, filename);
	upload_take(r, data, size);
	return MHD_YES;
}

static void
name_clean(struct sbuf *name)
{
	struct sbuf clean = {0};

	clean_append(&clean, str_head(sbuf_view(name), NAME_MAX_BYTES / 4), 0);
	sbuf_release(name);
	*name = clean;
	if (name->n == 0)
		sbuf_text(name, "unnamed");
}

static enum MHD_Result
send_stored(struct MHD_Connection *c, struct request *r, const char *id, int status)
{
	struct sbuf location = {0}, text = {0};
	enum MHD_Result sent;

	put_root(r, &location);
	sbuf_printf(&location, "t/%s", id);
	sbuf_printf(&text, "t/%s\n", id);
	sent = send_text(c, r, r->form != NULL ? 303 : status, &text, "text/plain; charset=utf-8",
	    policy_page, sbuf_cstr(&location));
	sbuf_release(&location);
	return sent;
}

/* All of it has come: it is kept if slowtop can read it. */
static enum MHD_Result
upload_finish(struct MHD_Connection *c, struct request *r)
{
	struct server *s = r->server;
	struct sbuf info = {0}, args = {0}, words = {0};
	char id[ID_SIZE];
	enum MHD_Result sent;
	int made, status;

	if (r->status != 0)
		return send_status(c, r, r->status);
	if (r->upload.path.n == 0)
		return send_message(c, r, 400, STR("nothing was sent"));
	if (!upload_end(&r->upload, id))
		return send_status(c, r, 507);
	if (store_has(id))
		return send_stored(c, r, id, 200);
	name_clean(&r->name);
	sbuf_printf(&info, "%s.json", sbuf_cstr(&r->upload.path));
	job_word(&args, "info");
	job_word(&args, "--format=json");
	job_word(&args, sbuf_cstr(&r->upload.path));
	until(r, ANSWER_SECONDS);
	made = job_make(&s->jobs, &args, sbuf_cstr(&info), &words);
	status = made == JOB_BUSY ? 503 : made != 0 ? 415 : 201;
	if (status == 201 && !upload_keep(&r->upload, id, sbuf_view(&r->name), sbuf_cstr(&info)))
		status = 507;
	if (status == 201)
		store_retain(s->options->max_age, s->options->max_total);
	(void)unlink(sbuf_cstr(&info));
	sent = status == 201 ? send_stored(c, r, id, 201)
			     : send_message(c, r, status, sbuf_view(&words));
	sbuf_release(&info);
	sbuf_release(&args);
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
	store_remove(id);
	sbuf_text(&text, "removed\n");
	return send_text(c, r, 200, &text, "text/plain", policy_page, NULL);
}

/* Access ------------------------------------------------------------------------- */

/* "NAME:PORT": is it a name of this server?  Others are names made for rebinding. */
static bool
host_good(const struct server *s, const char *host)
{
	const char *const names[] = {"localhost", "127.0.0.1", "[::1]", s->address, s->options->host};
	size_t n;

	if (host == NULL)
		return false;
	n = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] != NULL && strlen(names[i]) == n && strncasecmp(names[i], host, n) == 0)
			return true;
	return false;
}

/* A browser says which site asks it; what has no browser does not say. */
static bool
origin_good(struct MHD_Connection *c, const char *host)
{
	const char *origin = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Origin");
	const char *site = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Sec-Fetch-Site");
	const char *name = origin != NULL ? strstr(origin, "://") : NULL;

	if (site != NULL && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
		return false;
	return origin == NULL || (name != NULL && strcmp(name + 3, host) == 0);
}

/* What may be said before the body; 0: go on. */
static int
refuse(struct MHD_Connection *c, struct request *r, const char *url)
{
	const char *host = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host");
	const char *bearer = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Authorization");
	const char *length = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Length");
	uint64_t bytes = length != NULL ? strtoull(length, NULL, 10) : 0;
	bool form = strcmp(r->method, "POST") == 0 && strcmp(url, "/upload") == 0;
	bool put = strcmp(r->method, "PUT") == 0 && strncmp(url, "/upload/", 8) == 0;
	bool reads = strcmp(r->method, "GET") == 0 || strcmp(r->method, "HEAD") == 0;

	if (!host_good(r->server, host))
		return 421;
	if (reads)
		return 0;
	if (!form && !put && strcmp(r->method, "DELETE") != 0)
		return 405;
	if (!origin_good(c, host))
		return 403;
	if (!form && !token_good(r->server, bearer != NULL && strncmp(bearer, "Bearer ", 7) == 0
		? str_from(bearer + 7) : STR("")))
		return 401;
	/* The parts of a form around the file are short. */
	if (bytes > r->server->options->max_upload + (form ? 65536 : 0))
		return 413;
	if ((form || put) && !has_space(bytes))
		return 507;
	r->uploads = form || put;
	if (put)
		sbuf_text(&r->name, url + 8);
	return 0;
}

static enum MHD_Result
begin(struct MHD_Connection *c, struct request *r, const char *url, const char *method)
{
	int refused;

	r->begun_ms = clock_ms();
	r->method = method;
	r->upload.fd = -1;
	pthread_mutex_lock(&r->server->mutex);
	r->begun = true;
	pthread_mutex_unlock(&r->server->mutex);
	refused = refuse(c, r, url);
	until(r, r->uploads ? STEP_SECONDS : ANSWER_SECONDS);
	if (refused != 0)
		return send_status(c, r, refused);
	if (r->uploads && strcmp(method, "POST") == 0 &&
	    (r->form = MHD_create_post_processor(c, 4096, field_take, r)) == NULL)
		return send_status(c, r, 400);
	return MHD_YES;
}

static struct request *
request_of(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info != NULL ? info->socket_context : NULL;
}

static enum MHD_Result
answer(void *context, struct MHD_Connection *c, const char *url, const char *method,
    const char *version, const char *data, size_t *size, void **state)
{
	struct request *r = request_of(c);

	if (r == NULL)
		return MHD_NO;
	if (*state == NULL) {
		*state = r;
		return begin(c, r, url, method);
	}
	if (*size > 0) {
		if (r->form != NULL)
			(void)MHD_post_process(r->form, data, *size);
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
	struct request *r = request_of(c);

	if (r != NULL) {
		sbuf_clear(&r->url);
		clean_append(&r->url, (struct str){uri, strcspn(uri, "?")}, 0);
	}
	return NULL;
}

static struct request
connected(struct server *s, int fd)
{
	return (struct request){.server = s, .fd = fd, .until_ms = clock_ms() + HEAD_SECONDS * 1000};
}

static void
request_end(void *context, struct MHD_Connection *c, void **state,
    enum MHD_RequestTerminationCode why)
{
	struct request *r = *state;
	time_t now = time(NULL);
	struct tm tm;
	char when[32] = "";

	if (r == NULL)
		return;
	if (gmtime_r(&now, &tm) != NULL)
		(void)strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	fprintf(r->server->options->log, "%s %s %s %d %lld ms\n", when, r->method, sbuf_cstr(&r->url),
	    r->status, (long long)(clock_ms() - r->begun_ms));
	fflush(r->server->options->log);
	if (r->form != NULL)
		MHD_destroy_post_processor(r->form);
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
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct server *s = context;
	struct request *r = *socket_context;

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

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

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

static bool
token_read(struct server *s, struct err *e)
{
	static const char blanks[] = " \t\r\n";

	if (s->options->token_file == NULL)
		return true;
	if (!textfile_read(s->options->token_file, &s->text, e))
		return false;
	s->token.p = sbuf_cstr(&s->text) + strspn(sbuf_cstr(&s->text), blanks);
	s->token.n = strcspn(s->token.p, blanks);
	return (s->token.n >= 16 && s->token.p[s->token.n + strspn(s->token.p + s->token.n, blanks)] == '\0') ||
	    err_set(e, ERR_MALFORMED, "%s: one token of at least 16 characters is expected",
		s->options->token_file);
}

static bool
daemon_run(struct server *s, union address *a, bool v6, struct err *e)
{
	const union MHD_DaemonInfo *info;
	struct MHD_Daemon *daemon;
	MHD_socket listening;
	sigset_t ends;
	int64_t deadline;
	int came = SIGALRM;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigaddset(&ends, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &ends, NULL); /* threads inherit it */
	daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
		MHD_USE_POLL | MHD_USE_ITC | (v6 ? MHD_USE_IPv6 : 0u), 0, NULL, NULL, answer, s,
	    MHD_OPTION_SOCK_ADDR, &a->any, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CLIENTS,
	    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)HEAD_SECONDS,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(32 << 10),
	    MHD_OPTION_THREAD_STACK_SIZE, (size_t)(1 << 20),
	    MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u,
	    MHD_OPTION_URI_LOG_CALLBACK, line_take, s,
	    MHD_OPTION_NOTIFY_COMPLETED, request_end, s,
	    MHD_OPTION_NOTIFY_CONNECTION, connection_changed, s, MHD_OPTION_END);
	if (daemon == NULL)
		return err_system(e, "cannot listen there");
	info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
	fprintf(s->options->out, "http://%s:%u/\n", s->address, info != NULL ? info->port : 0u);
	fflush(s->options->out);
	for (int seconds = 0; came == SIGALRM; seconds++) {
		(void)end_slow(s, false);
		if (seconds % 3600 == 0)
			store_retain(s->options->max_age, s->options->max_total);
		alarm(1);
		(void)sigwait(&ends, &came);
	}
	/* No new connections; requests in progress may end. */
	listening = MHD_quiesce_daemon(daemon);
	for (deadline = clock_ms() + STOP_SECONDS * 1000; end_slow(s, false) > 0 && clock_ms() < deadline;)
		(void)nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
	jobs_stop(&s->jobs);
	(void)end_slow(s, true);
	MHD_stop_daemon(daemon);
	if (listening != MHD_INVALID_SOCKET)
		close(listening);
	return true;
}

const char *
serve_library(void)
{
	return MHD_get_version();
}

bool
serve_run(const struct serve_options *options, struct err *e)
{
	struct serve_options o = *options;
	struct server s = {.options = &o};
	union address a;
	bool local = false, good = false;
	int lock;

	o.max_upload = o.max_upload > 0 ? o.max_upload : UINT64_C(1) << 30;
	o.max_total = o.max_total > 0 ? o.max_total : UINT64_C(20) << 30;
	pthread_mutex_init(&s.mutex, NULL);
	for (int i = 0; i < CLIENTS; i++)
		s.requests[i].fd = -1;
	if (!address_parse(o.listen != NULL ? o.listen : "127.0.0.1:8790", &a, s.address, &local, e) ||
	    !token_read(&s, e))
		goto out;
	if (!local && s.token.n == 0) {
		err_set(e, ERR_UNSUPPORTED, "others could reach this address: --token-file is needed");
		goto out;
	}
	if ((lock = store_open(o.folder, e)) < 0)
		goto out;
	jobs_init(&s.jobs, o.job_time > 0 ? o.job_time : 60);
	good = daemon_run(&s, &a, a.any.sa_family == AF_INET6, e);
	close(lock);
out:
	sbuf_release(&s.text);
	return good;
}
