/*
 * folded: stacks on one line each, as flamegraph.pl, inferno and others read them:
 * frames from the bottom up with `;` between, a blank, and microseconds of exclusive time.
 *
 * The counts are whole and add up to the total, rounded: what a line is cut short by is
 * carried to the next.  Time of a thread with no call open stands under its name alone.
 */
#include <config.h>

#include "report/flame/flame.h"

#include "base/mem.h"
#include "report/flame/frames.h"
#include "report/pathwalk.h"

enum { US = 1000 };

#define FRAME_EMPTY STR("(toplevel)")

struct folding {
	struct sink *sink;
	const struct paths *paths;
	enum clock_id clock;
	struct frames *frames;
	uint32_t depth_max; /* frames of a line, the root's not counted */
	nsec carry;
	struct sbuf stack;
	size_t *ends; /* of the stack's text, by depth */
	size_t ends_room;
};

/* So deep that all lines together do not become too long. */
static uint32_t
depth_limit(const struct paths *p, enum clock_id clock)
{
	uint32_t *depth = mem_zero((size_t)p->count + 1, sizeof(*depth));
	uint32_t *lines, *below, deepest = 0, limit;

	for (uint32_t id = p->roots; id < p->count; id++) {
		depth[id] = depth[p->items[id].parent] + 1;
		deepest = depth[id] > deepest ? depth[id] : deepest;
	}
	lines = mem_zero((size_t)deepest + 1, sizeof(*lines));
	below = mem_zero((size_t)deepest + 1, sizeof(*below));
	for (uint32_t id = p->roots; id < p->count; id++) {
		lines[depth[id]] += p->items[id].exclusive[clock] != 0;
		below[depth[id]] += p->items[id].children > 0;
	}
	limit = frames_depth(lines, below, deepest);
	mem_free(below);
	mem_free(lines);
	mem_free(depth);
	return limit;
}

static void
line(struct folding *f, struct str extra, nsec time)
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
frame_of(struct folding *f, uint32_t id)
{
	const struct path *path = &f->paths->items[id];

	if (path->parent != PATH_NONE)
		return frames_method(f->frames, path->method);
	if (f->paths->root_thread[id] != THREAD_NONE)
		return frames_thread(f->frames, f->paths->root_thread[id]);
	return STR("");
}

/* The path's line, and one for all that is above it when it is cut there. */
static void
path_write(struct folding *f, uint32_t id, uint32_t depth)
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
	struct folding f = {.sink = sink,
	    .paths = flame->paths,
	    .clock = r->figures.clock,
	    .carry = US / 2};
	struct pathwalk walk = {
	    .paths = f.paths, .order = {.key = PATH_BY_NAME, .trace = r->trace}};
	uint32_t id, depth;

	f.depth_max = depth_limit(f.paths, f.clock);
	f.frames = frames_new(r->trace, r->figures.names);
	while ((id = pathwalk_next(&walk, &depth)) != PATH_NONE && sink_row(sink)) {
		path_write(&f, id, depth);
		if (depth >= f.depth_max)
			pathwalk_skip(&walk);
	}
	pathwalk_release(&walk);
	frames_free(f.frames);
	mem_free(f.ends);
	sbuf_release(&f.stack);
}
