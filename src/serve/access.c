// SPDX-License-Identifier: Apache-2.0
/* Access: tokens, names of the server, requests of other sites, and what may be asked of what. */
#include <config.h>

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/outfile.h"
#include "base/worker.h"
#include "serve/http.h"

enum {
	TOKEN_LEAST = 16,
	WRONG_MOST = 10, /* wrong tokens of an address in WRONG_MS; then none is looked at */
	WRONG_MS = 60000,
};

/* Tokens ----------------------------------------------------------------------------- */

bool
tokens_read(struct tokens *t, const char *path, struct err *e)
{
	struct sbuf text = {0};
	struct str rest, line;
	int count = 0;
	bool good = textfile_read(path, &text, e);

	for (rest = sbuf_view(&text); good && rest.n > 0;) {
		line = str_trim(str_cut(&rest, '\n'));
		line.n = line.n > 0 ? strcspn(line.p, " \t\r\n") : 0;
		count += line.n > 0;
		good = line.n == 0 || line.n >= TOKEN_LEAST;
	}
	if (!good || count == 0) {
		sbuf_release(&text);
		return err_set(e, ERR_MALFORMED,
		    "%s: a token of at least %d characters in each line is expected", path,
		    TOKEN_LEAST);
	}
	pthread_mutex_lock(&t->mutex);
	sbuf_release(&t->text);
	t->text = text;
	pthread_mutex_unlock(&t->mutex);
	return true;
}

/* In a time that does not depend on where they differ. */
static bool
equals(struct str token, struct str given)
{
	unsigned char differ = given.n != token.n;

	for (size_t i = 0; i < given.n; i++)
		differ |= (unsigned char)(given.p[i] ^ token.p[i % token.n]);
	return !differ;
}

/* Counter of wrong tokens of an address; one IPv6 client owns a whole /64, so that shares one. */
static struct wrong *
wrong_of(struct tokens *t, const char *address, int64_t now)
{
	struct in6_addr v6;
	bool is_v6 = inet_pton(AF_INET6, address, &v6) == 1;
	const uint8_t *p = is_v6 ? v6.s6_addr : (const void *)address;
	size_t n = is_v6 ? sizeof(v6) / 2 : strlen(address);
	uint64_t hash = t->key;
	struct wrong *w;

	while (n-- > 0)
		hash = (hash ^ hash >> 32 ^ *p++) * UINT64_C(0x9e3779b97f4a7c15);
	w = &t->wrong[(hash >> 32) % WRONGS];
	if (now - w->since_ms >= WRONG_MS)
		*w = (struct wrong){.since_ms = now};
	return w;
}

int
token_check(struct tokens *t, const char *address, struct str given)
{
	struct wrong *w;
	struct str rest, line;
	bool good = false;
	int status = 401;

	pthread_mutex_lock(&t->mutex);
	if (t->text.n == 0)
		status = 0;
	else if (given.n > 0) {
		w = wrong_of(t, address, clock_ms());
		for (rest = sbuf_view(&t->text); rest.n > 0;) {
			line = str_trim(str_cut(&rest, '\n'));
			line.n = line.n > 0 ? strcspn(line.p, " \t\r\n") : 0;
			good |= line.n > 0 && equals(line, given);
		}
		status = w->count >= WRONG_MOST ? 429 : good ? 0 : 401;
		w->count += !good && w->count < WRONG_MOST;
	}
	pthread_mutex_unlock(&t->mutex);
	return status;
}

/* As scripts send it, or as browsers do that asked their user for a password. */
static int
header_check(struct MHD_Connection *c, struct request *r)
{
	const char *header = mhd(r)->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Authorization");
	char *user = NULL, *password = NULL;
	struct str given = STR("");
	int status;

	if (header != NULL && strncasecmp(header, "Bearer ", 7) == 0)
		given = str_from(header + 7);
	else if ((user = mhd(r)->MHD_basic_auth_get_username_password(c, &password)) != NULL &&
		 password != NULL)
		given = str_from(password);
	status = token_check(&r->server->tokens, r->address, given);
	mhd(r)->MHD_free(user);
	mhd(r)->MHD_free(password);
	return status;
}

/* Requests ---------------------------------------------------------------------------- */

static enum MHD_Result
host_count(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
	*(int *)context += strcasecmp(name, "Host") == 0;
	return MHD_YES;
}

/*
 * "NAME:PORT", once: is it a name of this server?  Others are names made for rebinding.  A status;
 * 0: it is.
 */
static int
host_check(const struct server *s, struct MHD_Connection *c, const char *host)
{
	const char *const names[] = {
	    "localhost", "127.0.0.1", "[::1]", s->address, s->options->host};
	const char *port;
	size_t n;
	int count = 0;

	s->mhd.MHD_get_connection_values(c, MHD_HEADER_KIND, host_count, &count);
	if (host == NULL)
		return 421;
	n = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
	if (count > 1 || n > strlen(host))
		return 400;
	port = host + n;
	if (*port != '\0' && (*port != ':' || port[1 + strspn(port + 1, "0123456789")] != '\0'))
		return 400;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] != NULL && strlen(names[i]) == n &&
		    strncasecmp(names[i], host, n) == 0)
			return 0;
	return 421;
}

/* A browser says which site asks it; what has no browser does not say. */
static bool
origin_good(struct MHD_Connection *c, const struct request *r, const char *host)
{
	const char *origin = mhd(r)->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Origin");
	const char *site = mhd(r)->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Sec-Fetch-Site");
	const char *name = origin != NULL ? strstr(origin, "://") : NULL;

	if (site != NULL && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
		return false;
	return origin == NULL || (name != NULL && strcmp(name + 3, host) == 0);
}

const char *
methods_of(const char *url)
{
	char id[ID_SIZE];

	if (strcmp(url, "/upload") == 0)
		return "POST";
	if (strncmp(url, "/upload/", 8) == 0)
		return "PUT";
	if (strncmp(url, "/t/", 3) == 0 && id_take(str_from(url + 3), id) &&
	    url[3 + ID_SIZE - 1] == '\0')
		return "GET, HEAD, DELETE";
	return "GET, HEAD";
}

/* True if `words`, "A, B, C", contain `word`. */
static bool
has_word(const char *words, const char *word)
{
	struct str rest = str_from(words);
	bool found = false;

	while (rest.n > 0)
		found |= str_equal(str_trim(str_cut(&rest, ',')), str_from(word));
	return found;
}

int
refuse(struct MHD_Connection *c, struct request *r, const char *url, struct sbuf *words)
{
	const struct serve_options *o = r->server->options;
	const char *host = mhd(r)->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host");
	const char *length = mhd(r)->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Length");
	uint64_t bytes = length != NULL ? strtoull(length, NULL, 10) : 0;
	bool reads = strcmp(r->method, "GET") == 0 || strcmp(r->method, "HEAD") == 0;
	int status;

	if ((status = host_check(r->server, c, host)) != 0)
		return status;
	if (!has_word(methods_of(url), r->method))
		return 405;
	r->is_form = strcmp(r->method, "POST") == 0;
	r->uploads = r->is_form || strcmp(r->method, "PUT") == 0;
	if (!reads && !origin_good(c, r, host))
		return 403;
	status = reads && (!o->read_token || strcmp(url, "/healthz") == 0) ? 0 : header_check(c, r);
	r->admitted = status == 0;
	if (status != 0 && (status != 401 || !r->is_form)) /* a form may have it in a field */
		return status;
	if (!r->uploads)
		return 0;
	if (mhd(r)->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Range") != NULL) {
		sbuf_text(words, "a trace is sent whole, without Content-Range");
		return 400;
	}
	/* The parts of a form around the file are short. */
	if (bytes > o->max_upload + (r->is_form ? 65536 : 0)) {
		sbuf_printf(words, "at most %s are taken", fmt_bytes(FMT_BUF, o->max_upload));
		return 413;
	}
	return store_space() <= bytes ? 507 : 0;
}
