// SPDX-License-Identifier: Apache-2.0
/* pathforms: the call paths of two sides, compared, as text, for programs, and as stacks (pathdiff.h). */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "report/pathdiff.h"
#include "report/tables.h"
#include "report/text/verdicts.h"
#include "report/text/views.h"
#include "view/diff/columns.h"

static const char *const side_titles[DIFF_SIDES] = {"A", "B"}, *const side_keys[DIFF_SIDES] = {"a", "b"};
static const char *const state_words[JANK_STATES] = {"running", "runnable", "sleeping", "blocked"};
enum { FEW_CALLS = 3 };

/* Finds the row's path, and its thread in the joined trace: THREAD_NONE if it is a method. */
static const struct pathjoin_figures *
row_of(const struct pathdiff *d, size_t at, const struct path **path, uint32_t *thread)
{
	const struct tree_row *row = &d->rows.rows[at];

	*path = tree_rows_path(&d->rows, row);
	*thread = tree_rows_thread(&d->rows, row);
	return &d->sums.of[row->path];
}

/* Text --------------------------------------------------------------------------------- */

void
pathdiff_totals(struct sbuf *out, const struct pathdiff *d, const nsec times[DIFF_SIDES])
{
	const struct trace_unit *unit = &d->joined.trace->unit;
	nsec a = times[DIFF_A], b = times[DIFF_B];

	sbuf_printf(out, "A %s, B %s: %s %s", unit_text(unit, FMT_BUF, a), unit_text(unit, FMT_BUF, b),
	    diff_time_text(unit, diff_between(a, b), false, FMT_BUF), unit_name(unit));
	if (a > 0)
		sbuf_printf(out, ", %s %%", diff_percent_text(a, b, FMT_BUF));
}

struct str
pathdiff_run_title(const struct pathdiff *d, int side, size_t at)
{
	const struct pathdiff_run *run = &d->runs[side][at];
	struct str name = run->file;
	size_t from = name.n > run->title.n ? name.n - run->title.n : 0;

	if (d->run_count[side] == 1 || !str_equal((struct str){name.p + from, name.n - from}, run->title))
		return run->title;
	from -= from > 0;
	while (from > 0 && name.p[from - 1] != '/')
		from--;
	return (struct str){name.p + from, name.n - from};
}

/* Adds the traces of a side. */
static void
runs_add_facts(struct info *info, const struct pathdiff *d, int side, const char *name)
{
	const struct pathdiff_run *runs = d->runs[side];
	size_t n = d->run_count[side], sampled = 0, damaged = 0;

	struct str first = info->shared ? pathdiff_run_title(d, side, 0) : runs[0].file;
	struct str last = info->shared ? pathdiff_run_title(d, side, n - 1) : runs[n - 1].file;

	if (n > 1)
		sbuf_printf(&info->text, "%zu %s, ", n, d->by_calls ? "traces"
			: d->per != NULL && d->per_found == NULL ? "blocks" : "runs");
	if (n > 1 && !str_equal(first, last))
		sbuf_printf(&info->text, "%.*s to ", STR_ARG(first));
	sbuf_str(&info->text, last);
	info_add(info, name);
	for (size_t i = 0; i < n; i++) {
		sampled += runs[i].sampled;
		damaged += runs[i].damaged;
	}
	if (sampled > 0)
		info_pair(info, name, "sampled: calls are what the samples saw");
	if (damaged > 0)
		info_pair(info, name, "damaged%s: see slowtop info", damaged < n ? " in part" : "");
}

/* Adds which calls are compared. */
static void
calls_add_facts(struct info *info, const struct pathdiff *d)
{
	const struct pathdiff_calls *calls = &d->calls;
	const uint64_t *n = d->of_all;
	const char *limit = fmt_ms(FMT_BUF, calls->over);

	runs_add_facts(info, d, DIFF_A, "trace");
	info_pair(info, "calls", "%s", calls->per != NULL ? calls->per : "frames");
	for (size_t i = 0; i < d->run_count[DIFF_A]; i++) {
		const struct pathdiff_run *run = &d->runs[DIFF_A][i];

		sbuf_str(&info->text, run->thread.n > 0 ? run->thread : STR("none has such calls"));
		if (run->threads > 1)
			sbuf_printf(&info->text, ", one of %" PRIu32 " with such calls", run->threads);
		info_add(info, "thread");
	}
	info_pair(info, "A", "under: %" PRIu64 " call%s of %s ms or less", n[DIFF_A],
	    n[DIFF_A] == 1 ? "" : "s", limit);
	info_pair(info, "B", "over: %" PRIu64 " call%s of more", n[DIFF_B], n[DIFF_B] == 1 ? "" : "s");
	if (calls->cut > 0)
		info_pair(info, "left out", "%" PRIu64 " call%s cut by the window or the trace", calls->cut,
		    calls->cut == 1 ? "" : "s");
	if (n[DIFF_A] < FEW_CALLS || n[DIFF_B] < FEW_CALLS)
		info_pair(info, "note", "fewer than %d calls %s: chance may have made the difference",
		    FEW_CALLS, n[DIFF_A] >= FEW_CALLS ? "over" : n[DIFF_B] >= FEW_CALLS ? "under" : "on each side");
	for (int state = 0; state < JANK_STATES && calls->states; state++) {
		pathdiff_totals(&info->text, d,
		    (const nsec[]){calls->state[DIFF_A][state], calls->state[DIFF_B][state]});
		info_add(info, state_words[state]);
	}
}

void
pathdiff_speeds(struct sbuf *out, const struct pathdiff *d)
{
	char low[FMT_SIZE], high[FMT_SIZE];

	if (d->tested && d->decide.has_speed)
		sbuf_printf(out, "common speed %s %% to %s %%, not taken out",
		    verdicts_percent(low, verdicts_speed(&d->decide, false)),
		    verdicts_percent(high, verdicts_speed(&d->decide, true)));
}

/* Adds what the runs prove, and what they have in common. */
static void
test_add_facts(struct info *info, const struct pathdiff *d)
{
	char why[2 * FMT_SIZE];

	pathdiff_speeds(&info->text, d);
	if (info->text.n > 0)
		info_add(info, "speed");
	if (d->verdicts)
		info_pair(info, "tested", "%zu path%s: %zu differ, and %zu of one side; %s", d->decide.tested,
		    d->decide.tested == 1 ? "" : "s", d->proved, d->one_sided,
		    d->hue == HUE_PROVED ? "others are grey, without a mark" : "marks and colours of all (--hue)");
	if (verdicts_unsure(&d->decide, why)[0] != '\0')
		info_pair(info, d->verdicts ? "note" : "tested", "cannot tell: %s", why);
}

void
pathdiff_facts(struct sbuf *out, const struct pathdiff *d, bool html)
{
	const struct trace_unit *unit = &d->joined.trace->unit;
	const struct report report = {.options = d->options, .trace = d->joined.trace};
	struct info info = {.shared = html};

	info_begin(&info, d->joined.trace, d->figures.names);
	if (d->by_calls)
		calls_add_facts(&info, d);
	for (int side = 0; side < DIFF_SIDES && !d->by_calls; side++)
		runs_add_facts(&info, d, side, side_titles[side]);
	info_pair(&info, unit_counts(unit) ? "figures" : "times", "%s%s, %s%s%s",
	    d->by_calls ? "of a call" : "call paths",
	    !d->by_calls && d->run_count[DIFF_A] + d->run_count[DIFF_B] > DIFF_SIDES
		? ", means of the runs" : "",
	    unit_counts(unit) ? unit->name : runs_clock_names[d->clock],
	    d->per != NULL ? ", per call of " : "", d->per != NULL ? d->per : "");
	if (d->by_calls && d->clock == RUNS_CPU && d->has[RUNS_WALL])
		info_pair(&info, "sides", "by the %s", runs_clock_names[RUNS_WALL]);
	pathdiff_totals(&info.text, d, d->total);
	info_add(&info, "total");
	if (d->tested)
		test_add_facts(&info, d);
	diffreport_chosen(&info, &report);
	(html ? facts_html : facts_text)(out, &info);
	info_release(&info);
}

enum { TEXT_DELTA, TEXT_PERCENT, TEXT_A, TEXT_B, TEXT_OWN, TEXT_CALLS, TEXT_MARK, TEXT_NAME, TEXT_COLUMNS };

static struct value
text_cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct pathdiff *d = s->model;
	const struct trace_unit *unit = &d->joined.trace->unit;
	const struct path *path;
	uint32_t thread;
	const struct pathjoin_figures *f = row_of(d, at, &path, &thread);
	const nsec a = f->inclusive[DIFF_A], b = f->inclusive[DIFF_B];
	struct sbuf *out = s->scratch;

	sbuf_clear(out);
	switch (column) {
	case TEXT_DELTA:
		sbuf_text(out, diff_time_text(unit, diff_between(a, b), false, FMT_BUF));
		break;
	case TEXT_PERCENT:
		sbuf_text(out, diff_percent_text(a, b, FMT_BUF));
		break;
	case TEXT_A:
	case TEXT_B:
		sbuf_text(out, unit_figure(unit, FMT_BUF, column == TEXT_A ? a : b));
		break;
	case TEXT_OWN:
		sbuf_text(out, diff_time_text(unit,
		    diff_between(f->exclusive[DIFF_A], f->exclusive[DIFF_B]), false, FMT_BUF));
		break;
	case TEXT_CALLS:
		if (path->parent != PATH_NONE)
			sbuf_printf(out, "%" PRIu64 ">%" PRIu64, f->calls[DIFF_A], f->calls[DIFF_B]);
		break;
	case TEXT_MARK:
		sbuf_text(out, pathdiff_mark(d, f));
		break;
	default:
		sheet_indent(out, (int)d->rows.rows[at].depth, 2);
		if (thread == THREAD_NONE) {
			sbuf_str(out, names_shown(d->figures.names, path->method));
			break;
		}
		sbuf_char(out, '[');
		sbuf_str(out, names_thread(d->figures.names, thread));
		sbuf_char(out, ']');
	}
	return value_text(sbuf_view(out));
}

void
pathdiff_columns(struct sheet *s, const char *const *titles, int count)
{
	for (int i = 0; i < count; i++) {
		struct sheet_column *c = &s->columns[s->column_count++];
		size_t n = strlen(titles[i]);
		bool unit = n > 0 && titles[i][n - 1] == ' ';

		snprintf(c->title, sizeof(c->title), "%s%s", titles[i],
		    unit ? unit_name(&s->figures->trace->unit) : "");
		c->kind = i + 1 < count ? VALUE_TIME : VALUE_TEXT; /* on the right, on the left */
	}
}

void
pathdiff_text(struct sink *sink, const struct pathdiff *d)
{
	static const char *const titles[TEXT_COLUMNS] = {
	    "Delta ", "Delta%", "A ", "B ", "Excl delta ", "Calls A>B", "", "Call tree"};
	struct sheet sheet = {.rows = d->count, .cursor = d->count, .figures = &d->figures, .model = d,
	    .cell = text_cell};
	uint64_t folded = d->rows.rest.folded;

	pathdiff_facts(&sink->text, d, false);
	sbuf_char(&sink->text, '\n');
	pathdiff_columns(&sheet, titles, TEXT_COLUMNS);
	sheet.columns[TEXT_MARK].kind = VALUE_TEXT;
	sheet.columns[TEXT_MARK].width = (int)sizeof("gone") - 1; /* whatever is there */
	table_rows(sink, NULL, &sheet, SHEET_AS_TEXT);
	for (uint32_t i = 0; i < d->rows.count; i++)
		folded += d->rows.rows[i].folded;
	if (folded > 0)
		sbuf_printf(&sink->text, "\nLeft out: %" PRIu64 " path%s below %g %% of both, with what they "
		    "call (--min-percent)\n", folded, folded == 1 ? "" : "s",
		    (double)d->options->min_percent / TREE_PERCENT_UNIT);
}

/* CSV and JSON ------------------------------------------------------------------------- */

enum { DEPTH, THREAD, KIND, CLASS, NAME, SIGNATURE, MARK, CALLS, INCLUSIVE = CALLS + 3,
	EXCLUSIVE = INCLUSIVE + 3, FOLDED = EXCLUSIVE + 3, FILE_COLUMNS };

static const char *const file_keys[FILE_COLUMNS] = {[DEPTH] = "depth", [THREAD] = "?thread",
    [KIND] = "?{kind", [CLASS] = "?class", [NAME] = "?name", [SIGNATURE] = "?signature", [MARK] = "mark",
    [CALLS] = "calls", [INCLUSIVE] = "incl", [EXCLUSIVE] = "excl", [FOLDED] = "?folded"};
const char *const pathdiff_parts[DIFF_SIDES + 1] = {"_a", "_b", "_delta"};

struct value
pathdiff_part(const nsec times[DIFF_SIDES], int part)
{
	return value_time(part < DIFF_SIDES ? times[part] : diff_between(times[DIFF_A], times[DIFF_B]));
}

static struct value
file_cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct pathdiff *d = s->model;
	const struct path *path;
	uint32_t thread;
	const struct pathjoin_figures *f = row_of(d, at, &path, &thread);
	bool root = thread != THREAD_NONE;
	const struct thread *of = root ? trace_thread(d->joined.trace, thread) : NULL;

	switch (column) {
	case DEPTH:
		return value_count(d->rows.rows[at].depth);
	case THREAD:
		return value_if(root, value_text(root ? of->name : STR("")));
	case KIND:
		return value_if(root && of->kind != THREAD_TASK,
		    value_text(root ? str_from(thread_kind_words[of->kind]) : STR("")));
	case CLASS:
	case NAME:
	case SIGNATURE:
		return value_if(!root, figures_field(&d->figures, path->method, 1 + column - CLASS));
	case MARK:
		return value_text(str_from(pathdiff_mark(d, f)));
	case CALLS:
	case CALLS + 1:
		return value_count(f->calls[column - CALLS]);
	case CALLS + 2:
		return value_number((int64_t)(f->calls[DIFF_B] - f->calls[DIFF_A]));
	case FOLDED:
		return value_if(d->rows.rows[at].folded > 0, value_count(d->rows.rows[at].folded));
	default:
		return column < EXCLUSIVE ? pathdiff_part(f->inclusive, column - INCLUSIVE)
					  : pathdiff_part(f->exclusive, column - EXCLUSIVE);
	}
}

void
pathdiff_key(const struct pathdiff *d, const char *word, const char *part, char out[static FMT_SIZE])
{
	char key[FMT_SIZE], unit[JSON_KEY];

	snprintf(key, sizeof(key), "%s_%s_us", word, clock_names[d->figures.clock]);
	snprintf(out, FMT_SIZE, "%s%s", json_unit_key(d->joined.trace->unit.name, key, unit), part);
}

static void
file_sheet(struct sheet *s, const struct pathdiff *d)
{
	*s = (struct sheet){.view = "tree", .rows = d->count, .cursor = d->count, .figures = &d->figures,
	    .model = d, .cell = file_cell};
	for (int i = 0; i < FILE_COLUMNS; i++) {
		struct sheet_column *c = &s->columns[s->column_count++];
		int first = i < CALLS || i >= FOLDED ? i : CALLS + (i - CALLS) / 3 * 3;
		const char *part = i < CALLS || i >= FOLDED ? "" : pathdiff_parts[i - first];

		if (first == INCLUSIVE || first == EXCLUSIVE)
			pathdiff_key(d, file_keys[first], part, c->key);
		else
			snprintf(c->key, sizeof(c->key), "%s%s", file_keys[first], part);
		c->zero = i == FOLDED;
	}
}

void
pathdiff_csv(struct sink *sink, const struct pathdiff *d)
{
	struct sheet sheet;

	file_sheet(&sheet, d);
	table_sheet(sink, NULL, &sheet, NULL);
}

/* Writes members of both sides and of the difference. */
static void
members_of(struct json *j, const struct pathdiff *d, const char *word, const nsec times[DIFF_SIDES])
{
	char key[FMT_SIZE];

	for (int part = 0; part <= DIFF_SIDES; part++) {
		pathdiff_key(d, word, pathdiff_parts[part], key);
		MEMBERS(j, {key, pathdiff_part(times, part)});
	}
}

/* Writes the object "calls", which tells which are compared. */
static void
members_calls(struct json *j, const struct pathdiff *d)
{
	const struct pathdiff_calls *calls = &d->calls;
	char key[FMT_SIZE];

	member_object(j, "calls");
	MEMBERS(j, {"pattern", value_if(calls->per != NULL, value_text(str_from(calls->per != NULL ? calls->per : "")))},
	    {"over_us", value_time(calls->over)}, {"a", value_count(d->of_all[DIFF_A])},
	    {"b", value_count(d->of_all[DIFF_B])}, {"cut", value_count(calls->cut)});
	for (int state = 0; state < JANK_STATES && calls->states; state++) {
		const nsec times[] = {calls->state[DIFF_A][state], calls->state[DIFF_B][state]};

		for (int part = 0; part <= DIFF_SIDES; part++) {
			snprintf(key, sizeof(key), "%s_us%s", state_words[state], pathdiff_parts[part]);
			MEMBERS(j, {key, pathdiff_part(times, part)});
		}
	}
	json_end(j);
}

void
pathdiff_members(struct json *j, const struct pathdiff *d)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		member_array(j, side_keys[side]);
		for (size_t i = 0; i < d->run_count[side]; i++)
			OBJECT(j, {"file", value_text(d->runs[side][i].file)},
			    {"format", value_text(d->runs[side][i].format)},
			    {"sampled", value_bool(d->runs[side][i].sampled)},
			    {"damaged", value_bool(d->runs[side][i].damaged)},
			    {"thread", value_if(d->by_calls, value_text(d->runs[side][i].thread))},
			    {"per_calls", value_if(d->runs[side][i].calls > 0, value_count(d->runs[side][i].calls))});
		json_end(j);
	}
	if (d->by_calls)
		members_calls(j, d);
	MEMBERS(j, {"per", value_if(d->per != NULL, value_text(str_from(d->per != NULL ? d->per : "")))},
	    {"clock", value_text(str_from(clock_names[d->figures.clock]))},
	    {"with_idle", value_if(d->clock != RUNS_CPU, value_bool(d->clock != RUNS_BUSY))},
	    {"tested", value_if(d->verdicts, value_count(d->decide.tested))},
	    {"proved", value_if(d->verdicts, value_count(d->proved))},
	    {"one_sided", value_if(d->verdicts, value_count(d->one_sided))});
	member_object(j, "total");
	members_of(j, d, "incl", d->sums.toplevel.inclusive);
	json_end(j);
	member_object(j, "toplevel");
	members_of(j, d, "excl", d->sums.toplevel.exclusive);
	json_end(j);
}

void
pathdiff_json(struct sink *sink, const struct pathdiff *d)
{
	struct json json, *j = &json;
	struct sheet sheet;

	members_begin(j, sink, d->joined.trace);
	pathdiff_members(j, d);
	file_sheet(&sheet, d);
	table_sheet(sink, j, &sheet, "tree");
	if (d->rows.rest.folded > 0)
		member_uint(j, "folded", d->rows.rest.folded);
	members_end(j, sink);
}

/* Stacks ------------------------------------------------------------------------------- */

void
pathdiff_folded(struct sink *sink, const struct pathdiff *d)
{
	size_t count;
	struct pathdiff_line *lines = pathdiff_lines(d, &count);

	for (size_t i = 0; i < count && sink_row(sink); i++) {
		sbuf_str(&sink->text, lines[i].stack);
		for (int side = 0; side < DIFF_SIDES; side++) {
			sbuf_char(&sink->text, ' ');
			sbuf_us(&sink->text, lines[i].count[side]);
		}
		sbuf_char(&sink->text, '\n');
	}
	mem_free(lines);
}
