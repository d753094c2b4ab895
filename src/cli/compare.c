// SPDX-License-Identifier: Apache-2.0
/* diff: two traces, several runs on each side, or the calls of traces, and the status that build servers end with. */
#include <config.h>

#include "report/text/diffreport.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
#include "cli/traces.h"
#include "format/input.h"
#include "report/causes.h"
#include "report/pathdiff.h"
#include "report/text/verdicts.h"

/* Two traces -------------------------------------------------------------------------- */

/* One against one has no spread: no limit on time can be judged, unless --gate=point. */
static int
judge(const struct options *o, const struct diffreport *d)
{
	const struct diff_row *r;
	uint32_t worst = 0, count = diffreport_regressions(d, &worst);
	const struct diff_by *by = &d->table.by;
	struct str name;

	if (!diffreport_compared(d)) {
		(void)say_trouble(NULL, "nothing was compared: no method of either trace %s",
		    d->options[DIFF_B].filters.count > 0 ? "passes --filter" : "is there");
		return diffreport_is_gate(d) ? STATUS_TROUBLE : STATUS_OK;
	}
	if (diffreport_is_gate(d) && o->runs.gate != GATE_POINT) {
		static const int status[] = {[UNSURE_TELL] = STATUS_UNSURE, [UNSURE_PASS] = STATUS_OK,
		    [UNSURE_FAIL] = STATUS_DIFFERENT};

		(void)say_trouble(NULL, "cannot tell: 1 run on each side has no spread; %u on each side are "
		    "the least (record --count=%u), or give --gate=point", o->runs.decide.runs_least,
		    o->runs.decide.runs_least);
		return status[o->runs.unsure];
	}
	if (diffreport_is_gate(d))
		(void)say_trouble(NULL, "point estimates: fails on noise");
	if (count == 0)
		return STATUS_OK;
	r = &d->table.diff.rows[worst];
	name = diff_table_name(&d->table, r);
	say_trouble(NULL, "%u method%s slower than allowed, most of all %.*s: %s %s, %s%s",
	    (unsigned)count, count == 1 ? " is" : "s are", STR_ARG(name),
	    diff_time_text(&by->unit, diff_delta(r, by), false, FMT_BUF), unit_name(&by->unit),
	    diff_column_text(DIFF_COLUMN_PERCENT, r, by, false, FMT_BUF),
	    r->sum[DIFF_A].method != METHOD_NONE && diff_time(r, DIFF_A, by) > 0 ? " %" : "");
	return STATUS_DIFFERENT;
}

/* Names prefixes that no method of A has. */
static void
renames_say(const struct options *o)
{
	for (size_t i = 0; i < o->renames.count; i++)
		if (!o->renames.list[i].used)
			(void)say_trouble(NULL, "--rename=%s matches no method of A",
			    o->renames.list[i].text);
}

static int
compare(const struct options *o, const char *const paths[DIFF_SIDES])
{
	const atomic_bool *cancel = interrupt_watch();
	struct err e = {.kind = ERR_NONE};
	struct diffreport report = {.how = NULL};
	struct load loads[DIFF_SIDES];
	struct output out;
	struct sink sink;
	int status = output_open(&out, o->output, o->force, 0), failed = -1, judged;
	bool good = true;

	if (status != STATUS_OK)
		return status;
	for (int side = 0; side < DIFF_SIDES; side++)
		loads[side] = (struct load){.options = o, .side = side,
		    .sums = sums_suffice(&o->report) && !o->diff.format->paths};
	for (int side = 0; side < DIFF_SIDES && good; side++) {
		good = load_trace(&loads[side], paths[side], cancel, &e);
		failed = side;
	}
	if (good && diffreport_make(&report, loads[DIFF_A].profile, loads[DIFF_B].profile,
			&o->report, &o->diff, cancel, &e, &failed)) {
		sink = sink_to(out.file, cancel);
		o->diff.format->write(&sink, &report);
		status = output_close(&out, sink_end(&sink), cancel);
		renames_say(o);
		judged = status == STATUS_OK ? judge(o, &report) : status;
		if (status == STATUS_OK && o->strict)
			for (int side = 0; side < DIFF_SIDES; side++)
				status = status_worse(
				    status, load_say_damage(&loads[side], paths[side], ~0u));
		if (status == STATUS_OK)
			status = judged;
	} else {
		output_drop(&out);
		status = load_say(failed >= 0 ? paths[failed] : NULL, &e);
	}
	diffreport_release(&report);
	for (int side = 0; side < DIFF_SIDES; side++)
		load_release(&loads[side]);
	return status;
}

int
diff_files(const struct options *o, const char *before, const char *path)
{
	const char *const paths[DIFF_SIDES] = {before, path};

	if (!o->print && isatty(STDOUT_FILENO))
		return browse_diff(o, paths[DIFF_A], paths[DIFF_B]);
	return compare(o, paths);
}

/* Several runs ------------------------------------------------------------------------- */

/* True if the comparison is made from call paths, whatever its rows are. */
static bool
of_paths(const struct diffreport_options *o)
{
	return o->over_given || diffreport_of_paths(o);
}

/* The sides as they are read. */
struct sides {
	struct runset runs;
	struct pathdiff paths;
	bool with_paths; /* they are compared, or tell causes */
	size_t count[DIFF_SIDES];
	int side;
	struct arena kept; /* paths */
	struct seen_file {
		dev_t device;
		ino_t file;
		int side;
	} *seen;
	size_t seen_count, seen_room;
	uint32_t passed; /* files of folders that are no traces */
	int at;          /* the operand */
};

/* Adds a loaded trace to the comparison. */
static bool
trace_take(struct traces *t, const struct profile *p, const char *path, struct err *e)
{
	struct sides *s = t->context;
	const struct diffreport_options *o = &t->options->diff;

	if (o->over_given)
		return pathdiff_add_calls(&s->paths, p, t->cancel, e);
	return (diffreport_of_paths(o) || runs_add(&s->runs, s->side, p, path, t->cancel, e)) &&
	    (!s->with_paths || pathdiff_add(&s->paths, s->side, p, t->cancel, e));
}

/* A copy of a run is no run: false, said, for a file that the side has already. */
static bool
is_another(struct sides *s, const char *path)
{
	struct stat is;

	if ((strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &is) : stat(path, &is)) != 0)
		return true; /* opening tells why */
	for (size_t i = 0; i < s->seen_count; i++) {
		const struct seen_file *f = &s->seen[i];

		if (f->side == s->side && f->device == is.st_dev && f->file == is.st_ino) {
			(void)say_trouble(input_name(path), "is on one side twice; copies are no runs");
			return false;
		}
	}
	*MEM_ADD(s->seen, s->seen_count, s->seen_room) =
	    (struct seen_file){is.st_dev, is.st_ino, s->side};
	return true;
}

static int
run_add(struct traces *t, const char *path, bool among)
{
	const struct options *o = t->options;
	struct sides *s = t->context;
	struct load load = {.options = o, .side = s->side,
	    .sums = sums_suffice(&o->report) && !of_paths(&o->diff) && !s->with_paths};
	struct err e = {.kind = ERR_NONE};
	const char *given = among ? NULL : options_name(o, s->at), *name = given != NULL ? given : path;
	struct str kept = {name, strlen(name) + 1}; /* with its end */
	bool good;
	int status = STATUS_OK;

	if (!is_another(s, path))
		return STATUS_TROUBLE;
	kept = arena_str(&s->kept, kept);
	good = load_trace(&load, path, t->cancel, &e);
	if (good && given != NULL)
		trace_name(load.trace, given);
	if (good && trace_take(t, load.profile, kept.p, &e)) {
		t->taken++;
		s->count[s->side]++;
		if (o->strict)
			status = load_say_damage(&load, path, ~0u);
	} else if (!among || load.trace != NULL || e.kind != ERR_UNSUPPORTED) {
		status = load_say(path, &e);
	} else {
		s->passed++;
	}
	load_release(&load);
	return status;
}

static int
sides_read(struct traces *t, struct sides *s, const char *first)
{
	const struct options *o = t->options;
	int status = STATUS_OK;

	if (o->diff.over_given) {
		s->side = DIFF_B; /* names and mappings of a single trace */
		return traces_each(t, first);
	}
	for (int i = 0; i < o->operand_count && status != STATUS_INTERRUPTED; i++) {
		s->side = o->mark_count > 0 ? options_side(o, i) : i;
		if (s->side >= DIFF_SIDES)
			return say_usage("diff", "'%s' is on no side: --base or --new goes before it",
			    o->operands[i]);
		s->at = i;
		status = status_worse(status, traces_one(t, o->operands[i]));
	}
	for (int side = 0; side < DIFF_SIDES && status == STATUS_OK; side++)
		if (s->count[side] == 0)
			return say_usage("diff", "no trace after %s", side == DIFF_A ? "--base" : "--new");
	return status;
}

/* The first option that was given though it is about methods; NULL: none is. */
static const char *
option_of_methods(const struct options *o)
{
	const bool tested = o->mark_count > 0 || o->diff.per != NULL; /* paths, too */
	struct runs_options usual;
	struct diffreport_options diff;
	const struct runs_options *runs = &o->runs;

	runs_options_init(&usual);
	diffreport_options_init(&diff);
	const struct {
		bool given;
		const char *name;
	} rows[] = {
	    {o->diff.fail_time_given || o->diff.fail_percent_given, "fail-above"},
	    {o->diff.value != diff.value, "value"},
	    {o->diff.min_given, "min"},
	    {o->diff.sort != diff.sort || o->diff.ascending, "sort"},
	    {runs->limit_count > 0, "allow"},
	    {runs->gate != usual.gate, "gate"},
	    {runs->unsure != usual.unsure, "unsure"},
	    {runs->decide.runs_least != usual.decide.runs_least && !tested, "least-runs"},
	    {runs->decide.noise_most != usual.decide.noise_most && !tested, "max-noise"},
	    {runs->decide.least != usual.decide.least && !tested, "least"},
	    {runs->decide.alpha != usual.decide.alpha && !tested, "error"},
	    {(runs->normalize != usual.normalize && !tested) || (runs->per != NULL && o->diff.over_given), "normalize"},
	    {runs->all, "all"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].given)
			return rows[i].name;
	return NULL;
}

/* Returns the first option that was given though it is of runs, and not of two traces; NULL: none is. */
static const char *
option_of_runs(const struct options *o)
{
	struct runs_options usual;
	const struct runs_options *runs = &o->runs;

	runs_options_init(&usual);
	return runs->limit_count > 0 ? "allow"
	    : runs->normalize != usual.normalize || runs->per != NULL ? "normalize"
	    : runs->decide.noise_most != usual.decide.noise_most ? "max-noise"
	    : runs->decide.least != usual.decide.least ? "least"
	    : runs->decide.alpha != usual.decide.alpha ? "error"
	    : runs->with_idle ? "with-idle"
	    : runs->all ? "all" : NULL;
}

/* Refuses options that do not go together. */
static int
options_check(const struct options *o)
{
	const struct diffreport_format *format = o->diff.format;
	bool paths = diffreport_of_paths(&o->diff);
	const char *other = of_paths(&o->diff) ? option_of_methods(o) : NULL;

	if (other != NULL)
		return say_usage("diff", paths ? "--%s is about methods, not call paths"
					       : "--%s is not for --over", other);
	if (paths && format->tree == NULL)
		return say_usage("diff", "--format=%s is not of call paths", format->name);
	if (paths && (format->runs == NULL || format->paths) &&
	    (o->report.filters.count > 0 || o->report.limit != UINT32_MAX || o->report.min_given))
		return say_usage("diff", "--format=%s has all call paths, whatever --filter, --limit and "
		    "--min-percent say", format->name);
	if (o->diff.over_given) {
		if (o->mark_count > 0)
			return say_usage("diff", "--over makes both sides of the same traces: no --base or --new");
		if (o->renames.count > 0)
			return say_usage("diff", "--rename is not for --over");
		if (transforms_active(&o->report.transforms))
			return say_usage("diff", "--transform is not for --over");
		return paths || format->calls != NULL ? STATUS_OK
		    : say_usage("diff", "--format=%s is not for --over", format->name);
	}
	if (o->diff.per != NULL && transforms_active(&o->report.transforms))
		return say_usage("diff", "--transform is not for --per");
	if (o->diff.per != NULL && o->runs.per != NULL)
		return say_usage("diff", "--per and --normalize=per are both of calls");
	if (!paths && format->runs == NULL)
		return say_usage("diff", "--format=%s is of two traces", format->name);
	if (o->runs.gate == GATE_POINT)
		return say_usage("diff", "--gate=point is of two traces");
	if (!paths && (o->diff.sort != DIFF_COLUMN_DELTA || o->diff.ascending))
		return say_usage("diff", "--sort is of two traces");
	return STATUS_OK;
}

static int
sides_write(struct sides *s, const struct options *o, struct output *out, const atomic_bool *cancel)
{
	struct err e = {.kind = ERR_NONE};
	bool paths = of_paths(&o->diff), causes = !paths && causes_wanted(&o->runs, &o->diff);
	struct sink sink = sink_to(out->file, cancel);
	int written;

	if (!((paths || runs_decide(&s->runs, cancel, &e)) && (!s->with_paths ||
	    (causes ? causes_find(&s->runs, &s->paths, cancel, &e) : pathdiff_finish(&s->paths, cancel, &e))))) {
		output_drop(out);
		return load_say(NULL, &e);
	}
	if (!paths)
		o->diff.format->runs(&sink, &s->runs);
	else if (diffreport_of_paths(&o->diff))
		o->diff.format->tree(&sink, &s->paths);
	else
		o->diff.format->calls(&sink, &s->paths);
	written = output_close(out, sink_end(&sink), cancel);
	return written == STATUS_OK && !paths ? runs_status(&s->runs) : written;
}

/* True if a page of several runs is written. */
static bool
has_graph(const struct options *o)
{
	return o->diff.format->runs == verdicts_html && !of_paths(&o->diff);
}

/* Shows verdicts, all of them. */
static int
sides_browse(struct sides *s, const struct options *o, const atomic_bool *cancel)
{
	struct runs_options all = o->runs;
	struct err e = {.kind = ERR_NONE};

	all.all = true;
	s->runs.how = &all;
	return runs_decide(&s->runs, cancel, &e) ? browse_runs(o, &s->runs) : load_say(NULL, &e);
}

static int
compare_runs(const struct options *o, const char *first)
{
	struct sides s = {.passed = 0};
	struct traces t = {.options = o, .cancel = interrupt_watch(), .context = &s, .one = run_add};
	const bool of_runs = !o->diff.over_given && (o->mark_count > 0 || o->diff.per != NULL);
	struct report_options graph = o->report;
	struct output out;
	int status = options_check(o);

	if (status == STATUS_OK)
		status = output_open(&out, o->output, o->force, 0);
	if (status != STATUS_OK)
		return status;
	runs_init(&s.runs, &o->runs, &o->diff, &o->report);
	if (has_graph(o)) {
		/* Pools give their threads other names in each run. */
		graph.together = true;
		graph.filters = (struct report_patterns){.count = 0};
	}
	pathdiff_init(&s.paths, &graph);
	if (o->diff.over_given)
		pathdiff_over(&s.paths, o->diff.over, o->diff.per);
	s.paths.per = o->diff.over_given ? NULL : runs_per(&s.runs);
	s.paths.per_found = o->diff.per == NULL ? o->runs.per : NULL;
	s.with_paths = of_paths(&o->diff) || has_graph(o) || causes_wanted(&o->runs, &o->diff);
	s.runs.paths = has_graph(o) && s.with_paths ? &s.paths : NULL;
	s.paths.hue = o->diff.hue;
	s.paths.how = of_runs && (of_paths(&o->diff) || has_graph(o)) &&
	    o->diff.format->tree != pathdiff_folded ? &o->runs : NULL;
	s.paths.busy = (of_runs || !of_paths(&o->diff)) && !o->runs.with_idle;
	s.paths.stacks = o->diff.format->tree == pathdiff_folded;
	status = sides_read(&t, &s, first);
	if (status == STATUS_DAMAGED || status == STATUS_OK) {
		if (WITH_TUI && !o->print && !of_paths(&o->diff) && isatty(STDOUT_FILENO)) {
			output_drop(&out);
			status = status_worse(status, sides_browse(&s, o, t.cancel));
		} else {
			renames_say(o);
			status = status_worse(status, sides_write(&s, o, &out, t.cancel));
		}
	} else {
		output_drop(&out);
	}
	runs_release(&s.runs);
	pathdiff_release(&s.paths);
	arena_release(&s.kept);
	mem_free(s.seen);
	return status;
}

int
diff(const struct options *o, const char *before)
{
	const char *other = option_of_runs(o);
	const bool printed = o->print || !isatty(STDOUT_FILENO);

	if (o->mark_count == 0 && o->operand_count > DIFF_SIDES && !o->diff.over_given)
		return say_usage("diff", "more than two traces need --base and --new before those of a side");
	if (!diffreport_of_paths(&o->diff) && (o->report.min_given || (printed && o->report.together) ||
	    (o->diff.hue != HUE_PROVED && !o->diff.format->paths)))
		return say_usage("diff", "--%s is about call paths: --view=tree", o->report.min_given ? "min-percent"
			: o->report.together ? "together" : "hue");
	if (o->mark_count > 0 || o->diff.per != NULL || of_paths(&o->diff) || o->diff.format->write == NULL)
		return compare_runs(o, before);
	if (other != NULL)
		return say_usage("diff", "--%s is of runs: --base and --new go before the traces of a side", other);
	return diff_files(o, before, o->operands[1]);
}
