// SPDX-License-Identifier: Apache-2.0
/* Answers to requests: pages, files, and reports, which are made when they are asked for. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/http.h"
#include "serve/pages.h"

enum {
	QUERIES = 16,
	SIDE_MOST = 20, /* traces on a side of a comparison */
	MADE_MOST = 2 * SIDE_MOST,
	PAGE_MAX = 64 << 20, /* a report that is put into a page */
};

/* Answers -------------------------------------------------------------------------- */

/*
 * Reports have scripts: those run as of no site at all, and can ask for nothing; what their
 * links lead to may be kept.
 */
#define POLICY_PAGE "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; " \
    "frame-ancestors 'none'; base-uri 'none'"
const char policy_page[] = POLICY_PAGE;
/* The list has a script, an address of its own, which uploads. */
static const char policy_list[] = POLICY_PAGE "; script-src 'self'; connect-src 'self'";
static const char policy_report[] =
    "sandbox allow-scripts allow-forms allow-downloads; default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'";

static enum MHD_Result
send_response(struct MHD_Connection *c, struct request *r, int status,
    struct MHD_Response *response, const char *type, const char *policy)
{
	enum MHD_Result result;

	if (response == NULL)
		return MHD_NO;
	mhd(r)->MHD_add_response_header(response, "Content-Type", type);
	mhd(r)->MHD_add_response_header(response, "Content-Security-Policy", policy);
	mhd(r)->MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	/* Other sites are told nothing; without it browsers do not name this one in our form. */
	mhd(r)->MHD_add_response_header(response, "Referrer-Policy", "same-origin");
	mhd(r)->MHD_add_response_header(response, "Cache-Control", "private, no-cache");
	if (status == 503)
		mhd(r)->MHD_add_response_header(response, "Retry-After", "5");
	if (status == 429)
		mhd(r)->MHD_add_response_header(response, "Retry-After", "60");
	if (status == 401) /* browsers ask for a password when pages need it */
		mhd(r)->MHD_add_response_header(response, "WWW-Authenticate",
		    r->server->options->read_token ? "Basic realm=\"a token as the password\""
						   : "Bearer");
	if (status == 405)
		mhd(r)->MHD_add_response_header(response, "Allow", methods_of(sbuf_cstr(&r->url)));
	result = mhd(r)->MHD_queue_response(c, (unsigned)status, response);
	mhd(r)->MHD_destroy_response(response);
	r->status = status;
	return result;
}

/* The buffer is used up. */
enum MHD_Result
send_text(struct MHD_Connection *c, struct request *r, int status, struct sbuf *text,
    const char *type, const char *policy, const char *location)
{
	struct MHD_Response *response = mhd(r)->MHD_create_response_from_buffer(
	    text->n, (void *)(uintptr_t)sbuf_cstr(text), MHD_RESPMEM_MUST_COPY);

	r->sent = text->n;
	sbuf_release(text);
	if (response != NULL && location != NULL)
		mhd(r)->MHD_add_response_header(response, "Location", location);
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
	    {400, "The request is wrong"},
	    {401, "A token is needed"},
	    {403, "Another site may not do this"},
	    {404, "There is nothing here"},
	    {405, "This cannot be done here"},
	    {409, "Slower than allowed"},
	    {413, "Too large"},
	    {415, "This is no trace that slowtop reads"},
	    {421, "This server has another name"},
	    {422, "The runs cannot tell"},
	    {429, "Too many wrong tokens; wait a minute"},
	    {500, "This failed"},
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

/* True if the character may be in a header's words. */
static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
	    (c != '\0' && strchr("-._", c) != NULL);
}

int
status_of(int error)
{
	switch (error) {
	case ENOENT:
		return 404;
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return 507;
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case EAGAIN:
		return 503;
	default:
		return 500;
	}
}

/* A file of a trace, under the name that the trace was given; the descriptor is used up. */
static enum MHD_Result
send_file(struct MHD_Connection *c, struct request *r, int status, int fd, const char *type,
    const char *name)
{
	struct MHD_Response *response = NULL;
	struct sbuf kept = {0};
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		status = status_of(errno);
		if (fd >= 0)
			close(fd);
		return send_status(c, r, status);
	}
	r->sent = (uint64_t)st.st_size;
	if ((response = mhd(r)->MHD_create_response_from_fd64((uint64_t)st.st_size, fd)) == NULL)
		close(fd);
	else if (name != NULL) {
		sbuf_text(&kept, "attachment; filename*=UTF-8''");
		for (; *name != '\0'; name++)
			sbuf_printf(&kept, is_plain(*name) ? "%c" : "%%%02X", (unsigned char)*name);
		mhd(r)->MHD_add_response_header(response, "Content-Disposition", sbuf_cstr(&kept));
	}
	sbuf_release(&kept);
	return send_response(c, r, status, response, type, policy_report);
}

/* Reports -------------------------------------------------------------------------- */

/* A result and the traces that it is made of. */
struct made {
	char ids[MADE_MOST][ID_SIZE]; /* those of A, or the trace, then those of B */
	struct sbuf names[MADE_MOST];
	int count[2];      /* of A and B, or of one trace 1 and 0 */
	int fd;            /* -1: none */
	struct sbuf words; /* why there is none */
};

static int
made_count(const struct made *m)
{
	return m->count[0] + m->count[1];
}

static void
replace(struct sbuf *text, const char *old, struct str new)
{
	struct sbuf out = {0};
	const char *p = sbuf_cstr(text), *at;

	for (; (at = strstr(p, old)) != NULL; p = at + strlen(old)) {
		sbuf_bytes(&out, p, (size_t)(at - p));
		sbuf_str(&out, new);
	}
	sbuf_text(&out, p);
	sbuf_release(text);
	*text = out;
}

/*
 * Takes the dashes off options that can be asked for; a clause or what is in parentheses goes
 * when it is about another one.
 */
static void
options_clean(struct sbuf *line, const char *queries)
{
	struct sbuf out = {0}, word = {0};

	for (const char *p = sbuf_cstr(line); *p != '\0'; p++) {
		size_t n = strspn(p, "-") == 2 ? strspn(p + 2, "abcdefghijklmnopqrstuvwxyz-") : 0;
		size_t clause = out.n;

		if (n == 0 || (out.n >= 8 && memcmp(out.p + out.n - 8, "hitrace ", 8) == 0)) {
			sbuf_char(&out, *p);
			continue;
		}
		sbuf_clear(&word);
		sbuf_printf(&word, " %.*s ", (int)n, p + 2);
		if (strstr(queries, sbuf_cstr(&word)) != NULL) {
			sbuf_bytes(&out, p + 2, n);
			p += 1 + n;
			continue;
		}
		while (clause > 0 && out.p[clause] != ';' && out.p[clause] != '(')
			clause--;
		n = strcspn(p, clause > 0 && out.p[clause] == '(' ? ")" : "\n");
		p += n - (p[n] == '\0');
		clause -= clause > 0 && out.p[clause - 1] == ' ';
		if (out.n > 0)
			out.p[out.n = clause] = '\0';
	}
	sbuf_release(&word);
	sbuf_release(line);
	*line = out;
}

void
words_clean(struct sbuf *words, const char *queries, const char *path, struct str name)
{
	struct str rest = sbuf_view(words), line;
	struct sbuf out = {0};

	while (rest.n > 0) {
		line = str_trim(str_cut(&rest, '\n'));
		if (str_starts(line, STR(PACKAGE_NAME ": ")))
			line = (struct str){
			    line.p + sizeof(PACKAGE_NAME) + 1, line.n - sizeof(PACKAGE_NAME) - 1};
		if (line.n == 0 || str_starts(line, STR("Try '" PACKAGE_NAME)))
			continue;
		sbuf_text(&out, out.n > 0 ? "; " : "");
		sbuf_str(&out, line);
	}
	options_clean(&out, queries);
	replace(&out, path, name);
	sbuf_release(words);
	*words = out;
}

static const struct form {
	const char *suffix;
	const char *type;
	const char *args[2];
	const char *queries; /* options that may be asked for, each between blanks */
	const char *kept;    /* ending of the name of the file that browsers keep; NULL: a page */
	bool titled, two;
} forms[] = {
    {"", "text/html; charset=utf-8", {"html", "--link-threads"}, " clock thread process filter from to ", NULL, true,
	false},
    {"/flame.svg", "image/svg+xml", {"flame"}, " clock thread process from to ", NULL, true, false},
    {"/report.json", "application/json", {"report", "--format=json"},
	" view clock sort filter thread process from to method calls limit ", NULL, false, false},
    {"/report.csv", "text/csv; charset=utf-8", {"report", "--format=csv"},
	" view clock sort filter thread process from to method calls limit ", ".csv", false, false},
    {"/info.json", "application/json", {"info", "--format=json"}, "  ", NULL, false, false},
    {"", "text/html; charset=utf-8", {"diff", "--format=html"},
	" clock sort value min filter thread limit fail-above gate allow unsure ", NULL, false, true},
    {".txt", "text/plain; charset=utf-8", {"diff", "--format=text"},
	" clock sort value min filter thread limit fail-above gate allow unsure ", NULL, false, true},
    {".json", "application/json", {"diff", "--format=json"},
	" clock sort value min filter thread limit fail-above gate allow unsure ", NULL, false, true},
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
struct serve_command {
	const struct form *form;
	struct sbuf args;
	int queries;
	bool bad, judged;
};

static enum MHD_Result
query_add(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct serve_command *c = context;
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

/* Names the file that keeps the result, by what was asked, so that it is made once. */
static void
result_name(const struct serve_command *c, const struct made *m, struct sbuf *out)
{
	struct sha256 hash;
	char key[ID_SIZE];

	sha256_init(&hash);
	sha256_add(&hash, PACKAGE_VERSION, sizeof(PACKAGE_VERSION));
	sha256_add(&hash, c->args.p, c->args.n);
	id_make(&hash, key);
	if (made_count(m) > 2)
		sbuf_printf(out, "cache/%s%s", STORE_MANY, key);
	else
		sbuf_printf(out, "cache/%s%s%.16s", m->ids[0], made_count(m) > 1 ? m->ids[1] : "", key);
}

/* An HTTP status for how a job ended; where it is no success the words say why. */
static int
job_status(const struct serve_command *c, int ended, struct made *m)
{
	switch (ended) {
	case 0:
		return 200;
	case 1:
		return c->judged ? 409 : 500;
	case 4:
		return c->judged ? 422 : 500;
	case 2:
		return 400;
	case JOB_GONE:
		sbuf_clear(&m->words);
		return 404;
	case JOB_BUSY:
	case JOB_LEFT:
		return 503;
	case JOB_FULL:
		sbuf_clear(&m->words);
		sbuf_text(&m->words, "making it takes more of the disk than may be used");
		return 507;
	case JOB_FAILED:
		return 500;
	default:
		sbuf_clear(&m->words);
		sbuf_text(&m->words, "making it took too long or too much memory");
		return 500;
	}
}

/* Appends an option for the name of a trace. */
static void
name_word(struct sbuf *args, const char *option, const struct sbuf *name)
{
	sbuf_text(args, option);
	job_word(args, sbuf_cstr(name));
}

/* Appends the files, those of several runs with the options that say their sides. */
static void
files_add(struct serve_command *c, const struct made *m)
{
	char path[PATH_SIZE];

	for (int i = 0; i < made_count(m); i++) {
		if (made_count(m) > 2 && (i == 0 || i == m->count[0]))
			job_word(&c->args, i == 0 ? "--base" : "--new");
		job_word(&c->args, store_path(path, m->ids[i], "trace"));
	}
}

/* Makes a report, or finds it.  An HTTP status. */
static int
make_report(struct request *r, struct MHD_Connection *connection, const struct form *form,
    struct made *m)
{
	struct serve_command c = {.form = form};
	struct sbuf result = {0};
	struct job_ask ask = {.args = &c.args, .of = (const char (*)[ID_SIZE])m->ids, .of_count = made_count(m),
	    .address = r->address, .client = r->fd};
	char path[PATH_SIZE];
	int status = 400;

	for (int i = 0; i < 2 && form->args[i] != NULL; i++)
		job_word(&c.args, form->args[i]);
	if (form->titled)
		name_word(&c.args, "--title=", &m->names[0]);
	for (int i = 0; i < made_count(m); i++)
		name_word(&c.args, "--name=", &m->names[i]);
	mhd(r)->MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, query_add, &c);
	if (c.bad) {
		sbuf_printf(&m->words, "queries are:%s", form->queries);
		goto out;
	}
	files_add(&c, m);
	result_name(&c, m, &result);
	ask.result = sbuf_cstr(&result);
	status = job_status(&c, job_make(&r->server->jobs, &ask, &m->fd, &m->words), m);
	words_clean(&m->words, form->queries, store_path(path, m->ids[0], "trace"), sbuf_view(&m->names[0]));
	for (int i = 1; i < made_count(m); i++)
		replace(&m->words, store_path(path, m->ids[i], "trace"), sbuf_view(&m->names[i]));
out:
	sbuf_release(&c.args);
	sbuf_release(&result);
	return status;
}

/* A page of our own around what was made. */
static enum MHD_Result
send_page(struct MHD_Connection *c, struct request *r, int status, const struct made *m)
{
	struct sbuf page = {0}, report = {0};

	if (!store_take(m->fd, PAGE_MAX, &report))
		status = 500;
	else if (m->count[1] == 0)
		page_trace(&page, m->ids[0], sbuf_view(&report));
	else
		page_comparison(&page, status,
		    &(struct compared){(const char (*)[ID_SIZE])m->ids, m->names, {m->count[0], m->count[1]}},
		    sbuf_view(&report));
	sbuf_release(&report);
	close(m->fd);
	if (status == 500)
		return send_status(c, r, 500);
	return send_text(c, r, status, &page, "text/html; charset=utf-8", policy_report, NULL);
}

/* Sends all that can be asked of a trace, or of traces that are compared. */
static enum MHD_Result
send_made(struct MHD_Connection *c, struct request *r, const char *suffix, struct made *m)
{
	const bool one = m->count[1] == 0;
	const struct form *form = form_find(suffix, !one);
	struct sbuf *name = &m->names[0];
	char path[PATH_SIZE];
	int status;

	for (int i = 0; i < made_count(m); i++)
		if (!store_has(m->ids[i]))
			return send_status(c, r, 404);
	/* The name is text: what is in it is not to be an option, a path or a control character. */
	for (int i = 0; i < made_count(m); i++) {
		if (!store_read(store_path(path, m->ids[i], "name"), NAME_MAX_BYTES, &m->names[i]))
			return send_status(c, r, status_of(errno));
		if (m->names[i].n == 0)
			sbuf_text(&m->names[i], m->ids[i]);
	}
	if (one && strcmp(suffix, "/raw") == 0)
		return send_file(c, r, 200,
		    open(store_path(path, m->ids[0], "trace"), O_RDONLY | O_CLOEXEC | O_NOFOLLOW),
		    "application/octet-stream", sbuf_cstr(name));
	if (form == NULL)
		return send_status(c, r, 404);
	status = make_report(r, c, form, m);
	if (m->fd < 0)
		return send_message(c, r, status, sbuf_view(&m->words));
	if (*suffix == '\0')
		return send_page(c, r, status, m);
	if (form->kept != NULL)
		sbuf_text(name, form->kept);
	return send_file(c, r, status, m->fd, form->type, form->kept != NULL ? sbuf_cstr(name) : NULL);
}

/* Reads ids with commas between into a side; returns what is after them, NULL when there is none. */
static const char *
ids_take(const char *at, struct made *m, int side)
{
	do {
		int i = made_count(m);

		at += m->count[side] > 0;
		if (m->count[side] == SIDE_MOST || !id_take(str_from(at), m->ids[i]))
			return NULL;
		m->count[side]++;
		at += ID_SIZE - 1;
	} while (*at == ',');
	return at;
}

/* Reads "A" or "A,A..B,B"; returns what is after that, NULL when it is neither. */
static const char *
made_take(const char *url, bool one, struct made *m)
{
	const char *at = ids_take(url, m, 0);

	if (one)
		return m->count[0] == 1 ? at : NULL;
	return at != NULL && strncmp(at, "..", 2) == 0 ? ids_take(at + 2, m, 1) : NULL;
}

static enum MHD_Result
send_report(struct MHD_Connection *c, struct request *r, const char *url, bool one)
{
	struct made m = {.fd = -1};
	const char *suffix = made_take(url, one, &m);
	enum MHD_Result sent = suffix != NULL ? send_made(c, r, suffix, &m) : send_status(c, r, 404);

	for (int i = 0; i < MADE_MOST; i++)
		sbuf_release(&m.names[i]);
	sbuf_release(&m.words);
	return sent;
}

/* Requests that read ----------------------------------------------------------------- */

static enum MHD_Result
send_list(struct MHD_Connection *c, struct request *r)
{
	const char *q = mhd(r)->MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "q");
	const char *from = mhd(r)->MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "from");
	struct sbuf page = {0};
	uint64_t first = 0;

	if (from != NULL)
		(void)digits_take(from, from + strlen(from), 8, &first);
	if (!page_list(&page, str_from(q != NULL ? q : ""), (unsigned)first, r->server->options)) {
		sbuf_release(&page);
		return send_status(c, r, status_of(errno));
	}
	return send_text(c, r, 200, &page, "text/html; charset=utf-8", policy_list, NULL);
}

/* The traces chosen to be compared: the boxes `t`, of which two alone are both sides, and `b`. */
struct chosen {
	char ids[2][SIDE_MOST][ID_SIZE];
	int count[2];
	bool bad;
};

static enum MHD_Result
chosen_add(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct chosen *chosen = context;
	int side = strcmp(name, "b") == 0, *count = &chosen->count[side];

	if (side == 0 && strcmp(name, "t") != 0)
		return MHD_YES;
	if (*count < SIDE_MOST)
		chosen->bad |= value == NULL || !id_take(str_from(value), chosen->ids[side][*count]);
	++*count;
	return MHD_YES;
}

static void
side_put(struct sbuf *out, const struct chosen *chosen, int side)
{
	for (int i = 0; i < chosen->count[side]; i++)
		sbuf_printf(out, "%s%s", i > 0 ? "," : "", chosen->ids[side][i]);
}

/* From the form of a trace's page or the boxes of the list, to the address that stays. */
static enum MHD_Result
send_comparison(struct MHD_Connection *c, struct request *r)
{
	struct chosen chosen = {.bad = false};
	struct sbuf location = {0}, text = {0};
	const int *count = chosen.count;
	enum MHD_Result sent;

	mhd(r)->MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, chosen_add, &chosen);
	if (count[0] > SIDE_MOST || count[1] > SIDE_MOST)
		return send_message(c, r, 400, STR("too many traces on a side"));
	if (count[1] == 0 ? count[0] != 2 : count[0] == 0)
		return send_message(c, r, 400, STR("choose two traces, or some on each side"));
	if (chosen.bad)
		return send_message(c, r, 400, STR("an id has 32 digits: it is the end of the "
						   "address of a trace"));
	/* The later one is first in the list. */
	if (count[1] == 0)
		sbuf_printf(&location, "d/%s..%s", chosen.ids[0][1], chosen.ids[0][0]);
	else {
		sbuf_text(&location, "d/");
		side_put(&location, &chosen, 0);
		sbuf_text(&location, "..");
		side_put(&location, &chosen, 1);
	}
	sent = send_text(c, r, 303, &text, "text/plain", policy_page, sbuf_cstr(&location));
	sbuf_release(&location);
	return sent;
}

enum MHD_Result
answer_get(struct MHD_Connection *c, struct request *r, const char *url)
{
	struct sbuf text = {0};

	if (strcmp(url, "/") == 0)
		return send_list(c, r);
	if (strcmp(url, "/d") == 0)
		return send_comparison(c, r);
	if (strcmp(url, "/upload.js") == 0) {
		sbuf_text(&text, upload_script);
		return send_text(c, r, 200, &text, "text/javascript", policy_page, NULL);
	}
	if (strcmp(url, "/healthz") == 0) {
		sbuf_text(&text, "ok\n");
		return send_text(c, r, 200, &text, "text/plain", policy_page, NULL);
	}
	if (strncmp(url, "/t/", 3) == 0 || strncmp(url, "/d/", 3) == 0)
		return send_report(c, r, url + 3, url[1] == 't');
	return send_status(c, r, 404);
}
