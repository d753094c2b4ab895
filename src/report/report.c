// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/sum/idle.h"
#include "report/tables.h"
#include "report/triage.h"
#include "report/text/views.h"
#include "trace/folded.h"
#include "view/methods.h"
#include "view/names/looks.h"
#include "view/sequence_list.h"
#include "view/threads.h"

void
report_options_init(struct report_options *o)
{
	*o = (struct report_options){
	    .view = &report_views[0],
	    .format = &report_formats[0],
	    .limit = UINT32_MAX,
	    .range = RANGE_ALL,
	    .min_percent = TREE_MIN_PERCENT,
	    .budget = JANK_BUDGET,
	};
}

static void
patterns_release(struct report_patterns *p)
{
	for (size_t i = 0; i < p->count; i++)
		pattern_free(p->list[i].pattern);
	mem_free(p->list);
}

void
report_options_release(struct report_options *o)
{
	patterns_release(&o->filters);
	patterns_release(&o->methods);
	mem_free(o->where.list);
	mem_free(o->threads.list);
	transforms_release(&o->transforms);
	mem_free(o->processes.list);
	memset(o, 0, sizeof(*o));
}

static bool
patterns_add(struct report_patterns *to, const char *text, bool exclude, struct err *why)
{
	struct report_pattern p = {.text = text, .exclude = exclude};

	if (!pattern_compile(str_from(text + exclude), 0, &p.pattern, why)) {
		why->offset += exclude;
		return false;
	}
	*MEM_ADD(to->list, to->count, to->room) = p;
	return true;
}

bool
report_filter_add(struct report_options *o, const char *text, struct err *why)
{
	return patterns_add(&o->filters, text, *text == '!', why);
}

bool
report_method_add(struct report_options *o, const char *text, struct err *why)
{
	return patterns_add(&o->methods, text, false, why);
}

bool
report_calls_add(struct report_options *o, const char *text, struct err *why)
{
	for (int i = 0; i < report_view_count; i++)
		if (report_views[i].choose == callrows_choose)
			o->view = &report_views[i];
	return report_method_add(o, text, why);
}

bool
report_transform_add(struct report_options *o, const char *text, struct err *why)
{
	return transforms_add_line(&o->transforms, str_from(text), why);
}

struct thread_words
report_thread_words(const struct report_options *o)
{
	return (struct thread_words){
	    .threads = o->threads.list,
	    .thread_count = o->threads.count,
	    .processes = o->processes.list,
	    .process_count = o->processes.count,
	};
}

bool
report_scope(const struct report_options *o, const struct trace *t, struct scope **scope,
    struct err *e)
{
	struct thread_words words = report_thread_words(o);

	return thread_words_choose(&words, t, scope, e);
}

const char *const clock_names[CLOCKS] = {[CLOCK_CPU] = "cpu", [CLOCK_WALL] = "wall"};

bool
report_clock(const struct report_options *o, const struct trace *t, enum clock_id *clock,
    struct err *e)
{
	*clock = o->clock_given ? o->clock : o->axis_clock ? trace_default_clock(t) : trace_busy_clock(t);
	return trace_has_clock(t, *clock) ||
	    err_set(e, ERR_UNSUPPORTED, "the trace has no %s clock, only %s", clock_names[*clock],
		 clock_names[trace_default_clock(t)]);
}

const struct column *
report_columns(const struct report_view *view)
{
	return view->source != NULL ? view->source->columns
				    : usage_table_info[view->table]->source.columns;
}

bool
report_is_column(const char *word)
{
	for (int v = 0; v < report_view_count; v++)
		for (const struct column *c = report_columns(&report_views[v]); c->id != NULL; c++)
			if (column_is(c, word) && column_sorts(c))
				return true;
	return false;
}

bool
report_goes_on(const atomic_bool *cancel, struct err *e)
{
	return !is_cancelled(cancel) || err_set(e, ERR_CANCELLED, "interrupted");
}

bool
report_range(const struct report_options *o, const struct profile *p, const atomic_bool *cancel,
    struct err *e)
{
	nsec from = o->range.from > p->begin ? o->range.from : p->begin;
	nsec to = o->range.to < p->end ? o->range.to : p->end;

	if (range_is_all(&o->range) || range_has_events(p, &o->range, cancel))
		return true;
	if (o->range.from >= o->range.to)
		return err_set(e, ERR_UNSUPPORTED, "the window is empty: it begins at %s ms and ends "
		    "at %s ms, the trace is from %s to %s ms", fmt_ms(FMT_BUF, o->range.from),
		    fmt_ms(FMT_BUF, o->range.to), fmt_ms(FMT_BUF, p->begin), fmt_ms(FMT_BUF, p->end));
	if (from <= to)
		return err_set(e, ERR_UNSUPPORTED, "the window is empty: nothing was recorded from %s "
		    "to %s ms, the trace is from %s to %s ms", fmt_ms(FMT_BUF, from),
		    fmt_ms(FMT_BUF, to), fmt_ms(FMT_BUF, p->begin), fmt_ms(FMT_BUF, p->end));
	return err_set(e, ERR_UNSUPPORTED,
	    "the window is empty: it %s %s ms, the trace is from %s to %s ms",
	    to < o->range.to ? "begins at" : "ends at",
	    fmt_ms(FMT_BUF, to < o->range.to ? o->range.from : o->range.to),
	    fmt_ms(FMT_BUF, p->begin), fmt_ms(FMT_BUF, p->end));
}

/* Refuses options that mean nothing to the view. */
static bool
report_fits(const struct report_options *o, struct err *e)
{
	const char *sort = o->sort != NULL ? o->sort + strspn(o->sort, "+-") : "";
	const struct {
		bool given;
		unsigned takes;
		const char *option;
	} checks[] = {
	    {o->methods.count > 0, TAKES_METHOD, "--method"},
	    {o->relations, TAKES_RELATIONS, "--relations"},
	    {o->min_given, TAKES_CUT, "--min-percent"},
	    {o->together, TAKES_TOGETHER, "--together"},
	    {o->budget_given, TAKES_BUDGET, "--budget"},
	    {o->transforms.count > 0, TAKES_TRANSFORMS, "--transform"},
	    {strcmp(sort, "file") == 0, TAKES_NAMES, "--sort=file"},
	    {strcmp(sort, "class") == 0, TAKES_NAMES, "--sort=class"},
	};

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		if (checks[i].given && (o->view->takes & checks[i].takes) == 0)
			return err_set(e, ERR_UNSUPPORTED, "%s is not for the view '%s'",
			    checks[i].option, o->view->name);
	return true;
}

/* Counts methods and threads that have something in all; false when cancelled. */
static bool
report_count(struct report *r, const struct fold *methods, const atomic_bool *cancel)
{
	const struct fold_query *q = &r->source;
	bool all = r->scope == NULL && q->sums == NULL && q->of == NULL;
	struct fold *own = all ? NULL : fold_make(r->profile,
	    &(struct fold_query){.same = q->same, .same_count = q->same_count}, cancel);
	const struct fold *whole = all ? methods : own;

	if (whole == NULL)
		return false;
	r->methods_met = whole->present;
	for (uint32_t t = 0; t < whole->thread_count; t++)
		r->threads_met += whole->threads[t].records > 0;
	fold_free(own);
	return true;
}

/* Makes the fold that is shown; false when cancelled. */
static bool
report_fold(struct report *r, const atomic_bool *cancel)
{
	const enum same_by by = r->options->view->by;
	struct fold_query q = r->source;
	struct answer groups = {.value = NULL};
	struct fold *methods;

	q.relations = r->relations && by == SAME_METHOD;
	methods = r->fold = fold_make(r->profile, &q, cancel);
	if (methods == NULL || !report_count(r, methods, cancel))
		return false;
	if (by == SAME_METHOD)
		return true;
	r->query.by = by;
	r->query.relations = r->relations;
	if (!answer_groups(&r->answering, &r->query, &groups, cancel))
		return false;
	r->groups = groups.value;
	r->methods = methods;
	r->fold = r->groups->fold;
	return true;
}

/* The scope becomes that one thread; false when cancelled. */
static bool
report_narrow(struct report *r, const atomic_bool *cancel)
{
	uint32_t thread = sequence_thread(r->trace, r->fold, r->scope);

	if (thread == THREAD_NONE)
		return true;
	scope_free(r->scope);
	r->source.scope = r->query.of.scope = r->scope = scope_new(r->trace->threads.count, false);
	r->scope->in[thread] = 1;
	fold_free(r->fold);
	r->fold = fold_make(r->profile, &r->source, cancel);
	return r->fold != NULL;
}

bool
report_source(struct report *r, const atomic_bool *cancel, struct err *e)
{
	const struct report_options *o = r->options;

	r->answering.profile = r->profile;
	r->query.of = (struct subset){r->scope, o->range, o->transforms, r->answering.folding != 0};
	if (!answering_source(&r->answering, &r->query, &r->source, cancel))
		return err_set(e, ERR_CANCELLED, "interrupted");
	if (r->source.of == NULL || r->source.of->err.kind == ERR_NONE)
		return true;
	*e = r->source.of->err;
	return false;
}

bool
report_open(struct report *r, const struct profile *p, const struct report_options *o,
    const atomic_bool *cancel, struct err *e)
{
	const bool fold = o->names == NAMES_FOLDED ||
	    (o->names == NAMES_BY_FORM && o->format->write == report_text);
	struct idle_rules idle;
	bool good;

	memset(r, 0, sizeof(*r));
	r->options = o;
	r->profile = p;
	r->trace = p->trace;
	r->relations = (o->view->takes & TAKES_RELATIONS) != 0 &&
	    (o->relations || o->methods.count > 0);
	if (r->trace->log != NULL)
		r->answering.folding = (fold ? FOLD_NAMES : 0) | (o->numbers ? FOLD_NUMBERS : 0);
	idle_init(&idle);
	if (o->view->choose == threads_choose) {
		idle_pattern(&idle, &r->idle);
		r->query.pattern = sbuf_view(&r->idle);
	}
	good = report_clock(o, r->trace, &r->figures.clock, e) && report_range(o, p, cancel, e) &&
	    report_scope(o, r->trace, &r->scope, e) && report_source(r, cancel, e);
	if (good) {
		r->figures.trace = r->trace;
		r->figures.names = names_new(r->trace, !o->ascii);
		r->figures.base = BASE_PARENT;
		looks_set_idle(names_looks(r->figures.names), &idle);
	}
	idle_release(&idle);
	return good;
}

struct paths *
report_paths(const struct report *r, bool together, const atomic_bool *cancel)
{
	return paths_counted(r->profile, r->scope, r->source.sums, r->source.of, together,
	    r->query.of.folded, cancel);
}

bool
report_make(struct report *r, const struct profile *p, const struct report_options *o,
    const atomic_bool *cancel, struct err *e)
{
	struct usage_ask ask;

	memset(r, 0, sizeof(*r));
	if (!report_fits(o, e) || !report_open(r, p, o, cancel, e))
		return false;
	ask = logrows_ask(r);
	if (r->trace->log != NULL)
		r->usage = usage_new(p, r->scope, &o->range, &ask, cancel);
	if ((r->trace->log != NULL && r->usage == NULL) || !report_fold(r, cancel) ||
	    (o->view->one_thread && !report_narrow(r, cancel)))
		return err_set(e, ERR_CANCELLED, "interrupted");
	r->figures.fold = r->fold;
	r->tables = tables_new(r);
	return o->view->choose(r, cancel, e);
}

void
report_release(struct report *r)
{
	mem_free(r->rows);
	if (r->tree != NULL)
		tree_rows_release(r->tree);
	mem_free(r->tree);
	paths_free(r->paths);
	tables_free(r->tables);
	answering_release(&r->answering);
	sbuf_release(&r->idle);
	names_free(r->figures.names);
	if (r->groups == NULL)
		fold_free(r->fold);
	usage_free(r->usage);
	scope_free(r->scope);
	memset(r, 0, sizeof(*r));
}

bool
report_is_empty(const struct report *r)
{
	return r->matched == 0 && (r->tree == NULL || r->tree->rest.folded == 0);
}

int
report_write(const struct report *r, FILE *file, const atomic_bool *cancel)
{
	struct sink sink = sink_to(file, cancel);

	sink.runs = r->runs;
	r->options->format->write(&sink, r);
	return sink_end(&sink);
}

int
report_write_info(const struct report *r, FILE *file, const atomic_bool *cancel)
{
	struct sink sink = sink_to(file, cancel);

	sink.runs = r->runs;
	r->options->format->info(&sink, r);
	return sink_end(&sink);
}

/* The views and the forms of reports, a row each. */

#define METHOD_ROWS                                                                      \
	.source = &methods_source, .has_threads = true, .choose = methods_choose, \
	.text = methods_text, .write = methods_write
#define TREE_ROWS                                                                        \
	.has_threads = true, .choose = treerows_choose, .text = treerows_text,           \
	.write = treerows_write

enum { GROUP_TAKES = TAKES_METHOD | TAKES_RELATIONS | TAKES_TRANSFORMS };

const struct report_view report_views[] = {
#define REPORT(word, help, ...) {word, help, __VA_ARGS__},
#include "view/views.def"
#define PART(...)
#define TABLE(number, name, word, help)                                                  \
	{"log-" word, "logs: " help, .choose = logrows_choose, .text = table_text,       \
	    .write = table_report, .table = USAGE_##number},
#include "view/log/tables.def"
};

const int report_view_count = (int)(sizeof(report_views) / sizeof(report_views[0]));

const struct report_format report_formats[] = {
    {"text", "a table to read", report_text, info_text, "", "\n", "", false},
    {"csv", "comma-separated values, one line a method", report_csv, NULL, "", "", "", false},
    {"json", "everything, for programs", report_json, info_json, "[\n", ",\n", "]\n", false},
    {"jsonl", "a JSON object a row, with the trace's name, for databases", report_lines, info_lines,
	"", "", "", true},
};
const int report_format_count = (int)(sizeof(report_formats) / sizeof(report_formats[0]));

/* Order --------------------------------------------------------------------------- */

static int
ranked_order(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	int order = a->key != b->key ? ORDER(a->key, b->key) : str_compare(a->text, b->text);

	if (order != 0)
		return a->ascending ? order : -order;
	return order_then(str_compare(a->name, b->name),
	    order_then(ORDER(a->id, b->id), ORDER(a->index, b->index)));
}

void
ranked_sort(struct ranked *list, uint32_t count, bool ascending, uint32_t *rows)
{
	for (uint32_t i = 0; i < count; i++)
		list[i].ascending = ascending;
	qsort(list, count, sizeof(*list), ranked_order);
	for (uint32_t i = 0; i < count; i++)
		rows[i] = list[i].index;
	mem_free(list);
}
