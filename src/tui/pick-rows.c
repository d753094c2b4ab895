/* Which kinds of rows the timeline has: a picker, and the setting timeline-rows. */
#include <config.h>

#include <stdio.h>

#include "tui/app.h"
#include "tui/pickers.h"
#include "tui/settings-apply.h"
#include "view/timeline_pane.h"

static size_t
row_count(struct app *app)
{
	(void)app;
	return TRACK_CHOICES;
}

static bool
row_shown(const struct app *app, size_t item)
{
	return (app->timeline.kinds & 1u << track_choices[item].kind) != 0;
}

static void
row_text(struct app *app, size_t item, char *out, size_t size)
{
	(void)app;
	snprintf(out, size, "%-10s %s", track_choices[item].word, track_choices[item].help);
}

static void
row_draw(struct app *app, struct canvas *c, struct rect r, size_t item, bool selected)
{
	char text[120], line[130];

	(void)selected;
	row_text(app, item, text, sizeof(text));
	snprintf(line, sizeof(line), "[%c] %s", row_shown(app, item) ? 'x' : ' ', text);
	canvas_text(c, r.row, r.column, r.column + r.columns, str_from(line), ROLE_POPUP);
}

static void
row_toggle(struct app *app, size_t item)
{
	timeline_pane_set_kinds(
	    &app->timeline, app->timeline.kinds ^ 1u << track_choices[item].kind);
}

static const struct popup_act row_acts[] = {
    {LIST_TOGGLE, row_toggle, "show/hide", false, false},
    {LIST_CHOOSE, NULL, "done", true, true},
    {0},
};

static const struct popup_ops row_ops = {
    .title = "rows of the timeline",
    .width = 64,
    .has_cursor = true,
    .count = row_count,
    .draw = row_draw,
    .text = row_text,
    .acts = row_acts,
};

void
pick_rows(struct app *app)
{
	popup_open(app, &row_ops, 0);
}

/* The setting ------------------------------------------------------------------------- */

static bool
words_wanted(struct err *e)
{
	struct sbuf words = {0};

	for (int k = 0; k < TRACK_CHOICES; k++)
		sbuf_printf(&words, "%s%s", k > 0 ? ", " : "", track_choices[k].word);
	err_set(e, ERR_MALFORMED, "want all, none, or of %.*s", (int)words.n, words.p);
	sbuf_release(&words);
	return false;
}

/* "all", or words with blanks or commas between; those of no choice always stay. */
static bool
rows_read(const struct setting *s, void *field, struct str text, struct err *e)
{
	unsigned kinds = TRACKS_ALL;
	size_t i = 0;

	(void)s;
	if (str_equal(text, STR("all"))) {
		*(unsigned *)field = TRACKS_ALL;
		return true;
	}
	for (int k = 0; k < TRACK_CHOICES; k++)
		kinds &= ~(1u << track_choices[k].kind);
	while (i < text.n && !str_equal(text, STR("none"))) {
		size_t from = i;
		int k = 0;

		while (i < text.n && text.p[i] != ' ' && text.p[i] != ',')
			i++;
		while (k < TRACK_CHOICES &&
		       !str_equal((struct str){text.p + from, i - from},
			   str_from(track_choices[k].word)))
			k++;
		if (i > from && k == TRACK_CHOICES)
			return words_wanted(e);
		if (i > from)
			kinds |= 1u << track_choices[k].kind;
		i++;
	}
	*(unsigned *)field = kinds;
	return true;
}

static void
rows_write(const struct setting *s, const void *field, struct sbuf *out)
{
	unsigned kinds = *(const unsigned *)field;
	bool any = false;

	(void)s;
	if (kinds == TRACKS_ALL) {
		sbuf_text(out, "all");
		return;
	}
	for (int k = 0; k < TRACK_CHOICES; k++) {
		if ((kinds & 1u << track_choices[k].kind) == 0)
			continue;
		sbuf_printf(out, "%s%s", any ? " " : "", track_choices[k].word);
		any = true;
	}
	if (!any)
		sbuf_text(out, "none");
}

const struct setting_type setting_rows = {rows_read, rows_write};

void
apply_timeline_rows(struct app *app)
{
	timeline_pane_set_kinds(&app->timeline, app->settings->timeline_rows);
}

void
look_timeline_rows(const struct app *app, struct settings *s)
{
	s->timeline_rows = app->timeline.kinds;
}
