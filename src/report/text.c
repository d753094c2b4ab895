#include <config.h>

#include "report/text.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "report/head.h"
#include "report/labels.h"
#include "report/relations.h"

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
		    column_table[l->ids[i]].is_text);
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
		    column_table[l->ids[i]].is_text);
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
