#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "view/columns.h"
#include "view/info_rows.h"

/* Rows of a list that are worth a look; the table has the others. */
enum { RELATIONS_MAX = 200 };

static void
add_names(struct info *info, const struct trace *t, struct names *names, uint32_t method)
{
	const struct method *m = trace_method(t, method);
	struct str file = names_file(names, method);

	info_heading(info, "METHOD");
	info_row_add(info, INFO_PAIR, STR("name"), names_full(names, method));
	if (names_class(names, method).n > 0)
		info_row_add(info, INFO_PAIR, STR("class"), names_class(names, method));
	info_row_add(info, INFO_PAIR, STR("method"), names_method(names, method));
	if (names_signature(names, method).n > 0)
		info_row_add(
		    info, INFO_PAIR, STR("signature"), names_signature(names, method));
	if (file.n > 0)
		info_row_add(info, INFO_PAIR, STR("file"), file);
	if (m->line > 0)
		info_pair(info, "line", "%" PRId32, m->line);
	else if (m->line < 0)
		info_pair(
		    info, "line", "none, %s", m->line == -2 ? "native" : "abstract");
	if (m->word == NULL && t->log == NULL)
		info_pair(info, "id", "0x%" PRIx64, m->id);
}

/* Every column but the texts, whatever is shown in the table. */
static void
add_figures(struct info *info, const struct figures *f, const struct row *row)
{
	char title[FMT_SIZE], out[FMT_SIZE];

	info_heading(info, "FIGURES");
	for (int i = 0; i < COLUMNS; i++) {
		enum column_id id = (enum column_id)i;
		struct str text;

		if (column_is_text(&column_table[id]) || !column_exists(id, f->trace->clocks))
			continue;
		text = value_format(f, column_get(f, id, row), FMT_SIZE, out);
		if (text.n > 0)
			info_row_add(
			    info, INFO_PAIR, str_from(column_title(f, id, title)), text);
	}
}

/* Extremes and percentiles, on each clock. */
static void
add_calls(struct info *info, const struct trace *t, const struct calls *calls)
{
	static const struct {
		const char *title;
		unsigned permille;
	} rows[] = {{"min", 0}, {"p50", 500}, {"p90", 900}, {"p99", 990}, {"max", 1000}};
	static const char *const names[CLOCKS] = {"cpu", "wall"};
	char out[FMT_SIZE], budget[FMT_SIZE];

	info_heading(info, "CALLS, ONE BY ONE");
	if (!calls->whole) {
		info_pair(info, "found", "%d %%", (int)(calls->progress * 100));
		return;
	}
	for (int clock = CLOCKS - 1; clock >= 0; clock--) {
		if (!trace_has_clock(t, (enum clock_id)clock))
			continue;
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			char title[32];

			snprintf(title, sizeof(title), "%s %s ms", rows[i].title, names[clock]);
			info_pair(info, title, "%s",
			    fmt_ms(out, calls_percentile(calls, (enum clock_id)clock,
					    rows[i].permille)));
		}
	}
	if (calls->budget > 0)
		info_pair(info, "over budget", "%" PRIu64 " of %" PRIu64 ", longer than %s ms",
		    calls->over, calls->count, fmt_ms(budget, calls->budget));
	if (calls->cut > 0)
		info_pair(info, "cut", "%" PRIu64 ", by the window or the ends of the trace",
		    calls->cut);
}

static void
add_relations(struct info *info, const struct figures *f, uint32_t method,
    const char *heading, enum row_kind kind, enum relation_kind list)
{
	static const enum column_id shown[] = {
	    COLUMN_INCL_PERCENT, COLUMN_INCL, COLUMN_CALLS};
	uint32_t count;
	const struct relation *relations = fold_relations(f->fold, method, list, &count);

	if (count == 0)
		return;
	info_heading(info, heading);
	for (uint32_t i = 0; i < count && i < RELATIONS_MAX; i++) {
		struct row row = {kind, relations[i].method, method, relations[i]};
		char figures[4 * FMT_SIZE], out[FMT_SIZE];
		int n = 0;

		for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
			struct str text =
			    value_format(f, column_get(f, shown[k], &row), FMT_SIZE, out);

			n += snprintf(figures + n, sizeof figures - (size_t)n, "%*.*s ",
			    column_table[shown[k]].width, STR_ARG(text));
		}
		info_row_add(info, INFO_PAIR, str_from(figures),
		    names_full(f->names, relations[i].method));
	}
	if (count > RELATIONS_MAX)
		info_pair(info, "", "and %" PRIu32 " more", count - RELATIONS_MAX);
}

void
info_build_method(struct info *info, const struct trace *t, struct names *names,
    const struct fold *fold, uint32_t method, const struct info_slice *slice,
    const struct calls *calls)
{
	struct figures f = {
	    .trace = t, .names = names, .fold = fold, .clock = trace_default_clock(t)};
	struct row row = {.kind = ROW_METHOD, .method = method, .of = method};

	info_clear(info);
	if (slice != NULL)
		info_add_slice(info, t, names, slice);
	if (method == METHOD_NONE)
		return;
	add_names(info, t, names, method);
	if (method >= fold->method_count || !fold->methods[method].present)
		return;
	add_figures(info, &f, &row);
	if (calls != NULL)
		add_calls(info, t, calls);
	add_relations(info, &f, method, "PARENTS", ROW_PARENT, RELATION_PARENT);
	add_relations(info, &f, method, "CHILDREN", ROW_CHILD, RELATION_CHILD);
	add_relations(info, &f, method, "PARENTS WHILE RECURSIVE", ROW_PARENT_RECURSIVE,
	    RELATION_PARENT_RECURSIVE);
	add_relations(info, &f, method, "CHILDREN WHILE RECURSIVE", ROW_CHILD_RECURSIVE,
	    RELATION_CHILD_RECURSIVE);
}
