#include <config.h>

#include "base/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/mem.h"

enum { COPY_BYTES = 1 << 18 };

const char *
tempfile_folder(const struct tempfile_how *how)
{
	return how->folder != NULL && how->folder[0] != '\0' ? how->folder : "/tmp";
}

static bool
tempfile_failed(const struct tempfile *s, const char *what, struct err *e)
{
	return err_set(e, ERR_SYSTEM, "%s a temporary file in %.80s: %s (TMPDIR says where)", what,
	    tempfile_folder(s->how), strerror(errno));
}

/* With a name for a moment, where files cannot be without one. */
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

bool
tempfile_begin(struct tempfile *s, const struct tempfile_how *how, struct err *e)
{
	*s = (struct tempfile){.fd = -1, .how = how};
	s->fd = open(tempfile_folder(s->how), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (s->fd < 0)
		s->fd = make_and_unlink(tempfile_folder(s->how));
	return s->fd >= 0 || tempfile_failed(s, "cannot make", e);
}

/* Asked now and then, so that small data are not refused. */
static bool
tempfile_spares(const struct tempfile *s, size_t size, struct err *e)
{
	struct statvfs fs;

	if (s->size / TEMPFILE_SPARE == (s->size + size) / TEMPFILE_SPARE ||
	    fstatvfs(s->fd, &fs) != 0 || fs.f_bavail * fs.f_frsize >= TEMPFILE_SPARE)
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

		if (tempfile_cancelled(s->how)) {
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
	bool ok = filemap_open_fd(map, s->fd, e);

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
