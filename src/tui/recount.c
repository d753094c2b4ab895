#include <config.h>

#include "tui/recount.h"

#include <stdio.h>

#include "tui/app.h"
#include "view/window.h"

enum { SLOW_MS = 100 };

void
recount_release(struct recount *r)
{
	transforms_release(&r->transforms);
	scope_free(r->scope);
	*r = (struct recount){.known = false};
}

static bool
is_wanted(const struct app *app)
{
	const struct recount *r = &app->shown;

	return transforms_equal(&r->transforms, &app->transforms) &&
	       scope_equal(r->scope, app->scope) && window_equal(&r->window, &app->window);
}

void
recount_take(struct app *app)
{
	struct recount *r = &app->shown;

	if (app->now.counting || app->table.figures.fold == NULL || (r->known && is_wanted(app)))
		return;
	recount_release(r);
	r->known = true;
	transforms_copy(&r->transforms, &app->transforms);
	r->scope = scope_copy(app->scope);
	r->window = app->window;
}

bool
recount_pending(const struct app *app)
{
	return app->now.counting && !app_loading(app) && app->table.figures.fold != NULL;
}

bool
recount_slow(const struct app *app)
{
	return recount_pending(app) && app_clock_ms() - app->count_start_ms >= SLOW_MS;
}

void
recount_text(const struct app *app, char *out, size_t size)
{
	char text[WINDOW_TEXT], done[20] = "";

	if (app->now.counted > 0)
		snprintf(done, sizeof(done), " %d%%", (int)(app->now.counted * 100));
	if (range_is_all(&app->window))
		snprintf(out, size, "counting%s (^C keeps what is shown)", done);
	else
		snprintf(out, size, "counting %s%s%s (^C keeps what is shown)",
		    window_text(text, &app->window, app->now.begin, app->now.end, &app->scale),
		    done[0] != '\0' ? ":" : "", done);
}

bool
recount_interrupt(struct app *app)
{
	struct recount *r = &app->shown;

	if (!recount_pending(app) || !r->known || is_wanted(app))
		return false;
	app_note(app);
	transforms_copy(&app->transforms, &r->transforms);
	app_set_scope(app, scope_copy(r->scope));
	app->window = r->window;
	app_say(app, "given up: the figures are of what the title tells (u: again)");
	return true;
}
