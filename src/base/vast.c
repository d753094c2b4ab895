#include <config.h>

#include "base/vast.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/mem.h"

#define LARGE     ((size_t)1 << 20) /* from here on an array is mapped */
#define HUGE_PAGE ((size_t)2 << 20)
#define KEEP      ((size_t)512 << 20) /* addresses, at least */

static size_t
round_up(size_t bytes)
{
	return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

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

/* Somebody may have said how much address space there is (ulimit -v). */
static bool
addresses_rationed(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* Four times what is asked for: it is moved a second time only when it grew as much. */
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
