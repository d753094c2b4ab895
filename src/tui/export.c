#include <config.h>

#include "tui/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/outfile.h"
#include "base/tempfile.h"
#include "tui/app.h"
#include "tui/commands.h"
#include "tui/complete.h"

/* Sheets and screens ------------------------------------------------------------------ */

bool
export_sheet(struct app *app, struct sheet *sheet, struct sbuf *scratch)
{
	const struct view *view = views_now(app);
	bool has = view->sheet != NULL && view->sheet(app, sheet);

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

bool
export_text(struct app *app, enum sheet_format format, struct sbuf *out, struct err *e)
{
	struct sbuf scratch = {0};
	struct sheet sheet;

	if (export_sheet(app, &sheet, &scratch)) {
		bool can = sheet_can(&sheet, format);
		bool done = can && sheet_write(&sheet, format, out);

		sbuf_release(&scratch);
		return done || err_set(e, ERR_UNSUPPORTED,
				   can ? "too many stacks (slowtop flame has them)"
				       : "this view has no stacks");
	}
	if (views_now(app)->sheet != NULL)
		return err_set(e, ERR_UNSUPPORTED, "nothing is known yet");
	if (format != SHEET_AS_TEXT)
		return err_set(e, ERR_UNSUPPORTED, "this view can be written as text only");
	if (views_now(app)->print != NULL)
		views_now(app)->print(app, out);
	else
		put_screen(app, out);
	return true;
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

bool
export_file(struct app *app, const char *path, bool over, struct err *e)
{
	enum sheet_format format = format_of(path);
	struct sbuf text = {0};
	struct outfile out;
	bool good;

	if (!export_text(app, format, &text, e)) {
		sbuf_release(&text);
		return false;
	}
	good = outfile_open(&out, path, over ? OUTFILE_REPLACE : OUTFILE_NEW, e);
	if (good) {
		/* What fails here is told by the commit. */
		if (text.n > 0)
			fwrite(text.p, 1, text.n, out.file);
		good = outfile_commit(&out, e);
	}
	/* The name alone: the folder was just typed, and the line is short. */
	if (good)
		app_say(app, "%s written as %s (%zu bytes)",
		    strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path,
		    sheet_formats[format].name, text.n);
	sbuf_release(&text);
	return good;
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

static bool
page(struct app *app, const struct sbuf *text, struct err *e)
{
	const char *pager = getenv("PAGER");
	struct tempfile_how how = {.folder = getenv("TMPDIR")};
	struct helper program = {0};
	struct tempfile file;
	bool good = helper_split(&program,
	    pager != NULL && *pager != '\0' ? str_from(pager) : STR("less -S"), e);

	if (good && tempfile_begin(&file, &how, e)) {
		good = tempfile_write(&file, text->p, text->n, e) &&
		       tempfile_rewind(&file, e) &&
		       term_run(app->term, &program, file.fd, e);
		tempfile_drop(&file);
	} else {
		good = false;
	}
	helper_release(&program);
	return good;
}

void
cmd_pager(struct app *app, int arg)
{
	struct sbuf text = {0};
	struct err e = {0};

	(void)arg;
	if (!export_text(app, SHEET_AS_TEXT, &text, &e) || !page(app, &text, &e))
		app_complain(app, "%s", e.what);
	sbuf_release(&text);
}
