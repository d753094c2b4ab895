/* Copying what is selected, and its source in an editor. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/clean.h"
#include "tui/app.h"
#include "tui/clipboard.h"
#include "tui/commands.h"
#include "tui/export.h"
#include "tui/sources.h"

static const struct method *
selected(struct app *app, uint32_t *index)
{
	*index = views_method(app);
	if (*index == METHOD_NONE) {
		app_complain(app, "no method is selected");
		return NULL;
	}
	return trace_method(app->trace, *index);
}

/* Names are hostile: nothing that a shell or an editor would take for keys. */
static void
put_name(struct app *app, uint32_t method, struct sbuf *out)
{
	clean_append(out, names_raw(app->names, method), 0);
}

static void
put(struct app *app, const struct sbuf *text, const char *lines)
{
	struct err e = {0};

	if (clipboard_put(app->term, app->settings->clipboard, sbuf_view(text), &e))
		app_say(app, "copied%s: %.*s", lines, STR_ARG(sbuf_view(text)));
	else
		app_complain(app, "not copied: %s", e.what);
}

void
cmd_copy(struct app *app, int arg)
{
	struct sbuf text = {0};
	uint32_t method;

	(void)arg;
	if (selected(app, &method) == NULL)
		return;
	put_name(app, method, &text);
	put(app, &text, "");
	sbuf_release(&text);
}

/* "    at com.example.A.b(I)V (A.java:12)", as Java prints a stack. */
static void
put_frame(struct app *app, uint32_t index, struct sbuf *out)
{
	const struct method *m = trace_method(app->trace, index);

	sbuf_text(out, "\tat ");
	put_name(app, index, out);
	if (m->file.n > 0) {
		sbuf_text(out, " (");
		clean_append(out, m->file, 0);
		if (m->line > 0)
			sbuf_printf(out, ":%d", (int)m->line);
		sbuf_char(out, ')');
	}
	sbuf_char(out, '\n');
}

void
cmd_copy_stack(struct app *app, int arg)
{
	struct sbuf text = {0}, scratch = {0};
	struct sheet sheet;
	char lines[40];
	uint32_t method;
	size_t frames;

	(void)arg;
	if (selected(app, &method) == NULL)
		return;
	if (export_sheet(app, &sheet, &scratch) && sheet.cursor < sheet.rows)
		sheet_row(&sheet, sheet.cursor, &text);
	else
		put_name(app, method, &text);
	sbuf_char(&text, '\n');
	views_select(app);
	frames = app->selected.method == method ? app->selected.depth : 0;
	for (size_t i = frames; i > 0; i--)
		put_frame(app, app->selected.stack[i - 1], &text);
	if (frames == 0)
		put_frame(app, method, &text);
	snprintf(lines, sizeof(lines), ", %zu line%s", frames + 1 + (frames == 0), "s");
	put(app, &text, lines);
	sbuf_release(&scratch);
	sbuf_release(&text);
}

/* $VISUAL, $EDITOR, vi. */
static const char *
editor(void)
{
	static const char *const names[] = {"VISUAL", "EDITOR"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value != NULL && *value != '\0')
			return value;
	}
	return "vi";
}

void
cmd_edit(struct app *app, int arg)
{
	struct helper program = {0};
	struct sbuf path = {0};
	struct err e = {0};
	const struct method *m;
	char line[20];
	uint32_t method;

	(void)arg;
	m = selected(app, &method);
	if (m == NULL)
		return;
	if (!sources_find(app->settings->sources, names_class(app->names, method), m->file,
		&path, &e) ||
	    !helper_split(&program, str_from(editor()), &e))
		goto out;
	if (m->line > 0) {
		snprintf(line, sizeof(line), "+%d", (int)m->line);
		helper_add(&program, str_from(line));
	}
	helper_add(&program, sbuf_view(&path));
	if (term_run(app->term, &program, -1, &e))
		app_say(app, "edited %s", sbuf_cstr(&path));
out:
	if (e.kind != ERR_NONE)
		app_complain(app, "%s", e.what);
	helper_release(&program);
	sbuf_release(&path);
}
