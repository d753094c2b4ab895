// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/methods.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "profile/sum/idle.h"
#include "view/names/looks.h"
#include "view/packages.h"

static const struct fold *
fold_of(const struct methods *m)
{
	return m->display->figures.fold;
}

static bool
has_row(const struct methods *m, uint32_t method)
{
	const struct fold *fold = fold_of(m);

	return fold != NULL && method < fold->method_count && fold->methods[method].present;
}

/* The method, and the one that it is a relation of with how; each is its own. */
static struct list_id
id_of(const struct methods *m, enum row_kind kind, uint32_t method, uint32_t of)
{
	struct identities *ids = m->display->figures.identities;

	return (struct list_id){identity_method(ids, method), identity_method(ids, of) | kind};
}

struct list_id
methods_id(const struct methods *m, uint32_t method)
{
	return id_of(m, ROW_METHOD, method, method);
}

static enum row_kind
kind_of(struct list_id id)
{
	return (enum row_kind)(id.b % IDENTITY_KINDS);
}

/* Rows ------------------------------------------------------------------------------ */

/* Sign, role and relation of the kinds of rows. */
static const struct {
	const char *sign;      /* before the name */
	enum role role;
	enum relation_kind of; /* RELATION_KINDS: none */
} kinds[] = {
    [ROW_METHOD] = {"", ROLE_TEXT, RELATION_KINDS},
    [ROW_PARENT] = {"<", ROLE_PARENT, RELATION_PARENT},
    [ROW_SELF] = {"=", ROLE_TEXT, RELATION_KINDS},
    [ROW_CHILD] = {">", ROLE_CHILD, RELATION_CHILD},
    [ROW_PARENT_RECURSIVE] = {"<r", ROLE_PARENT, RELATION_PARENT_RECURSIVE},
    [ROW_CHILD_RECURSIVE] = {">r", ROLE_CHILD, RELATION_CHILD_RECURSIVE},
};

struct method_row
methods_what(const struct methods *m, const struct list_row *r)
{
	enum row_kind kind = kind_of(r->id);

	if (kinds[kind].of == RELATION_KINDS)
		return (struct method_row){kind, r->of, r->of};
	return (struct method_row){
	    kind, identity_to_method(m->display->figures.identities, r->id.a), r->of};
}

static struct row
row_of(const struct methods *m, const struct list_row *r)
{
	struct method_row i = methods_what(m, r);
	struct row row = {.kind = i.kind, .method = i.method, .of = i.of};
	uint32_t count;

	if (kinds[i.kind].of != RELATION_KINDS)
		row.relation = fold_relations(fold_of(m), i.of, kinds[i.kind].of, &count)[r->item];
	return row;
}

struct method_entry {
	struct str name;
	nsec key;
	uint32_t item;
};

static int
entry_compare(const void *a, const void *b)
{
	const struct method_entry *x = a, *y = b;

	return x->key != y->key ? ORDER(y->key, x->key) : str_compare(x->name, y->name);
}

struct row *
relation_rows(const struct figures *f, enum same_by by, uint32_t of, enum row_kind kind,
    uint32_t *count)
{
	const struct relation *relations = fold_relations(f->fold, of, kinds[kind].of, count);
	struct method_entry *entries = mem_alloc((size_t)*count * sizeof(*entries));
	struct row *rows = mem_alloc((size_t)*count * sizeof(*rows));

	for (uint32_t i = 0; i < *count; i++)
		entries[i] = (struct method_entry){by == SAME_METHOD
			? names_full(f->names, relations[i].method)
			: group_own(f, by, relations[i].method), relations[i].inclusive[f->clock], i};
	qsort(entries, *count, sizeof(*entries), entry_compare);
	for (uint32_t i = 0; i < *count; i++)
		rows[i] = (struct row){kind, relations[entries[i].item].method, of,
		    relations[entries[i].item], entries[i].item};
	mem_free(entries);
	return rows;
}

static void
add(const struct methods *m, struct list *l, enum row_kind kind, uint32_t method, uint32_t of,
    uint32_t item)
{
	struct list_row *row = list_add(l, id_of(m, kind, method, of), item);

	row->of = of;
	row->flags = kind != ROW_METHOD ? LIST_AS_GIVEN : LIST_LEADS;
}

static void
add_relations(const struct methods *m, struct list *l, enum row_kind kind, uint32_t of)
{
	uint32_t count;
	struct row *rows = relation_rows(&m->display->figures, SAME_METHOD, of, kind, &count);

	for (uint32_t i = 0; i < count; i++)
		add(m, l, kind, rows[i].method, of, rows[i].item);
	mem_free(rows);
}

static void
children(void *of, struct list *l, const struct list_row *row)
{
	const struct methods *m = of;
	const struct figures *f = &m->display->figures;
	const struct fold *fold = fold_of(m);
	uint32_t method, count;

	if (row == NULL) {
		bool wall = !trace_has_clock(f->trace, CLOCK_CPU);

		for (uint32_t i = 0; fold != NULL && i < fold->met_count; i++) {
			method = fold->met[i];
			add(m, l, ROW_METHOD, method, method, method);
			if (method == METHOD_TOPLEVEL)
				l->level.items[l->level.count - 1].flags |= LIST_WHOLE;
			/*
			 * Without CPU time: what only waits, and slices of no thread, which
			 * mostly do (requests, futures).
			 */
			if (wall && (method == METHOD_TOPLEVEL ||
				trace_method(f->trace, method)->async ||
				looks_method(names_looks(f->names), method) == ROLE_IDLE))
				l->level.items[l->level.count - 1].flags |= LIST_AFTER;
		}
		return;
	}
	method = row->item;
	add_relations(m, l, ROW_PARENT, method);
	/* Without children all is self: the row would say nothing new. */
	(void)fold_relations(fold, method, RELATION_CHILD, &count);
	if (count > 0)
		add(m, l, ROW_SELF, method, method, 0);
	add_relations(m, l, ROW_CHILD, method);
	add_relations(m, l, ROW_PARENT_RECURSIVE, method);
	add_relations(m, l, ROW_CHILD_RECURSIVE, method);
}

static bool
parent(const void *of, struct list_id id, struct list_id *up)
{
	uint64_t above = id.b - kind_of(id);

	*up = (struct list_id){above, above | ROW_METHOD};
	return kind_of(id) != ROW_METHOD;
}

static bool
passes(void *of, const struct list_row *row)
{
	struct methods *m = of;
	struct display *t = m->display;

	return kind_of(row->id) != ROW_METHOD || row->item == m->guest ||
	    filters_pass(&t->filters, t->figures.names, row->item);
}

static bool
guest(const void *of, const struct list_row *row)
{
	const struct methods *m = of;

	return row->item == m->guest;
}

static bool
hit(const void *of, const struct list_row *row)
{
	const struct methods *m = of;
	struct method_row i = methods_what(m, row);

	return i.kind != ROW_SELF && display_is_hit(m->display, i.method);
}

static struct value
get(const void *of, const struct list_row *r, int column)
{
	const struct methods *m = of;
	struct row row = row_of(m, r);

	return column_get(&m->display->figures, (enum column_id)column, &row);
}

static struct str
raw(const void *of, const struct list_row *row)
{
	const struct methods *m = of;
	struct method_row i = methods_what(m, row);

	return i.kind == ROW_SELF ? STR("self") : names_raw(m->display->figures.names, i.method);
}

static const char *const *
field_keys(const void *of)
{
	static const char *const keys[] = {"id", "class", "name", "signature", "file", "?{kind", NULL};

	return keys;
}

static struct value
field(const void *of, const struct list_row *row, int i)
{
	return figures_field(&((const struct methods *)of)->display->figures, row->item, i);
}

/* On the screen --------------------------------------------------------------------- */

/* CPU time says it, or the rules where there is none. */
static bool
is_idle(const struct methods *m, const struct list_row *row)
{
	const struct figures *f = &m->display->figures;
	uint32_t method = row->of;
	const nsec *time = f->fold->methods[method].inclusive;

	if (kind_of(row->id) != ROW_METHOD || trace_method(f->trace, method)->async)
		return false;
	return trace_has_both(f->trace)
	    ? idle_time(time[CLOCK_CPU], time[CLOCK_WALL])
	    : looks_method(names_looks(f->names), method) == ROLE_IDLE;
}

static look
style(const void *of, const struct list_row *row, int column, struct value v)
{
	const struct methods *m = of;

	return is_idle(m, row) ? ROLE_IDLE : kinds[kind_of(row->id)].role;
}

static bool
draw(const void *of, struct canvas *c, struct rect r, const struct list_row *row, int column)
{
	const struct methods *m = of;
	struct method_row i = methods_what(m, row);
	look style = kinds[i.kind].role;
	int at = r.column, end = r.column + r.columns;

	if (column != COLUMN_METHOD)
		return false;
	if (i.kind != ROW_METHOD)
		at = canvas_format(c, r.row, at, end, style, "%s ", kinds[i.kind].sign);
	if (i.kind == ROW_SELF) {
		canvas_text(c, r.row, at, end, STR("self"), style);
	} else {
		style = is_idle(m, row) ? ROLE_IDLE : style;
		at = name_swatch(c, r.row, at, end, m->display, i.method, style);
		name_draw(c, r.row, at, end, m->display, i.method, m->display->elision, style);
	}
	return true;
}

/* There are no records; what the file has instead. */
static void
draw_left(const struct log *log, struct canvas *c, struct rect r)
{
	int at = r.column + 1, end = r.column + r.columns;
	struct sbuf left = {0};

	at = canvas_text(c, r.row, at, end, STR("no records"), ROLE_TEXT);
	if (log != NULL && log_left_put(log, &left)) {
		at = canvas_text(c, r.row, at, end, STR("; not read: "), ROLE_TEXT);
		canvas_text(c, r.row, at, end, sbuf_view(&left), ROLE_TEXT);
	}
	sbuf_release(&left);
}

/* Why there is no method to be seen. */
static void
draw_empty(const void *of, struct canvas *c, struct rect r)
{
	const struct methods *m = of;
	const struct fold *fold = fold_of(m);
	struct names *names = m->display->figures.names;
	int at = r.column + 1, end = r.column + r.columns;

	if (fold == NULL || m->loading)
		return;
	if (fold->records == 0) {
		draw_left(m->display->figures.trace->log, c, r);
		return;
	}
	if (fold->present == 0) {
		canvas_text(c, r.row, at, end, str_from(m->none), ROLE_TEXT);
		return;
	}
	at = canvas_text(c, r.row, at, end, str_from(names_words(names, "no method matches ")),
	    ROLE_TEXT);
	at = canvas_text(c, r.row, at, end, filters_text(&m->display->filters, names), ROLE_TEXT);
	canvas_format(c, r.row, at, end, ROLE_TEXT, " (%s)", m->no_match);
}

/* In files -------------------------------------------------------------------------- */

/* Each method is a stack of its own: without callers, but nothing is counted twice. */
static void
stack(const struct list *l, size_t i, struct folded *folded, struct sbuf *out)
{
	const struct methods *m = l->of;
	struct row row = row_of(m, &l->rows[i]);
	struct value v = column_get(&m->display->figures, COLUMN_EXCL, &row);

	if (row.kind != ROW_METHOD || v.kind != VALUE_TIME || v.a <= 0)
		return;
	folded_method(folded, 0, row.method);
	folded_line(folded, v.a, out);
}

static const char *
word(const void *of, const struct list_row *row)
{
	return kinds[kind_of(row->id)].sign;
}

const struct list_source methods_source = {
    .word = "profile",
    .columns = column_table,
    .sort = COLUMN_EXCL_PERCENT,
    .file_sort = COLUMN_EXCL,
    .in_files = LIST_CSV,
    .name_least = 20,
    .scrolls = true,
    .settles = true,
    .marks = true,
    .by_name = true,
    .get = get,
    .children = children,
    .parent = parent,
    .passes = passes,
    .guest = guest,
    .hit = hit,
    .raw = raw,
    .field_keys = field_keys,
    .field = field,
    .style = style,
    .draw = draw,
    .draw_empty = draw_empty,
    .word_of = word,
    .stack = stack,
};

/* The list -------------------------------------------------------------------------- */

void
methods_init(struct methods *m, struct display *display)
{
	*m = (struct methods){.display = display, .guest = METHOD_NONE, .none = "", .no_match = ""};
	m->seen.refilters = display->refilters;
	list_init(&m->list, &methods_source, m, &display->figures);
	m->list.columns = &display->columns;
}

void
methods_release(struct methods *m)
{
	list_release(&m->list);
}

void
methods_follow(struct methods *m)
{
	const struct display *t = m->display;
	struct list *l = &m->list;
	unsigned changed = display_changed(t, &m->seen) & ~(unsigned)CHANGED_SEARCH;
	size_t costly;

	if (changed == 0)
		return;
	/* Other figures or names are the user's choice; more of the trace is not. */
	if (!m->begins && (changed & ~(unsigned)CHANGED_FOLD) != 0)
		list_settle(l);
	if ((changed & CHANGED_FILTERS) != 0)
		m->guest = METHOD_NONE;
	costly = filters_costly(&t->filters);
	((changed & ~(unsigned)CHANGED_FILTERS) != 0 ? list_update : list_refilter)(l);
	/* Once a filter proves too costly, earlier answers on methods are outdated. */
	while (costly != filters_costly(&t->filters)) {
		costly = filters_costly(&t->filters);
		list_refilter(l);
	}
}

bool
methods_row(const struct methods *m, struct row *row)
{
	const struct list_row *at = list_row(&m->list);

	if (at != NULL)
		*row = row_of(m, at);
	return at != NULL;
}

uint32_t
methods_method(const struct methods *m)
{
	const struct list_row *at = list_row(&m->list);

	return at != NULL ? methods_what(m, at).method : METHOD_NONE;
}

uint32_t
methods_shown(const struct methods *m)
{
	uint32_t count = 0;

	for (size_t i = 0; i < m->list.at.count; i++)
		count += (m->list.rows[i].flags & (LIST_LEADS | LIST_WHOLE)) == LIST_LEADS;
	return count;
}

static bool
go(struct methods *m, uint32_t method, size_t line)
{
	list_refilter(&m->list);
	if (list_find(&m->list, methods_id(m, method)) == NULL) {
		m->guest = method;
		list_refilter(&m->list);
	}
	return list_go(&m->list, methods_id(m, method), line);
}

bool
methods_go(struct methods *m, uint32_t method)
{
	methods_follow(m);
	if (!has_row(m, method))
		return false;
	(void)ids_clear(&m->list.open);
	(void)ids_add(&m->list.open, methods_id(m, method));
	return go(m, method, 0);
}

bool
methods_select(struct methods *m, uint32_t method)
{
	methods_follow(m);
	return has_row(m, method) && go(m, method, scroll_line(&m->list.at));
}

/* Names ----------------------------------------------------------------------------- */

/* The widest full name on the screen. */
static int
longest_name(const struct methods *m)
{
	const struct list *l = &m->list;
	size_t longest = 0;

	for (size_t i = l->at.top; i < l->at.count && i < l->at.top + l->at.height; i++) {
		struct method_row row = methods_what(m, &l->rows[i]);
		size_t width = utf8_width(names_shown(m->display->figures.names, row.method));

		if (width > longest)
			longest = width;
	}
	return (int)longest;
}

bool
methods_scroll_name(struct methods *m, int how, int columns)
{
	struct display *t = m->display;
	struct list_layout layout;
	const struct list_slot *name;
	int before = t->name_skip, room, half, longest = longest_name(m);

	list_layout(&layout, &m->list, columns);
	name = &layout.slots[layout.count - 1];
	room = name->to - name->from;
	half = room > 1 ? room / 2 : 1;
	/* All of every name is shown. */
	if (longest <= room && before <= 0)
		return false;
	if (how == 0 || (how < 0 && before == 0))
		t->name_skip = NAME_FITTED;
	else if (how < 0)
		t->name_skip = before > half ? before - half : 0;
	else if (how == NAME_END) /* One column goes to the mark of what is cut. */
		t->name_skip = longest > room ? longest - room + 1 : 0;
	else if (before + room < longest)
		t->name_skip = before == NAME_FITTED ? half : before + half;
	return t->name_skip != before;
}

uint32_t
methods_marks(const struct methods *m, nsec *inclusive, nsec *exclusive)
{
	const struct ids *marked = &m->list.marked;
	enum clock_id clock = m->display->figures.clock;
	const struct list_id *id;
	uint32_t count = 0;

	*inclusive = *exclusive = 0;
	for (size_t at = 0; (id = ids_next(marked, &at)) != NULL;) {
		uint32_t method = identity_to_method(m->display->figures.identities, id->a);

		if (!has_row(m, method))
			continue;
		count++;
		*inclusive += fold_of(m)->methods[method].inclusive[clock];
		*exclusive += fold_of(m)->methods[method].exclusive[clock];
	}
	return count;
}
