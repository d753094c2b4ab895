/* treerows-write: the rows of a tree in each form. */
#include <config.h>

#include <inttypes.h>

#include "base/mem.h"
#include "report/fields.h"
#include "report/figuretext.h"
#include "report/members.h"
#include "report/names.h"
#include "report/treerows.h"

static const struct path *
path_at(const struct report *r, uint32_t row)
{
	return &r->tree->tree->items[r->tree->rows[row].path];
}

/* THREAD_NONE for paths that are no thread's root. */
static uint32_t
thread_at(const struct report *r, uint32_t row)
{
	const struct path *path = path_at(r, row);

	if (r->tree->callers != NULL || path->parent != PATH_NONE)
		return THREAD_NONE;
	return r->tree->paths->root_thread[r->tree->rows[row].path];
}

/* Text ---------------------------------------------------------------------------- */

/* Deeper rows stand no further to the right, but say how deep they are. */
enum { INDENT_MAX = 60 };

static enum clock_id
other(const struct report *r)
{
	return r->figures.clock == CLOCK_WALL ? CLOCK_CPU : CLOCK_WALL;
}

static const char *
figure_share(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	enum clock_id clock = r->figures.clock;

	return fmt_percent(
	    out, treerows_time(r, path_at(r, row), clock), r->fold->total[clock]);
}

static const char *
figure_incl(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, path_at(r, row)->inclusive[r->figures.clock]);
}

static const char *
figure_excl(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, path_at(r, row)->exclusive[r->figures.clock]);
}

static const char *
figure_other_incl(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, path_at(r, row)->inclusive[other(r)]);
}

static const char *
figure_other_excl(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_ms(out, path_at(r, row)->exclusive[other(r)]);
}

static const char *
figure_calls(const struct report *r, uint32_t row, char out[static FMT_SIZE])
{
	return fmt_count(out, path_at(r, row)->calls, "");
}

#define BOTH (FIGURE_CPU | FIGURE_WALL)

/* By the clock that is the other one. */
#define FIGURES(word)                                                                    \
	{                                                                                \
		{"Incl%", 0, figure_share}, {"Incl ms", 0, figure_incl},                 \
		    {"Excl ms", 0, figure_excl},                                         \
		    {"Incl " word " ms", BOTH, figure_other_incl},                       \
		    {"Excl " word " ms", BOTH, figure_other_excl},                       \
		    {"Calls", 0, figure_calls},                                          \
	}
#define CALLER_FIGURES(word)                                                             \
	{                                                                                \
		{"Excl%", 0, figure_share}, {"Excl ms", 0, figure_excl},                 \
		    {"Incl ms", 0, figure_incl},                                         \
		    {"Excl " word " ms", BOTH, figure_other_excl},                       \
		    {"Incl " word " ms", BOTH, figure_other_incl},                       \
		    {"Calls", 0, figure_calls},                                          \
	}

static const struct figure tree_figures[CLOCKS][6] = {
    [CLOCK_CPU] = FIGURES("cpu"), [CLOCK_WALL] = FIGURES("wall")};
static const struct figure caller_figures[CLOCKS][6] = {
    [CLOCK_CPU] = CALLER_FIGURES("cpu"), [CLOCK_WALL] = CALLER_FIGURES("wall")};

static void
indent(struct sbuf *out, uint32_t depth)
{
	for (uint32_t i = 0; i < depth && i < INDENT_MAX; i++)
		sbuf_text(out, "  ");
	if (depth > INDENT_MAX)
		sbuf_printf(out, "%" PRIu32 ": ", depth);
}

static void
name(struct sbuf *out, const struct report *r, uint32_t row)
{
	uint32_t thread = thread_at(r, row);

	if (thread == THREAD_NONE) {
		sbuf_str(out, names_full(r->figures.names, path_at(r, row)->method));
		return;
	}
	sbuf_char(out, '[');
	sbuf_str(out, names_thread(r->figures.names, thread));
	sbuf_char(out, ']');
}

static void
folded_line(const struct figuretext *t, struct sbuf *out, const struct tree_row *row,
    uint32_t depth)
{
	const struct report *r = t->report;
	enum clock_id clock = r->figures.clock;
	char number[FMT_SIZE];

	figuretext_blank(t, out);
	indent(out, depth);
	sbuf_printf(out, "(%" PRIu32 " below the cut-off, ", row->folded);
	sbuf_printf(out, "together %s %%)\n",
	    fmt_percent(number, row->folded_time[clock], r->fold->total[clock]));
}

static void
deeper_line(const struct figuretext *t, struct sbuf *out, const struct tree_row *row)
{
	figuretext_blank(t, out);
	indent(out, row->depth + 1);
	sbuf_text(out, "(callers that are not followed)\n");
}

/* What was folded below a row stands behind all that is below it. */
static void
folded_lines(const struct figuretext *t, struct sbuf *out, uint32_t *open, uint32_t *depth,
    uint32_t to)
{
	while (*depth > to) {
		const struct tree_row *row = &t->report->tree->rows[open[--*depth]];

		if (row->folded > 0)
			folded_line(t, out, row, row->depth + 1);
	}
}

void
treerows_text(struct sink *sink, const struct report *r)
{
	struct figuretext t;
	uint32_t *open = NULL, depth = 0; /* by depth: the row above */
	size_t room = 0;

	figuretext_init(&t, r,
	    r->tree->callers != NULL ? caller_figures[other(r)] : tree_figures[other(r)],
	    (int)(sizeof(tree_figures[0]) / sizeof(tree_figures[0][0])));
	figuretext_titles(&t, &sink->text);
	sbuf_text(&sink->text, r->tree->callers != NULL ? "Method, below it its callers\n"
							: "Call tree\n");
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		uint32_t at = r->tree->rows[i].depth;

		folded_lines(&t, &sink->text, open, &depth, at);
		MEM_GROW(open, room, (size_t)at + 1);
		open[at] = i;
		depth = at + 1;
		figuretext_line(&t, &sink->text, i);
		indent(&sink->text, at);
		name(&sink->text, r, i);
		sbuf_char(&sink->text, '\n');
		if (r->tree->rows[i].deeper)
			deeper_line(&t, &sink->text, &r->tree->rows[i]);
	}
	if (r->count == r->matched) {
		folded_lines(&t, &sink->text, open, &depth, 0);
		if (r->tree->rest.folded > 0)
			folded_line(&t, &sink->text, &r->tree->rest, 0);
	}
	mem_free(open);
}

/* CSV ----------------------------------------------------------------------------- */

static const char *const folded_keys[CLOCKS] = {"folded_cpu_us", "folded_wall_us"};

static void
headings(struct sbuf *out, const struct report *r)
{
	sbuf_text(out, "depth,thread,id,class,name,signature,calls,");
	field_time_names(out, r, true);
	sbuf_text(out, "folded,");
	for (int c = 0; c < CLOCKS; c++)
		if (trace_has_clock(r->trace, (enum clock_id)c))
			field_put(out, str_from(folded_keys[c]));
	if (r->tree->callers != NULL)
		field_put(out, STR("deeper"));
	field_line_end(out);
}

static void
names_put(struct sbuf *out, const struct report *r, uint32_t row)
{
	uint32_t thread = thread_at(r, row), method = path_at(r, row)->method;
	const struct method *m = trace_method(r->trace, method);
	char id[NAME_ID_SIZE];

	if (thread != THREAD_NONE) {
		field_count(out, trace_thread(r->trace, thread)->id);
		sbuf_text(out, ",,");
		field_put(out, trace_thread(r->trace, thread)->name);
		sbuf_char(out, ',');
		return;
	}
	sbuf_char(out, ',');
	field_put(out, name_id(id, r->trace, method));
	field_put(out, m->class_name);
	field_put(out, m->name);
	field_put(out, m->signature);
}

void
treerows_csv(struct sink *sink, const struct report *r)
{
	struct sbuf *out = &sink->text;

	headings(out, r);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		const struct tree_row *row = &r->tree->rows[i];
		const struct path *path = path_at(r, i);

		field_count(out, row->depth);
		names_put(out, r, i);
		field_count(out, path->calls);
		field_times(out, r, path->inclusive, path->exclusive);
		field_count(out, row->folded);
		field_times(out, r, row->folded_time, NULL);
		if (r->tree->callers != NULL)
			field_count(out, row->deeper);
		field_line_end(out);
	}
}

/* JSON ---------------------------------------------------------------------------- */

static void
members_name(struct json *j, const struct report *r, uint32_t row)
{
	uint32_t thread = thread_at(r, row), method = path_at(r, row)->method;
	const struct method *m = trace_method(r->trace, method);
	char id[NAME_ID_SIZE];

	if (thread != THREAD_NONE) {
		member_uint(j, "thread", trace_thread(r->trace, thread)->id);
		if (r->trace->log != NULL)
			member_str(j, "kind",
			    str_from(name_thread_kind(trace_thread(r->trace, thread))));
		member_str(j, "name", trace_thread(r->trace, thread)->name);
		return;
	}
	member_str(j, "id", name_id(id, r->trace, method));
	member_str(j, "class", m->class_name);
	member_str(j, "name", m->name);
	member_str(j, "signature", m->signature);
}

static const char *const inclusive_keys[CLOCKS] = {"incl_cpu_us", "incl_wall_us"};
static const char *const exclusive_keys[CLOCKS] = {"excl_cpu_us", "excl_wall_us"};

static void
members_folded(struct json *j, const struct report *r, const struct tree_row *row)
{
	if (row->folded == 0)
		return;
	member_uint(j, "folded", row->folded);
	for (int c = 0; c < CLOCKS; c++)
		member_time(j, r->trace, folded_keys, (enum clock_id)c, row->folded_time[c]);
}

static void
row_write(struct json *j, const struct report *r, uint32_t i)
{
	const struct tree_row *row = &r->tree->rows[i];
	const struct path *path = path_at(r, i);

	json_object(j);
	member_uint(j, "depth", row->depth);
	members_name(j, r, i);
	member_uint(j, "calls", path->calls);
	for (int c = 0; c < CLOCKS; c++) {
		member_time(
		    j, r->trace, inclusive_keys, (enum clock_id)c, path->inclusive[c]);
		member_time(
		    j, r->trace, exclusive_keys, (enum clock_id)c, path->exclusive[c]);
	}
	members_folded(j, r, row);
	if (row->deeper)
		member_bool(j, "deeper", true);
	json_end(j);
}

void
treerows_json(struct json *j, struct sink *sink, const struct report *r)
{
	json_key(j, r->tree->callers != NULL ? "bottom_up" : "tree");
	json_array(j);
	for (uint32_t i = 0; i < r->count && j->error == 0 && sink_wanted(sink); i++)
		row_write(j, r, i);
	json_end(j);
	members_folded(j, r, &r->tree->rest);
	if (r->tree->callers == NULL)
		return;
	if (r->tree->deeper > 0 && r->tree->depth_max != UINT32_MAX)
		member_uint(j, "depth_max", r->tree->depth_max);
	else if (r->tree->deeper > 0)
		member_uint(j, "callers_max", r->tree->callers_max);
	json_key(j, "toplevel");
	json_object(j);
	for (int c = 0; c < CLOCKS; c++)
		member_time(j, r->trace, exclusive_keys, (enum clock_id)c, r->tree->outside[c]);
	json_end(j);
}
