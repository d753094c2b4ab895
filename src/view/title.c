#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "view/title.h"

enum {
	PART_SIZE = 96,
	PATH_LEAST = 16, /* columns that a longer path is cut to before others leave */
	PATH_BYTES = 512,
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
	PARTS
};

/*
 * Parts to leave out, the first one first, when a short path is not enough.  Other parts
 * always stay.
 */
static const enum part leaves[] = {METHODS, CALLS, BASE, OF_TRACE, PATH};

struct parts {
	char buffer[PARTS][PART_SIZE];
	struct str text[PARTS];
	bool gone[PARTS];
};

/* "win 1.200-1.260 s", "of 3.214 s" or "of 400.0 us", "118204/4118204 calls" */
static void
make_window(struct parts *p, const struct title *t)
{
	nsec span = t->end - t->begin;
	char text[WINDOW_TEXT];

	p->gone[OF_TRACE] = !window_is_set(&t->window);
	if (p->gone[OF_TRACE]) {
		snprintf(p->buffer[WINDOW], PART_SIZE, "win all");
		snprintf(p->buffer[CALLS], PART_SIZE, "%" PRIu64 " calls", t->calls);
		return;
	}
	snprintf(p->buffer[WINDOW], PART_SIZE, "win %s",
	    window_text(text, &t->window, t->begin, t->end, t->scale));
	if (span < MS)
		snprintf(p->buffer[OF_TRACE], PART_SIZE, "of %s", fmt_duration(text, span));
	else
		snprintf(p->buffer[OF_TRACE], PART_SIZE, "of %s s",
		    fmt_time(text, span, FMT_S, 3));
	snprintf(p->buffer[CALLS], PART_SIZE, "%" PRIu64 "/%" PRIu64 " calls", t->calls,
	    t->whole_calls);
}

static void
make_parts(struct parts *p, const struct title *t, bool wide)
{
	char ms[FMT_SIZE];

	p->text[PATH] = t->path;
	p->text[CLOCK] = str_from(t->clock == CLOCK_WALL ? "WALL" : "CPU");
	p->text[SAMPLED] = STR("sampled");
	p->gone[SAMPLED] = !t->sampled;
	make_window(p, t);
	snprintf(p->buffer[BASE], PART_SIZE, "base %s%s ms",
	    t->percent == BASE_TRACE    ? "trace "
	    : t->percent == BASE_WINDOW ? t->left && !window_is_set(&t->window) ? "left "
										: "window "
					: "",
	    fmt_ms(ms, t->base));
	snprintf(p->buffer[THREADS], PART_SIZE, "thr %" PRIu32 "/%" PRIu32, t->threads_in,
	    t->threads);
	snprintf(p->buffer[METHODS], PART_SIZE, "%" PRIu64 " meth", t->methods);
	for (int i = WINDOW; i < PARTS; i++)
		p->text[i] = str_from(p->buffer[i]);
	p->gone[FILTERS] = !wide || t->filters.n == 0;
	p->gone[PATH] = t->path.n == 0;
	p->text[FILTERS] = t->filters;
}

static size_t
part_width(const struct parts *p, enum part i)
{
	return p->gone[i] ? 0 : utf8_width(p->text[i]) + 1;
}

static size_t
total_width(const struct parts *p)
{
	size_t width = 0;

	for (int i = 0; i < PARTS; i++)
		width += part_width(p, (enum part)i);
	return width;
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

/* Cuts the path, and leaves out what even so has no room. */
static void
fit(struct parts *p, size_t columns, bool utf8, char path[static PATH_BYTES])
{
	size_t least = utf8_width(file_name(p->text[PATH])) + 1, rest;

	if (least > PATH_LEAST + 1)
		least = PATH_LEAST + 1;
	for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++) {
		rest = total_width(p) - part_width(p, PATH);
		if (rest + (p->gone[PATH] ? 0 : least) <= columns)
			break;
		p->gone[leaves[i]] = true;
	}
	rest = total_width(p) - part_width(p, PATH);
	if (!p->gone[PATH])
		p->text[PATH] = cut_path(p->text[PATH], columns - rest - 1, utf8, path);
}

int
title_draw_state(struct canvas *c, int row, const struct title *t)
{
	char state[PART_SIZE] = "", badge[PART_SIZE] = "";
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
	struct parts p = {0};
	char path[PATH_BYTES];
	int limit, column = 0;

	canvas_fill(c, row, 0, c->columns, ' ', ROLE_TITLE);
	limit = title_draw_state(c, row, t);
	make_parts(&p, t, c->columns >= TITLE_WIDE);
	fit(&p, (size_t)(limit > 0 ? limit : 0), c->utf8, path);
	for (int i = 0; i < PARTS; i++) {
		if (p.gone[i])
			continue;
		column = canvas_text(c, row, column, limit, p.text[i], ROLE_TITLE) + 1;
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
	/* A message is worth more than the position. */
	if (f->message.n > 0) {
		size_t width = utf8_width(f->message);

		limit = draw_position(c, row, f);
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
	limit = draw_position(c, row, f);
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
