// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/display.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "base/sbuf.h"
#include "base/utf8.h"
#include "trace/folded.h"
#include "view/names/looks.h"

struct passing
display_passing(struct display *t)
{
	const struct fold *fold = t->fold;
	struct passing p = {0};

	for (uint32_t i = 0; fold != NULL && i < fold->met_count; i++) {
		uint32_t m = fold->met[i];

		if (m == METHOD_TOPLEVEL || !fold->methods[m].present ||
		    !filters_pass(&t->filters, t->figures.names, m))
			continue;
		p.methods++;
		p.own += fold->methods[m].exclusive[t->figures.clock];
	}
	return p;
}

/* Search ---------------------------------------------------------------------------- */

enum { UNKNOWN, HIT, NO_HIT }; /* UNKNOWN is zero: what is new is that */

/* Notes what the search gave for method or thread `i`. */
static void
found(struct display *t, struct hits *hits, uint32_t i, enum pattern_result result)
{
	if (result == PATTERN_TOO_COSTLY)
		err_set(&t->search_err, ERR_LIMIT, "the pattern is too costly, gave up");
	hits->of[i] = result == PATTERN_MATCH ? HIT : NO_HIT;
}

/* Matches the search against new methods, and new threads by id and name. */
static void
search_extend(struct display *t)
{
	const struct fold *fold = t->fold;
	uint32_t methods = fold != NULL ? fold->method_count : 0;
	uint32_t threads = trace_thread_count(t->figures.trace);
	struct sbuf text = {0};

	if (t->search == NULL)
		return;
	MEM_GROW_ZERO(t->hits.of, t->hits.room, methods);
	for (uint32_t m = 0; m < methods && t->search_err.kind == ERR_NONE; m++)
		if ((fold->methods[m].present || trace_folded(t->figures.trace, m) != m) &&
		    t->hits.of[m] == UNKNOWN)
			found(t, &t->hits, m, names_match(t->figures.names, m, t->search));
	MEM_GROW_ZERO(t->thread_hits.of, t->thread_hits.room, threads);
	for (uint32_t i = 0; i < threads && t->search_err.kind == ERR_NONE; i++) {
		if (t->thread_hits.of[i] != UNKNOWN)
			continue;
		sbuf_clear(&text);
		sbuf_printf(&text, "%" PRIu32 " ", trace_thread(t->figures.trace, i)->id);
		sbuf_str(&text, names_thread(t->figures.names, i));
		found(t, &t->thread_hits, i, pattern_match(t->search, sbuf_view(&text), NULL, NULL));
	}
	sbuf_release(&text);
}

void
display_search(struct display *t, struct pattern *pattern)
{
	pattern_free(t->search);
	t->search = pattern;
	t->figures.search = pattern;
	t->search_err = (struct err){0};
	t->searches++;
	mem_free(t->hits.of);
	mem_free(t->thread_hits.of);
	t->hits = t->thread_hits = (struct hits){0};
	search_extend(t);
}

bool
display_is_hit(const struct display *t, uint32_t method)
{
	return method < t->hits.room && t->hits.of[method] == HIT;
}

bool
display_matches(struct display *t, uint32_t method)
{
	if (t->search == NULL)
		return false;
	MEM_GROW_ZERO(t->hits.of, t->hits.room, (size_t)method + 1);
	if (t->hits.of[method] == UNKNOWN && t->search_err.kind == ERR_NONE)
		found(t, &t->hits, method, names_match(t->figures.names, method, t->search));
	return display_is_hit(t, method);
}

bool
display_is_thread_hit(const struct display *t, uint32_t thread)
{
	return thread < t->thread_hits.room && t->thread_hits.of[thread] == HIT;
}

/* The rest -------------------------------------------------------------------------- */

void
display_init(struct display *t, const struct trace *trace, struct names *names)
{
	*t = (struct display){
	    .figures = {.trace = trace, .names = names, .identities = identities_new(trace),
		.clock = trace_busy_clock(trace)},
	    .name_skip = NAME_FITTED,
	};
	t->figures.wheres = &t->wheres;
	columnset_init(&t->columns, COLUMNS, COLUMN_METHOD);
}

void
display_release(struct display *t)
{
	identities_free(t->figures.identities);
	fold_free(t->fold);
	rates_release(&t->rates);
	filters_release(&t->filters);
	wheres_release(&t->wheres);
	pattern_free(t->search);
	mem_free(t->hits.of);
	mem_free(t->thread_hits.of);
}

unsigned
display_changed(const struct display *t, struct display_seen *seen)
{
	struct display_seen was = *seen;

	*seen = (struct display_seen){
	    t->folds, t->refilters, t->searches, t->figures.clock, t->figures.base};
	return (was.folds != seen->folds ? CHANGED_FOLD : 0u) |
	       (was.refilters != seen->refilters ? CHANGED_FILTERS : 0u) |
	       (was.searches != seen->searches ? CHANGED_SEARCH : 0u) |
	       (was.clock != seen->clock || was.base != seen->base ? CHANGED_FIGURES : 0u);
}

void
display_set_fold(struct display *t, struct fold *fold)
{
	struct fold *old = t->fold;

	t->figures.fold = t->fold = fold;
	t->folds++;
	if (fold != NULL)
		looks_learn(names_looks(t->figures.names), fold, t->figures.clock);
	fold_free(old);
	search_extend(t);
}

/* Names ------------------------------------------------------------------------------ */

/*
 * Marks what is left of a match in a fitted name that was drawn at `column`; the
 * whole name when nothing is.
 */
static void
draw_hit(struct canvas *c, int row, int right, const struct display *t, uint32_t method,
    struct name_fit fit, int column)
{
	const uint32_t *source = fit.source;
	struct str rest = fit.text;
	size_t from = 0, to = 0;
	bool any = false;
	int at = column;

	pattern_match(t->search, names_full(t->figures.names, method), &from, &to);
	while (rest.n > 0) {
		size_t place = source[fit.text.n - rest.n];
		uint32_t letter = utf8_next(&rest);
		int width = utf8_char_width(letter);

		width = width < 0 ? 1 : width;
		if (place != NAME_ADDED && place >= from && place < to && at < right) {
			canvas_add_look(c, row, at, at + width, LOOK_HIT);
			any = true;
		}
		at += width;
	}
	if (!any)
		canvas_add_look(c, row, column, column + fit.width, LOOK_HIT);
}

int
name_draw(struct canvas *c, int row, int column, int right, const struct display *t,
    uint32_t method, enum elision elision, look style)
{
	struct names *names = t->figures.names;
	struct name_fit fit;
	int end;

	if (t->name_skip == NAME_FITTED)
		fit = names_fit(names, method, right - column, elision);
	else
		fit = names_part(names, method, t->name_skip, right - column);
	end = canvas_text(c, row, column, right, fit.text, style);
	if (display_is_hit(t, method))
		draw_hit(c, row, right, t, method, fit, column);
	return end;
}

enum { SWATCH_FROM = 24 }; /* columns that a name and its block need */

int
name_swatch(struct canvas *c, int row, int column, int right, const struct display *display,
    uint32_t method, look style)
{
	look own = looks_method(names_looks(display->figures.names), method);

	if (!c->utf8 || right - column < SWATCH_FROM || method == METHOD_TOPLEVEL)
		return column;
	/* The platform's grey and that of idle time differ in nothing but bytes. */
	canvas_put(c, row, column, 0x258c,
	    style == ROLE_IDLE && own == ROLE_HUE + HUES - 1 ? style : own);
	return column + 2;
}

struct str
name_short(struct names *names, uint32_t method, int room, char *out, size_t size)
{
	struct str class_name = names_class(names, method), name = names_method(names, method);
	size_t from = class_name.n;
	int n;

	while (from > 0 && class_name.p[from - 1] != '.')
		from--;
	n = snprintf(out, size, "%.*s%s%.*s", (int)(class_name.n - from), class_name.p + from,
	    class_name.n > 0 ? "." : "", STR_ARG(name));
	if (n > 0 && (size_t)n < size && utf8_width(str_from(out)) <= (size_t)room)
		return str_from(out);
	return names_head(names, name, room);
}
