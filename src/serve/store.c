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
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/outfile.h"

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
	const struct entry *x = a, *y = b;

	if (x->when != y->when)
		return x->when < y->when ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* Files of a folder, newest first: traces, or all. */
static struct entry *
find(const char *name, bool traces, size_t *count)
{
	DIR *folder = opendir(name);
	struct entry *all = NULL;
	size_t room = 0;
	struct dirent *d;
	struct stat st;

	*count = 0;
	while (folder != NULL && (d = readdir(folder)) != NULL) {
		struct entry f = {.name = ""};
		size_t n = strlen(d->d_name);

		if (n >= sizeof(f.name) || fstatat(dirfd(folder), d->d_name, &st, 0) < 0 ||
		    !S_ISREG(st.st_mode) || (traces && (!id_take(str_from(d->d_name), f.id) ||
			strcmp(d->d_name + ID_SIZE - 1, ".trace") != 0)))
			continue;
		memcpy(f.name, d->d_name, n + 1);
		f.bytes = (uint64_t)st.st_size;
		f.when = st.st_mtime;
		MEM_GROW(all, room, *count + 1);
		all[(*count)++] = f;
	}
	if (folder != NULL)
		closedir(folder);
	if (*count > 0)
		qsort(all, *count, sizeof(*all), by_age);
	return all;
}

/* Removes the files whose names have that in them. */
static void
remove_all(const char *folder, const char *part)
{
	char path[sizeof((struct entry *)0)->name + 8];
	size_t count;
	struct entry *all = find(folder, false, &count);

	for (size_t i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, all[i].name);
		if (strstr(all[i].name, part) != NULL)
			(void)unlink(path);
	}
	mem_free(all);
}

int
store_open(const char *folder, struct err *e)
{
	int lock;

	if ((mkdir(folder, 0700) < 0 && errno != EEXIST) || chdir(folder) < 0 ||
	    (mkdir("cache", 0700) < 0 && errno != EEXIST) ||
	    (mkdir("tmp", 0700) < 0 && errno != EEXIST) ||
	    (lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) < 0) {
		err_system(e, "cannot be used");
		return -1;
	}
	if (flock(lock, LOCK_EX | LOCK_NB) < 0) {
		err_set(e, ERR_SYSTEM, "another server uses it");
		close(lock);
		return -1;
	}
	remove_all("tmp", ""); /* of uploads that a crash broke off */
	return lock;
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

void
store_read(const char *path, size_t most, struct sbuf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char bytes[16384];
	ssize_t n;

	while (fd >= 0 && out->n < most && (n = read(fd, bytes, sizeof(bytes))) > 0)
		sbuf_bytes(out, bytes, (size_t)n < most - out->n ? (size_t)n : most - out->n);
	if (fd >= 0)
		close(fd);
}

void
store_remove(const char *id)
{
	static const char *const suffixes[] = {"json", "name", "trace"};
	char path[PATH_SIZE];

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		(void)unlink(store_path(path, id, suffixes[i]));
	remove_all("cache", id);
}

bool
upload_open(struct upload *u)
{
	sbuf_text(&u->path, "tmp/XXXXXX");
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
upload_keep(struct upload *u, const char *id, struct str name, const char *info)
{
	char path[PATH_SIZE];

	/* The trace comes last: with it the rest is there. */
	return textfile_write(store_path(path, id, "name"), name, 0600, NULL) &&
	    rename(info, store_path(path, id, "json")) == 0 &&
	    rename(sbuf_cstr(&u->path), store_path(path, id, "trace")) == 0;
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

struct entry *
store_list(size_t *count)
{
	return find(".", true, count);
}

void
store_retain(unsigned days, uint64_t most)
{
	char path[sizeof((struct entry *)0)->name + 8];
	time_t now = time(NULL);

	for (int cache = 0; cache < 2; cache++) {
		uint64_t sum = 0, limit = cache ? most / 4 : most;
		size_t count;
		struct entry *all = find(cache ? "cache" : ".", !cache, &count);

		for (size_t i = 0; i < count; i++) {
			bool old = days > 0 && now - all[i].when > (time_t)days * 86400;

			snprintf(path, sizeof(path), "cache/%s", all[i].name);
			if (!old && sum + all[i].bytes <= limit)
				sum += all[i].bytes;
			else if (cache)
				(void)unlink(path);
			else
				store_remove(all[i].id);
		}
		mem_free(all);
	}
}
