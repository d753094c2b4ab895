/* htmlmethods: the parts of the page that are tables of methods (htmlparts.h). */
#include <config.h>

#include <inttypes.h>

#include "base/html.h"
#include "base/mem.h"
#include "report/htmlparts.h"
#include "report/relations.h"

/* What a part may hold. */
enum {
	METHODS_MAX = 1000,
	BLOCKS_MAX = 200, /* methods with parents and children */
	LIST_MAX = 20,    /* of one list of them */
	TABLE_BYTES = 500 << 10, /* a table ends there, names may be long */
	BLOCKS_BYTES = 600 << 10,
};

static const enum column_id table_columns[] = {COLUMN_RANK, COLUMN_INCL_PERCENT,
    COLUMN_EXCL_PERCENT, COLUMN_INCL, COLUMN_EXCL, COLUMN_OTHER_INCL, COLUMN_OTHER_EXCL,
    COLUMN_WAIT, COLUMN_CALLS, COLUMN_PER_CALL, COLUMN_THREADS};
static const enum column_id block_columns[] = {
    COLUMN_INCL_PERCENT, COLUMN_INCL, COLUMN_OTHER_INCL, COLUMN_CALLS};

struct columns {
	const enum column_id *ids;
	size_t count;
};

#define COLUMNS_OF(list) {list, sizeof(list) / sizeof(list[0])}

static void
heads(const struct page *p, const struct columns *c, const char *first)
{
	const struct figures *f = &p->report->figures;
	char title[FMT_SIZE];

	sbuf_text(p->out, "<thead><tr>");
	if (first != NULL)
		sbuf_printf(p->out, "<th scope=\"col\">%s</th>", first);
	for (size_t i = 0; i < c->count; i++)
		if (column_exists(c->ids[i], f->trace->clocks))
			sbuf_printf(p->out, "<th scope=\"col\" class=\"n\">%s</th>",
			    column_title(f, c->ids[i], title));
	sbuf_text(p->out, "<th scope=\"col\">Method</th></tr></thead>\n<tbody>\n");
}

static void
method_cell(const struct page *p, uint32_t method, bool link)
{
	sbuf_text(p->out, "<td class=\"name\">");
	if (link)
		sbuf_printf(p->out, "<a href=\"#m%" PRIu32 "\">", method);
	html_text(p->out, names_full(p->report->figures.names, method));
	sbuf_text(p->out, link ? "</a></td>" : "</td>");
}

static bool
has_block(const struct page *p, uint32_t method)
{
	for (uint32_t i = 0; i < p->blocks; i++)
		if (p->report->rows[i] == method)
			return true;
	return false;
}

static void
cells(const struct page *p, const struct columns *c, const struct row *row)
{
	const struct figures *f = &p->report->figures;
	char text[FMT_SIZE];

	for (size_t i = 0; i < c->count; i++) {
		struct str value;

		if (!column_exists(c->ids[i], f->trace->clocks))
			continue;
		value = value_format(f, column_get(f, c->ids[i], row), FMT_SIZE - 1, text);
		sbuf_text(p->out, "<td class=\"n\">");
		html_text(p->out, value);
		sbuf_text(p->out, "</td>");
	}
}

void
page_profile(const struct page *p)
{
	static const struct columns columns = COLUMNS_OF(table_columns);
	const struct report *r = p->report;
	size_t bytes = 0;
	uint32_t i;

	page_section(p, "profile", "Profile");
	sbuf_text(p->out,
	    "<p>Inclusive time is that of a method and of all it called, exclusive time that "
	    "of the method alone.</p>\n<div class=\"wide\" tabindex=\"0\">\n"
	    "<table class=\"sortable\">\n"
	    "<caption>Methods; a title sorts by its column</caption>\n");
	heads(p, &columns, NULL);
	for (i = 0; i < r->count && i < METHODS_MAX && bytes < TABLE_BYTES; i++) {
		const struct row row = {.method = r->rows[i], .of = r->rows[i]};
		size_t from = p->out->n;

		sbuf_text(p->out, "<tr>");
		cells(p, &columns, &row);
		method_cell(p, r->rows[i], i < p->blocks);
		sbuf_text(p->out, "</tr>\n");
		bytes += p->out->n - from;
		if (!sink_row(p->sink))
			break;
	}
	sbuf_text(p->out, "</tbody></table></div>\n");
	page_left_out(p, i, r->matched, "methods");
	sbuf_text(p->out, "</section>\n");
}

static void
list_write(const struct page *p, const struct columns *c, uint32_t method,
    enum relation_kind kind)
{
	static const char *const words[RELATION_KINDS] = {
	    [RELATION_PARENT] = "called by",
	    [RELATION_CHILD] = "calls",
	    [RELATION_PARENT_RECURSIVE] = "called by, while recursive",
	    [RELATION_CHILD_RECURSIVE] = "calls, while recursive",
	};
	uint32_t count;
	struct row *rows = relation_rows(p->report, method, kind, &count);

	for (uint32_t i = 0; i < count && i < LIST_MAX; i++) {
		bool self = rows[i].kind == ROW_SELF;

		sbuf_printf(p->out, "<tr><td>%s</td>", self ? "itself" : words[kind]);
		cells(p, c, &rows[i]);
		if (self)
			sbuf_text(p->out, "<td></td>");
		else
			method_cell(p, rows[i].method, has_block(p, rows[i].method));
		sbuf_text(p->out, "</tr>\n");
	}
	if (count > LIST_MAX)
		sbuf_printf(p->out,
		    "<tr><td>%s</td><td colspan=\"9\">and %" PRIu32 " more</td></tr>\n",
		    words[kind], count - LIST_MAX);
	mem_free(rows);
}

static void
block_write(const struct page *p, uint32_t method)
{
	static const struct columns columns = COLUMNS_OF(block_columns);
	const struct row own = {.method = method, .of = method};

	sbuf_printf(p->out, "<h3 id=\"m%" PRIu32 "\">", method);
	html_text(p->out, names_full(p->report->figures.names, method));
	sbuf_text(p->out, "</h3>\n<div class=\"wide\"><table>\n");
	heads(p, &columns, "Relation");
	list_write(p, &columns, method, RELATION_PARENT);
	list_write(p, &columns, method, RELATION_PARENT_RECURSIVE);
	sbuf_text(p->out, "<tr class=\"own\"><td>method</td>");
	cells(p, &columns, &own);
	method_cell(p, method, false);
	sbuf_text(p->out, "</tr>\n");
	list_write(p, &columns, method, RELATION_CHILD);
	list_write(p, &columns, method, RELATION_CHILD_RECURSIVE);
	sbuf_text(p->out, "</tbody></table></div>\n");
}

/* The blocks of the first `most` rows, as far as there is room; returns of how many. */
static uint32_t
blocks_write(const struct page *p, uint32_t most)
{
	const struct report *r = p->report;
	uint32_t i;

	sbuf_clear(p->out);
	page_section(p, "relations", "Who calls whom");
	sbuf_text(p->out, "<p>Percentages are of the method; its own line is of the total.</p>\n");
	for (i = 0; i < most && p->out->n < BLOCKS_BYTES && sink_wanted(p->sink); i++)
		block_write(p, r->rows[i]);
	page_left_out(p, i, r->matched, "methods");
	sbuf_text(p->out, "</section>\n");
	return i;
}

/* Made before all else, so that it is known which methods can be linked to. */
void
page_relations(struct page *p, struct sbuf *into)
{
	struct page part = *p;
	uint32_t most = p->report->count < BLOCKS_MAX ? p->report->count : BLOCKS_MAX;

	part.out = into;
	part.blocks = most;
	p->blocks = blocks_write(&part, most);
	part.blocks = p->blocks;
	if (p->blocks < most)
		blocks_write(&part, p->blocks);
}
