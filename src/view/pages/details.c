// SPDX-License-Identifier: Apache-2.0
/* details: the rows about one method, call, slice or state of a thread. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/sbuf.h"
#include "trace/folded.h"
#include "trace/log.h"
#include "view/figures.h"
#include "view/names/processes.h"
#include "view/pages/info.h"

enum { MET_SHOWN = 5, TAGS_SIZE = 300, THREAD_TEXT = 200 };

static void
text_pair(struct info *info, const char *name, struct str text)
{
	if (text.n > 0)
		info_row_add(info, INFO_PAIR, str_from(name), text);
}

/* "I3062" as "info; 30 ohos, 62 app". */
static void
add_level(struct info *info, struct str level)
{
	struct sbuf tags = {0};
	int rank;

	if (level.n == 0)
		return;
	rank = log_level_rank(level.p[0]);
	info_pair(info, "level", "%s", rank >= 0 ? log_levels[rank].name : "");
	for (size_t i = 1; i + 1 < level.n && tags.n < TAGS_SIZE; i += 2) {
		unsigned tag = log_level_tag(level, i);
		const char *name = log_tag_name((int)tag);

		sbuf_printf(&tags, "%s%02u%s%s", i > 1 ? ", " : "", tag, name != NULL ? " " : "",
		    name != NULL ? name : "");
	}
	info_row_add(info, INFO_PAIR, STR("tags"), sbuf_view(&tags));
	sbuf_release(&tags);
}

/* Arguments: one row for each when all are key=value, else one unchanged row. */
static void
add_args(struct info *info, struct str args)
{
	char mark = args.n > 0 && memchr(args.p, ';', args.n) != NULL ? ';' : ',';
	struct str rest = args;
	bool pairs = args.n > 0;

	while (rest.p != NULL && pairs) {
		struct str piece = str_cut(&rest, mark);

		/* Nothing may follow the last mark. */
		pairs = (piece.n == 0 && rest.p == NULL) ||
		    (piece.n > 0 && memchr(piece.p, '=', piece.n) != NULL);
	}
	if (!pairs)
		text_pair(info, "arguments", args);
	for (rest = args; rest.p != NULL && pairs;)
		text_pair(info, "argument", str_cut(&rest, mark));
}

static void
add_detail(struct info *info, const struct log_detail *d)
{
	if (d->has_id)
		info_pair(info, "task id", "%" PRId64, d->id);
	add_level(info, d->level);
	text_pair(info, "category", d->category);
	add_args(info, d->args);
	text_pair(info, "chain id", d->chain);
	text_pair(info, "span id", d->span);
	text_pair(info, "parent span id", d->parent);
	if (d->flag != 0)
		info_pair(info, "chain flag", "%c", d->flag);
	info_pair(info, "pid, as written", "%" PRIu32, d->pid);
}

/* States and wakers ---------------------------------------------------------------- */

static const char *
io_text(int io)
{
	return io == IO_YES ? ", I/O" : io == IO_NO ? ", not I/O" : "";
}

/* "1187 main", or what else woke. */
static const char *
thread_text(const struct info *info, uint32_t thread, char out[static THREAD_TEXT])
{
	if (thread < trace_thread_count(info->trace))
		snprintf(out, THREAD_TEXT, "%" PRIu32 " %.*s",
		    trace_thread(info->trace, thread)->id,
		    STR_ARG(names_thread(info->names, thread)));
	else
		snprintf(out, THREAD_TEXT, "an interrupt");
	return out;
}

static void
add_wake(struct info *info, const struct wake *w, const char *title)
{
	char waker[THREAD_TEXT], late[FMT_SIZE + 40] = "";

	if (w->ran >= 0)
		snprintf(late, sizeof(late), ", on cpu%u %s ms later", w->cpu,
		    fmt_ms(FMT_BUF, w->ran - w->at));
	info_pair(info, title, "%s at %s ms%s%s", thread_text(info, w->waker, waker),
	    fmt_ms(FMT_BUF, w->at), late,
	    w->waker < SCHED_INTERRUPT ? " (Enter goes there)" : "");
	if (w->slept >= 0)
		info_pair(info, "after", "%s ms %s%s", fmt_ms(FMT_BUF, w->at - w->slept),
		    task_states[w->state].name, io_text(w->io));
}

static void
add_state(struct info *info, const struct interval *i)
{
	char cpu[24] = "", priority[32] = "";

	if (i->state == TASK_RUNNING)
		snprintf(cpu, sizeof(cpu), " on cpu%u", i->cpu);
	if (i->state == TASK_RUNNING && i->priority != SCHED_NO_PRIORITY)
		snprintf(priority, sizeof(priority), ", priority %" PRId32, i->priority);
	info_pair(info, "state", "%s%s%s%s, %s ms from %s ms on", task_states[i->state].name,
	    io_text(i->io), cpu, priority, fmt_ms(FMT_BUF, i->to - i->from),
	    fmt_ms(FMT_BUF, i->from));
	if (i->next != TASK_UNKNOWN)
		info_pair(info, "then", "%s", task_states[i->next].name);
}

static void
add_split(struct info *info, const struct engine_slice *more, nsec length)
{
	const struct usage_split *s = &more->split;
	char name[THREAD_TEXT];

	info_heading(info, "ITS THREAD MEANWHILE");
	for (int state = 0; state < TASK_STATES; state++) {
		for (int io = IO_UNTOLD; io <= IO_YES; io++) {
			if (s->time[state][io] == 0)
				continue;
			snprintf(name, sizeof(name), "%s%s", task_states[state].name, io_text(io));
			info_pair(info, name, "%s ms, %s%%", fmt_ms(FMT_BUF, s->time[state][io]),
			    fmt_percent(FMT_BUF, s->time[state][io], length));
		}
	}
	for (uint32_t i = 0; i < s->reason_count && i < MET_SHOWN; i++) {
		const struct usage_met *m = &s->reasons[i];
		const struct str *caller = seg_at(&info->trace->log->texts, m->what - 1);

		info_pair(info, "blocked in", "%.*s: %s ms, %" PRIu64 " times%s",
		    STR_ARG(names_clean(info->names, *caller)), fmt_ms(FMT_BUF, m->time), m->count,
		    io_text(m->io));
	}
	for (uint32_t i = 0; i < s->waker_count && i < MET_SHOWN; i++)
		info_pair(info, "woken by", "%s, %" PRIu64 " times",
		    thread_text(info, s->wakers[i].what, name), s->wakers[i].count);
	if (!s->waited)
		return;
	info_pair(info, "longest wait", "%s ms from %s ms on, %s%s",
	    fmt_ms(FMT_BUF, s->longest.to - s->longest.from), fmt_ms(FMT_BUF, s->longest.from),
	    task_states[s->longest.state].name, io_text(s->longest.io));
	if (more->woken)
		add_wake(info, &more->wake, "ended by");
}

/* A thread by its id. */
static void
tid_pair(struct info *info, const char *name, uint32_t tid)
{
	char text[THREAD_TEXT];

	snprintf(text, sizeof(text), "%" PRIu32, tid);
	for (uint32_t i = trace_thread_count(info->trace); i-- > 0;) {
		const struct thread *thread = trace_thread(info->trace, i);

		if (thread->kind == THREAD_TASK && thread->id == tid) {
			thread_text(info, i, text);
			break;
		}
	}
	info_pair(info, name, "%s", text);
}

static void
add_thread(struct info *info, uint32_t thread)
{
	const struct thread *of = trace_thread(info->trace, thread);
	struct processes processes;
	char text[THREAD_TEXT];

	info_pair(info, "thread", "%s", thread_text(info, thread, text));
	if (of->process == 0)
		return;
	processes_make(&processes, info->trace);
	if (of->process < processes.count) {
		const struct process *p = &processes.items[of->process];

		info_pair(info, "process", "%" PRIu32 " %.*s", p->pid,
		    STR_ARG(p->name));
	}
	processes_release(&processes);
}

/* The slice ------------------------------------------------------------------------ */

static void
add_call(struct info *info, const struct info_slice *slice)
{
	const struct trace *t = info->trace;
	const struct call *c = slice->call;
	const struct engine_slice *more = slice->more;
	nsec wall = c->leave[CLOCK_WALL] - c->enter[CLOCK_WALL];
	nsec cpu = c->leave[CLOCK_CPU] - c->enter[CLOCK_CPU];
	bool task = trace_thread(t, c->thread)->kind == THREAD_TASK;

	info_pair(info, "slice", "%.*s, %s", STR_ARG(names_shown(info->names, c->method)),
	    trace_method(t, c->method)->async ? "asynchronous" : "synchronous");
	info_pair(info, "start", "%s ms; in the log %s s", fmt_ms(FMT_BUF, c->enter[CLOCK_WALL]),
	    fmt_time(FMT_BUF, c->enter[CLOCK_WALL] + (nsec)t->log->origin, FMT_S, 9));
	info_pair(info, "duration", "%s ms%s", fmt_ms(FMT_BUF, wall),
	    c->unfinished ? "+, it does not end in the log" : "");
	info_pair(info, "depth", "%" PRIu32, c->depth);
	if (task && trace_has_clock(t, CLOCK_CPU))
		info_pair(info, "cpu", "%s ms; waited %s ms", fmt_ms(FMT_BUF, cpu),
		    fmt_ms(FMT_BUF, wall - cpu));
	if (!task && more->known)
		tid_pair(info, "begun by", more->detail.tid);
	if (!task && more->end_known)
		tid_pair(info, "ended by", more->end_tid);
	if (more->known)
		add_detail(info, &more->detail);
	if (more->split_known)
		add_split(info, more, wall);
}

/* Markers of a moment: the one at the time cursor with all that it says, or those beside it. */
static void
add_instants(struct info *info, const struct instants_near *near, nsec at)
{
	if (!near->has_last && !near->has_next)
		return;
	info_heading(info, "INSTANTS OF THE THREAD");
	if (near->has_last && near->last == at) {
		text_pair(info, "at the cursor", near->last_detail.name);
		add_detail(info, &near->last_detail);
	} else if (near->has_last) {
		info_pair(info, "before", "%s ms, %.*s", fmt_ms(FMT_BUF, near->last),
		    STR_ARG(names_clean(info->names, near->last_detail.name)));
	}
	if (near->has_next)
		info_pair(info, "after", "%s ms, %.*s", fmt_ms(FMT_BUF, near->next),
		    STR_ARG(names_clean(info->names, near->next_detail.name)));
}

static void
add_slice(struct info *info, const struct info_slice *slice)
{
	const struct engine_slice *more = slice->more;
	bool open = slice->call != NULL;

	info_heading(info, open ? "SLICE AT THE TIME CURSOR" : "THREAD AT THE TIME CURSOR");
	add_thread(info, slice->thread);
	if (open)
		add_call(info, slice);
	else
		info_pair(info, "slice", "none is open");
	if (open && more->state_known)
		info_heading(info, "THREAD AT THE TIME CURSOR");
	if (!open || more->state_known)
		info_pair(info, "time", "%s ms", fmt_ms(FMT_BUF, slice->at));
	if (more->state_known)
		add_state(info, &more->state);
	if ((!open || more->state_known) && more->woken &&
	    !(more->split_known && more->split.waited))
		add_wake(info, &more->wake, "woken by");
	add_instants(info, &more->near, slice->at);
}

/* Methods and calls -------------------------------------------------------------------- */

/* Rows of a list that are worth a look; the table has the others. */
enum { RELATIONS_MAX = 200 };

static void
add_names(struct info *info, uint32_t method)
{
	const struct method *m = trace_method(info->trace, method);
	struct names *names = info->names;
	const struct {
		const char *name;
		struct str text;
	} rows[] = {{"name", names_shown(names, method)}, {"class", names_class(names, method)},
	    {"method", names_method(names, method)}, {"signature", names_signature(names, method)},
	    {"file", names_file(names, method)}};

	info_heading(info, "METHOD");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		text_pair(info, rows[i].name, rows[i].text);
	if (m->line > 0)
		info_pair(info, "line", "%" PRId32, m->line);
	else if (m->line < 0)
		info_pair(info, "line", "none, %s", m->line == -2 ? "native" : "abstract");
	if (m->word == NULL && info->trace->log == NULL)
		info_pair(info, "id", "0x%" PRIx64, m->id);
}

/* Every column but the texts, whatever is shown in the table. */
static void
add_figures(struct info *info, const struct figures *f, const struct row *row)
{
	char out[FMT_SIZE];

	info_heading(info, "FIGURES");
	for (int i = 0; i < COLUMNS; i++) {
		const struct column *c = &column_table[i];
		struct str text;

		if (column_is_text(c) || !column_exists(c, f->trace))
			continue;
		text = value_format(f, column_get(f, i, row), FMT_SIZE, out);
		text_pair(info, column_title(f, c, FMT_BUF), text);
	}
}

/* Extremes and percentiles, on each clock. */
static void
add_calls(struct info *info, const struct calls *calls)
{
	static const struct {
		const char *title;
		unsigned permille;
	} rows[] = {{"min", 0}, {"p50", 500}, {"p90", 900}, {"p99", 990}, {"max", 1000}};
	static const char *const names[CLOCKS] = {"cpu", "wall"};

	info_heading(info, "CALLS, ONE BY ONE, AS RECORDED");
	if (!calls->whole) {
		info_pair(info, "found", "%d %%", (int)(calls->progress * 100));
		return;
	}
	for (int clock = CLOCKS - 1; clock >= 0; clock--) {
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			char title[32];

			if (!trace_has_clock(info->trace, (enum clock_id)clock))
				break;
			snprintf(title, sizeof(title), "%s %.8s %.12s", rows[i].title,
			    unit_counts(&info->trace->unit) ? "" : names[clock],
			    unit_name(&info->trace->unit));
			info_pair(info, title, "%s",
			    unit_figure(&info->trace->unit, FMT_BUF, calls_percentile(calls, (enum clock_id)clock,
						rows[i].permille)));
		}
	}
	if (calls->budget > 0)
		info_pair(info, "over budget", "%" PRIu64 " of %" PRIu64 ", longer than %s ms",
		    calls->over, calls->count, fmt_ms(FMT_BUF, calls->budget));
	if (calls->cut > 0)
		info_pair(info, "cut", "%" PRIu64 ", by the window or the ends of the trace",
		    calls->cut);
}

static const struct {
	const char *heading;
	enum row_kind kind;
	enum relation_kind list;
} relation_lists[] = {
	{"PARENTS", ROW_PARENT, RELATION_PARENT},
	{"CHILDREN", ROW_CHILD, RELATION_CHILD},
	{"PARENTS WHILE RECURSIVE", ROW_PARENT_RECURSIVE, RELATION_PARENT_RECURSIVE},
	{"CHILDREN WHILE RECURSIVE", ROW_CHILD_RECURSIVE, RELATION_CHILD_RECURSIVE},
};

static void
add_relations(struct info *info, const struct figures *f, uint32_t method, size_t of)
{
	static const enum column_id shown[] = {
	    COLUMN_INCL_PERCENT, COLUMN_INCL, COLUMN_CALLS};
	uint32_t count;
	const struct relation *relations =
	    fold_relations(f->fold, method, relation_lists[of].list, &count);

	if (count > 0)
		info_heading(info, relation_lists[of].heading);
	for (uint32_t i = 0; i < count && i < RELATIONS_MAX; i++) {
		struct row row = {
		    relation_lists[of].kind, relations[i].method, method, relations[i], i};
		char figures[4 * FMT_SIZE], out[FMT_SIZE];
		int n = 0;

		for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
			struct str text =
			    value_format(f, column_get(f, shown[k], &row), FMT_SIZE, out);

			n += snprintf(figures + n, sizeof figures - (size_t)n, "%*.*s ",
			    column_table[shown[k]].width, STR_ARG(text));
		}
		info_row_add(info, INFO_PAIR, str_from(figures),
		    names_shown(f->names, relations[i].method));
	}
	if (count > RELATIONS_MAX)
		info_pair(info, "", "and %" PRIu32 " more", count - RELATIONS_MAX);
}

enum { STOOD_FOR_SHOWN = 20 };

struct stood_for {
	uint32_t method;
	nsec own;
};

static int
stood_for_order(const void *left, const void *right)
{
	const struct stood_for *a = left, *b = right;

	return order_then(ORDER(b->own, a->own), ORDER(a->method, b->method));
}

/* Lists the names that the method stands for, those with most time of their own first. */
static void
add_stood_for(struct info *info, const struct figures *f, uint32_t method)
{
	const struct fold *fold = f->fold;
	struct stood_for *list = NULL;
	size_t count = 0, room = 0;

	if (!trace_stands(f->trace, method))
		return;
	for (uint32_t m = trace_stands_next(f->trace, method); m != METHOD_NONE && m < fold->method_count;
	     m = trace_stands_next(f->trace, m)) {
		if (fold->methods[m].calls == 0 && fold->methods[m].exclusive[f->clock] == 0)
			continue;
		*MEM_ADD(list, count, room) =
		    (struct stood_for){m, fold->methods[m].exclusive[f->clock]};
	}
	mem_sort(list, count, sizeof(*list), stood_for_order);
	info_heading(info, "NAMES IN IT, MS THEMSELVES");
	for (size_t i = 0; i < count && i < STOOD_FOR_SHOWN; i++)
		info_pair(info, fmt_ms(FMT_BUF, list[i].own), "%.*s, %" PRIu64 " slice%s",
		    STR_ARG(names_shown(info->names, list[i].method)),
		    fold->methods[list[i].method].calls,
		    fold->methods[list[i].method].calls == 1 ? "" : "s");
	if (count > STOOD_FOR_SHOWN)
		info_pair(info, "and more", "%zu", count - STOOD_FOR_SHOWN);
	mem_free(list);
}

void
info_build_method(struct info *info, const struct trace *t, struct names *names,
    const struct fold *fold, uint32_t method, const struct info_slice *slice,
    const struct calls *calls)
{
	struct figures f = {
	    .trace = t, .names = names, .fold = fold, .clock = trace_default_clock(t)};
	struct row row = {.kind = ROW_METHOD, .method = method, .of = method};

	info_begin(info, t, names);
	if (slice != NULL)
		add_slice(info, slice);
	if (method == METHOD_NONE)
		return;
	add_names(info, method);
	if (method >= fold->method_count || !fold->methods[method].present)
		return;
	add_figures(info, &f, &row);
	add_stood_for(info, &f, method);
	if (calls != NULL)
		add_calls(info, calls);
	for (size_t i = 0; i < sizeof(relation_lists) / sizeof(relation_lists[0]); i++)
		add_relations(info, &f, method, i);
}
