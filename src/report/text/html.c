// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/text/html.h"

#include <inttypes.h>

#include "base/escape.h"
#include "base/mem.h"
#include "report/flame/picture.h"
#include "report/report.h"
#include "report/tables.h"
#include "report/text/htmlparts.h"
#include "report/text/views.h"
#include "trace/log.h"
#include "view/list/list.h"
#include "view/log/tables.h"
#include "view/pages/info.h"

/* Any page ------------------------------------------------------------------------ */

static const char style[] =
#include "base/page_style.inc"
    ;

static const char script[] =
#include "report/text/page_script.inc"
    ;

void
htmlpage_begin(struct sbuf *out, const struct htmlpage *page)
{
	html_between(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
	    page->title, "</title>\n<style>\n");
	sbuf_text(out, style);
	if (page->style != NULL)
		sbuf_text(out, page->style);
	sbuf_text(out, "</style>\n");
	if (page->script_base != NULL)
		html_between(out, "<script src=\"", str_from(page->script_base),
		    "sortable.js\"></script>\n");
	sbuf_text(out, "</head>\n<body>\n");
	if (page->skip_to != NULL)
		sbuf_printf(out, "<a class=\"skip\" href=\"#%s\">Skip to the figures</a>\n",
		    page->skip_to);
	html_name_between(out, "<h1>", page->title, "</h1>\n");
}

void
htmlpage_end(struct sbuf *out, const struct htmlpage *page)
{
	sbuf_text(out, "<script>\n");
	sbuf_text(out, script);
	if (page->script != NULL)
		sbuf_text(out, page->script);
	sbuf_text(out, "</script>\n</body>\n</html>\n");
}

/* The report ---------------------------------------------------------------------- */

const char *
part_words(const struct page *p, const char *text)
{
	return names_words(p->report->figures.names, text);
}

void
page_begin(const struct page *p, struct str title, const char *skip_to)
{
	struct sbuf css = {0};

	sbuf_text(&css, report_style);
	sbuf_text(&css, picture_style);
	htmlpage_begin(p->out, &(struct htmlpage){.title = title, .style = sbuf_cstr(&css), .skip_to = skip_to});
	sbuf_release(&css);
}

void
page_end(const struct page *p)
{
	sbuf_text(p->out, "</main>\n");
	htmlpage_end(p->out, &(struct htmlpage){.script = picture_script});
}

void
part_begin(const struct page *p, const char *id, const char *title)
{
	sbuf_printf(p->out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n"
			    "<h2 id=\"%s-title\">%s</h2>\n", id, id, id, part_words(p, title));
}

/* Says how much of a table is shown, when that is not all. */
static void
page_left_out(const struct page *p, uint32_t shown, uint32_t all, const char *what)
{
	if (shown < all)
		sbuf_printf(p->out, "<p class=\"dim\">%" PRIu32 " of %" PRIu32 " %s are shown, the first."
		    "</p>\n", shown, all, part_words(p, what));
}

/* Tables --------------------------------------------------------------------------- */

const char report_style[] =
#include "report/text/report_style.inc"
    ;

/* Limits of the page's parts. */
enum {
	METHODS_MAX = 1000,
	BLOCKS_MAX = 200, /* methods with parents and children */
	LIST_MAX = 20,    /* of one list of them */
	TABLE_BYTES = 400 << 10, /* a table ends there, names may be long */
	BLOCKS_BYTES = 500 << 10,
	THREADS_MAX = 500,
	FRAMES_MAX = 3000,
	GRAPH_BYTES = 700 << 10, /* of all graphs; the first has half of it at most, */
	GRAPH_ALL_BYTES = 150 << 10, /* that of all threads so much */
	GRAPHS_MAX = 8,    /* of further threads */
	THREAD_CHARS = 80, /* of a name */
	LINKS_MAX = 200,   /* to threads without a graph */
	TIMELINE_MAX = 24, /* threads */
	MARKS_MAX = 64, /* findings in it */
	LOG_ROWS = 100,    /* of a table of a log */
	LOG_BYTES = 40 << 10,
};

static void
method_cell(const struct page *p, uint32_t method, bool link)
{
	sbuf_text(p->out, "<td class=\"name\">");
	if (link)
		sbuf_printf(p->out, "<a href=\"#m%" PRIu32 "\">", method);
	html_name(p->out, names_shown(p->report->figures.names, method));
	sbuf_text(p->out, link ? "</a></td>" : "</td>");
}

static void
heads(const struct page *p, const struct sheet *s, int from)
{
	for (int c = from; c < s->column_count; c++) {
		html_between(p->out, s->columns[c].kind == VALUE_TEXT ? "<th scope=\"col\">"
		    : "<th scope=\"col\" class=\"n\">", str_from(s->columns[c].title), "</th>");
	}
	sbuf_text(p->out, "</tr></thead>\n<tbody>\n");
}

static void
cells(const struct page *p, const struct sheet *s, size_t row, int from, int to)
{
	struct sbuf text = {0};

	for (int c = from; c < to; c++) {
		sbuf_clear(&text);
		sheet_text(s, row, c, &text);
		sbuf_text(p->out, s->columns[c].kind == VALUE_TEXT ? "<td>" : "<td class=\"n\">");
		(s->columns[c].kind == VALUE_TEXT ? html_name : html_text)(p->out, sbuf_view(&text));
		sbuf_text(p->out, "</td>");
	}
	sbuf_release(&text);
}

void
part_table(const struct page *p, const struct list *l, const struct part_table *t)
{
	struct sbuf scratch = {0};
	size_t from = p->out->n, row;
	struct sheet sheet;

	list_sheet(&sheet, l, false);
	sheet.scratch = &scratch;
	sbuf_printf(p->out, "<div class=\"wide\" tabindex=\"0\"><table class=\"sortable\">\n"
	    "<caption>%s</caption>\n<thead><tr>", t->caption);
	heads(p, &sheet, 0);
	for (row = 0; row < sheet.rows && row < t->rows && p->out->n - from < t->bytes; row++) {
		sbuf_text(p->out, "<tr>");
		cells(p, &sheet, row, 0, sheet.column_count - t->methods);
		if (t->methods)
			method_cell(p, l->rows[row].item, part_has_block(p, l->rows[row].item));
		sbuf_text(p->out, "</tr>\n");
	}
	sbuf_text(p->out, "</tbody></table></div>\n");
	page_left_out(p, (uint32_t)row, t->methods ? p->report->matched : (uint32_t)sheet.rows,
	    t->what);
	sbuf_release(&scratch);
}

bool
part_has_block(const struct page *p, uint32_t method)
{
	return method < p->report->fold->method_count && p->blocks[method];
}

static void
page_profile(const struct page *p)
{
	static const enum column_id shown[] = {COLUMN_EXCL_PERCENT, COLUMN_EXCL, COLUMN_INCL_PERCENT,
	    COLUMN_INCL, COLUMN_CALLS, COLUMN_MAX, COLUMN_THREADS, COLUMN_METHOD};
	const char *words[sizeof(shown) / sizeof(shown[0]) + 1] = {NULL};
	const struct report *r = p->report;

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		words[i] = column_table[shown[i]].id;
	table_columns(r->tables->list, words);
	part_begin(p, "profile", "Profile");
	sbuf_printf(p->out, part_words(p,
	    "<p>%s time. Self is the time in a method alone, Incl with all that it called%s.</p>\n"
	    "<p class=\"find\" hidden><input type=\"search\" aria-label=\"Search methods\" "
	    "placeholder=\"search: regular expression\"> <output></output></p>\n"),
	    r->figures.clock == CLOCK_CPU ? "CPU" : "Wall",
	    trace_has_clock(r->trace, CLOCK_CPU) ? "" : "; waiting rows last");
	part_table(p, r->tables->list, &(struct part_table){.what = "methods",
	    .caption = part_words(p, "Methods by self time; click a heading to sort"),
	    .rows = METHODS_MAX, .bytes = TABLE_BYTES, .methods = true});
	sbuf_text(p->out, "</section>\n");
}

static void
relation_html(const struct page *p, const struct sheet *s, const struct text_block *b,
    size_t i, const char *word)
{
	const struct row *row = &b->rows[i];
	bool own = row->kind == ROW_METHOD;

	sbuf_printf(p->out, "<tr%s><td>%s</td>", own ? " class=\"own\"" : "", part_words(p, word));
	cells(p, s, i, 1, s->column_count - 1);
	if (row->kind == ROW_SELF)
		sbuf_text(p->out, "<td></td>");
	else
		method_cell(p, row->method, !own && part_has_block(p, row->method));
	sbuf_text(p->out, "</tr>\n");
}

/* Without the sheet's first column, the rank. */
static void
block_html(const struct page *p, const struct sheet *s, const struct text_block *b)
{
	static const char *const words[] = {
	    [ROW_METHOD] = "method",
	    [ROW_PARENT] = "called by",
	    [ROW_SELF] = "itself",
	    [ROW_CHILD] = "calls",
	    [ROW_PARENT_RECURSIVE] = "called by, while recursive",
	    [ROW_CHILD_RECURSIVE] = "calls, while recursive",
	};
	size_t in_list = 0;

	sbuf_printf(p->out, "<h3 id=\"m%" PRIu32 "\">", b->method);
	html_name(p->out, names_shown(p->report->figures.names, b->method));
	sbuf_text(p->out, "</h3>\n<div class=\"wide\"><table>\n"
	    "<thead><tr><th scope=\"col\">Relation</th>");
	heads(p, s, 1);
	for (size_t i = 0; i < b->count; i++) {
		enum row_kind kind = b->rows[i].kind;
		bool last = i + 1 == b->count || (b->rows[i + 1].kind != kind && kind != ROW_SELF);

		if (in_list++ < LIST_MAX)
			relation_html(p, s, b, i, words[kind]);
		if (last && in_list > LIST_MAX)
			sbuf_printf(p->out,
			    "<tr><td>%s</td><td colspan=\"9\">and %zu more</td></tr>\n",
			    part_words(p, words[kind]), in_list - LIST_MAX);
		in_list = last ? 0 : in_list;
	}
	sbuf_text(p->out, "</tbody></table></div>\n");
}

/* The blocks of these methods, as far as there is room; returns of how many. */
static uint32_t
blocks_write(const struct page *p, const uint32_t *methods, uint32_t most)
{
	const struct report *r = p->report;
	struct text_block b = {.report = r};
	struct sbuf scratch = {0};
	struct sheet sheet;
	uint32_t i;

	block_sheet(&sheet, &b);
	sheet.scratch = &scratch;
	sbuf_clear(p->out);
	part_begin(p, "relations", "Who calls whom");
	sbuf_text(p->out,
	    part_words(p, "<p>Percentages are of the method; its own line is of the total.</p>\n"));
	for (i = 0; i < most && p->out->n < BLOCKS_BYTES && sink_wanted(p->sink); i++) {
		block_make(&b, methods[i]);
		block_html(p, &sheet, &b);
	}
	mem_free(b.rows);
	sbuf_release(&scratch);
	page_left_out(p, i, r->matched, "methods");
	sbuf_text(p->out, "</section>\n");
	return i;
}

/* Methods that get a block: those that findings are about, then the first rows. */
static uint32_t
blocks_choose(const struct page *p, uint32_t *methods, uint8_t *chosen)
{
	const struct report *r = p->report;
	uint32_t found[BLOCKS_MAX / 2], wanted = 0, count = 0;

	found_methods(p, found, &wanted, BLOCKS_MAX / 2);
	for (uint32_t i = 0; i < wanted + r->count && count < BLOCKS_MAX; i++) {
		uint32_t method = i < wanted ? found[i] : r->rows[i - wanted];

		if (method >= r->fold->method_count || !r->fold->methods[method].present ||
		    chosen[method])
			continue;
		chosen[method] = 1;
		methods[count++] = method;
	}
	return count;
}

/* Made before all else, so that it is known which methods can be linked to; mem_free. */
static uint8_t *
page_relations(struct page *p, struct sbuf *into)
{
	uint8_t *chosen = mem_zero((size_t)p->report->fold->method_count + 1, 1);
	struct page part = *p;
	uint32_t methods[BLOCKS_MAX] = {0}, most = blocks_choose(p, methods, chosen), fit;

	part.out = into;
	part.blocks = p->blocks = chosen;
	fit = blocks_write(&part, methods, most);
	for (uint32_t i = fit; i < most; i++)
		chosen[methods[i]] = 0;
	if (fit < most)
		blocks_write(&part, methods, fit);
	return chosen;
}

/* Parts of the page --------------------------------------------------------------- */

static void
trace_write(const struct page *p)
{
	const struct report *r = p->report;
	struct load_status status = {0};
	struct info info = {.shared = true};

	info_begin(&info, r->trace, r->figures.names);
	info_heading(&info, "What is shown");
	info_pair(&info, unit_counts(&r->trace->unit) ? "unit" : "clock", "%s",
	    unit_counts(&r->trace->unit) ? r->trace->unit.name : clock_names[r->figures.clock]);
	facts_window(&info, r);
	if (r->scope != NULL)
		info_pair(&info, "threads", "%" PRIu32 " of %" PRIu32, scope_size(r->scope),
		    r->trace->threads.count);
	facts_chosen(&info, r);
	info_pair(&info, "total", "%s, the sum over the threads shown, which percentages are of",
	    unit_text(&r->trace->unit, FMT_BUF, r->fold->total[r->figures.clock]));
	facts_html(p->out, &info);
	load_status_of(&status, r->profile, 1);
	info.starts = r->usage != NULL ? &r->usage->starts : NULL;
	info_build(&info, r->trace, r->figures.names, &status, r->fold, NULL);
	facts_html(p->out, &info);
	info_release(&info);
}

/* Other parts --------------------------------------------------------------------- */

static void
threads_write(const struct page *p)
{
	struct report_options options = {
	    .view = report_views, .limit = UINT32_MAX};
	struct report threads = *p->report;
	struct err e = {.kind = ERR_NONE};

	threads.options = &options;
	threads.tables = tables_new(&threads);
	threads_choose(&threads, NULL, &e); /* without patterns nothing can fail */
	part_begin(p, "threads", "Threads");
	part_table(p, threads.tables->list, &(struct part_table){.what = "threads",
	    .caption = "Threads; click a heading to sort", .rows = THREADS_MAX,
	    .bytes = TABLE_BYTES});
	sbuf_text(p->out, "</section>\n");
	tables_free(threads.tables);
}

size_t
part_graph(const struct page *p, uint32_t root, size_t bytes)
{
	uint32_t frames = FRAMES_MAX;
	struct sink part = {.cancel = p->sink->cancel};
	size_t from = p->out->n;

	flamegraph_inside(&part, p->flame, root, frames);
	while (part.text.n > bytes && frames > 10 && sink_wanted(p->sink)) {
		frames = (uint32_t)((uint64_t)frames * bytes / part.text.n * 9 / 10);
		sbuf_clear(&part.text);
		flamegraph_inside(&part, p->flame, root, frames);
	}
	sbuf_str(p->out, sbuf_view(&part.text));
	sbuf_release(&part.text);
	return p->out->n - from;
}

/* The thread that findings are about, or else the busiest one; PATH_NONE: threads are one. */
static uint32_t
main_root(const struct page *p, uint32_t busiest)
{
	const struct paths *paths = p->flame->paths;

	for (uint32_t i = 0; p->found != NULL && i < paths->roots; i++)
		if (paths->root_thread[i] == p->found->thread && paths->root_thread[i] != THREAD_NONE &&
		    paths->items[i].inclusive[p->report->figures.clock] > 0)
			return i;
	return busiest;
}

/* Writes the name of the thread of a root, of a long one the beginning. */
static void
thread_name(const struct page *p, uint32_t root)
{
	struct names *names = p->report->figures.names;

	html_name(p->out, names_head(names, names_thread(names, p->flame->paths->root_thread[root]),
	    THREAD_CHARS));
}

/* Writes what chooses the thread in the address of the page: others of its id go by their names. */
static void
thread_query(struct sbuf *out, const struct trace *t, const struct thread *thread)
{
	if (thread->kind == THREAD_TASK) {
		sbuf_printf(out, "?thread=%" PRIu32, thread->id);
		return;
	}
	sbuf_text(out, "?thread=");
	for (size_t i = 0; i < thread->name.n; i++)
		sbuf_printf(out, "%%%02x", (unsigned char)thread->name.p[i]);
	if (thread->process > 0)
		sbuf_printf(out, "&amp;process=%" PRIu32, ((const struct log_process *)seg_at(
		    &t->log->processes, thread->process - 1))->pid);
}

/* Says which threads have no graph, as links where the page has an address for each. */
static void
graphs_left_out(const struct page *p, const uint32_t *roots, uint32_t count)
{
	const struct trace *t = p->report->trace;
	bool links = p->flame->options->links;

	if (count == 0)
		return;
	sbuf_printf(p->out, "<p class=\"%s\">%" PRIu32 " more thread%s%s", links ? "to" : "dim", count,
	    count == 1 ? "" : "s", links ? ": " : "; <code>slowtop flame --thread</code> draws them.");
	for (uint32_t i = 0; links && i < count && i < LINKS_MAX; i++) {
		uint32_t thread = p->flame->paths->root_thread[roots[i]];

		sbuf_text(p->out, "<a href=\"");
		thread_query(p->out, t, trace_thread(t, thread));
		sbuf_text(p->out, "#flame\">");
		thread_name(p, roots[i]);
		sbuf_text(p->out, "</a> ");
	}
	if (links && count > LINKS_MAX)
		sbuf_printf(p->out, "and %" PRIu32 " with less time", count - LINKS_MAX);
	sbuf_text(p->out, "</p>\n");
}

/* Returns the roots with time beside `first`, the heaviest first; mem_free. */
static uint32_t *
roots_order(const struct page *p, uint32_t first, uint32_t *count)
{
	const struct paths *paths = p->flame->paths;
	uint32_t *order = mem_alloc(((size_t)paths->roots + 1) * sizeof(*order));
	struct ranked *list = mem_zero((size_t)paths->roots + 1, sizeof(*list));

	*count = 0;
	for (uint32_t i = 0; i < paths->roots; i++) {
		nsec time = paths->items[i].inclusive[p->report->figures.clock];

		if (i != first && time > 0)
			list[(*count)++] = (struct ranked){.key = time, .id = i, .index = i};
	}
	ranked_sort(list, *count, false, order);
	return order;
}

/* Writes what a graph is of and its time, of a root or of all threads. */
static void
graph_name(const struct page *p, uint32_t root)
{
	const struct paths *paths = p->flame->paths;
	enum clock_id clock = p->report->figures.clock;

	if (root != PATH_NONE)
		thread_name(p, root);
	else
		sbuf_printf(p->out, "all %" PRIu32 " threads", paths->roots);
	sbuf_printf(p->out, ", %s", unit_text(&p->report->trace->unit, FMT_BUF, root != PATH_NONE
		? paths->items[root].inclusive[clock] : paths_total(paths, clock)));
}

/* Writes the graph of a root as the `number`-th that is closed at first; one is open at a time. */
static size_t
graph_closed(const struct page *p, uint32_t number, uint32_t root, size_t bytes)
{
	size_t used;

	sbuf_text(p->out, "<details name=\"graph\"><summary>");
	graph_name(p, root);
	sbuf_printf(p->out, "</summary>\n<div id=\"graph%" PRIu32 "\">\n", number);
	used = part_graph(p, root, bytes);
	sbuf_text(p->out, "</div></details>\n");
	return used;
}

static void
page_graph(const struct page *p, uint32_t busiest)
{
	const struct paths *paths = p->flame->paths;
	uint32_t root = main_root(p, busiest), others, graphs, *order;
	size_t left = GRAPH_BYTES, used;
	bool several = root != PATH_NONE && paths->roots > 1;

	order = roots_order(p, root, &others);
	graphs = several ? (others < GRAPHS_MAX ? others : GRAPHS_MAX) : 0;
	part_begin(p, "flame", "Flame graph");
	sbuf_printf(p->out, "<p>%s time of ", p->report->figures.clock == CLOCK_CPU ? "CPU" : "Wall");
	graph_name(p, root);
	sbuf_printf(p->out, "%s%s.%s</p>\n",
	    p->report->figures.clock == CLOCK_CPU ? "" : ", without waiting",
	    transforms_active(&p->report->options->transforms) ? ", transformed" : "",
	    p->flame->options->links && p->report->scope != NULL
		? " <a href=\"?#flame\">All threads</a>" : "");
	/* Links to what is closed open it. */
	for (uint32_t i = 0; several && i <= graphs; i++) {
		sbuf_printf(p->out, "%s<a href=\"#graph%" PRIu32 "\">",
		    i == 0 ? "<p class=\"to\">Others: " : "", i);
		graph_name(p, i == 0 ? PATH_NONE : order[i - 1]);
		sbuf_text(p->out, i == graphs ? "</a></p>\n" : "</a> ");
	}
	used = part_graph(p, root, several ? GRAPH_BYTES / 2 : GRAPH_BYTES);
	left -= used < left ? used : left;
	for (uint32_t i = 0; several && i <= graphs && sink_wanted(p->sink); i++) {
		used = graph_closed(p, i, i == 0 ? PATH_NONE : order[i - 1],
		    i == 0 ? GRAPH_ALL_BYTES : left / (graphs + 1 - i));
		left -= used < left ? used : left;
	}
	if (several)
		graphs_left_out(p, order + graphs, others - graphs);
	sbuf_text(p->out, part_words(p, "<p class=\"dim\">Each frame is a call path, as wide as its "
	    "time, below its caller. <code>slowtop flame</code> draws more of it.</p>\n</section>\n"));
	mem_free(order);
}

/* Busy time ------------------------------------------------------------------------ */

static void
timeline_write(const struct page *p, const nsec *busy, uint32_t first)
{
	const struct paths *paths = p->flame->paths;
	uint32_t *order = mem_alloc(((size_t)paths->roots + 1) * sizeof(*order)), n = 0, count;
	struct ranked *list = mem_zero((size_t)paths->roots + 1, sizeof(*list));
	struct flame_mark marks[MARKS_MAX];
	struct sbuf texts[MARKS_MAX] = {{0}};
	uint32_t marked;

	for (uint32_t i = 0; i < paths->roots; i++)
		if (busy[i] > 0)
			list[n++] = (struct ranked){
			    .key = i == first ? INT64_MAX : busy[i], .id = i, .index = paths->root_thread[i]};
	ranked_sort(list, n, false, order);
	count = n < TIMELINE_MAX ? n : TIMELINE_MAX;
	part_begin(p, "timeline", "Timeline");
	sbuf_printf(p->out, part_words(p, "<p>Colour: the method that ran most; height: how busy the "
	    "thread was%s.</p>\n"),
	    transforms_active(&p->report->options->transforms) ? ", as recorded" : "");
	marked = found_marks(p, marks, MARKS_MAX, texts);
	flamerows_inside(p->out, p->flame, order, count, marks, marked);
	for (uint32_t i = 0; i < marked; i++)
		sbuf_release(&texts[i]);
	if (count < n)
		sbuf_printf(p->out, "<p>%" PRIu32 " of %" PRIu32 " threads are shown, the busiest.</p>\n",
		    count, n);
	sbuf_text(p->out, "</section>\n");
	mem_free(order);
}

/* Tables of a log ------------------------------------------------------------------ */

static void
log_write(const struct page *p)
{
	const struct report *r = p->report;
	struct usage_tables tables;

	part_begin(p, "log", "Log");
	usage_tables_init(&tables, &r->figures);
	for (int i = 0; i < USAGE_INTERVALS && sink_wanted(p->sink); i++) {
		tables.now = (enum usage_table)i;
		usage_tables_fill(&tables, r->trace, r->usage);
		if (tables.missing != NULL || usage_tables_list(&tables)->at.count == 0)
			continue;
		sbuf_printf(p->out, "<h3>%s</h3>\n", usage_table_info[i]->title);
		part_table(p, usage_tables_list(&tables), &(struct part_table){.what = "rows",
		    .caption = usage_table_help[i], .rows = LOG_ROWS, .bytes = LOG_BYTES});
	}
	usage_tables_release(&tables);
	sbuf_text(p->out, "</section>\n");
}

static void
damage_write(const struct page *p)
{
	const struct damage *damage = &p->report->profile->damage;
	struct info info = {0};

	if (damage_count(damage) == 0)
		return;
	info_begin(&info, p->report->trace, p->report->figures.names);
	info_damage(&info, damage);
	part_begin(p, "damage", "Damage");
	facts_html(p->out, &info);
	sbuf_text(p->out, "</section>\n");
	info_release(&info);
}

/* Making -------------------------------------------------------------------------- */

bool
htmlreport_make(struct htmlreport *h, const struct profile *profile, const struct report_options *o,
    const struct flame_options *flame, const atomic_bool *cancel, struct err *e)
{
	*h = (struct htmlreport){.options = *o, .working = *o};
	h->options.relations = true;
	h->working.transforms = (struct transforms){.list = NULL};
	transforms_copy(&h->working.transforms, &o->transforms);
	return transforms_add_text(&h->working.transforms, TRANSFORM_IDLE, STR(""), e) &&
	    report_make(&h->report, profile, &h->options, cancel, e) &&
	    report_open(&h->graph, profile, &h->working, cancel, e) &&
	    flame_make(&h->flame, &h->graph, flame, cancel, e);
}

void
htmlreport_release(struct htmlreport *h)
{
	flame_release(&h->flame);
	report_release(&h->graph);
	report_release(&h->report);
	transforms_release(&h->working.transforms);
}

/* Writing ------------------------------------------------------------------------- */

void
htmlreport_write(struct sink *sink, const struct htmlreport *h)
{
	const struct report *r = &h->report;
	const struct flame *flame = &h->flame;
	struct page p = {.sink = sink, .out = &sink->text, .report = r, .flame = flame};
	struct sbuf relations = {0}, title = {0};
	nsec *busy; /* what threads did beside waiting, by root of the flame graph's paths */
	uint8_t *blocks;
	uint32_t busiest = UINT32_MAX;

	flame_title(&title, r, flame->options, "");
	/* Threads are apart in the flame graph. */
	p.timeline = flame->paths->roots > 0 && flame->paths->root_thread[0] != THREAD_NONE;
	found_make(&p);
	blocks = page_relations(&p, &relations);
	busy = mem_zero((size_t)flame->paths->roots + 1, sizeof(*busy));
	paths_busy(flame->paths, r->trace, busy, NULL);
	for (uint32_t i = 0; p.timeline && i < flame->paths->roots; i++)
		if (busy[i] > 0 && (busiest == UINT32_MAX || busy[i] > busy[busiest]))
			busiest = i;
	page_begin(&p, sbuf_view(&title), "findings");
	page_head(&p, busiest != UINT32_MAX ? flame->paths->root_thread[busiest] : THREAD_NONE,
	    busiest != UINT32_MAX ? busy[busiest] : 0);
	sbuf_printf(p.out, "<nav aria-label=\"Parts\">%s%s<a href=\"#flame\">Flame graph</a>%s"
	    "<a href=\"#profile\">Profile</a><a href=\"#relations\">%s</a>"
	    "<a href=\"#threads\">Threads</a>%s<a href=\"#trace\">Trace</a>%s</nav>\n<main>\n",
	    p.found != NULL ? "<a href=\"#findings\">Findings</a>" : "",
	    p.frames != NULL ? "<a href=\"#frames\">Frames</a>" : "",
	    p.timeline ? "<a href=\"#timeline\">Timeline</a>" : "",
	    part_words(&p, "Who calls whom"),
	    r->usage != NULL ? "<a href=\"#log\">Log</a>" : "",
	    damage_count(&r->profile->damage) > 0 ? "<a href=\"#damage\">Damage</a>" : "");
	if (p.found != NULL)
		page_findings(&p);
	if (p.frames != NULL)
		page_frames(&p);
	page_graph(&p, busiest);
	if (p.timeline)
		timeline_write(&p, busy, main_root(&p, busiest));
	page_profile(&p);
	sbuf_str(p.out, sbuf_view(&relations));
	threads_write(&p);
	if (r->usage != NULL)
		log_write(&p);
	part_begin(&p, "trace", "Trace");
	trace_write(&p);
	sbuf_text(p.out, "</section>\n");
	damage_write(&p);
	page_end(&p);
	found_release(&p);
	mem_free(busy);
	mem_free(blocks);
	sbuf_release(&relations);
	sbuf_release(&title);
}
