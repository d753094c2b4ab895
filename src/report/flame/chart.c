// SPDX-License-Identifier: Apache-2.0
/*
 * chart: calls in the order of time as an SVG picture, a band of rows for each thread.
 *
 * Callers are above what they call.  Calls narrower than a pixel are drawn together with
 * those of the same thread and depth that begin in the same pixel; when that is still more
 * than a picture can hold, coarser, so the size is bounded whatever the trace.  Decodes the
 * window's records once.
 */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "report/convert/events.h"
#include "report/flame/flame.h"
#include "report/flame/picture.h"
#include "report/report.h"

/*
 * Blocks: the calls of a chart, in one pass, as many blocks as a picture can hold.
 *
 * A call is a block when it is longer than a grain of time; shorter ones of the same
 * thread and depth that begin within one grain are one block together.  Those directly
 * within a long call tell most, those within short ones less: there are `levels` of them.
 * When blocks get too many, grain and levels become coarser, for those that are there
 * as for those to come; so the picture is equally fine from its begin to its end, and
 * memory is bounded.  Times are nanoseconds on the axis.
 */

enum {
	CHART_DEPTH_MAX = 200, /* of a thread; deeper calls are left out */
	CHART_LEVELS_ALL = CHART_DEPTH_MAX,
};

/* A call, or several short ones. */
struct chart_block {
	uint32_t thread, depth, method; /* the method of the longest */
	uint32_t calls;
	unsigned marks; /* enum visit_mark */
	unsigned level; /* 0: long; else how many short ones there are down to it */
	nsec from, to;
	nsec sum, longest; /* of several: together, and of `method` */
};

struct chart_stack {
	struct chart_open *open; /* calls, by depth */
	size_t open_room;
	struct chart_block *pending; /* short calls, by depth; calls 0: none */
	size_t pending_room, pending_count;
	nsec covered;   /* by calls */
	uint32_t depth; /* of its blocks: rows that they take */
	size_t first;   /* of them, in the list */
};

struct chart_blocks {
	nsec from, to;     /* of the picture */
	enum clock_id clock;
	size_t limit;      /* blocks there may be */
	nsec grain;        /* at first; then what it became */
	unsigned levels;
	unsigned coarser;  /* how often both were changed */
	struct chart_stack *stacks;
	uint32_t stack_count;
	struct chart_block *list; /* by thread, depth and time */
	size_t count, room;
	uint64_t too_deep, too_short, too_many; /* calls that are left out */
};

struct chart_open {
	nsec from;
	unsigned marks;
};

/* Which of the picture's grains a time is in. */
static nsec
column(const struct chart_blocks *c, nsec at)
{
	return (at - c->from) / c->grain;
}

static bool
is_short(const struct chart_blocks *c, const struct chart_block *b)
{
	return b->to - b->from < c->grain;
}

/* Fewer blocks ------------------------------------------------------------------------ */

static int
block_order(const void *left, const void *right)
{
	const struct chart_block *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static void
list_sort(struct chart_blocks *c)
{
	if (c->count > 0)
		qsort(c->list, c->count, sizeof(*c->list), block_order);
}

/*
 * How deep in short calls each block is, from what is around it; that is in the row before,
 * or still open and then long.
 */
static void
levels_find(struct chart_blocks *c)
{
	size_t around = 0, row = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct chart_block *b = &c->list[i];
		const struct chart_block *last = i > 0 ? &c->list[i - 1] : NULL;

		if (last == NULL || last->thread != b->thread) {
			around = row = i;
		} else if (last->depth != b->depth) {
			around = last->depth + 1 == b->depth ? row : i;
			row = i;
		}
		while (around + 1 < row && c->list[around + 1].from <= b->from)
			around++;
		b->level = is_short(c, b);
		if (b->level > 0 && around < row && c->list[around].from <= b->from &&
		    b->from <= c->list[around].to)
			b->level += c->list[around].level;
	}
}

static void
block_join(struct chart_block *into, const struct chart_block *b)
{
	into->calls += b->calls;
	into->to = b->to > into->to ? b->to : into->to;
	into->sum += b->sum;
	into->marks |= b->marks;
	if (b->longest > into->longest) {
		into->longest = b->longest;
		into->method = b->method;
	}
}

/* Leaves what grain and levels leave. */
static void
list_thin(struct chart_blocks *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct chart_block *b = &c->list[i];
		struct chart_block *last = n > 0 ? &c->list[n - 1] : NULL;

		if (b->level > c->levels)
			c->too_short += b->calls;
		else if (last != NULL && b->level > 0 && last->level > 0 &&
			 last->thread == b->thread && last->depth == b->depth &&
			 column(c, last->from) == column(c, b->from))
			block_join(last, b);
		else
			c->list[n++] = *b;
	}
	c->count = n;
}

/* False when all of a row is one block already. */
static bool
get_coarser(struct chart_blocks *c)
{
	/* Limits of levels, in turn, where 0 makes grains coarser; after the last, grains only. */
	static const unsigned levels[] = {0, 8, 4, 2, 0, 1};
	unsigned turn = c->coarser;

	if (turn < sizeof(levels) / sizeof(levels[0]) && levels[turn] > 0)
		c->levels = levels[turn];
	else if (c->grain <= c->to - c->from)
		c->grain *= 2;
	else
		return false;
	c->coarser++;
	return true;
}

static void
list_add(struct chart_blocks *c, const struct chart_block *b)
{
	MEM_GROW(c->list, c->room, c->count + 1);
	c->list[c->count++] = *b;
}

static void
pending_flush(struct chart_blocks *c, struct chart_block *p)
{
	if (p->calls > 0)
		list_add(c, p);
	p->calls = 0;
}

static void
stacks_flush(struct chart_blocks *c)
{
	for (uint32_t t = 0; t < c->stack_count; t++)
		for (size_t d = 0; d < c->stacks[t].pending_count; d++)
			pending_flush(c, &c->stacks[t].pending[d]);
}

/* A good part of the room becomes free, so that it does not happen too often. */
static void
list_limit(struct chart_blocks *c)
{
	size_t wanted = c->limit / 4 * 3;

	stacks_flush(c);
	while (c->count > wanted && get_coarser(c)) {
		list_sort(c);
		levels_find(c);
		list_thin(c);
	}
	while (c->count > wanted)
		c->too_many += c->list[--c->count].calls;
}

/* Collecting ------------------------------------------------------------------------ */

static struct chart_block *
pending_at(struct chart_stack *stack, uint32_t depth)
{
	MEM_GROW(stack->pending, stack->pending_room, (size_t)depth + 1);
	while (stack->pending_count <= depth)
		stack->pending[stack->pending_count++] = (struct chart_block){.calls = 0};
	return &stack->pending[depth];
}

/* The level by what is known so far: outer calls that are short now may become long. */
static unsigned
short_level(const struct chart_blocks *c, const struct chart_stack *stack, uint32_t depth,
    nsec now)
{
	unsigned level = 1;

	while (depth-- > 0 && level <= c->levels && now - stack->open[depth].from < c->grain)
		level++;
	return level;
}

static void
call_add(struct chart_blocks *c, struct chart_block *call)
{
	struct chart_stack *stack = &c->stacks[call->thread];
	struct chart_block *p = pending_at(stack, call->depth);

	if (!is_short(c, call)) {
		pending_flush(c, p);
		list_add(c, call);
		return;
	}
	call->level = short_level(c, stack, call->depth, call->to);
	if (call->level > c->levels) {
		c->too_short++;
		return;
	}
	if (p->calls > 0 && column(c, p->from) == column(c, call->from)) {
		block_join(p, call);
		return;
	}
	pending_flush(c, p);
	*p = *call;
}

static bool
on_event(void *context, const struct visit_event *ev)
{
	struct chart_blocks *c = context;
	struct chart_stack *stack = &c->stacks[ev->thread];
	nsec now = ev->at[c->clock], time;
	struct chart_block call;
	struct chart_open *open;

	MEM_GROW(stack->open, stack->open_room, (size_t)ev->depth + 1);
	open = &stack->open[ev->depth];
	if (ev->enter) {
		*open = (struct chart_open){now, ev->marks};
		return true;
	}
	time = now - open->from;
	call = (struct chart_block){.thread = ev->thread, .depth = ev->depth, .method = ev->method,
	    .calls = 1, .marks = open->marks | ev->marks, .from = open->from, .to = now,
	    .sum = time, .longest = time};
	if (ev->depth == 0)
		stack->covered += time;
	if (ev->depth >= CHART_DEPTH_MAX)
		c->too_deep++;
	else
		call_add(c, &call);
	if (c->count >= c->limit)
		list_limit(c);
	return true;
}

/*
 * Collects what is visited, from `from`, `to`, `clock`, `limit` and `grain`; the rest is
 * zero.  False when it was cancelled.  Release in both cases.
 */
static bool
chart_blocks_collect(struct chart_blocks *c, const struct visit *visit)
{
	static const struct visitor visitor = {.event = on_event};
	bool whole;

	c->levels = CHART_LEVELS_ALL;
	c->stack_count = visit->profile->stack_count;
	c->stacks = mem_zero((size_t)c->stack_count + 1, sizeof(*c->stacks));
	whole = visit_run(visit, &visitor, c);
	stacks_flush(c);
	if (c->count > c->limit)
		list_limit(c);
	list_sort(c);
	levels_find(c);
	list_thin(c);
	for (size_t i = c->count; i-- > 0;) {
		struct chart_stack *stack = &c->stacks[c->list[i].thread];

		if (c->list[i].depth >= stack->depth)
			stack->depth = c->list[i].depth + 1;
		stack->first = i;
	}
	return whole;
}

static void
chart_blocks_release(struct chart_blocks *c)
{
	for (uint32_t t = 0; t < c->stack_count; t++) {
		mem_free(c->stacks[t].open);
		mem_free(c->stacks[t].pending);
	}
	mem_free(c->stacks);
	mem_free(c->list);
}

enum {
	BLOCKS_MAX = 50000, /* as many as a browser still draws at once */
	ROWS_MAX = 4000,
};

struct flame_chart {
	const struct flame *flame;
	const struct report *report;
	struct chart_blocks blocks;
	uint32_t *rows;  /* by thread: where it begins */
	uint32_t *order; /* threads in drawing order */
	uint32_t drawn;  /* of them */
};

/* Gives threads their rows, those covered most first; a row for the name above each. */
static uint32_t
stacks_place(struct flame_chart *c)
{
	const struct chart_stack *stacks = c->blocks.stacks;
	uint32_t count = c->blocks.stack_count, n = 0, row = 0;
	struct ranked *list = mem_zero((size_t)count + 1, sizeof(*list));

	c->order = mem_alloc(((size_t)count + 1) * sizeof(*c->order));
	c->rows = mem_zero((size_t)count + 1, sizeof(*c->rows));
	for (uint32_t t = 0; t < count; t++)
		if (stacks[t].depth > 0)
			list[n++] = (struct ranked){.key = stacks[t].covered,
			    .id = trace_thread(c->report->trace, t)->id, .index = t};
	ranked_sort(list, n, false, c->order);
	for (c->drawn = 0; c->drawn < n; c->drawn++) {
		uint32_t t = c->order[c->drawn];

		if (row + stacks[t].depth + 1 > ROWS_MAX)
			break;
		c->rows[t] = row + 1;
		row += stacks[t].depth + 1;
	}
	return row;
}

static void
info_make(struct sbuf *out, const struct chart_block *b)
{
	char number[FMT_SIZE];

	if (b->calls > 1) {
		sbuf_printf(out, "and others: %" PRIu32 " calls, ", b->calls);
		sbuf_printf(out, "together %s ms, ", fmt_ms(number, b->sum));
		sbuf_printf(out, "the longest %s ms, ", fmt_ms(number, b->longest));
	} else {
		sbuf_printf(out, "%s ms, ", fmt_ms(number, b->to - b->from));
	}
	sbuf_printf(out, "at %s ms", fmt_ms(number, b->from));
	if ((b->marks & VISIT_OPEN) != 0)
		sbuf_text(out, ", open at an end of the trace");
	else if ((b->marks & VISIT_CUT) != 0)
		sbuf_text(out, ", goes on outside of the window");
}

static void
block_draw(struct flame_chart *c, const struct picture *picture, const struct chart_block *b,
    struct sbuf *info)
{
	double scale = (double)PICTURE_WIDTH / (double)(c->blocks.to - c->blocks.from);
	struct names *names = c->report->figures.names;
	struct picture_frame f = {.x = (double)(b->from - c->blocks.from) * scale,
	    .width = (double)(b->to - b->from) * scale,
	    .row = c->rows[b->thread] + b->depth,
	    .name = names_shown(names, b->method),
	    .label = STR(""),
	    .colour = picture_colour(names, b->method)};
	char text[PICTURE_LABEL];

	sbuf_clear(info);
	info_make(info, b);
	f.info = sbuf_view(info);
	if (b->calls == 1)
		f.label = picture_label(names, b->method, picture_columns(f.width), text);
	picture_frame(picture, &f);
}

static void
bands_draw(struct flame_chart *c, struct sink *sink, const struct picture *picture)
{
	struct sbuf info = {0}, label = {0};
	const struct chart_blocks *blocks = &c->blocks;

	for (uint32_t i = 0; i < c->drawn; i++) {
		uint32_t t = c->order[i];

		sbuf_clear(&label);
		sbuf_printf(&label, "%" PRIu32 " ", trace_thread(c->report->trace, t)->id);
		sbuf_str(&label, names_thread(c->report->figures.names, t));
		picture_band(picture, c->rows[t] - 1, sbuf_view(&label));
		for (size_t b = blocks->stacks[t].first; b < blocks->count &&
		     blocks->list[b].thread == t && sink_row(sink); b++)
			block_draw(c, picture, &blocks->list[b], &info);
	}
	sbuf_release(&label);
	sbuf_release(&info);
}

static void
left_out(struct sbuf *out, uint64_t count, const char *what)
{
	if (count == 0)
		return;
	sbuf_printf(out, "; left out: %s ", fmt_count(FMT_BUF, count, ","));
	sbuf_text(out, what);
}

static void
note_make(const struct flame_chart *c, struct sbuf *out)
{
	const struct chart_blocks *blocks = &c->blocks;
	uint32_t threads = 0;
	char number[FMT_SIZE];

	for (uint32_t t = 0; t < blocks->stack_count; t++)
		threads += blocks->stacks[t].depth > 0;
	if (blocks->count == 0) {
		sbuf_text(out, "No calls in the selection");
		return;
	}
	sbuf_printf(out, "Drawn together: calls under %s", fmt_auto(number, blocks->grain, FMT_US));
	left_out(out, blocks->too_short, "calls within those");
	if (blocks->too_deep > 0)
		sbuf_printf(out, "; left out: %s deeper than %d",
		    fmt_count(number, blocks->too_deep, ","), CHART_DEPTH_MAX);
	left_out(out, blocks->too_many, "calls more");
	left_out(out, threads - c->drawn, "threads");
}

static void
chart_draw(struct flame_chart *c, struct sink *sink)
{
	struct sbuf subtitle = {0}, note = {0};
	struct picture picture = {.out = &sink->text,
	    .title = sbuf_view(&c->flame->title),
	    .chart = true,
	    .from = c->blocks.from,
	    .to = c->blocks.to};
	nsec total = 0;

	picture.rows = stacks_place(c);
	for (uint32_t t = 0; t < c->blocks.stack_count; t++)
		total += c->blocks.stacks[t].covered;
	flame_subtitle(&subtitle, c->flame, "in calls", total);
	note_make(c, &note);
	picture.subtitle = sbuf_view(&subtitle);
	picture_begin(&picture);
	bands_draw(c, sink, &picture);
	picture_end(&picture, sbuf_view(&note));
	sbuf_release(&subtitle);
	sbuf_release(&note);
}

/* The time of so many thousandths of a pixel. */
static nsec
grain_of(const struct chart_blocks *b, unsigned width)
{
	double grain = (double)(b->to - b->from) / PICTURE_WIDTH * (width / 1000.0);

	return grain > 1 ? (nsec)grain : 1;
}

void
flamechart_write(struct sink *sink, const struct flame *flame)
{
	const struct report *r = flame->report;
	const struct profile *p = r->profile;
	const struct range *range = &r->options->range;
	const struct visit visit = {
	    .profile = p, .scope = r->scope, .range = *range, .cancel = flame->cancel};
	unsigned width = flame->options->min_width;
	struct flame_chart c = {.flame = flame,
	    .report = r,
	    .blocks = {.clock = p->axis,
		.limit = BLOCKS_MAX,
		.from = range->from > p->begin ? range->from : p->begin,
		.to = range->to < p->end ? range->to : p->end}};

	if (c.blocks.to <= c.blocks.from)
		c.blocks.to = c.blocks.from + 1;
	c.blocks.grain = grain_of(&c.blocks, width == FLAME_MIN_WIDTH ? 1000 : width);
	if (chart_blocks_collect(&c.blocks, &visit))
		chart_draw(&c, sink);
	chart_blocks_release(&c.blocks);
	mem_free(c.rows);
	mem_free(c.order);
}
