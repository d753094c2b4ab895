#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"

enum { WORDS_MAX = 64 };

/* Methods open on a thread, to complete exits that name none. */
struct open_calls {
	uint32_t thread;
	GEN_ARRAY(uint64_t) stack;
};

struct reader {
	struct gen_trace *trace;
	char *error;
	unsigned line;
	GEN_ARRAY(struct gen_event) events;
	GEN_ARRAY(struct open_calls) open;
};

/* One statement, split.  `rest` has the raw text after the word of that index. */
struct statement {
	size_t words;
	struct gen_bytes word[WORDS_MAX];
	const char *rest[WORDS_MAX];
};

static bool fail(struct reader *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

static bool
fail(struct reader *r, const char *format, ...)
{
	va_list ap;
	int n;

	if (*r->error)
		return false;
	n = snprintf(r->error, DESCRIBE_ERROR, "line %u: ", r->line);
	va_start(ap, format);
	vsnprintf(r->error + n, DESCRIBE_ERROR - (size_t)n, format, ap);
	va_end(ap);
	return false;
}

/* ---- words ---- */

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Resolves the escapes of [from, end). */
static struct gen_bytes
unescape(const char *from, const char *end)
{
	static const char letters[] = "stnr\\", values[] = " \t\n\r\\";
	struct gen_bytes b = {gen_alloc((size_t)(end - from) + 1, 1), 0};
	const char *at;

	if (end - from == 2 && !memcmp(from, "\"\"", 2))
		return b;
	while (from < end) {
		if (*from != '\\' || from + 1 == end) {
			b.p[b.n++] = *from++;
		} else if (from[1] == 'x' && end - from >= 4 && hex_digit(from[2]) >= 0 &&
			   hex_digit(from[3]) >= 0) {
			b.p[b.n++] = (char)(hex_digit(from[2]) << 4 | hex_digit(from[3]));
			from += 4;
		} else if ((at = strchr(letters, from[1])) != NULL) {
			b.p[b.n++] = values[at - letters];
			from += 2;
		} else {
			b.p[b.n++] = *from++;
		}
	}
	return b;
}

static bool
split(struct reader *r, struct statement *s, const char *text)
{
	s->words = 0;
	for (;;) {
		const char *from;

		text += strspn(text, " \t");
		if (!*text)
			return true;
		if (s->words == WORDS_MAX)
			return fail(r, "more than %d words", WORDS_MAX);
		from = text;
		text += strcspn(text, " \t");
		s->rest[s->words] = *text ? text + 1 : text;
		s->word[s->words++] = unescape(from, text);
	}
}

static void
statement_release(struct statement *s)
{
	while (s->words)
		free(s->word[--s->words].p);
}

static bool
number(struct reader *r, struct gen_bytes word, uint64_t max, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(word.p, &end, 0);
	if (!isdigit((unsigned char)*word.p) || *end || errno || *value > max)
		return fail(r, "'%s' is not a number up to %llu", word.p,
		    (unsigned long long)max);
	return true;
}

static bool
small_number(struct reader *r, struct gen_bytes word, uint64_t max, unsigned *value)
{
	uint64_t v;

	if (!number(r, word, max, &v))
		return false;
	*value = (unsigned)v;
	return true;
}

/* The bytes of the hexadecimal words from index `first` on. */
static bool
hex_bytes(
    struct reader *r, const struct statement *s, size_t first, struct gen_bytes *out)
{
	size_t i, k;

	*out = gen_bytes_copy("", 0);
	for (i = first; i < s->words; i++) {
		struct gen_bytes w = s->word[i];

		out->p = gen_realloc(out->p, out->n + w.n / 2 + 1, 1);
		for (k = 0;
		     k + 1 < w.n && hex_digit(w.p[k]) >= 0 && hex_digit(w.p[k + 1]) >= 0;
		     k += 2)
			out->p[out->n++] =
			    (char)(hex_digit(w.p[k]) << 4 | hex_digit(w.p[k + 1]));
		if (k != w.n) {
			free(out->p);
			return fail(r, "'%s' is not pairs of hexadecimal digits", w.p);
		}
	}
	return true;
}

/* Index of `word` in a NULL-terminated list, or -1. */
static int
choice(struct reader *r, struct gen_bytes word, const char *const *list)
{
	int i;

	for (i = 0; list[i]; i++)
		if (!strcmp(word.p, list[i]))
			return i;
	fail(r, "unknown word '%s'", word.p);
	return -1;
}

/* ---- statements ---- */

static bool
do_version(struct reader *r, const struct statement *s)
{
	return small_number(r, s->word[1], 255, &r->trace->version);
}

static bool
do_key_version(struct reader *r, const struct statement *s)
{
	return small_number(r, s->word[1], 99999, &r->trace->key_version);
}

static bool
do_clock(struct reader *r, const struct statement *s)
{
	free(r->trace->clock.p);
	r->trace->clock = (struct gen_bytes){NULL, 0};
	if (strcmp(s->word[1].p, "none"))
		r->trace->clock = gen_bytes_copy(s->word[1].p, s->word[1].n);
	return true;
}

static bool
do_times(struct reader *r, const struct statement *s)
{
	return small_number(r, s->word[1], 2, &r->trace->times);
}

static bool
do_start(struct reader *r, const struct statement *s)
{
	return number(r, s->word[1], UINT64_MAX, &r->trace->start_us);
}

static bool
do_record_size(struct reader *r, const struct statement *s)
{
	return small_number(r, s->word[1], 4096, &r->trace->record_size);
}

static bool
do_data_offset(struct reader *r, const struct statement *s)
{
	return small_number(r, s->word[1], 65535, &r->trace->data_offset);
}

static bool
do_keep(struct reader *r, const struct statement *s)
{
	r->trace->has_keep = true;
	return number(r, s->word[1], INT64_MAX, &r->trace->keep);
}

static bool
do_cut(struct reader *r, const struct statement *s)
{
	return number(r, s->word[1], INT64_MAX, &r->trace->cut);
}

static bool
do_crlf(struct reader *r, const struct statement *s)
{
	(void)s;
	r->trace->crlf = true;
	return true;
}

static bool
do_no_end(struct reader *r, const struct statement *s)
{
	(void)s;
	r->trace->no_end = true;
	return true;
}

static bool
do_no_data(struct reader *r, const struct statement *s)
{
	(void)s;
	r->trace->no_data = true;
	return true;
}

static bool
do_id_style(struct reader *r, const struct statement *s)
{
	static const char *const names[] = {"art", "pointer", "dalvik", NULL};
	int style = choice(r, s->word[1], names);

	if (style >= 0)
		r->trace->id_style = (enum gen_id_style)style;
	return style >= 0;
}

static struct gen_bytes
text_after(const struct statement *s, size_t word)
{
	const char *text = s->rest[word];

	return unescape(text, text + strlen(text));
}

static bool
do_option(struct reader *r, const struct statement *s)
{
	*gen_grow(&r->trace->options) = text_after(s, 0);
	return true;
}

static bool
do_line(struct reader *r, const struct statement *s)
{
	static const char *const names[] = {"version", "threads", "methods", NULL};
	int section = choice(r, s->word[1], names);

	if (section < 0)
		return false;
	*gen_grow(&r->trace->lines) =
	    (struct gen_line){(enum gen_section)section, text_after(s, 1)};
	return true;
}

static bool
do_thread(struct reader *r, const struct statement *s)
{
	uint64_t id;

	if (!number(r, s->word[1], UINT32_MAX, &id))
		return false;
	*gen_grow(&r->trace->threads) =
	    (struct gen_thread){.id = (uint32_t)id, .name = text_after(s, 1)};
	return true;
}

static bool
do_method(struct reader *r, const struct statement *s)
{
	struct gen_method *m;
	uint64_t id;
	size_t i;

	if (!number(r, s->word[1], UINT32_MAX, &id))
		return false;
	if (s->words - 2 > GEN_COLUMNS_MAX)
		return fail(r, "a method line has at most %d columns after the id",
		    GEN_COLUMNS_MAX);
	m = gen_grow(&r->trace->methods);
	*m = (struct gen_method){.id = id, .hidden = !strcmp(s->word[0].p, "hidden")};
	for (i = 2; i < s->words; i++)
		m->column[m->columns++] = gen_bytes_copy(s->word[i].p, s->word[i].n);
	return true;
}

static bool
do_raw(struct reader *r, const struct statement *s)
{
	struct gen_bytes bytes;

	if (!hex_bytes(r, s, 1, &bytes))
		return false;
	*gen_grow(&r->trace->raw) = bytes;
	*gen_grow(&r->events) =
	    (struct gen_event){.action = GEN_RAW, .method = r->trace->raw.n - 1};
	return true;
}

static bool
do_poke(struct reader *r, const struct statement *s)
{
	static const char *const names[] = {"file", "header", "records", NULL};
	int base = choice(r, s->word[1], names);
	struct gen_bytes bytes;
	uint64_t offset;

	if (base < 0 || !number(r, s->word[2], INT64_MAX, &offset) ||
	    !hex_bytes(r, s, 3, &bytes))
		return false;
	*gen_grow(&r->trace->pokes) =
	    (struct gen_poke){(enum gen_base)base, offset, bytes};
	return true;
}

/* ---- events ---- */

static bool
time_ns(struct reader *r, const char *text, int64_t *ns, const char **end)
{
	uint64_t us;
	int64_t unit = 1000;
	char *after;

	errno = 0;
	us = strtoull(text, &after, 10);
	if (!isdigit((unsigned char)*text) || errno || us > INT64_MAX / 1000 - 1)
		return fail(r, "'%s' is not a time in microseconds", text);
	*ns = (int64_t)us * 1000;
	if (*after == '.')
		for (after++; isdigit((unsigned char)*after) && unit > 1; after++)
			*ns += (*after - '0') * (unit /= 10);
	*end = after;
	return true;
}

static bool
bytes_equal(struct gen_bytes a, const char *p, size_t n)
{
	return a.n == n && !memcmp(a.p, p, n);
}

static bool
method_fits(
    const struct gen_method *m, struct gen_bytes name, const struct gen_bytes *sig)
{
	const struct gen_bytes *c = m->column;

	if (m->columns < 2)
		return m->columns == 1 && bytes_equal(c[0], name.p, name.n) && !sig;
	if (name.n != c[0].n + 1 + c[1].n || memcmp(name.p, c[0].p, c[0].n) ||
	    name.p[c[0].n] != '.' || memcmp(name.p + c[0].n + 1, c[1].p, c[1].n))
		return false;
	return !sig || (m->columns > 2 && bytes_equal(c[2], sig->p, sig->n));
}

static bool
id_in_use(const struct gen_trace *t, uint64_t id)
{
	size_t i;

	for (i = 0; i < t->methods.n; i++)
		if (t->methods.p[i].id == id)
			return true;
	return false;
}

static uint64_t
declare(struct gen_trace *t, struct gen_bytes name, const struct gen_bytes *sig)
{
	size_t dot = name.n;
	struct gen_method *m;
	uint64_t id = 0x10;

	while (id_in_use(t, id))
		id += 4;
	while (dot && name.p[dot - 1] != '.')
		dot--;
	m = gen_grow(&t->methods);
	*m = (struct gen_method){.id = id, .columns = dot ? 3 : 1};
	if (!dot) {
		m->column[0] = gen_bytes_copy(name.p, name.n);
		return id;
	}
	m->column[0] = gen_bytes_copy(name.p, dot - 1);
	m->column[1] = gen_bytes_copy(name.p + dot, name.n - dot);
	m->column[2] = sig ? gen_bytes_copy(sig->p, sig->n) : gen_bytes_copy("()V", 3);
	return id;
}

static bool
find_method(struct reader *r, const struct statement *s, uint64_t *id)
{
	const struct gen_bytes *sig = s->words > 4 ? &s->word[4] : NULL;
	struct gen_bytes name = s->word[3];
	size_t i;

	if (name.n > 2 && !memcmp(name.p, "0x", 2))
		return number(r, name, UINT32_MAX, id);
	for (i = 0; i < r->trace->methods.n; i++) {
		if (method_fits(&r->trace->methods.p[i], name, sig)) {
			*id = r->trace->methods.p[i].id;
			return true;
		}
	}
	*id = declare(r->trace, name, sig);
	return true;
}

static struct open_calls *
open_calls_of(struct reader *r, uint32_t thread)
{
	struct open_calls *c;
	size_t i;

	for (i = 0; i < r->open.n; i++)
		if (r->open.p[i].thread == thread)
			return &r->open.p[i];
	c = gen_grow(&r->open);
	*c = (struct open_calls){.thread = thread};
	return c;
}

static bool
do_event(struct reader *r, const struct statement *s)
{
	static const char *const actions[] = {">", "<", "!", "?", NULL};
	struct open_calls *calls;
	struct gen_event e = {0};
	const char *end;
	uint64_t thread;
	int action;

	if (s->words < 3 || s->words > 5)
		return fail(r, "expected TIME[/WALL] THREAD ACTION [METHOD [SIGNATURE]]");
	if (!time_ns(r, s->word[0].p, &e.cpu_ns, &end))
		return false;
	e.wall_ns = e.cpu_ns;
	if (*end == '/' && !time_ns(r, end + 1, &e.wall_ns, &end))
		return false;
	if (*end)
		return fail(r, "'%s' is not a time", s->word[0].p);
	if (!number(r, s->word[1], UINT32_MAX, &thread) ||
	    (action = choice(r, s->word[2], actions)) < 0)
		return false;
	e.thread = (uint32_t)thread;
	e.action = (uint8_t)action;
	calls = open_calls_of(r, e.thread);
	if (s->words > 3) {
		if (!find_method(r, s, &e.method))
			return false;
	} else if (calls->stack.n) {
		e.method = calls->stack.p[calls->stack.n - 1];
	} else {
		return fail(r, "no call is open on thread %u", e.thread);
	}
	if (action == GEN_ENTER)
		*gen_grow(&calls->stack) = e.method;
	else if (action != GEN_RESERVED && calls->stack.n)
		calls->stack.n--;
	*gen_grow(&r->events) = e;
	return true;
}

static const struct {
	const char *name;
	size_t words_min, words_max; /* with the name itself */
	bool (*run)(struct reader *, const struct statement *);
} statements[] = {
    {"clock", 2, 2, do_clock},
    {"crlf", 1, 1, do_crlf},
    {"cut", 2, 2, do_cut},
    {"data-offset", 2, 2, do_data_offset},
    {"hidden", 3, 7, do_method},
    {"id-style", 2, 2, do_id_style},
    {"keep", 2, 2, do_keep},
    {"key-version", 2, 2, do_key_version},
    {"line", 2, WORDS_MAX, do_line},
    {"method", 3, 7, do_method},
    {"no-data", 1, 1, do_no_data},
    {"no-end", 1, 1, do_no_end},
    {"option", 1, WORDS_MAX, do_option},
    {"poke", 4, WORDS_MAX, do_poke},
    {"raw", 2, WORDS_MAX, do_raw},
    {"record-size", 2, 2, do_record_size},
    {"start", 2, 2, do_start},
    {"thread", 2, WORDS_MAX, do_thread},
    {"times", 2, 2, do_times},
    {"version", 2, 2, do_version},
};

static bool
run_statement(struct reader *r, const struct statement *s)
{
	size_t i;

	if (isdigit((unsigned char)*s->word[0].p))
		return do_event(r, s);
	for (i = 0; i < sizeof statements / sizeof *statements; i++) {
		if (strcmp(statements[i].name, s->word[0].p))
			continue;
		if (s->words < statements[i].words_min ||
		    s->words > statements[i].words_max)
			return fail(r, "wrong number of words after '%s'", s->word[0].p);
		return statements[i].run(r, s);
	}
	return fail(r, "unknown statement '%s'", s->word[0].p);
}

/* ---- the stream: the events that were read ---- */

struct list_stream {
	struct gen_stream base;
	struct gen_event *events;
	size_t n, next;
};

static size_t
list_pull(struct gen_stream *stream, struct gen_event *out, size_t max)
{
	struct list_stream *l = (struct list_stream *)stream;
	size_t n = l->n - l->next < max ? l->n - l->next : max;

	if (n)
		memcpy(out, l->events + l->next, n * sizeof *out);
	l->next += n;
	return n;
}

static void
list_free(struct gen_stream *stream)
{
	free(((struct list_stream *)stream)->events);
	free(stream);
}

static struct gen_stream *
list_new(struct gen_event *events, size_t n)
{
	struct list_stream *l = gen_alloc(1, sizeof *l);

	*l = (struct list_stream){{list_pull, list_free}, events, n, 0};
	return &l->base;
}

struct gen_stream *
describe_read(FILE *in, struct gen_trace *t, char error[static DESCRIBE_ERROR])
{
	struct reader r = {.trace = t, .error = error};
	char *text = NULL;
	size_t room = 0, i;
	ssize_t n;

	*error = '\0';
	while (!*error && (n = getline(&text, &room, in)) >= 0) {
		struct statement s;

		r.line++;
		if (n && text[n - 1] == '\n')
			text[--n] = '\0';
		if (text[strspn(text, " \t")] == '#')
			continue;
		if (split(&r, &s, text) && s.words)
			run_statement(&r, &s);
		statement_release(&s);
	}
	if (!*error && ferror(in))
		fail(&r, "%s", strerror(errno));
	free(text);
	for (i = 0; i < r.open.n; i++)
		free(r.open.p[i].stack.p);
	free(r.open.p);
	if (*error) {
		free(r.events.p);
		return NULL;
	}
	return list_new(r.events.p, r.events.n);
}
