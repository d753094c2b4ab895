// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/sequence_list.h"

#include <stdio.h>

static const struct column columns[] = {
#define COLUMN(number, value, ...) [number] = {__VA_ARGS__},
#include "view/sequence_list.def"
#undef COLUMN
    {.id = NULL},
};

/* The one row of a thread without calls in the range. */
#define ROW_NOTHING UINT32_MAX

static const struct sequence_row *
sequence_of(const struct sequence_list *s, const struct list_row *row)
{
	static const struct sequence_row nothing = {.method = METHOD_NONE};

	return row->item != ROW_NOTHING ? &s->sequence->rows[row->item] : &nothing;
}

static struct value
sequence_get(const void *list, const struct list_row *row, int column)
{
	const struct sequence_list *s = list;
	const struct sequence_row *of = sequence_of(s, row);
	struct names *names = s->display->figures.names;

	switch (column) {
#define COLUMN(number, value, ...)                                                               \
	case number:                                                                             \
		return value;
#include "view/sequence_list.def"
#undef COLUMN
	default:
		return VALUE_NONE;
	}
}

static struct value
sequence_file(const void *list, const struct list_row *row, int column)
{
	const struct sequence_list *s = list;
	uint32_t method = sequence_of(s, row)->method;

	if (column == SEQUENCE_THREAD)
		return value_text(trace_thread(s->display->figures.trace, s->thread)->name);
	return column == SEQUENCE_METHOD && method != METHOD_NONE
	    ? value_text(names_own(s->display->figures.names, method)) : sequence_get(list, row, column);
}

static struct str
sequence_raw(const void *list, const struct list_row *row)
{
	const struct sequence_list *s = list;
	uint32_t method = sequence_of(s, row)->method;

	return method != METHOD_NONE ? names_raw(s->display->figures.names, method) : STR("");
}

static bool
sequence_has(const void *list, int column)
{
	const struct sequence_list *s = list;

	return column != SEQUENCE_CPU || trace_has_both(s->display->figures.trace);
}

/* A row and its first call begin together: the depth tells them apart. */
static struct list_id
sequence_id(const struct sequence_list *s, uint32_t i)
{
	struct identities *ids = s->display->figures.identities;
	const struct sequence_row *row = &s->sequence->rows[i];

	return (struct list_id){identity_call(
	    row->method != METHOD_NONE ? identity_method(ids, row->method) : 0,
	    identity_thread(ids, s->thread), row->from), row->depth};
}

/* In files all rows are of the top: they come in the order of a tree that is open. */
static void
sequence_children(void *list, struct list *l, const struct list_row *above)
{
	const struct sequence_list *s = list;
	const struct sequence_row *rows = s->sequence != NULL ? s->sequence->rows : NULL;
	uint32_t i = above != NULL ? above->item + 1 : rows != NULL ? s->sequence->base : 0;
	uint32_t end = rows == NULL ? 0 : above != NULL ? i + rows[above->item].below : s->sequence->count;

	if (above == NULL && s->sequence != NULL && s->sequence->count == 0)
		list_add(l, (struct list_id){0, 0}, ROW_NOTHING);
	for (; i < end; i += l->files ? 1 : rows[i].below + 1) {
		struct list_row *row = list_add(l, sequence_id(s, i), i);

		row->flags = LIST_LEADS;
		row->depth = l->files ? rows[i].depth - s->sequence->base : 0;
	}
}

static bool
sequence_parent(const void *list, struct list_id id, struct list_id *parent)
{
	const struct sequence_list *s = list;
	uint32_t i = 0, above;

	while (s->sequence != NULL && i < s->sequence->count &&
	    (sequence_id(s, i).a != id.a || sequence_id(s, i).b != id.b))
		i++;
	if (s->sequence == NULL || i == s->sequence->count ||
	    s->sequence->rows[i].depth <= s->sequence->base)
		return false;
	for (above = i; s->sequence->rows[above].depth >= s->sequence->rows[i].depth;)
		above--;
	*parent = sequence_id(s, above);
	return true;
}

static bool
sequence_hit(const void *list, const struct list_row *row)
{
	const struct sequence_list *s = list;
	uint32_t method = sequence_of(s, row)->method;

	return method != METHOD_NONE && display_is_hit(s->display, method);
}

static bool
sequence_draw(const void *list, struct canvas *c, struct rect r, const struct list_row *row,
    int column)
{
	const struct sequence_list *s = list;
	const struct sequence_row *of = sequence_of(s, row);
	int end = r.column + r.columns, at = r.column;

	if (column != SEQUENCE_METHOD || r.columns < 4)
		return false;
	if (of->below > 0)
		canvas_put(c, r.row, at, list_is_open(&s->list, row->id) ? '-' : '+', ROLE_DIM);
	at += 2;
	if (of->method == METHOD_NONE) {
		canvas_text(c, r.row, at, end, sequence_get(list, row, column).text, ROLE_DIM);
		return true;
	}
	at = name_swatch(c, r.row, at, end, s->display, of->method, ROLE_TEXT);
	name_draw(c, r.row, at, end, s->display, of->method, s->display->elision, ROLE_TEXT);
	return true;
}

/* "main [1], in Looper.loop": the thread, and the innermost call that was open all the time. */
static const char *
sequence_title(const void *list, int column, char out[static FMT_SIZE])
{
	const struct sequence_list *s = list;
	struct names *names = s->display->figures.names;
	const struct sequence_row *rows;
	struct sbuf text = {0};

	if (column != SEQUENCE_METHOD || s->sequence == NULL)
		return NULL;
	rows = s->sequence->rows;
	sbuf_str(&text, names_thread(names, s->thread));
	if (s->sequence->base > 0) {
		sbuf_text(&text, ", in ");
		sbuf_str(&text, names_shown(names, rows[s->sequence->base - 1].method));
	}
	snprintf(out, FMT_SIZE, "%s", sbuf_cstr(&text));
	sbuf_release(&text);
	return out;
}

const struct list_source sequence_source = {
    .word = "sequence",
    .empty = "the thread has no call in this range",
    .columns = columns,
    .sort = SEQUENCE_START,
    .name_least = 16,
    .settles = true,
    .tree = true,
    .get = sequence_get,
    .children = sequence_children,
    .parent = sequence_parent,
    .has = sequence_has,
    .hit = sequence_hit,
    .raw = sequence_raw,
    .file = sequence_file,
    .draw = sequence_draw,
    .title = sequence_title,
};

void
sequence_list_init(struct sequence_list *s, const struct display *display)
{
	*s = (struct sequence_list){.display = display, .thread = THREAD_NONE,
	    .clock = trace_default_clock(display->figures.trace)};
	list_init(&s->list, &sequence_source, s, &display->figures);
}

void
sequence_list_release(struct sequence_list *s)
{
	list_release(&s->list);
	sequence_free(s->sequence);
}

/* From the top down as long as one child has at least half of the time. */
static void
heavy_open(struct sequence_list *s)
{
	const struct sequence_row *rows = s->sequence->rows;
	uint32_t first = s->sequence->base, end = s->sequence->count, heaviest = first;
	nsec time = s->sequence->query.least;

	while (first < end) {
		for (uint32_t i = heaviest = first; i < end; i += rows[i].below + 1)
			if (rows[i].time[s->clock] > rows[heaviest].time[s->clock])
				heaviest = i;
		if (rows[heaviest].time[s->clock] < time / 2 || rows[heaviest].below == 0)
			return;
		ids_add(&s->list.open, sequence_id(s, heaviest));
		time = rows[heaviest].time[s->clock];
		first = heaviest + 1;
		end = first + rows[heaviest].below;
	}
}

void
sequence_list_set(struct sequence_list *s, struct thread_sequence *sequence)
{
	sequence_free(s->sequence);
	s->sequence = sequence;
	if (sequence != NULL) {
		uint64_t thread = identity_thread(
		    s->display->figures.identities, sequence->query.thread);

		s->thread = sequence->query.thread;
		/* A sequence of the same thread and range stays open as the user left it. */
		if (thread != s->opened || !range_equal(&sequence->query.range, &s->opened_range))
			heavy_open(s);
		s->opened = thread;
		s->opened_range = sequence->query.range;
	}
	list_update(&s->list);
}

const struct sequence_row *
sequence_list_cursor(const struct sequence_list *s)
{
	const struct list_row *row = list_row(&s->list);

	return row != NULL ? sequence_of(s, row) : NULL;
}

uint32_t
sequence_thread(const struct trace *trace, const struct fold *fold, const struct scope *scope)
{
	uint32_t main_thread = trace_main_thread(trace), best = THREAD_NONE, first = THREAD_NONE;
	nsec most = -1;

	for (uint32_t t = 0; fold != NULL && t < fold->thread_count; t++) {
		const struct fold_thread *has = &fold->threads[t];
		bool within = has->covered > 0 || has->calls > 0;
		nsec rank = !within ? 0 : t == main_thread ? INT64_MAX : has->covered + 1;

		if (!scope_has(scope, t))
			continue;
		if (first == THREAD_NONE || t == main_thread)
			first = t;
		if ((within || has->records > 0) &&
		    (rank > most || (rank == most && (t == main_thread || (best != main_thread &&
			has->records > fold->threads[best].records))))) {
			best = t;
			most = rank;
		}
	}
	return best != THREAD_NONE ? best : first;
}
