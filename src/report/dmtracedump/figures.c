// SPDX-License-Identifier: Apache-2.0
/*
 * figures: dmtracedump's profile in four parts: methods by their own time, each with its
 * callers and what it calls, classes, names.  As text byte for byte; as one HTML page with
 * tables to sort, classes and names to unfold, every [index] a link to the method's callers.
 */
#include <config.h>

#include "report/dmtracedump/dmtrace.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/mem.h"
#include "report/text/html.h"

struct figures_writer {
	struct sink *sink;
	struct sbuf *out;
	const struct dmtrace *d;
	bool html;
};

/* One of the two forms. */
static void
put(const struct figures_writer *w, const char *text, const char *html)
{
	sbuf_text(w->out, w->html ? html : text);
}

static void
name_put(const struct figures_writer *w, struct str name)
{
	if (!w->html)
		sbuf_str(w->out, name);
	/* A tab is only the seam of two fields. */
	while (w->html && name.p != NULL) {
		html_text(w->out, str_cut(&name, '\t'));
		if (name.p != NULL)
			sbuf_char(w->out, ' ');
	}
}

static void
signature_put(const struct figures_writer *w, const struct dm_method *m)
{
	name_put(w, m->name);
	sbuf_char(w->out, ' ');
	name_put(w, m->signature);
}

static void
method_put(const struct figures_writer *w, const struct dm_method *m)
{
	name_put(w, m->class_name);
	if (!m->named)
		return;
	sbuf_char(w->out, '.');
	signature_put(w, m);
}

void
dm_method_write(struct sbuf *out, const struct dm_method *m, bool html)
{
	method_put(&(struct figures_writer){.out = out, .html = html}, m);
}

/* "[7]" in so many columns, a link when the method has a block to go to. */
static void
index_put(const struct figures_writer *w, const struct dm_method *m, int width)
{
	char index[32];
	int n = snprintf(index, sizeof(index), "[%" PRIu32 "]", m->index);

	if (!w->html || m->inclusive == 0)
		sbuf_printf(w->out, "%*s", width, index);
	else
		sbuf_printf(w->out, "%*s<a href=\"#m%" PRIu32 "\">%s</a>", n < width ? width - n : 0,
		    "", m->index, index);
}

/* Begins a part; of the page with its title, and links to all. */
static void
part_begin(const struct figures_writer *w, const char *id, const char *title)
{
	if (!w->html) {
		sbuf_text(w->out, "\n========================================"
				  "==============================\n");
		return;
	}
	sbuf_printf(w->out, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
	sbuf_text(w->out, "<nav><a href=\"#exclusive\">Exclusive</a>"
			  "<a href=\"#inclusive\">Inclusive</a><a href=\"#class\">Class</a>"
			  "<a href=\"#method\">Method</a></nav>\n");
}

static void
exclusive_write(const struct figures_writer *w)
{
	double total = (double)w->d->total, sum = 0;
	size_t count;
	struct dm_method **list = dm_exclusive(w->d, &count);

	part_begin(w, "exclusive", "Exclusive profile");
	sbuf_printf(w->out, w->html ? "<p>Total cycles: %" PRIu64 "</p>\n"
				    : "Total cycles: %" PRIu64 "\n\n", w->d->total);
	put(w,
	    "Exclusive elapsed times for each method, not including time spent in\n"
	    "children, sorted by exclusive time.\n\n"
	    "    Usecs  self %  sum %  Method\n",
	    "<p>Elapsed times for each method, not including time spent in "
	    "children.</p>\n<table class=\"sortable\"><thead><tr><th class=\"n\">"
	    "Usecs</th><th class=\"n\">self %</th><th class=\"n\">sum %</th>"
	    "<th>Index</th><th>Method</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < count && sink_row(w->sink); i++) {
		sum += (double)list[i]->exclusive;
		sbuf_printf(w->out,
		    w->html ? "<tr><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.2f</td>"
			      "<td class=\"n\">%.2f</td><td>"
			    : "%9" PRIu64 "  %6.2f %6.2f  ",
		    list[i]->exclusive, 100.0 * (double)list[i]->exclusive / total,
		    100.0 * sum / total);
		index_put(w, list[i], 0);
		put(w, " ", "</td><td>");
		method_put(w, list[i]);
		put(w, "\n", "</td></tr>\n");
	}
	put(w, "", "</tbody></table>\n</section>\n");
	mem_free(list);
}

static void
relations_write(const struct figures_writer *w, const struct dm_method *m, enum relation_kind kind)
{
	size_t count;
	struct dm_relation *list = dm_relations(w->d, m, kind, &count);

	if (count > 0 && list[0].share[0] == '\0')
		sbuf_text(w->out, "               +++++++++++++++++++++++++\n");
	for (size_t i = 0; i < count && sink_row(w->sink); i++) {
		sbuf_printf(w->out, "               %6s ", list[i].share);
		index_put(w, list[i].method, 6);
		sbuf_printf(w->out, " %6" PRIu64 "/%-6" PRIu64 " %9" PRIu64 " ", list[i].calls,
		    list[i].total, list[i].inclusive);
		method_put(w, list[i].method);
		sbuf_char(w->out, '\n');
	}
	mem_free(list);
}

static void
inclusive_method(const struct figures_writer *w, const struct dm_method *m)
{
	char index[32];

	if (w->html)
		sbuf_printf(w->out, "<pre id=\"m%" PRIu32 "\">", m->index);
	else
		sbuf_text(w->out, "----------------------------------------------------\n");
	relations_write(w, m, RELATION_PARENT);
	relations_write(w, m, RELATION_PARENT_RECURSIVE);
	snprintf(index, sizeof(index), "[%" PRIu32 "]", m->index);
	put(w, "", "<b>");
	sbuf_printf(w->out, "%-6s %5.1f%%%*s%6" PRIu64 "+%-6" PRIu64 " %9" PRIu64 " ", index,
	    100.0 * (double)m->inclusive / (double)w->d->total, w->html ? 18 : 16, "", m->calls,
	    m->recursive_calls, m->inclusive);
	method_put(w, m);
	put(w, "\n", "</b>\n");
	sbuf_printf(w->out, "%15s%5.1f%%   excl %13s %9" PRIu64 "\n", "",
	    100.0 * (double)m->self / (double)m->inclusive, "", m->self);
	relations_write(w, m, RELATION_CHILD);
	relations_write(w, m, RELATION_CHILD_RECURSIVE);
	put(w, "", "</pre>\n");
}

static void
inclusive_write(const struct figures_writer *w)
{
	const struct dmtrace *d = w->d;

	part_begin(w, "inclusive", "Inclusive profile");
	put(w,
	    "\nInclusive elapsed times for each method and its parents and children,\n"
	    "sorted by inclusive time.\n\n"
	    "index  %/total %/self  index     calls         usecs name\n",
	    "<p>Elapsed times for each method with its callers above and what it calls "
	    "below, by inclusive time.</p>\n"
	    "<pre>index  %/total %/self  index     calls         usecs name</pre>\n");
	for (size_t i = 0; i < d->list.count && sink_row(w->sink); i++) {
		if (d->inclusive[i]->inclusive == 0)
			break;
		inclusive_method(w, d->inclusive[i]);
	}
	put(w, "", "</section>\n");
}

static const struct grouping {
	const char *id, *title, *column;
	const char *about, *html_about;
	const char *none, *html_none; /* `none` NULL: the text has not even the heading then */
} groupings[] = {
	[DM_BY_CLASS] = {
	    "class", "Class/method profile", "Class",
	    "\nExclusive elapsed time for each class, summed over all the methods\n"
	    "in the class.\n\n",
	    "<p>Exclusive elapsed time for each class, summed over all its methods.</p>\n",
	    "\nNo classes.\n", "<p>No classes.</p>\n" },
	[DM_BY_NAME] = {
	    "method", "Method/class profile", "Method",
	    "\nExclusive elapsed time for each method, summed over all the classes\n"
	    "that contain a method with the same name.\n\n",
	    "<p>Exclusive elapsed time for each method, summed over all the classes that "
	    "have a method of that name.</p>\n",
	    NULL, "<p>No methods.</p>\n" },
};

static void
group_method(const struct figures_writer *w, const struct dm_group *g, const struct dm_method *m,
    double sum, enum dm_grouping by)
{
	double whole = (double)g->exclusive;

	sbuf_printf(w->out,
	    w->html ? "<tr><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td>"
		      "<td class=\"n\">%.1f</td><td class=\"n\">%.1f</td>"
		      "<td class=\"n\">%" PRIu64 "+%" PRIu64 "</td><td>"
		    : "%9" PRIu64 " %9" PRIu64 " %7.1f %7.1f %6" PRIu64 "+%-6" PRIu64 " ",
	    m->exclusive, m->inclusive, 100.0 * (double)m->exclusive / whole,
	    100.0 * sum / whole, m->calls, m->recursive_calls);
	index_put(w, m, 0);
	put(w, " ", "</td><td>");
	if (by == DM_BY_NAME || w->html)
		method_put(w, m);
	else
		signature_put(w, m);
	put(w, "\n", "</td></tr>\n");
}

static void
group_write(const struct figures_writer *w, const struct dm_group *g, double sum,
    enum dm_grouping by)
{
	double total = (double)w->d->total, inside = 0;

	put(w, "---------------------------------------------\n", "<details><summary>");
	sbuf_printf(w->out, "%9" PRIu64 " %7.1f %7.1f %6" PRIu64 "+%-6" PRIu64 " ",
	    g->exclusive, 100.0 * (double)g->exclusive / total, 100.0 * sum / total, g->calls,
	    g->recursive_calls);
	name_put(w, by == DM_BY_CLASS ? g->methods[0]->class_name : g->methods[0]->name);
	put(w, "\n",
	    "</summary>\n<table class=\"sortable\"><thead><tr><th class=\"n\">"
	    "Exclusive</th><th class=\"n\">Inclusive</th><th class=\"n\">%</th>"
	    "<th class=\"n\">Cumul.%</th><th class=\"n\">Calls+Recur</th>"
	    "<th>Index</th><th>Method</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < g->count && sink_row(w->sink); i++) {
		inside += (double)g->methods[i]->exclusive;
		group_method(w, g, g->methods[i], inside, by);
	}
	put(w, "", "</tbody></table></details>\n");
}

static void
groups_write(const struct figures_writer *w, enum dm_grouping by)
{
	const struct grouping *g = &groupings[by];
	struct dm_groups groups;
	double sum = 0;

	dm_groups_make(&groups, w->d, by);
	if (w->html || groups.count > 0 || g->none != NULL)
		part_begin(w, g->id, g->title);
	if (w->html || groups.count > 0)
		put(w, g->about, g->html_about);
	if (groups.count == 0)
		put(w, g->none != NULL ? g->none : "", g->html_none);
	put(w, "", "<p><button type=\"button\" data-open=\"1\">Unfold all</button> "
		   "<button type=\"button\" data-open=\"0\">Fold all</button></p>\n<pre>");
	if (w->html || groups.count > 0)
		sbuf_printf(w->out, "   Cycles %%/total Cumul.%%  Calls+Recur  %s", g->column);
	put(w, groups.count > 0 ? "\n" : "", "</pre>\n");
	for (size_t i = 0; i < groups.count && sink_row(w->sink); i++) {
		if (groups.groups[i].exclusive == 0)
			break;
		sum += (double)groups.groups[i].exclusive;
		group_write(w, &groups.groups[i], sum, by);
	}
	put(w, "", "</section>\n");
	dm_groups_release(&groups);
}

void
dmtrace_write(struct sink *sink, const struct dmtrace *d, bool html, const char *script_base)
{
	const struct htmlpage page = {
	    .title = str_from(d->trace->path), .script_base = script_base};
	const struct figures_writer w = {sink, &sink->text, d, html};

	if (html)
		htmlpage_begin(&sink->text, &page);
	exclusive_write(&w);
	inclusive_write(&w);
	groups_write(&w, DM_BY_CLASS);
	groups_write(&w, DM_BY_NAME);
	if (html)
		htmlpage_end(&sink->text, &page);
}
