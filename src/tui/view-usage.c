/* The view of a text log's cores, processes, threads and counters: a table at a time. */
#include <config.h>

#include "tui/app.h"
#include "tui/commands.h"
#include "tui/view-text.h"
#include "tui/views.h"
#include "view/usage_page.h"

static void
refresh(struct app *app)
{
	usage_page_build(&app->info, app->trace, app->names, app->usage, app->usage_table);
}

static void
enter(struct app *app)
{
	app->info_top = 0;
	refresh(app);
}

static void
want(struct app *app, struct engine_want *want)
{
	(void)app;
	want->usage = true;
}

/* Its key again: the next table. */
void
cmd_usage(struct app *app, int arg)
{
	(void)arg;
	if (app->view != VIEW_USAGE) {
		app_view(app, VIEW_USAGE);
		return;
	}
	app->usage_table = (app->usage_table + 1) % USAGE_TABLES;
	enter(app);
}

static const struct view_command own[] = {{cmd_move, text_scroll}, {NULL, NULL}};

const struct view view_usage = {
    .text = true,
    .own = own,
    .context = text_context,
    .layout = text_layout,
    .want = want,
    .refresh = refresh,
    .draw = text_draw,
    .position = text_position,
    .enter = enter,
};
