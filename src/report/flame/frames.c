#include <config.h>

#include "report/flame/frames.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/sbuf.h"

struct frames {
	const struct trace *trace;
	struct names *names;
	uint32_t method_count, thread_count;
	struct str *methods; /* p NULL: not made yet */
	struct str *threads;
	uint8_t *ambiguous; /* by method: another one has the same class and name */
	uint8_t *shared;    /* by thread: another one has the same name */
	struct arena arena;
	struct sbuf text;
};

struct named {
	struct str class_name, name;
	uint32_t index;
};

static int
named_order(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = str_compare(a->class_name, b->class_name);

	if (order == 0)
		order = str_compare(a->name, b->name);
	return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

/* Sets the mark of each that has the same names as another; reorders the items. */
static void
equals_mark(struct named *items, uint32_t count, uint8_t *marks)
{
	qsort(items, count, sizeof(*items), named_order);
	for (uint32_t i = 1; i < count; i++) {
		if (!str_equal(items[i].class_name, items[i - 1].class_name) ||
		    !str_equal(items[i].name, items[i - 1].name))
			continue;
		marks[items[i].index] = 1;
		marks[items[i - 1].index] = 1;
	}
}

static void
ambiguous_find(struct frames *f)
{
	uint32_t most = f->method_count > f->thread_count ? f->method_count : f->thread_count;
	struct named *items = mem_alloc(((size_t)most + 1) * sizeof(*items));
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->method_count; i++) {
		const struct method *m = trace_method(f->trace, i);

		if (m->known)
			items[n++] = (struct named){m->class_name, m->name, i};
	}
	equals_mark(items, n, f->ambiguous);
	for (uint32_t i = 0; i < f->thread_count; i++)
		items[i] = (struct named){STR(""), trace_thread(f->trace, i)->name, i};
	equals_mark(items, f->thread_count, f->shared);
	mem_free(items);
}

uint32_t
frames_depth(const uint32_t *stacks, const uint32_t *below, uint32_t deepest)
{
	uint64_t frames = 0; /* of stacks that are not cut */
	uint32_t limit = 0;

	for (uint64_t depth = 0; depth <= deepest; depth++) {
		frames += stacks[depth] * depth;
		if (frames > FRAMES_MAX)
			break;
		if (frames + below[depth] * (depth + 1) <= FRAMES_MAX)
			limit = (uint32_t)depth;
	}
	return limit;
}

struct frames *
frames_new(const struct trace *t, struct names *names)
{
	struct frames *f = mem_zero(1, sizeof(*f));

	f->trace = t;
	f->names = names;
	f->method_count = trace_method_count(t);
	f->thread_count = trace_thread_count(t);
	f->methods = mem_zero((size_t)f->method_count + 1, sizeof(*f->methods));
	f->threads = mem_zero((size_t)f->thread_count + 1, sizeof(*f->threads));
	f->ambiguous = mem_zero((size_t)f->method_count + 1, 1);
	f->shared = mem_zero((size_t)f->thread_count + 1, 1);
	ambiguous_find(f);
	return f;
}

void
frames_free(struct frames *f)
{
	if (f == NULL)
		return;
	mem_free(f->methods);
	mem_free(f->threads);
	mem_free(f->ambiguous);
	mem_free(f->shared);
	arena_release(&f->arena);
	sbuf_release(&f->text);
	mem_free(f);
}

/* Where the blanks are that stand before a number which ends the text; n without one. */
static size_t
number_at(struct str text)
{
	size_t end = text.n;
	bool digits = false;

	while (end > 0 && ((text.p[end - 1] >= '0' && text.p[end - 1] <= '9') ||
			      text.p[end - 1] == '.')) {
		digits |= text.p[end - 1] != '.';
		end--;
	}
	return digits && end > 0 && text.p[end - 1] == ' ' ? end - 1 : text.n;
}

bool
frames_is_count(struct str frame)
{
	return number_at(frame) < frame.n;
}

/* Names come cleaned: without control characters, in UTF-8. */
static struct str
frame_keep(struct frames *f)
{
	struct sbuf *text = &f->text;

	if (text->n == 0)
		sbuf_char(text, '?');
	for (size_t i = 0; i < text->n; i++)
		if (text->p[i] == ';')
			text->p[i] = ':';
	return arena_str(&f->arena, sbuf_view(text));
}

struct str
frames_method(struct frames *f, uint32_t method)
{
	struct str name;

	if (f->methods[method].p != NULL)
		return f->methods[method];
	name = names_full(f->names, method);
	if (trace_method(f->trace, method)->known && !f->ambiguous[method])
		name.n -= names_signature(f->names, method).n;
	sbuf_clear(&f->text);
	sbuf_str(&f->text, name);
	if (frames_is_count(name))
		f->text.p[number_at(name)] = '_';
	f->methods[method] = frame_keep(f);
	return f->methods[method];
}

struct str
frames_thread(struct frames *f, uint32_t thread)
{
	if (f->threads[thread].p != NULL)
		return f->threads[thread];
	sbuf_clear(&f->text);
	sbuf_str(&f->text, names_thread(f->names, thread));
	if (f->shared[thread])
		sbuf_printf(
		    &f->text, " [%" PRIu32 "]", trace_thread(f->trace, thread)->id);
	f->threads[thread] = frame_keep(f);
	return f->threads[thread];
}
