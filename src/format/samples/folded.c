// SPDX-License-Identifier: Apache-2.0
/*
 * folded: folded stacks, one a line, as stackcollapse, inferno, async-profiler and slowtop
 * write them: frames from the outermost on with ; between, a blank, a weight.
 *
 * The weight is a count, perhaps with a fraction.  The first frames are names of threads, too, if
 * all of them tell a thread's number.
 */
#include <config.h>

#include "base/mem.h"
#include "format/log/text.h"
#include "format/samples/samples.h"

enum {
	HEAD_LINES = 20,   /* the first ones tell what the text is */
	HEAD_PERCENT = 75, /* of them are stacks */
	TWO_PERCENT = 90,  /* of the lines have two numbers: a difference of two profiles */
	DIGITS_MOST = 15,
};

struct folded_text {
	struct sampler s;
	bool threads;    /* the first frames are threads */
	uint32_t thread; /* else the one */
};

/* Lines ----------------------------------------------------------------------------- */

/* A line that tells nothing. */
static bool
is_remark(struct str line)
{
	line = str_trim(line);
	return line.n == 0 || *line.p == '#';
}

/* Cuts off the last word, a number, in thousandths; false without one after a blank. */
static bool
weight_cut(struct str *line, uint64_t *weight)
{
	struct str stack = str_trim(*line), word;
	uint64_t whole, part = 0;
	const char *at, *end = stack.p + stack.n;

	while (stack.n > 0 && !is_blank(stack.p[stack.n - 1]))
		stack.n--;
	word = (struct str){stack.p + stack.n, (size_t)(end - stack.p) - stack.n};
	if (stack.n == 0 || word.n == 0 || !is_digit(*word.p))
		return false;
	at = digits_take(word.p, end, DIGITS_MOST, &whole);
	if (at < end && *at == '.') {
		const char *point = at + 1;

		at = digits_take(point, end, 3, &part);
		for (size_t n = (size_t)(at - point); n < 3; n++)
			part *= 10;
		part += at < end && *at >= '5' && *at <= '9'; /* rounded half up */
		while (at < end && is_digit(*at))
			at++;
	}
	*weight = whole * 1000 + part;
	*line = str_trim(stack);
	return at == end;
}

/* "name-pid/tid" and "[name tid=N]" are threads. */
static bool
thread_parse(struct str frame, uint32_t *tid, struct str *name)
{
	const char *end = frame.p + frame.n, *digits = end;
	static const struct str mark = STR(" tid=");
	bool bracket = frame.n > 2 && *frame.p == '[' && end[-1] == ']';
	uint64_t number;

	digits = end -= bracket;
	while (digits > frame.p && is_digit(digits[-1]))
		digits--;
	if (digits == end || digits_take(digits, end, 10, &number) != end || number > UINT32_MAX)
		return false;
	*tid = (uint32_t)number;
	if (bracket) {
		*name = (struct str){frame.p + 1, (size_t)(digits - frame.p) - 1};
		if (name->n < mark.n || memcmp(digits - mark.n, mark.p, mark.n) != 0)
			return false;
		name->n -= mark.n;
		return true;
	}
	if (digits == frame.p || *--digits != '/')
		return false;
	end = digits;
	while (digits > frame.p && is_digit(digits[-1]))
		digits--;
	*name = (struct str){frame.p, (size_t)(digits - frame.p)};
	if (digits == end || name->n < 2 || name->p[--name->n] != '-')
		return false;
	return true;
}

/* Reading --------------------------------------------------------------------------- */

static bool
folded_take(struct sampler *s)
{
	struct folded_text *f = (struct folded_text *)s;
	uint32_t thread = f->thread, tid;
	struct str line, frame, name, first;
	uint64_t weight;

	if (!samples_line(s, &line))
		return false;
	if (is_remark(line))
		return true;
	if (!weight_cut(&line, &weight) || weight == 0) {
		samples_fault(s, DAMAGE_SKIPPED_LINE);
		return true;
	}
	if (f->threads) {
		frame = line;
		first = str_cut(&frame, ';');
		if (thread_parse(first, &tid, &name))
			thread = trace_thread_define(s->trace, tid, name, NULL);
	}
	while (line.p != NULL) {
		frame = str_cut(&line, ';');
		if (frame.n > 0)
			samples_frame(s, frame, (struct str){"", 0}, false);
	}
	samples_add(s, thread, weight, 0, false);
	return true;
}

static const struct samples_format folded = {folded_take, NULL, NULL};

/* Opening --------------------------------------------------------------------------- */

/* The kind of a file's lines. */
struct folded_head {
	uint64_t lines, stacks, two, threads;
	bool deep; /* one has two frames */
};

static struct folded_head
lines_count(struct str file, uint64_t most)
{
	struct folded_head c = {0};

	while (file.p != NULL && c.lines < most) {
		struct str line = str_cut(&file, '\n'), rest, name;
		uint64_t weight;
		uint32_t tid;

		if (is_remark(line))
			continue;
		c.lines++;
		if (!weight_cut(&line, &weight))
			continue;
		c.stacks++;
		rest = line;
		c.two += weight_cut(&rest, &weight);
		c.threads += thread_parse(str_cut(&line, ';'), &tid, &name);
		c.deep |= line.p != NULL;
		/* A stack that tells no thread decides; only the beginning tells the rest. */
		if (c.threads < c.stacks && c.lines >= HEAD_LINES)
			break;
	}
	return c;
}

bool
folded_open(struct trace *t, struct input *in, struct err *e)
{
	struct str file = {(const char *)in->data.bytes, in->data.size};
	struct folded_head head = lines_count(file, HEAD_LINES);
	struct folded_text *f;

	if (!logtext_is_text(file) || !head.deep || head.stacks * 100 < head.lines * HEAD_PERCENT)
		return false;
	if (head.two * 100 >= head.lines * TWO_PERCENT)
		return err_set(e, ERR_UNSUPPORTED, "is a difference of folded stacks, with two numbers "
		    "a line; slowtop diff compares the two files that it was made of");
	f = mem_zero(1, sizeof(*f));
	samples_open(&f->s, &folded, t, in);
	t->format = "folded";
	t->unit.name = "count";
	trace_note(t, "folded stacks have neither times nor a unit: weights are shown as they are, "
	    "in the order of the file");
	if (head.threads == head.stacks) {
		struct folded_head all = lines_count(file, UINT64_MAX);

		f->threads = all.threads == all.stacks;
	}
	if (!f->threads)
		f->thread = samples_thread_one(&f->s);
	return true;
}
