#include <config.h>

#include "base/mem.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	ARENA_BLOCK = 64 * 1024,
	TABLE_LARGE = 1 << 20, /* bytes: smaller ones are like any memory */
	HUGE_PAGE = 2 << 20,
};

struct arena_block {
	struct arena_block *next;
	size_t size;
	alignas(max_align_t) unsigned char bytes[];
};

void *
mem_alloc(size_t size)
{
	void *p = malloc(size > 0 ? size : 1);

	if (p == NULL)
		mem_exhausted(size);
	return p;
}

void *
mem_zero(size_t count, size_t size)
{
	void *p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);

	if (p == NULL)
		mem_exhausted(size > 0 && count > SIZE_MAX / size ? SIZE_MAX : count * size);
	return p;
}

void *
mem_zero_table(size_t count, size_t size)
{
	size_t bytes, room;
	void *p;

	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - HUGE_PAGE)
		mem_exhausted(SIZE_MAX);
	if (bytes < TABLE_LARGE)
		return mem_zero(count, size);
	room = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	p = aligned_alloc(HUGE_PAGE, room);
	if (p == NULL)
		mem_exhausted(room);
#ifdef MADV_HUGEPAGE
	(void)madvise(p, room, MADV_HUGEPAGE); /* best effort */
#endif
	return memset(p, 0, bytes);
}

void *
mem_dup(const void *items, size_t count, size_t size)
{
	void *copy = mem_resize(NULL, count > 0 ? count : 1, size);

	if (count > 0)
		memcpy(copy, items, count * size);
	return copy;
}

char *
mem_text(struct str text)
{
	char *copy = mem_alloc(text.n + 1);

	if (text.n > 0)
		memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	return copy;
}

void *
mem_resize(void *old, size_t count, size_t size)
{
	void *p;

	if (size > 0 && count > SIZE_MAX / size)
		mem_exhausted(SIZE_MAX);
	p = realloc(old, count * size > 0 ? count * size : 1);
	if (p == NULL)
		mem_exhausted(count * size);
	return p;
}

void
mem_free(void *p)
{
	free(p);
}

void *
mem_grow(void *items, size_t *room, size_t need, size_t size)
{
	size_t count = *room < 8 ? 8 : *room;

	while (count < need) {
		if (count > SIZE_MAX / 2)
			mem_exhausted(SIZE_MAX);
		count *= 2;
	}
	items = mem_resize(items, count, size);
	*room = count;
	return items;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct arena_block *block = a->blocks;
	size_t start = (a->used + align - 1) / align * align;

	if (block == NULL || size > block->size || start > block->size - size) {
		size_t room = size > ARENA_BLOCK ? size : ARENA_BLOCK;

		if (room > SIZE_MAX - sizeof(*block))
			mem_exhausted(size);
		block = mem_alloc(sizeof(*block) + room);
		block->size = room;
		block->next = a->blocks;
		a->blocks = block;
		a->total += room;
		start = 0;
	}
	a->used = start + size;
	return block->bytes + start;
}

struct str
arena_str(struct arena *a, struct str s)
{
	char *copy = arena_alloc(a, s.n);

	if (s.n > 0)
		memcpy(copy, s.p, s.n);
	return (struct str){copy, s.n};
}

void
arena_release(struct arena *a)
{
	while (a->blocks != NULL) {
		struct arena_block *block = a->blocks;

		a->blocks = block->next;
		mem_free(block);
	}
	*a = (struct arena){0};
}
