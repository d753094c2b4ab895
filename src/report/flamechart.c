#include <config.h>

#include "report/flamechart.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/ticks.h"
#include "report/colour.h"
#include "report/flamegraph.h"
#include "report/picture.h"
#include "report/visit.h"

enum {
	BLOCKS_MAX = 50000, /* as many as a browser still draws at once */
	DEPTH_MAX = 200,    /* of a thread; deeper calls are left out */
	ROWS_MAX = 4000,
	GRAIN_MAX = 4 * PICTURE_WIDTH, /* pixels: all of a row is one block */
};

#define GRAIN_MIN 0.001

/* A call, or several short ones. */
struct block {
	uint32_t thread, depth, method;
	uint32_t calls;
	unsigned marks;
	nsec from, to;
	nsec sum, longest; /* of several: together, and of `method` */
};

struct open_call {
	nsec from;
	unsigned marks;
};

/* What short calls at a depth are collected into. */
struct pending {
	struct block block; /* calls 0: nothing */
	uint32_t column;
};

struct chart_lane {
	struct open_call *open;
	size_t open_room;
	struct pending *pending;
	size_t pending_room, pending_count;
	nsec covered;
	uint32_t depth, row; /* rows it takes; where it begins */
};

struct chart {
	const struct flame *flame;
	const struct report *report;
	enum clock_id clock;
	nsec from, to;
	double grain; /* pixels that short calls share */
	struct chart_lane *lanes;
	uint32_t lane_count;
	uint32_t *order; /* lanes as they are drawn */
	uint32_t drawn;  /* of them */
	struct block *blocks;
	size_t count, room;
	uint64_t too_deep, too_many;
};

/* Collecting ---------------------------------------------------------------------- */

static bool
block_add(struct chart *c, const struct block *block)
{
	if (c->count == BLOCKS_MAX && c->grain < GRAIN_MAX)
		return false;
	if (c->count == BLOCKS_MAX) {
		c->too_many += block->calls;
		return true;
	}
	MEM_GROW(c->blocks, c->room, c->count + 1);
	c->blocks[c->count++] = *block;
	return true;
}

static bool
pending_flush(struct chart *c, struct pending *p)
{
	bool good = p->block.calls == 0 || block_add(c, &p->block);

	p->block.calls = 0;
	return good;
}

static struct pending *
pending_at(struct chart_lane *lane, uint32_t depth)
{
	MEM_GROW(lane->pending, lane->pending_room, (size_t)depth + 1);
	while (lane->pending_count <= depth)
		lane->pending[lane->pending_count++] = (struct pending){.column = 0};
	return &lane->pending[depth];
}

static bool
call_add(struct chart *c, struct block *call)
{
	double scale = (double)PICTURE_WIDTH / (double)(c->to - c->from);
	double at = (double)(call->from - c->from) * scale;
	double width = (double)(call->to - call->from) * scale;
	struct pending *p = pending_at(&c->lanes[call->thread], call->depth);
	uint32_t column = (uint32_t)(at / c->grain);

	if (width >= c->grain)
		return pending_flush(c, p) && block_add(c, call);
	if (p->block.calls == 0 || p->column != column) {
		if (!pending_flush(c, p))
			return false;
		p->block = *call;
		p->column = column;
		return true;
	}
	p->block.calls++;
	p->block.to = call->to;
	p->block.sum += call->sum;
	p->block.marks |= call->marks;
	if (call->longest > p->block.longest) {
		p->block.longest = call->longest;
		p->block.method = call->method;
	}
	return true;
}

static bool
on_enter(void *context, const struct visit_event *ev)
{
	struct chart *c = context;
	struct chart_lane *lane = &c->lanes[ev->thread];

	MEM_GROW(lane->open, lane->open_room, (size_t)ev->depth + 1);
	lane->open[ev->depth] = (struct open_call){ev->at[c->clock], ev->marks};
	return true;
}

static bool
on_leave(void *context, const struct visit_event *ev)
{
	struct chart *c = context;
	struct chart_lane *lane = &c->lanes[ev->thread];
	const struct open_call *open = &lane->open[ev->depth];
	nsec time = ev->at[c->clock] - open->from;
	struct block call = {ev->thread, ev->depth, ev->method, 1, open->marks | ev->marks,
	    open->from, ev->at[c->clock], time, time};

	if (ev->depth == 0)
		lane->covered += time;
	if (ev->depth >= DEPTH_MAX) {
		c->too_deep++;
		return true;
	}
	if (ev->depth >= lane->depth)
		lane->depth = ev->depth + 1;
	return call_add(c, &call);
}

static bool
collect(struct chart *c)
{
	static const struct visitor visitor = {.enter = on_enter, .leave = on_leave};
	const struct visit visit = {.profile = c->report->profile,
	    .scope = c->report->scope,
	    .range = c->report->options->range,
	    .cancel = c->flame->cancel};
	bool good;

	c->count = 0;
	c->too_deep = c->too_many = 0;
	for (uint32_t t = 0; t < c->lane_count; t++) {
		c->lanes[t].pending_count = 0;
		c->lanes[t].covered = 0;
		c->lanes[t].depth = 0;
	}
	good = visit_run(&visit, &visitor, c);
	for (uint32_t t = 0; t < c->lane_count && good; t++)
		for (size_t d = 0; d < c->lanes[t].pending_count && good; d++)
			good = pending_flush(c, &c->lanes[t].pending[d]);
	return good;
}

/* Drawing ------------------------------------------------------------------------- */

struct ranked {
	nsec covered;
	uint32_t id, lane;
};

static int
ranked_order(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->covered != b->covered)
		return a->covered > b->covered ? -1 : 1;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->lane > b->lane) - (a->lane < b->lane);
}

/* Gives lanes their rows, those covered most first; a row for the name above each. */
static uint32_t
lanes_place(struct chart *c)
{
	struct ranked *list = mem_alloc(((size_t)c->lane_count + 1) * sizeof(*list));
	uint32_t n = 0, row = 0;

	c->order = mem_alloc(((size_t)c->lane_count + 1) * sizeof(*c->order));
	for (uint32_t t = 0; t < c->lane_count; t++)
		if (c->lanes[t].depth > 0)
			list[n++] = (struct ranked){c->lanes[t].covered,
			    trace_thread(c->report->trace, t)->id, t};
	qsort(list, n, sizeof(*list), ranked_order);
	for (c->drawn = 0; c->drawn < n; c->drawn++) {
		struct chart_lane *lane = &c->lanes[list[c->drawn].lane];

		if (row + lane->depth + 1 > ROWS_MAX)
			break;
		c->order[c->drawn] = list[c->drawn].lane;
		lane->row = row + 1;
		row += lane->depth + 1;
	}
	mem_free(list);
	return row;
}

static int
block_order(const void *left, const void *right)
{
	const struct block *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static void
info_make(struct sbuf *out, const struct block *b)
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
block_draw(struct chart *c, const struct picture *picture, const struct block *b,
    struct sbuf *info)
{
	double scale = (double)PICTURE_WIDTH / (double)(c->to - c->from);
	struct names *names = c->report->figures.names;
	struct picture_frame f = {.x = (double)(b->from - c->from) * scale,
	    .width = (double)(b->to - b->from) * scale,
	    .row = c->lanes[b->thread].row + b->depth,
	    .name = names_full(names, b->method),
	    .label = STR(""),
	    .colour = colour_of(c->report->trace, b->method)};
	int columns = picture_columns(f.width);

	sbuf_clear(info);
	info_make(info, b);
	f.info = sbuf_view(info);
	if (columns > 0 && b->calls == 1)
		f.label = names_fit(names, b->method, columns, ELISION_AUTO).text;
	picture_frame(picture, &f);
}

static void
bands_draw(struct chart *c, struct sink *sink, const struct picture *picture)
{
	struct sbuf info = {0}, label = {0};
	size_t *first = mem_zero((size_t)c->lane_count + 2, sizeof(*first));
	size_t at = 0;

	if (c->count > 0)
		qsort(c->blocks, c->count, sizeof(*c->blocks), block_order);
	for (uint32_t t = 0; t < c->lane_count; t++) {
		first[t] = at;
		while (at < c->count && c->blocks[at].thread == t)
			at++;
	}
	first[c->lane_count] = at;
	for (uint32_t i = 0; i < c->drawn; i++) {
		uint32_t t = c->order[i];

		sbuf_clear(&label);
		sbuf_printf(&label, "%" PRIu32 " ", trace_thread(c->report->trace, t)->id);
		sbuf_str(&label, names_thread(c->report->figures.names, t));
		picture_band(picture, c->lanes[t].row - 1, sbuf_view(&label));
		for (size_t b = first[t]; b < first[t + 1] && sink_row(sink); b++)
			block_draw(c, picture, &c->blocks[b], &info);
	}
	sbuf_release(&label);
	sbuf_release(&info);
	mem_free(first);
}

static void
note_make(const struct chart *c, struct sbuf *out)
{
	uint32_t threads = 0;
	char number[FMT_SIZE];

	for (uint32_t t = 0; t < c->lane_count; t++)
		threads += c->lanes[t].depth > 0;
	if (c->count == 0) {
		sbuf_text(out, "No calls in the selection");
		return;
	}
	sbuf_printf(out, "Drawn together: calls under %g pixels", c->grain);
	if (c->too_deep > 0)
		sbuf_printf(out, "; left out: %s deeper than %d",
		    fmt_count(number, c->too_deep, ","), DEPTH_MAX);
	if (c->too_many > 0)
		sbuf_printf(out, "; left out: %s more", fmt_count(number, c->too_many, ","));
	if (threads > c->drawn)
		sbuf_printf(out, "; left out: %" PRIu32 " threads", threads - c->drawn);
}

static void
chart_draw(struct chart *c, struct sink *sink)
{
	struct sbuf subtitle = {0}, note = {0};
	struct picture picture = {.out = &sink->text,
	    .title = sbuf_view(&c->flame->title),
	    .chart = true,
	    .from = c->from,
	    .to = c->to};
	nsec total = 0;

	picture.rows = lanes_place(c);
	for (uint32_t t = 0; t < c->lane_count; t++)
		total += c->lanes[t].covered;
	flame_subtitle(&subtitle, c->flame, "in calls", total);
	note_make(c, &note);
	picture.subtitle = sbuf_view(&subtitle);
	picture_begin(&picture);
	bands_draw(c, sink, &picture);
	picture_end(&picture, sbuf_view(&note));
	sbuf_release(&subtitle);
	sbuf_release(&note);
}

static void
chart_release(struct chart *c)
{
	for (uint32_t t = 0; t < c->lane_count; t++) {
		mem_free(c->lanes[t].open);
		mem_free(c->lanes[t].pending);
	}
	mem_free(c->lanes);
	mem_free(c->order);
	mem_free(c->blocks);
}

void
flamechart_write(struct sink *sink, const struct flame *flame)
{
	const struct report *r = flame->report;
	const struct profile *p = r->profile;
	const struct range *range = &r->options->range;
	struct chart c = {.flame = flame,
	    .report = r,
	    .clock = p->axis,
	    .from = range->from > p->begin ? range->from : p->begin,
	    .to = range->to < p->end ? range->to : p->end,
	    .lane_count = p->lane_count,
	    .grain = flame->options->min_width / 1000.0};

	if (flame->options->min_width == FLAME_MIN_WIDTH)
		c.grain = 1;
	else if (c.grain < GRAIN_MIN)
		c.grain = GRAIN_MIN;
	if (c.to <= c.from)
		c.to = c.from + 1;
	c.lanes = mem_zero((size_t)c.lane_count + 1, sizeof(*c.lanes));
	while (!collect(&c) && sink_wanted(sink) && c.grain < GRAIN_MAX)
		c.grain *= 2;
	chart_draw(&c, sink);
	chart_release(&c);
}
