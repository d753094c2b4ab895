#include <config.h>

#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
target_find(struct outfile *out, bool exists)
{
	char *real = exists ? realpath(out->path, NULL) : NULL;

	sbuf_text(&out->target, real != NULL ? real : out->path);
	free(real);
}

static bool
refuse(struct outfile *out, struct err *e)
{
	out->refused = true;
	return err_set(e, ERR_SYSTEM, "there is such a file already");
}

static mode_t
mode_for(bool exists, const struct stat *now)
{
	mode_t mask;

	if (exists)
		return now->st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

bool
outfile_open(struct outfile *out, const char *path, enum outfile_how how, struct err *e)
{
	struct stat now;
	bool exists = stat(path, &now) == 0;
	int fd;

	*out = (struct outfile){.path = path, .how = how};
	if (exists && S_ISREG(now.st_mode) && how == OUTFILE_NEW)
		return refuse(out, e);
	if (exists && !S_ISREG(now.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
	} else {
		target_find(out, exists);
		sbuf_printf(&out->beside, "%s.XXXXXX", out->target.p);
		fd = mkostemp(out->beside.p, O_CLOEXEC);
		if (fd < 0)
			sbuf_clear(&out->beside);
		else if (fchmod(fd, mode_for(exists, &now)) != 0)
			errno = 0; /* some file systems have no modes */
	}
	out->file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (out->file != NULL)
		return true;
	err_set(e, ERR_SYSTEM, "cannot create: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	outfile_abandon(out);
	return false;
}

const char *
outfile_name(const struct outfile *out)
{
	return out->beside.n > 0 ? out->beside.p : out->path;
}

/* Like rename; errno EEXIST when there is such a file and it must stay. */
static int
take_place(const struct outfile *out)
{
	int status;

	if (out->how == OUTFILE_REPLACE)
		return rename(out->beside.p, out->target.p);
	status = renameat2(AT_FDCWD, out->beside.p, AT_FDCWD, out->target.p, RENAME_NOREPLACE);
	if (status == 0 || (errno != EINVAL && errno != ENOSYS))
		return status;
	/* Not every file system can do it at once. */
	if (access(out->target.p, F_OK) != 0)
		return rename(out->beside.p, out->target.p);
	errno = EEXIST;
	return -1;
}

bool
outfile_commit(struct outfile *out, struct err *e)
{
	bool failed = ferror(out->file) != 0;

	errno = 0;
	if (fclose(out->file) != 0 || failed) {
		out->file = NULL;
		err_set(e, ERR_SYSTEM, "cannot write: %s", strerror(errno != 0 ? errno : EIO));
		outfile_abandon(out);
		return false;
	}
	out->file = NULL;
	if (out->beside.n > 0 && take_place(out) != 0) {
		if (errno == EEXIST)
			refuse(out, e);
		else
			err_set(e, ERR_SYSTEM, "cannot rename: %s", strerror(errno));
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
outfile_exists(const char *path)
{
	struct stat now;

	return lstat(path, &now) == 0;
}
