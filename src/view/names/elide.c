#include <config.h>

#include "view/names/elide.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"

void
elide_release(struct elide *e)
{
	sbuf_release(&e->text);
	mem_free(e->source);
	e->source = NULL;
	e->source_room = 0;
}

/* Appends bytes that are at `at` in the full name, NAME_ADDED for nowhere. */
static void
put(struct elide *e, struct str s, uint32_t at)
{
	MEM_GROW(e->source, e->source_room, e->text.n + s.n);
	for (size_t i = 0; i < s.n; i++)
		e->source[e->text.n + i] =
		    at == NAME_ADDED ? NAME_ADDED : at + (uint32_t)i;
	sbuf_str(&e->text, s);
}

static struct str
slice(struct str s, size_t from, size_t to)
{
	return (struct str){from > 0 ? s.p + from : s.p, to - from};
}

static struct name_fit
result(const struct elide *e, size_t from)
{
	struct str text = slice(str_from(""), 0, 0);

	if (e->text.n > 0)
		text = slice(sbuf_view(&e->text), from, e->text.n);
	return (struct name_fit){text, (int)utf8_width(text), e->source + from};
}

/* The abbreviation of a package: its first cluster. */
static struct str
letter(struct str package)
{
	struct str one = utf8_head(package, 1, NULL);

	return one.n > 0 ? one : utf8_head(package, 2, NULL);
}

/*
 * Replaces the package by the group and shortens packages from the left until `excess`
 * columns are saved.  Returns the columns saved; what was written stops at byte `*rest`
 * of the name.
 */
static size_t
put_packages(struct elide *e, const struct name_parts *name, size_t excess, size_t *rest)
{
	size_t saved = 0, at = 0;

	if (excess > 0 && name->group.n > 0) {
		put(e, name->group, NAME_ADDED);
		at = name->group_end;
		saved = utf8_width(slice(name->full, 0, at)) - utf8_width(name->group);
		put(e, slice(name->full, at, at + 1), (uint32_t)at);
		at++;
	}
	while (saved < excess) {
		struct str package = slice(name->full, at, name->name_at), first;
		const char *dot =
		    package.n > 0 ? memchr(package.p, '.', package.n) : NULL;

		/* The last segment is the class, with the dot before the method. */
		if (dot == NULL || (size_t)(dot - name->full.p) + 1 == name->name_at)
			break;
		package.n = (size_t)(dot - package.p);
		first = letter(package);
		put(e, first, (uint32_t)at);
		saved += utf8_width(package) - utf8_width(first);
		at += package.n;
		put(e, slice(name->full, at, at + 1), (uint32_t)at);
		at++;
	}
	*rest = at;
	return saved;
}

/* Class and name up to byte `end`, shortened by `excess` if possible; then the suffix. */
static bool
try_fit(struct elide *e, const struct name_parts *name, size_t end, struct str suffix,
    size_t columns, enum elision mode)
{
	size_t width = utf8_width(slice(name->full, 0, end)) + suffix.n;
	size_t excess = width > columns ? width - columns : 0, saved = 0, rest = 0;

	sbuf_clear(&e->text);
	if (mode == ELISION_SHORT)
		excess = SIZE_MAX;
	if (mode != ELISION_NONE)
		saved = put_packages(e, name, excess, &rest);
	put(e, slice(name->full, rest, end), (uint32_t)rest);
	put(e, suffix, NAME_ADDED);
	return width - saved <= columns;
}

/* Keeps the end of what is in the buffer. */
static struct name_fit
cut_front(
    struct elide *e, const struct name_parts *name, struct str suffix, size_t columns)
{
	struct str own = slice(name->full, name->name_at, name->name_end);
	bool whole = utf8_width(own) + suffix.n == columns;
	struct str tail =
	    utf8_tail(sbuf_view(&e->text), whole ? columns : columns - 1, NULL);
	size_t mark = whole ? 0 : strlen(e->mark), from = e->text.n - tail.n;

	/* Into the gap that the cut left, which a mark may not fill. */
	if (mark > from) {
		put(e, (struct str){"    ", mark - from}, NAME_ADDED);
		memmove(e->text.p + mark, e->text.p + from, tail.n);
		memmove(e->source + mark, e->source + from, tail.n * sizeof *e->source);
		from = mark;
	}
	memcpy(e->text.p + from - mark, e->mark, mark);
	for (size_t i = from - mark; i < from; i++)
		e->source[i] = NAME_ADDED;
	return result(e, from - mark);
}

struct name_fit
elide_fit(struct elide *e, const struct name_parts *name, int columns, enum elision mode)
{
	size_t room = columns > 0 ? (size_t)columns : 0;
	bool has_signature = name->name_end < name->full.n;
	char ordinal[16] = "";
	struct str suffix;

	/* Even empty results point somewhere. */
	MEM_GROW(e->source, e->source_room, 1);
	sbuf_clear(&e->text);
	if (room == 0)
		return result(e, 0);
	if (mode != ELISION_SHORT &&
	    try_fit(e, name, name->full.n, STR(""), room, ELISION_NONE))
		return result(e, 0);
	if (name->ordinal > 0 && has_signature && mode != ELISION_NONE &&
	    try_fit(e, name, name->full.n, STR(""), room, mode))
		return result(e, 0);
	if (name->ordinal > 1)
		snprintf(ordinal, sizeof ordinal, "#%u", (unsigned)name->ordinal);
	suffix = str_from(ordinal);
	if (try_fit(e, name, name->name_end, suffix, room, mode))
		return result(e, 0);
	return cut_front(e, name, suffix, room);
}

struct name_fit
elide_part(struct elide *e, struct str full, int skip, int columns)
{
	size_t gone = utf8_head(full, skip > 0 ? (size_t)skip : 0, NULL).n;
	size_t room = columns > 0 ? (size_t)columns : 0, shown;
	struct str rest = slice(full, gone, full.n), mark = str_from(e->mark);
	bool cut_head = gone > 0 && room > 0, cut_tail;

	MEM_GROW(e->source, e->source_room, 1);
	sbuf_clear(&e->text);
	if (cut_head) {
		put(e, mark, NAME_ADDED);
		room--;
	}
	cut_tail = utf8_width(rest) > room;
	shown = utf8_head(rest, cut_tail && room > 0 ? room - 1 : room, NULL).n;
	put(e, slice(rest, 0, shown), (uint32_t)gone);
	if (cut_tail && room > 0)
		put(e, mark, NAME_ADDED);
	return result(e, 0);
}

struct str
elide_head(struct elide *e, struct str text, int columns)
{
	return elide_part(e, text, 0, columns).text;
}
