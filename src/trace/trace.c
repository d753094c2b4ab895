#include <config.h>

#include "trace/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct trace *
trace_new(const char *path)
{
	struct trace *t = mem_zero(1, sizeof(*t));
	size_t length = strlen(path) + 1;
	struct method *toplevel;

	t->path = mem_alloc(length);
	memcpy(t->path, path, length);
	t->methods = SEG_INIT(struct method);
	t->threads = SEG_INIT(struct thread);
	pthread_mutex_init(&t->lock, NULL);
	toplevel = seg_reserve(&t->methods);
	toplevel->name = STR("(toplevel)");
	toplevel->known = true;
	seg_commit(&t->methods);
	return t;
}

void
trace_free(struct trace *t)
{
	if (t == NULL)
		return;
	source_free(t->source);
	seg_release(&t->methods);
	seg_release(&t->threads);
	idmap_release(&t->method_ids);
	idmap_release(&t->thread_ids);
	idmap_release(&t->adopted_methods);
	idmap_release(&t->adopted_threads);
	mem_free(t->properties);
	mem_free(t->notes);
	arena_release(&t->arena);
	pthread_mutex_destroy(&t->lock);
	mem_free(t->path);
	mem_free(t);
}

void
trace_property_add(struct trace *t, struct str key, struct str value)
{
	MEM_GROW(t->properties, t->property_room, t->property_count + 1);
	t->properties[t->property_count++] = (struct property){key, value};
}

void
trace_note(struct trace *t, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	MEM_GROW(t->notes, t->note_room, t->note_count + 1);
	t->notes[t->note_count++] = arena_str(&t->arena, str_from(text));
}

struct method *
trace_method_add(struct trace *t, uint64_t id)
{
	struct method *m = t->methods.count <= METHOD_MAX ? seg_reserve(&t->methods) : NULL;

	if (m == NULL)
		return NULL;
	m->id = id;
	seg_commit(&t->methods);
	return m;
}

struct thread *
trace_thread_add(struct trace *t, uint32_t id)
{
	struct thread *th = seg_reserve(&t->threads);

	if (th == NULL)
		return NULL;
	th->id = id;
	seg_commit(&t->threads);
	return th;
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
trace_thread_adopt(struct trace *t, uint32_t id)
{
	uint32_t index;

	pthread_mutex_lock(&t->lock);
	index = idmap_get(&t->adopted_threads, id);
	if (index == IDMAP_NONE && trace_thread_add(t, id) != NULL) {
		index = t->threads.count - 1;
		idmap_put(&t->adopted_threads, id, index);
	}
	pthread_mutex_unlock(&t->lock);
	return index;
}

/* Byte `at` of the full name, or -1 behind its end. */
static int
name_byte(const struct method *m, size_t at)
{
	const struct str part[] = {m->class_name, STR("."), m->name, m->signature};

	for (size_t i = m->class_name.n > 0 ? 0 : 2; i < sizeof(part) / sizeof(part[0]); i++) {
		if (at < part[i].n)
			return (unsigned char)part[i].p[at];
		at -= part[i].n;
	}
	return -1;
}

int
method_compare(const struct method *a, const struct method *b)
{
	size_t at = 0;
	int left, right;

	/* Most methods that are compared share their class: begin behind it. */
	if (str_equal(a->class_name, b->class_name))
		at = a->class_name.n;
	do {
		left = name_byte(a, at);
		right = name_byte(b, at);
		at++;
	} while (left == right && left >= 0);
	if (left != right)
		return left - right;
	return a->known || b->known ? 0 : (a->id > b->id) - (a->id < b->id);
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

enum clock_id
trace_default_clock(const struct trace *t)
{
	return trace_has_clock(t, CLOCK_WALL) ? CLOCK_WALL : CLOCK_CPU;
}
