// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/worker.h"

/* A name in the folder of `path`, unless it begins at the root. */
static void
link_resolve(struct sbuf *path, const char *leads_to)
{
	if (leads_to[0] == '/')
		sbuf_clear(path);
	while (path->n > 0 && path->p[path->n - 1] != '/')
		path->n--;
	sbuf_text(path, leads_to);
}

/* Follows symbolic links to the target, which need not exist yet (as in shells). */
static void
target_find(struct outfile *out, bool exists)
{
	enum { LINKS_MOST = 40 }; /* as many as the kernel follows */
	char *real = exists ? realpath(out->path, NULL) : NULL;
	char leads_to[PATH_MAX];
	ssize_t n;

	sbuf_text(&out->target, real != NULL ? real : out->path);
	for (int i = 0; i < LINKS_MOST && real == NULL; i++) {
		n = readlink(sbuf_cstr(&out->target), leads_to, sizeof(leads_to) - 1);
		if (n <= 0)
			break;
		leads_to[n] = '\0';
		link_resolve(&out->target, leads_to);
	}
	free(real);
}

static bool
refuse(struct outfile *out, struct err *e)
{
	out->refused = true;
	return err_set(e, ERR_SYSTEM, "the file exists");
}

/*
 * Takes over owner, group and permissions of the file that is replaced, as far as
 * possible, but not setuid and setgid: they were granted to other bytes.
 */
static void
take_rights(int fd, const struct stat *now)
{
	mode_t mode = now->st_mode & 0777;

	if (fchown(fd, now->st_uid, now->st_gid) != 0 &&
	    fchown(fd, (uid_t)-1, now->st_gid) != 0)
		mode &= ~(mode_t)S_IRWXG; /* they were another group's */
	if (fchmod(fd, mode) != 0)
		errno = 0; /* some file systems have no modes */
}

static void
take_mask(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, 0666 & ~mask) != 0)
		errno = 0;
}

/* The target's folder, with its final slash. */
static void
folder_find(struct sbuf *folder, const struct outfile *out)
{
	struct str path = sbuf_view(&out->target);

	while (path.n > 0 && path.p[path.n - 1] != '/')
		path.n--;
	sbuf_clear(folder);
	sbuf_str(folder, path.n > 0 ? path : STR("./"));
}

/*
 * Opens a file in the target's folder that has no name until it is whole, so that nothing
 * is left over however the process ends. -1 where the file system cannot do that, or
 * cannot name the file later.
 */
static int
open_nameless(const struct outfile *out)
{
	struct sbuf folder = {0};
	int fd = -1;

	folder_find(&folder, out);
#if HAVE_DECL_O_TMPFILE
	if (access("/proc/self/fd", X_OK) == 0)
		fd = open(sbuf_cstr(&folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
	sbuf_release(&folder);
	return fd;
}

/* One with another name. */
static int
open_beside(struct outfile *out)
{
	int fd;

	folder_find(&out->beside, out);
	sbuf_text(&out->beside, ".slowtop.XXXXXX"); /* the target's may be as long as can be */
	fd = mkostemp(out->beside.p, O_CLOEXEC);
	if (fd < 0)
		sbuf_clear(&out->beside);
	return fd;
}

bool
outfile_open(struct outfile *out, const char *path, enum outfile_how how, struct err *e)
{
	struct stat now;
	bool exists = stat(path, &now) == 0;
	int why = exists ? 0 : errno;
	int fd;

	*out = (struct outfile){.path = path, .how = how};
	if (exists && !S_ISREG(now.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
	} else if (how == OUTFILE_NEW && outfile_exists(path)) {
		return refuse(out, e);
	} else if (!exists && why != ENOENT) {
		/* The kernel refuses some links (those of other users in /tmp): so do we. */
		errno = why;
		fd = -1;
	} else {
		target_find(out, exists);
		fd = open_nameless(out);
		if (fd < 0)
			fd = open_beside(out);
		if (fd >= 0 && exists)
			take_rights(fd, &now);
		else if (fd >= 0)
			take_mask(fd);
	}
	out->file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (out->file != NULL)
		return true;
	err_system(e, "cannot create");
	if (fd >= 0)
		close(fd);
	outfile_abandon(out);
	return false;
}

/* errno EEXIST when there is such a file and it must stay: link, unlike rename, takes no name. */
static int
take_place(const struct outfile *out)
{
	if (out->how == OUTFILE_REPLACE)
		return rename(out->beside.p, out->target.p);
	if (link(out->beside.p, out->target.p) == 0)
		return unlink(out->beside.p);
	if (errno == EEXIST)
		return -1;
	/* Not every file system has links. */
	if (access(out->target.p, F_OK) != 0)
		return rename(out->beside.p, out->target.p);
	errno = EEXIST;
	return -1;
}

/* Gives the file without a name one; like link, which never takes another's. */
static int
link_as(int fd, const char *name)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* A name that no file has, for the moment between the two calls. */
static int
link_beside(struct outfile *out, int fd)
{
	enum { TRIES = 100 };
	int status = -1;

	for (int i = 0; i < TRIES && status != 0; i++) {
		folder_find(&out->beside, out);
		sbuf_printf(&out->beside, ".slowtop.%ld-%d", (long)getpid(), i);
		status = link_as(fd, out->beside.p);
		if (status != 0 && errno != EEXIST)
			break;
	}
	if (status != 0)
		sbuf_clear(&out->beside);
	return status;
}

/* `fd`: the file, once more. */
static int
appear(struct outfile *out, int fd)
{
	if (out->target.n == 0)
		return 0;
	if (out->beside.n > 0)
		return take_place(out);
	if (link_as(fd, out->target.p) == 0)
		return 0;
	if (errno != EEXIST || out->how == OUTFILE_NEW || link_beside(out, fd) != 0)
		return -1;
	return take_place(out);
}

/* A crash of the machine must leave the old bytes or the new ones, under the name. */
static int
settle(const struct outfile *out, int fd)
{
	return out->target.n == 0 || fsync(fd) == 0 || errno == EINVAL || errno == EROFS ? 0 : -1;
}

void
outfile_write(struct outfile *out, const void *bytes, size_t n)
{
	errno = 0;
	if (n > 0 && fwrite(bytes, 1, n, out->file) < n && out->error == 0)
		out->error = errno;
}

bool
outfile_commit(struct outfile *out, struct err *e)
{
	bool failed = ferror(out->file) != 0;
	int fd = dup(fileno(out->file)); /* closing tells of writes that failed late */

	errno = out->error;
	if (fclose(out->file) != 0 || failed || fd < 0 || settle(out, fd) != 0) {
		errno = errno != 0 ? errno : EIO;
		err_system(e, "cannot write");
		failed = true;
	} else if (appear(out, fd) != 0) {
		failed = true;
		if (errno == EEXIST)
			refuse(out, e);
		else
			err_system(e, "cannot rename it");
	}
	if (fd >= 0)
		close(fd);
	out->file = NULL;
	if (failed) {
		outfile_abandon(out);
		return false;
	}
	sbuf_release(&out->target);
	sbuf_release(&out->beside);
	return true;
}

void
outfile_abandon(struct outfile *out)
{
	if (out->file != NULL)
		fclose(out->file);
	if (out->beside.n > 0)
		unlink(out->beside.p);
	sbuf_release(&out->target);
	sbuf_release(&out->beside);
	*out = (struct outfile){.refused = out->refused};
}

bool
outfile_name(const char *part, const char *path, enum outfile_how how, bool *taken, struct err *e)
{
	struct outfile out = {.path = path, .how = how};
	int fd = open(part, O_RDONLY | O_CLOEXEC);
	bool good;

	sbuf_text(&out.target, path);
	sbuf_text(&out.beside, part);
	good = fd >= 0 && settle(&out, fd) == 0 && take_place(&out) == 0;
	*taken = !good && errno == EEXIST;
	if (!good)
		err_system(e, "cannot rename it");
	if (fd >= 0)
		close(fd);
	sbuf_release(&out.target);
	sbuf_release(&out.beside);
	return good;
}

bool
outfile_exists(const char *path)
{
	struct stat now;

	return lstat(path, &now) == 0;
}

/* Small texts ----------------------------------------------------------------------- */

bool
textfile_read(const char *path, struct sbuf *text, struct err *e)
{
	FILE *in = fopen(path, "re");
	char part[4096];
	size_t n;
	bool good;

	if (in == NULL)
		return errno == ENOENT || errno == ENOTDIR || err_system(e, "cannot read it");
	while (text->n < TEXTFILE_MAX && (n = fread(part, 1, sizeof(part), in)) > 0)
		sbuf_bytes(text, part, n);
	good = ferror(in) == 0 && feof(in) != 0;
	fclose(in);
	return good || err_set(e, ERR_SYSTEM, "cannot read it");
}

bool
outfile_folders(const char *path, mode_t mode, struct err *e)
{
	struct sbuf folder = {0};
	bool good = true;

	for (const char *at = strchr(path + 1, '/'); at != NULL && good;
	     at = strchr(at + 1, '/')) {
		sbuf_clear(&folder);
		sbuf_bytes(&folder, path, (size_t)(at - path));
		good = mkdir(sbuf_cstr(&folder), mode) == 0 || errno == EEXIST;
	}
	sbuf_release(&folder);
	return good || err_system(e, "cannot make its folder");
}

bool
textfile_write(const char *path, struct str text, mode_t mode, struct err *e)
{
	struct outfile out;

	if (!outfile_folders(path, mode | (mode & 0444) >> 2, e) ||
	    !outfile_open(&out, path, OUTFILE_REPLACE, e))
		return false;
	/* A file system without modes cannot hide the file: no error. */
	if (mode == 0600 && fchmod(fileno(out.file), mode) != 0)
		errno = 0;
	outfile_write(&out, text.p, text.n);
	return outfile_commit(&out, e);
}

/* Compressed ---------------------------------------------------------------------- */

enum {
	PACK_BYTES = 1 << 16,
	WRITE_BYTES = 4096, /* a pipe that takes something takes these */
	WRITE_MS = 100,     /* between two looks at whether they are wanted */
	GZIP_WINDOW = 15 + 16, /* the largest, and a gzip header */
	GZIP_MEMORY = 8,       /* zlib's usual */
};

static void
packed_write(struct gzout *out, const unsigned char *bytes, size_t n)
{
	struct pollfd fd = {.fd = out->packed, .events = POLLOUT};

	while (n > 0 && out->error == 0) {
		ssize_t written = 0;

		if (atomic_load(&out->dropped) || atomic_load(out->cancel))
			out->error = EINTR;
		else if (poll(&fd, 1, WRITE_MS) > 0)
			written = write(out->packed, bytes, n);
		if (written < 0 && errno != EINTR && errno != EAGAIN)
			out->error = errno;
		if (written > 0) {
			bytes += written;
			n -= (size_t)written;
		}
	}
}

/* After an error it reads on, or a signal would end the writer; a reader gone ends both. */
static void
pack(unsigned index, void *arg)
{
	struct gzout *out = arg;
	unsigned char *buffer = mem_alloc(PACK_BYTES), packed[WRITE_BYTES];
	z_stream z = {.next_in = NULL};
	ssize_t n = 1;

	if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
		Z_DEFAULT_STRATEGY) != Z_OK)
		out->error = ENOMEM;
	while (n > 0 && out->error != EPIPE) {
		n = read(out->unpacked, buffer, PACK_BYTES);
		z.next_in = buffer;
		z.avail_in = n > 0 ? (unsigned)n : 0;
		do {
			z.next_out = packed;
			z.avail_out = WRITE_BYTES;
			if (out->error == 0)
				(void)deflate(&z, n > 0 ? Z_NO_FLUSH : Z_FINISH);
			packed_write(out, packed, WRITE_BYTES - z.avail_out);
		} while (out->error == 0 && z.avail_out == 0);
	}
	(void)deflateEnd(&z);
	close(out->unpacked);
	mem_free(buffer);
}

bool
gzout_open(struct gzout *out, FILE *to, const atomic_bool *cancel, struct err *e)
{
	int ends[2];

	*out = (struct gzout){.cancel = cancel, .packed = fileno(to)};
	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_system(e, "cannot compress");
	out->unpacked = ends[0];
	out->file = fdopen(ends[1], "w");
	if (out->file != NULL && setvbuf(out->file, NULL, _IOFBF, PACK_BYTES) == 0 &&
	    worker_start(&out->packer, 1, pack, out, NULL, e))
		return true;
	err_system(e, "cannot compress");
	if (out->file != NULL)
		fclose(out->file);
	else
		close(ends[1]);
	close(ends[0]);
	return false;
}

int
gzout_close(struct gzout *out)
{
	int error = fclose(out->file) != 0 ? errno : 0;

	worker_join(out->packer);
	return out->error != 0 ? out->error : error;
}

void
gzout_drop(struct gzout *out)
{
	atomic_store(&out->dropped, true);
	(void)gzout_close(out);
}
