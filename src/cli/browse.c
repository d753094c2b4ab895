// SPDX-License-Identifier: Apache-2.0
/*
 * browse: the trace in the terminal, by the user's settings, or its report when there is none.
 */
#include <config.h>

#include "cli/commands.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/outfile.h"
#include "base/worker.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
#include "cli/traces.h"
#include "format/input.h"
#include "report/text/verdicts.h"
#include "tui/lines.h"
#include "tui/settings/settings.h"
#include "tui/start.h"
#include "tui/traces.h"
#include "tui/tui.h"
#include "view/findings.h"

/* Settings ------------------------------------------------------------------------ */

enum { TOLD_MAX = 10 };

/* The file's name, a new string; NULL when there is none.  `asked`: it must be there. */
static char *
find(const struct options *o, bool *asked)
{
	const char *own = options_given(NULL, "SLOWTOP_CONFIG", NULL);
	struct sbuf path = {0};

	*asked = o->config != NULL;
	if (o->no_config)
		return NULL;
	if (o->config != NULL)
		sbuf_text(&path, o->config);
	else if (own != NULL)
		sbuf_text(&path, own);
	else if (state_folder(&path, "XDG_CONFIG_HOME", ".config"))
		sbuf_text(&path, "/config");
	return path.p;
}

bool
config_there(const struct options *o)
{
	struct stat file;

	if (o->config == NULL || o->no_config)
		return true;
	if (stat(o->config, &file) == 0 && access(o->config, R_OK) == 0) {
		if (!S_ISDIR(file.st_mode))
			return true;
		errno = EISDIR;
	}
	say_trouble(o->config, "%s", strerror(errno));
	return false;
}

struct telling {
	const char *path;
	int told;
};

static void
tell(void *context, int line, const char *what)
{
	struct telling *t = context;

	if (t->told++ < TOLD_MAX)
		say_trouble(t->path, "line %d: %s", line, what);
}

/*
 * Fills the settings, initialised.  Malformed lines are told and skipped; false, told as well,
 * only when a file that was given by name cannot be read.
 */
static bool
config_load(struct settings *s, const struct options *o)
{
	struct err e = {.kind = ERR_NONE};
	struct sbuf text = {0};
	bool asked, good = true;
	struct telling telling;

	s->path = find(o, &asked);
	telling = (struct telling){s->path, 0};
	if (s->path != NULL && !textfile_read(s->path, &text, &e)) {
		good = !asked;
		say_trouble(s->path, "%s", e.what);
		sbuf_clear(&text);
	}
	settings_read(s, sbuf_view(&text), tell, &telling);
	if (telling.told > TOLD_MAX)
		say_trouble(s->path, "%d more lines like that", telling.told - TOLD_MAX);
	for (int i = 0; good && i < o->override_count; i++)
		settings_set(s, STR(""), str_from(o->overrides[i].name),
		    str_from(o->overrides[i].value), NULL);
	sbuf_release(&text);
	return good;
}

/* The browser --------------------------------------------------------------------- */

/* Texts and patterns of the options, as the browser takes them. */
struct begin {
	struct start start;
	const char **filters;
	struct pattern **methods;
};

static void
begin_make(struct begin *b, const struct options *o)
{
	const struct report_options *r = &o->report;

	b->filters = mem_zero(r->filters.count + 1, sizeof(*b->filters));
	b->methods = mem_zero(r->methods.count + 1, sizeof(*b->methods));
	for (size_t i = 0; i < r->filters.count; i++)
		b->filters[i] = r->filters.list[i].text;
	for (size_t i = 0; i < r->methods.count; i++)
		b->methods[i] = r->methods.list[i].pattern;
	b->start = (struct start){
	    .view = o->start_view,
	    .filters = b->filters,
	    .filter_count = r->filters.count,
	    .methods = b->methods,
	    .method_count = r->methods.count,
	    .transforms = &r->transforms,
	    .threads = report_thread_words(r),
	    .window = r->range,
	    .sort = r->sort,
	    .together = r->together,
	};
}

/* For the browser (tui.h). */
static struct trace *
open_other(void *context, enum tui_side side, const char *path, struct watch *watch,
    const atomic_bool *cancel, struct err *e)
{
	struct options o = *(const struct options *)context;

	o.watch = watch;
	return load_open(&o, side == TUI_BEFORE ? DIFF_A : DIFF_B, path, cancel, e);
}

/* A trace that is opened by a thread. */
struct opening {
	const struct options *options;
	const char *path;
	int side;
	struct trace *trace;
	struct err err;
};

static void
opening_run(unsigned index, void *arg)
{
	struct opening *o = arg;

	o->trace = load_open(o->options, o->side, o->path, NULL, &o->err);
}

/* Opens it before there is a screen; when that takes long, a line says so as long as it does. */
static struct trace *
open_told(const struct options *o, const char *path, int side, struct err *e)
{
	enum { QUIET_MS = 60 };
	static const char line[] = "slowtop: opening the trace...";
	struct opening opening = {.options = o, .path = path, .side = side};
	struct worker_pool *thread = NULL;
	struct notify ended;

	if (!isatty(STDERR_FILENO) || !notify_open(&ended, e))
		return load_open(o, side, path, NULL, e);
	if (worker_start(&thread, 1, opening_run, &opening, &ended, e)) {
		if (poll(&(struct pollfd){.fd = ended.fd, .events = POLLIN}, 1, QUIET_MS) == 0) {
			fputs(line, stderr);
			worker_join(thread);
			fprintf(stderr, "\r%*s\r", (int)sizeof(line) - 1, "");
		} else {
			worker_join(thread);
		}
	} else {
		opening_run(0, &opening);
	}
	notify_close(&ended);
	*e = opening.err;
	return opening.trace;
}

/* Checks what can be told before the screen is taken; NULL: said why not. */
static struct trace *
open_first(const struct options *o, const char *path, int side)
{
	struct err e = {.kind = ERR_NONE};
	struct trace *trace = open_told(o, path, side, &e);
	enum clock_id clock;

	if (trace != NULL && report_clock(&o->report, trace, &clock, &e))
		return trace;
	trace_free(trace);
	say_trouble(input_name(path), "%s", err_text(&e, ERR_BUF));
	return NULL;
}

static int
run(const struct options *o, struct settings *settings, struct trace *trace,
    struct trace *before)
{
	const struct tui_diff diff = {.before = before,
	    .value = o->diff.value,
	    .min_given = o->diff.min_given,
	    .min = o->diff.min,
	    .sort = o->diff.sort,
	    .ascending = o->diff.ascending};
	struct begin begin;
	struct tui_options tui = {.settings = settings,
	    .jobs = o->jobs,
	    .strict = o->strict,
	    .start = &begin.start,
	    .diff = before != NULL ? &diff : NULL,
	    .watch = o->watch,
	    .window = o->window,
	    .keep_last = o->keep_last,
	    .open = open_other,
	    .open_context = (void *)o};
	int status;

	if (o->report.budget_given)
		settings->frame_budget = o->report.budget > 0 ? o->report.budget : JANK_NO_BUDGET;
	begin_make(&begin, o);
	status = tui_run(trace, &tui);
	mem_free(begin.filters);
	mem_free(begin.methods);
	return status;
}

int
browse_diff(const struct options *o, const char *before, const char *path)
{
	struct settings settings;
	struct trace *trace, *old = NULL;
	struct err e = {.kind = ERR_NONE};
	enum clock_id clock;
	int status = STATUS_TROUBLE;

	if (o->report.range.from >= o->report.range.to)
		return say_usage(options_command(o), "--from is not before --to");
	settings_init(&settings);
	if (config_load(&settings, o) &&
	    (trace = open_first(o, path, DIFF_B)) != NULL) {
		if (before != NULL)
			old = open_first(o, before, DIFF_A);
		if (old != NULL && !diffreport_clock(&o->report, old, trace, &clock, &e))
			say_trouble(NULL, "%s", e.what);
		else if (before == NULL || old != NULL)
			status = run(o, &settings, trace, old);
		trace_free(old);
		trace_free(trace);
	}
	settings_release(&settings);
	return status;
}

/* Several traces ----------------------------------------------------------------------- */

/* Their list, while it is made. */
struct browse_list {
	const struct options *options;
	struct tui_traces list;
	size_t room;
	struct arena kept; /* paths */
};

static int
traces_add(struct traces *t, const char *path, bool among)
{
	struct browse_list *b = t->context;
	struct str kept = arena_str(&b->kept, (struct str){path, strlen(path) + 1});

	*MEM_ADD(b->list.rows, b->list.count, b->room) = (struct tui_trace){.path = kept.p,
	    .name = path_base(kept.p), .state = TRACE_WAITS, .busy = among ? -1 : -2};
	t->taken++;
	return STATUS_OK;
}

/* Traces of different folders have the same names: their paths tell them apart. */
static void
names_tell(struct tui_traces *list)
{
	struct intern names = {.count = 0};
	bool same = false;

	for (size_t i = 0; i < list->count; i++)
		same |= intern_add(&names, str_from(list->rows[i].name), 0) < i;
	for (size_t i = 0; i < list->count && same; i++)
		list->rows[i].name = list->rows[i].path;
	intern_release(&names);
}

/* The busiest thread that the trace is about, and its first finding. */
static void
look_found(const struct profile *p, struct tui_trace *row, const atomic_bool *cancel)
{
	struct finding_rules rules = {0};
	struct finding_query q = {.rules = &rules, .range = RANGE_ALL};
	struct err e = {.kind = ERR_NONE};
	struct names *names = names_new(p->trace, false);
	struct findings *found;
	struct sbuf text = {0};

	finding_scope(&q, p, NULL, true);
	found = findings_find(p, &q, cancel, &e);
	if (found != NULL && found->count > 0)
		finding_text(&text, &(struct finding_words){p->trace, found, names}, &found->list[0]);
	row->text = text.n > 0 ? mem_text(sbuf_view(&text)) : NULL;
	sbuf_release(&text);
	findings_free(found);
	finding_rules_release(&rules);
	names_free(names);
}

/* Fills in a row; false when that was cancelled. */
static bool
list_look(void *context, struct tui_trace *row, const atomic_bool *cancel)
{
	const struct browse_list *b = context;
	struct load load = {.options = b->options, .side = DIFF_B};
	struct err e = {.kind = ERR_NONE};
	const bool among = row->busy == -1;
	bool read = load_trace(&load, row->path, cancel, &e);

	if (read) {
		struct fold *fold = fold_make(load.profile, &(struct fold_query){.scope = NULL}, cancel);
		uint32_t main = trace_main_thread(load.trace);

		row->format = load.trace->format;
		row->unit = load.trace->unit;
		row->unit.name = row->unit.name != NULL ? "" : NULL; /* goes with the trace */
		row->length = load.profile->end - load.profile->begin;
		row->busy = fold != NULL && main != THREAD_NONE && main < fold->thread_count
		    ? fold_busy(fold, load.trace, main) : -1;
		fold_free(fold);
		look_found(load.profile, row, cancel);
	} else if (!is_cancelled(cancel)) {
		row->text = mem_text(str_from(err_text(&e, ERR_BUF)));
	}
	if (!is_cancelled(cancel))
		atomic_store(&row->state, read ? TRACE_READ
			: among && load.trace == NULL && e.kind == ERR_UNSUPPORTED ? TRACE_NONE : TRACE_FAILED);
	if (is_cancelled(cancel)) {
		mem_free(row->text);
		row->text = NULL;
	}
	load_release(&load);
	return !is_cancelled(cancel);
}

/* Compares those that are marked: two, or several runs on each side. */
static int
browse_marked(const struct options *o, const struct tui_traces *list)
{
	struct options of = *o;
	struct side_mark marks[] = {{0, DIFF_A}, {0, DIFF_B}};
	char **paths = mem_alloc((list->count + 1) * sizeof(*paths));
	int count = 0, status;

	for (int mark = TRACE_A; mark <= TRACE_B; mark++) {
		marks[mark == TRACE_B].at = count;
		for (size_t i = 0; i < list->count; i++)
			if (list->rows[i].mark == (enum tui_trace_mark)mark)
				paths[count++] = (char *)(uintptr_t)list->rows[i].path;
	}
	of.operands = paths;
	of.operand_count = count;
	of.marks = marks;
	of.mark_count = 2;
	status = count == 2 ? browse_diff(o, paths[0], paths[1]) : diff(&of, paths[0]);
	mem_free(paths);
	return status;
}

/* The list, and each trace that is chosen in it, until the list is left. */
static int
browse_list(const struct options *o, const char *first)
{
	struct browse_list b = {.options = o, .list = {.look = list_look}};
	struct traces t = {.options = o, .cancel = interrupt_watch(), .context = &b, .one = traces_add};
	struct settings settings;
	int status = traces_each(&t, first);

	settings_init(&settings);
	b.list.context = &b;
	names_tell(&b.list);
	if (status == STATUS_OK && !config_load(&settings, o))
		status = STATUS_TROUBLE;
	while (status == STATUS_OK) {
		enum tui_traces_end end = tui_traces(&b.list, &settings);

		if (end == TRACES_QUIT)
			break;
		if (end == TRACES_TROUBLE)
			status = STATUS_TROUBLE;
		else if (end == TRACES_COMPARE)
			status = browse_marked(o, &b.list);
		else
			status = browse_diff(o, NULL, b.list.rows[b.list.cursor].path);
		if (status == STATUS_TROUBLE && end != TRACES_TROUBLE)
			status = STATUS_OK; /* it was said; the others are still there */
	}
	for (size_t i = 0; i < b.list.count; i++)
		mem_free(b.list.rows[i].text);
	mem_free(b.list.rows);
	arena_release(&b.kept);
	settings_release(&settings);
	return status;
}

/* Several runs ------------------------------------------------------------------------- */

/* Opens the first traces of both sides at the method of a row; its status. */
static int
open_row(const struct options *o, const struct runset *r, const struct runs_row *row)
{
	struct report_pattern method = {.pattern = NULL};
	struct options at = *o;
	struct sbuf text = {0};
	struct err e = {.kind = ERR_NONE};
	int status;

	sbuf_char(&text, '^');
	pattern_quote(&text, row->name);
	if (pattern_compile(sbuf_view(&text), 0, &method.pattern, &e)) {
		at.report.methods.list = &method;
		at.report.methods.count = 1;
	}
	status = browse_diff(&at, r->side[DIFF_A].runs[0].path, r->side[DIFF_B].runs[0].path);
	pattern_free(method.pattern);
	sbuf_release(&text);
	return status;
}

int
browse_runs(const struct options *o, const struct runset *r)
{
	struct sbuf text = {0}, title = {0};
	struct tui_lines list = {.hint = "Enter open both, compared  Tab next list  ? keys  q quit"};
	struct verdict_line *lines = verdicts_lines(r, &text, &list.count);
	struct settings settings;
	int status = STATUS_OK;

	sbuf_printf(&title, "%zu %s of A, %zu of B", r->side[DIFF_A].count,
	    runs_of_blocks(r) ? "blocks" : "runs", r->side[DIFF_B].count);
	list.title = sbuf_cstr(&title);
	list.lines = mem_zero(list.count + 1, sizeof(*list.lines));
	for (size_t i = 0; i < list.count; i++)
		list.lines[i] = (struct tui_line){lines[i].text, lines[i].title ? LINE_TITLE
			: lines[i].row == NULL ? LINE_TEXT
			: verdicts_slower(r, &lines[i].row->decided) ? LINE_BAD : LINE_ROW};
	settings_init(&settings);
	if (!config_load(&settings, o))
		status = STATUS_TROUBLE;
	while (status == STATUS_OK) {
		enum tui_lines_end end = tui_lines(&list, &settings);

		if (end == LINES_QUIT)
			break;
		status = STATUS_TROUBLE;
		if (end == LINES_CHOSEN && open_row(o, r, lines[list.cursor].row) != STATUS_INTERRUPTED)
			status = STATUS_OK; /* what went wrong was said; the others are still there */
	}
	settings_release(&settings);
	mem_free(list.lines);
	mem_free(lines);
	sbuf_release(&title);
	sbuf_release(&text);
	return status;
}

int
browse(const struct options *o, const char *path)
{
	struct options followed = *o;
	int status;

	if (o->mark_count > 0)
		return diff(o, path);
	if (!WITH_TUI || !isatty(STDOUT_FILENO))
		return print_report(o, path);
	if (o->watch != NULL)
		return browse_diff(o, NULL, path);
	if (traces_many(o) && !o->follow && !o->follow_name)
		return browse_list(o, path);
	if (o->operand_count > 1)
		return say_usage(NULL, "one trace at a time is followed: '%s' is too many", o->operands[1]);
	if (!o->follow && !o->follow_name && o->window != 0)
		return say_usage(NULL, "--window is of what -f follows; --from and --to limit any trace");
	if (!o->follow && o->keep_last != 0)
		return say_usage(NULL, "--keep-last is of what a pipe brings to -f");
	if (!o->follow && !o->follow_name)
		return browse_diff(o, NULL, path);
	status = follow_begin(&followed, path);
	if (status == STATUS_OK)
		status = browse_diff(&followed, NULL, path);
	follow_end(&followed);
	return status;
}
