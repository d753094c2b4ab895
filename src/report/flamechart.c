#include <config.h>

#include "report/flamechart.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/ticks.h"
#include "report/chart_blocks.h"
#include "report/colour.h"
#include "report/flamegraph.h"
#include "report/picture.h"

enum {
	BLOCKS_MAX = 50000, /* as many as a browser still draws at once */
	ROWS_MAX = 4000,
};

struct chart {
	const struct flame *flame;
	const struct report *report;
	struct chart_blocks blocks;
	uint32_t *rows;  /* by lane: where it begins */
	uint32_t *order; /* lanes as they are drawn */
	uint32_t drawn;  /* of them */
};

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
	const struct chart_lane *lanes = c->blocks.lanes;
	uint32_t count = c->blocks.lane_count, n = 0, row = 0;
	struct ranked *list = mem_alloc(((size_t)count + 1) * sizeof(*list));

	c->order = mem_alloc(((size_t)count + 1) * sizeof(*c->order));
	c->rows = mem_zero((size_t)count + 1, sizeof(*c->rows));
	for (uint32_t t = 0; t < count; t++)
		if (lanes[t].depth > 0)
			list[n++] = (struct ranked){lanes[t].covered,
			    trace_thread(c->report->trace, t)->id, t};
	qsort(list, n, sizeof(*list), ranked_order);
	for (c->drawn = 0; c->drawn < n; c->drawn++) {
		uint32_t t = list[c->drawn].lane;

		if (row + lanes[t].depth + 1 > ROWS_MAX)
			break;
		c->order[c->drawn] = t;
		c->rows[t] = row + 1;
		row += lanes[t].depth + 1;
	}
	mem_free(list);
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
block_draw(struct chart *c, const struct picture *picture, const struct chart_block *b,
    struct sbuf *info)
{
	double scale = (double)PICTURE_WIDTH / (double)(c->blocks.to - c->blocks.from);
	struct names *names = c->report->figures.names;
	struct picture_frame f = {.x = (double)(b->from - c->blocks.from) * scale,
	    .width = (double)(b->to - b->from) * scale,
	    .row = c->rows[b->thread] + b->depth,
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
	const struct chart_blocks *blocks = &c->blocks;
	size_t *first = mem_zero((size_t)blocks->lane_count + 2, sizeof(*first));
	size_t at = 0;

	for (uint32_t t = 0; t < blocks->lane_count; t++) {
		first[t] = at;
		while (at < blocks->count && blocks->list[at].thread == t)
			at++;
	}
	first[blocks->lane_count] = at;
	for (uint32_t i = 0; i < c->drawn; i++) {
		uint32_t t = c->order[i];

		sbuf_clear(&label);
		sbuf_printf(&label, "%" PRIu32 " ", trace_thread(c->report->trace, t)->id);
		sbuf_str(&label, names_thread(c->report->figures.names, t));
		picture_band(picture, c->rows[t] - 1, sbuf_view(&label));
		for (size_t b = first[t]; b < first[t + 1] && sink_row(sink); b++)
			block_draw(c, picture, &blocks->list[b], &info);
	}
	sbuf_release(&label);
	sbuf_release(&info);
	mem_free(first);
}

static void
left_out(struct sbuf *out, uint64_t count, const char *what)
{
	char number[FMT_SIZE];

	if (count == 0)
		return;
	sbuf_printf(out, "; left out: %s ", fmt_count(number, count, ","));
	sbuf_text(out, what);
}

static void
note_make(const struct chart *c, struct sbuf *out)
{
	const struct chart_blocks *blocks = &c->blocks;
	uint32_t threads = 0;
	char number[FMT_SIZE];

	for (uint32_t t = 0; t < blocks->lane_count; t++)
		threads += blocks->lanes[t].depth > 0;
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
chart_draw(struct chart *c, struct sink *sink)
{
	struct sbuf subtitle = {0}, note = {0};
	struct picture picture = {.out = &sink->text,
	    .title = sbuf_view(&c->flame->title),
	    .chart = true,
	    .from = c->blocks.from,
	    .to = c->blocks.to};
	nsec total = 0;

	picture.rows = lanes_place(c);
	for (uint32_t t = 0; t < c->blocks.lane_count; t++)
		total += c->blocks.lanes[t].covered;
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
	struct chart c = {.flame = flame,
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
