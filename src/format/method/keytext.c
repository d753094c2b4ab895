// SPDX-License-Identifier: Apache-2.0
/* keytext: the text part of a method trace: version, options, threads, methods. */
#include <config.h>

#include "format/method/method.h"

#include <inttypes.h>
#include <string.h>

#include "base/compat.h"

/* Lines of methods ------------------------------------------------------------------ */

enum {
	FIELDS_MAX = 6,
	DIGITS_MAX = 31, /* of a number; what follows is not part of it */
};

/* The value of a digit of any base; more than that for what is none. */
static unsigned
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	c |= 'a' ^ 'A';
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* Steps over 0x, when a digit follows. */
static bool
hex_follows(struct str s)
{
	return s.n > 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X') &&
	    digit_value(s.p[2]) < 16;
}

bool
number_parse(struct str s, unsigned base, uint64_t *value, struct str *rest)
{
	size_t n = s.n < DIGITS_MAX ? s.n : DIGITS_MAX, at = 0;
	uint64_t sum = 0;

	if (n == 0 || s.p[0] < '0' || s.p[0] > '9')
		return false;
	if (base == 0 && hex_follows(s)) {
		base = 16;
		at = 2;
	} else if (base == 0) {
		base = s.p[0] == '0' ? 8 : 10;
	}
	for (; at < n && digit_value(s.p[at]) < base; at++) {
		if (__builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)digit_value(s.p[at]), &sum))
			sum = UINT64_MAX;
	}
	*value = sum;
	*rest = (struct str){s.p + at, s.n - at};
	return true;
}

/* After each field come at least `least` blanks, or the end after any number of them. */
static int
fields_split_blanks(struct str line, size_t least, struct str field[FIELDS_MAX])
{
	int n = 0;

	while (n < FIELDS_MAX) {
		size_t end = 0, next = 0;

		for (; next < line.n; end = next) {
			while (end < line.n && line.p[end] != ' ')
				end++;
			for (next = end; next < line.n && line.p[next] == ' ';)
				next++;
			if (next - end >= least || next == line.n)
				break;
		}
		field[n++] = (struct str){line.p, end};
		if (next == line.n)
			break;
		line = (struct str){line.p + next, line.n - next};
	}
	return n;
}

static int
fields_split(struct str line, struct str field[FIELDS_MAX])
{
	struct str first = line;
	int n = 0;

	field[0] = str_cut(&first, '\t');
	if (first.p != NULL) {
		for (n = 1; first.p != NULL && n < FIELDS_MAX; n++)
			field[n] = str_cut(&first, '\t');
		return n;
	}
	n = fields_split_blanks(line, 2, field);
	return n > 1 ? n : fields_split_blanks(line, 1, field);
}

static int32_t
line_number(struct str s)
{
	bool negative = s.n > 0 && s.p[0] == '-';
	struct str digits = {s.p + negative, s.n - negative}, rest;
	uint64_t value;

	if (!number_parse(digits, 10, &value, &rest) || rest.n > 0 || value > INT32_MAX)
		return 0;
	return negative ? -(int32_t)value : (int32_t)value;
}

static bool
method_id(struct str text, uint32_t *id)
{
	struct str rest;
	uint64_t value;

	if (str_equal(text, STR("(nil)"))) { /* %p of 0 on some C libraries */
		*id = 0;
		return true;
	}
	if (!number_parse(text, 0, &value, &rest) || rest.n > 0)
		return false;
	*id = (uint32_t)value;
	return true;
}

/* The text after the id; the id's column counts as one of `n`. */
static void
columns_take(struct method *m, const struct str *f, int n)
{
	if (n == 2) { /* function */
		m->name = f[0];
	} else if (n == 4 && (f[2].n == 0 || f[2].p[0] != '(')) { /* function path line */
		m->name = f[0];
		m->file = f[1];
		m->line = line_number(f[2]);
	} else { /* class name [signature [file [line]]] */
		m->class_name = f[0];
		m->name = f[1];
		if (n > 3)
			m->signature = f[2];
		if (n > 4)
			m->file = f[3];
		if (n > 5)
			m->line = line_number(f[4]);
	}
}

bool
methodline_parse(struct str line, struct method *m)
{
	struct str f[FIELDS_MAX];
	int n = fields_split(line, f);
	uint32_t id;

	*m = (struct method){0};
	if (n < 2 || !method_id(f[0], &id))
		return false;
	m->id = id;
	columns_take(m, f + 1, n);
	return true;
}

bool
methodline_parse_named(struct str line, struct method *m)
{
	struct str f[FIELDS_MAX];
	int n = fields_split(line, f);

	*m = (struct method){0};
	if (line.n == 0)
		return false;
	columns_take(m, f, n < FIELDS_MAX ? n + 1 : FIELDS_MAX);
	return true;
}

/* The text -------------------------------------------------------------------------- */

/* The method window: at most this many keys, 4 bytes each. */
#define WINDOW_MAX  ((uint64_t)1 << 22)
#define WINDOW_LATE ((uint64_t)1 << 16)

enum section { SECTION_OPTIONS, SECTION_THREADS, SECTION_METHODS };

struct parser {
	struct keytext *key;
	struct trace *trace;
	enum section section;
	struct thread *last_thread;
	bool continued;   /* its name, on further lines */
	bool blanks;      /* one of them parts a thread's id and name, as in the manual's example */
	uint64_t dropped; /* lines that fit nowhere */
	uint64_t id_min, id_max;
};

static void
option_line(struct parser *p, struct str line)
{
	struct str value = line;
	struct str key = str_cut(&value, '=');
	struct str rest;
	uint64_t number = 0;
	bool is_number;

	if (value.p == NULL)
		value = (struct str){line.p + line.n, 0};
	trace_property_add(p->trace, key, value);
	is_number = number_parse(value, 10, &number, &rest) && rest.n == 0;
	if (str_equal(key, STR("clock"))) {
		p->key->clock = value;
	} else if (str_equal(key, STR("data-file-overflow"))) {
		p->trace->overflow = str_equal(value, STR("true"));
	} else if (str_equal(key, STR("pid")) && is_number) {
		p->trace->pid = number;
	} else if (str_equal(key, STR("elapsed-time-usec")) && is_number) {
		p->trace->elapsed = number < INT64_MAX / 1000 ? (nsec)number * 1000 : 0;
	} else if (str_equal(key, STR("elapsed-time-nsec")) && is_number) {
		p->trace->elapsed = number < INT64_MAX ? (nsec)number : 0;
	}
}

/*
 * A name with a line feed in it: the rest of the name is on the next line.  Both are
 * neighbours in the file, so nothing is copied, however many lines there are.
 */
static void
thread_continue(struct parser *p, struct str line)
{
	struct thread *th = p->last_thread;

	if (th == NULL) {
		p->dropped++;
		return;
	}
	th->name.n = (size_t)(line.p + line.n - th->name.p);
	p->continued = true;
}

/* Removes carriage returns before line feeds. */
static void
thread_end(struct parser *p)
{
	struct thread *th = p->last_thread;
	struct str from;
	char *name;
	size_t n = 0;

	if (p->continued && memmem(th->name.p, th->name.n, "\r\n", 2) != NULL) {
		from = th->name;
		name = arena_alloc(&p->trace->arena, from.n);
		for (size_t i = 0; i < from.n; i++)
			if (i + 1 == from.n || from.p[i] != '\r' || from.p[i + 1] != '\n')
				name[n++] = from.p[i];
		th->name = (struct str){name, n};
	}
	p->continued = false;
	p->last_thread = NULL;
}

/* A TAB or, as in methods, two and more spaces, or one. */
static bool
separator_skip(struct str *rest, bool blanks)
{
	size_t n = 0;

	while (n < rest->n && rest->p[n] == ' ')
		n++;
	if (n == 0 && rest->n > 0 && rest->p[0] == '\t')
		n = 1;
	else if (n < (blanks ? 1 : 2))
		return false;
	*rest = (struct str){rest->p + n, rest->n - n};
	return true;
}

static void
thread_line(struct parser *p, struct str line)
{
	struct trace *t = p->trace;
	struct thread *th;
	struct str rest;
	uint64_t id;
	uint32_t index;

	/* The first line decides how columns are separated. */
	if (t->thread_line_count == 0)
		p->blanks = memchr(line.p, '\t', line.n) == NULL;
	if (!number_parse(line, 10, &id, &rest) || id > UINT32_MAX ||
	    !separator_skip(&rest, p->blanks)) {
		thread_continue(p, line);
		return;
	}
	thread_end(p);
	*MEM_ADD(t->thread_lines, t->thread_line_count, t->thread_line_room) =
	    (struct thread_line){(uint32_t)id, rest};
	index = idmap_get(&t->thread_ids, id);
	if (index != IDMAP_NONE) {
		/* Ids are used again: an exited and a live thread may share one. */
		th = seg_at(&t->threads, index);
		if (th->was.n == 0 && !str_equal(th->name, rest))
			th->was = th->name;
	} else {
		th = trace_thread_add(t, (uint32_t)id);
		if (th == NULL) {
			p->dropped++;
			return;
		}
		idmap_put(&t->thread_ids, id, t->threads.count - 1);
	}
	th->name = rest;
	th->listed = true;
	p->last_thread = th;
}

static void
method_line(struct parser *p, struct str line)
{
	struct method parsed, *m;

	if (!methodline_parse(line, &parsed) ||
	    (m = trace_method_add(p->trace, parsed.id)) == NULL) {
		p->dropped++;
		return;
	}
	*m = parsed;
	m->known = true;
	m->stated = line;
	(void)str_cut(&m->stated, '\t');
	if (m->id < p->id_min)
		p->id_min = m->id;
	if (m->id > p->id_max)
		p->id_max = m->id;
}

/* Later lines win, as in every reader with a map. */
static void
names_end(struct parser *p)
{
	struct trace *t = p->trace;

	thread_end(p);
	t->methods_known = t->methods.count;
	t->threads_listed = t->threads.count;
	if (t->methods.count > 1) {
		uint64_t span = (p->id_max - p->id_min) / 4 + 1;

		if (span <= WINDOW_MAX)
			idmap_window(&t->method_ids, p->id_min / 4, span);
	} else {
		/* Names may come later, between the records: those of ART count from 0. */
		idmap_window(&t->method_ids, 0, WINDOW_LATE);
	}
	for (uint32_t i = 1; i < t->methods.count; i++)
		idmap_put(&t->method_ids, trace_method(t, i)->id / 4, i);
}

static bool
at_data(const struct bytes *in)
{
	return bytes_left(in) >= 4 && memcmp(in->p, "SLOW", 4) == 0;
}

static bool
version_lines(struct parser *p, struct bytes *in, struct err *e)
{
	struct str line, rest;
	uint64_t version;

	if (!bytes_line(in, &line) || !str_equal(line, STR("*version")))
		return err_at(e, ERR_MALFORMED, in->offset, "expected the line *version");
	if (!bytes_line(in, &line) || !number_parse(line, 10, &version, &rest) || rest.n > 0)
		return err_at(e, ERR_MALFORMED, in->offset, "expected a version number");
	p->key->version = version <= 1000 ? (int)version : -1;
	return true;
}

static void
section_line(struct parser *p, struct str line)
{
	static void (*const parse[])(struct parser *, struct str) = {
		[SECTION_OPTIONS] = option_line,
		[SECTION_THREADS] = thread_line,
		[SECTION_METHODS] = method_line,
	};

	if (p->section == SECTION_OPTIONS && str_equal(line, STR("*threads")))
		p->section = SECTION_THREADS;
	else if (p->section != SECTION_METHODS && str_equal(line, STR("*methods")))
		p->section = SECTION_METHODS;
	else if (line.n > 0 || p->section == SECTION_THREADS)
		parse[p->section](p, line);
}

void
keytext_none(struct trace *t)
{
	struct parser p = {.trace = t};

	idmap_window(&t->thread_ids, 0, 1 << 16);
	names_end(&p);
}

bool
keytext_parse(struct keytext *key, struct trace *t, struct bytes *in, enum keytext_place place,
    struct err *e)
{
	struct parser p = {.key = key, .trace = t, .id_min = UINT64_MAX};
	bool end_seen = false, whole = false;
	struct str line;

	*key = (struct keytext){0};
	if (!version_lines(&p, in, e))
		return false;
	idmap_window(&t->thread_ids, 0, 1 << 16);
	while (!whole && bytes_line(in, &line)) {
		bool end = str_equal(line, STR("*end"));

		end_seen |= end;
		whole = end && (place == KEYTEXT_ALONE ? bytes_left(in) == 0 : at_data(in));
		if (!whole)
			section_line(&p, line);
	}
	if (whole || place == KEYTEXT_ALONE) {
		names_end(&p);
		key->data = in->offset;
		if (whole)
			trace_note_count(t, p.dropped,
			    "lines of the key section were not understood");
		else if (!end_seen)
			trace_note(t, "the text is cut: it has no *end line");
		return true;
	}
	if (end_seen)
		return err_at(e, ERR_TRUNCATED, in->offset,
		    "the key section is not followed by data (expected SLOW after *end, or FILE.data)");
	return err_at(e, ERR_TRUNCATED, in->offset,
	    "the file ends inside the key section (no *end line)");
}

void
keytext_narrow_threads(struct trace *t, unsigned bits)
{
	uint32_t mask = (1u << bits) - 1;
	/* How many listed threads share the low bits: 0, 1 or more. */
	uint8_t *sharers = mem_zero((size_t)mask + 1, 1);

	for (uint32_t i = 0; i < t->threads.count; i++) {
		uint8_t *n = &sharers[trace_thread(t, i)->id & mask];

		*n += *n < 2;
	}
	for (uint32_t i = 0; i < t->threads.count; i++) {
		struct thread *th = seg_at(&t->threads, i);

		if (th->id <= mask || sharers[th->id & mask] > 1)
			continue;
		trace_note(t, "thread %" PRIu32 " stands in the records as %" PRIu32, th->id,
		    th->id & mask);
		th->id &= mask;
		idmap_put(&t->thread_ids, th->id, i);
	}
	mem_free(sharers);
}
