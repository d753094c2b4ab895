// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/keys/complete.h"
#include "tui/writing.h"

enum { STEP_MS = 8, ROWS_FIRST = 256, ROWS_MOST = 1 << 16 };

static void
release(struct writing *w)
{
	sheet_writer_release(&w->writer);
	sheet_release(&w->sheet);
	sbuf_release(&w->scratch);
	sbuf_release(&w->out);
	w->active = false;
}

static void
fold_again(struct app *app)
{
	struct writing *w = &app->writing;

	if (!w->unfolded)
		return;
	w->wanted = w->unfolded = false;
	app->s->subset.folded = true;
	app_changed(app);
}

void
writing_give_up(struct app *app)
{
	struct writing *w = &app->writing;

	if (!w->active)
		return;
	if (w->paged)
		tempfile_drop(&w->temp);
	else
		outfile_abandon(&w->file);
	release(w);
	fold_again(app);
}

/* To the pager --------------------------------------------------------------------- */

static bool
page(struct app *app, struct tempfile *file, struct err *e)
{
	const char *pager = getenv("PAGER");
	struct helper program = {0};
	bool good = helper_split(&program,
			pager != NULL && *pager != '\0' ? str_from(pager) : STR("less -S"), e) &&
		    tempfile_rewind(file, e) && term_run(app->term, &program, file->fd, e);

	helper_release(&program);
	return good;
}

/* Steps ------------------------------------------------------------------------------ */

static bool
put(struct writing *w, struct err *e)
{
	w->bytes += w->out.n;
	if (w->paged)
		return tempfile_write(&w->temp, w->out.p, w->out.n, e);
	outfile_write(&w->file, w->out.p, w->out.n);
	return true;
}

static void
finish(struct app *app)
{
	struct writing *w = &app->writing;
	struct err e = {0};

	if (w->paged) {
		(void)page(app, &w->temp, &e);
		tempfile_drop(&w->temp);
	} else if (outfile_commit(&w->file, &e)) {
		/* The name alone: the user just entered the folder, and the line is short. */
		app_say(app, "%.200s written as %s (%llu bytes%s)", path_base(w->path),
		    sheet_formats[w->writer.format].name, (unsigned long long)w->bytes,
		    w->partial ? ", of the part read by then" : "");
	}
	if (e.kind != ERR_NONE)
		app_complain(app, "%s", e.what);
	release(w);
	fold_again(app);
}

bool
writing_interrupt(struct app *app)
{
	if (!app->writing.active && !app->writing.wanted)
		return false;
	if (app->writing.active)
		writing_give_up(app);
	fold_again(app);
	app_say(app, "cancelled: nothing was written");
	return true;
}

/*
 * Writes as many rows as take half a step; the number is found while writing, because the
 * costs of rows vary.
 */
void
writing_step(struct app *app)
{
	struct writing *w = &app->writing;
	int64_t begin = clock_ms(), before = begin, now;
	struct err e = {0};
	bool more;

	if (!w->active)
		return;
	do {
		sbuf_clear(&w->out);
		more = sheet_writer_step(&w->writer, w->rows, &w->out);
		if (!put(w, &e)) {
			writing_give_up(app);
			app_complain(app, "%s", e.what);
			return;
		}
		now = clock_ms();
		if (now - before > STEP_MS / 2 && w->rows > 1)
			w->rows /= 2;
		else if (now == before && w->rows < ROWS_MOST)
			w->rows *= 2;
		before = now;
	} while (more && now - begin < STEP_MS);
	if (!more)
		finish(app);
}

/* To a file, or (NULL) to the pager. */
static bool
open_target(struct writing *w, const char *path, enum outfile_how how, struct err *e)
{
	w->paged = path == NULL;
	w->bytes = 0;
	if (w->paged) {
		w->how = (struct tempfile_how){.folder = getenv("TMPDIR")};
		w->active = tempfile_begin(&w->temp, &w->how, e);
	} else {
		snprintf(w->path, sizeof(w->path), "%s", path);
		w->active = outfile_open(&w->file, w->path, how, e);
	}
	return w->active;
}

bool
writing_begin(struct app *app, struct sheet *sheet, enum sheet_format format,
    const char *path, enum outfile_how how, struct err *e)
{
	struct writing *w = &app->writing;

	if (!sheet_can(sheet, format)) {
		sheet_release(sheet);
		return err_set(e, ERR_UNSUPPORTED, "this view has no stacks");
	}
	if (!open_target(w, path, how, e)) {
		sheet_release(sheet);
		return false;
	}
	w->sheet = *sheet;
	w->sheet.scratch = &w->scratch;
	w->partial = app_loading(app);
	w->rows = ROWS_FIRST;
	sheet_writer_begin(&w->writer, &w->sheet, format, NULL);
	writing_step(app);
	return true;
}

void
writing_text(const struct app *app, char *out, size_t size)
{
	const struct writing *w = &app->writing;

	snprintf(out, size, "writing %.80s: %d%% (^C stops it, other keys wait)",
	    w->paged ? "for the pager" : path_base(w->path),
	    (int)(sheet_writer_progress(&w->writer) * 100));
}

/* Sheets and screens ------------------------------------------------------------------ */

/* The view as text, when that is no sheet; false when it is one, or not known yet. */
static bool
write_plain(struct app *app, const char *path, enum outfile_how how, struct err *e)
{
	struct writing *w = &app->writing;
	const struct screen *screen = views_now(app)->screen;

	if (screen->print == NULL && screens_have_sheet(app))
		return err_set(e, ERR_UNSUPPORTED, "nothing is known yet");
	if (!open_target(w, path, how, e))
		return false;
	if (screen->print != NULL)
		screen->print(app, &w->out);
	else
		canvas_lines(&app->canvas, 1, app->canvas.rows - 1, &w->out);
	w->writer.format = SHEET_AS_TEXT;
	w->partial = false;
	if (!put(w, e)) {
		writing_give_up(app);
		return false;
	}
	finish(app);
	return true;
}

/* A page of text is written as such. */
static bool
has_sheet(struct app *app, enum sheet_format format, struct sheet *sheet)
{
	return (format != SHEET_AS_TEXT || views_now(app)->screen->print == NULL) &&
	       screens_sheet(app, sheet, format == SHEET_AS_CSV || format == SHEET_AS_JSON || format == SHEET_AS_LINES);
}

/* Files --------------------------------------------------------------------------------- */

static enum sheet_format
format_of(const char *path)
{
	size_t n = strlen(path);

	for (int i = 0; i < SHEET_FORMATS; i++) {
		size_t k = strlen(sheet_formats[i].ending);

		if (n > k && strcmp(path + n - k, sheet_formats[i].ending) == 0)
			return (enum sheet_format)i;
	}
	return SHEET_AS_TEXT;
}

/*
 * Writes into a file, whole or not at all, in the form of its suffix, else as text.
 * `over`: also over an existing one.  Large output goes on in steps.  Forms for programs have
 * names of slices as they are: where the screen has them folded, the view is counted again first.
 */
static bool
export_file(struct app *app, const char *path, bool over, struct err *e)
{
	enum sheet_format format = format_of(path);
	enum outfile_how how = over ? OUTFILE_REPLACE : OUTFILE_NEW;
	struct sheet sheet;

	if (format != SHEET_AS_TEXT && app->s->subset.folded && views_show(app, SHOWS_FILTERS) &&
	    (over || !outfile_exists(path))) {
		struct writing *w = &app->writing;

		snprintf(w->path, sizeof(w->path), "%s", path);
		w->over = over;
		w->wanted = w->unfolded = true;
		app->s->subset.folded = false;
		app_changed(app);
		return true;
	}
	if (has_sheet(app, format, &sheet))
		return writing_begin(app, &sheet, format, path, how, e);
	if (format != SHEET_AS_TEXT)
		return err_set(e, ERR_UNSUPPORTED,
		    screens_have_sheet(app) ? "nothing is known yet"
						  : "this view can be written as text only");
	return write_plain(app, path, how, e);
}

void
writing_follow(struct app *app)
{
	struct writing *w = &app->writing;
	char path[PROMPT_MAX + 1];
	struct err e = {0};

	if (!w->wanted)
		return;
	app_follow(app);
	if (engine_pending(app->s->engine, 1u << QUERY_METHODS | views_now(app)->answers))
		return;
	w->wanted = false;
	snprintf(path, sizeof(path), "%s", w->path);
	if (export_file(app, path, w->over, &e))
		return;
	app_complain(app, "%s", e.what);
	fold_again(app);
}

bool
cmd_write(struct app *app, const struct argument *name, struct err *e)
{
	char path[PROMPT_MAX + 1];
	bool over = name->arg != 0;

	if (name->text.n == 0)
		return err_set(e, ERR_MALFORMED, "expected the name of a file");
	snprintf(path, sizeof(path), "%.*s", STR_ARG(name->text));
	if (!over && outfile_exists(path))
		return err_set(e, ERR_SYSTEM, "the file exists; write! overwrites it");
	return export_file(app, path, over, e);
}

/* E: asks for the name --------------------------------------------------------------- */

static bool
accepted(struct app *app)
{
	struct str name = prompt_text(&app->prompt);
	/* Accepted twice without a change: the user means it. */
	bool over = str_equal(str_from(app->export_refused), name) && name.n > 0;
	char path[PROMPT_MAX + 1], text[PROMPT_MAX + 1];
	struct err e = {0};

	if (name.n == 0)
		return true;
	snprintf(path, sizeof(path), "%.*s", STR_ARG(name));
	if (export_file(app, path, over, &e))
		return true;
	snprintf(text, sizeof(text), "%.120s", e.what);
	app->export_refused[0] = '\0';
	if (outfile_exists(path) && !over) {
		snprintf(app->export_refused, sizeof(app->export_refused), "%s", path);
		snprintf(text, sizeof(text), "the file exists; Enter again overwrites it");
	}
	prompt_error(&app->prompt, app->prompt.n, text);
	return false;
}

static void
changed(struct app *app)
{
	app->export_refused[0] = '\0';
}

static const struct ask ask_export = {
    "write to (.txt .csv .json .jsonl .folded): ", changed, accepted, changed, complete_file,
    NULL, 'E'};

void
cmd_export(struct app *app)
{
	app->export_refused[0] = '\0';
	app_ask(app, &ask_export, STR(""));
}

/* |: to the pager --------------------------------------------------------------------- */

void
cmd_pager(struct app *app)
{
	struct sheet sheet;
	struct err e = {0};

	if (has_sheet(app, SHEET_AS_TEXT, &sheet))
		(void)writing_begin(app, &sheet, SHEET_AS_TEXT, NULL, OUTFILE_NEW, &e);
	else
		(void)write_plain(app, NULL, OUTFILE_NEW, &e);
	if (e.kind != ERR_NONE)
		app_complain(app, "%s", e.what);
}
