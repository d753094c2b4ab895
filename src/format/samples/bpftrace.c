// SPDX-License-Identifier: Apache-2.0
/*
 * bpftrace: maps of stacks that bpftrace prints: @name[, keys and frames, the innermost first,
 * and ]: with a count.
 *
 * Keys, be they before the stack or after it, are the outermost frame.  Between two stacks of a key
 * is a comma.  One map is read, the first in the text.
 */
#include <config.h>

#include "base/mem.h"
#include "format/log/text.h"
#include "format/samples/samples.h"

enum { HEAD_LINES = 4096, COUNT_DIGITS = 15 };

struct bpftrace_text {
	struct sampler s;
	struct str map;     /* that is read, as "@stacks" */
	struct str key;     /* of the stack that is read */
	bool open, skip;    /* a stack is read; ... of another map */
	uint32_t thread;
	uint64_t left_out;  /* stacks of other maps */
};

/* "@name[rest" */
static bool
begin_parse(struct str line, struct str *map, struct str *rest)
{
	*rest = line;
	if (line.n == 0 || *line.p != '@')
		return false;
	*map = str_cut(rest, '[');
	return rest->p != NULL && memchr(map->p, ' ', map->n) == NULL;
}

/* "rest]: count" */
static bool
end_parse(struct str line, struct str *rest, uint64_t *count)
{
	size_t n = line.n;

	while (n > 0 && is_digit(line.p[n - 1]))
		n--;
	if (n == line.n || line.n - n > COUNT_DIGITS || n < 3 ||
	    memcmp(line.p + n - 3, "]: ", 3) != 0)
		return false;
	(void)digits_take(line.p + n, line.p + line.n, COUNT_DIGITS, count);
	*rest = (struct str){line.p, n - 3};
	return true;
}

/* Keys without the commas that part them from the stack. */
static struct str
key_trim(struct str key)
{
	key = str_trim(key);
	while (key.n > 0 && (*key.p == ',' || is_blank(*key.p))) {
		key.p++;
		key.n--;
	}
	while (key.n > 0 && (key.p[key.n - 1] == ',' || is_blank(key.p[key.n - 1])))
		key.n--;
	return key;
}

/* A function without its offset, "+12". */
static struct str
frame_name(struct str frame)
{
	size_t n = frame.n;

	while (n > 0 && is_digit(frame.p[n - 1]))
		n--;
	if (n > 1 && n < frame.n && frame.p[n - 1] == '+')
		frame.n = n - 1;
	return frame;
}

static void
stack_end(struct bpftrace_text *b, struct str key, uint64_t count)
{
	struct sbuf both = {0};

	key = key_trim(key);
	if (b->key.n > 0 && key.n > 0) {
		sbuf_printf(&both, "%.*s, %.*s", STR_ARG(b->key), STR_ARG(key));
		key = sbuf_view(&both);
	} else if (key.n == 0) {
		key = b->key;
	}
	b->open = false;
	if (b->skip) {
		b->s.frame_count = 0;
		b->left_out++;
	} else {
		if (key.n > 0)
			samples_frame(&b->s, key, (struct str){"", 0}, false);
		samples_add(&b->s, b->thread, count * 1000, 0, true);
	}
	sbuf_release(&both);
}

static bool
bpftrace_take(struct sampler *s)
{
	struct bpftrace_text *b = (struct bpftrace_text *)s;
	struct str line, map, rest;
	uint64_t count;

	if (!samples_line(s, &line))
		return false;
	line = str_trim(line);
	if (line.n == 0)
		return true;
	if (!b->open && begin_parse(line, &map, &rest)) {
		b->open = true;
		b->skip = !str_equal(map, b->map);
		line = rest;
		b->key = (struct str){"", 0};
		if (!end_parse(line, &rest, &count)) {
			b->key = key_trim(line);
			return true;
		}
	}
	if (!b->open)
		samples_fault(s, DAMAGE_SKIPPED_LINE);
	else if (end_parse(line, &rest, &count))
		stack_end(b, rest, count);
	else if (!b->skip && !str_equal(line, STR(",")))
		samples_frame(s, frame_name(line), (struct str){"", 0}, false);
	return true;
}

static void
bpftrace_end(struct sampler *s)
{
	const struct bpftrace_text *b = (const struct bpftrace_text *)s;

	trace_note_count(s->trace, b->left_out, "stacks of other maps are left out");
}

static const struct samples_format bpftrace = {bpftrace_take, bpftrace_end, NULL};

bool
bpftrace_open(struct trace *t, struct input *in, struct err *e)
{
	struct str rest = {(const char *)in->data.bytes, in->data.size}, map, line, part;
	struct str first = {NULL, 0};
	struct bpftrace_text *b;
	bool ends = false;
	uint64_t count;

	if (!logtext_is_text(rest))
		return false;
	for (int i = 0; i < HEAD_LINES && rest.p != NULL && !ends; i++) {
		line = str_trim(str_cut(&rest, '\n'));
		if (first.p == NULL && begin_parse(line, &map, &part))
			first = map;
		ends = first.p != NULL && end_parse(line, &part, &count);
	}
	if (!ends)
		return false;
	b = mem_zero(1, sizeof(*b));
	b->map = first;
	samples_open(&b->s, &bpftrace, t, in);
	t->format = "bpftrace";
	t->unit.name = "count";
	trace_property_add(t, STR("map"), first);
	b->thread = samples_thread_one(&b->s);
	return true;
}
