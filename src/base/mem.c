// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/mem.h"
#include "base/worker.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum {
	ARENA_BLOCK = 64 * 1024,
	LARGE = 1 << 20, /* bytes: smaller ones are like any memory */
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

static size_t
round_up(size_t bytes)
{
	return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

void *
mem_zero_table(size_t count, size_t size)
{
	size_t bytes, room;
	void *p;

	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - HUGE_PAGE)
		mem_exhausted(SIZE_MAX);
	if (bytes < LARGE)
		return mem_zero(count, size);
	room = round_up(bytes);
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

void
mem_sort(void *items, size_t count, size_t size, int (*order)(const void *, const void *))
{
	if (count > 1)
		qsort(items, count, size, order);
}

int
mem_order_leading(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return ORDER(*a, *b);
}

size_t
mem_before(const void *items, size_t count, size_t size, const void *key,
    int (*order)(const void *, const void *))
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (order((const char *)items + middle * size, key) < 0)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
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
mem_clear(void *item, size_t size)
{
	memset(item, 0, size);
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
mem_grow_zero(void *items, size_t *room, size_t need, size_t size)
{
	size_t before = *room;

	items = mem_grow(items, room, need, size);
	memset((char *)items + before * size, 0, (*room - before) * size);
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

/* Items that never move ------------------------------------------------------------- */

void *
seg_reserve(struct seg *s)
{
	uint64_t place = (uint64_t)s->count + (1u << SEG_FIRST_BITS);
	int part = 63 - __builtin_clzll(place) - SEG_FIRST_BITS;

	if (part >= SEG_MAX)
		return NULL;
	if (s->part[part] == NULL)
		s->part[part] = mem_zero_table((size_t)1 << (part + SEG_FIRST_BITS), s->item);
	return seg_at(s, s->count);
}

uint32_t
seg_commit(struct seg *s)
{
	uint32_t index = s->count;

	__atomic_store_n(&s->count, index + 1, __ATOMIC_RELEASE);
	return index;
}

bool
seg_add(struct seg *s, const void *item)
{
	void *place = seg_reserve(s);

	if (place == NULL)
		return false;
	memcpy(place, item, s->item);
	(void)seg_commit(s);
	return true;
}

void
seg_cut(struct seg *s, uint32_t count)
{
	__atomic_store_n(&s->count, count, __ATOMIC_RELEASE);
}

void
seg_release(struct seg *s)
{
	for (int i = 0; i < SEG_MAX; i++)
		mem_free(s->part[i]);
	*s = (struct seg){.item = s->item};
}

/* Large arrays ---------------------------------------------------------------------- */

#define KEEP ((size_t)512 << 20) /* addresses, at least */

/* Some systems reserve nothing anyhow. */
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* Addresses without memory, at the border of a huge page. */
static void *
addresses_keep(size_t bytes)
{
	unsigned char *at = mmap(NULL, bytes + HUGE_PAGE, PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t before;

	if (at == MAP_FAILED)
		return NULL;
	before = round_up((uintptr_t)at) - (uintptr_t)at;
	if (before > 0)
		munmap(at, before);
	munmap(at + before + bytes, HUGE_PAGE - before);
	return at + before;
}

static void
old_release(struct vast *v)
{
	if (v->mapped > 0)
		munmap(v->items, v->mapped);
	else
		mem_free(v->items);
}

static bool
vast_extend(struct vast *v, size_t bytes)
{
	size_t writable = round_up(bytes);

	if (writable <= v->writable)
		return true;
	if (mprotect((unsigned char *)v->items + v->writable, writable - v->writable,
		PROT_READ | PROT_WRITE) != 0)
		return false;
	v->writable = writable;
	return true;
}

/* True if the address space is limited (ulimit -v). */
static bool
addresses_rationed(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/*
 * Reserves four times what is asked for, so that the next move comes only after as much
 * growth.
 */
static void
vast_move(struct vast *v, size_t bytes)
{
	struct vast to = {.mapped = bytes < KEEP / 4 ? KEEP : round_up(bytes) * 4};

	if (addresses_rationed())
		to.mapped = round_up(bytes + bytes / 2);
	to.items = addresses_keep(to.mapped);
	if (to.items == NULL || !vast_extend(&to, bytes))
		mem_exhausted(bytes);
#ifdef MADV_HUGEPAGE
	(void)madvise(to.items, to.mapped, MADV_HUGEPAGE); /* best effort */
#endif
	if (v->used > 0)
		memcpy(to.items, v->items, v->used < bytes ? v->used : bytes);
	old_release(v);
	*v = to;
}

void *
vast_resize(struct vast *v, size_t count, size_t size)
{
	size_t bytes = count * size;

	if (size > 0 && count > SIZE_MAX / 8 / size)
		mem_exhausted(SIZE_MAX);
	if (v->mapped == 0 && bytes < LARGE)
		v->items = mem_resize(v->items, count, size);
	else if (bytes > v->mapped)
		vast_move(v, bytes);
	else if (!vast_extend(v, bytes))
		mem_exhausted(bytes);
	v->used = bytes;
	return v->items;
}

bool
vast_stays(const struct vast *v, size_t bytes)
{
	return bytes <= v->mapped;
}

void
vast_release(struct vast *v)
{
	old_release(v);
	*v = (struct vast){0};
}

/* Sorting --------------------------------------------------------------------------- */

/* Items compared between two looks at what cancels a sort; fewer are sorted without one. */
enum { CANCEL_ITEMS = 4096 };

struct sorting {
	msort_order *order;
	const void *context;
	const atomic_bool *cancel;
	void **spare;
};

static void
halves_merge(void **items, size_t n, const struct sorting *s)
{
	size_t half = n / 2, a = 0, b = half, to = 0;
	void **spare = s->spare;

	if (n < 2 || (n >= CANCEL_ITEMS && is_cancelled(s->cancel)))
		return;
	halves_merge(items, half, s);
	halves_merge(items + half, n - half, s);
	while (a < half && b < n) {
		if (n >= CANCEL_ITEMS && to % CANCEL_ITEMS == 0 && is_cancelled(s->cancel))
			return;
		spare[to++] = s->order(items[a], items[b], s->context) <= 0 ? items[a++]
									    : items[b++];
	}
	/* The rest of the second half is in its place already. */
	memcpy(spare + to, items + a, (half - a) * sizeof(*items));
	memcpy(items, spare, b * sizeof(*items));
}

static void
sort(void **items, size_t n, struct sorting s)
{
	s.spare = mem_alloc((n + 1) * sizeof(*s.spare));
	halves_merge(items, n, &s);
	mem_free(s.spare);
}

void
msort(void **items, size_t n, msort_order *order, const void *context)
{
	sort(items, n, (struct sorting){.order = order, .context = context});
}

void
msort_items(void *items, size_t n, size_t size, msort_order *order, const void *context)
{
	msort_items_until(items, n, size, order, context, NULL);
}

void
msort_items_until(void *items, size_t n, size_t size, msort_order *order, const void *context,
    const atomic_bool *cancel)
{
	unsigned char *old = mem_dup(items, n, size), *to = items;
	void **sorted = mem_alloc((n + 1) * sizeof(*sorted));

	for (size_t i = 0; i < n; i++)
		sorted[i] = old + i * size;
	sort(sorted, n, (struct sorting){order, context, cancel, NULL});
	for (size_t i = 0; i < n; i++)
		memcpy(to + i * size, sorted[i], size);
	mem_free(sorted);
	mem_free(old);
}
