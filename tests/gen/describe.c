// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"

/* Methods open on a thread, to complete exits that name none. */
struct open_calls {
	uint32_t thread;
	GEN_ARRAY(uint64_t) stack;
};

struct reader {
	struct gen_trace *trace;
	struct complaint error;
	GEN_ARRAY(struct gen_event) events;
	GEN_ARRAY(struct open_calls) open;
	uint64_t free_id; /* no smaller one is free for a method */
};

static bool
small_number(struct reader *r, struct gen_bytes word, uint64_t max, unsigned *value)
{
	uint64_t v;

	if (!words_number(word, max, &v, &r->error))
		return false;
	*value = (unsigned)v;
	return true;
}

/* ---- statements ---- */

static bool
do_version(struct reader *r, const struct words *s)
{
	return small_number(r, s->word[1], 255, &r->trace->version);
}

static bool
do_key_version(struct reader *r, const struct words *s)
{
	return small_number(r, s->word[1], 99999, &r->trace->key_version);
}

static bool
do_clock(struct reader *r, const struct words *s)
{
	free(r->trace->clock.p);
	r->trace->clock = (struct gen_bytes){NULL, 0};
	if (strcmp(s->word[1].p, "none"))
		r->trace->clock = gen_bytes_copy(s->word[1].p, s->word[1].n);
	return true;
}

static bool
do_times(struct reader *r, const struct words *s)
{
	return small_number(r, s->word[1], 2, &r->trace->times);
}

static bool
do_start(struct reader *r, const struct words *s)
{
	return words_number(s->word[1], UINT64_MAX, &r->trace->start_us, &r->error);
}

static bool
do_record_size(struct reader *r, const struct words *s)
{
	return small_number(r, s->word[1], 4096, &r->trace->record_size);
}

static bool
do_data_offset(struct reader *r, const struct words *s)
{
	return small_number(r, s->word[1], 65535, &r->trace->data_offset);
}

static bool
do_keep(struct reader *r, const struct words *s)
{
	r->trace->has_keep = true;
	return words_number(s->word[1], INT64_MAX, &r->trace->keep, &r->error);
}

static bool
do_cut(struct reader *r, const struct words *s)
{
	return words_number(s->word[1], INT64_MAX, &r->trace->cut, &r->error);
}

static bool
do_crlf(struct reader *r, const struct words *s)
{
	(void)s;
	r->trace->crlf = true;
	return true;
}

static bool
do_no_end(struct reader *r, const struct words *s)
{
	(void)s;
	r->trace->no_end = true;
	return true;
}

static bool
do_no_data(struct reader *r, const struct words *s)
{
	(void)s;
	r->trace->no_data = true;
	return true;
}

static bool
do_id_style(struct reader *r, const struct words *s)
{
	static const char *const names[] = {"art", "pointer", "dalvik", NULL};
	int style = words_choice(s->word[1], names, &r->error);

	if (style >= 0)
		r->trace->id_style = (enum gen_id_style)style;
	return style >= 0;
}

static bool
do_option(struct reader *r, const struct words *s)
{
	*gen_grow(&r->trace->options) = words_text_after(s, 0);
	return true;
}

static bool
do_line(struct reader *r, const struct words *s)
{
	static const char *const names[] = {"version", "threads", "methods", NULL};
	int section = words_choice(s->word[1], names, &r->error);

	if (section < 0)
		return false;
	*gen_grow(&r->trace->lines) =
	    (struct gen_line){(enum gen_section)section, words_text_after(s, 1)};
	return true;
}

static bool
do_thread(struct reader *r, const struct words *s)
{
	uint64_t id;

	if (!words_number(s->word[1], UINT32_MAX, &id, &r->error))
		return false;
	*gen_grow(&r->trace->threads) =
	    (struct gen_thread){.id = (uint32_t)id, .name = words_text_after(s, 1)};
	return true;
}

static bool
do_method(struct reader *r, const struct words *s)
{
	struct gen_method *m;
	uint64_t id;
	size_t i;

	if (!words_number(s->word[1], UINT32_MAX, &id, &r->error))
		return false;
	if (s->n - 2 > GEN_COLUMNS_MAX)
		return complain(&r->error,
		    "a method line has at most %d columns after the id", GEN_COLUMNS_MAX);
	m = gen_grow(&r->trace->methods);
	*m = (struct gen_method){.id = id, .hidden = !strcmp(s->word[0].p, "hidden")};
	for (i = 2; i < s->n; i++)
		m->column[m->columns++] = gen_bytes_copy(s->word[i].p, s->word[i].n);
	return true;
}

static bool
do_raw(struct reader *r, const struct words *s)
{
	struct gen_bytes bytes;

	if (!words_hex(s, 1, &bytes, &r->error))
		return false;
	*gen_grow(&r->trace->raw) = bytes;
	*gen_grow(&r->events) =
	    (struct gen_event){.action = GEN_RAW, .method = r->trace->raw.n - 1};
	return true;
}

static bool
do_poke(struct reader *r, const struct words *s)
{
	static const char *const names[] = {"file", "header", "records", NULL};
	int base = words_choice(s->word[1], names, &r->error);
	struct gen_bytes bytes;
	uint64_t offset;

	if (base < 0 || !words_number(s->word[2], INT64_MAX, &offset, &r->error) ||
	    !words_hex(s, 3, &bytes, &r->error))
		return false;
	*gen_grow(&r->trace->pokes) =
	    (struct gen_poke){(enum gen_base)base, offset, bytes};
	return true;
}

/* ---- events ---- */

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
declare(struct reader *r, struct gen_bytes name, const struct gen_bytes *sig)
{
	struct gen_trace *t = r->trace;
	size_t dot = name.n;
	struct gen_method *m;
	uint64_t id;

	while (id_in_use(t, r->free_id))
		r->free_id += 4;
	id = r->free_id;
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
find_method(struct reader *r, const struct words *s, uint64_t *id)
{
	const struct gen_bytes *sig = s->n > 4 ? &s->word[4] : NULL;
	struct gen_bytes name = s->word[3];
	size_t i;

	if (name.n > 2 && !memcmp(name.p, "0x", 2))
		return words_number(name, UINT32_MAX, id, &r->error);
	for (i = 0; i < r->trace->methods.n; i++) {
		if (method_fits(&r->trace->methods.p[i], name, sig)) {
			*id = r->trace->methods.p[i].id;
			return true;
		}
	}
	*id = declare(r, name, sig);
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
do_event(struct reader *r, const struct words *s)
{
	static const char *const actions[] = {">", "<", "!", "?", NULL};
	struct open_calls *calls;
	struct gen_event e = {0};
	const char *end;
	uint64_t thread;
	int action;

	if (s->n < 3 || s->n > 5)
		return complain(
		    &r->error, "expected TIME[/WALL] THREAD ACTION [METHOD [SIGNATURE]]");
	if (!words_time(s->word[0].p, &e.cpu_ns, &end, &r->error))
		return false;
	e.wall_ns = e.cpu_ns;
	if (*end == '/' && !words_time(end + 1, &e.wall_ns, &end, &r->error))
		return false;
	if (*end)
		return complain(&r->error, "'%s' is not a time", s->word[0].p);
	if (!words_number(s->word[1], UINT32_MAX, &thread, &r->error) ||
	    (action = words_choice(s->word[2], actions, &r->error)) < 0)
		return false;
	e.thread = (uint32_t)thread;
	e.action = (uint8_t)action;
	calls = open_calls_of(r, e.thread);
	if (s->n > 3) {
		if (!find_method(r, s, &e.method))
			return false;
	} else if (calls->stack.n) {
		e.method = calls->stack.p[calls->stack.n - 1];
	} else {
		return complain(&r->error, "no call is open on thread %u", e.thread);
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
	bool (*run)(struct reader *, const struct words *);
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
run_statement(struct reader *r, const struct words *s)
{
	size_t i;

	if (isdigit((unsigned char)*s->word[0].p))
		return do_event(r, s);
	for (i = 0; i < sizeof statements / sizeof *statements; i++) {
		if (strcmp(statements[i].name, s->word[0].p))
			continue;
		if (s->n < statements[i].words_min || s->n > statements[i].words_max)
			return complain(
			    &r->error, "wrong number of words after '%s'", s->word[0].p);
		return statements[i].run(r, s);
	}
	return complain(&r->error, "unknown statement '%s'", s->word[0].p);
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
	struct reader r = {.trace = t, .error = {error, 0}, .free_id = 0x10};
	char *text = NULL;
	size_t room = 0, i;
	ssize_t n;

	*error = '\0';
	while (!*error && (n = getline(&text, &room, in)) >= 0) {
		struct words s;

		r.error.line++;
		if (n && text[n - 1] == '\n')
			text[--n] = '\0';
		if (text[strspn(text, " \t")] == '#')
			continue;
		if (words_split(&s, text, &r.error) && s.n)
			run_statement(&r, &s);
		words_release(&s);
	}
	if (!*error && ferror(in))
		complain(&r.error, "%s", strerror(errno));
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
