/*
 * text: the report for people: what the trace is, then the rows of the view; those of
 * methods are a table, or a block for each with its parents above and its children below.
 */
#include <config.h>

#include <inttypes.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "report/report.h"
#include "report/text/forms.h"
#include "report/text/labels.h"
#include "report/text/relations.h"
#include "report/text/treerows.h"

/* Threads named one by one; more are only counted. */
enum { THREADS_NAMED = 8 };

struct head {
	struct sbuf *out;
	const struct report *report;
};

/* Begins a line; "" goes on under the last label. */
static void
label(const struct head *h, const char *text)
{
	sbuf_printf(h->out, "%-10s", text);
}

static void
clean(const struct head *h, struct str text)
{
	sbuf_str(h->out, names_clean(h->report->figures.names, text));
}

static void
head_trace(const struct head *h)
{
	const struct trace *t = h->report->trace;
	enum clock_id clock = h->report->figures.clock;
	const struct sampled *sampled = &h->report->profile->sampled;
	char number[FMT_SIZE];

	label(h, "File");
	clean(h, str_from(t->path));
	sbuf_char(h->out, '\n');
	label(h, "Format");
	if (t->log != NULL)
		sbuf_printf(h->out, "%s, a text log\n", t->format);
	else
		sbuf_printf(h->out, "%s, version %d\n", t->format, t->version);
	if (sampled->yes) {
		label(h, "Sampled");
		if (sampled->interval > 0)
			sbuf_printf(h->out, "about every %s ms: ",
			    fmt_ms(number, sampled->interval));
		sbuf_text(h->out, "calls are what the samples saw\n");
	}
	label(h, "Clock");
	sbuf_text(h->out, clock == CLOCK_CPU ? "cpu" : "wall");
	if (trace_has_clock(t, CLOCK_CPU) && trace_has_clock(t, CLOCK_WALL))
		sbuf_printf(h->out, " (the trace has %s, too)",
		    clock == CLOCK_CPU ? "wall" : "cpu");
	sbuf_char(h->out, '\n');
}

/* The window that was asked for; an open end is that of the trace. */
static void
head_range(const struct head *h)
{
	const struct report *r = h->report;
	const struct range *range = &r->fold->range;
	char from[FMT_SIZE], to[FMT_SIZE];

	if (range_is_all(range))
		return;
	label(h, "Window");
	sbuf_printf(h->out, "%s to %s ms\n",
	    fmt_ms(from, range->from == INT64_MIN ? r->profile->begin : range->from),
	    fmt_ms(to, range->to == INT64_MAX ? r->profile->end : range->to));
}

static void
head_times(const struct head *h)
{
	const struct report *r = h->report;
	const struct profile *p = r->profile;
	enum clock_id clock = r->figures.clock,
		      other = clock == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;
	char number[FMT_SIZE];

	if (!r->trace->own_axes) { /* else no two threads have a time in common */
		label(h, "Length");
		sbuf_printf(h->out, "%s ms\n", fmt_ms(number, p->end - p->begin));
	}
	head_range(h);
	label(h, "Total");
	sbuf_printf(h->out, "%s ms", fmt_ms(number, r->fold->total[clock]));
	if (trace_has_clock(r->trace, other))
		sbuf_printf(h->out, ", %s %s ms", other == CLOCK_CPU ? "cpu" : "wall",
		    fmt_ms(number, r->fold->total[other]));
	sbuf_printf(h->out, ": the sum over %s%s threads%s, which percentages are of\n",
	    r->trace->log != NULL ? "the slices of " : "",
	    r->scope == NULL ? "all" : "the chosen",
	    range_is_all(&r->fold->range) ? "" : " in the window");
}

static void
head_chosen(const struct head *h)
{
	const struct report *r = h->report;
	uint32_t named = 0;

	for (uint32_t i = 0; i < r->scope->count; i++) {
		if (!scope_has(r->scope, i))
			continue;
		if (named++ == THREADS_NAMED) {
			sbuf_text(h->out, ", ...");
			break;
		}
		sbuf_printf(h->out, "%s%" PRIu32 " ", named > 1 ? ", " : "",
		    trace_thread(r->trace, i)->id);
		sbuf_str(h->out, names_thread(r->figures.names, i));
	}
}

static void
head_counts(const struct head *h)
{
	const struct report *r = h->report;

	label(h, "Threads");
	if (r->scope != NULL) {
		head_chosen(h);
		sbuf_printf(h->out, " (%" PRIu32 " of %" PRIu32 ")\n",
		    scope_size(r->scope), r->trace->threads.count);
	} else {
		sbuf_printf(h->out, "%" PRIu32 "\n", r->threads_met);
	}
	if (r->trace->log != NULL) {
		struct sbuf choice = {0};

		log_choice_text(&choice, &r->trace->log->choice);
		if (choice.n > 0) {
			label(h, "Slices");
			sbuf_printf(h->out, "%s\n", sbuf_cstr(&choice));
		}
		sbuf_release(&choice);
	}
	label(h, "Records");
	sbuf_printf(h->out, "%" PRIu64 "\n", r->profile->records);
	label(h, "Methods");
	sbuf_printf(h->out, "%" PRIu32, r->methods_met);
	sbuf_char(h->out, '\n');
}

static void
head_cut(const struct head *h)
{
	unsigned percent = h->report->options->min_percent;

	if ((h->report->options->view->takes & TAKES_CUT) == 0)
		return;
	label(h, "Cut-off");
	sbuf_printf(h->out, "%u.%03u", percent / REPORT_PERCENT_UNIT,
	    percent % REPORT_PERCENT_UNIT);
	while (h->out->p[h->out->n - 1] == '0')
		h->out->n--;
	if (h->out->p[h->out->n - 1] == '.')
		h->out->n--;
	sbuf_text(h->out, " % of the total; less is folded\n");
}

/* What is no row of the callers. */
static void
head_outside(const struct head *h)
{
	const struct report *r = h->report;
	enum clock_id clock = r->figures.clock;
	const char *title = "Left out";
	char text[FMT_SIZE];
	nsec time;

	if (r->tree == NULL || r->tree->callers == NULL)
		return;
	time = r->tree->outside[clock];
	if (time != 0) {
		label(h, title);
		title = "";
		sbuf_printf(h->out, "(toplevel), where no call was open: %s ms, ",
		    fmt_ms(text, time));
		sbuf_printf(h->out, "%s %%\n", fmt_percent(text, time, r->fold->total[clock]));
	}
	if (r->tree->deeper == 0)
		return;
	label(h, title);
	if (r->tree->depth_max != UINT32_MAX)
		sbuf_printf(h->out, "callers more than %" PRIu32 " calls above",
		    r->tree->depth_max);
	else
		sbuf_printf(h->out, "callers beyond the first %" PRIu64, r->tree->callers_max);
	sbuf_printf(h->out, ", of %" PRIu32 " row%s\n", r->tree->deeper,
	    r->tree->deeper == 1 ? "" : "s");
}

/* What was asked for, and how much of it is here. */
static void
head_choice(const struct head *h)
{
	const struct report *r = h->report;
	const struct report_options *o = r->options;
	bool asked = o->filter_count > 0 || o->method_count > 0;

	for (size_t i = 0; i < o->filter_count; i++) {
		label(h, i == 0 ? "Filter" : "");
		clean(h, str_from(o->filters[i].text));
		sbuf_char(h->out, '\n');
	}
	for (size_t i = 0; i < o->transforms.count; i++) {
		struct sbuf text = {0};

		label(h, i == 0 ? "Transform" : "");
		sbuf_printf(&text, "%s ", transform_kinds[o->transforms.list[i].id].name);
		transform_argument_text(&text, &o->transforms.list[i], r->trace);
		clean(h, sbuf_view(&text));
		sbuf_char(h->out, '\n');
		sbuf_release(&text);
	}
	for (size_t i = 0; i < o->method_count; i++) {
		label(h, i == 0 ? "Method" : "");
		clean(h, str_from(o->methods[i].text));
		sbuf_char(h->out, '\n');
	}
	if ((!asked && r->count == r->matched) || (o->view->takes & TAKES_BUDGET) != 0)
		return;
	label(h, "Rows");
	sbuf_printf(h->out, "%" PRIu32, r->count);
	if (r->count < r->matched)
		sbuf_printf(
		    h->out, " of %" PRIu32 "%s", r->matched, asked ? " that match" : "");
	sbuf_char(h->out, '\n');
}

static void
head_damage(const struct head *h)
{
	const struct damage *damage = &h->report->profile->damage;
	const char *title = "Damage";
	char text[128];

	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (damage->kind[i].count == 0)
			continue;
		label(h, title);
		sbuf_printf(h->out, "%s: %s\n", damage_kinds[i].name,
		    damage_text(damage, (enum damage_kind)i, text, sizeof(text)));
		label(h, "");
		sbuf_printf(h->out, "  (%s)\n", damage_kinds[i].help);
		title = "";
	}
	if (damage_count(damage) == 0) {
		label(h, title);
		sbuf_text(h->out, "none\n");
	}
}

static void
head_notes(const struct head *h)
{
	const struct trace *t = h->report->trace;

	for (size_t i = 0; i < t->note_count; i++) {
		label(h, i == 0 ? "Notes" : "");
		clean(h, t->notes[i]);
		sbuf_char(h->out, '\n');
	}
}

static void
head_print(struct sbuf *out, const struct report *r)
{
	struct head h = {out, r};

	head_trace(&h);
	head_times(&h);
	head_counts(&h);
	head_cut(&h);
	head_outside(&h);
	head_choice(&h);
	head_notes(&h);
	head_damage(&h);
}

/* Columns of the table, those there are; then the sorted one; then the name. */
static const enum column_id table_columns[] = {
    COLUMN_RANK,
    COLUMN_INCL_PERCENT,
    COLUMN_EXCL_PERCENT,
    COLUMN_INCL,
    COLUMN_EXCL,
    COLUMN_OTHER_INCL,
    COLUMN_OTHER_EXCL,
    COLUMN_WAIT,
    COLUMN_CALLS,
    COLUMN_PER_CALL,
};

/* Columns of a block of parents and children. */
static const enum column_id block_columns[] = {
    COLUMN_RANK,
    COLUMN_INCL_PERCENT,
    COLUMN_INCL,
    COLUMN_OTHER_INCL,
    COLUMN_CALLS,
};

struct layout {
	const struct report *report;
	struct sbuf *out;
	enum column_id ids[COLUMNS];
	int width[COLUMNS]; /* by place, not by id */
	int count;
	int members_width; /* of the column of methods in a group; 0: there is none */
};

#define MEMBERS_TITLE "Methods"

/* Widest figure that one can need; the real widths come from what is there. */
enum { VALUE_WIDTH = FMT_SIZE - 1 };

static void
pad(struct sbuf *out, int columns)
{
	for (; columns > 0; columns--)
		sbuf_char(out, ' ');
}

static void
cell(struct sbuf *out, struct str text, int width, bool left)
{
	int gap = width - (int)utf8_width(text);

	if (!left)
		pad(out, gap);
	sbuf_str(out, text);
	if (left)
		pad(out, gap);
}

static bool
layout_has(const struct layout *l, enum column_id id)
{
	for (int i = 0; i < l->count; i++)
		if (l->ids[i] == id)
			return true;
	return false;
}

static void
layout_add(struct layout *l, enum column_id id)
{
	const struct figures *f = &l->report->figures;
	char title[FMT_SIZE];
	int width, title_width;

	if (!column_exists(id, l->report->trace->clocks) || layout_has(l, id))
		return;
	width = column_width(f, id);
	title_width = (int)utf8_width(str_from(column_title(f, id, title)));
	l->ids[l->count] = id;
	l->width[l->count++] = width > title_width ? width : title_width;
}

static void
layout_init(struct layout *l, const struct report *r, struct sbuf *out,
    const enum column_id *ids, size_t count)
{
	*l = (struct layout){.report = r, .out = out};
	for (size_t i = 0; i < count; i++)
		layout_add(l, ids[i]);
}

/* "n/total" takes more room than any N+R. */
static void
layout_widen_calls(struct layout *l)
{
	char number[FMT_SIZE];

	for (int i = 0; i < l->count; i++) {
		int digits = (int)strlen(fmt_count(number, l->report->fold->calls, ""));

		if (l->ids[i] == COLUMN_CALLS && l->width[i] < 2 * digits + 1)
			l->width[i] = 2 * digits + 1;
	}
}

static void
titles(const struct layout *l)
{
	const struct figures *f = &l->report->figures;
	char title[FMT_SIZE];

	for (int i = 0; i < l->count; i++) {
		cell(l->out, str_from(column_title(f, l->ids[i], title)), l->width[i],
		    column_is_text(&column_table[l->ids[i]]));
		sbuf_text(l->out, "  ");
	}
	if (l->members_width > 0)
		sbuf_text(l->out, MEMBERS_TITLE "  ");
	sbuf_text(l->out, label_title(l->report));
	sbuf_char(l->out, '\n');
}

/* `mark` stands before the name; what is named "" has a mark that says it all. */
static void
line(const struct layout *l, const struct row *row, const char *mark)
{
	const struct figures *f = &l->report->figures;
	char number[FMT_SIZE];

	for (int i = 0; i < l->count; i++) {
		struct value value = column_get(f, l->ids[i], row);

		cell(l->out, value_format(f, value, VALUE_WIDTH, number), l->width[i],
		    column_is_text(&column_table[l->ids[i]]));
		sbuf_text(l->out, "  ");
	}
	if (l->members_width > 0) {
		fmt_count(number, l->report->members[row->method], "");
		cell(l->out, str_from(number), l->members_width, false);
		sbuf_text(l->out, "  ");
	}
	sbuf_text(l->out, mark);
	if (row->kind != ROW_SELF)
		sbuf_str(l->out, label_shown(l->report, row->method));
	sbuf_char(l->out, '\n');
}

static void
table(struct sink *sink, const struct report *r)
{
	struct layout l;

	layout_init(&l, r, &sink->text, table_columns,
	    sizeof(table_columns) / sizeof(table_columns[0]));
	if (r->options->sort != COLUMN_METHOD)
		layout_add(&l, r->options->sort);
	if (r->members != NULL)
		l.members_width = (int)sizeof(MEMBERS_TITLE) - 1;
	titles(&l);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++)
		line(&l, &(struct row){.method = r->rows[i], .of = r->rows[i]}, "");
}

/* Blocks ------------------------------------------------------------------------- */

static void
list(const struct layout *l, uint32_t method, enum relation_kind kind)
{
	char mark[8];
	uint32_t count;
	struct row *rows = relation_rows(l->report, method, kind, &count);

	snprintf(mark, sizeof(mark), "  %-2s ", relation_words[kind].mark);
	for (uint32_t i = 0; i < count; i++)
		line(l, &rows[i], rows[i].kind == ROW_SELF ? "  = self" : mark);
	mem_free(rows);
}

static void
rule(const struct layout *l)
{
	int width = 40;

	for (int i = 0; i < l->count; i++)
		width += l->width[i] + 2;
	for (; width > 0; width--)
		sbuf_char(l->out, '-');
	sbuf_char(l->out, '\n');
}

static void
blocks(struct sink *sink, const struct report *r)
{
	struct layout l;

	layout_init(&l, r, &sink->text, block_columns,
	    sizeof(block_columns) / sizeof(block_columns[0]));
	layout_widen_calls(&l);
	sbuf_text(l.out,
	    "Parents (<), self (=) and children (>), in percent of their method;\n"
	    "<r and >r: while it is recursive.\n\n");
	titles(&l);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		uint32_t method = r->rows[i];

		rule(&l);
		list(&l, method, RELATION_PARENT);
		list(&l, method, RELATION_PARENT_RECURSIVE);
		line(&l, &(struct row){.method = method, .of = method}, "");
		list(&l, method, RELATION_CHILD);
		list(&l, method, RELATION_CHILD_RECURSIVE);
	}
}

void
text_methods(struct sink *sink, const struct report *r)
{
	if (r->options->method_count == 0)
		table(sink, r);
	if (r->relations && r->options->method_count == 0)
		sbuf_char(&sink->text, '\n');
	if (r->relations)
		blocks(sink, r);
}

void
report_text(struct sink *sink, const struct report *r)
{
	head_print(&sink->text, r);
	if (!report_is_empty(r)) {
		sbuf_char(&sink->text, '\n');
		r->options->view->text(sink, r);
	} else if (r->profile->records == 0) {
		sbuf_text(&sink->text, "\nNo records.\n");
	} else {
		sbuf_printf(&sink->text, "\nNo %s.\n",
		    (r->options->view->takes & TAKES_RELATIONS) != 0 ? "method matches"
									: "row matches");
	}
}
