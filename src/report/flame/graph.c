// SPDX-License-Identifier: Apache-2.0
/*
 * graph: the call tree as an SVG picture, widths by time; callers below, in a page above.
 *
 * Children are in the order of their names; of two sides that are compared widths are of both, and
 * children in the order of these.  Frames narrower than the least width, or
 * beyond what a picture can hold, are left out, and the picture says so.
 */
#include <config.h>

#include "report/flame/flame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/flame/picture.h"
#include "report/pathdiff.h"
#include "view/diff/columns.h"

enum {
	FRAMES_MAX = 50000, /* in one picture: what a browser still draws at once */
	ROWS_MAX = 1000,
	MIN_WIDTH = 100, /* thousandths of a pixel */
	LABEL_LEAST = 2, /* columns beside a mark */
};

/* Where the frame of a path is. */
struct graph_place {
	nsec at;      /* its left edge */
	uint32_t row; /* from that of the roots, 0 */
	uint32_t number; /* in the order of drawing */
	uint32_t end; /* of the chain of callers that the frame stands for; 0: it is none */
};

struct graph_drawing {
	const struct flame *flame;
	const struct report *report;
	const struct paths *paths;
	struct picture picture;
	struct graph_place *places; /* by path */
	uint32_t *order; /* paths that are drawn: parents first, then as they are placed */
	uint32_t count;
	enum clock_id clock;
	nsec total, least; /* narrower is not drawn */
	uint32_t rows, left_out;
	uint32_t root;     /* the only one; PATH_NONE: all */
	bool base;         /* a frame of all threads comes before */
	struct sbuf info, widths;
};

static nsec
width_of(const struct graph_drawing *d, uint32_t id)
{
	return d->paths->items[id].inclusive[d->clock];
}

/*
 * Returns the largest part that a path has of the picture, whatever widths are of: what is wide
 * when the reader switches them must be there.
 */
static nsec
reach_of(const struct graph_drawing *d, uint32_t id)
{
	const struct pathjoin_figures *all, *f;
	nsec reach = width_of(d, id);

	if (!d->picture.switched)
		return reach;
	all = &d->flame->sides->sums.toplevel;
	f = &d->flame->sides->sums.of[id];
	for (int i = 0; i <= DIFF_SIDES; i++) {
		nsec of = i < DIFF_SIDES ? all->inclusive[i] : all->change;
		nsec width = i < DIFF_SIDES ? f->inclusive[i] : f->change;
		nsec part = of > 0 ? (nsec)((double)width / (double)of * (double)d->total) : 0;

		reach = part > reach ? part : reach;
	}
	return reach;
}

/* Layout ------------------------------------------------------------------------- */

static void
place(struct graph_drawing *d, uint32_t id, nsec at, uint32_t row)
{
	struct graph_place *p = &d->places[id];

	if (reach_of(d, id) < d->least || row >= ROWS_MAX) {
		d->left_out++;
		return;
	}
	p->number = d->count + d->base;
	d->order[d->count++] = id;
	p->at = at;
	p->row = row;
	if (row >= d->rows)
		d->rows = row + 1;
}

/* The end of a chain of callers below a root that have one child each, nearly as wide. */
static uint32_t
chain_end(const struct graph_drawing *d, uint32_t id)
{
	const struct path *items = d->paths->items;
	uint32_t parent = items[id].parent;

	if (!d->picture.inside || parent == PATH_NONE || items[parent].parent != PATH_NONE)
		return 0;
	for (uint32_t at = id;; at = items[at].child)
		if (items[at].children != 1 || width_of(d, items[at].child) < width_of(d, at) / 100 * 99)
			return at != id ? at : 0;
}

/* Roots are by time, as are the paths of two sides; others by name, as in the pictures that people know. */
static void
children_place(struct graph_drawing *d, uint32_t id, const struct path **list)
{
	bool roots = id == PATH_NONE;
	struct path_order order = {.names = !roots && d->flame->sides == NULL, .clock = d->clock, .trace = d->report->trace};
	uint32_t count = roots ? d->paths->roots : d->paths->items[id].children;
	uint32_t row = roots ? (uint32_t)d->base : d->places[id].row + 1;
	nsec at = roots ? 0 : d->places[id].at;

	if (!roots && d->places[id].end > 0)
		id = d->places[id].end;
	if (!roots)
		count = d->paths->items[id].children;
	paths_children(d->paths, id, &order, list);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t child = paths_id(d->paths, list[i]);

		if (roots && d->root != PATH_NONE && child != d->root)
			continue;
		place(d, child, at, row);
		d->places[child].end = chain_end(d, child);
		if (d->places[child].end > 0)
			d->places[d->places[child].end].number = d->places[child].number;
		at += width_of(d, child);
	}
}

static void
all_place(struct graph_drawing *d)
{
	const struct path **list =
	    mem_alloc(((size_t)d->paths->count + 1) * sizeof(const struct path *));

	memset(d->places, 0, ((size_t)d->paths->count + 1) * sizeof(*d->places));
	d->rows = d->base;
	d->left_out = d->count = 0;
	children_place(d, PATH_NONE, list);
	for (uint32_t i = 0; i < d->count; i++)
		children_place(d, d->order[i], list);
	mem_free(list);
}

static int
descending(const void *left, const void *right)
{
	return ORDER(*(const nsec *)right, *(const nsec *)left);
}

/* The least width with which no more than `most` frames are drawn. */
static void
least_find(struct graph_drawing *d, uint32_t most)
{
	nsec *widths = mem_alloc(((size_t)d->paths->count + 1) * sizeof(*widths));
	uint8_t *within = mem_zero((size_t)d->paths->count + 1, 1); /* the root */
	unsigned width = d->flame->options->min_width;
	size_t n = 0;

	if (width == FLAME_MIN_WIDTH)
		width = MIN_WIDTH;
	d->least = (nsec)((double)d->total * width / (1000.0 * PICTURE_WIDTH));
	if (d->least < 1)
		d->least = 1;
	for (uint32_t id = 0; id < d->paths->count; id++) {
		uint32_t parent = d->paths->items[id].parent;

		within[id] = parent == PATH_NONE ? d->root == PATH_NONE || id == d->root : within[parent];
		if (within[id] && reach_of(d, id) >= d->least)
			widths[n++] = reach_of(d, id);
	}
	if (n > most) {
		qsort(widths, n, sizeof(*widths), descending);
		d->least = widths[most] + 1;
	}
	mem_free(within);
	mem_free(widths);
}

/* Drawing ------------------------------------------------------------------------ */

static void
time_text(struct sbuf *out, const struct flame *flame, nsec time)
{
	if (flame->options->count_name == NULL) {
		sbuf_text(out, unit_text(&flame->report->trace->unit, FMT_BUF, time));
		return;
	}
	sbuf_us(out, time);
	sbuf_printf(out, " %s", flame->options->count_name);
}

/* Tells the times of both sides: "60.000 to 200.000 ms, +140.000 (+233.33 %), self +100.000". */
static void
sides_tell(struct graph_drawing *d, const struct pathjoin_figures *f)
{
	const struct trace_unit *unit = &d->report->trace->unit;
	const nsec a = f->inclusive[DIFF_A], b = f->inclusive[DIFF_B];
	enum pathstep step = pathstep_of(a, b);

	sbuf_clear(&d->info);
	sbuf_printf(&d->info, "%s to %s, %s", unit_figure(unit, FMT_BUF, a), unit_text(unit, FMT_BUF, b),
	    diff_time_text(unit, diff_between(a, b), false, FMT_BUF));
	if (step == STEP_ALL)
		sbuf_printf(&d->info, " (%s)", a > b ? "gone" : "new");
	else
		sbuf_printf(&d->info, " (%s %%)", diff_percent_text(a, b, FMT_BUF));
	sbuf_printf(&d->info, ", self %s",
	    diff_time_text(unit, diff_between(f->exclusive[DIFF_A], f->exclusive[DIFF_B]), false, FMT_BUF));
}

/* Returns the mark of what is on one side only; NULL: it is on both, or that is not proved. */
static const char *
one_side_mark(const struct pathdiff *sides, const struct pathjoin_figures *of)
{
	const char *mark = pathdiff_mark(sides, of);

	return mark[0] != '\0' && pathstep_of(of->inclusive[DIFF_A], of->inclusive[DIFF_B]) == STEP_ALL
	    ? mark : NULL;
}

/* Returns how many of the columns a label has beside the mark of what is on one side only. */
static int
beside_mark(const struct pathdiff *sides, const struct pathjoin_figures *of, int columns)
{
	const char *word = one_side_mark(sides, of);
	int mark = word != NULL ? (int)strlen(word) + 1 : 0;

	return columns > mark + LABEL_LEAST ? columns - mark : 0;
}

/* Colours a frame by how much it changed; what is on one side only says so where there is room. */
static void
sides_show(struct picture_frame *f, const struct pathdiff *sides, const struct pathjoin_figures *of, int columns,
    struct sbuf *label)
{
	const char *mark = one_side_mark(sides, of);

	f->colour = pathdiff_colour(sides, of);
	if (mark == NULL)
		return;
	f->dashed = of->inclusive[DIFF_B] == 0;
	f->mark = mark;
	if (columns < (int)strlen(mark))
		return;
	sbuf_printf(label, "%s%s", mark, f->label.n > 0 ? " " : "");
	sbuf_str(label, f->label);
	f->label = sbuf_view(label);
}

static void
info_make(struct graph_drawing *d, const struct path *path)
{
	char number[FMT_SIZE];

	if (d->flame->sides != NULL) {
		sides_tell(d, &d->flame->sides->sums.of[paths_id(d->paths, path)]);
		return;
	}
	sbuf_clear(&d->info);
	time_text(&d->info, d->flame, path->inclusive[d->clock]);
	sbuf_printf(&d->info, ", %s %%",
	    fmt_percent(number, path->inclusive[d->clock], d->total));
	if (path->parent == PATH_NONE)
		return;
	sbuf_printf(&d->info, ", %s %s", fmt_count(number, path->calls, ","),
	    path->calls == 1 ? "call" : "calls");
	if (path->children > 0) {
		sbuf_text(&d->info, ", itself ");
		time_text(&d->info, d->flame, path->exclusive[d->clock]);
	}
}

/* Notes widths for each way to have them, in what a picture that is switched draws. */
static void
widths_note(struct graph_drawing *d, const struct pathjoin_figures *f)
{
	sbuf_clear(&d->widths);
	for (int i = 0; i <= DIFF_SIDES; i++) {
		if (i > 0)
			sbuf_char(&d->widths, ' ');
		sbuf_us(&d->widths, i < DIFF_SIDES ? f->inclusive[i] : f->change);
	}
}

static void
frame_draw(struct graph_drawing *d, struct picture_frame f, nsec at, nsec width, uint32_t row)
{
	double scale = (double)PICTURE_WIDTH / (double)d->total;

	f.x = (double)at * scale;
	f.width = (double)width * scale;
	f.row = d->picture.inside ? row : d->rows - 1 - row;
	f.info = sbuf_view(&d->info);
	f.sides = sbuf_view(&d->widths);
	picture_frame(&d->picture, &f);
}

static void
path_draw(struct graph_drawing *d, uint32_t id)
{
	const struct path *path = &d->paths->items[id];
	struct names *names = d->report->figures.names;
	nsec width = width_of(d, id);
	bool idle = d->clock == CLOCK_WALL && (path->flags & PATH_IDLE) != 0;
	struct picture_frame f = {
	    .colour = idle ? PICTURE_MUTED : picture_colour(names, path->method)};
	int room = picture_columns((double)width * PICTURE_WIDTH / (double)d->total), columns = room;
	uint32_t end = d->places[id].end;
	char text[PICTURE_LABEL];
	struct sbuf chain = {0}, marked = {0};

	info_make(d, path);
	if (d->flame->sides != NULL)
		columns = beside_mark(d->flame->sides, &d->flame->sides->sums.of[id], room);
	if (path->parent == PATH_NONE) {
		uint32_t thread = d->paths->root_thread[id];

		f.plain = true;
		f.name = thread == THREAD_NONE ? STR("all threads")
					       : names_thread(names, thread);
		f.label = columns > 0 ? names_head(names, f.name, columns) : STR("");
	} else if (end > 0) {
		sbuf_str(&chain, names_shown(names, path->method));
		sbuf_text(&chain, " … ");
		sbuf_str(&chain, names_shown(names, d->paths->items[end].method));
		f.name = sbuf_view(&chain);
		f.label = columns > 0 ? names_short(names, f.name, columns) : STR("");
	} else {
		f.name = names_shown(names, path->method);
		f.label = picture_label(names, path->method, columns, text);
	}
	if (d->flame->sides != NULL)
		sides_show(&f, d->flame->sides, &d->flame->sides->sums.of[id], room, &marked);
	if (d->picture.switched) {
		widths_note(d, &d->flame->sides->sums.of[id]);
		f.above = path->parent != PATH_NONE ? d->places[path->parent].number : d->base ? 0 : UINT32_MAX;
	}
	frame_draw(d, f, d->places[id].at, width, d->places[id].row);
	sbuf_release(&chain);
	sbuf_release(&marked);
}

static void
base_draw(struct graph_drawing *d)
{
	struct picture_frame f = {.name = STR("all threads"),
	    .label = STR("all threads"),
	    .colour = PICTURE_MUTED,
	    .plain = true};

	if (d->flame->sides != NULL) {
		sides_tell(d, &d->flame->sides->sums.toplevel);
		widths_note(d, &d->flame->sides->sums.toplevel);
		f.above = UINT32_MAX;
	} else {
		sbuf_clear(&d->info);
		time_text(&d->info, d->flame, d->total);
		sbuf_text(&d->info, ", 100.00 %");
	}
	frame_draw(d, f, 0, d->total, 0);
}

/* Appends the text below the picture's title: the selection and its time. */
static void
subtitle_put(struct sbuf *out, const struct flame *flame, nsec total)
{
	const struct report *r = flame->report;
	const struct range *range = &r->options->range;
	char number[FMT_SIZE];

	sbuf_text(out, unit_counts(&r->trace->unit) ? r->trace->unit.name
		: r->figures.clock == CLOCK_CPU ? "cpu time" : "wall time");
	if (r->scope != NULL)
		sbuf_printf(out, ", %" PRIu32 " of %" PRIu32 " threads", scope_size(r->scope),
		    r->trace->threads.count);
	if (!range_is_all(range)) {
		sbuf_printf(out, ", %s to ",
		    fmt_ms(number, range->from == INT64_MIN ? r->profile->begin : range->from));
		sbuf_printf(out, "%s ms",
		    fmt_ms(number, range->to == INT64_MAX ? r->profile->end : range->to));
	}
	if (r->source.of != NULL)
		sbuf_text(out, ", transformed");
	sbuf_text(out, ", total ");
	time_text(out, flame, total);
	if (damage_count(&r->profile->damage) > 0)
		sbuf_text(out, ", damaged: see slowtop info");
}

static void
graph_write(struct sink *sink, const struct flame *flame, bool inside, uint32_t root, uint32_t most)
{
	struct graph_drawing d = {.flame = flame,
	    .report = flame->report,
	    .paths = flame->paths,
	    .picture = {.inside = inside, .switched = inside && flame->sides != NULL},
	    .root = root,
	    .clock = flame->report->figures.clock};
	struct sbuf subtitle = {0}, note = {0};
	char number[FMT_SIZE];

	d.total = root != PATH_NONE ? width_of(&d, root) : paths_total(d.paths, d.clock);
	d.base = root == PATH_NONE && d.paths->roots > 1;
	d.places = mem_alloc(((size_t)d.paths->count + 1) * sizeof(*d.places));
	d.order = mem_alloc(((size_t)d.paths->count + 1) * sizeof(*d.order));
	least_find(&d, most);
	all_place(&d);
	if (flame->sides != NULL)
		pathdiff_subtitle(&subtitle, flame->sides);
	else
		subtitle_put(&subtitle, flame, d.total);
	d.picture = (struct picture){.out = &sink->text,
	    .title = sbuf_view(&flame->title),
	    .subtitle = sbuf_view(&subtitle),
	    .rows = d.rows,
	    .inside = inside,
	    .switched = d.picture.switched};
	picture_begin(&d.picture);
	if (d.base && d.total > 0)
		base_draw(&d);
	for (uint32_t i = 0; i < d.count && sink_row(sink); i++)
		path_draw(&d, d.order[i]);
	if (d.total == 0)
		sbuf_text(&note, "No time in the selection");
	else if (d.left_out > 0)
		sbuf_printf(&note, "Left out: %s stacks%s narrower than %.2g pixels",
		    fmt_count(number, d.left_out, ","),
		    d.rows == ROWS_MAX ? " higher than the picture, or" : "",
		    (double)d.least * PICTURE_WIDTH / (double)d.total);
	picture_end(&d.picture, sbuf_view(&note));
	sbuf_release(&subtitle);
	sbuf_release(&note);
	sbuf_release(&d.info);
	sbuf_release(&d.widths);
	mem_free(d.places);
	mem_free(d.order);
}

void
flamegraph_write(struct sink *sink, const struct flame *flame)
{
	graph_write(sink, flame, false, PATH_NONE, FRAMES_MAX);
}

void
flamegraph_inside(struct sink *sink, const struct flame *flame, uint32_t root, uint32_t frames)
{
	graph_write(sink, flame, true, root, frames);
}
