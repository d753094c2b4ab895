#include <config.h>

#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

enum {
	PART_BYTES = 1 << 22, /* at most, and over half of it */
	PART_ITEMS_LOG = 12,  /* at least: so parts are whole pages */
	MEMORY_PARTS = 4,
};

void
spool_init(struct spool *s, size_t item, const char *folder)
{
	*s = (struct spool){.how.folder = folder, .item = item, .shift = PART_ITEMS_LOG, .fd = -1};
	while (item << (s->shift + 1) <= PART_BYTES)
		s->shift++;
}

static size_t
part_bytes(const struct spool *s)
{
	return s->item << s->shift;
}

static bool
file_open(struct spool *s, struct err *e)
{
	struct tempfile file;

	if (!tempfile_begin(&file, &s->how, e))
		return false;
	s->fd = file.fd;
	return true;
}

/* The space is taken at once: a full disk must not show as a fault when writing. */
static void *
part_map(struct spool *s, struct err *e)
{
	size_t bytes = part_bytes(s);
	off_t at = (off_t)(s->part_count - MEMORY_PARTS) * (off_t)bytes;
	void *part;
	int error;

	if (s->fd < 0 && !file_open(s, e))
		return NULL;
	error = posix_fallocate(s->fd, at, (off_t)bytes);
	if (error == 0) {
		part = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, at);
		if (part != MAP_FAILED)
			return part;
		error = errno;
	}
	err_set(e, ERR_SYSTEM, "no space for temporary data in %.80s: %s",
	    s->how.folder, strerror(error));
	return NULL;
}

/* Keeps the parts used last; what is in others stays in the file. */
static void
part_use(struct spool *s, size_t part)
{
	size_t old;

	if (part < MEMORY_PARTS)
		return;
	for (int i = 0; i < SPOOL_RECENT; i++) {
		if (s->recent[i] == part + 1)
			return;
	}
	old = s->recent[s->next_recent];
	if (old > 0)
		madvise(s->parts[old - 1], part_bytes(s), MADV_DONTNEED);
	s->recent[s->next_recent] = part + 1;
	s->next_recent = (s->next_recent + 1) % SPOOL_RECENT;
}

bool
spool_part(struct spool *s, struct err *e)
{
	void *part = s->part_count < MEMORY_PARTS ? mem_zero(part_bytes(s), 1) : part_map(s, e);

	if (part == NULL)
		return false;
	MEM_GROW(s->parts, s->part_room, s->part_count + 1);
	s->parts[s->part_count++] = part;
	part_use(s, s->part_count - 1);
	s->next = part;
	s->end = s->next + part_bytes(s);
	return true;
}

void *
spool_at(struct spool *s, uint64_t index)
{
	part_use(s, (size_t)(index >> s->shift));
	return (void *)(uintptr_t)spool_peek(s, index);
}

void
spool_release(struct spool *s)
{
	for (size_t i = 0; i < s->part_count; i++) {
		if (i < MEMORY_PARTS)
			mem_free(s->parts[i]);
		else
			munmap(s->parts[i], part_bytes(s));
	}
	mem_free(s->parts);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct spool){.fd = -1};
}
