#include <config.h>

#include "view/calls_list.h"

#include <stdlib.h>

#include "base/mem.h"

enum { MARGIN = 2, MARGIN_FROM = 8 };

void
calls_list_init(struct calls_list *l, const struct trace *trace, struct names *names)
{
	*l = (struct calls_list){
	    .trace = trace,
	    .names = names,
	    .clock = trace_default_clock(trace),
	    .sort = CALLS_TIME,
	};
	columnset_init(&l->columns, CALLS_COLUMNS, CALLS_CALLER);
}

void
calls_list_release(struct calls_list *l)
{
	calls_free(l->calls);
	mem_free(l->order);
	mem_free(l->marked);
}

size_t
calls_list_count(const struct calls_list *l)
{
	return l->calls != NULL ? l->calls->row_count : 0;
}

const struct call_row *
calls_list_at(const struct calls_list *l, size_t place)
{
	return &l->calls->rows[l->order[place]];
}

const struct call_row *
calls_list_row(const struct calls_list *l)
{
	return l->cursor < calls_list_count(l) ? calls_list_at(l, l->cursor) : NULL;
}

uint32_t
calls_list_number(const struct calls_list *l, const struct call_row *row)
{
	return calls_all_kept(l->calls) ? (uint32_t)(row - l->calls->rows) + 1 : 0;
}

/* Order -------------------------------------------------------------------------- */

struct item {
	int64_t key;
	uint32_t row;
};

static int
item_rises(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* Of equals the earlier call goes first in either direction. */
static int
item_falls(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

struct named {
	struct str name;
	uint32_t frame;
};

static int
named_order(const void *left, const void *right)
{
	const struct named *a = left, *b = right;

	return str_compare(a->name, b->name);
}

/* By frame: the place of its method among the names; the caller frees it. */
static uint32_t *
name_places(const struct calls_list *l)
{
	const struct calls *c = l->calls;
	uint32_t *places = mem_alloc(c->frame_count * sizeof(*places));
	struct named *named = mem_alloc(c->frame_count * sizeof(*named));

	for (uint32_t i = 0; i < c->frame_count; i++)
		named[i] = (struct named){names_raw(l->names, c->frames[i].method), i};
	qsort(named, c->frame_count, sizeof(*named), named_order);
	for (uint32_t i = 0, place = 1; i < c->frame_count; i++) {
		place += i > 0 && str_compare(named[i - 1].name, named[i].name) != 0;
		places[named[i].frame] = place;
	}
	mem_free(named);
	return places;
}

static int64_t
key_of(const struct calls_list *l, uint32_t i, const uint32_t *places)
{
	const struct calls *c = l->calls;
	const struct call_row *row = &c->rows[i];
	enum clock_id other = l->clock == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;
	uint32_t caller;

	switch (l->sort) {
	case CALLS_TIME:
		return row->time[l->clock];
	case CALLS_EXCL:
		return row->exclusive[l->clock];
	case CALLS_OTHER_TIME:
		return row->time[other];
	case CALLS_OTHER_EXCL:
		return row->exclusive[other];
	case CALLS_DEPTH:
		return c->frames[row->frame].depth;
	case CALLS_THREAD:
		return trace_thread(l->trace, row->thread)->id;
	case CALLS_CALLER:
		caller = c->frames[row->frame].caller;
		return caller != FRAME_NONE ? places[caller] : 0;
	default:
		return i;
	}
}

static void
order_rows(struct calls_list *l)
{
	size_t count = calls_list_count(l);
	struct item *items = mem_alloc(count * sizeof(*items));
	uint32_t *places = l->sort == CALLS_CALLER && count > 0 ? name_places(l) : NULL;

	for (size_t i = 0; i < count; i++)
		items[i] = (struct item){key_of(l, (uint32_t)i, places), (uint32_t)i};
	if (count > 0)
		qsort(items, count, sizeof(*items), l->rising ? item_rises : item_falls);
	MEM_GROW(l->order, l->room, count);
	for (size_t i = 0; i < count; i++)
		l->order[i] = items[i].row;
	mem_free(places);
	mem_free(items);
}

/* Cursor ------------------------------------------------------------------------- */

static void
keep_in_view(struct calls_list *l)
{
	size_t count = calls_list_count(l), last = count > l->height ? count - l->height : 0;
	size_t margin = l->height >= MARGIN_FROM ? MARGIN : 0;

	if (l->cursor >= count)
		l->cursor = count > 0 ? count - 1 : 0;
	if (l->cursor < l->top + margin)
		l->top = l->cursor > margin ? l->cursor - margin : 0;
	if (l->height > 0 && l->cursor + margin + 1 > l->top + l->height)
		l->top = l->cursor + margin + 1 - l->height;
	if (l->top > last)
		l->top = last;
}

static void
settle(struct calls_list *l)
{
	const struct call_row *row = calls_list_row(l);

	l->settled = true;
	if (row != NULL)
		l->wish = (struct call_place){row->start, row->thread, row->order};
}

/* The cursor goes to what is wished, on screen line `line`, if it is there. */
static void
follow(struct calls_list *l, size_t line)
{
	size_t count = calls_list_count(l);

	for (size_t i = 0; l->settled && i < count; i++) {
		const struct call_row *row = calls_list_at(l, i);

		if (row->thread == l->wish.thread && row->order == l->wish.order &&
		    row->start == l->wish.start) {
			l->cursor = i;
			l->top = i > line ? i - line : 0;
			break;
		}
	}
	if (!l->settled)
		l->cursor = l->top = 0;
	keep_in_view(l);
}

void
calls_list_set(struct calls_list *l, struct calls *calls)
{
	calls_free(l->calls);
	l->calls = calls;
	calls_list_measure(l);
	order_rows(l);
	follow(l, l->cursor - l->top);
}

void
calls_list_clear(struct calls_list *l)
{
	calls_free(l->calls);
	l->calls = NULL;
	l->settled = false;
	l->cursor = l->top = 0;
	l->marked_count = 0;
}

void
calls_list_set_scale(struct calls_list *l, const struct timescale *scale)
{
	l->scale = *scale;
	calls_list_measure(l);
}

void
calls_list_set_clock(struct calls_list *l, enum clock_id clock)
{
	if (l->clock == clock)
		return;
	l->clock = clock;
	order_rows(l);
	follow(l, l->cursor - l->top);
}

void
calls_list_set_height(struct calls_list *l, size_t rows)
{
	l->height = rows;
	keep_in_view(l);
}

bool
calls_list_move(struct calls_list *l, int64_t rows)
{
	size_t before = l->cursor, count = calls_list_count(l);
	int64_t last = (int64_t)count - 1, at = (int64_t)l->cursor;

	if (count == 0)
		return false;
	at = rows > last - at ? last : rows < -at ? 0 : at + rows;
	l->cursor = (size_t)at;
	settle(l);
	keep_in_view(l);
	return l->cursor != before;
}

bool
calls_list_centre(struct calls_list *l)
{
	size_t before = l->top, half = l->height / 2;

	l->top = l->cursor > half ? l->cursor - half : 0;
	keep_in_view(l);
	return l->top != before;
}

void
calls_list_go(struct calls_list *l, const struct call_place *place)
{
	l->settled = true;
	l->wish = *place;
	follow(l, l->height / 2);
}

void
calls_list_sort(struct calls_list *l, enum calls_column_id id, bool rising)
{
	size_t line = l->cursor - l->top;

	l->sort = id;
	l->rising = rising;
	if (calls_list_count(l) > 0)
		settle(l);
	order_rows(l);
	follow(l, line);
}
