// SPDX-License-Identifier: Apache-2.0
/*
 * diff: what changed from one trace to another: methods that got slower, that got
 * faster, and that are in one of them only.
 *
 * Methods are the same when class, name and signature are; of several with the same
 * names the first belongs to the first.  A method is in a trace when it was called or has
 * time there.
 */
#include <config.h>

#include "report/dmtracedump/dmtrace.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/number.h"
#include "report/text/html.h"

/* Matching ---------------------------------------------------------------------- */

static int
by_names(const void *left, const void *right, const void *context)
{
	const struct dm_method *a = left, *b = right;
	return order_then(ORDER(a->named, b->named),
	    order_then(str_compare(a->class_name, b->class_name),
		order_then(str_compare(a->name, b->name), str_compare(a->signature, b->signature))));
}

static struct dm_method **
met_methods(const struct dmtrace *d, size_t *count)
{
	struct dm_method **list = mem_alloc((d->list.count + 1) * sizeof(struct dm_method *));

	*count = 0;
	for (size_t i = 0; i < d->list.count; i++) {
		struct dm_method *m = d->inclusive[i];

		if (m->calls > 0 || m->recursive_calls > 0 || m->inclusive > 0 ||
		    m->exclusive > 0)
			list[(*count)++] = m;
	}
	msort((void **)list, *count, by_names, NULL);
	return list;
}

void
dmdiff_make(struct dmdiff *diff, const struct dmtrace *run1, const struct dmtrace *run2)
{
	size_t count1, count2, a = 0, b = 0;
	struct dm_method **list1 = met_methods(run1, &count1);
	struct dm_method **list2 = met_methods(run2, &count2);

	*diff = (struct dmdiff){.run = {run1, run2}};
	diff->changes = mem_zero(count1 + count2 + 1, sizeof(*diff->changes));
	for (; a < count1 || b < count2; diff->count++) {
		int order = a == count1 ? 1 : b == count2 ? -1 : by_names(list1[a], list2[b], NULL);

		if (order <= 0)
			diff->changes[diff->count].run[0] = list1[a++];
		if (order >= 0)
			diff->changes[diff->count].run[1] = list2[b++];
	}
	mem_free(list1);
	mem_free(list2);
}

void
dmdiff_release(struct dmdiff *diff)
{
	mem_free(diff->changes);
	*diff = (struct dmdiff){0};
}

/* Lists ------------------------------------------------------------------------- */

enum what { EXCLUSIVE, INCLUSIVE };

static int64_t
time_of(const struct dm_method *m, enum what what)
{
	return (int64_t)(what == EXCLUSIVE ? m->exclusive : m->inclusive);
}

static int64_t
change_of(const struct dm_change *c, enum what what)
{
	return time_of(c->run[1], what) - time_of(c->run[0], what);
}

static int
descending(const void *left, const void *right, const void *context)
{
	enum what what = *(const enum what *)context;
	int64_t a = change_of(left, what), b = change_of(right, what);

	return ORDER(b, a);
}

static int
ascending(const void *left, const void *right, const void *context)
{
	return descending(right, left, context);
}

static int
single_order(const void *left, const void *right, const void *context)
{
	const struct dm_change *a = left, *b = right;
	const struct dm_method *x = a->run[0] != NULL ? a->run[0] : a->run[1];
	const struct dm_method *y = b->run[0] != NULL ? b->run[0] : b->run[1];

	return dm_by_exclusive(x, y, context);
}

/* The lists: of changes, then of methods in one run only. */
static const struct diff_part {
	enum what what;
	bool slower;
	const char *title;
} parts[] = {
	{ EXCLUSIVE, true, "Exclusive time, regressions: slower in run 2" },
	{ EXCLUSIVE, false, "Exclusive time, gains: faster in run 2" },
	{ INCLUSIVE, true, "Inclusive time, regressions: slower in run 2" },
	{ INCLUSIVE, false, "Inclusive time, gains: faster in run 2" },
	{ EXCLUSIVE, false, "Methods only in run 1" },
	{ EXCLUSIVE, false, "Methods only in run 2" },
};

enum { CHANGES = 4, PARTS = sizeof(parts) / sizeof(parts[0]) };

static bool
part_has(int i, const struct dm_change *c)
{
	if (i >= CHANGES)
		return c->run[i - CHANGES] != NULL && c->run[i == CHANGES] == NULL;
	return c->run[0] != NULL && c->run[1] != NULL &&
	    (parts[i].slower ? change_of(c, parts[i].what) > 0 : change_of(c, parts[i].what) < 0);
}

/* Most first; free with mem_free. */
static struct dm_change **
part_list(const struct dmdiff *diff, int i, size_t *count)
{
	struct dm_change **list = mem_alloc((diff->count + 1) * sizeof(struct dm_change *));

	*count = 0;
	for (size_t k = 0; k < diff->count; k++)
		if (part_has(i, &diff->changes[k]))
			list[(*count)++] = &diff->changes[k];
	msort((void **)list, *count,
	    i >= CHANGES ? single_order : parts[i].slower ? descending : ascending,
	    &parts[i].what);
	return list;
}

/* Percent of the first run, signed; "-" when that has no time. */
static const char *
share_text(char out[32], const struct dm_change *c, enum what what)
{
	int64_t before = time_of(c->run[0], what);

	if (before == 0)
		return "-";
	snprintf(out, 32, "%+.2f", 100.0 * (double)change_of(c, what) / (double)before);
	return out;
}

/* Writing ----------------------------------------------------------------------- */

/* A figure, in so many columns of the text. */
static void
cell_write(struct sbuf *out, bool html, int width, const char *look, const char *text)
{
	if (html)
		sbuf_printf(out, "<td class=\"n%s\">%s</td>", look, text);
	else
		sbuf_printf(out, "%*s ", width, text);
}

static void
number_write(struct sbuf *out, bool html, uint64_t number)
{
	cell_write(out, html, 9, "", fmt_count(FMT_BUF, number, ""));
}

static void
calls_write(struct sbuf *out, bool html, const struct dm_method *m)
{
	char text[48];

	snprintf(text, sizeof(text), "%" PRIu64 "+%" PRIu64, m->calls, m->recursive_calls);
	cell_write(out, html, 11, "", text);
}

static void
change_write(struct sbuf *out, const struct dm_change *c, const struct diff_part *part, bool html)
{
	char text[32];

	for (int run = 0; run < 2; run++)
		number_write(out, html, (uint64_t)time_of(c->run[run], part->what));
	snprintf(text, sizeof(text), "%+" PRId64, change_of(c, part->what));
	cell_write(out, html, 10, part->slower ? " worse" : " better", text);
	cell_write(out, html, 9, "", share_text(text, c, part->what));
	for (int run = 0; run < 2; run++)
		calls_write(out, html, c->run[run]);
}

static void
list_write(struct sink *sink, const struct dmdiff *diff, int i, bool html)
{
	static const char *const heads[2][2] = {
	    {"    Run 1     Run 2       Diff    Diff %     Calls 1     Calls 2  Method\n",
		"Exclusive Inclusive       Calls  Method\n"},
	    {"<table class=\"sortable\"><thead><tr><th class=\"n\">Run 1 (us)"
	     "</th><th class=\"n\">Run 2 (us)</th><th class=\"n\">Diff (us)</th>"
	     "<th class=\"n\">Diff (%)</th><th class=\"n\">Calls 1</th>"
	     "<th class=\"n\">Calls 2</th><th>Method</th></tr></thead><tbody>\n",
		"<table class=\"sortable\"><thead><tr><th class=\"n\">Exclusive"
		"</th><th class=\"n\">Inclusive</th><th class=\"n\">Calls</th>"
		"<th>Method</th></tr></thead><tbody>\n"},
	};
	struct sbuf *out = &sink->text;
	bool single = i >= CHANGES;
	size_t count;
	struct dm_change **list = part_list(diff, i, &count);

	if (html)
		sbuf_printf(out, "<section id=\"part%d\">\n<h2>%s (%zu)</h2>\n", i, parts[i].title,
		    count);
	else
		sbuf_printf(out, "\n========================================"
				 "==============================\n%s (%zu)\n\n", parts[i].title, count);
	if (count > 0)
		sbuf_text(out, heads[html][single]);
	for (size_t j = 0; j < count && sink_row(sink); j++) {
		const struct dm_method *m = list[j]->run[single ? i - CHANGES : 1];

		sbuf_text(out, html ? "<tr>" : "");
		if (single) {
			number_write(out, html, m->exclusive);
			number_write(out, html, m->inclusive);
			calls_write(out, html, m);
		} else {
			change_write(out, list[j], &parts[i], html);
		}
		sbuf_text(out, html ? "<td>" : " ");
		dm_method_write(out, m, html);
		sbuf_text(out, html ? "</td></tr>\n" : "\n");
	}
	if (html)
		sbuf_text(out, count > 0 ? "</tbody></table>\n</section>\n" : "</section>\n");
	mem_free(list);
}

void
dmdiff_write(struct sink *sink, const struct dmdiff *diff, bool html, const char *script_base)
{
	const struct htmlpage page = {
	    .title = STR("Differences of two traces"), .script_base = script_base};
	struct sbuf *out = &sink->text;

	if (html) {
		htmlpage_begin(out, &page);
		sbuf_text(out, "<ul>\n");
	}
	for (int run = 0; run < 2; run++) {
		sbuf_printf(out, "%sRun %d: ", html ? "<li>" : "", run + 1);
		(html ? html_text : sbuf_str)(out, str_from(diff->run[run]->trace->path));
		sbuf_printf(out, html ? ", total %" PRIu64 " us</li>\n" : " (total %" PRIu64 " usecs)\n",
		    diff->run[run]->total);
	}
	sbuf_text(out, html ? "</ul>\n<nav><ul>\n" : "");
	for (int i = 0; html && i < PARTS; i++)
		sbuf_printf(out, "<li><a href=\"#part%d\">%s</a></li>\n", i, parts[i].title);
	sbuf_text(out, html ? "</ul></nav>\n" : "");
	for (int i = 0; i < PARTS; i++)
		list_write(sink, diff, i, html);
	if (html)
		htmlpage_end(out, &page);
}
