#include <config.h>

#include "cli/output.h"

#include <errno.h>
#include <string.h>

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

bool
output_open(struct output *o, const char *path, bool force)
{
	struct err e = {.kind = ERR_NONE};

	*o = (struct output){.file = stdout};
	if (path == NULL)
		return true;
	if (outfile_open(&o->out, path, force ? OUTFILE_REPLACE : OUTFILE_NEW, &e)) {
		o->file = o->out.file;
		return true;
	}
	say_outfile(&o->out, path, &e);
	return false;
}

int
output_close(struct output *o, int error, const atomic_bool *cancel)
{
	struct err e = {.kind = ERR_NONE};
	const char *path = o->out.path;

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
	if (o->out.path != NULL)
		outfile_abandon(&o->out);
}
