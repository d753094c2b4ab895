#include <config.h>

#include "report/folded.h"

#include "base/mem.h"
#include "report/frames.h"

enum { US = 1000 };
/*
 * Frames in all lines together.  A line repeats its callers, so what a recursion as deep
 * as the trace is long would give is the square of it; then stacks are cut.
 */
enum { FRAMES_MAX = 32 << 20 };

#define FRAME_CUT   STR("(deeper)")
#define FRAME_EMPTY STR("(toplevel)")

struct folding {
	struct sink *sink;
	const struct paths *paths;
	enum clock_id clock;
	struct frames *frames;
	struct path_order order;
	uint32_t depth_max; /* frames of a line, the root's not counted */
	nsec carry;
	struct sbuf stack;
	/* The way down: a path, what it has not visited of its children, where it begins. */
	struct step {
		uint32_t path;
		uint32_t next, end; /* in `queue` */
		size_t text;
	} *steps;
	size_t depth, room;
	const struct path **queue;
	size_t queued, queue_room;
};

/* So deep that all lines together have no more than FRAMES_MAX. */
static uint32_t
depth_limit(const struct paths *p, enum clock_id clock)
{
	uint32_t *depth = mem_zero((size_t)p->count + 1, sizeof(*depth));
	uint32_t *lines, deepest = 0, limit;
	uint64_t frames = 0, deeper = 0;

	for (uint32_t id = p->roots; id < p->count; id++) {
		depth[id] = depth[p->items[id].parent] + 1;
		deepest = depth[id] > deepest ? depth[id] : deepest;
	}
	lines = mem_zero((size_t)deepest + 1, sizeof(*lines));
	for (uint32_t id = p->roots; id < p->count; id++) {
		if (p->items[id].exclusive[clock] == 0)
			continue;
		lines[depth[id]]++;
		deeper++;
	}
	for (limit = 0; limit < deepest; limit++) {
		frames += deeper; /* all lines that have a frame at limit + 1 */
		if (frames > FRAMES_MAX)
			break;
		deeper -= lines[limit + 1];
	}
	mem_free(lines);
	mem_free(depth);
	return limit;
}

static void
frame_add(struct folding *f, struct str name)
{
	if (f->stack.n > 0)
		sbuf_char(&f->stack, ';');
	sbuf_str(&f->stack, name);
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

/* The path's own line; goes down into it, if its children are to be shown. */
static void
enter(struct folding *f, const struct path *path)
{
	size_t text = f->stack.n;
	struct step *step;

	if (path->parent != PATH_NONE) {
		frame_add(f, frames_method(f->frames, path->method));
	} else if (f->paths->root_thread[paths_id(f->paths, path)] != THREAD_NONE) {
		frame_add(f, frames_thread(f->frames,
				 f->paths->root_thread[paths_id(f->paths, path)]));
	}
	line(f, f->stack.n == 0 ? FRAME_EMPTY : STR(""), path->exclusive[f->clock]);
	if (f->depth > f->depth_max) { /* the root's step is not a frame */
		line(f, FRAME_CUT, path->inclusive[f->clock] - path->exclusive[f->clock]);
		f->stack.n = text;
		return;
	}
	MEM_GROW(f->steps, f->room, f->depth + 1);
	MEM_GROW(f->queue, f->queue_room, f->queued + path->children + 1);
	step = &f->steps[f->depth++];
	*step = (struct step){paths_id(f->paths, path), (uint32_t)f->queued,
	    (uint32_t)(f->queued + path->children), text};
	paths_children(f->paths, step->path, &f->order, f->queue + f->queued);
	f->queued += path->children;
}

static void
root_write(struct folding *f, uint32_t root)
{
	enter(f, &f->paths->items[root]);
	while (f->depth > 0 && sink_row(f->sink)) {
		struct step *top = &f->steps[f->depth - 1];

		if (top->next < top->end) {
			enter(f, f->queue[top->next++]);
			continue;
		}
		f->queued -= f->paths->items[top->path].children;
		f->stack.n = top->text;
		f->depth--;
	}
}

void
folded_write(struct sink *sink, const struct flame *flame)
{
	const struct report *r = flame->report;
	struct folding f = {.sink = sink,
	    .paths = flame->paths,
	    .clock = r->figures.clock,
	    .order = {.key = PATH_BY_NAME, .trace = r->trace},
	    .carry = US / 2};

	f.depth_max = depth_limit(f.paths, f.clock);
	f.frames = frames_new(r->trace, r->figures.names);
	for (uint32_t root = 0; root < f.paths->roots && sink_row(sink); root++)
		root_write(&f, root);
	frames_free(f.frames);
	mem_free(f.steps);
	mem_free(f.queue);
	sbuf_release(&f.stack);
}
