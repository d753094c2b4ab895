/* Between the settings and the state of the program. */
#include <config.h>

#include "tui/settings-apply.h"

#include "tui/app.h"

enum { TIMELINE_LOWBW = 4 };

void
apply_base(struct app *app)
{
	table_set_base(&app->table, (enum percent_base)app->settings->base);
}

void
look_base(const struct app *app, struct settings *s)
{
	s->base = (int)app->table.figures.base;
}

static enum clock_id
clock_of(const struct app *app, int choice)
{
	enum clock_id id = choice == CLOCK_CHOOSE_CPU	 ? CLOCK_CPU
			   : choice == CLOCK_CHOOSE_WALL ? CLOCK_WALL
							 : trace_default_clock(app->trace);

	return app->trace->clocks & 1u << id ? id : trace_default_clock(app->trace);
}

void
apply_clock(struct app *app)
{
	table_set_clock(&app->table, clock_of(app, app->settings->clock));
}

void
look_clock(const struct app *app, struct settings *s)
{
	if (app->table.figures.clock != clock_of(app, s->clock))
		s->clock = app->table.figures.clock == CLOCK_CPU ? CLOCK_CHOOSE_CPU
								 : CLOCK_CHOOSE_WALL;
}

void
apply_columns(struct app *app)
{
	const struct columnset *set = app->settings->columns;

	table_set_columns(&app->table, &set[LIST_PROFILE]);
	list_set_columns(&app->calls.list, &set[LIST_CALLS]);
	list_set_columns(&app->threads.list, &set[LIST_THREADS]);
}

void
apply_elision(struct app *app)
{
	app->table.elision = (enum elision)app->settings->elision;
}

void
look_elision(const struct app *app, struct settings *s)
{
	s->elision = (int)app->table.elision;
}

void
apply_escape_time(struct app *app)
{
	term_set_key_wait(app->term, app->settings->escape_time);
}

void
apply_groups(struct app *app)
{
	names_set_groups(app->names, &app->settings->groups);
	if (app->compare.table.names != NULL)
		names_set_groups(app->compare.table.names, &app->settings->groups);
}

void
apply_mouse(struct app *app)
{
	term_set_mouse(app->term, app->settings->mouse);
}

void
apply_sort(struct app *app)
{
	const struct sort_choice *sort = &app->settings->sort;

	if (column_exists(sort->column, app->trace->clocks))
		table_sort(&app->table, sort->column, sort->ascending);
}

void
look_sort(const struct app *app, struct settings *s)
{
	if (column_exists(s->sort.column, app->trace->clocks) ||
	    app->table.sort != COLUMN_INCL_PERCENT)
		s->sort = (struct sort_choice){app->table.sort, app->table.ascending};
}

void
apply_theme(struct app *app)
{
	struct theme theme;

	settings_theme(app->settings, &theme);
	term_set_theme(app->term, (enum tui_colour)app->settings->color, &theme);
}

void
apply_thread_order(struct app *app)
{
	timeline_pane_set_order(
	    &app->timeline, (enum thread_order)app->settings->thread_order);
}

void
look_thread_order(const struct app *app, struct settings *s)
{
	s->thread_order = (int)app->timeline.by;
}

static int
timeline_rows(const struct settings *s)
{
	return s->timeline == 0 && s->lowbw ? TIMELINE_LOWBW : s->timeline;
}

void
apply_time(struct app *app)
{
	bool absolute = app->settings->time != 0;

	app_follow_times(app);
	/* At the start nobody has asked for it just now. */
	if (absolute && app->scale.kind == TIMES_RELATIVE && app->engine != NULL)
		app_complain(app, "the trace does not tell when it began, on a clock of all threads");
}

void
apply_timeline(struct app *app)
{
	app->timeline_rows = timeline_rows(app->settings);
}

void
look_timeline(const struct app *app, struct settings *s)
{
	if (app->timeline_rows != timeline_rows(s))
		s->timeline = app->timeline_rows;
}

void
apply_units(struct app *app)
{
	table_set_auto_units(&app->table, app->settings->units == 1);
}

void
look_units(const struct app *app, struct settings *s)
{
	s->units = app->table.figures.auto_units;
}

/* All ----------------------------------------------------------------------------------- */

void
settings_apply(struct app *app)
{
	for (size_t i = 0; i < setting_count; i++)
		if (setting_table[i].apply != NULL)
			setting_table[i].apply(app);
	for (size_t i = 0; i < setting_section_count; i++)
		if (setting_sections[i].apply != NULL)
			setting_sections[i].apply(app);
}

/* What the column picker did in a list. */
static void
collect_columns(struct settings *s, enum column_list list, const struct columnset *now)
{
	struct columnset before = s->columns[list];
	struct str section = str_from(column_sections[list]);
	struct sbuf value = {0};

	s->columns[list] = *now;
	for (int i = 0; i < now->count; i++) {
		struct str name = str_from(list_column_word(list, i));

		if (before.of[i].shown == now->of[i].shown &&
		    before.of[i].width == now->of[i].width)
			continue;
		sbuf_clear(&value);
		list_column_get(s, list, name, &value);
		settings_note(s, section, name, sbuf_view(&value));
	}
	if (memcmp(before.order, now->order, (size_t)now->count * sizeof(*now->order)) != 0) {
		sbuf_clear(&value);
		list_column_get(s, list, STR("order"), &value);
		settings_note(s, section, STR("order"), sbuf_view(&value));
	}
	sbuf_release(&value);
}

void
settings_collect(const struct app *app, struct settings *s)
{
	for (size_t i = 0; i < setting_count; i++) {
		const struct setting *row = &setting_table[i];
		struct sbuf before = {0}, now = {0};

		if (row->look == NULL)
			continue;
		settings_get(s, row, &before);
		row->look(app, s);
		settings_get(s, row, &now);
		if (!str_equal(sbuf_view(&before), sbuf_view(&now)))
			settings_note(s, STR(""), str_from(row->name), sbuf_view(&now));
		sbuf_release(&before);
		sbuf_release(&now);
	}
	collect_columns(s, LIST_PROFILE, &app->table.columns);
	collect_columns(s, LIST_CALLS, &app->calls.list.columns);
	collect_columns(s, LIST_THREADS, &app->threads.list.columns);
}
