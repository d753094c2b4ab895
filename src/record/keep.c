// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "record/keep.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/outfile.h"

#define PART_PREFIX ".slowtop-"
#define PART_NAME "recording"

enum { DATE = 15 /* "20261122-101503" */, WORD_MOST = 40, RUNS_MOST = 10000 };

bool
keep_begin(struct keep *k, const char *output, const char *usual, bool force, struct err *e)
{
	const char *path = output != NULL ? output : usual, *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
	struct stat st;

	*k = (struct keep){.force = force,
	    .named = output != NULL && *name != '\0' &&
		(stat(path, &st) != 0 || !S_ISDIR(st.st_mode))};
	if (*path == '-') /* it would be an option of adb */
		sbuf_text(&k->folder, "./");
	if (k->named) {
		sbuf_bytes(&k->folder, path, (size_t)(name - path));
		if (k->folder.n == 0)
			sbuf_text(&k->folder, "./");
		dot = dot != NULL && dot > name ? dot : name + strlen(name);
		sbuf_bytes(&k->stem, name, (size_t)(dot - name));
		sbuf_text(&k->suffix, dot);
		if (!force && outfile_exists(path))
			return err_set(e, ERR_SYSTEM, "the file exists; --force overwrites it");
	} else {
		sbuf_text(&k->folder, path);
		if (k->folder.p[k->folder.n - 1] != '/')
			sbuf_char(&k->folder, '/');
	}
	return outfile_folders(sbuf_cstr(&k->folder), 0700, e);
}

static void
put_word(struct sbuf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	if (word == NULL || *word == '\0')
		return;
	sbuf_char(out, '_');
	for (int i = 0; word[i] != '\0' && i < WORD_MOST; i++)
		sbuf_char(out, strchr(plain, word[i]) != NULL ? word[i] : '-');
}

const char *
keep_time(char out[static KEEP_TIME], bool name)
{
	time_t now = time(NULL);
	struct tm local = {.tm_mday = 1};

	(void)localtime_r(&now, &local);
	strftime(out, KEEP_TIME, name ? "%Y%m%d-%H%M%S" : "%Y-%m-%d %H:%M:%S %z", &local);
	return out;
}

void
keep_name(struct keep *k, const char *app, const char *device, const char *mode,
    const char *suffix)
{
	char date[KEEP_TIME];

	if (k->named)
		return;
	sbuf_clear(&k->stem);
	sbuf_clear(&k->suffix);
	sbuf_text(&k->stem, keep_time(date, true));
	put_word(&k->stem, app);
	put_word(&k->stem, device);
	put_word(&k->stem, mode);
	sbuf_text(&k->suffix, suffix);
}

/* True for the name of such a recording, whatever its date, and its number in that second. */
static bool
is_run(const struct keep *k, const char *name)
{
	const struct str stem = sbuf_view(&k->stem);

	if (strlen(name) < stem.n || strspn(name, "0123456789-") < DATE ||
	    memcmp(name + DATE, stem.p + DATE, stem.n - DATE) != 0)
		return false;
	name += stem.n + strspn(name + stem.n, "0123456789-");
	return strcmp(name, sbuf_cstr(&k->suffix)) == 0;
}

/*
 * True if `a` is newer: of the same second, the one with the longer number, or the larger of
 * equal length.
 */
static bool
is_newer(const char *a, const char *b)
{
	return order_then(memcmp(a, b, DATE),
	    order_then(ORDER(strlen(a), strlen(b)), strcmp(a, b))) > 0;
}

bool
keep_last(const struct keep *k, struct sbuf *path)
{
	DIR *folder = k->named ? NULL : opendir(sbuf_cstr(&k->folder));
	struct sbuf newest = {0};
	struct dirent *entry;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		if (!is_run(k, entry->d_name) ||
		    (newest.n > 0 && !is_newer(entry->d_name, sbuf_cstr(&newest))))
			continue;
		sbuf_clear(&newest);
		sbuf_text(&newest, entry->d_name);
	}
	if (folder != NULL)
		closedir(folder);
	if (newest.n > 0)
		sbuf_printf(path, "%s%s", sbuf_cstr(&k->folder), sbuf_cstr(&newest));
	sbuf_release(&newest);
	return path->n > 0;
}

/* Opens a folder of a part and locks it; -1: it is none, or another process has it. */
static int
part_lock(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The lock of a process that was killed is gone, its part is not. */
static void
remove_lost(const struct keep *k, int folder)
{
	DIR *names = opendir(sbuf_cstr(&k->folder));
	struct dirent *entry;
	int fd;

	while (names != NULL && (entry = readdir(names)) != NULL) {
		const char *name = entry->d_name;
		size_t prefix = strlen(PART_PREFIX);

		if (strncmp(name, PART_PREFIX, prefix) != 0 ||
		    name[prefix + strspn(name + prefix, "0123456789abcdef")] != '\0' ||
		    (fd = part_lock(folder, name)) < 0)
			continue;
		unlinkat(fd, PART_NAME, 0);
		unlinkat(folder, name, AT_REMOVEDIR);
		close(fd);
	}
	if (names != NULL)
		closedir(names);
}

bool
keep_part(struct keep *k, const char *nonce, struct err *e)
{
	int folder = open(sbuf_cstr(&k->folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* One process at a time, or a part that is not locked yet would be taken for a lost one. */
	if (folder >= 0 && flock(folder, LOCK_EX) == 0)
		remove_lost(k, folder);
	sbuf_printf(&k->inside, "%s" PART_PREFIX "%s", sbuf_cstr(&k->folder), nonce);
	if (mkdir(sbuf_cstr(&k->inside), 0700) != 0) {
		err_system(e, "cannot write there");
		sbuf_release(&k->inside);
	} else {
		k->lock = part_lock(AT_FDCWD, sbuf_cstr(&k->inside));
		sbuf_printf(&k->part, "%s/" PART_NAME, sbuf_cstr(&k->inside));
	}
	if (folder >= 0)
		close(folder);
	return k->part.n > 0;
}

static void
part_remove(struct keep *k)
{
	if (k->part.n > 0)
		unlink(sbuf_cstr(&k->part));
	if (k->inside.n > 0) {
		rmdir(sbuf_cstr(&k->inside));
		if (k->lock >= 0)
			close(k->lock);
	}
	sbuf_release(&k->part);
	sbuf_release(&k->inside);
}

bool
keep_take(struct keep *k, bool partial, struct sbuf *path, struct err *e)
{
	enum outfile_how how = k->named && k->force && !partial ? OUTFILE_REPLACE : OUTFILE_NEW;
	bool taken = true, good = false;

	for (int run = 1; taken && run < RUNS_MOST; run++) {
		sbuf_clear(path);
		sbuf_printf(path, "%s%s%s", sbuf_cstr(&k->folder), sbuf_cstr(&k->stem),
		    partial ? "_partial" : "");
		if (run > 1)
			sbuf_printf(path, "-%d", run);
		sbuf_str(path, sbuf_view(&k->suffix));
		good = outfile_name(sbuf_cstr(&k->part), sbuf_cstr(path), how, &taken, e);
	}
	if (good)
		part_remove(k);
	k->force = k->force && !good; /* the next one is another file */
	return good;
}

void
keep_release(struct keep *k)
{
	part_remove(k);
	sbuf_release(&k->folder);
	sbuf_release(&k->stem);
	sbuf_release(&k->suffix);
}
