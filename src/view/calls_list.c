// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/calls_list.h"

#include <inttypes.h>
#include <stdio.h>

#include "trace/folded.h"

enum { OTHER = LIST_UNIT | LIST_OTHER_CLOCK | LIST_BOTH_CLOCKS };

static const struct column columns[] = {
#define COLUMN(number, value, ...) [number] = {__VA_ARGS__},
#include "view/calls_list.def"
#undef COLUMN
    {.id = NULL},
};

/* Returns the call's number in time, from 1; 0 when not all calls are known. */
static uint32_t
calls_list_number(const struct calls_list *l, const struct call_row *row)
{
	return calls_all_kept(l->calls) ? (uint32_t)(row - l->calls->rows) + 1 : 0;
}

/* Returns the method that called; METHOD_TOPLEVEL: none did. */
static uint32_t
calls_list_caller(const struct calls_list *l, const struct call_row *row)
{
	uint32_t caller = l->calls->frames[row->frame].caller;

	return caller != FRAME_NONE ? l->calls->frames[caller].method : METHOD_TOPLEVEL;
}

/* Source ---------------------------------------------------------------------------- */

static bool
has_caller(const struct calls_list *l, const struct call_row *call)
{
	return l->calls->frames[call->frame].caller != FRAME_NONE;
}

static bool
is_cut(const struct call_row *call)
{
	return (call->flags & (CALL_BEFORE | CALL_BEYOND)) != 0;
}

bool
calls_list_is_over(const struct calls_list *l, const struct call_row *call)
{
	return l->calls->budget > 0 && call->time[calls_list_clock(l)] > l->calls->budget;
}

static const char *const cut_words[] = {"", "before", "beyond", "both"};

/* Sorts by its id. */
static struct value
thread_value(const struct calls_list *l, uint32_t thread)
{
	struct value v = value_text(l->threads[thread]);

	v.a = trace_thread(l->trace, thread)->id;
	return v;
}

static struct value
get(const void *of, const struct list_row *row, int column)
{
	const struct calls_list *l = of;
	const struct call_row *call = calls_list_at(l, row);
	enum clock_id clock = column_clock(&columns[column], calls_list_clock(l));

	switch (column) {
#define COLUMN(number, value, ...)                                                               \
	case number:                                                                             \
		return value;
#include "view/calls_list.def"
#undef COLUMN
	default:
		return VALUE_NONE;
	}
}

static struct str
raw(const void *of, const struct list_row *row)
{
	const struct calls_list *l = of;
	const struct call_row *call = calls_list_at(l, row);

	return has_caller(l, call) ? names_raw(l->names, calls_list_caller(l, call)) : STR("");
}

static struct value
file(const void *of, const struct list_row *row, int column)
{
	const struct calls_list *l = of;
	const struct call_row *call = calls_list_at(l, row);

	switch (column) {
	case CALLS_THREAD:
		return value_text(trace_thread(l->trace, call->thread)->name);
	case CALLS_CALLER_ID:
		return value_text(names_id(l->names, calls_list_caller(l, call)));
	case CALLS_CALLER:
		return value_text(names_own(l->names, calls_list_caller(l, call)));
	default:
		return get(of, row, column);
	}
}

/* JSON has the method around its calls. */
static const char *const *
field_keys(const void *of)
{
	static const char *const keys[] = {",id", ",class", ",name", ",signature", NULL};

	return keys;
}

static struct value
field(const void *of, const struct list_row *row, int i)
{
	const struct calls_list *l = of;

	return figures_field(l->list.figures, l->calls->method, i);
}

static struct list_id
id_of(const struct calls_list *l, uint32_t method, const struct call_place *call)
{
	struct identities *ids = l->list.figures->identities;

	return (struct list_id){identity_call(identity_method(ids, method),
	    identity_thread(ids, call->thread), call->start), call->order};
}

static void
children(void *of, struct list *list, const struct list_row *row)
{
	const struct calls_list *l = of;

	for (uint32_t i = 0; l->calls != NULL && i < l->calls->row_count; i++) {
		const struct call_row *call = &l->calls->rows[i];

		list_add(list, id_of(l, l->calls->method,
		    &(struct call_place){call->start, call->thread, call->order}), i);
	}
}

/* The order counts the records of one trace. */
static bool
holds(const void *of, const struct list_row *row, struct list_id id)
{
	return row->id.a == id.a;
}

static bool
hit(const void *of, const struct list_row *row)
{
	const struct calls_list *l = of;
	const struct call_row *call = calls_list_at(l, row);

	return display_is_thread_hit(l->search, call->thread) ||
	       display_is_hit(l->search, calls_list_caller(l, call));
}

static const char *
title(const void *of, int column, char out[static FMT_SIZE])
{
	const struct calls_list *l = of;

	if (column != CALLS_START)
		return NULL;
	snprintf(out, FMT_SIZE, "Start%s",
	    unit_counts(&l->list.figures->trace->unit) ? "" : timescale_unit(&l->scale));
	return out;
}

static const char *
text(const void *of, const struct list_row *row, int column, struct value v,
    char out[static FMT_SIZE])
{
	const struct calls_list *l = of;

	if (column == CALLS_START)
		return unit_counts(&l->list.figures->trace->unit)
		    ? unit_figure(&l->list.figures->trace->unit, out, v.a)
		    : timescale_text(&l->scale, out, v.a, 6);
	value_format(l->list.figures, v, FMT_SIZE, out);
	return out;
}

/* Calls of a folded name have their own. */
static bool
has(const void *of, int column)
{
	const struct calls_list *l = of;

	return column != CALLS_NAME || (l->calls != NULL && trace_stands(l->trace, l->calls->method));
}

/* A hit of the search is in the thread, the caller, or both. */
static bool
draw(const void *of, struct canvas *c, struct rect r, const struct list_row *row, int column)
{
	const struct calls_list *l = of;
	const struct call_row *call = calls_list_at(l, row);
	int at = r.column, end = r.column + r.columns;
	uint32_t caller = calls_list_caller(l, call);

	if (column == CALLS_NAME)
		return false;
	if (column == CALLS_CALLER) {
		canvas_text(c, r.row, at, end,
		    names_fit(l->names, caller, r.columns, l->search->elision).text,
		    ROLE_TEXT | (display_is_hit(l->search, caller) ? LOOK_HIT : 0));
		return true;
	}
	at = canvas_format(c, r.row, at, end, ROLE_TEXT, "%" PRIu32 " ",
	    trace_thread(l->trace, call->thread)->id);
	canvas_text(c, r.row, at, end,
	    names_short(l->names, names_thread(l->names, call->thread), end - at),
	    ROLE_TEXT | (display_is_thread_hit(l->search, call->thread) ? LOOK_HIT : 0));
	return true;
}

/* Cut by the range or the trace, over the budget. */
static void
draw_room(const void *of, struct canvas *c, struct rect r, const struct list_row *row,
    int column)
{
	const struct calls_list *l = of;
	const struct call_row *call = calls_list_at(l, row);

	if (is_cut(call))
		canvas_put(c, r.row, r.column++, '+', ROLE_TEXT);
	if (calls_list_is_over(l, call))
		canvas_put(c, r.row, r.column, '!', ROLE_WARNING);
}

/* The method's own time, by the stack that it was called on, the outermost frame first. */
static void
stack(const struct list *list, size_t i, struct folded *folded, struct sbuf *out)
{
	const struct calls_list *l = list->of;
	const struct call_row *call = calls_list_at(l, &list->rows[i]);
	const struct call_frame *frames = l->calls->frames;
	size_t count = 0;

	for (uint32_t f = call->frame; f != FRAME_NONE; f = frames[f].caller)
		*MEM_ADD(folded->ids, count, folded->room) = f;
	for (size_t at = 0; at < count; at++)
		folded_method(folded, at, frames[folded->ids[count - 1 - at]].method);
	folded_line(folded, call->exclusive[calls_list_clock(l)], out);
}

/* Ids are numbers, followed by a blank. */
static void
label_threads(struct calls_list *l)
{
	uint32_t count = trace_thread_count(l->trace);
	struct sbuf label = {0};

	arena_release(&l->texts);
	l->threads = mem_resize(l->threads, (size_t)count + 1, sizeof(*l->threads));
	for (uint32_t i = 0; i < count; i++) {
		sbuf_clear(&label);
		sbuf_printf(&label, "%" PRIu32 " ", trace_thread(l->trace, i)->id);
		sbuf_str(&label, names_thread(l->names, i));
		l->threads[i] = arena_str(&l->texts, sbuf_view(&label));
	}
	sbuf_release(&label);
}

const struct list_source calls_source = {
    .word = "calls",
    .has = has,
    .empty = "", /* those that were found say it above */
    .columns = columns,
    .sort = CALLS_TIME,
    .name_least = 8,
    .settles = true,
    .marks = true,
    .get = get,
    .children = children,
    .holds = holds,
    .hit = hit,
    .raw = raw,
    .file = file,
    .field_keys = field_keys,
    .field = field,
    .title = title,
    .text = text,
    .draw = draw,
    .draw_room = draw_room,
    .stack = stack,
};

/* The list -------------------------------------------------------------------------- */

void
calls_list_init(struct calls_list *l, const struct figures *figures, const struct display *search)
{
	*l = (struct calls_list){
	    .trace = figures->trace,
	    .names = figures->names,
	    .search = search,
	};
	list_init(&l->list, &calls_source, l, figures);
}

void
calls_list_release(struct calls_list *l)
{
	list_release(&l->list);
	calls_free(l->calls);
	mem_free(l->threads);
	arena_release(&l->texts);
}

void
calls_list_set(struct calls_list *l, struct calls *calls)
{
	calls_free(l->calls);
	l->calls = calls;
	label_threads(l);
	list_update(&l->list);
}

void
calls_list_clear(struct calls_list *l)
{
	list_clear(&l->list);
	calls_free(l->calls);
	l->calls = NULL;
}

void
calls_list_set_scale(struct calls_list *l, const struct timescale *scale)
{
	l->scale = *scale;
	list_update(&l->list);
}

void
calls_list_follow(struct calls_list *l)
{
	if ((display_changed(l->search, &l->seen) & CHANGED_FIGURES) != 0)
		list_update(&l->list);
}

const struct call_row *
calls_list_row(const struct calls_list *l)
{
	const struct list_row *row = list_row(&l->list);

	return row != NULL ? calls_list_at(l, row) : NULL;
}

void
calls_list_go(struct calls_list *l, uint32_t method, const struct call_place *place)
{
	list_go(&l->list, id_of(l, method, place), l->list.at.height / 2);
}

uint32_t
calls_list_marks(const struct calls_list *l, nsec *time, nsec *exclusive)
{
	uint32_t count = 0;

	*time = *exclusive = 0;
	for (size_t i = 0; l->list.marked.count > 0 && i < l->list.at.count; i++) {
		const struct call_row *row = calls_list_at(l, &l->list.rows[i]);

		if (!list_is_marked(&l->list, &l->list.rows[i]))
			continue;
		count++;
		*time += row->time[calls_list_clock(l)];
		*exclusive += row->exclusive[calls_list_clock(l)];
	}
	return count;
}
