#include <config.h>

#include "cli/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "cli/say.h"

enum { TOLD_MAX = 10 };

/* The environment variable's value; NULL when it is unset or empty. */
static const char *
variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : NULL;
}

/* The file's name, a new string; NULL when there is none.  `asked`: it must be there. */
static char *
find(const struct options *o, bool *asked)
{
	const char *xdg = variable("XDG_CONFIG_HOME"), *home = variable("HOME");
	const char *own = variable("SLOWTOP_CONFIG");
	struct sbuf path = {0};

	*asked = o->config != NULL;
	if (o->no_config)
		return NULL;
	if (o->config != NULL)
		sbuf_text(&path, o->config);
	else if (own != NULL)
		sbuf_text(&path, own);
	else if (xdg != NULL && xdg[0] == '/') /* others have to be passed over */
		sbuf_printf(&path, "%s/slowtop/config", xdg);
	else if (home != NULL)
		sbuf_printf(&path, "%s/.config/slowtop/config", home);
	return path.p;
}

bool
config_there(const struct options *o)
{
	struct stat file;

	if (o->config == NULL || o->no_config)
		return true;
	if (stat(o->config, &file) == 0 && access(o->config, R_OK) == 0) {
		if (!S_ISDIR(file.st_mode))
			return true;
		errno = EISDIR;
	}
	say_trouble(o->config, "%s", strerror(errno));
	return false;
}

struct telling {
	const char *path;
	int told;
};

static void
tell(void *context, int line, const char *what)
{
	struct telling *t = context;

	if (t->told++ < TOLD_MAX)
		say_trouble(t->path, "line %d: %s", line, what);
}

bool
config_load(struct settings *s, const struct options *o)
{
	struct err e = {.kind = ERR_NONE};
	struct sbuf text = {0};
	bool asked, good = true;
	struct telling telling;

	s->path = find(o, &asked);
	telling = (struct telling){s->path, 0};
	if (s->path != NULL && !textfile_read(s->path, &text, &e)) {
		good = !asked;
		say_trouble(s->path, "%s", e.what);
		sbuf_clear(&text);
	}
	settings_read(s, sbuf_view(&text), tell, &telling);
	if (telling.told > TOLD_MAX)
		say_trouble(s->path, "%d more lines like that", telling.told - TOLD_MAX);
	for (int i = 0; good && i < o->override_count; i++)
		settings_set(s, STR(""), str_from(o->overrides[i].name),
		    str_from(o->overrides[i].value), NULL);
	sbuf_release(&text);
	return good;
}
