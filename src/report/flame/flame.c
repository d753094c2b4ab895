// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/flame/flame.h"

#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "profile/sum/idle.h"
#include "report/convert/convert.h"
#include "view/names/looks.h"

const struct flame_format flame_formats[] = {
    {"svg", "an interactive picture", flamegraph_write},
    {"folded", "stacks on a line each, for flamegraph.pl and others", folded_write},
};
const int flame_format_count = (int)(sizeof(flame_formats) / sizeof(flame_formats[0]));

void
flame_options_init(struct flame_options *o)
{
	*o = (struct flame_options){.format = &flame_formats[0], .min_width = FLAME_MIN_WIDTH};
}

void
flame_title(struct sbuf *out, const struct report *r, const struct flame_options *o,
    const char *words)
{
	if (o->title != NULL) {
		sbuf_text(out, o->title);
		return;
	}
	sbuf_text(out, words);
	sbuf_text(out, trace_title(r->trace));
}

/* Colours are those of the screen, by the whole trace; idle paths are marked. */
static bool
colours_make(struct flame *f)
{
	const struct report *r = f->report;
	struct looks *looks = names_looks(r->figures.names);
	uint32_t count = trace_method_count(r->trace);
	struct fold *whole = fold_make(r->profile, &(struct fold_query){0}, f->cancel);
	uint8_t *idle;

	if (whole == NULL)
		return false;
	looks_learn(looks, whole, trace_default_clock(r->trace));
	fold_free(whole);
	idle = mem_zero((size_t)count + 1, sizeof(*idle));
	for (uint32_t m = 1; m < count; m++)
		idle[m] = looks_method(looks, m) == ROLE_IDLE;
	paths_mark_idle(f->paths, r->trace, idle, count);
	mem_free(idle);
	return true;
}

bool
flame_make(struct flame *f, const struct report *r, const struct flame_options *o,
    const atomic_bool *cancel, struct err *e)
{
	bool coloured = o->format->write == flamegraph_write;

	*f = (struct flame){.report = r, .options = o, .cancel = cancel};
	flame_title(&f->title, r, o, "Flame graph of ");
	f->paths = report_paths(r, r->options->together, cancel);
	return (f->paths != NULL && (!coloured || colours_make(f))) ||
	    err_set(e, ERR_CANCELLED, "interrupted");
}

void
flame_release(struct flame *f)
{
	paths_free(f->paths);
	sbuf_release(&f->title);
	*f = (struct flame){.paths = NULL};
}

int
flame_write(const struct flame *f, FILE *file)
{
	struct sink sink = sink_to(file, f->cancel);

	f->options->format->write(&sink, f);
	return sink_end(&sink);
}

/* Flame graphs as formats to convert to: the stacks, and the picture. */

/* Merges what filters leave out into its callers. */
static void
hidden_merge(struct transforms *list, const struct convert *c)
{
	uint32_t count = trace_method_count(c->trace), n = 0;
	uint32_t *methods = mem_alloc(count * sizeof(*methods));

	for (uint32_t m = 0; m < count; m++)
		if (c->hidden[m])
			methods[n++] = m;
	if (n > 0)
		transforms_add_methods(list, TRANSFORM_MERGE, methods, n);
	mem_free(methods);
}

static bool
flame_convert(struct convert *c, void (*write)(struct sink *, const struct flame *))
{
	struct report_options options = *c->options; /* a borrowed copy: the original
	                                              * owns its content */
	struct flame_options how;
	struct report report;
	struct flame flame = {.paths = NULL};
	bool good;

	options.axis_clock = false;
	options.transforms = (struct transforms){.list = NULL};
	transforms_copy(&options.transforms, &c->options->transforms);
	if (c->hidden != NULL)
		hidden_merge(&options.transforms, c);
	flame_options_init(&how);
	good = report_open(&report, c->profile, &options, c->sink->cancel, c->err) &&
	       flame_make(&flame, &report, &how, c->sink->cancel, c->err);
	if (good)
		write(c->sink, &flame);
	flame_release(&flame);
	report_release(&report);
	transforms_release(&options.transforms);
	return good;
}

bool
convert_folded(struct convert *c)
{
	return flame_convert(c, folded_write);
}

bool
convert_svg(struct convert *c)
{
	return flame_convert(c, flamegraph_write);
}

/* Names of frames ------------------------------------------------------------------ */

struct flame_folding {
	struct sink *sink;
	const struct paths *paths;
	enum clock_id clock;
	uint32_t depth_max; /* frames of a line, the root's not counted */
	nsec carry;
	struct sbuf stack;
	size_t *ends; /* of the stack's text, by depth */
	size_t ends_room;
	/* Names of frames. */
	const struct trace *trace;
	struct names *names;
	struct str *methods; /* p NULL: not made yet */
	uint8_t *ambiguous;  /* by method: another one has the same class and name */
	uint8_t *shared;     /* by thread: another one has the same name */
	struct arena arena;
	struct sbuf text;
};

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
ambiguous_find(struct flame_folding *f)
{
	size_t methods = trace_method_count(f->trace), threads = trace_thread_count(f->trace);
	struct intern texts = {0};
	uint32_t *first = mem_zero(methods * 2 + threads + 1, sizeof(*first));

	f->methods = mem_zero(methods + 1, sizeof(*f->methods));
	f->ambiguous = mem_zero(methods + 1, 1);
	f->shared = mem_zero(threads + 1, 1);
	for (uint32_t i = 0; i < methods; i++) {
		const struct method *m = trace_method(f->trace, i);
		uint32_t class_name = intern_add(&texts, m->class_name, 0);

		if (m->known)
			equal_mark(first, intern_add(&texts, m->name, 1 + (uint64_t)class_name), i,
			    f->ambiguous);
	}
	for (uint32_t i = 0; i < threads; i++)
		equal_mark(first, intern_add(&texts, trace_thread(f->trace, i)->name, UINT64_MAX), i,
		    f->shared);
	intern_release(&texts);
	mem_free(first);
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

static bool
frames_is_count(struct str frame)
{
	return number_at(frame) < frame.n;
}

/* The text as a frame, until the next.  Names come cleaned: no control characters, in UTF-8. */
static struct str
frame_text(struct flame_folding *f)
{
	struct sbuf *text = &f->text;

	if (text->n == 0)
		sbuf_char(text, '?');
	for (size_t i = 0; i < text->n; i++)
		if (text->p[i] == ';')
			text->p[i] = ':';
	return sbuf_view(text);
}

static struct str
frames_method(struct flame_folding *f, uint32_t method)
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
	f->methods[method] = arena_str(&f->arena, frame_text(f));
	return f->methods[method];
}

/* Must not end a stack when it ends like a count. */
static struct str
frames_thread(struct flame_folding *f, uint32_t thread)
{
	sbuf_clear(&f->text);
	sbuf_str(&f->text, names_thread(f->names, thread));
	if (f->shared[thread])
		sbuf_printf(
		    &f->text, " [%" PRIu32 "]", trace_thread(f->trace, thread)->id);
	return frame_text(f);
}

/* Folded stacks ------------------------------------------------------------------- */

/*
 * folded: stacks on one line each, as flamegraph.pl, inferno and others read them:
 * frames from the bottom up with `;` between, a blank, and microseconds of exclusive time.
 *
 * The counts are whole and add up to the total, rounded: what rounding takes from a line
 * is carried to the next.  Time of a thread with no call open is on a line of its name
 * alone.
 */

enum { US = 1000 };

#define FRAME_EMPTY STR("(toplevel)")

/* A depth at which all lines together stay short enough. */
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

static void
line(struct flame_folding *f, struct str extra, nsec time)
{
	struct sbuf *out = &f->sink->text;
	nsec us;

	f->carry += time;
	us = f->carry / US;
	if (us <= 0)
		return;
	f->carry -= us * US;
	sbuf_str(out, sbuf_view(&f->stack));
	if (f->stack.n > 0 && extra.n > 0)
		sbuf_char(out, ';');
	sbuf_str(out, extra);
	sbuf_char(out, ' ');
	sbuf_number(out, us, 0);
	sbuf_char(out, '\n');
}

static struct str
frame_of(struct flame_folding *f, uint32_t id)
{
	const struct path *path = &f->paths->items[id];

	if (path->parent != PATH_NONE)
		return frames_method(f, path->method);
	if (f->paths->root_thread[id] != THREAD_NONE)
		return frames_thread(f, f->paths->root_thread[id]);
	return STR("");
}

/* The path's line, and one for all that is above it when it is cut there. */
static void
path_write(struct flame_folding *f, uint32_t id, uint32_t depth)
{
	const struct path *path = &f->paths->items[id];
	struct str frame = frame_of(f, id);

	f->stack.n = depth > 0 ? f->ends[depth - 1] : 0;
	if (f->stack.n > 0)
		sbuf_char(&f->stack, ';');
	sbuf_str(&f->stack, frame);
	MEM_GROW(f->ends, f->ends_room, (size_t)depth + 1);
	f->ends[depth] = f->stack.n;
	line(f, f->stack.n == 0 || frames_is_count(frame) ? FRAME_EMPTY : STR(""),
	    path->exclusive[f->clock]);
	if (depth >= f->depth_max)
		line(f, FRAMES_CUT, path->inclusive[f->clock] - path->exclusive[f->clock]);
}

void
folded_write(struct sink *sink, const struct flame *flame)
{
	const struct report *r = flame->report;
	struct flame_folding f = {.sink = sink,
	    .paths = flame->paths,
	    .clock = r->figures.clock,
	    .carry = US / 2,
	    .trace = r->trace,
	    .names = r->figures.names};
	struct pathwalk walk = {.paths = f.paths, .order = {.names = true, .trace = r->trace}};
	uint32_t id, depth;

	f.depth_max = depth_limit(f.paths, f.clock);
	ambiguous_find(&f);
	while ((id = pathwalk_next(&walk, &depth)) != PATH_NONE && sink_row(sink)) {
		path_write(&f, id, depth);
		if (depth >= f.depth_max)
			pathwalk_skip(&walk);
	}
	pathwalk_release(&walk);
	mem_free(f.methods);
	mem_free(f.ambiguous);
	mem_free(f.shared);
	arena_release(&f.arena);
	sbuf_release(&f.text);
	mem_free(f.ends);
	sbuf_release(&f.stack);
}
