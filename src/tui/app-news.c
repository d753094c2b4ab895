/* What the engine found, handed to those who show it. */
#include <config.h>

#include "tui/app.h"
#include "tui/commands.h"

/* Whether anything on the screen may differ by these news. */
static bool
news_differ(const struct engine_news *news, const struct engine_news *before)
{
	bool answered = news->fold != NULL || news->usage != NULL || news->paths != NULL ||
	    news->timeline != NULL || news->marks != NULL || news->tracks != NULL ||
	    news->calls != NULL || news->call_fresh || news->near_serial != 0;

	return answered || news->state != before->state ||
	    news->bytes_done != before->bytes_done || news->counted != before->counted ||
	    news->drawn != before->drawn;
}

/* What the engine made goes to those who show it; nothing of it is left in the news. */
static void
news_hand_on(struct app *app, struct engine_news *news)
{
	if (news->fold != NULL) {
		if (news->transform_err.kind != ERR_NONE)
			app_complain(app, "%s", news->transform_err.what);
		timeline_pane_set_fold(&app->timeline, news->fold);
		app->compare.fold_serial++;
		table_set_fold(&app->table, news->fold);
	}
	if (news->usage != NULL) {
		usage_free(app->usage);
		app->usage = news->usage;
	}
	if (news->paths != NULL)
		trees_take(app, news->paths);
	if (news->timeline != NULL)
		timeline_pane_take_cells(&app->timeline, news->timeline);
	if (news->marks != NULL)
		timeline_pane_take_marks(&app->timeline, news->marks);
	if (news->tracks != NULL)
		timeline_pane_take_tracks(&app->timeline, news->tracks);
	if (news->call_fresh) {
		app->slice = news->slice;
		app->slice_of = news->point;
		app->slice_at = news->call_at;
		app->slice_call = news->call;
		timeline_pane_take_point(&app->timeline, &news->point, news->call_at, &news->call,
		    &news->at_point);
	}
	if (news->calls != NULL && news->calls->method == app->calls_method)
		calls_list_set(&app->calls, news->calls);
	else
		calls_free(news->calls);
	calls_take_near(app, news);
	news->fold = NULL;
	news->usage = NULL;
	news->paths = NULL;
	news->timeline = NULL;
	news->marks = NULL;
	news->tracks = NULL;
	news->calls = NULL;
}

bool
app_take(struct app *app)
{
	struct engine_news news;
	bool differs;

	/* What is being written borrows what the news would replace. */
	if (writing_alone(app))
		return false;
	differs = reload_take(app);
	engine_take(app->engine, &news);
	differs |= news_differ(&news, &app->now);
	timeline_pane_set_span(&app->timeline, news.begin, news.end);
	app_follow_times(app);
	news_hand_on(app, &news);
	if (news.drawing && !app->now.drawing)
		app->draw_start_ms = app_clock_ms();
	if (news.counting && !app->now.counting)
		app->count_start_ms = app_clock_ms();
	app->now = news;
	recount_take(app);
	differs |= compare_take(app);
	if (differs) {
		start_follow(app);
		reload_learn(app);
		reload_follow(app);
	}
	copy_take_trees(app);
	if (differs) {
		if (views_now(app)->refresh != NULL)
			views_now(app)->refresh(app);
		popup_refresh(app);
	}
	return differs;
}
