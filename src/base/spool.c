// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/worker.h"

/* Temporary files ------------------------------------------------------------------- */

enum { COPY_BYTES = 1 << 18 };

static const char *
tempfile_folder(const struct tempfile_how *how)
{
	return how->folder != NULL && how->folder[0] != '\0' ? how->folder : "/tmp";
}

static bool
tempfile_failed(const struct tempfile *s, const char *what, struct err *e)
{
	return err_because(e, errno, "%s a temporary file in %.80s: %s (TMPDIR says where)", what,
	    tempfile_folder(s->how), strerror(errno));
}

/* Makes a file that has a name for a moment only; returns its descriptor, or -1. */
static int
make_and_unlink(const char *folder)
{
	static const char name[] = "/slowtop.XXXXXX";
	size_t length = strlen(folder);
	char *path = mem_alloc(length + sizeof(name));
	int fd;

	memcpy(path, folder, length);
	memcpy(path + length, name, sizeof(name));
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	mem_free(path);
	return fd;
}

int
memfile_make(void)
{
#if HAVE_DECL_MEMFD_CREATE
	return memfd_create("slowtop", MFD_CLOEXEC);
#else
	return make_and_unlink("/tmp");
#endif
}

bool
tempfile_begin(struct tempfile *s, const struct tempfile_how *how, struct err *e)
{
	*s = (struct tempfile){.fd = -1, .how = how};
	s->fd = make_and_unlink(tempfile_folder(s->how));
	if (s->fd < 0 && tempfile_folder(s->how) != s->how->folder) {
		int why = errno;

		s->fd = memfile_make();
		errno = why;
	}
	return s->fd >= 0 || tempfile_failed(s, "cannot make", e);
}

/* Asked now and then, so that small data are not refused. */
static bool
tempfile_spares(const struct tempfile *s, size_t size, struct err *e)
{
	struct statvfs fs;

	if (s->size / TEMPFILE_SPARE == (s->size + size) / TEMPFILE_SPARE ||
	    fstatvfs(s->fd, &fs) != 0 || fs.f_blocks == 0 || fs.f_bavail * fs.f_frsize >= TEMPFILE_SPARE)
		return true;
	errno = ENOSPC;
	return tempfile_failed(s, "cannot write", e);
}

bool
tempfile_write(struct tempfile *s, const void *bytes, size_t size, struct err *e)
{
	const char *at = bytes;

	if (!tempfile_spares(s, size, e))
		return false;
	while (size > 0) {
		ssize_t n = write(s->fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return tempfile_failed(s, "cannot write", e);
		at += n;
		size -= (size_t)n;
		s->size += (uint64_t)n;
	}
	return true;
}

bool
tempfile_copy(struct tempfile *s, int fd, uint64_t most, struct err *e)
{
	char *buffer = mem_alloc(COPY_BYTES);
	bool ok = true;

	while (ok && s->size < most) {
		ssize_t n;

		if (is_cancelled(s->how->cancel)) {
			ok = err_set(e, ERR_CANCELLED, "interrupted while reading");
			break;
		}
		n = read(fd, buffer, COPY_BYTES);
		if (n == 0)
			break;
		if (n > 0)
			ok = tempfile_write(s, buffer, (size_t)n, e);
		else if (errno != EINTR)
			ok = err_system(e, "cannot read");
	}
	mem_free(buffer);
	return ok;
}

size_t
tempfile_head(const struct tempfile *s, void *head, size_t size)
{
	ssize_t n = pread(s->fd, head, size, 0);

	return n > 0 ? (size_t)n : 0;
}

bool
tempfile_map(struct tempfile *s, struct filemap *map, struct err *e)
{
	bool ok = filemap_open_fd(map, s->fd, false, e);

	tempfile_drop(s);
	return ok;
}

void
tempfile_drop(struct tempfile *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

bool
tempfile_rewind(struct tempfile *s, struct err *e)
{
	return lseek(s->fd, 0, SEEK_SET) == 0 || err_system(e, "temporary file");
}

/* Items ----------------------------------------------------------------------------- */

enum {
	MEMORY_BYTES = 1 << 24, /* at most, and over half of it */
#ifdef __SANITIZE_ADDRESS__
	/* A sanitizer's notes about a large part cost more than the few items of most tests. */
	MEMORY_PARTS = 64,
	PART_ITEMS_LOG = 10,
#else
	MEMORY_PARTS = 4,
	PART_ITEMS_LOG = 12,  /* at least: so parts are whole pages; and cleared at a time */
#endif
	PART_BYTES = MEMORY_BYTES / MEMORY_PARTS,
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
no_space(const struct spool *s, int error, struct err *e)
{
	return err_because(e, error,
	    "no space for temporary data in %.80s: %s (TMPDIR says where)",
	    tempfile_folder(&s->how), strerror(error));
}

static off_t
part_place(const struct spool *s, size_t part)
{
	return (off_t)(part - MEMORY_PARTS) * (off_t)part_bytes(s);
}

/* Keeps the last part in memory while it is filled. */
static void *
part_fill(struct spool *s, struct err *e)
{
	struct tempfile file = {.fd = s->fd};

	if (s->fd < 0 && !tempfile_begin(&file, &s->how, e))
		return NULL;
	s->fd = file.fd;
	if (s->filling == NULL)
		s->filling = mem_alloc(part_bytes(s));
	return s->filling;
}

/* True if a part is mapped from the file. */
static bool
part_mapped(const struct spool *s, size_t part)
{
	return part >= MEMORY_PARTS && s->parts[part] != s->filling;
}

/*
 * Brings the last part, which is full, to the file and maps it there.  Writing it at once
 * costs a fifth of what a mapping does that is filled page by page.
 */
static bool
part_close(struct spool *s, struct err *e)
{
	size_t part = s->part_count - 1, done = 0;
	void *mapped;

	if (s->part_count <= MEMORY_PARTS || s->parts[part] != s->filling)
		return true;
	while (done < part_bytes(s)) {
		ssize_t n = pwrite(s->fd, s->filling + done, part_bytes(s) - done,
		    part_place(s, part) + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return no_space(s, n < 0 ? errno : EIO, e);
		done += (size_t)n;
	}
	mapped = mmap(NULL, part_bytes(s), PROT_READ | PROT_WRITE, MAP_SHARED, s->fd,
	    part_place(s, part));
	if (mapped == MAP_FAILED)
		return no_space(s, errno, e);
	s->parts[part] = mapped;
	/* Reading a few items just after they came may have mapped much of the part before. */
	if (part_mapped(s, part - 1))
		madvise(s->parts[part - 1], part_bytes(s), MADV_DONTNEED);
	return true;
}

/* Keeps the parts used last; what is in others stays in the file. */
static void
part_use(struct spool *s, size_t part)
{
	size_t old;

	if (!part_mapped(s, part))
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

static bool
part_begin(struct spool *s, struct err *e)
{
	void *part;

	if (!part_close(s, e))
		return false;
	part = s->part_count < MEMORY_PARTS ? mem_alloc(part_bytes(s)) : part_fill(s, e);
	if (part == NULL)
		return false;
	*MEM_ADD(s->parts, s->part_count, s->part_room) = part;
	s->next = s->end = part;
	return true;
}

/* A piece at a time: a short log has several spools, and a few items in each. */
bool
spool_more(struct spool *s, struct err *e)
{
	size_t piece = s->item << PART_ITEMS_LOG;

	/* There may be room after the items that are cleared. */
	if ((s->part_count == 0 || s->end == (char *)s->parts[s->part_count - 1] + part_bytes(s)) &&
	    !part_begin(s, e))
		return false;
	memset(s->end, 0, piece);
	s->end += piece;
	return true;
}

void *
spool_append(struct spool *s, size_t count, uint64_t *first, struct err *e)
{
	const size_t part = (size_t)1 << s->shift, left = part - (s->count & (part - 1));
	char *items;

	if (count > left) {
		memset(s->end, 0, left * s->item - (size_t)(s->end - s->next));
		s->next = s->end = s->next + left * s->item;
		s->count += left;
	}
	while ((size_t)(s->end - s->next) < count * s->item) {
		if (!spool_more(s, e))
			return NULL;
	}
	*first = s->count;
	items = s->next;
	s->next += count * s->item;
	s->count += count;
	return items;
}

void *
spool_at(struct spool *s, uint64_t index)
{
	part_use(s, (size_t)(index >> s->shift));
	return (void *)(uintptr_t)spool_peek(s, index);
}

/* Gives back the last part's memory; the file keeps its room. */
static void
part_drop(struct spool *s)
{
	size_t part = --s->part_count;

	for (int i = 0; i < SPOOL_RECENT; i++)
		if (s->recent[i] == part + 1)
			s->recent[i] = 0;
	if (part_mapped(s, part))
		munmap(s->parts[part], part_bytes(s));
	else if (part < MEMORY_PARTS)
		mem_free(s->parts[part]);
}

void
spool_cut(struct spool *s, uint64_t count)
{
	uint64_t first = count >> s->shift;
	char *end = s->next;

	if (count >= s->count)
		return;
	while (s->part_count > first + 1) {
		part_drop(s);
		end = (char *)s->parts[s->part_count - 1] + part_bytes(s);
		s->end = end;
	}
	s->next = (char *)s->parts[first] + (count & ((UINT64_C(1) << s->shift) - 1)) * s->item;
	memset(s->next, 0, (size_t)(end - s->next));
	s->count = count;
}

void
spool_forget(struct spool *s, uint64_t count)
{
	size_t first = (size_t)((count < s->count ? count : s->count) >> s->shift);

	if (s->forgotten < MEMORY_PARTS)
		s->forgotten = MEMORY_PARTS;
	for (; s->forgotten < first && part_mapped(s, s->forgotten); s->forgotten++) {
		off_t at = part_place(s, s->forgotten);

		madvise(s->parts[s->forgotten], part_bytes(s), MADV_DONTNEED);
		(void)file_forget(s->fd, (uint64_t)at, (uint64_t)at + part_bytes(s));
	}
}

void
spool_release(struct spool *s)
{
	while (s->part_count > 0)
		part_drop(s);
	mem_free(s->filling);
	mem_free(s->parts);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct spool){.fd = -1};
}
