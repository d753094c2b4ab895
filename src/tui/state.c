#include <config.h>

#include "tui/state.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/outfile.h"
#include "tui/app.h"

char *
state_path(const char *name)
{
	const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	struct sbuf path = {0};

	if (xdg != NULL && xdg[0] == '/')
		sbuf_printf(&path, "%s/slowtop/%s", xdg, name);
	else if (home != NULL && home[0] == '/')
		sbuf_printf(&path, "%s/.local/state/slowtop/%s", home, name);
	return path.p;
}

/* A line of the file is the prompt's letter and what was typed. */
struct kept {
	char kind;
	struct prompt_history *history;
};

enum { KINDS = 5 };

static void
kinds(struct app *app, struct kept list[KINDS])
{
	list[0] = (struct kept){'/', &app->searches};
	list[1] = (struct kept){'&', &app->filter_lines};
	list[2] = (struct kept){':', &app->command_lines};
	list[3] = (struct kept){'E', &app->export_names};
	list[4] = (struct kept){'x', &app->transform_lines};
}

/* False when it cannot be read; what is no text of ours is passed over. */
static bool
read_lines(struct sbuf *text)
{
	char *path = state_path("history");
	bool good = path != NULL && textfile_read(path, text, NULL);

	mem_free(path);
	return good;
}

void
state_load(struct app *app)
{
	struct kept list[KINDS];
	struct sbuf text = {0};

	kinds(app, list);
	if (app->settings->history && read_lines(&text))
		for (int i = 0; i < KINDS; i++)
			prompt_history_read(list[i].history, list[i].kind, sbuf_view(&text));
	sbuf_release(&text);
}

void
state_save(struct app *app)
{
	struct kept list[KINDS];
	struct sbuf text = {0}, next = {0};
	char *path = state_path("history");
	bool any = false;

	kinds(app, list);
	for (int i = 0; i < KINDS; i++)
		any = any || list[i].history->fresh > 0;
	if (any && app->settings->history && path != NULL && read_lines(&text)) {
		for (int i = 0; i < KINDS; i++) {
			struct prompt_history merged = {0};

			prompt_history_read(&merged, list[i].kind, sbuf_view(&text));
			prompt_history_merge(&merged, list[i].history);
			prompt_history_write(&merged, list[i].kind, &next);
			prompt_history_release(&merged);
		}
		textfile_write_private(path, sbuf_view(&next), NULL);
	}
	sbuf_release(&text);
	sbuf_release(&next);
	mem_free(path);
}
