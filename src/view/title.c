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
	MS = 1000000,
};

/* From left to right. */
enum part {
	PATH,
	CLOCK,
	SAMPLED,
	WINDOW,
	OF_TRACE,
	BASE,
	THREADS,
	FILTERS,
	CALLS,
	METHODS,
};

/*
 * Parts to leave out, the first one first, when a short path is not enough.  Other parts
 * always stay.
 */
static const int leaves[] = {METHODS, CALLS, BASE, OF_TRACE, PATH};

void
title_measure(struct title_parts *p)
{
	for (int i = 0; i < TITLE_PARTS; i++) {
		if (p->text[i].p == NULL)
			p->text[i] = str_from(p->buffer[i]);
		p->width[i] = p->text[i].n > 0 ? (int)utf8_width(p->text[i]) + 1 : 0;
	}
}

int
title_fit(struct title_parts *p, const int *out, size_t count, int columns)
{
	for (int i = 0; i < TITLE_PARTS; i++)
		columns -= p->width[i];
	for (size_t i = 0; i < count && columns < 0; i++) {
		columns += p->width[out[i]];
		p->width[out[i]] = 0;
	}
	return columns;
}

/* "win 1.200-1.260 s", "of 3.214 s" or "of 400.0 us", "118204/4118204 calls" */
static void
make_window(struct title_parts *p, const struct title *t)
{
	nsec span = t->end - t->begin;
	char text[WINDOW_TEXT];

	if (!window_is_set(&t->window)) {
		snprintf(p->buffer[WINDOW], TITLE_PART, "win all");
		snprintf(p->buffer[CALLS], TITLE_PART, names_words(t->names, "%" PRIu64 " calls"), t->calls);
		return;
	}
	snprintf(p->buffer[WINDOW], TITLE_PART, "win %s",
	    window_text(text, &t->window, t->begin, t->end, t->scale));
	snprintf(p->buffer[OF_TRACE], TITLE_PART, span < MS ? "of %s" : "of %s s",
	    span < MS ? fmt_duration(text, span) : fmt_time(text, span, FMT_S, 3));
	snprintf(p->buffer[CALLS], TITLE_PART, names_words(t->names, "%" PRIu64 "/%" PRIu64 " calls"),
	    t->calls, t->whole_calls);
}

static void
make_parts(struct title_parts *p, const struct title *t, bool wide)
{
	p->text[PATH] = t->path;
	p->text[CLOCK] = t->clock == CLOCK_WALL ? STR("WALL") : STR("CPU");
	p->text[SAMPLED] = t->sampled ? STR("sampled") : STR("");
	make_window(p, t);
	snprintf(p->buffer[BASE], TITLE_PART, "base %s%s ms",
	    t->percent == BASE_TRACE    ? "trace "
	    : t->percent == BASE_WINDOW ? t->left && !window_is_set(&t->window) ? "left "
										: "window "
					: "",
	    fmt_ms(FMT_BUF, t->base));
	snprintf(p->buffer[THREADS], TITLE_PART, "thr %" PRIu32 "/%" PRIu32, t->threads_in,
	    t->threads);
	snprintf(p->buffer[METHODS], TITLE_PART, names_words(t->names, "%" PRIu64 " meth"), t->methods);
	p->text[FILTERS] = wide ? t->filters : STR("");
	title_measure(p);
}

static struct str
file_name(struct str path)
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
	struct str name = file_name(path), rest = path;

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
	if (t->damage > 0)
		snprintf(badge, sizeof badge, "!%d", t->damage);
	at = c->columns - (int)strlen(badge);
	canvas_text(c, row, at, c->columns, str_from(badge), ROLE_WARNING);
	if (state[0] != '\0') {
		at -= (int)strlen(state) + (badge[0] != '\0' ? 2 : 0);
		canvas_text(c, row, at, c->columns, str_from(state), ROLE_TITLE);
	}
	return at;
}

void
title_draw(struct canvas *c, int row, const struct title *t)
{
	struct title_parts p = {0};
	char path[PATH_BYTES];
	int limit, left, least, column = 0;

	canvas_fill(c, row, 0, c->columns, ' ', ROLE_TITLE);
	limit = title_draw_state(c, row, t);
	make_parts(&p, t, c->columns >= TITLE_WIDE);
	least = (int)utf8_width(file_name(t->path)) + 1;
	if (p.width[PATH] > 0)
		p.width[PATH] = least <= PATH_LEAST ? least : PATH_LEAST + 1;
	left = title_fit(&p, leaves, sizeof(leaves) / sizeof(*leaves), limit > 0 ? limit : 0);
	if (p.width[PATH] > 0)
		p.text[PATH] = cut_path(t->path, (size_t)(left + p.width[PATH] - 1), c->utf8, path);
	for (int i = 0; i < TITLE_PARTS; i++)
		if (p.width[i] > 0)
			column = canvas_text(c, row, column, limit, p.text[i], ROLE_TITLE) + 1;
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

	bar_fit(b, limit - 2); /* blanks before the first and the help */
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
