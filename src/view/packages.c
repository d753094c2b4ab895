// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/packages.h"

#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"

enum { OF_GROUP, OF_METHOD }; /* list_id.b */

/* The groups that are there may still be those of before. */
static bool
is_known(const struct packages *p)
{
	return p->groups != NULL && p->groups->same.by == p->by;
}

static uint32_t
group_of(const struct packages *p, uint32_t method)
{
	return method < p->groups->same.count ? p->groups->same.as[method] : method;
}

static const struct trace *
trace_of(const struct packages *p)
{
	return p->display->figures.trace;
}

/* Rows ------------------------------------------------------------------------------ */

/* By what its methods have in common; without that it is a method alone. */
static struct list_id
group_id(const struct packages *p, uint32_t group)
{
	struct str key;

	if (same_key(trace_of(p), p->by, group, &key))
		return (struct list_id){identity_text(key), OF_GROUP};
	return (struct list_id){identity_method(p->display->figures.identities, group), OF_GROUP};
}

static struct list_id
method_id(const struct packages *p, uint32_t method)
{
	return (struct list_id){identity_method(p->display->figures.identities, method), OF_METHOD};
}

static bool
is_method(const struct list_row *row)
{
	return row->id.b == OF_METHOD;
}

static void
children(void *of, struct list *l, const struct list_row *row)
{
	const struct packages *p = of;
	const struct fold *fold = p->figures.fold;

	if (row != NULL) {
		for (uint32_t m = p->first[row->item]; m != METHOD_NONE; m = p->next[m])
			list_add(l, method_id(p, m), m);
		return;
	}
	for (uint32_t i = 0; fold != NULL && i < fold->met_count; i++)
		list_add(l, group_id(p, fold->met[i]), fold->met[i])->flags =
		    fold->met[i] != METHOD_TOPLEVEL ? LIST_LEADS : LIST_WHOLE;
}

static bool
parent(const void *of, struct list_id id, struct list_id *up)
{
	const struct packages *p = of;

	uint32_t method;

	if (id.b != OF_METHOD || !is_known(p))
		return false;
	method = identity_to_method(p->display->figures.identities, id.a);
	if (method == METHOD_NONE)
		return false;
	*up = group_id(p, group_of(p, method));
	return true;
}

static bool
passes(void *of, const struct list_row *row)
{
	struct packages *p = of;
	struct display *t = p->display;
	bool passes = is_method(row) || row->item == METHOD_TOPLEVEL;
	uint32_t m = row->item;

	if (passes || !filters_active(&t->filters))
		return filters_pass(&t->filters, t->figures.names, m);
	for (m = p->first[m]; m != METHOD_NONE && !passes; m = p->next[m])
		passes = filters_pass(&t->filters, t->figures.names, m);
	return passes;
}

struct str
group_name(const struct figures *f, enum same_by by, uint32_t method)
{
	struct str key;

	if (!same_key(f->trace, by, method, &key))
		return names_shown(f->names, method);
	if (by != SAME_PACKAGE)
		return by == SAME_NAME ? names_method(f->names, method) : names_class(f->names, method);
	return key.n > 0 ? same_package(names_class(f->names, method)) : STR("(no package)");
}

struct str
group_own(const struct figures *f, enum same_by by, uint32_t method)
{
	struct str key;

	return same_key(f->trace, by, method, &key) ? key : names_own(f->names, method);
}

/* The name of a row's group or method. */
static struct str
name_of(const struct packages *p, const struct list_row *row, bool raw)
{
	enum same_by by = is_method(row) ? SAME_METHOD : p->by;
	struct str key;

	if (!raw)
		return group_name(&p->display->figures, by, row->item);
	return same_key(trace_of(p), by, row->item, &key)
	    ? key : names_raw(p->display->figures.names, row->item);
}

static struct value
get(const void *of, const struct list_row *row, int column)
{
	const struct packages *p = of;
	const struct figures *f = is_method(row) ? &p->display->figures : &p->figures;
	struct row r = {.kind = ROW_METHOD, .method = row->item, .of = row->item};

	if (column == COLUMN_METHOD)
		return value_text(name_of(p, row, false));
	if (!is_method(row) && (column == COLUMN_CLASS || column == COLUMN_FILE))
		return VALUE_NONE;
	return column_get(f, (enum column_id)column, &r);
}

static struct str
raw(const void *of, const struct list_row *row)
{
	return name_of(of, row, true);
}

static bool
hit(const void *of, const struct list_row *row)
{
	const struct packages *p = of;

	if (is_method(row))
		return display_is_hit(p->display, row->item);
	return pattern_match(p->display->search, name_of(p, row, true), NULL, NULL) == PATTERN_MATCH;
}

static const char *const *
field_keys(const void *of)
{
	static const char *const keys[][3] = {[SAME_METHOD] = {"method", "methods", NULL},
	    [SAME_CLASS] = {"class", "methods", NULL}, [SAME_PACKAGE] = {"package", "methods", NULL},
	    [SAME_NAME] = {"name", "methods", NULL}};

	return keys[((const struct packages *)of)->by];
}

/* Its name in the file's own bytes, and how many methods it has. */
static struct value
field(const void *of, const struct list_row *row, int i)
{
	const struct packages *p = of;
	uint64_t count = row->item == METHOD_TOPLEVEL;

	if (i == 0)
		return value_text(group_own(&p->display->figures, p->by, row->item));
	for (uint32_t m = p->first[row->item]; m != METHOD_NONE; m = p->next[m])
		count++;
	return value_count(count);
}

/* On the screen, and in files ------------------------------------------------------- */

static const char *
title(const void *of, int column, char out[static FMT_SIZE])
{
	const struct packages *p = of;

	if (column != COLUMN_METHOD)
		return column_title(&p->display->figures, &column_table[column], out);
	return p->by == SAME_PACKAGE ? "Package" : p->by == SAME_NAME ? "Name" : "Class";
}

static bool
draw(const void *of, struct canvas *c, struct rect r, const struct list_row *row, int column)
{
	const struct packages *p = of;
	bool found = list_is_hit(&p->list, row);
	int at = r.column + 2, end = r.column + r.columns;

	if (column != COLUMN_METHOD)
		return false;
	if (is_method(row)) {
		name_draw(c, r.row, at + 2, end, p->display, row->item, p->display->elision, ROLE_TEXT);
		return true;
	}
	if ((row->flags & LIST_LEADS) != 0)
		canvas_put(c, r.row, r.column, list_is_open(&p->list, row->id) ? '-' : '+',
		    ROLE_TEXT);
	canvas_text(c, r.row, at, end,
	    names_short(p->display->figures.names, name_of(p, row, false), end - at),
	    ROLE_TEXT | (found ? LOOK_HIT : 0));
	return true;
}

static void
draw_empty(const void *of, struct canvas *c, struct rect r)
{
	const struct packages *p = of;
	struct names *names = p->display->figures.names;
	int at = r.column + 1, end = r.column + r.columns;

	if (!is_known(p))
		canvas_text(c, r.row, at, end,
		    str_from(names_words(names, "summing up the calls...")), ROLE_DIM);
	else if (p->figures.fold->present == 0)
		canvas_text(c, r.row, at, end, str_from(names_words(names, "no calls")), ROLE_TEXT);
	else
		canvas_format(c, r.row, at, end, ROLE_TEXT,
		    names_words(names, "no method matches %.*s (& edit)"),
		    STR_ARG(filters_text(&p->display->filters, names)));
}

static const char *
word(const void *of, const struct list_row *row)
{
	const struct packages *p = of;

	return is_method(row) ? "method" : p->by == SAME_PACKAGE ? "package" : "class";
}

static const struct list_source packages_source = {
    .word = "packages",
    .empty = "",
    .columns = column_table,
    .sort = COLUMN_EXCL_PERCENT,
    .file_sort = COLUMN_EXCL,
    .in_files = LIST_CSV,
    .name_least = 20,
    .scrolls = true,
    .settles = true,
    .by_name = true,
    .get = get,
    .children = children,
    .parent = parent,
    .passes = passes,
    .hit = hit,
    .raw = raw,
    .field_keys = field_keys,
    .field = field,
    .title = title,
    .draw = draw,
    .draw_empty = draw_empty,
    .word_of = word,
};

/* The list -------------------------------------------------------------------------- */

void
packages_init(struct packages *p, struct display *display)
{
	*p = (struct packages){.display = display, .by = SAME_PACKAGE};
	list_init(&p->list, &packages_source, p, &display->figures);
	p->list.columns = &display->columns;
}

void
packages_release(struct packages *p)
{
	engine_groups_free(p->groups);
	mem_free(p->first);
	mem_free(p->next);
	list_release(&p->list);
}

/* Lists the methods of each group, by the display's fold: it may be older or newer than the groups. */
static void
find_members(struct packages *p)
{
	const struct fold *fold = p->display->fold;
	uint32_t count = fold != NULL ? fold->method_count : 0;
	uint32_t groups = p->groups->fold->method_count;

	mem_free(p->first);
	mem_free(p->next);
	p->first = mem_alloc(groups * sizeof(*p->first));
	p->next = mem_alloc(count * sizeof(*p->next));
	memset(p->first, 0xff, groups * sizeof(*p->first));
	for (uint32_t m = count; m-- > 1;) {
		uint32_t group = group_of(p, m);

		if (!fold->methods[m].present || group >= groups)
			continue;
		p->next[m] = p->first[group];
		p->first[group] = m;
	}
}

static void
update(struct packages *p)
{
	const struct display *t = p->display;

	p->figures = t->figures;
	p->figures.fold = is_known(p) ? p->groups->fold : NULL;
	if (is_known(p))
		find_members(p);
	list_update(&p->list);
}

void
packages_set(struct packages *p, struct engine_groups *groups)
{
	engine_groups_free(p->groups);
	p->groups = groups;
	update(p);
}

void
packages_follow(struct packages *p)
{
	if ((display_changed(p->display, &p->seen) & ~(unsigned)CHANGED_SEARCH) != 0)
		update(p);
}

void
packages_set_by(struct packages *p, enum same_by by)
{
	p->by = by;
	list_clear(&p->list);
	update(p);
}

uint32_t
packages_method(const struct packages *p)
{
	const struct list_row *row = list_row(&p->list);

	return row != NULL && is_method(row) ? row->item : METHOD_NONE;
}

bool
packages_pattern(const struct packages *p, struct sbuf *out)
{
	const struct list_row *row = list_row(&p->list);
	struct str key, raw;

	if (row == NULL || is_method(row) || !is_known(p) ||
	    !same_key(trace_of(p), p->by, row->item, &key))
		return false;
	/* The key as the names that filters match have it: with dots. */
	raw = names_raw(p->display->figures.names, row->item);
	sbuf_char(out, '^');
	if (key.n > 0)
		pattern_quote(out, (struct str){raw.p, key.n + 1});
	sbuf_text(out, p->by == SAME_PACKAGE ? "[^.(]*\\.[^.(]*(\\(|$)" : "[^.(]*(\\(|$)");
	return true;
}

bool
packages_go(struct packages *p, uint32_t method)
{
	struct list *l = &p->list;
	struct list_id up;

	if (!parent(p, method_id(p, method), &up))
		return false;
	return list_go(l, list_is_open(l, up) ? method_id(p, method) : up, scroll_line(&l->at));
}
