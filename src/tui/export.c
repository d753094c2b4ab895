#include <config.h>

#include "tui/export.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/outfile.h"
#include "tui/app.h"
#include "tui/commands.h"
#include "tui/complete.h"
#include "tui/writing.h"

/* Sheets and screens ------------------------------------------------------------------ */

bool
export_sheet(struct app *app, struct sheet *sheet, struct sbuf *scratch)
{
	bool has = views_sheet(app, sheet);

	sheet->scratch = scratch;
	return has;
}

/* The rows between title and last line. */
static void
put_screen(const struct app *app, struct sbuf *out)
{
	for (int i = 1; i + 1 < app->canvas.rows; i++) {
		char *row = canvas_row(&app->canvas, i);

		sbuf_text(out, row);
		sbuf_char(out, '\n');
		mem_free(row);
	}
}

/* The view as text, when that is no sheet; false when it is one, or not known yet. */
static bool
put_plain(struct app *app, struct sbuf *out, struct err *e)
{
	const struct view *view = views_now(app);

	if (view->print != NULL) {
		view->print(app, out);
		return true;
	}
	if (views_has_sheet(app))
		return err_set(e, ERR_UNSUPPORTED, "nothing is known yet");
	put_screen(app, out);
	return true;
}

/* What is a page of text stays one for people. */
static bool
has_sheet(struct app *app, enum sheet_format format, struct sheet *sheet)
{
	return (format != SHEET_AS_TEXT || views_now(app)->print == NULL) &&
	       export_sheet(app, sheet, NULL);
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

static bool
write_plain(struct app *app, const char *path, enum outfile_how how, struct err *e)
{
	struct sbuf text = {0};
	struct outfile out;
	bool good = put_plain(app, &text, e) && outfile_open(&out, path, how, e);

	if (good) {
		/* What fails here is told by the commit. */
		if (text.n > 0)
			fwrite(text.p, 1, text.n, out.file);
		good = outfile_commit(&out, e);
	}
	if (good)
		app_say(app, "%s written as text (%zu bytes)",
		    strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path, text.n);
	sbuf_release(&text);
	return good;
}

bool
export_file(struct app *app, const char *path, bool over, struct err *e)
{
	enum sheet_format format = format_of(path);
	enum outfile_how how = over ? OUTFILE_REPLACE : OUTFILE_NEW;
	struct sheet sheet;

	if (has_sheet(app, format, &sheet))
		return sheet_can(&sheet, format)
			   ? writing_to_file(app, &sheet, format, path, how, e)
			   : err_set(e, ERR_UNSUPPORTED, "this view has no stacks");
	if (format != SHEET_AS_TEXT)
		return err_set(e, ERR_UNSUPPORTED,
		    views_has_sheet(app) ? "nothing is known yet"
						  : "this view can be written as text only");
	return write_plain(app, path, how, e);
}

/* E: asks for the name --------------------------------------------------------------- */

static bool
accepted(struct app *app)
{
	struct str name = prompt_text(&app->prompt);
	/* Accepted once more as it is: the user means it. */
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
		snprintf(text, sizeof(text), "the file is there; Enter again writes over it");
	}
	prompt_error(&app->prompt, app->prompt.n, text);
	return false;
}

static void
changed(struct app *app)
{
	app->export_refused[0] = '\0';
}

static void
cancelled(struct app *app)
{
	app->export_refused[0] = '\0';
}

static const struct ask ask_export = {
    "write to (.txt .csv .json .folded): ", changed, accepted, cancelled, complete_file,
    NULL};

void
cmd_export(struct app *app, int arg)
{
	(void)arg;
	app->export_refused[0] = '\0';
	app_ask(app, &ask_export, STR(""), &app->export_names);
}

/* |: to the pager --------------------------------------------------------------------- */

void
cmd_pager(struct app *app, int arg)
{
	struct sheet sheet;
	struct sbuf text = {0};
	struct err e = {0};

	(void)arg;
	if (has_sheet(app, SHEET_AS_TEXT, &sheet))
		(void)writing_to_pager(app, &sheet, &e);
	else if (put_plain(app, &text, &e))
		(void)page_text(app, &text, &e);
	if (e.kind != ERR_NONE)
		app_complain(app, "%s", e.what);
	sbuf_release(&text);
}
