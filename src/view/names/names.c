// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/names/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "trace/folded.h"
#include "view/names/cxx_name.h"
#include "view/names/groups.h"
#include "view/names/looks.h"
#include "view/names/overloads.h"
#include "view/names/words.h"

/* Bytes of one name; the rest of longer ones, in hostile files, is ignored. */
enum { PART_MAX = 8192 };

struct name_parts {
	struct str full;   /* clean: class, dot, name, signature or types */
	uint32_t name_at;  /* where the method's own name starts; 0 without class */
	uint32_t name_end; /* and ends; parameters are after it */
	/* May replace the first `group_end` bytes, a package; empty: nothing does. */
	struct str group;
	uint32_t group_end;
};

struct name_entry {
	const struct method *from; /* the row it was made of */
	struct name_parts parts;
	struct str shown; /* as overloads.h says of `style`; 0: not made yet */
	unsigned style;
	struct str raw;
	struct str id, own; /* NULL: not made yet */
	struct str file;
};

struct thread_entry {
	const struct thread *from; /* as above; NULL: not made yet */
	struct str name;
};

struct names {
	const struct trace *trace;
	unsigned clean;
	struct name_entry **entries; /* by method; NULL: not made yet */
	size_t entry_room;
	struct thread_entry *threads; /* by thread */
	size_t thread_room;
	struct overloads overloads;
	struct arena arena;
	struct sbuf raw, cleaned, types; /* scratch */
	/* A name made to fit, until the next one, and where its bytes are in the full one. */
	struct sbuf text;
	uint32_t *source;
	size_t source_room;
	const char *mark; /* of a cut, one column */
	struct intern words;     /* texts of the program */
	const char **worded;     /* what they are in the words of a log */
	size_t worded_count, worded_room;
	const struct groups *groups;
	struct looks *looks; /* NULL: not asked for yet */
};

struct names *
names_new(const struct trace *t, bool utf8)
{
	struct names *n = mem_zero(1, sizeof *n);

	n->trace = t;
	n->clean = CLEAN_MUTF8 | (utf8 ? 0 : CLEAN_ASCII);
	n->mark = utf8 ? "\xe2\x80\xa6" : "~";
	return n;
}

void
names_free(struct names *n)
{
	if (n == NULL)
		return;
	looks_free(n->looks);
	mem_free(n->entries);
	mem_free(n->threads);
	overloads_release(&n->overloads);
	intern_release(&n->words);
	mem_free((void *)n->worded);
	arena_release(&n->arena);
	sbuf_release(&n->raw);
	sbuf_release(&n->cleaned);
	sbuf_release(&n->types);
	sbuf_release(&n->text);
	mem_free(n->source);
	mem_free(n);
}

const char *
names_words(struct names *n, const char *text)
{
	uint32_t at;

	if (n == NULL || text == NULL || (n->trace->log == NULL && !n->trace->sampled))
		return text;
	at = intern_add(&n->words, str_from(text), 0);
	if (at == n->worded_count) {
		struct sbuf out = {0};

		(n->trace->log != NULL ? words_of_log : words_of_samples)(&out, str_from(text));
		MEM_GROW(n->worded, n->worded_room, (size_t)at + 1);
		sbuf_char(&out, '\0');
		n->worded[n->worded_count++] = arena_str(&n->arena, sbuf_view(&out)).p;
		sbuf_release(&out);
	}
	return n->worded[at];
}

static struct str
capped(struct str s)
{
	return s.p != NULL ? str_head(s, PART_MAX) : STR("");
}

static void
entry_make(struct names *n, const struct method *m, struct name_entry *entry)
{
	struct name_parts *parts = &entry->parts;
	struct sbuf *raw = &n->raw, *cleaned = &n->cleaned;
	struct name_place place;
	size_t name_at, name_end;

	sbuf_clear(raw);
	place = method_full_name(raw, m);
	name_at = place.from;
	name_end = place.to;
	entry->raw = arena_str(&n->arena, sbuf_view(raw));
	entry->id = entry->own = (struct str){NULL, 0};
	entry->style = 0;

	/* Piece by piece, so that the places in it are known. */
	sbuf_clear(cleaned);
	clean_append(cleaned, (struct str){entry->raw.p, name_at}, n->clean);
	parts->name_at = (uint32_t)cleaned->n;
	clean_append(
	    cleaned, (struct str){entry->raw.p + name_at, name_end - name_at}, n->clean);
	parts->name_end = (uint32_t)cleaned->n;
	clean_append(
	    cleaned, (struct str){entry->raw.p + name_end, raw->n - name_end}, n->clean);
	parts->full = str_equal(sbuf_view(cleaned), entry->raw)
			  ? entry->raw
			  : arena_str(&n->arena, sbuf_view(cleaned));
	entry->file = arena_str(&n->arena, names_clean(n, capped(m->file)));
}

static struct name_entry *
entry_of(struct names *n, uint32_t method)
{
	const struct method *m = trace_method(n->trace, method);
	struct name_entry **entry;

	MEM_GROW_ZERO(n->entries, n->entry_room, (size_t)method + 1);
	entry = &n->entries[method];
	if (*entry == NULL) {
		*entry = arena_alloc(&n->arena, sizeof **entry);
		**entry = (struct name_entry){.from = NULL};
	}
	if ((*entry)->from != m) {
		entry_make(n, m, *entry);
		(*entry)->from = m;
	}
	return *entry;
}

struct str
names_full(struct names *n, uint32_t method)
{
	return entry_of(n, method)->parts.full;
}

/* The dots of inner classes take no other room than what the file has. */
static void
shown_make(struct names *n, struct name_entry *entry)
{
	const struct name_parts *parts = &entry->parts;
	struct sbuf *text = &n->raw;

	entry->shown = parts->full;
	/* A method with nothing but a signature has it for a name. */
	if ((entry->style & OVERLOAD_RECORDED) != 0 || parts->name_end == 0)
		return;
	entry->shown.n = parts->name_end;
	sbuf_clear(text);
	sbuf_str(text, entry->shown);
	java_class_dots(text->p, parts->name_at);
	if ((entry->style & OVERLOAD_TYPES) != 0) {
		struct str types;

		sbuf_clear(&n->types);
		java_types(&n->types, entry->from->signature, entry->style);
		types = names_clean(n, sbuf_view(&n->types));
		sbuf_str(text, types);
	}
	if (text->n != entry->shown.n || memcmp(text->p, entry->shown.p, text->n) != 0)
		entry->shown = arena_str(&n->arena, sbuf_view(text));
}

static struct name_entry *
shown_of(struct names *n, uint32_t method)
{
	struct name_entry *entry = entry_of(n, method);
	unsigned style = overloads_style(&n->overloads, n->trace, method);

	if (entry->style != style) {
		entry->style = style;
		shown_make(n, entry);
	}
	return entry;
}

struct str
names_shown(struct names *n, uint32_t method)
{
	return shown_of(n, method)->shown;
}

struct str
names_raw(struct names *n, uint32_t method)
{
	return entry_of(n, method)->raw;
}

enum pattern_result
names_match(struct names *n, uint32_t method, const struct pattern *pattern)
{
	enum pattern_result result = pattern_match(pattern, names_raw(n, method), NULL, NULL);

	for (uint32_t m = trace_stands(n->trace, method) ? trace_stands_next(n->trace, method) : METHOD_NONE;
	     m != METHOD_NONE && result == PATTERN_NO; m = trace_stands_next(n->trace, m))
		result = pattern_match(pattern, trace_method(n->trace, m)->name, NULL, NULL);
	return result;
}

struct str
names_class(struct names *n, uint32_t method)
{
	const struct name_parts *parts = &entry_of(n, method)->parts;

	/* The class, without the dot; a method without a name of its own is its class. */
	if (parts->name_at > 0)
		return (struct str){parts->full.p, parts->name_at - 1};
	return trace_method(n->trace, method)->name.n == 0 ? parts->full : STR("");
}

struct str
names_method(struct names *n, uint32_t method)
{
	const struct name_parts *parts = &entry_of(n, method)->parts;

	return (struct str){
	    parts->full.p + parts->name_at, parts->name_end - parts->name_at};
}

struct str
names_signature(struct names *n, uint32_t method)
{
	const struct name_parts *parts = &entry_of(n, method)->parts;

	return (struct str){
	    parts->full.p + parts->name_end, parts->full.n - parts->name_end};
}

struct str
names_file(struct names *n, uint32_t method)
{
	return entry_of(n, method)->file;
}

struct str
names_clean(struct names *n, struct str text)
{
	sbuf_clear(&n->cleaned);
	clean_append(&n->cleaned, text, n->clean);
	return n->cleaned.n > 0 ? sbuf_view(&n->cleaned) : STR("");
}

struct str
names_thread(struct names *n, uint32_t thread)
{
	const struct thread *t = trace_thread(n->trace, thread);
	struct thread_entry *kept;
	char numbered[32];

	MEM_GROW_ZERO(n->threads, n->thread_room, (size_t)thread + 1);
	kept = &n->threads[thread];
	if (kept->from != t) {
		snprintf(numbered, sizeof numbered, "thread %" PRIu32, t->id);
		kept->name = arena_str(&n->arena,
		    t->name.n > 0 ? names_clean(n, capped(t->name)) : str_from(numbered));
		kept->from = t;
	}
	return kept->name;
}

void
names_set_groups(struct names *n, const struct groups *groups)
{
	n->groups = groups;
	looks_forget(names_looks(n));
}

struct str
names_package(struct names *n, uint32_t method)
{
	static const struct groups none;

	return groups_key(n->groups != NULL ? n->groups : &none, names_class(n, method));
}

struct looks *
names_looks(struct names *n)
{
	if (n->looks == NULL)
		n->looks = looks_new(n);
	return n->looks;
}

/* A group is of use where it is shorter, and where a class is left after it. */
static void
find_group(const struct names *n, struct name_parts *parts)
{
	struct str class_name = {parts->full.p, parts->name_at > 0 ? parts->name_at - 1 : 0};
	const struct group *g;
	size_t end;

	if (n->groups == NULL || n->groups->count == 0)
		return;
	g = groups_find(n->groups, class_name, &end);
	if (g == NULL || end >= class_name.n)
		return;
	parts->group = str_from(g->name);
	parts->group_end = (uint32_t)end;
	class_name.n = end;
	if (utf8_width(parts->group) >= utf8_width(class_name))
		parts->group = STR("");
}

/* Made to fit --------------------------------------------------------------------------- */

/* Appends bytes that are at `at` in the full name, NAME_ADDED for nowhere. */
static void
put(struct names *n, struct str s, uint32_t at)
{
	MEM_GROW(n->source, n->source_room, n->text.n + s.n);
	for (size_t i = 0; i < s.n; i++)
		n->source[n->text.n + i] =
		    at == NAME_ADDED ? NAME_ADDED : at + (uint32_t)i;
	sbuf_str(&n->text, s);
}

static struct str
slice(struct str s, size_t from, size_t to)
{
	return (struct str){from > 0 ? s.p + from : s.p, to - from};
}

static struct name_fit
result(const struct names *n, size_t from)
{
	struct str text =
	    n->text.n > 0 ? slice(sbuf_view(&n->text), from, n->text.n) : STR("");

	return (struct name_fit){text, (int)utf8_width(text), n->source + from};
}

/*
 * Replaces the package by the group and shortens packages from the left until `excess`
 * columns are saved.  Returns the columns saved; what was written stops at byte `*rest`
 * of the name.
 */
static size_t
put_packages(struct names *n, const struct name_parts *name, size_t excess, size_t *rest)
{
	size_t saved = 0, at = 0;

	if (excess > 0 && name->group.n > 0) {
		put(n, name->group, NAME_ADDED);
		at = name->group_end;
		saved = utf8_width(slice(name->full, 0, at)) - utf8_width(name->group);
		put(n, slice(name->full, at, at + 1), (uint32_t)at);
		at++;
	}
	while (saved < excess) {
		struct str rest_of = slice(name->full, at, name->name_at);
		struct str package = str_cut(&rest_of, '.'), first;

		/* The last segment is the class, with the dot before the method. */
		if (rest_of.n == 0)
			break;
		first = utf8_head(package, 1, NULL); /* its first cluster */
		if (first.n == 0)
			first = utf8_head(package, 2, NULL);
		put(n, first, (uint32_t)at);
		saved += utf8_width(package) - utf8_width(first);
		at += package.n;
		put(n, slice(name->full, at, at + 1), (uint32_t)at);
		at++;
	}
	*rest = at;
	return saved;
}

/* The name up to byte `end`, its packages shortened as far as `columns` needs it. */
static bool
try_fit(struct names *n, const struct name_parts *name, size_t end, size_t columns,
    enum elision mode)
{
	size_t width = utf8_width(slice(name->full, 0, end));
	size_t excess = width > columns ? width - columns : 0, saved = 0, rest = 0;

	sbuf_clear(&n->text);
	if (mode == ELISION_SHORT)
		excess = SIZE_MAX;
	if (mode != ELISION_NONE)
		saved = put_packages(n, name, excess, &rest);
	put(n, slice(name->full, rest, end), (uint32_t)rest);
	return width - saved <= columns;
}

/* Keeps the end of what is in the buffer. */
static struct name_fit
cut_front(struct names *n, const struct name_parts *name, size_t columns)
{
	struct str own = slice(name->full, name->name_at, name->name_end);
	bool whole = utf8_width(own) == columns;
	struct str tail =
	    utf8_tail(sbuf_view(&n->text), whole ? columns : columns - 1, NULL);
	size_t mark = whole ? 0 : strlen(n->mark), from = n->text.n - tail.n;

	/* Into the gap that the cut left, which a mark may not fill. */
	if (mark > from) {
		put(n, (struct str){"    ", mark - from}, NAME_ADDED);
		memmove(n->text.p + mark, n->text.p + from, tail.n);
		memmove(n->source + mark, n->source + from, tail.n * sizeof *n->source);
		from = mark;
	}
	memcpy(n->text.p + from - mark, n->mark, mark);
	for (size_t i = from - mark; i < from; i++)
		n->source[i] = NAME_ADDED;
	return result(n, from - mark);
}

/* Appends both ends of a part that is wider than `columns`: `last` of them are the end. */
static void
put_ends(struct names *n, struct str full, size_t from, size_t to, size_t columns, size_t last)
{
	struct str part = slice(full, from, to);
	struct str tail = utf8_tail(part, last, NULL);

	put(n, utf8_head(part, columns - 1 - last, NULL), (uint32_t)from);
	put(n, str_from(n->mark), NAME_ADDED);
	put(n, tail, (uint32_t)(to - tail.n));
}

enum { PARAMETERS_LEAST = 3 }; /* "(…)" */

/*
 * Keeps method and nearest class, and of the parameters, which there are, what there is room
 * for: both ends of types, the end of what slices have there, by which they differ.
 */
static struct name_fit
cut_parameters(struct names *n, const struct name_parts *name, size_t from, size_t columns)
{
	struct str head = slice(name->full, from, name->name_end);
	size_t used = utf8_width(head) + (from > 0), left = columns - used;

	if (used + utf8_width(slice(name->full, name->name_end, name->full.n)) <= columns)
		return cut_front(n, name, columns);
	sbuf_clear(&n->text);
	if (from > 0)
		put(n, str_from(n->mark), NAME_ADDED);
	put(n, head, (uint32_t)from);
	put_ends(n, name->full, name->name_end, name->full.n, left,
	    name->name_at > 0 ? (left - 1) / 2 : left - 2);
	return result(n, 0);
}

static struct name_fit
fit(struct names *n, struct name_parts name, int columns, enum elision mode)
{
	size_t room = columns > 0 ? (size_t)columns : 0, from = 0;
	struct cxx_name cxx;
	bool function = name.name_at > 0, parameters;

	/* Even empty results point somewhere. */
	MEM_GROW(n->source, n->source_room, 1);
	sbuf_clear(&n->text);
	if (room == 0)
		return result(n, 0);
	if (name.name_at == 0) {
		if (try_fit(n, &name, name.full.n, room, ELISION_NONE))
			return result(n, 0);
		function = cxx_name_parse(name.full, &cxx);
		if (function) {
			name.name_end = (uint32_t)cxx.end;
			from = cxx.class_at;
		}
	} else if (mode != ELISION_NONE) {
		/* Where the class begins that is nearest to the method. */
		for (from = name.name_at - 1; from > 0 && name.full.p[from - 1] != '.';)
			from--;
	}
	parameters = name.name_end < name.full.n &&
	    utf8_width(slice(name.full, from, name.name_end)) + (from > 0) + PARAMETERS_LEAST <= room;
	/* Methods of one name all keep their parameters, or all lose them. */
	if (!parameters)
		name.full.n = name.name_end;
	if (mode != ELISION_SHORT && try_fit(n, &name, name.full.n, room, ELISION_NONE))
		return result(n, 0);
	if (try_fit(n, &name, name.full.n, room, mode))
		return result(n, 0);
	if (parameters)
		return cut_parameters(n, &name, from, room);
	if (function)
		return cut_front(n, &name, room);
	sbuf_clear(&n->text);
	/* A slice begins with what it is. */
	put_ends(n, name.full, 0, name.full.n, room, (room - 1) / 2);
	return result(n, 0);
}

/* Types are not in the full name as they are shown. */
static struct name_fit
types_added(struct names *n, const struct name_entry *entry, struct name_fit fit)
{
	size_t from = (size_t)(fit.source - n->source);

	if ((entry->style & (OVERLOAD_TYPES | OVERLOAD_RECORDED)) == OVERLOAD_TYPES)
		for (size_t i = 0; i < fit.text.n; i++)
			if (n->source[from + i] >= entry->parts.name_end)
				n->source[from + i] = NAME_ADDED;
	return fit;
}

struct name_fit
names_fit(struct names *n, uint32_t method, int columns, enum elision mode)
{
	const struct name_entry *entry = shown_of(n, method);
	struct name_parts parts = entry->parts;

	parts.full = entry->shown;
	find_group(n, &parts);
	return types_added(n, entry, fit(n, parts, columns, mode));
}

struct name_fit
names_fit_text(struct names *n, struct str full, int columns, enum elision mode)
{
	const char *open = full.n > 0 ? memchr(full.p, '(', full.n) : NULL;
	size_t end = open != NULL ? (size_t)(open - full.p) : full.n;
	struct name_parts parts = {.name_at = 0};

	sbuf_clear(&n->raw);
	sbuf_str(&n->raw, capped(slice(full, 0, end)));
	java_types(&n->raw, slice(full, end, full.n), OVERLOAD_TYPES);
	parts.full = names_clean(n, sbuf_view(&n->raw));
	open = parts.full.n > 0 ? memchr(parts.full.p, '(', parts.full.n) : NULL;
	end = open != NULL ? (size_t)(open - parts.full.p) : parts.full.n;
	parts.name_at = (uint32_t)end;
	while (parts.name_at > 0 && parts.full.p[parts.name_at - 1] != '.')
		parts.name_at--;
	parts.name_end = (uint32_t)(parts.name_at > 0 ? end : parts.full.n);
	return fit(n, parts, columns, mode);
}

static struct name_fit
part(struct names *n, struct str full, int skip, int columns)
{
	size_t gone = utf8_head(full, skip > 0 ? (size_t)skip : 0, NULL).n;
	size_t room = columns > 0 ? (size_t)columns : 0, shown;
	struct str rest = slice(full, gone, full.n), mark = str_from(n->mark);
	bool cut_head = gone > 0 && room > 0, cut_tail;

	MEM_GROW(n->source, n->source_room, 1);
	sbuf_clear(&n->text);
	if (cut_head) {
		put(n, mark, NAME_ADDED);
		room--;
	}
	cut_tail = utf8_width(rest) > room;
	shown = utf8_head(rest, cut_tail && room > 0 ? room - 1 : room, NULL).n;
	put(n, slice(rest, 0, shown), (uint32_t)gone);
	if (cut_tail && room > 0)
		put(n, mark, NAME_ADDED);
	return result(n, 0);
}

struct name_fit
names_part(struct names *n, uint32_t method, int skip, int columns)
{
	const struct name_entry *entry = shown_of(n, method);

	return types_added(n, entry, part(n, entry->shown, skip, columns));
}

struct str
names_head(struct names *n, struct str text, int columns)
{
	return part(n, text, 0, columns).text;
}

struct str
names_short(struct names *n, struct str text, int columns)
{
	struct name_parts whole = {.full = text, .name_end = (uint32_t)text.n};

	return fit(n, whole, columns, ELISION_NONE).text;
}

/* For programs --------------------------------------------------------------------- */

struct str
name_id(char out[static NAME_ID_SIZE], const struct trace *t, uint32_t method)
{
	const struct method *m = trace_method(t, method);
	int n;

	if (m->word != NULL)
		return str_from(m->word);
	n = snprintf(out, NAME_ID_SIZE, "0x%" PRIx64, m->id);
	return (struct str){out, (size_t)n};
}

void
name_raw(struct sbuf *out, const struct trace *t, uint32_t method)
{
	const struct method *m = trace_method(t, method);

	if (!m->known || m->class_name.n + m->name.n + m->signature.n == 0) {
		sbuf_str(out, NAME_ID(t, method));
		return;
	}
	if (m->class_name.n > 0) {
		sbuf_str(out, m->class_name);
		sbuf_char(out, '.');
	}
	sbuf_str(out, m->name);
	sbuf_str(out, m->signature);
}

struct str
names_id(struct names *n, uint32_t method)
{
	struct name_entry *entry = entry_of(n, method);

	if (entry->id.p == NULL)
		entry->id = arena_str(&n->arena, NAME_ID(n->trace, method));
	return entry->id;
}

struct str
names_own(struct names *n, uint32_t method)
{
	struct name_entry *entry = entry_of(n, method);

	if (entry->own.p != NULL)
		return entry->own;
	sbuf_clear(&n->raw);
	name_raw(&n->raw, n->trace, method);
	entry->own = str_equal(sbuf_view(&n->raw), entry->raw)
	    ? entry->raw : arena_str(&n->arena, sbuf_view(&n->raw));
	return entry->own;
}
