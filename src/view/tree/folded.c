// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/tree/folded.h"

#include <inttypes.h>

#include "base/map.h"

enum { US = 1000 };

#define FRAME_EMPTY STR("(toplevel)")

void
folded_begin(struct folded *f, const struct figures *figures)
{
	*f = (struct folded){.figures = figures, .carry = US / 2};
}

void
folded_release(struct folded *f)
{
	mem_free(f->methods);
	mem_free(f->ambiguous);
	mem_free(f->shared);
	mem_free(f->ends);
	mem_free(f->ids);
	arena_release(&f->arena);
	sbuf_release(&f->text);
	sbuf_release(&f->stack);
	pathwalk_release(&f->walk);
	*f = (struct folded){.figures = NULL};
}

/* Frames --------------------------------------------------------------------------- */

/* Marks items whose texts are the same as another's. */
static void
equal_mark(uint32_t *first, uint32_t text, uint32_t item, uint8_t *marks)
{
	if (first[text] > 0)
		marks[item] = marks[first[text] - 1] = 1;
	else
		first[text] = item + 1;
}

static void
ambiguous_find(struct folded *f)
{
	size_t methods = trace_method_count(f->figures->trace), threads = trace_thread_count(f->figures->trace);
	struct intern texts = {0};
	uint32_t *first = mem_zero(methods * 2 + threads + 1, sizeof(*first));

	f->methods = mem_zero(methods + 1, sizeof(*f->methods));
	f->ambiguous = mem_zero(methods + 1, 1);
	f->shared = mem_zero(threads + 1, 1);
	for (uint32_t i = 0; i < methods; i++) {
		const struct method *m = trace_method(f->figures->trace, i);
		uint32_t class_name = intern_add(&texts, m->class_name, 0);

		if (m->known)
			equal_mark(first, intern_add(&texts, m->name, 1 + (uint64_t)class_name), i,
			    f->ambiguous);
	}
	for (uint32_t i = 0; i < threads; i++)
		equal_mark(first, intern_add(&texts, trace_thread(f->figures->trace, i)->name, UINT64_MAX), i,
		    f->shared);
	intern_release(&texts);
	mem_free(first);
}

/* Where the blanks before a number at the end of the text begin; n without a number. */
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

/* The text as a frame, until the next.  Names come cleaned: no control characters, in UTF-8. */
static struct str
frame_text(struct folded *f)
{
	struct sbuf *text = &f->text;

	if (text->n == 0)
		sbuf_char(text, '?');
	for (size_t i = 0; i < text->n; i++)
		if (text->p[i] == ';')
			text->p[i] = ':';
	return sbuf_view(text);
}

/* Puts a frame on the outer `depth` frames. */
static void
frame_put(struct folded *f, size_t depth, struct str frame)
{
	f->stack.n = depth > 0 ? f->ends[depth - 1] : 0;
	if (f->stack.n > 0)
		sbuf_char(&f->stack, ';');
	sbuf_str(&f->stack, frame);
	MEM_GROW(f->ends, f->ends_room, depth + 1);
	f->ends[depth] = f->stack.n;
}

void
folded_method(struct folded *f, size_t depth, uint32_t method)
{
	struct names *names = f->figures->names;
	struct str name;

	if (f->methods == NULL)
		ambiguous_find(f);
	if (f->methods[method].p == NULL) {
		name = names_full(names, method);
		if (trace_method(f->figures->trace, method)->known && !f->ambiguous[method])
			name.n -= names_signature(names, method).n;
		sbuf_clear(&f->text);
		sbuf_str(&f->text, name);
		if (number_at(name) < name.n)
			f->text.p[number_at(name)] = '_';
		f->methods[method] = arena_str(&f->arena, frame_text(f));
	}
	frame_put(f, depth, f->methods[method]);
}

/* Puts the thread's name as the outermost frame; of several threads none. */
static void
thread_put(struct folded *f, uint32_t thread)
{
	if (f->methods == NULL)
		ambiguous_find(f);
	sbuf_clear(&f->text);
	if (thread == THREAD_NONE) {
		frame_put(f, 0, STR(""));
		return;
	}
	sbuf_str(&f->text, names_thread(f->figures->names, thread));
	if (f->shared[thread])
		sbuf_printf(&f->text, " [%" PRIu32 "]", trace_thread(f->figures->trace, thread)->id);
	frame_put(f, 0, frame_text(f));
}

/* Lines ---------------------------------------------------------------------------- */

/* Writes the stack with a frame more, if that has a name, and its time. */
static void
line(struct folded *f, struct str extra, nsec time, struct sbuf *out)
{
	bool exact = f->figures->trace->unit.name != NULL; /* counts may have fractions */
	nsec us;

	f->carry += exact ? 0 : time;
	us = exact ? time : f->carry / US;
	if (us <= 0)
		return;
	f->carry -= exact ? 0 : us * US;
	sbuf_str(out, sbuf_view(&f->stack));
	if (f->stack.n > 0 && extra.n > 0)
		sbuf_char(out, ';');
	sbuf_str(out, extra);
	sbuf_char(out, ' ');
	if (exact)
		sbuf_us(out, time);
	else
		sbuf_number(out, us, 0);
	sbuf_char(out, '\n');
}

void
folded_line(struct folded *f, nsec time, struct sbuf *out)
{
	/* A thread's name may end like a count. */
	bool closed = f->stack.n > 0 && number_at(sbuf_view(&f->stack)) == f->stack.n;

	line(f, closed ? STR("") : FRAME_EMPTY, time, out);
}

uint32_t
frames_depth(const struct depth_count *depths, uint32_t deepest)
{
	uint64_t frames = 0; /* of stacks that are not cut */
	uint32_t limit = 0;

	for (uint64_t depth = 0; depth <= deepest; depth++) {
		frames += depths[depth].stacks * depth;
		if (frames > STACK_FRAMES_MAX)
			break;
		if (frames + depths[depth].below * (depth + 1) <= STACK_FRAMES_MAX)
			limit = (uint32_t)depth;
	}
	return limit;
}

/* Finds a depth at which all lines together stay short enough. */
static uint32_t
depth_limit(const struct paths *p, enum clock_id clock)
{
	uint32_t *depth = mem_zero((size_t)p->count + 1, sizeof(*depth));
	struct depth_count *depths;
	uint32_t deepest = 0, limit;

	for (uint32_t id = p->roots; id < p->count; id++) {
		depth[id] = depth[p->items[id].parent] + 1;
		deepest = depth[id] > deepest ? depth[id] : deepest;
	}
	depths = mem_zero((size_t)deepest + 1, sizeof(*depths));
	for (uint32_t id = p->roots; id < p->count; id++) {
		depths[depth[id]].stacks += p->items[id].exclusive[clock] != 0;
		depths[depth[id]].below += p->items[id].children > 0;
	}
	limit = frames_depth(depths, deepest);
	mem_free(depths);
	mem_free(depth);
	return limit;
}

/* True if the path is `top` or below it; of PATH_NONE all are. */
static bool
is_within(const struct paths *p, uint32_t id, uint32_t top)
{
	while (id != top && id != PATH_NONE)
		id = p->items[id].parent;
	return id == top;
}

bool
folded_next(struct folded *f, const struct paths *p, uint32_t top, struct sbuf *out)
{
	enum clock_id clock = f->figures->clock;
	const struct path *path;
	uint32_t id, depth;

	if (f->walk.paths == NULL) {
		f->walk = (struct pathwalk){
		    .paths = p, .order = {.names = true, .trace = f->figures->trace}};
		f->depth_max = depth_limit(p, clock);
	}
	id = pathwalk_next(&f->walk, &depth);
	if (id == PATH_NONE)
		return false;
	path = &p->items[id];
	if (depth == 0)
		thread_put(f, p->root_thread != NULL ? p->root_thread[id] : THREAD_NONE);
	else
		folded_method(f, depth, path->method);
	if (depth >= f->depth_max)
		pathwalk_skip(&f->walk);
	if (!is_within(p, id, top))
		return true;
	folded_line(f, path->exclusive[clock], out);
	if (depth >= f->depth_max)
		line(f, FRAMES_CUT, path->inclusive[clock] - path->exclusive[clock], out);
	return true;
}
