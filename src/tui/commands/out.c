// SPDX-License-Identifier: Apache-2.0
/* Copying what is selected, and its source in an editor. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "tui/app.h"
#include "tui/keys/commands.h"
#include "tui/sources.h"
#include "tui/term/clipboard.h"

uint32_t
method_meant(struct app *app)
{
	uint32_t method = screens_method(app);

	if (method == METHOD_NONE)
		app_complain(app, "no method is selected");
	return method;
}

/* Names are hostile: nothing that a shell or an editor would take for keys. */
static void
put_name(struct app *app, uint32_t method, struct sbuf *out)
{
	clean_append(out, names_raw(app->s->names, method), 0);
}

void
copy_text(struct app *app, const struct sbuf *text, const char *lines)
{
	struct err e = {0};

	if (clipboard_put(app->term, app->settings->clipboard, sbuf_view(text), &e))
		app_say(app, "copied%s: %.*s", lines, STR_ARG(sbuf_view(text)));
	else
		app_complain(app, "not copied: %s", e.what);
}

void
cmd_copy(struct app *app)
{
	struct sbuf text = {0};
	uint32_t method = method_meant(app);

	if (method == METHOD_NONE)
		return;
	put_name(app, method, &text);
	copy_text(app, &text, "");
	sbuf_release(&text);
}

/* "    at com.example.A.b(I)V (A.java:12)", as Java prints a stack. */
static void
put_frame(struct app *app, uint32_t index, struct sbuf *out)
{
	const struct method *m = trace_method(app->s->trace, index);

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

/* The present row if it is the method's, and the stack, the method first. */
static void
copy_stack(struct app *app, uint32_t method, const struct selection *stack)
{
	struct sbuf text = {0}, scratch = {0};
	struct sheet sheet;
	char lines[40];

	if (screens_method(app) == method && screens_sheet(app, &sheet, false) && sheet.cursor < sheet.rows) {
		sheet.scratch = &scratch;
		sheet_row(&sheet, sheet.cursor, &text);
	} else {
		put_name(app, method, &text);
	}
	sbuf_char(&text, '\n');
	for (size_t i = stack->depth; i > 0; i--)
		put_frame(app, stack->stack[i - 1], &text);
	if (stack->depth == 0)
		put_frame(app, method, &text);
	snprintf(lines, sizeof(lines), ", %zu lines", stack->depth + 1 + (stack->depth == 0));
	copy_text(app, &text, lines);
	sbuf_release(&scratch);
	sbuf_release(&text);
}

void
cmd_copy_stack(struct app *app)
{
	uint32_t method = method_meant(app);

	if (method == METHOD_NONE)
		return;
	screens_select(app);
	if (app->s->selected.method == method && app->s->selected.depth > 0) {
		copy_stack(app, method, &app->s->selected);
	} else if (method == METHOD_TOPLEVEL || app_loading(app)) {
		copy_stack(app, method, &(struct selection){.method = method});
	} else {
		/* A method of the profile has many: the heaviest of the call tree. */
		app->s->copying = method;
		app_say(app, "looking for the heaviest stack");
	}
}

void
copy_take_trees(struct app *app)
{
	const struct paths *p;
	struct selection stack;
	uint32_t path;

	if (app->s->copying == METHOD_NONE || app->s->trees == NULL || app->s->work.waiting)
		return;
	p = app->s->trees->paths;
	selection_init(&stack);
	stack.method = app->s->copying;
	path = selection_find(&stack, p, app->s->display.figures.clock);
	if (path != PATH_NONE)
		selection_set_path(&stack, p, path);
	copy_stack(app, app->s->copying, &stack);
	app->s->copying = METHOD_NONE;
	selection_release(&stack);
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
cmd_edit(struct app *app)
{
	struct helper program = {0};
	struct sbuf path = {0};
	struct err e = {0};
	const uint32_t method = method_meant(app);
	const struct method *m;
	char line[20];

	if (method == METHOD_NONE)
		return;
	m = trace_method(app->s->trace, method);
	if (!sources_find(app->settings->sources, names_class(app->s->names, method), m->file,
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
