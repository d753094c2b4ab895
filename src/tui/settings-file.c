/* The configuration file. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/conf.h"
#include "base/mem.h"
#include "base/outfile.h"
#include "tui/settings.h"

enum { FILE_MAX = 1 << 20 };

struct reading {
	struct settings *settings;
	void (*tell)(void *context, int line, const char *what);
	void *context;
};

static void
take(void *context, const struct conf_entry *entry)
{
	struct reading *r = context;
	struct settings *s = r->settings;
	struct err e = {0};

	if (entry->fault != NULL)
		err_set(&e, ERR_MALFORMED, "%s", entry->fault);
	else if (settings_set(s, entry->section, entry->key, entry->value, &e))
		return;
	if (s->faults++ == 0)
		snprintf(s->fault, sizeof(s->fault), "line %d: %s", entry->line, e.what);
	r->tell(r->context, entry->line, e.what);
}

void
settings_read(struct settings *s, struct str text,
    void (*tell)(void *context, int line, const char *what), void *context)
{
	struct reading r = {s, tell, context};

	conf_read(text, take, &r);
}

/* Makes the folders above a file. */
static bool
make_folders(const char *path, struct err *e)
{
	struct sbuf folder = {0};
	bool good = true;

	for (const char *at = strchr(path + 1, '/'); at != NULL && good;
	     at = strchr(at + 1, '/')) {
		sbuf_clear(&folder);
		sbuf_bytes(&folder, path, (size_t)(at - path));
		good = mkdir(sbuf_cstr(&folder), 0777) == 0 || errno == EEXIST;
	}
	sbuf_release(&folder);
	return good || err_system(e, "cannot make its folder");
}

/* The file as it is now; empty when there is none. */
static bool
read_whole(const char *path, struct sbuf *text, struct err *e)
{
	FILE *in = fopen(path, "re");
	char part[4096];
	size_t n;
	bool good;

	if (in == NULL)
		return errno == ENOENT || err_system(e, "cannot read it");
	while (text->n < FILE_MAX && (n = fread(part, 1, sizeof(part), in)) > 0)
		sbuf_bytes(text, part, n);
	good = ferror(in) == 0 && feof(in) != 0;
	fclose(in);
	return good || err_set(e, ERR_SYSTEM, "cannot read it");
}

static bool
write_whole(const char *path, const struct sbuf *text, struct err *e)
{
	struct outfile out;

	if (!outfile_open(&out, path, OUTFILE_REPLACE, e))
		return false;
	/* What fails here is told by the commit. */
	if (text->n > 0)
		fwrite(text->p, 1, text->n, out.file);
	return outfile_commit(&out, e);
}

bool
settings_save(struct settings *s, struct err *e)
{
	struct sbuf text = {0};
	bool good;

	if (s->path == NULL)
		return err_set(e, ERR_SYSTEM, "there is no configuration file");
	good = make_folders(s->path, e) && read_whole(s->path, &text, e);

	if (good && text.n == 0)
		sbuf_text(&text, "# slowtop's settings; slowtop-config(5) has them all\n");
	for (size_t i = 0; good && i < s->change_count; i++)
		conf_set(&text, str_from(s->changes[i].section),
		    str_from(s->changes[i].name), str_from(s->changes[i].value));
	good = good && write_whole(s->path, &text, e);
	sbuf_release(&text);
	if (!good)
		return false;
	for (size_t i = 0; i < s->change_count; i++) {
		mem_free(s->changes[i].section);
		mem_free(s->changes[i].name);
		mem_free(s->changes[i].value);
	}
	s->change_count = 0;
	return true;
}
