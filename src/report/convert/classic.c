// SPDX-License-Identifier: Apache-2.0
/*
 * classic: a classic method trace, of any other variant, window or threads.
 *
 * Key section, "SLOW" header and fixed records of data version 1, 2 or 3; layout: Dalvik
 * vm/Profile.c and ART runtime/trace.cc, which our reader of them follows
 * (format/method/classic.c).  Times are microseconds modulo 2^32.
 *
 * Calls that were open before are entered at the beginning, which every reader takes
 * right; those cut by the window leave at its end, those open at the end of the trace
 * stay open.  Ids stay unchanged if all of them fit in their fields; else methods or
 * threads are numbered anew.  Of a log, rows that share a thread's id get another.
 * Methods are those that the whole trace calls.
 */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "report/convert/convert.h"

enum {
	HEADER_SIZE = 32, /* of every writer that Android had */
	RECORD_MAX = 14,
	US = 1000,
};

struct classic {
	struct convert *convert;
	struct sbuf *out;
	int version;
	enum clock_id clock;
	bool both;
	uint32_t *methods; /* by method: its id in the file */
	uint8_t *used;     /* by method: called on some path */
	uint32_t *threads; /* by thread: its id in the file */
	bool methods_anew, threads_anew;
	nsec *last;       /* by thread: time of its last record */
	uint8_t *started; /* by thread: has one */
};

/* Ids ------------------------------------------------------------------------------- */

static void
methods_number(struct classic *c)
{
	const struct tree *tree = &c->convert->profile->tree;
	const struct trace *t = c->convert->trace;
	uint32_t count = trace_method_count(t);
	uint64_t next = 0, anew = 0;

	for (uint32_t n = 1; n < tree->count; n++)
		c->used[tree->nodes[n].method] = 1;
	c->used[METHOD_TOPLEVEL] = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct method *m = trace_method(t, i);

		if (!c->used[i] || m->word != NULL)
			continue;
		c->methods_anew = c->methods_anew || m->id > UINT32_MAX || (m->id & 3) != 0;
		if (m->id >= next)
			next = m->id + 4;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct method *m = trace_method(t, i);

		if (!c->used[i])
			continue;
		c->methods[i] = m->word == NULL ? (uint32_t)m->id : (uint32_t)next;
		if (m->word != NULL) /* a pseudo-method has no id of its own */
			next += 4;
	}
	c->methods_anew = c->methods_anew || next > (uint64_t)UINT32_MAX + 1;
	for (uint32_t i = 0; i < count && c->methods_anew; i++)
		if (c->used[i])
			c->methods[i] = (uint32_t)(anew++ * 4);
}

static bool
threads_number(struct classic *c)
{
	uint32_t most = c->version == 1 ? UINT8_MAX : UINT16_MAX, number = 0;
	const struct convert *convert = c->convert;

	convert_thread_ids(convert, c->threads);
	for (uint32_t i = 0; i < convert->profile->stack_count; i++) {
		if (scope_has(convert->scope, i) && convert->profile->stacks[i].started)
			c->threads_anew = c->threads_anew || c->threads[i] > most;
	}
	for (uint32_t i = 0; i < convert->profile->stack_count && c->threads_anew; i++)
		if (scope_has(convert->scope, i) && convert->profile->stacks[i].started)
			c->threads[i] = ++number;
	return number <= most ||
	    err_set(convert->err, ERR_LIMIT, "%" PRIu32 " threads; data version %d has room for %" PRIu32,
		number, c->version, most);
}

/* Key section ----------------------------------------------------------------------- */

/* A column, or the rest of a line: what would end it becomes a blank. */
static void
column(struct sbuf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		char ch = text.p[i];

		sbuf_char(out, ch == '\t' || ch == '\n' || ch == '\r' ? ' ' : ch);
	}
}

static void
options_write(struct classic *c)
{
	static const char *const kept[] = {"clock-call-overhead-nsec", "vm", "pid"};
	static const char *const clocks[CLOCKS] = {"thread-cpu", "wall"};
	const struct profile *p = c->convert->profile;
	const struct trace *t = c->convert->trace;
	nsec elapsed = t->elapsed > p->end ? t->elapsed : p->end;

	sbuf_printf(c->out,
	    "*version\n%d\ndata-file-overflow=%s\nclock=%s\nelapsed-time-usec=%" PRId64 "\n",
	    c->version, t->overflow ? "true" : "false", c->both ? "dual" : clocks[c->clock],
	    elapsed / US);
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		struct str value = trace_property(t, kept[i]);

		/* With numbers of our own, threads are not those of the process. */
		if (value.p == NULL || (c->threads_anew && strcmp(kept[i], "pid") == 0))
			continue;
		sbuf_printf(c->out, "%s=", kept[i]);
		column(c->out, value);
		sbuf_char(c->out, '\n');
	}
}

static void
thread_write(struct classic *c, uint32_t index, struct str name)
{
	sbuf_number(c->out, c->threads[index], 0);
	sbuf_char(c->out, '\t');
	column(c->out, name.n > 0 || !c->threads_anew ? name : convert_thread_name(c->convert, index));
	sbuf_char(c->out, '\n');
}

static bool
threads_write(struct classic *c)
{
	const struct profile *p = c->convert->profile;

	sbuf_text(c->out, "*threads\n");
	for (uint32_t i = 0; i < p->stack_count && sink_row(c->convert->sink); i++) {
		const struct thread *th = trace_thread(c->convert->trace, i);

		if (!scope_has(c->convert->scope, i) || !p->stacks[i].started ||
		    (!th->listed && !c->threads_anew))
			continue;
		if (th->was.n > 0)
			thread_write(c, i, th->was);
		thread_write(c, i, th->name);
	}
	return sink_wanted(c->convert->sink);
}

static void
method_write(struct classic *c, uint32_t index)
{
	const struct method *m = trace_method(c->convert->trace, index);
	struct str parts[] = {m->class_name, m->name, m->signature, m->file};

	sbuf_printf(c->out, "0x%" PRIx32 "\t", c->methods[index]);
	if (m->stated.p != NULL) {
		sbuf_str(c->out, m->stated);
	} else if (m->word != NULL || !m->known || m->class_name.n == 0) {
		sbuf_str(c->out, convert_name(c->convert, index));
	} else {
		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
			if (i > 0)
				sbuf_char(c->out, '\t');
			column(c->out, parts[i]);
		}
		if (m->line != 0)
			sbuf_printf(c->out, "\t%" PRId32, m->line);
	}
	sbuf_char(c->out, '\n');
}

static bool
methods_write(struct classic *c)
{
	const struct trace *t = c->convert->trace;

	sbuf_text(c->out, "*methods\n");
	for (uint32_t i = 0; i < trace_method_count(t) && sink_row(c->convert->sink); i++) {
		const struct method *m = trace_method(t, i);

		/* An id that was not known stays so, unless it gets another. */
		if (c->used[i] && !convert_hides(c->convert, i) &&
		    (m->known || m->word != NULL || c->methods_anew))
			method_write(c, i);
	}
	sbuf_text(c->out, "*end\n");
	return sink_wanted(c->convert->sink);
}

/* Data ------------------------------------------------------------------------------ */

static uint8_t *
little(uint8_t *to, uint64_t n, int bytes)
{
	for (int i = 0; i < bytes; i++, n >>= 8)
		*to++ = (uint8_t)n;
	return to;
}

static void
header_write(struct classic *c)
{
	uint8_t header[HEADER_SIZE] = {'S', 'L', 'O', 'W'}, *at = header + 4;

	at = little(at, (uint64_t)c->version, 2);
	at = little(at, HEADER_SIZE, 2);
	at = little(at, c->convert->trace->start_us, 8);
	if (c->version == 3)
		little(at, RECORD_MAX, 2);
	sbuf_bytes(c->out, header, sizeof(header));
}

static bool
record_write(void *context, const struct visit_event *ev)
{
	struct classic *c = context;
	enum action exit = (ev->flags & CLOSED_UNROLLED) != 0 ? ACTION_UNROLL : ACTION_EXIT;
	uint8_t record[RECORD_MAX], *at = record;
	enum clock_id first = c->both ? CLOCK_CPU : c->clock;
	nsec *last = &c->last[ev->thread];

	/* Readers end it at the thread's last record, which is right if that is its end. */
	if (!ev->enter && (ev->flags & CLOSED_UNENDED) != 0 && ev->at[c->clock] == *last)
		return true;
	/* Readers know of a 32-bit clock that it started again, not how often. */
	if (c->started[ev->thread] && (ev->at[c->clock] - *last) / US > UINT32_MAX)
		return err_set(c->convert->err, ERR_LIMIT,
		    "thread %" PRIu32 " has no record for %" PRId64
		    " s; a classic trace has no times beyond 71 minutes of the one before"
		    " (--from=%" PRId64 " begins after that)",
		    trace_thread(c->convert->trace, ev->thread)->id,
		    (ev->at[c->clock] - *last) / (1000 * 1000 * US),
		    ev->at[c->clock] / (1000 * 1000 * US));
	at = little(at, c->threads[ev->thread], c->version == 1 ? 1 : 2);
	at = little(at, c->methods[ev->method] | (ev->enter ? ACTION_ENTER : exit), 4);
	at = little(at, (uint64_t)ev->at[first] / US, 4);
	if (c->both)
		at = little(at, (uint64_t)ev->at[CLOCK_WALL] / US, 4);
	sbuf_bytes(c->out, record, (size_t)(at - record));
	*last = ev->at[c->clock];
	c->started[ev->thread] = 1;
	return sink_row(c->convert->sink);
}

static bool
classic_write(struct convert *convert, int version, bool both)
{
	static const struct visitor visitor = {.event = record_write};
	struct classic c = {.convert = convert, .out = &convert->sink->text, .version = version,
	    .clock = convert->clock, .both = both};
	size_t methods = trace_method_count(convert->trace), stacks = convert->profile->stack_count;

	c.methods = convert_zero(convert, methods, sizeof(*c.methods));
	c.used = convert_zero(convert, methods, 1);
	c.threads = convert_zero(convert, stacks, sizeof(*c.threads));
	c.last = convert_zero(convert, stacks, sizeof(*c.last));
	c.started = convert_zero(convert, stacks, 1);
	methods_number(&c);
	if (!threads_number(&c))
		return false;
	options_write(&c);
	if (!threads_write(&c) || !methods_write(&c))
		return false;
	header_write(&c);
	return convert_visit(convert, &visitor, &c);
}

/* Both clocks need version 3; one fits in 2, which every reader knows. */
bool
convert_trace(struct convert *convert)
{
	bool both = convert->clocks == HAS_BOTH;

	return classic_write(convert, both ? 3 : 2, both);
}

bool
convert_trace1(struct convert *convert)
{
	return classic_write(convert, 1, false);
}

bool
convert_trace2(struct convert *convert)
{
	return classic_write(convert, 2, false);
}
