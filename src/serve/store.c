// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "serve/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/outfile.h"

static const char mark_name[] = "slowtop-serve";

enum {
	SPARE_BYTES = 1 << 30, /* left for others, or a twentieth of the disk, if that is less */
	CACHE_FILES = 10000,
};

bool
id_take(struct str text, char id[static ID_SIZE])
{
	for (size_t i = 0; i < ID_SIZE - 1; i++)
		if (i >= text.n || text.p[i] == '\0' ||
		    strchr("0123456789abcdef", text.p[i]) == NULL)
			return false;
	memcpy(id, text.p, ID_SIZE - 1);
	id[ID_SIZE - 1] = '\0';
	return true;
}

static int
by_age(const void *a, const void *b)
{
	const struct stored *x = a, *y = b;

	return order_then(ORDER(y->when, x->when), strcmp(x->name, y->name));
}

/*
 * Has a name of the server's?  It begins with `begin`, or is an ID and `end`, or, where that is
 * empty, that of a report.
 */
static bool
is_own(const char *name, const char *begin, const char *end, char id[static ID_SIZE])
{
	size_t digits = strspn(name, "0123456789abcdef");

	if (begin != NULL)
		return strncmp(name, begin, strlen(begin)) == 0;
	if (!id_take(str_from(name), id))
		return false;
	if (*end != '\0')
		return strcmp(name + ID_SIZE - 1, end) == 0;
	return digits > ID_SIZE && (name[digits] == '\0' ||
	    strcmp(name + digits, "!") == 0 || strcmp(name + digits, "~") == 0);
}

/*
 * Files of a folder that the server made, newest first: those whose names is_own knows.  NULL also
 * when the folder cannot be read: then `count` is SIZE_MAX.
 */
static struct stored *
find(const char *name, const char *begin, const char *end, size_t *count)
{
	DIR *folder = opendir(name);
	struct stored *all = NULL;
	size_t room = 0;
	struct dirent *d;
	struct stat st;

	*count = folder != NULL ? 0 : SIZE_MAX;
	while (folder != NULL && (d = readdir(folder)) != NULL) {
		struct stored f = {.name = ""};
		size_t n = strlen(d->d_name);

		if (n >= sizeof(f.name) || !is_own(d->d_name, begin, end, f.id) ||
		    fstatat(dirfd(folder), d->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		memcpy(f.name, d->d_name, n + 1);
		f.bytes = (uint64_t)st.st_size;
		f.space = (uint64_t)st.st_blocks * 512;
		f.when = st.st_mtime;
		f.inode = (uint64_t)st.st_ino;
		*MEM_ADD(all, *count, room) = f;
	}
	if (folder != NULL)
		closedir(folder);
	if (all != NULL)
		qsort(all, *count, sizeof(*all), by_age);
	return all;
}

/*
 * Removes files of a folder that the server made: those whose names have `part` in them, and,
 * if that is NULL, the oldest until `most` bytes and `files` files are left.
 */
static void
thin_out(const char *folder, const char *begin, const char *part, uint64_t most, size_t files)
{
	char path[sizeof((struct stored *)0)->name + 8];
	uint64_t sum = 0;
	size_t count;
	struct stored *all = find(folder, begin, "", &count);

	for (size_t i = 0; all != NULL && i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, all[i].name);
		sum += all[i].space > all[i].bytes ? all[i].space : all[i].bytes;
		if (part != NULL ? strstr(all[i].name, part) != NULL : sum > most || i >= files)
			(void)unlink(path);
	}
	mem_free(all);
}

static bool
refuse_others(struct err *e)
{
	return err_set(e, ERR_UNSUPPORTED,
	    "contains other files and no traces: choose an empty folder, one with traces, or one "
	    "that the file %s marks as a server's",
	    mark_name);
}

/* Removes what a server left that ended meanwhile: parts of files, and of traces. */
static void
left_remove(void)
{
	static const char *const ends[] = {".line", ".name"};
	struct stored *all;
	size_t count;

	thin_out("tmp", &STORE_PART[strlen("tmp/")], "", 0, 0);
	for (size_t k = 0; k < sizeof(ends) / sizeof(ends[0]); k++) {
		all = find(".", NULL, ends[k], &count);
		for (size_t i = 0; all != NULL && i < count; i++)
			if (!store_has(all[i].id))
				(void)unlink(all[i].name);
		mem_free(all);
	}
}

/*
 * Opens the file that marks a folder as a server's; -1 with the error.  One with names in it that
 * could be the server's own is not marked: files of others are never changed.
 */
static int
mark_open(bool *foreign, struct err *e)
{
	DIR *folder = opendir(".");
	bool empty = true, marked = false, alike = false;
	char id[ID_SIZE];
	struct dirent *d;
	struct stat st;
	int fd;

	if (folder == NULL) {
		err_system(e, "cannot be used");
		return -1;
	}
	while ((d = readdir(folder)) != NULL) {
		marked |= strcmp(d->d_name, mark_name) == 0;
		empty &= strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0;
		alike |= strcmp(d->d_name, "tmp") == 0 || strcmp(d->d_name, "cache") == 0 ||
		    id_take(str_from(d->d_name), id);
	}
	closedir(folder);
	*foreign = !empty && !marked;
	if (*foreign && alike) {
		refuse_others(e);
		return -1;
	}
	fd = open(mark_name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		err_system(e, "cannot be used");
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

/* Makes a folder in it, or finds one; a link to somewhere else is none. */
static bool
folder_make(const char *name, struct err *e)
{
	struct stat st;

	if (mkdir(name, 0700) < 0 && errno != EEXIST)
		return err_system(e, "cannot be used");
	return (lstat(name, &st) == 0 && S_ISDIR(st.st_mode)) ||
	    err_set(e, ERR_UNSUPPORTED, "'%s' in it is no folder", name);
}

int
store_open(const char *folder, bool *foreign, struct err *e)
{
	int mark;

	if ((mkdir(folder, 0700) < 0 && errno != EEXIST) || chdir(folder) < 0) {
		err_system(e, "cannot be used");
		return -1;
	}
	if ((mark = mark_open(foreign, e)) < 0)
		return -1;
	if (flock(mark, LOCK_EX | LOCK_NB) < 0)
		err_set(e, ERR_SYSTEM, "another server uses it");
	else if (folder_make("cache", e) && folder_make("tmp", e)) {
		left_remove();
		return mark;
	}
	close(mark);
	return -1;
}

bool
store_refuse(struct err *e)
{
	(void)rmdir("cache");
	(void)rmdir("tmp");
	(void)unlink(mark_name);
	return refuse_others(e);
}

uint64_t
store_space(void)
{
	struct statvfs fs;
	uint64_t left, spare;

	if (statvfs("tmp", &fs) != 0)
		return 0;
	left = (uint64_t)fs.f_bavail * fs.f_frsize;
	spare = (uint64_t)fs.f_blocks * fs.f_frsize / 20;
	spare = spare < SPARE_BYTES ? spare : SPARE_BYTES;
	return left > spare ? left - spare : 0;
}

void
id_make(struct sha256 *hash, char id[static ID_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t bytes[SHA256_SIZE];

	sha256_end(hash, bytes);
	for (int i = 0; i < ID_SIZE - 1; i++)
		id[i] = digits[bytes[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
	id[ID_SIZE - 1] = '\0';
}

const char *
store_path(char out[static PATH_SIZE], const char *id, const char *suffix)
{
	snprintf(out, PATH_SIZE, "%s.%s", id, suffix);
	return out;
}

bool
store_has(const char *id)
{
	char path[PATH_SIZE];

	return access(store_path(path, id, "trace"), F_OK) == 0;
}

bool
store_read(const char *path, size_t most, struct sbuf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool good = fd >= 0 ? store_take(fd, most, out) : errno == ENOENT;

	if (fd >= 0)
		close(fd);
	return good;
}

bool
store_take(int fd, size_t most, struct sbuf *out)
{
	char bytes[16384];
	ssize_t n = 0;

	while (out->n < most && (n = read(fd, bytes, sizeof(bytes))) > 0)
		sbuf_bytes(out, bytes, (size_t)n < most - out->n ? (size_t)n : most - out->n);
	return n >= 0;
}

void
store_remove(const char *id)
{
	/* Without the first there is no trace. */
	static const char *const suffixes[] = {"trace", "line", "name"};
	char path[PATH_SIZE];

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		(void)unlink(store_path(path, id, suffixes[i]));
	thin_out("cache", NULL, id, 0, 0);
	thin_out("cache", NULL, STORE_MANY, 0, 0);
}

bool
upload_open(struct upload *u)
{
	sbuf_text(&u->path, STORE_PART "XXXXXX");
	sha256_init(&u->hash);
	return (u->fd = mkostemp(u->path.p, O_CLOEXEC)) >= 0;
}

bool
upload_add(struct upload *u, const void *bytes, size_t n)
{
	const char *p = bytes;

	sha256_add(&u->hash, bytes, n);
	u->bytes += n;
	while (n > 0) {
		ssize_t written = write(u->fd, p, n);

		if (written < 0 && errno != EINTR)
			return false;
		if (written > 0) {
			p += written;
			n -= (size_t)written;
		}
	}
	return true;
}

bool
upload_end(struct upload *u, char id[static ID_SIZE])
{
	bool good = fsync(u->fd) == 0;

	good = close(u->fd) == 0 && good;
	u->fd = -1;
	id_make(&u->hash, id);
	return good;
}

bool
upload_keep(struct upload *u, const char *id, struct str name, const char *line)
{
	char path[PATH_SIZE];
	int error;

	/* The trace comes last: with it the rest is there. */
	if (textfile_write(store_path(path, id, "name"), name, 0600, NULL) &&
	    rename(line, store_path(path, id, "line")) == 0 &&
	    rename(sbuf_cstr(&u->path), store_path(path, id, "trace")) == 0)
		return true;
	error = errno;
	store_remove(id);
	errno = error;
	return false;
}

bool
upload_link(struct upload *u, const char *file, char id[static ID_SIZE])
{
	static const char part[] = STORE_PART "link";
	int from = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool good = from >= 0, linked;
	char bytes[16384];
	ssize_t n = 0;

	(void)unlink(part);
	linked = good && link(file, part) == 0;
	if (linked) {
		sbuf_text(&u->path, part);
		sha256_init(&u->hash);
	} else
		good = good && upload_open(u);
	while (good && (n = read(from, bytes, sizeof(bytes))) > 0) {
		if (linked)
			sha256_add(&u->hash, bytes, (size_t)n);
		else
			good = upload_add(u, bytes, (size_t)n);
	}
	good = good && n == 0;
	if (linked)
		id_make(&u->hash, id);
	else
		good = good && upload_end(u, id);
	if (from >= 0)
		close(from);
	return good;
}

void
upload_release(struct upload *u)
{
	if (u->fd >= 0)
		close(u->fd);
	if (u->path.n > 0)
		(void)unlink(sbuf_cstr(&u->path)); /* harmless after rename */
	sbuf_release(&u->path);
}

struct stored *
store_list(size_t *count)
{
	return find(".", NULL, ".trace", count);
}

void
store_retain(unsigned days, uint64_t most)
{
	time_t now = time(NULL);
	uint64_t sum = 0;
	size_t count;
	struct stored *all = store_list(&count);

	for (size_t i = 0; all != NULL && i < count; i++) {
		if ((days > 0 && now - all[i].when > (time_t)days * 86400) ||
		    sum + all[i].bytes > most)
			store_remove(all[i].id);
		else
			sum += all[i].bytes;
	}
	mem_free(all);
}

void
store_trim(uint64_t most)
{
	thin_out("cache", NULL, NULL, most, CACHE_FILES);
}
