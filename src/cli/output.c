#include <config.h>

#include "cli/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/gzout.h"
#include "cli/say.h"

static int
say_write(const char *path, int error)
{
	if (error == EPIPE)
		return STATUS_TROUBLE;
	return say_trouble(path, "cannot write: %s", strerror(error));
}

int
output_end(FILE *out, int error)
{
	bool failed = ferror(out) != 0;

	errno = 0;
	if (fclose(out) != 0 && error == 0)
		error = errno;
	if (error == 0 && failed)
		error = EIO; /* stdio does not keep the reason */
	return error == 0 ? STATUS_OK : say_write(NULL, error);
}

static int
say_outfile(const struct outfile *out, const char *path, const struct err *e)
{
	char text[256];

	return say_trouble(path, "%s%s", err_text(e, text, sizeof(text)),
	    out->refused ? "; --force writes over it" : "");
}

static bool
output_begin(struct output *o, const char *path, unsigned flags)
{
	size_t n = path != NULL ? strlen(path) : 0;
	FILE *to = path != NULL ? o->out.file : stdout;

	o->file = to;
	if ((flags & OUTPUT_BINARY) != 0 && isatty(fileno(to))) {
		say_trouble(path, "this is not for a terminal; write to a file with -o");
		return false;
	}
	o->packed = (flags & OUTPUT_PACKED) != 0 || (n > 3 && strcmp(path + n - 3, ".gz") == 0);
	if (o->packed)
		o->file = gzout_open(to);
	if (o->file != NULL)
		return true;
	say_trouble(path, "cannot compress: out of memory");
	return false;
}

bool
output_open(struct output *o, const char *path, bool force, unsigned flags)
{
	struct err e = {.kind = ERR_NONE};

	*o = (struct output){.file = stdout};
	if (path != NULL &&
	    !outfile_open(&o->out, path, force ? OUTFILE_REPLACE : OUTFILE_NEW, &e)) {
		say_outfile(&o->out, path, &e);
		return false;
	}
	if (output_begin(o, path, flags))
		return true;
	o->packed = false;
	output_drop(o);
	return false;
}

int
output_close(struct output *o, int error, const atomic_bool *cancel)
{
	struct err e = {.kind = ERR_NONE};
	const char *path = o->out.path;

	errno = 0;
	if (o->packed && fclose(o->file) != 0 && error == 0)
		error = errno != 0 ? errno : EIO;
	o->packed = false;
	/* An interrupt also shows as a write that it broke off. */
	if (error != 0 && atomic_load(cancel)) {
		output_drop(o);
		return STATUS_INTERRUPTED;
	}
	if (path == NULL)
		return output_end(stdout, error);
	if (error != 0) {
		outfile_abandon(&o->out);
		return say_write(path, error);
	}
	if (outfile_commit(&o->out, &e))
		return STATUS_OK;
	return say_outfile(&o->out, path, &e);
}

void
output_drop(struct output *o)
{
	if (o->out.path == NULL)
		return; /* what was packed so far stays in its stream */
	if (o->packed)
		fclose(o->file);
	outfile_abandon(&o->out);
}
