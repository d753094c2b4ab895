// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/conf.h"
#include "trace/log.h"
#include "trace/trace.h"

const char *const thread_kind_words[] = {
    [THREAD_TASK] = "thread", [THREAD_CORE] = "core", [THREAD_ASYNC] = "async"};

struct trace *
trace_new(const char *path)
{
	struct trace *t = mem_zero(1, sizeof(*t));
	struct method *toplevel;

	t->path = mem_text(str_from(path));
	t->methods = SEG_INIT(struct method);
	t->threads = SEG_INIT(struct thread);
	pthread_mutex_init(&t->lock, NULL);
	toplevel = seg_reserve(&t->methods);
	toplevel->name = STR("(toplevel)");
	toplevel->known = true;
	toplevel->word = "toplevel";
	seg_commit(&t->methods);
	t->method_before = METHOD_NONE;
	return t;
}

void
trace_free(struct trace *t)
{
	if (t == NULL)
		return;
	if (t->source != NULL)
		t->source->ops->free(t->source);
	log_free(t->log);
	while (t->renamer != NULL) {
		struct renamer *renamer = t->renamer;

		t->renamer = renamer->next;
		renamer->release(renamer);
	}
	seg_release(&t->methods);
	seg_release(&t->threads);
	idmap_release(&t->method_ids);
	idmap_release(&t->thread_ids);
	idmap_release(&t->adopted_methods);
	idmap_release(&t->adopted_threads);
	mem_free(t->properties);
	mem_free(t->thread_lines);
	mem_free(t->notes);
	intern_release(&t->folded_names);
	mem_free(t->folded_groups);
	mem_free(t->made);
	arena_release(&t->arena);
	pthread_mutex_destroy(&t->lock);
	for (int i = 0; i < 2; i++)
		filemark_release(&t->files[i]);
	mem_free(t->path);
	mem_free(t->name);
	mem_free(t);
}

void
trace_name(struct trace *t, const char *name)
{
	mem_free(t->name);
	t->name = mem_text(str_from(name));
}

const char *
trace_file(const struct trace *t)
{
	return t->name != NULL ? t->name : t->path;
}

struct str
trace_thread_key(const struct trace *t, const struct thread *thread)
{
	return str_equal(thread->name, str_from(path_base(t->path))) ? (struct str){"", 1} : thread->name;
}

const char *
trace_title(const struct trace *t)
{
	return t->name != NULL ? t->name : path_base(t->path);
}

enum filemark_now
trace_file_now(const struct trace *t)
{
	enum filemark_now file = filemark_ask(&t->files[0]), beside = filemark_ask(&t->files[1]);

	return file > beside ? file : beside;
}

void
trace_property_add(struct trace *t, struct str key, struct str value)
{
	*MEM_ADD(t->properties, t->property_count, t->property_room) = (struct property){key, value};
}

enum { RECORDED_MOST = 1 << 16 };

static void
fault_take(void *context, const struct conf_entry *entry)
{
	if (entry->fault != NULL)
		err_set(context, ERR_MALFORMED, "line %d: %s", entry->line, entry->fault);
}

void
trace_recorded_read(struct trace *t)
{
	struct sbuf path = {0};
	struct err e = {.kind = ERR_NONE};
	struct filemap map;
	struct stat st;

	sbuf_printf(&path, "%s.info", t->path);
	if (stat(sbuf_cstr(&path), &st) == 0 && filemap_open(&map, sbuf_cstr(&path), &e)) {
		struct str text = {(const char *)map.bytes, map.size};

		if (text.n > RECORDED_MOST)
			err_set(&e, ERR_LIMIT, "is too long");
		else
			conf_read(text, fault_take, &e);
		if (e.kind == ERR_NONE)
			t->recorded = arena_str(&t->arena, text);
		filemap_close(&map);
	}
	if (e.kind != ERR_NONE)
		trace_note(t, "%s is passed over: %s", path_base(sbuf_cstr(&path)), e.what);
	sbuf_release(&path);
}

void
trace_note(struct trace *t, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	*MEM_ADD(t->notes, t->note_count, t->note_room) = arena_str(&t->arena, str_from(text));
}

void
trace_note_count(struct trace *t, uint64_t count, const char *what)
{
	if (count > 0)
		trace_note(t, "%" PRIu64 " %s", count, what);
}

/* Room for one more row; NULL: the table is full or closed. */
static struct method *
method_reserve(struct trace *t)
{
	return t->methods.count <= METHOD_MAX && !t->closed ? seg_reserve(&t->methods) : NULL;
}

static struct thread *
thread_reserve(struct trace *t)
{
	return t->closed ? NULL : seg_reserve(&t->threads);
}

struct method *
trace_method_add(struct trace *t, uint64_t id)
{
	struct method *m = method_reserve(t);

	if (m == NULL)
		return NULL;
	m->id = id;
	seg_commit(&t->methods);
	return m;
}

struct thread *
trace_thread_add(struct trace *t, uint32_t id)
{
	struct thread *th = thread_reserve(t);

	if (th == NULL)
		return NULL;
	th->id = id;
	seg_commit(&t->threads);
	return th;
}

uint32_t
trace_method_foreign(struct trace *t, const struct method *from)
{
	uint32_t index = METHOD_NONE;
	struct method *m;

	pthread_mutex_lock(&t->lock);
	m = t->methods.count <= METHOD_MAX ? seg_reserve(&t->methods) : NULL;
	if (m != NULL) {
		*m = (struct method){.id = from->id, .class_name = arena_str(&t->arena, from->class_name),
		    .name = arena_str(&t->arena, from->name),
		    .signature = arena_str(&t->arena, from->signature),
		    .file = arena_str(&t->arena, from->file),
		    .line = from->line, .known = from->known, .async = from->async};
		index = seg_commit(&t->methods);
	}
	pthread_mutex_unlock(&t->lock);
	return index;
}

uint32_t
trace_method_adopt(struct trace *t, uint64_t id)
{
	uint32_t index;

	pthread_mutex_lock(&t->lock);
	index = idmap_get(&t->adopted_methods, id);
	if (index == IDMAP_NONE && trace_method_add(t, id) != NULL) {
		index = t->methods.count - 1;
		idmap_put(&t->adopted_methods, id, index);
	}
	pthread_mutex_unlock(&t->lock);
	return index;
}

uint32_t
trace_method_made(struct trace *t, struct str name)
{
	uint32_t index = METHOD_NONE;
	struct method *m;
	char *word;

	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < t->made_count && index == METHOD_NONE; i++)
		if (str_equal(((struct method *)seg_at(&t->methods, t->made[i]))->name, name))
			index = t->made[i];
	m = index == METHOD_NONE && t->methods.count <= METHOD_MAX ? seg_reserve(&t->methods)
								   : NULL;
	if (m != NULL) {
		m->name = arena_str(&t->arena, name);
		/* As with the others: (NAME) is NAME where an id is expected. */
		if (name.n > 2 && name.p[0] == '(' && name.p[name.n - 1] == ')')
			name = (struct str){name.p + 1, name.n - 2};
		word = arena_alloc(&t->arena, name.n + 1);
		memcpy(word, name.p, name.n);
		word[name.n] = '\0';
		m->word = word;
		m->known = true;
		index = seg_commit(&t->methods);
		*MEM_ADD(t->made, t->made_count, t->made_room) = index;
	}
	pthread_mutex_unlock(&t->lock);
	return index;
}

uint32_t
trace_thread_adopt(struct trace *t, uint32_t id)
{
	uint32_t index;

	pthread_mutex_lock(&t->lock);
	index = idmap_get(&t->adopted_threads, id);
	if (index == IDMAP_NONE && trace_thread_add(t, id) != NULL) {
		index = t->threads.count - 1;
		idmap_put(&t->adopted_threads, id, index);
	}
	if (index == IDMAP_NONE && t->closed && t->threads.count > 0)
		index = 0; /* of a file that changed no figure holds */
	pthread_mutex_unlock(&t->lock);
	return index;
}

enum { RENAMES_MAX = 1 << 16 }; /* of rows that had a name */

static bool
method_same(const struct method *a, const struct method *b)
{
	return a->known == b->known && a->id == b->id && a->line == b->line &&
	    str_equal(a->class_name, b->class_name) && str_equal(a->name, b->name) &&
	    str_equal(a->signature, b->signature) && str_equal(a->file, b->file);
}

/* Keeps the file's names of a row, which may be on the stack. */
static void
method_keep_was(struct trace *t, struct method *m)
{
	struct method_was *was;

	if (m->was == NULL)
		return;
	was = arena_alloc(&t->arena, sizeof(*was));
	*was = *m->was;
	m->was = was;
}

/* The row of an id, named or adopted; the caller holds the lock. */
static uint32_t
row_of(const struct idmap *named, const struct idmap *adopted, uint64_t key, uint64_t id)
{
	uint32_t index = idmap_get(named, key);

	return index != IDMAP_NONE ? index : idmap_get(adopted, id);
}

struct str
trace_copy(struct trace *t, struct str text)
{
	pthread_mutex_lock(&t->lock);
	text = arena_str(&t->arena, text);
	pthread_mutex_unlock(&t->lock);
	return text;
}

struct str
trace_print(struct trace *t, const char *format, ...)
{
	struct sbuf text = {0};
	struct str kept;
	va_list args;

	va_start(args, format);
	sbuf_vprintf(&text, format, args);
	va_end(args);
	sbuf_char(&text, '\0');
	kept = trace_copy(t, sbuf_view(&text));
	sbuf_release(&text);
	return str_head(kept, kept.n - 1);
}

struct str
trace_keep(struct trace *t, struct str name)
{
	enum { NAME_MOST = 1024, KEEP_MOST = 32 << 20 };

	if (name.n > NAME_MOST)
		return name;
	pthread_mutex_lock(&t->lock);
	if (t->kept <= KEEP_MOST) {
		t->kept += name.n;
		name = arena_str(&t->arena, name);
	}
	pthread_mutex_unlock(&t->lock);
	return name;
}

/* Lets renamers change the names; `was` keeps those of the file if one does. */
static void
method_rename(struct renamer *renamer, struct method *m, struct method_was *was)
{
	const struct method_was *before = m->was;

	*was = before != NULL ? *before
	    : (struct method_was){m->class_name, m->name, m->signature, 0};
	for (; renamer != NULL; renamer = renamer->next) {
		struct str class_name = m->class_name, name = m->name, signature = m->signature;

		renamer->rename(renamer, m);
		if (!str_equal(class_name, m->class_name) || !str_equal(name, m->name) ||
		    !str_equal(signature, m->signature))
			was->by |= renamer->by;
	}
	if (was->by != 0)
		m->was = was;
}

static void
method_replace(struct trace *t, uint32_t index, const struct method *from)
{
	struct method *row = seg_at(&t->methods, index);
	struct method *m = arena_alloc(&t->arena, sizeof(*m));

	*m = *from;
	method_keep_was(t, m);
	atomic_store_explicit(&row->later, m, memory_order_release);
	atomic_fetch_add_explicit(&t->renamed, 1, memory_order_release);
}

uint32_t
trace_method_define(struct trace *t, uint64_t key, const struct method *stated,
    bool *was_unknown)
{
	struct method named = {.id = stated->id, .class_name = stated->class_name,
	    .name = stated->name, .signature = stated->signature, .file = stated->file,
	    .line = stated->line, .known = true, .async = stated->async, .was = stated->was};
	struct method_was was;
	struct method *m;
	bool unknown = false;
	uint32_t index;

	pthread_mutex_lock(&t->lock);
	method_rename(t->renamer, &named, &was);
	index = row_of(&t->method_ids, &t->adopted_methods, key, named.id);
	if (index == IDMAP_NONE) {
		m = method_reserve(t);
		if (m != NULL) {
			*m = named;
			method_keep_was(t, m);
			index = seg_commit(&t->methods);
			idmap_put(&t->method_ids, key, index);
		}
	} else if (!trace_method(t, index)->known) {
		unknown = true;
		method_replace(t, index, &named);
		idmap_put(&t->method_ids, key, index);
	} else if (!method_same(trace_method(t, index), &named) && t->renamed < RENAMES_MAX) {
		method_replace(t, index, &named);
	}
	if (index != IDMAP_NONE && index >= t->methods_known)
		atomic_store_explicit(&t->methods_known, index + 1, memory_order_release);
	pthread_mutex_unlock(&t->lock);
	if (was_unknown != NULL)
		*was_unknown = unknown;
	return index;
}

static void
thread_replace(struct trace *t, uint32_t index, struct thread now)
{
	struct thread *row = seg_at(&t->threads, index), *th = arena_alloc(&t->arena, sizeof(*th));

	*th = now;
	atomic_store_explicit(&row->later, th, memory_order_release);
	atomic_fetch_add_explicit(&t->renamed, 1, memory_order_release);
}

uint32_t
trace_thread_define(struct trace *t, uint32_t id, struct str name, bool *was_unknown)
{
	struct thread stated = {.id = id, .name = name, .listed = true};
	const struct thread *now;
	struct thread *th;
	bool unknown = false;
	uint32_t index;

	pthread_mutex_lock(&t->lock);
	index = row_of(&t->thread_ids, &t->adopted_threads, id, id);
	now = index != IDMAP_NONE ? trace_thread(t, index) : NULL;
	if (now == NULL) {
		th = thread_reserve(t);
		if (th != NULL) {
			*th = stated;
			index = seg_commit(&t->threads);
			idmap_put(&t->thread_ids, id, index);
			t->threads_listed++;
		}
	} else {
		stated.id = now->id;
		stated.was = now->name;
		if (!now->listed) {
			unknown = true;
			thread_replace(t, index, stated);
			idmap_put(&t->thread_ids, id, index);
			t->threads_listed++;
		} else if (!str_equal(now->name, name) && !str_equal(now->was, name) &&
		    t->renamed < RENAMES_MAX) {
			thread_replace(t, index, stated);
		}
	}
	pthread_mutex_unlock(&t->lock);
	if (was_unknown != NULL)
		*was_unknown = unknown;
	return index;
}

uint32_t
trace_thread_append(struct trace *t, const struct thread *from)
{
	uint32_t index = THREAD_NONE;

	pthread_mutex_lock(&t->lock);
	if (seg_add(&t->threads, from)) {
		index = t->threads.count - 1;
		t->threads_listed++;
	}
	pthread_mutex_unlock(&t->lock);
	return index;
}

void
trace_thread_update(struct trace *t, uint32_t index, const struct thread *from)
{
	pthread_mutex_lock(&t->lock);
	if (t->renamed < RENAMES_MAX)
		thread_replace(t, index, *from);
	pthread_mutex_unlock(&t->lock);
}

struct str
trace_property(const struct trace *t, const char *key)
{
	for (size_t i = t->property_count; i-- > 0;) {
		if (str_equal(t->properties[i].key, str_from(key)))
			return t->properties[i].value;
	}
	return (struct str){NULL, 0};
}

uint32_t
trace_methods_named(const struct trace *t)
{
	uint32_t count = trace_method_count(t), named = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct method *m = trace_method(t, i);

		named += m->known && m->word == NULL;
	}
	return named;
}

/* Unix time of 1985; what counts from the boot does not get there. */
#define UNIX_TIME_US UINT64_C(500000000000000)

bool
trace_start_is_date(const struct trace *t)
{
	/* Dalvik: gettimeofday, also where that was never set. */
	return str_equal(trace_property(t, "vm"), STR("dalvik")) || t->start_us >= UNIX_TIME_US;
}

/* C libraries write years of more than four digits in their own ways; and time_t may end. */
bool
trace_start_date(const struct trace *t, char between, char out[static TRACE_DATE])
{
	enum { YEARS_400 = 146097, MARCH = 719468 }; /* days; those from March of year 0 to 1970 */
	uint64_t day = t->start_us / UINT64_C(86400000000) + MARCH;
	unsigned us = (unsigned)(t->start_us % 1000000);
	unsigned second = (unsigned)(t->start_us / 1000000 % 86400);
	unsigned era = (unsigned)(day / YEARS_400), rest = (unsigned)(day % YEARS_400);
	/* Years begin in March, so that a leap day ends one; five months have 153 days. */
	unsigned year = (rest - rest / 1460 + rest / 36524 - rest / 146096) / 365;
	unsigned in_year = rest - (365 * year + year / 4 - year / 100);
	unsigned month = (5 * in_year + 2) / 153;

	snprintf(out, TRACE_DATE, "%04u-%02u-%02u%c%02u:%02u:%02u.%06u",
	    era * 400 + year + (month >= 10), month < 10 ? month + 3 : month - 9,
	    in_year - (153 * month + 2) / 5 + 1, between, second / 3600, second / 60 % 60,
	    second % 60, us);
	return trace_start_is_date(t);
}

enum clock_id
trace_busy_clock(const struct trace *t)
{
	return trace_has_clock(t, CLOCK_CPU) ? CLOCK_CPU : CLOCK_WALL;
}

enum clock_id
trace_default_clock(const struct trace *t)
{
	return trace_has_clock(t, CLOCK_WALL) ? CLOCK_WALL : CLOCK_CPU;
}

/* Methods by their names: in order, written, and called by others ----------------- */

/* Bytes of a class, name or signature; the rest of longer ones, in hostile files, is ignored. */
enum { PART_MAX = 8192 };

enum { NAME_PARTS = 4 };

/* Puts the parts of the full name there, empty ones too. */
static void
name_parts(const struct method *m, struct str part[static NAME_PARTS])
{
	part[0] = m->class_name;
	part[1] = m->class_name.n > 0 ? STR(".") : STR("");
	part[2] = m->name;
	part[3] = m->signature;
}

/* Moves on to the next part that is not empty, if there is one. */
static int
part_next(const struct str *part, int i)
{
	while (i < NAME_PARTS && part[i].n == 0)
		i++;
	return i;
}

int
method_compare(const struct method *a, const struct method *b)
{
	struct str left[NAME_PARTS], right[NAME_PARTS];
	int i, j;

	name_parts(a, left);
	name_parts(b, right);
	for (i = part_next(left, 0), j = part_next(right, 0); i < NAME_PARTS && j < NAME_PARTS;
	    i = part_next(left, i), j = part_next(right, j)) {
		size_t n = left[i].n < right[j].n ? left[i].n : right[j].n;
		int order = memcmp(left[i].p, right[j].p, n);

		if (order != 0)
			return order;
		left[i] = (struct str){left[i].p + n, left[i].n - n};
		right[j] = (struct str){right[j].p + n, right[j].n - n};
	}
	if (i < NAME_PARTS || j < NAME_PARTS)
		return i < NAME_PARTS ? 1 : -1;
	return a->known || b->known ? 0 : (a->id > b->id) - (a->id < b->id);
}

static void
put_part(struct sbuf *out, struct str part)
{
	if (part.n > 0)
		sbuf_bytes(out, part.p, part.n < PART_MAX ? part.n : PART_MAX);
}

struct name_place
method_full_name(struct sbuf *out, const struct method *m)
{
	size_t from = out->n;
	struct name_place place;

	if (!m->known) {
		sbuf_printf(out, "0x%" PRIx64 " (proxy?)", m->id);
		return (struct name_place){0, out->n - from};
	}
	put_part(out, m->class_name);
	/* Dalvik writes java/lang/Enum. */
	for (size_t i = from; i < out->n; i++)
		if (out->p[i] == '/')
			out->p[i] = '.';
	if (m->class_name.n > 0 && m->name.n > 0)
		sbuf_char(out, '.');
	place.from = m->name.n > 0 ? out->n - from : 0;
	put_part(out, m->name);
	place.to = out->n - from;
	put_part(out, m->signature);
	if (out->n == from) { /* the file names it, with nothing */
		sbuf_printf(out, "0x%" PRIx64 " (no name)", m->id);
		place.to = out->n - from;
	}
	return place;
}

void
trace_rename(struct trace *t, struct renamer *renamer)
{
	struct renamer **last = &t->renamer;

	while (*last != NULL)
		last = &(*last)->next;
	*last = renamer;
	for (uint32_t i = METHOD_TOPLEVEL + 1; i < trace_method_count(t); i++) {
		struct method *row = seg_at(&t->methods, i);
		struct method *later = atomic_load_explicit(&row->later, memory_order_acquire);
		struct method *m = later != NULL ? later : row;

		if (m->known && m->word == NULL) {
			struct method_was was;

			method_rename(renamer, m, &was);
			method_keep_was(t, m);
		}
	}
}

/* Records of a layout --------------------------------------------------------------- */

static inline __attribute__((always_inline)) void
decode(const struct trace *t, const struct record_layout *l, const uint8_t *p, struct batch *b,
    struct damage *damage)
{
	struct source *source = t->source;
	uint64_t offset = b->offset;

	for (uint32_t i = 0; i < b->count; i++, p += l->size, offset += l->size) {
		struct event *ev = &b->ev[i];
		uint32_t id = record_thread(l, p), word = record_word(l, p);
		uint32_t method = record_method(l, word, &t->method_ids);
		uint32_t thread = idmap_get(&t->thread_ids, id);

		if (__builtin_expect(method == IDMAP_NONE, 0))
			method = source->ops->method_unknown(source, word, damage, offset);
		if (__builtin_expect(thread == IDMAP_NONE, 0))
			thread = source->ops->thread_unknown(source, id, 1, damage, offset);
		ev->thread = thread;
		ev->word = method << 2 | (word & 3);
		pair64_store(ev->time, record_times(l, p));
	}
}

void
records_decode(const struct trace *t, const struct record_layout *l, const uint8_t *records,
    struct batch *b, struct damage *damage)
{
	if (record_is_dual(l))
		decode(t, &record_dual, records, b, damage);
	else
		decode(t, l, records, b, damage);
}

bool
trace_is_beside(const struct trace *t, uint32_t main_thread, uint32_t thread)
{
	uint32_t process = main_thread < trace_thread_count(t)
	    ? trace_thread(t, main_thread)->process : 0;

	return process != 0 && trace_thread(t, thread)->process == process &&
	    trace_thread(t, thread)->kind == THREAD_TASK;
}

uint32_t
trace_main_thread(const struct trace *t)
{
	uint32_t named = THREAD_NONE;

	if (t->log != NULL)
		return log_main_thread(t);
	for (uint32_t i = trace_thread_count(t); i-- > 0;) {
		const struct thread *thread = trace_thread(t, i);

		if (t->pid != 0 && thread->id == t->pid)
			return i;
		if (str_equal(thread->name, STR("main")))
			named = i;
	}
	return named;
}
