// SPDX-License-Identifier: Apache-2.0
/* Answers to requests: pages, files, and reports, which are made when they are asked for. */
#include <config.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "serve/http.h"
#include "serve/pages.h"

enum {
	QUERIES = 16,
	PAGE_MAX = 64 << 20, /* a report that is put into a page */
};

/* Answers -------------------------------------------------------------------------- */

/* Reports have scripts: those run as of no site at all, and can ask for nothing. */
const char policy_page[] = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'";
static const char policy_report[] = "sandbox allow-scripts allow-forms; default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'";

static enum MHD_Result
send_response(struct MHD_Connection *c, struct request *r, int status, struct MHD_Response *response,
    const char *type, const char *policy)
{
	enum MHD_Result result;

	if (response == NULL)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", type);
	MHD_add_response_header(response, "Content-Security-Policy", policy);
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
	MHD_add_response_header(response, "Cache-Control", "private, no-cache");
	if (status == 503)
		MHD_add_response_header(response, "Retry-After", "5");
	if (status == 401)
		MHD_add_response_header(response, "WWW-Authenticate", "Bearer");
	result = MHD_queue_response(c, (unsigned)status, response);
	MHD_destroy_response(response);
	r->status = status;
	return result;
}

/* The buffer is used up. */
enum MHD_Result
send_text(struct MHD_Connection *c, struct request *r, int status, struct sbuf *text,
    const char *type, const char *policy, const char *location)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
	    text->n, (void *)(uintptr_t)sbuf_cstr(text), MHD_RESPMEM_MUST_COPY);

	sbuf_release(text);
	if (response != NULL && location != NULL)
		MHD_add_response_header(response, "Location", location);
	return send_response(c, r, status, response, type, policy);
}

void
put_root(const struct request *r, struct sbuf *out)
{
	sbuf_text(out, "./");
	for (size_t i = 1; i < r->url.n; i++)
		if (r->url.p[i] == '/')
			sbuf_text(out, "../");
}

enum MHD_Result
send_message(struct MHD_Connection *c, struct request *r, int status, struct str words)
{
	static const struct {
		int status;
		const char *title;
	} titles[] = {
	    {400, "This cannot be asked"},
	    {401, "A token is needed"},
	    {403, "Another site may not do this"},
	    {404, "There is nothing here"},
	    {405, "This cannot be done here"},
	    {409, "Slower than allowed"},
	    {413, "Too large"},
	    {415, "This is no trace that slowtop reads"},
	    {421, "This server has another name"},
	    {500, "The report could not be made"},
	    {503, "Too much to do; try again"},
	    {507, "No space left"},
	};
	const char *title = "Error";
	struct sbuf page = {0}, root = {0};

	put_root(r, &root);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (titles[i].status == status)
			title = titles[i].title;
	page_message(&page, title, words, sbuf_cstr(&root));
	sbuf_release(&root);
	return send_text(c, r, status, &page, "text/html; charset=utf-8", policy_page, NULL);
}

enum MHD_Result
send_status(struct MHD_Connection *c, struct request *r, int status)
{
	return send_message(c, r, status, STR(""));
}

static enum MHD_Result
send_file(struct MHD_Connection *c, struct request *r, int status, const char *path,
    const char *type)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct MHD_Response *response;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		if (fd >= 0)
			close(fd);
		return send_status(c, r, 404);
	}
	response = MHD_create_response_from_fd64((uint64_t)st.st_size, fd);
	if (response == NULL)
		close(fd);
	else if (strcmp(type, "application/octet-stream") == 0)
		MHD_add_response_header(response, "Content-Disposition", "attachment");
	return send_response(c, r, status, response, type, policy_report);
}

/* Reports -------------------------------------------------------------------------- */

/* The name is text: what is in it is not to be an option, a path or a control character. */
static void
name_of(const char *id, struct sbuf *out)
{
	char path[PATH_SIZE];

	store_read(store_path(path, id, "name"), NAME_MAX_BYTES, out);
	if (out->n == 0)
		sbuf_text(out, id);
}

static const struct form {
	const char *suffix;
	const char *type;
	const char *args[2];
	const char *queries; /* options that may be asked for, each between blanks */
	bool titled, two;
} forms[] = {
    {"", "text/html; charset=utf-8", {"html"}, " clock thread process filter from to ", true, false},
    {"/flame.svg", "image/svg+xml", {"flame"}, " clock thread process from to ", true, false},
    {"/report.json", "application/json", {"report", "--format=json"},
	" view clock sort filter thread process from to method calls limit ", false, false},
    {"/report.csv", "text/csv; charset=utf-8", {"report", "--format=csv"},
	" view clock sort filter thread process from to method calls limit ", false, false},
    {"/info.json", "application/json", {"info", "--format=json"}, "  ", false, false},
    {"", "text/plain; charset=utf-8", {"diff", "--format=text"},
	" clock sort value min filter thread limit fail-above ", false, true},
    {".json", "application/json", {"diff", "--format=json"},
	" clock sort value min filter thread limit fail-above ", false, true},
};

static const struct form *
form_find(const char *suffix, bool two)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].two == two && strcmp(forms[i].suffix, suffix) == 0)
			return &forms[i];
	return NULL;
}

/* The command line of a report. */
struct command {
	const struct form *form;
	struct sbuf args;
	int queries;
	bool bad, judged;
};

static enum MHD_Result
query_add(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct command *c = context;
	struct sbuf word = {0};

	sbuf_printf(&word, " %s ", name);
	c->bad |= value == NULL || strchr(name, ' ') != NULL || ++c->queries > QUERIES ||
	    strstr(c->form->queries, sbuf_cstr(&word)) == NULL;
	sbuf_clear(&word);
	sbuf_printf(&word, "--%s=%s", name, value != NULL ? value : "");
	job_word(&c->args, sbuf_cstr(&word));
	c->judged |= strcmp(name, "fail-above") == 0;
	sbuf_release(&word);
	return c->bad ? MHD_NO : MHD_YES;
}

/* Where the result is kept: by what was asked, so that it is made once. */
static void
result_name(const struct command *c, const char *a, const char *b, struct sbuf *out)
{
	struct sha256 hash;
	char key[ID_SIZE];

	sha256_init(&hash);
	sha256_add(&hash, PACKAGE_VERSION, sizeof(PACKAGE_VERSION));
	sha256_add(&hash, c->args.p, c->args.n);
	id_make(&hash, key);
	sbuf_printf(out, "cache/%s%s%.8s", a, b != NULL ? b : "", key);
}

/*
 * Makes a report of A (and B), or finds it; its file in `result`.  An HTTP status; of one that
 * is no success `words` says why.
 */
static int
make_report(struct server *s, struct MHD_Connection *connection, const struct form *form,
    const char *a, const char *b, struct sbuf *result, struct sbuf *words)
{
	struct command c = {.form = form};
	struct sbuf title = {0};
	char path[PATH_SIZE];
	int status = 400, made;

	for (int i = 0; i < 2 && form->args[i] != NULL; i++)
		job_word(&c.args, form->args[i]);
	if (form->titled) {
		sbuf_text(&c.args, "--title=");
		name_of(a, &title);
		job_word(&c.args, sbuf_cstr(&title));
	}
	MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, query_add, &c);
	if (c.bad) {
		sbuf_printf(words, "queries are:%s", form->queries);
		goto out;
	}
	result_name(&c, a, b, result);
	job_word(&c.args, store_path(path, a, "trace"));
	if (b != NULL)
		job_word(&c.args, store_path(path, b, "trace"));
	if (c.judged)
		(void)unlink(sbuf_cstr(result)); /* the file does not have the judgement */
	made = job_make(&s->jobs, &c.args, sbuf_cstr(result), words);
	status = made == 0 ? 200 : made == 1 && c.judged ? 409 : made == 2 ? 400
	    : made == JOB_BUSY				  ? 503
							  : 500;
	if (made == JOB_KILLED)
		sbuf_text(words, "making it took too long or too much memory");
out:
	sbuf_release(&c.args);
	sbuf_release(&title);
	return status;
}

static enum MHD_Result
send_page(struct MHD_Connection *c, struct request *r, const char *id, const char *result)
{
	struct sbuf page = {0}, name = {0}, report = {0};

	name_of(id, &name);
	store_read(result, PAGE_MAX, &report);
	page_trace(&page, id, sbuf_view(&name), sbuf_view(&report));
	sbuf_release(&name);
	sbuf_release(&report);
	return send_text(c, r, 200, &page, "text/html; charset=utf-8", policy_report, NULL);
}

static enum MHD_Result
send_report(struct MHD_Connection *c, struct request *r, const char *suffix, const char *a,
    const char *b)
{
	const struct form *form = form_find(suffix, b != NULL);
	struct sbuf result = {0}, words = {0};
	char path[PATH_SIZE];
	enum MHD_Result sent;
	int status;

	if (!store_has(a) || (b != NULL && !store_has(b)))
		return send_status(c, r, 404);
	if (b == NULL && strcmp(suffix, "/raw") == 0)
		return send_file(c, r, 200, store_path(path, a, "trace"), "application/octet-stream");
	if (form == NULL)
		return send_status(c, r, 404);
	status = make_report(r->server, c, form, a, b, &result, &words);
	if (status == 200 && b == NULL && *suffix == '\0')
		sent = send_page(c, r, a, sbuf_cstr(&result));
	else if (status == 200 || status == 409)
		sent = send_file(c, r, status, sbuf_cstr(&result), form->type);
	else
		sent = send_message(c, r, status, sbuf_view(&words));
	sbuf_release(&result);
	sbuf_release(&words);
	return sent;
}

/* Requests that read ----------------------------------------------------------------- */

static enum MHD_Result
send_list(struct MHD_Connection *c, struct request *r)
{
	const char *q = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "q");
	const char *from = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "from");
	struct sbuf page = {0};
	uint64_t first = 0;

	if (from != NULL)
		(void)digits_take(from, from + strlen(from), 8, &first);
	page_list(&page, str_from(q != NULL ? q : ""), (unsigned)first,
	    r->server->token.n > 0);
	return send_text(c, r, 200, &page, "text/html; charset=utf-8", policy_page, NULL);
}

/* The form of a trace's page: to the address that stays. */
static enum MHD_Result
send_comparison(struct MHD_Connection *c, struct request *r)
{
	const char *a = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "a");
	const char *b = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "b");
	char id_a[ID_SIZE], id_b[ID_SIZE];
	struct sbuf location = {0}, text = {0};
	enum MHD_Result sent;

	if (a == NULL || b == NULL || !id_take(str_from(a), id_a) || !id_take(str_from(b), id_b))
		return send_message(c, r, 400, STR("an id has 32 digits: it is the end of the "
						   "address of a trace"));
	sbuf_printf(&location, "d/%s..%s", id_a, id_b);
	sent = send_text(c, r, 303, &text, "text/plain", policy_page, sbuf_cstr(&location));
	sbuf_release(&location);
	return sent;
}

enum MHD_Result
answer_get(struct MHD_Connection *c, struct request *r, const char *url)
{
	char a[ID_SIZE], b[ID_SIZE];
	struct sbuf text = {0};

	if (strcmp(url, "/") == 0)
		return send_list(c, r);
	if (strcmp(url, "/d") == 0)
		return send_comparison(c, r);
	if (strcmp(url, "/healthz") == 0) {
		sbuf_text(&text, "ok\n");
		return send_text(c, r, 200, &text, "text/plain", policy_page, NULL);
	}
	if (strncmp(url, "/t/", 3) == 0 && id_take(str_from(url + 3), a))
		return send_report(c, r, url + 3 + ID_SIZE - 1, a, NULL);
	if (strncmp(url, "/d/", 3) == 0 && id_take(str_from(url + 3), a) &&
	    strncmp(url + 3 + ID_SIZE - 1, "..", 2) == 0 &&
	    id_take(str_from(url + 5 + ID_SIZE - 1), b))
		return send_report(c, r, url + 5 + 2 * (ID_SIZE - 1), a, b);
	return send_status(c, r, 404);
}
