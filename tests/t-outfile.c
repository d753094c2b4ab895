// SPDX-License-Identifier: Apache-2.0
/* Files that appear whole or not at all, with and without help of the file system. */
#define _GNU_SOURCE 1 /* of the test, not of what it tests */
#include <config.h>

#undef _FORTIFY_SOURCE /* has an `open` of its own */

#include "tap/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"

static bool refuse_nameless;
static char folder[4096];

/* In the place of libc's: some file systems have no files without a name. */
int
open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	if ((flags & O_TMPFILE) == O_TMPFILE && refuse_nameless) {
		errno = EOPNOTSUPP;
		return -1;
	}
	va_start(ap, flags);
	if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE)
		mode = (mode_t)va_arg(ap, unsigned);
	va_end(ap);
	return openat(AT_FDCWD, path, flags, mode);
}

/* What fsync is to fail with, and what "a" held when a file was synced. */
static int sync_fails;
static char held[64];

static const char *in_folder(const char *name);
static const char *content(const char *path);

int
fsync(int fd)
{
	(void)fd;
	strcpy(held, content(in_folder("a")));
	errno = sync_fails;
	return sync_fails != 0 ? -1 : 0;
}

static int
folder_count(void)
{
	DIR *dir = opendir(folder);
	int n = 0;

	for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(dir);
	return n;
}

static const char *
in_folder(const char *name)
{
	static char path[2][sizeof(folder) + 300];
	static int which;

	which = !which;
	snprintf(path[which], sizeof(path[which]), "%s/%s", folder, name);
	return path[which];
}

static void
put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

static const char *
content(const char *path)
{
	static char text[64];
	FILE *file = fopen(path, "r");
	size_t n = file != NULL ? fread(text, 1, sizeof(text) - 1, file) : 0;

	text[n] = '\0';
	if (file != NULL)
		fclose(file);
	return text;
}

/* As a process that is killed leaves it. */
static void
killed(void)
{
	struct outfile out;
	struct err e = {0};

	if (!outfile_open(&out, in_folder("a"), OUTFILE_NEW, &e)) {
		ok(false, "opened: %s", e.what);
		return;
	}
	fputs("half", out.file);
	fflush(out.file);
	is_int(folder_count(), refuse_nameless ? 1 : 0, "while written: what is seen");
	ok(!outfile_exists(in_folder("a")), "while written: nothing of its name");
	outfile_abandon(&out);
	is_int(folder_count(), 0, "abandoned: nothing is left");
}

static void
new_file(void)
{
	struct outfile out;
	struct err e = {0};
	mode_t mask = umask(027);
	struct stat now;

	ok(outfile_open(&out, in_folder("a"), OUTFILE_NEW, &e), "opened");
	fputs("whole", out.file);
	ok(outfile_commit(&out, &e), "committed: %s", e.what);
	is_str(content(in_folder("a")), "whole", "what was written");
	stat(in_folder("a"), &now);
	is_int(now.st_mode & 0777, 0640, "with the mode that files get");
	umask(mask);
	ok(!outfile_open(&out, in_folder("a"), OUTFILE_NEW, &e) && out.refused,
	    "not over it");
	unlink(in_folder("a"));

	e = (struct err){0};
	ok(outfile_open(&out, in_folder("a"), OUTFILE_NEW, &e), "opened");
	fputs("late", out.file);
	put(in_folder("a"), "other's");
	ok(!outfile_commit(&out, &e) && out.refused, "nor over one that came meanwhile");
	is_str(content(in_folder("a")), "other's", "that stays");
	is_int(folder_count(), 1, "and nothing else is left");
	unlink(in_folder("a"));
}

static void
replaced(void)
{
	struct outfile out;
	struct err e = {0};
	struct stat now;

	put(in_folder("a"), "old");
	chmod(in_folder("a"), 0604);
	if (symlink("a", in_folder("link")) != 0)
		ok(false, "a link");
	ok(outfile_open(&out, in_folder("link"), OUTFILE_REPLACE, &e), "opened");
	fputs("new", out.file);
	fflush(out.file);
	is_str(content(in_folder("a")), "old", "while written: as before");
	ok(outfile_commit(&out, &e), "committed: %s", e.what);
	is_str(content(in_folder("a")), "new", "what was written");
	stat(in_folder("a"), &now);
	is_int(now.st_mode & 0777, 0604, "the mode stays");
	lstat(in_folder("link"), &now);
	ok(S_ISLNK(now.st_mode), "the link stays");
	is_int(folder_count(), 2, "and nothing else is left");
	unlink(in_folder("a"));
	unlink(in_folder("link"));
}

/* A link that leads, by another, to where nothing is. */
static void
dangling(void)
{
	struct outfile out;
	struct err e = {0};
	struct stat now;

	if (symlink(in_folder("between"), in_folder("link")) != 0 ||
	    symlink("a", in_folder("between")) != 0)
		ok(false, "links");
	ok(!outfile_open(&out, in_folder("link"), OUTFILE_NEW, &e) && out.refused,
	    "a link is there already");
	ok(outfile_open(&out, in_folder("link"), OUTFILE_REPLACE, &e), "opened");
	fputs("new", out.file);
	ok(outfile_commit(&out, &e), "committed: %s", e.what);
	ok(lstat(in_folder("link"), &now) == 0 && S_ISLNK(now.st_mode), "the link stays");
	is_str(content(in_folder("a")), "new", "what it leads to is made");
	is_int(folder_count(), 3, "and nothing else is left");
	unlink(in_folder("a"));
	unlink(in_folder("link"));
	unlink(in_folder("between"));

	e = (struct err){0};
	if (symlink("link", in_folder("link")) != 0)
		ok(false, "a link to itself");
	ok(!outfile_open(&out, in_folder("link"), OUTFILE_REPLACE, &e),
	    "a link to itself: %s", e.what);
	unlink(in_folder("link"));
}

static void
set_user(void)
{
	struct outfile out;
	struct err e = {0};
	struct stat now;

	put(in_folder("a"), "old");
	chmod(in_folder("a"), 06755);
	ok(outfile_open(&out, in_folder("a"), OUTFILE_REPLACE, &e), "opened");
	ok(outfile_commit(&out, &e), "committed: %s", e.what);
	stat(in_folder("a"), &now);
	is_int(now.st_mode & 07777, 0755, "neither setuid nor setgid");
	unlink(in_folder("a"));
}

static void
synced(void)
{
	struct outfile out;
	struct err e = {0};

	put(in_folder("a"), "old");
	memset(held, 0, sizeof(held));
	ok(outfile_open(&out, in_folder("a"), OUTFILE_REPLACE, &e), "opened");
	fputs("new", out.file);
	ok(outfile_commit(&out, &e), "committed: %s", e.what);
	is_str(held, "old", "the bytes are synced before they get their name");

	sync_fails = EIO;
	ok(outfile_open(&out, in_folder("a"), OUTFILE_REPLACE, &e), "opened");
	fputs("newer", out.file);
	ok(!outfile_commit(&out, &e), "a disk that fails: %s", e.what);
	is_str(content(in_folder("a")), "new", "as before");
	is_int(folder_count(), 1, "and nothing else is left");
	sync_fails = 0;
	unlink(in_folder("a"));
}

static void
longest_name(void)
{
	char name[256];
	struct outfile out;
	struct err e = {0};

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int i = 0; i < 2; i++) {
		bool good = outfile_open(&out, in_folder(name), OUTFILE_REPLACE, &e) &&
			    outfile_commit(&out, &e);

		ok(good, "the longest name, %s: %s", i == 0 ? "new" : "again", e.what);
	}
	is_int(folder_count(), 1, "one file");
	unlink(in_folder(name));
}

static void
no_room(void)
{
	struct rlimit before, little = {1000, 1000};
	struct outfile out;
	struct err e = {0};
	bool opened, written;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	little.rlim_max = before.rlim_max;
	put(in_folder("a"), "old");
	opened = outfile_open(&out, in_folder("a"), OUTFILE_REPLACE, &e);
	setrlimit(RLIMIT_FSIZE, &little);
	for (int i = 0; opened && i < 5000; i++)
		putc('x', out.file);
	written = opened && outfile_commit(&out, &e);
	setrlimit(RLIMIT_FSIZE, &before); /* what tests say goes into a file, too */
	ok(opened && !written, "no room: %s", e.what);
	is_str(content(in_folder("a")), "old", "no room: as before");
	is_int(folder_count(), 1, "no room: nothing else is left");
	unlink(in_folder("a"));
}

/* A disk that is full fails a write that is not the last, and says why. */
static void
full(void)
{
	static const char text[1 << 16];
	struct outfile out;
	struct err e = {0};

	if (access("/dev/full", W_OK) != 0) {
		skip("no /dev/full");
		return;
	}
	if (!ok(outfile_open(&out, "/dev/full", OUTFILE_REPLACE, &e), "/dev/full opens"))
		return;
	outfile_write(&out, text, sizeof(text));
	outfile_write(&out, text, 1);
	ok(!outfile_commit(&out, &e), "and takes nothing");
	is_str(e.what, "cannot write: No space left on device", "which is told");
}

static bool
nameless_here(void)
{
	int fd = open(folder, O_TMPFILE | O_WRONLY, 0600);

	if (fd >= 0)
		close(fd);
	return HAVE_DECL_O_TMPFILE && fd >= 0 && access("/proc/self/fd", X_OK) == 0;
}

int
main(void)
{
	const char *build = getenv("BUILDDIR");

	snprintf(folder, sizeof(folder), "%s/t-outfile.XXXXXX", build != NULL ? build : ".");
	if (mkdtemp(folder) == NULL)
		return 99;
	for (int i = 0; i < 2; i++) {
		refuse_nameless = i == 1;
		if (i == 0 && !nameless_here()) {
			skip("no files without a name here");
			continue;
		}
		killed();
		new_file();
		replaced();
		dangling();
		set_user();
		synced();
		longest_name();
		no_room();
		full();
	}
	rmdir(folder);
	return tap_done();
}
