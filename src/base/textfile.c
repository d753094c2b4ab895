#include <config.h>

#include "base/textfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/outfile.h"

bool
textfile_read(const char *path, struct sbuf *text, struct err *e)
{
	FILE *in = fopen(path, "re");
	char part[4096];
	size_t n;
	bool good;

	if (in == NULL)
		return errno == ENOENT || err_system(e, "cannot read it");
	while (text->n < TEXTFILE_MAX && (n = fread(part, 1, sizeof(part), in)) > 0)
		sbuf_bytes(text, part, n);
	good = ferror(in) == 0 && feof(in) != 0;
	fclose(in);
	return good || err_set(e, ERR_SYSTEM, "cannot read it");
}

static bool
make_folders(const char *path, mode_t mode, struct err *e)
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

static bool
write_whole(const char *path, struct str text, bool private, struct err *e)
{
	struct outfile out;

	if (!make_folders(path, private ? 0700 : 0777, e) ||
	    !outfile_open(&out, path, OUTFILE_REPLACE, e))
		return false;
	/* Where there are no modes, there is nothing to hide by them. */
	if (private && fchmod(fileno(out.file), 0600) != 0)
		errno = 0;
	/* What fails here is told by the commit. */
	if (text.n > 0)
		fwrite(text.p, 1, text.n, out.file);
	return outfile_commit(&out, e);
}

bool
textfile_write(const char *path, struct str text, struct err *e)
{
	return write_whole(path, text, false, e);
}

bool
textfile_write_private(const char *path, struct str text, struct err *e)
{
	return write_whole(path, text, true, e);
}
