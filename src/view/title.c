// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "view/title.h"

enum {
	PATH_LEAST = 16, /* columns that a longer path is cut to before others leave */
	PATH_BYTES = 512,
	STATE_SIZE = 96,
	SHOWN_STEPS = 100, /* so fine are the ends of what is shown */
	DAMAGE_WIDE = 100, /* columns that have room for damage in words */
};

enum part {
	PATH,
	WINDOW,
	OF_TRACE,
	SHOWN,
	CLOCK,
	SAMPLED,
	THREADS,
	CALLS,
	FILTERS,
	PERCENT,
};

static int
part_width(const struct title_parts *p, int i)
{
	return p->text[i].n > 0 ? (int)(utf8_width(p->text[i]) + strlen(p->before[i])) : 0;
}

void
title_measure(struct title_parts *p)
{
	for (int i = 0; i < TITLE_PARTS; i++) {
		if (p->text[i].p == NULL)
			p->text[i] = str_from(p->buffer[i]);
		if (p->before[i] == NULL)
			p->before[i] = ", ";
		p->width[i] = part_width(p, i);
	}
}

/* Nothing comes before the first. */
static int
parts_width(const struct title_parts *p)
{
	int width = 0;

	for (int i = 0; i < TITLE_PARTS; i++)
		if (p->width[i] > 0)
			width += p->width[i] - (width == 0 ? (int)strlen(p->before[i]) : 0);
	return width;
}

int
title_fit(struct title_parts *p, const struct title_spare *spare, size_t count, int columns)
{
	for (size_t i = 0; i < count && parts_width(p) > columns; i++) {
		int part = spare[i].part;

		if (p->width[part] == 0)
			continue;
		p->text[part] = str_from(spare[i].shorter != NULL ? spare[i].shorter : "");
		p->width[part] = part_width(p, part);
	}
	return columns - parts_width(p);
}

void
title_draw_parts(struct canvas *c, int row, int limit, const struct title_parts *p)
{
	int column = 0;

	for (int i = 0; i < TITLE_PARTS; i++) {
		if (p->width[i] == 0)
			continue;
		if (column > 0)
			column = canvas_text(c, row, column, limit, str_from(p->before[i]), ROLE_TITLE);
		column = canvas_text(c, row, column, limit, p->text[i], ROLE_TITLE);
	}
}

void
title_threads(const struct title *t, char out[static TITLE_PART])
{
	int n = 0;

	if (t->threads_in < t->threads)
		n = snprintf(out, TITLE_PART, "%" PRIu32 " of ", t->threads_in);
	snprintf(out + n, TITLE_PART - (size_t)n, "%" PRIu32 " thread%s", t->threads,
	    t->threads == 1 ? "" : "s");
}

void
title_window(const struct title *t, char out[static TITLE_PART])
{
	char text[WINDOW_TEXT];

	snprintf(out, TITLE_PART, "%s", window_text(text, &t->window, t->begin, t->end, t->scale));
}

/* "2,204,117 calls", "118,204 of 2,204,117 slices" */
static void
make_calls(const struct title *t, char out[static TITLE_PART])
{
	int n = 0;
	bool part = window_is_set(&t->window);
	uint64_t calls = part ? t->whole_calls : t->calls;

	if (part)
		n = snprintf(out, TITLE_PART, "%s of ", fmt_count(FMT_BUF, t->calls, ","));
	snprintf(out + n, TITLE_PART - (size_t)n, "%s %s", fmt_count(FMT_BUF, calls, ","),
	    names_words(t->names, calls == 1 ? "call" : "calls"));
}

/* "view 1.2100-1.2206 s", where the timeline shows something else than the figures are of. */
static void
make_shown(const struct title *t, char out[static TITLE_PART])
{
	bool part = window_is_set(&t->window);
	nsec from = part && t->window.from > t->begin ? t->window.from : t->begin;
	nsec to = part && t->window.to < t->end ? t->window.to : t->end;
	nsec step = (t->shown.to - t->shown.from) / SHOWN_STEPS;

	if (t->shown.from < t->shown.to && (t->shown.from != from || t->shown.to != to))
		snprintf(out, TITLE_PART, "view %s-%s%s",
		    axis_time(FMT_BUF, t->shown.from, step, t->scale),
		    axis_time(FMT_BUF, t->shown.to, step, t->scale), timescale_unit(t->scale));
}

static void
make_parts(struct title_parts *p, const struct title *t, bool wide)
{
	bool part = window_is_set(&t->window), counts = t->unit != NULL && unit_counts(t->unit);

	p->text[PATH] = t->path;
	p->before[PATH] = "";
	p->before[WINDOW] = "  ";
	if (counts)
		unit_text(t->unit, p->buffer[part ? OF_TRACE : WINDOW], t->end - t->begin);
	else
		fmt_duration(p->buffer[part ? OF_TRACE : WINDOW], t->end - t->begin);
	if (part)
		title_window(t, p->buffer[WINDOW]);
	p->before[OF_TRACE] = " of ";
	make_shown(t, p->buffer[SHOWN]);
	p->text[CLOCK] = counts ? str_from(part ? unit_name(t->unit) : "") : t->clock == CLOCK_WALL ? STR("wall clock") : STR("CPU time");
	p->text[SAMPLED] = t->sampled ? STR("sampled") : STR("");
	title_threads(t, p->buffer[THREADS]);
	if (!t->uncounted)
		make_calls(t, p->buffer[CALLS]);
	p->text[FILTERS] = wide ? t->filters : STR("");
	snprintf(p->buffer[PERCENT], TITLE_PART, "%s%% of %s",
	    t->percent == BASE_PARENT ? "" : "all ",
	    t->percent == BASE_TRACE || (!part && !t->left) ? "the trace"
	    : part ? "the range" : "what is shown");
	if (t->recorded)
		p->text[PERCENT] = STR("as recorded");
	title_measure(p);
}

struct str
title_file(struct str path)
{
	size_t slash = path.n;

	while (slash > 0 && path.p[slash - 1] != '/')
		slash--;
	return (struct str){path.p + slash, path.n - slash};
}

/*
 * The path in so many columns: without its first folders, "…/art/app.trace"; without any;
 * then the end of the file's name, "…main.trace".
 */
static struct str
cut_path(struct str path, size_t columns, bool utf8, char out[static PATH_BYTES])
{
	/* "~/" would be the home folder. */
	const char *mark = utf8 ? "…" : "~", *folders = utf8 ? "…" : "...";
	size_t mark_width = utf8 ? 1 : 3;
	struct str name = title_file(path), rest = path;

	if (utf8_width(path) <= columns)
		return path;
	while (rest.n > name.n + 1) {
		rest = (struct str){rest.p + 1, rest.n - 1};
		if (rest.p[0] == '/' && rest.n > name.n + 1 && utf8_width(rest) + mark_width <= columns) {
			snprintf(out, PATH_BYTES, "%s%.*s", folders, STR_ARG(rest));
			return str_from(out);
		}
	}
	if (utf8_width(name) <= columns)
		return name;
	snprintf(out, PATH_BYTES, "%s%.*s", mark,
	    STR_ARG(utf8_tail(name, columns > 0 ? columns - 1 : 0, NULL)));
	return str_from(out);
}

int
title_draw_state(struct canvas *c, int row, const struct title *t)
{
	char state[STATE_SIZE] = "", badge[STATE_SIZE] = "";
	int percent = (int)(t->progress * 100), at;

	if (t->stopped)
		snprintf(state, sizeof state, "stopped at %d%%", percent);
	else if (t->loading)
		snprintf(
		    state, sizeof state, "partial %d%%", percent < 99 ? percent : 99);
	else if (t->counting && t->counted > 0)
		snprintf(state, sizeof state, "counting %d%%", (int)(t->counted * 100));
	else if (t->counting)
		snprintf(state, sizeof state, "counting");
	else if (t->follow != NULL)
		snprintf(state, sizeof state, "%s", t->follow);
	if (t->damage > 0)
		snprintf(badge, sizeof badge, c->columns < DAMAGE_WIDE ? "!%d"
		    : t->damage == 1 ? "!%d kind of damage" : "!%d kinds of damage", t->damage);
	canvas_fill(c, row, 0, c->columns, ' ', ROLE_TITLE);
	at = c->columns - (int)strlen(badge);
	canvas_text(c, row, at, c->columns, str_from(badge), ROLE_WARNING);
	if (state[0] != '\0') {
		at -= (int)strlen(state) + (badge[0] != '\0' ? 2 : 0);
		canvas_text(c, row, at, c->columns, str_from(state), ROLE_TITLE);
	}
	return at < c->columns ? at - 1 : at;
}

void
title_draw(struct canvas *c, int row, const struct title *t)
{
	struct title_parts p = {0};
	char path[PATH_BYTES];
	int limit = title_draw_state(c, row, t), left, least;
	/* When a short path is not enough. */
	const struct title_spare spares[] = {{CALLS, NULL}, {t->recorded ? CALLS : PERCENT, NULL},
	    {CLOCK, t->clock == CLOCK_WALL ? "wall" : "CPU"}, {OF_TRACE, NULL}, {SHOWN, NULL},
	    {PATH, NULL},
	    {t->threads_in == t->threads ? THREADS : PATH, NULL}};

	make_parts(&p, t, c->columns >= TITLE_WIDE);
	least = (int)utf8_width(title_file(t->path));
	if (p.width[PATH] > 0)
		p.width[PATH] = least < PATH_LEAST ? least : PATH_LEAST;
	left = title_fit(&p, spares, sizeof(spares) / sizeof(spares[0]), limit);
	if (p.width[PATH] > 0)
		p.text[PATH] = cut_path(t->path, (size_t)(left + p.width[PATH]), c->utf8, path);
	title_draw_parts(c, row, limit, &p);
}

static int
bar_width(const struct bar_view *v)
{
	int key = (int)utf8_width(str_from(v->key)), name = (int)strlen(v->name);

	return key + name + (key > 0 && name > 0);
}

/* Returns the columns that another name saves. */
static int
bar_rename(struct bar_view *v, const char *name)
{
	int before = bar_width(v);

	v->name = name;
	return before - bar_width(v);
}

/* Makes names shorter, the last ones first, until all have room. */
static void
bar_fit(struct bar *b, int room)
{
	for (int i = 0; i < b->count; i++)
		room -= bar_width(&b->views[i]) + 1;
	for (int i = b->count; i-- > 0 && room < 0;)
		if (b->views[i].brief != NULL)
			room += bar_rename(&b->views[i], b->views[i].brief);
	for (int i = b->count; i-- > 0 && room < 0;)
		if (!b->views[i].now)
			room += bar_rename(&b->views[i], "");
}

void
bar_draw(struct canvas *c, int row, struct bar *b)
{
	int help = b->help[0] != '\0' ? (int)utf8_width(str_from(b->help)) + 5 : 0;
	int limit = c->columns - help, at = 0;

	bar_fit(b, limit - 1); /* a blank comes first */
	canvas_fill(c, row, 0, c->columns, ' ', ROLE_FOOTER);
	/* The blank between two is the bracket of the one that is shown. */
	for (int i = 0; i < b->count; i++) {
		struct bar_view *v = &b->views[i];

		v->from = ++at;
		at = canvas_text(c, row, at, limit, str_from(v->key), ROLE_KEY);
		if (v->key[0] != '\0' && v->name[0] != '\0')
			at++;
		at = v->to = canvas_text(c, row, at, limit, str_from(v->name), ROLE_FOOTER);
		if (!v->now || at >= limit)
			continue;
		canvas_put(c, row, v->from - 1, '[', ROLE_KEY);
		canvas_put(c, row, at, ']', ROLE_KEY);
		canvas_add_look(c, row, v->from - 1, at + 1, LOOK_SELECTED);
	}
	if (help > 0) {
		at = canvas_text(c, row, limit, c->columns, str_from(b->help), ROLE_KEY);
		canvas_text(c, row, at + 1, c->columns, STR("help"), ROLE_FOOTER);
	}
}

enum { GAP = 2 };

static int
draw_position(struct canvas *c, int row, const struct footer *f)
{
	char text[200];
	int at;

	if (f->rows == 0)
		return c->columns;
	snprintf(text, sizeof text, "%.*s%s%zu/%zu %d%%", STR_ARG(f->marks),
	    f->marks.n > 0 ? "  " : "", f->position, f->rows,
	    (int)((double)f->position * 100 / (double)f->rows));
	at = c->columns - (int)strlen(text);
	canvas_text(c, row, at > 0 ? at : 0, c->columns, str_from(text), ROLE_FOOTER);
	return at > GAP ? at - GAP : 0;
}

void
footer_draw(struct canvas *c, int row, const struct footer *f)
{
	int column = 0, limit;

	canvas_fill(c, row, 0, c->columns, ' ', ROLE_FOOTER);
	limit = draw_position(c, row, f);
	/* A message is worth more than the position. */
	if (f->message.n > 0) {
		size_t width = utf8_width(f->message);

		if (width > (size_t)limit) {
			canvas_fill(c, row, 0, c->columns, ' ', ROLE_FOOTER);
			limit = c->columns;
		}
		column = canvas_text(c, row, 0, limit, f->message, f->message_look);
		if (width > (size_t)limit && limit > 0)
			canvas_put(
			    c, row, limit - 1, c->utf8 ? 0x2026 : '~', f->message_look);
		return;
	}
	for (size_t i = 0; i < f->hint_count; i++) {
		struct str key = str_from(f->hints[i].key),
			   text = str_from(f->hints[i].text);

		if ((size_t)column + utf8_width(key) + 1 + utf8_width(text) >
		    (size_t)limit)
			break;
		column = canvas_text(c, row, column, limit, key, ROLE_KEY);
		column = canvas_text(c, row, column + 1, limit, text, ROLE_FOOTER) + GAP;
	}
}
