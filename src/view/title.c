#include <config.h>

#include "view/title.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "view/window.h"

enum { PART_SIZE = 96 };

/* From left to right. */
enum part {
	FOLDER,
	FILE_NAME,
	CLOCK,
	WINDOW,
	OF_TRACE,
	BASE,
	THREADS,
	FILTERS,
	CALLS,
	METHODS,
	PARTS
};

/* What goes first when there is no room.  The others never go. */
static const enum part leaves[] = {METHODS, CALLS, BASE, FOLDER, OF_TRACE, FILE_NAME};

struct parts {
	char buffer[PARTS][PART_SIZE];
	struct str text[PARTS];
	bool gone[PARTS];
};

/* "win 1.200-1.260 s", "of 3.214 s", "118204/4118204 calls" */
static void
make_window(struct parts *p, const struct title *t)
{
	char text[WINDOW_TEXT];

	p->gone[OF_TRACE] = !window_is_set(&t->window);
	if (p->gone[OF_TRACE]) {
		snprintf(p->buffer[WINDOW], PART_SIZE, "win all");
		snprintf(p->buffer[CALLS], PART_SIZE, "%" PRIu64 " calls", t->calls);
		return;
	}
	snprintf(p->buffer[WINDOW], PART_SIZE, "win %s s",
	    window_text(text, &t->window, t->begin, t->end));
	snprintf(p->buffer[OF_TRACE], PART_SIZE, "of %s s",
	    fmt_time(text, t->end - t->begin, FMT_S, 3));
	snprintf(p->buffer[CALLS], PART_SIZE, "%" PRIu64 "/%" PRIu64 " calls", t->calls,
	    t->whole_calls);
}

static void
make_parts(struct parts *p, const struct title *t, bool wide)
{
	size_t slash = t->path.n;
	char ms[FMT_SIZE];

	while (slash > 0 && t->path.p[slash - 1] != '/')
		slash--;
	p->text[FOLDER] = (struct str){t->path.p, slash};
	p->text[FILE_NAME] = (struct str){t->path.p + slash, t->path.n - slash};
	p->text[CLOCK] = str_from(t->clock == CLOCK_WALL ? "WALL" : "CPU");
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
	p->gone[FOLDER] = slash == 0;
	p->gone[FILE_NAME] = slash == t->path.n;
	p->text[FILTERS] = t->filters;
}

static size_t
part_width(const struct parts *p, enum part i)
{
	if (p->gone[i])
		return 0;
	/* The folder has its slash. */
	return utf8_width(p->text[i]) + (i == FOLDER ? 0 : 1);
}

static size_t
total_width(const struct parts *p)
{
	size_t width = 0;

	for (int i = 0; i < PARTS; i++)
		width += part_width(p, (enum part)i);
	return width;
}

/* "partial 64%  !1" at the right; returns where it starts. */
static int
draw_state(struct canvas *c, int row, const struct title *t)
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
	int limit, column = 0;

	canvas_fill(c, row, 0, c->columns, ' ', ROLE_TITLE);
	limit = draw_state(c, row, t);
	make_parts(&p, t, c->columns >= TITLE_WIDE);
	for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
		if (total_width(&p) > (size_t)(limit > 0 ? limit : 0))
			p.gone[leaves[i]] = true;
	for (int i = 0; i < PARTS; i++) {
		if (p.gone[i])
			continue;
		column = canvas_text(c, row, column, limit, p.text[i], ROLE_TITLE);
		if (i != FOLDER)
			column++;
	}
}
