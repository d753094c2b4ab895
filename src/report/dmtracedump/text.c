/*
 * text: dmtracedump's profile as text, byte for byte.
 */
#include <config.h>

#include "report/dmtracedump/dmtrace.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"

static const char separator[] =
    "\n======================================================================\n";

struct writer {
	struct sink *sink;
	struct sbuf *out;
	const struct dmtrace *d;
};

void
dmtext_method(struct sbuf *out, const struct dm_method *m)
{
	sbuf_str(out, m->class_name);
	if (!m->named)
		return;
	sbuf_char(out, '.');
	sbuf_str(out, m->name);
	sbuf_char(out, ' ');
	sbuf_str(out, m->signature);
}

/* The rest of a line. */
static void
name_end(const struct writer *w, const struct dm_method *m)
{
	dmtext_method(w->out, m);
	sbuf_char(w->out, '\n');
}

static void
exclusive_write(const struct writer *w)
{
	const struct dmtrace *d = w->d;
	struct dm_method **list;
	double total = (double)d->total, sum = 0;
	size_t count = 0;

	list = dm_exclusive(d, &count);
	sbuf_text(w->out, separator);
	sbuf_printf(w->out, "Total cycles: %" PRIu64 "\n\n", d->total);
	sbuf_text(w->out,
	    "Exclusive elapsed times for each method, not including time spent in\n"
	    "children, sorted by exclusive time.\n\n"
	    "    Usecs  self %  sum %  Method\n");
	for (size_t i = 0; i < count && sink_row(w->sink); i++) {
		const struct dm_method *m = list[i];

		sum += (double)m->exclusive;
		sbuf_printf(w->out, "%9" PRIu64 "  %6.2f %6.2f  [%" PRIu32 "] ", m->exclusive,
		    100.0 * (double)m->exclusive / total, 100.0 * sum / total, m->index);
		name_end(w, m);
	}
	mem_free(list);
}

static void
relations_write(const struct writer *w, const struct dm_method *m, enum relation_kind kind)
{
	size_t count;
	struct dm_relation *list = dm_relations(w->d, m, kind, &count);

	if (count > 0 && list[0].share[0] == '\0')
		sbuf_text(w->out, DM_RECURSIVE_RULE);
	for (size_t i = 0; i < count && sink_row(w->sink); i++) {
		char index[32];

		snprintf(index, sizeof(index), "[%" PRIu32 "]", list[i].method->index);
		sbuf_printf(w->out,
		    "               %6s %6s %6" PRIu64 "/%-6" PRIu64 " %9" PRIu64 " ",
		    list[i].share, index, list[i].calls, list[i].total, list[i].inclusive);
		name_end(w, list[i].method);
	}
	mem_free(list);
}

static void
inclusive_method(const struct writer *w, const struct dm_method *m)
{
	char index[32];

	sbuf_text(w->out, "----------------------------------------------------\n");
	relations_write(w, m, RELATION_PARENT);
	relations_write(w, m, RELATION_PARENT_RECURSIVE);
	snprintf(index, sizeof(index), "[%" PRIu32 "]", m->index);
	sbuf_printf(w->out, "%-6s %5.1f%%   %5s %6s %6" PRIu64 "+%-6" PRIu64 " %9" PRIu64 " ",
	    index, 100.0 * (double)m->inclusive / (double)w->d->total, "", "", m->calls,
	    m->recursive_calls, m->inclusive);
	name_end(w, m);
	sbuf_printf(w->out, "%6s %5s   %5.1f%% %6s %6s %6s %9" PRIu64 "\n", "", "",
	    100.0 * (double)m->self / (double)m->inclusive, "excl", "", "", m->self);
	relations_write(w, m, RELATION_CHILD);
	relations_write(w, m, RELATION_CHILD_RECURSIVE);
}

static void
inclusive_write(const struct writer *w)
{
	const struct dmtrace *d = w->d;

	sbuf_text(w->out, separator);
	sbuf_text(w->out,
	    "\nInclusive elapsed times for each method and its parents and children,\n"
	    "sorted by inclusive time.\n\n"
	    "index  %/total %/self  index     calls         usecs name\n");
	for (size_t i = 0; i < d->list.count && sink_row(w->sink); i++) {
		if (d->inclusive[i]->inclusive == 0)
			break;
		inclusive_method(w, d->inclusive[i]);
	}
}

static const struct grouping {
	const char *about, *title;
	const char *none; /* said when there are no groups; NULL: not even the heading */
} groupings[] = {
	[DM_BY_CLASS] = {
	    "\nExclusive elapsed time for each class, summed over all the methods\n"
	    "in the class.\n\n",
	    "Class", "\nNo classes.\n" },
	[DM_BY_NAME] = {
	    "\nExclusive elapsed time for each method, summed over all the classes\n"
	    "that contain a method with the same name.\n\n",
	    "Method", NULL },
};

static void
group_method(const struct writer *w, const struct dm_group *g, const struct dm_method *m,
    double sum, enum dm_grouping by)
{
	double whole = (double)g->exclusive;

	sbuf_printf(w->out,
	    "%9" PRIu64 " %9" PRIu64 " %7.1f %7.1f %6" PRIu64 "+%-6" PRIu64 " [%" PRIu32 "] ",
	    m->exclusive, m->inclusive, 100.0 * (double)m->exclusive / whole,
	    100.0 * sum / whole, m->calls, m->recursive_calls, m->index);
	if (by == DM_BY_NAME) {
		name_end(w, m);
		return;
	}
	sbuf_str(w->out, m->name);
	sbuf_char(w->out, ' ');
	sbuf_str(w->out, m->signature);
	sbuf_char(w->out, '\n');
}

static void
group_write(const struct writer *w, const struct dm_group *g, double sum,
    enum dm_grouping by)
{
	double total = (double)w->d->total, inside = 0;

	sbuf_text(w->out, "---------------------------------------------\n");
	sbuf_printf(w->out, "%9" PRIu64 " %7.1f %7.1f %6" PRIu64 "+%-6" PRIu64 " ",
	    g->exclusive, 100.0 * (double)g->exclusive / total, 100.0 * sum / total, g->calls,
	    g->recursive_calls);
	sbuf_str(w->out, by == DM_BY_CLASS ? g->methods[0]->class_name : g->methods[0]->name);
	sbuf_char(w->out, '\n');
	for (size_t i = 0; i < g->count && sink_row(w->sink); i++) {
		inside += (double)g->methods[i]->exclusive;
		group_method(w, g, g->methods[i], inside, by);
	}
}

static void
groups_write(const struct writer *w, enum dm_grouping by)
{
	const struct grouping *text = &groupings[by];
	struct dm_groups groups;
	double sum = 0;

	dm_groups_make(&groups, w->d, by);
	if (groups.count > 0 || text->none != NULL)
		sbuf_text(w->out, separator);
	if (groups.count == 0 && text->none != NULL)
		sbuf_text(w->out, text->none);
	if (groups.count > 0) {
		sbuf_text(w->out, text->about);
		sbuf_printf(w->out, "   Cycles %%/total Cumul.%%  Calls+Recur  %s\n", text->title);
	}
	for (size_t i = 0; i < groups.count && sink_row(w->sink); i++) {
		if (groups.sorted[i]->exclusive == 0)
			break;
		sum += (double)groups.sorted[i]->exclusive;
		group_write(w, groups.sorted[i], sum, by);
	}
	dm_groups_release(&groups);
}

void
dmtext_write(struct sink *sink, const struct dmtrace *d)
{
	struct writer w = {sink, &sink->text, d};

	exclusive_write(&w);
	inclusive_write(&w);
	groups_write(&w, DM_BY_CLASS);
	groups_write(&w, DM_BY_NAME);
}
