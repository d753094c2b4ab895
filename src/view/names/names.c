#include <config.h>

#include "view/names/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "view/names/elide.h"
#include "view/names/groups.h"

/* Bytes of one name; the rest of longer ones, in hostile files, is ignored. */
enum { PART_MAX = 8192 };

struct entry {
	const struct method *from; /* the row it was made of */
	struct name_parts parts;
	struct str raw;
	struct str file;
};

struct thread_entry {
	const struct thread *from; /* as above; NULL: not made yet */
	struct str name;
};

struct names {
	const struct trace *trace;
	unsigned clean;
	struct entry **entries; /* by method; NULL: not made yet */
	size_t entry_count, entry_room;
	struct thread_entry *threads; /* by thread */
	size_t thread_count, thread_room;
	uint32_t *ordinals; /* by method */
	uint32_t ordinal_count, ordinal_renamed;
	struct arena arena;
	struct sbuf raw, cleaned; /* scratch */
	struct elide elide;
	const struct groups *groups;
};

struct names *
names_new(const struct trace *t, bool utf8)
{
	struct names *n = mem_zero(1, sizeof *n);

	n->trace = t;
	n->clean = CLEAN_MUTF8 | (utf8 ? 0 : CLEAN_ASCII);
	n->elide.mark = utf8 ? "\xe2\x80\xa6" : "~";
	return n;
}

void
names_free(struct names *n)
{
	if (n == NULL)
		return;
	mem_free(n->entries);
	mem_free(n->threads);
	mem_free(n->ordinals);
	arena_release(&n->arena);
	sbuf_release(&n->raw);
	sbuf_release(&n->cleaned);
	elide_release(&n->elide);
	mem_free(n);
}

static struct str
capped(struct str s)
{
	if (s.p == NULL)
		return STR("");
	return (struct str){s.p, s.n < PART_MAX ? s.n : PART_MAX};
}

static void
entry_make(struct names *n, const struct method *m, struct entry *entry)
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

static struct entry *
entry_of(struct names *n, uint32_t method)
{
	const struct method *m = trace_method(n->trace, method);
	struct entry **entry;

	if (method >= n->entry_count) {
		MEM_GROW(n->entries, n->entry_room, (size_t)method + 1);
		memset(n->entries + n->entry_count, 0,
		    (n->entry_room - n->entry_count) * sizeof *n->entries);
		n->entry_count = n->entry_room;
	}
	entry = &n->entries[method];
	if (*entry == NULL) {
		*entry = arena_alloc(&n->arena, sizeof **entry);
		**entry = (struct entry){.from = NULL};
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

struct str
names_raw(struct names *n, uint32_t method)
{
	return entry_of(n, method)->raw;
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

	if (thread >= n->thread_count) {
		MEM_GROW(n->threads, n->thread_room, (size_t)thread + 1);
		memset(n->threads + n->thread_count, 0,
		    (n->thread_room - n->thread_count) * sizeof *n->threads);
		n->thread_count = n->thread_room;
	}
	kept = &n->threads[thread];
	if (kept->from != t) {
		snprintf(numbered, sizeof numbered, "thread %" PRIu32, t->id);
		kept->name = arena_str(&n->arena,
		    t->name.n > 0 ? names_clean(n, capped(t->name)) : str_from(numbered));
		kept->from = t;
	}
	return kept->name;
}

/* Eight bytes at a time: all names of the trace are hashed before the first is drawn. */
static uint64_t
hash_bytes(uint64_t hash, struct str s)
{
	uint64_t word = 0;

	for (; s.n > sizeof word; s = (struct str){s.p + sizeof word, s.n - sizeof word}) {
		memcpy(&word, s.p, sizeof word);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	word = 0;
	if (s.n > 0)
		memcpy(&word, s.p, s.n);
	hash = (hash ^ word) * 0xd6e8feb86659fd93u + s.n;
	return hash ^ hash >> 29;
}

/*
 * Numbers the methods that share class and name.  Two names of one hash would be
 * numbered together, which only shows a number that was not needed.
 */
static void
number_overloads(struct names *n)
{
	struct idmap newest = {0};
	uint32_t renamed = atomic_load_explicit(&n->trace->renamed, memory_order_acquire);
	uint32_t count =
	    atomic_load_explicit(&n->trace->methods_known, memory_order_acquire);
	uint32_t *ordinals = mem_zero(count, sizeof *ordinals);

	idmap_reserve(&newest, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct method *m = trace_method(n->trace, i);
		uint64_t key = hash_bytes(0xcbf29ce484222325u, capped(m->class_name));
		uint32_t before;

		if (!m->known)
			continue;
		key = hash_bytes(key, capped(m->name)) >> 1;
		before = idmap_get(&newest, key);
		if (before != IDMAP_NONE) {
			if (ordinals[before] == 0)
				ordinals[before] = 1;
			ordinals[i] = ordinals[before] + 1;
		}
		idmap_put(&newest, key, i);
	}
	idmap_release(&newest);
	mem_free(n->ordinals);
	n->ordinals = ordinals;
	n->ordinal_count = count;
	n->ordinal_renamed = renamed;
}

void
names_set_groups(struct names *n, const struct groups *groups)
{
	n->groups = groups;
}

struct str
names_package(struct names *n, uint32_t method)
{
	static const struct groups none;

	return groups_key(n->groups != NULL ? n->groups : &none, names_class(n, method));
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

struct name_fit
names_fit(struct names *n, uint32_t method, int columns, enum elision mode)
{
	struct name_parts parts = entry_of(n, method)->parts;

	/* Only methods that the file names can share one; most files name all at once. */
	if (n->ordinal_count !=
		atomic_load_explicit(&n->trace->methods_known, memory_order_acquire) ||
	    n->ordinal_renamed !=
		atomic_load_explicit(&n->trace->renamed, memory_order_acquire))
		number_overloads(n);
	parts.ordinal = method < n->ordinal_count ? n->ordinals[method] : 0;
	find_group(n, &parts);
	return elide_fit(&n->elide, &parts, columns, mode);
}

struct name_fit
names_fit_text(struct names *n, struct str full, int columns, enum elision mode)
{
	struct name_parts parts = {.full = names_clean(n, capped(full))};
	const char *sig = parts.full.n > 0 ? memchr(parts.full.p, '(', parts.full.n) : NULL;

	parts.name_end = (uint32_t)(sig != NULL ? (size_t)(sig - parts.full.p) : parts.full.n);
	parts.name_at = parts.name_end;
	while (parts.name_at > 0 && parts.full.p[parts.name_at - 1] != '.')
		parts.name_at--;
	return elide_fit(&n->elide, &parts, columns, mode);
}

struct name_fit
names_part(struct names *n, uint32_t method, int skip, int columns)
{
	return elide_part(&n->elide, names_full(n, method), skip, columns);
}

struct str
names_head(struct names *n, struct str text, int columns)
{
	return elide_head(&n->elide, text, columns);
}
