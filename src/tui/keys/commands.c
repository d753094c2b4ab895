// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/keys/commands.h"

#include <ctype.h>
#include <string.h>

#include "tui/app.h"
#include "tui/popups/popup.h"

#define RUN(function) .run = function
#define WITH(function, argument) .with = function, .arg = argument
#define LINE(function) .line = function
#define OPEN(popup) .opens = &popup

/* clang-format off */
const struct command tui_commands[] = {
    /* The views, from the first on under their heading. */
#define VIEW(number, screen, list, context, answers, shows, word, bar_, shorter, name, contexts,  \
    keys, flags, help, hint_)                                                                      \
	{name, contexts, keys, flags, help, WITH(cmd_view, VIEW_##number), .hint = hint_,         \
	    .group = VIEW_##number == VIEW_PROFILE ? "VIEWS, PANES" : NULL, .bar = {bar_, shorter}, .called = word},
#include "view/views.def"
#define COMMAND(...) {__VA_ARGS__},
#include "tui/keys/commands.def"
#undef COMMAND
};
/* clang-format on */

const size_t tui_command_count = sizeof(tui_commands) / sizeof(tui_commands[0]);

const struct context_row context_table[] = {
    {IN_TABLE, "profile table", "table", "open filter search pane choose-threads clock help"},
    {IN_TIMELINE, "timeline", "timeline",
	"select-call cursor-right row-open zoom-in range-window whole pane help"},
    {IN_TREE, "call tree", "call tree",
	"open heaviest expand-all filter search threads-together help"},
    {IN_CALLS, "calls", "calls", "stack call-zoom call-next call-previous choose-threads clock help"},
    {IN_FLAME, "flame graph", "flame graph",
	"frame-zoom back hide-idle heaviest search-name value threads-together help"},
    {IN_THREADS, "threads", "threads",
	"thread-toggle threads-all thread-pin thread-only search sort-left help"},
    {IN_USAGE, "log tables", "log tables",
	"row-go wait-zoom waits view-usage usage-pick filter search sort-left help"},
    {IN_DIFF, "comparison", "comparison",
	"method-go diff-next filter search diff-value sort-left help"},
    {IN_PACKAGES, "packages", "packages", "open view-packages filter-row filter search sort-left clock help"},
    {IN_FRAMES, "frames", "frames", "frame-range frame-next sort-left search choose-threads help"},
    {IN_FINDINGS, "findings", "findings", "finding-go expand view-findings search choose-threads help"},
    {IN_SEQUENCE, "calls in order", "order", "sequence-open expand sequence-range search choose-threads clock help"},
    {IN_INFO, "information", "information", "close search help"},
    {IN_DETAILS, "details", "details", "close waker waits chain back help"},
    {0, NULL, NULL, NULL},
};

const struct context_row *
context_find(unsigned context)
{
	const struct context_row *row = context_table;

	while (row->context != 0 && row->context != context)
		row++;
	return row;
}

const struct command *
commands_find_in(const char *name, unsigned contexts)
{
	for (size_t i = 0; i < tui_command_count; i++)
		if ((tui_commands[i].contexts & contexts) != 0 &&
		    strcmp(tui_commands[i].name, name) == 0)
			return &tui_commands[i];
	return NULL;
}

const struct command *
commands_find(const char *name)
{
	return commands_find_in(name, ~0u);
}

const char *
command_word(
    struct names *names, const struct command *c, int i, char out[static COMMAND_WORD])
{
	const char *title = c->bar[0] != NULL ? names_words(names, c->bar[0]) : "";
	const char *words[] = {c->name, c->called != NULL ? c->called : c->name, title};
	size_t n = 0;

	if (i > 2 || *words[i] == '\0')
		return NULL;
	for (; words[i][n] != '\0' && n + 1 < COMMAND_WORD; n++)
		out[n] = (char)tolower((unsigned char)words[i][n]);
	out[n] = '\0';
	return out;
}

const struct command *
commands_named(struct names *names, struct str word, struct err *e)
{
	const struct command *view = NULL, *found = NULL, *other = NULL;
	int n = (int)(word.n < 40 ? word.n : 40);

	for (const struct command *c = tui_commands; c < tui_commands + tui_command_count; c++) {
		char out[COMMAND_WORD];

		if (!command_in_views(c))
			continue;
		if (str_equal(str_from(c->name), word))
			return c;
		for (int i = 0; command_word(names, c, i, out) != NULL; i++) {
			if (!str_starts(str_from(out), word))
				continue;
			if (strlen(out) == word.n && view == NULL)
				view = c;
			if (found == NULL)
				found = c;
			else if (other == NULL && strcmp(found->name, c->name) != 0)
				other = c;
		}
	}
	if (view != NULL)
		return view;
	if (other != NULL)
		err_set(e, ERR_MALFORMED, "'%.*s' is ambiguous: %s, %s, ... (Tab)", n, word.p,
		    found->name, other->name);
	else if (found == NULL)
		err_set(e, ERR_MALFORMED, "there is no action '%.*s' (Tab shows all)", n, word.p);
	return other == NULL ? found : NULL;
}

void
command_do(struct app *app, const struct command *command)
{
	struct argument none = {.text = STR(""), .arg = command->arg};
	const char *why = command_lacks(app, command);
	struct err e = {0};

	if (why != NULL)
		app_complain(app, "%s", why);
	else if (command->line != NULL && !command->line(app, &none, &e))
		app_complain(app, "%s", e.what);
	else if (command->opens != NULL)
		popup_open(app, command->opens, 0);
	else if (command->run != NULL)
		command->run(app);
	else if (command->with != NULL)
		command->with(app, command->arg);
}

const char *
command_lacks(const struct app *app, const struct command *command)
{
	const struct trace *trace = app->s->trace;

	if ((command->flags & OF_LOG) != 0 && trace->log == NULL)
		return "cores, states, processes and tags need a system trace";
	if ((command->flags & OF_DIFF) != 0 && !compare_is_on(app))
		return "no comparison (:diff FILE)";
	/* Frames are known once all is read. */
	if ((command->flags & OF_FRAMES) != 0 && !app->s->has_frames && !app_loading(app))
		return "the trace has no frames of the display";
	if ((command->flags & OF_CLOCKS) != 0 && !trace_has_both(trace))
		return trace_has_clock(trace, CLOCK_CPU) ? "this trace has only CPU time"
							 : "this trace has only wall time";
	return NULL;
}

bool
command_suits(const struct app *app, const struct command *command)
{
	return command_lacks(app, command) == NULL;
}

bool
command_in_views(const struct command *command)
{
	return (command->contexts & IN_ALL) != 0;
}
