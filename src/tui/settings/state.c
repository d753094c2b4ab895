// SPDX-License-Identifier: Apache-2.0
/*
 * state: what is kept between runs and is no setting: bookmarks, lines of prompts.
 *
 * Files in $XDG_STATE_HOME/slowtop, else in ~/.local/state/slowtop.
 */
#include <config.h>

#include <stdlib.h>

#include "base/mem.h"
#include "base/outfile.h"
#include "tui/app.h"

bool
state_folder(struct sbuf *folder, const char *variable, const char *otherwise)
{
	const char *own = getenv(variable), *home = getenv("HOME");

	if (own != NULL && *own == '/')
		sbuf_printf(folder, "%s/" PACKAGE_NAME, own);
	else if (home != NULL && *home == '/')
		sbuf_printf(folder, "%s/%s/" PACKAGE_NAME, home, otherwise);
	return folder->n > 0;
}

char *
state_path(const char *name)
{
	struct sbuf path = {0};

	if (state_folder(&path, "XDG_STATE_HOME", ".local/state"))
		sbuf_printf(&path, "/%s", name);
	return path.p;
}

void
state_load(struct app *app)
{
	struct sbuf text = {0};
	char *path = state_path("history");

	if (app->settings->history && path != NULL && textfile_read(path, &text, NULL))
		for (int i = 0; i < PROMPT_KINDS; i++)
			prompt_history_read(&app->lines[i], prompt_kinds[i], sbuf_view(&text));
	sbuf_release(&text);
	mem_free(path);
}

void
state_save(struct app *app)
{
	struct sbuf text = {0}, next = {0};
	char *path = state_path("history");
	bool any = false;

	for (int i = 0; i < PROMPT_KINDS; i++)
		any = any || app->lines[i].fresh > 0;
	if (any && app->settings->history && path != NULL && textfile_read(path, &text, NULL)) {
		for (int i = 0; i < PROMPT_KINDS; i++) {
			struct prompt_history merged = {0};

			prompt_history_read(&merged, prompt_kinds[i], sbuf_view(&text));
			prompt_history_merge(&merged, &app->lines[i]);
			prompt_history_write(&merged, prompt_kinds[i], &next);
			prompt_history_release(&merged);
		}
		textfile_write(path, sbuf_view(&next), 0600, NULL);
	}
	sbuf_release(&text);
	sbuf_release(&next);
	mem_free(path);
}
