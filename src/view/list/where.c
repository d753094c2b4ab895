// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/list/where.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/list/list.h"

enum where_order { LESS = 1 << 0, EQUAL = 1 << 1, MORE = 1 << 2 };

enum { NUMBER_MAX = 60 };

/* Reading --------------------------------------------------------------------------- */

/* A line that is read, and how far. */
struct where_reading {
	const struct list *list;
	const char *begin;
	struct str rest;
	struct err *e;
};

static void
skip(struct str *text, size_t n)
{
	*text = (struct str){text->p + n, text->n - n};
}

/* False, for the text that begins at `at`. */
static bool
fail(const struct where_reading *r, const char *at)
{
	if (r->e != NULL) {
		r->e->has_offset = true;
		r->e->offset = (uint64_t)(at - r->begin);
	}
	return false;
}

static struct str
take_until(struct where_reading *r, const char *ends)
{
	struct str taken = {r->rest.p, 0};

	while (taken.n < r->rest.n && strchr(ends, r->rest.p[taken.n]) == NULL)
		taken.n++;
	skip(&r->rest, taken.n);
	return taken;
}

static bool
take_orders(struct where_reading *r, unsigned *orders)
{
	char first = r->rest.n > 0 ? r->rest.p[0] : '\0';

	*orders = first == '=' ? EQUAL : first == '<' ? LESS : first == '>' ? MORE : 0;
	if (*orders == 0)
		return false;
	skip(&r->rest, 1);
	if (first != '=' && r->rest.n > 0 && r->rest.p[0] == '=') {
		*orders |= EQUAL;
		skip(&r->rest, 1);
	}
	return true;
}

/* A figure, or a text; between quotes it may have blanks. */
static bool
take_value(struct where_reading *r, struct str *value)
{
	if (r->rest.n == 0 || r->rest.p[0] != '"') {
		*value = take_until(r, " ");
		return value->n > 0;
	}
	skip(&r->rest, 1);
	*value = take_until(r, "\"");
	if (r->rest.n == 0)
		return false;
	skip(&r->rest, 1);
	return r->rest.n == 0 || r->rest.p[0] == ' ';
}

/* Digits with a point and an exponent, or without. */
static bool
read_number(struct str text, long double *number)
{
	char copy[NUMBER_MAX + 1], *end;

	if (text.n == 0 || text.n > NUMBER_MAX)
		return false;
	memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	/* No names, no hexadecimal digits, which strtold takes, too. */
	if (strspn(copy, "+-.0123456789eE") != text.n)
		return false;
	*number = strtold(copy, &end);
	return *end == '\0' && isfinite((double)*number);
}

static bool
read_time(struct str text, nsec *time)
{
	bool minus = str_starts(text, STR("-"));

	if (minus)
		skip(&text, 1);
	if (timetext_unit(text).n == 0 || !timetext_parse(text, time, NULL))
		return false;
	if (minus)
		*time = -*time;
	return true;
}

/* The figure of a term; false and what is expected. */
static bool
read_value(struct where_term *t, enum value_kind kind, struct str value, const char **expected)
{
	switch (kind) {
	case VALUE_TEXT:
		t->text = value;
		*expected = "= and the whole text";
		return t->orders == EQUAL;
	case VALUE_TIME:
		*expected = "a time with its unit, such as 16ms";
		return read_time(value, &t->time);
	case VALUE_PERCENT:
		*expected = "a percentage, such as 5%";
		if (value.n == 0 || value.p[value.n - 1] != '%')
			return false;
		value.n--;
		break;
	default:
		*expected = "a number";
		break;
	}
	return read_number(value, &t->number);
}

static bool
read_term(struct where_reading *r, struct where_term *t)
{
	const struct list *l = r->list;
	struct str word = take_until(r, "=<> "), value;
	const char *expected = "a figure", *at;
	char id[NUMBER_MAX + 1];

	*t = (struct where_term){.column = -1};
	if (word.n == 0 || word.n > NUMBER_MAX || !take_orders(r, &t->orders)) {
		err_set(r->e, ERR_MALFORMED, "expected conditions such as calls=1 max>16ms");
		return fail(r, word.p);
	}
	memcpy(id, word.p, word.n);
	id[word.n] = '\0';
	t->column = list_sort_find(l, id);
	if (t->column < 0) {
		list_sort_none(l, l->source->word, id, r->e);
		return fail(r, word.p);
	}
	at = r->rest.p;
	if (take_value(r, &value) &&
	    read_value(t, list_column(l, t->column)->kind, value, &expected))
		return true;
	err_set(r->e, ERR_MALFORMED, "%s expects %s", id, expected);
	return fail(r, at);
}

static void
where_release(struct where *w)
{
	mem_free(w->text);
	mem_free(w->terms);
}

/* Reads them into an empty value. */
static bool
where_read(struct where *w, const struct list *l, struct str text, struct err *e)
{
	struct where_reading r = {.list = l, .e = e};

	w->source = l->source;
	w->text = mem_text(text);
	r.begin = w->text;
	r.rest = str_from(w->text);
	while (r.rest.n > 0) {
		if (r.rest.p[0] == ' ') {
			skip(&r.rest, 1);
			continue;
		}
		if (!read_term(&r, MEM_ADD(w->terms, w->count, w->room))) {
			where_release(w);
			return false;
		}
	}
	return true;
}

/* Rows ------------------------------------------------------------------------------- */

static unsigned
order_of(long double a, long double b)
{
	return a < b ? LESS : a > b ? MORE : EQUAL;
}

/* How the value is ordered with the term's; 0: in no way. */
static unsigned
value_order(const struct where_term *t, enum value_kind kind, struct value v)
{
	/* A column may have other values in some rows: those are no figures of it. */
	if ((v.kind == VALUE_TEXT) != (kind == VALUE_TEXT) ||
	    (v.kind == VALUE_TIME) != (kind == VALUE_TIME) ||
	    (v.kind == VALUE_PERCENT) != (kind == VALUE_PERCENT))
		return 0;
	switch (v.kind) {
	case VALUE_EMPTY:
		return 0;
	case VALUE_TEXT:
		return str_equal(v.text, t->text) ? EQUAL : 0;
	case VALUE_TIME:
		return v.a < t->time ? LESS : v.a > t->time ? MORE : EQUAL;
	case VALUE_PERCENT:
		return v.b > 0 ? order_of((long double)v.a * 100, t->number * (long double)v.b) : 0;
	case VALUE_REAL:
	case VALUE_MEASURE:
		return order_of((long double)value_is(v), t->number);
	default:
		return order_of((long double)value_key(v), t->number);
	}
}

bool
where_holds(const struct where *w, const struct list *l, const struct list_row *row)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct where_term *t = &w->terms[i];
		const struct column *c = list_column(l, t->column);
		struct value v = list_value(l, row, t->column);
		unsigned order = value_order(t, c->kind, v);

		/* An id before a text is no part of it; files have names in their own bytes. */
		if (order == 0 && (c->flags & LIST_WITH_ID) != 0 && (size_t)v.b <= v.text.n) {
			skip(&v.text, (size_t)v.b);
			v.text = str_trim(v.text);
			order = value_order(t, c->kind, v);
		}
		if (order == 0 && c->kind == VALUE_TEXT && l->source->file != NULL)
			order = value_order(t, c->kind, l->source->file(l->of, row, t->column));
		if ((order & t->orders) == 0)
			return false;
	}
	return true;
}

/* All kinds of lists ------------------------------------------------------------------ */

static size_t
find(const struct wheres *all, const struct list_source *source)
{
	size_t i = 0;

	while (i < all->count && all->list[i].source != source)
		i++;
	return i;
}

const struct where *
wheres_of(const struct wheres *all, const struct list_source *source)
{
	size_t i = all != NULL ? find(all, source) : 0;

	return all != NULL && i < all->count ? &all->list[i] : NULL;
}

bool
wheres_set(struct wheres *all, const struct list *l, struct str text, struct err *e)
{
	struct where w = {.source = NULL};
	size_t i = find(all, l->source);

	if (!where_read(&w, l, text, e))
		return false;
	if (i == all->count)
		*MEM_ADD(all->list, all->count, all->room) = (struct where){.source = NULL};
	where_release(&all->list[i]);
	w.id = ++all->last_id;
	all->list[i] = w;
	if (w.count == 0) {
		where_release(&all->list[i]);
		all->list[i] = all->list[--all->count];
	}
	return true;
}

static void
drop(struct wheres *all)
{
	while (all->count > 0)
		where_release(&all->list[--all->count]);
}

void
wheres_copy(struct wheres *to, const struct wheres *from)
{
	drop(to);
	for (size_t i = 0; i < from->count; i++) {
		const struct where *w = &from->list[i];
		struct where copy = {.source = w->source, .id = ++to->last_id,
		    .text = mem_text(str_from(w->text)), .count = w->count};

		MEM_GROW(copy.terms, copy.room, w->count);
		memcpy(copy.terms, w->terms, w->count * sizeof(*w->terms));
		for (size_t k = 0; k < w->count; k++)
			if (w->terms[k].text.p != NULL)
				copy.terms[k].text.p = copy.text + (w->terms[k].text.p - w->text);
		*MEM_ADD(to->list, to->count, to->room) = copy;
	}
}

bool
wheres_equal(const struct wheres *a, const struct wheres *b)
{
	bool equal = a->count == b->count;

	for (size_t i = 0; i < a->count && equal; i++) {
		const struct where *w = wheres_of(b, a->list[i].source);

		equal = w != NULL && strcmp(w->text, a->list[i].text) == 0;
	}
	return equal;
}

void
wheres_release(struct wheres *all)
{
	drop(all);
	mem_free(all->list);
	*all = (struct wheres){.list = NULL};
}
