/*
 * html: dmtracedump's profile as one HTML page: the four parts of the text, tables to
 * sort, classes and names to unfold, every [index] a link to the method's callers.
 */
#include <config.h>

#include "report/dmtracedump/dmtrace.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/mem.h"
#include "report/text/html.h"

struct writer {
	struct sink *sink;
	struct sbuf *out;
	const struct dmtrace *d;
};

/* A tab is only the seam of two fields. */
static void
name_part(struct sbuf *out, struct str name)
{
	while (name.p != NULL) {
		html_text(out, str_cut(&name, '\t'));
		if (name.p != NULL)
			sbuf_char(out, ' ');
	}
}

void
dmhtml_method(struct sbuf *out, const struct dm_method *m)
{
	name_part(out, m->class_name);
	if (!m->named)
		return;
	sbuf_char(out, '.');
	name_part(out, m->name);
	sbuf_char(out, ' ');
	name_part(out, m->signature);
}

/* "[7]", a link when the method has a block to go to. */
static void
link_to(struct sbuf *out, const struct dm_method *m)
{
	if (m->inclusive > 0)
		sbuf_printf(out, "<a href=\"#m%" PRIu32 "\">[%" PRIu32 "]</a>", m->index, m->index);
	else
		sbuf_printf(out, "[%" PRIu32 "]", m->index);
}

static void
navigation(const struct writer *w, const char *id, const char *title)
{
	sbuf_printf(w->out, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
	sbuf_text(w->out, "<nav><a href=\"#exclusive\">Exclusive</a>"
			  "<a href=\"#inclusive\">Inclusive</a><a href=\"#class\">Class</a>"
			  "<a href=\"#method\">Method</a></nav>\n");
}

static void
exclusive_write(const struct writer *w)
{
	double total = (double)w->d->total, sum = 0;
	size_t count;
	struct dm_method **list = dm_exclusive(w->d, &count);

	navigation(w, "exclusive", "Exclusive profile");
	sbuf_printf(w->out, "<p>Total cycles: %" PRIu64 "</p>\n", w->d->total);
	sbuf_text(w->out, "<p>Elapsed times for each method, not including time spent in "
			  "children.</p>\n<table class=\"sortable\"><thead><tr><th class=\"n\">"
			  "Usecs</th><th class=\"n\">self %</th><th class=\"n\">sum %</th>"
			  "<th>Index</th><th>Method</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < count && sink_row(w->sink); i++) {
		sum += (double)list[i]->exclusive;
		sbuf_printf(w->out,
		    "<tr><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.2f</td>"
		    "<td class=\"n\">%.2f</td><td>", list[i]->exclusive,
		    100.0 * (double)list[i]->exclusive / total, 100.0 * sum / total);
		link_to(w->out, list[i]);
		sbuf_text(w->out, "</td><td>");
		dmhtml_method(w->out, list[i]);
		sbuf_text(w->out, "</td></tr>\n");
	}
	sbuf_text(w->out, "</tbody></table>\n</section>\n");
	mem_free(list);
}

static void
relation_write(const struct writer *w, const struct dm_relation *r)
{
	int width = snprintf(NULL, 0, "[%" PRIu32 "]", r->method->index);

	sbuf_printf(w->out, "               %6s %*s", r->share, width < 6 ? 6 - width : 0, "");
	link_to(w->out, r->method);
	sbuf_printf(w->out, " %6" PRIu64 "/%-6" PRIu64 " %9" PRIu64 " ", r->calls, r->total,
	    r->inclusive);
	dmhtml_method(w->out, r->method);
	sbuf_char(w->out, '\n');
}

static void
relations_write(const struct writer *w, const struct dm_method *m, enum relation_kind kind)
{
	size_t count;
	struct dm_relation *list = dm_relations(w->d, m, kind, &count);

	for (size_t i = 0; i < count && sink_row(w->sink); i++) {
		if (i == 0 && list[0].share[0] == '\0')
			sbuf_text(w->out, DM_RECURSIVE_RULE);
		relation_write(w, &list[i]);
	}
	mem_free(list);
}

static void
inclusive_method(const struct writer *w, const struct dm_method *m)
{
	char index[32];

	sbuf_printf(w->out, "<pre id=\"m%" PRIu32 "\">", m->index);
	relations_write(w, m, RELATION_PARENT);
	relations_write(w, m, RELATION_PARENT_RECURSIVE);
	snprintf(index, sizeof(index), "[%" PRIu32 "]", m->index);
	sbuf_printf(w->out,
	    "<b>%-6s %5.1f%%                  %6" PRIu64 "+%-6" PRIu64 " %9" PRIu64 " ", index,
	    100.0 * (double)m->inclusive / (double)w->d->total, m->calls, m->recursive_calls,
	    m->inclusive);
	dmhtml_method(w->out, m);
	sbuf_printf(w->out, "</b>\n%15s%5.1f%%   excl %13s %9" PRIu64 "\n", "",
	    100.0 * (double)m->self / (double)m->inclusive, "", m->self);
	relations_write(w, m, RELATION_CHILD);
	relations_write(w, m, RELATION_CHILD_RECURSIVE);
	sbuf_text(w->out, "</pre>\n");
}

static void
inclusive_write(const struct writer *w)
{
	const struct dmtrace *d = w->d;

	navigation(w, "inclusive", "Inclusive profile");
	sbuf_text(w->out,
	    "<p>Elapsed times for each method with its callers above and what it calls "
	    "below, by inclusive time.</p>\n"
	    "<pre>index  %/total %/self  index     calls         usecs name</pre>\n");
	for (size_t i = 0; i < d->list.count && sink_row(w->sink); i++) {
		if (d->inclusive[i]->inclusive == 0)
			break;
		inclusive_method(w, d->inclusive[i]);
	}
	sbuf_text(w->out, "</section>\n");
}

static void
group_write(const struct writer *w, const struct dm_group *g, double sum,
    enum dm_grouping by)
{
	double total = (double)w->d->total, whole = (double)g->exclusive, inside = 0;

	sbuf_printf(w->out, "<details><summary>%9" PRIu64 " %7.1f %7.1f %6" PRIu64 "+%-6" PRIu64 " ",
	    g->exclusive, 100.0 * whole / total, 100.0 * sum / total, g->calls,
	    g->recursive_calls);
	name_part(w->out, by == DM_BY_CLASS ? g->methods[0]->class_name : g->methods[0]->name);
	sbuf_text(w->out, "</summary>\n<table class=\"sortable\"><thead><tr><th class=\"n\">"
			  "Exclusive</th><th class=\"n\">Inclusive</th><th class=\"n\">%</th>"
			  "<th class=\"n\">Cumul.%</th><th class=\"n\">Calls+Recur</th>"
			  "<th>Index</th><th>Method</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < g->count && sink_row(w->sink); i++) {
		const struct dm_method *m = g->methods[i];

		inside += (double)m->exclusive;
		sbuf_printf(w->out,
		    "<tr><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td>"
		    "<td class=\"n\">%.1f</td><td class=\"n\">%.1f</td>"
		    "<td class=\"n\">%" PRIu64 "+%" PRIu64 "</td><td>", m->exclusive,
		    m->inclusive, 100.0 * (double)m->exclusive / whole, 100.0 * inside / whole,
		    m->calls, m->recursive_calls);
		link_to(w->out, m);
		sbuf_text(w->out, "</td><td>");
		dmhtml_method(w->out, m);
		sbuf_text(w->out, "</td></tr>\n");
	}
	sbuf_text(w->out, "</tbody></table></details>\n");
}

static void
groups_write(const struct writer *w, enum dm_grouping by)
{
	bool class = by == DM_BY_CLASS;
	struct dm_groups groups;
	double sum = 0;

	dm_groups_make(&groups, w->d, by);
	navigation(w, class ? "class" : "method",
	    class ? "Class/method profile" : "Method/class profile");
	sbuf_text(w->out, class
		? "<p>Exclusive elapsed time for each class, summed over all its methods.</p>\n"
		: "<p>Exclusive elapsed time for each method, summed over all the classes that "
		  "have a method of that name.</p>\n");
	if (groups.count == 0)
		sbuf_text(w->out, class ? "<p>No classes.</p>\n" : "<p>No methods.</p>\n");
	sbuf_text(w->out, "<p><button type=\"button\" data-open=\"1\">Unfold all</button> "
			  "<button type=\"button\" data-open=\"0\">Fold all</button></p>\n");
	sbuf_printf(w->out, "<pre>   Cycles %%/total Cumul.%%  Calls+Recur  %s</pre>\n",
	    class ? "Class" : "Method");
	for (size_t i = 0; i < groups.count && sink_row(w->sink); i++) {
		if (groups.sorted[i]->exclusive == 0)
			break;
		sum += (double)groups.sorted[i]->exclusive;
		group_write(w, groups.sorted[i], sum, by);
	}
	sbuf_text(w->out, "</section>\n");
	dm_groups_release(&groups);
}

void
dmhtml_write(struct sink *sink, const struct dmtrace *d, const char *script_base)
{
	const struct htmlpage page = {
	    .title = str_from(d->trace->path), .script_base = script_base};
	struct writer w = {sink, &sink->text, d};

	htmlpage_begin(w.out, &page);
	exclusive_write(&w);
	inclusive_write(&w);
	groups_write(&w, DM_BY_CLASS);
	groups_write(&w, DM_BY_NAME);
	htmlpage_end(w.out, &page);
}
