/* details: the rows about one method, call, slice or state of a thread. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "trace/log.h"
#include "view/figures.h"
#include "view/names/processes.h"
#include "view/pages/rows.h"

enum { MET_SHOWN = 5 };

static const char *const levels[][2] = {
	{"D", "debug"}, {"I", "info"}, {"C", "critical"}, {"M", "commercial"}};

static void
text_pair(struct info *info, struct names *names, const char *name, struct str text)
{
	if (text.n > 0)
		info_row_add(info, INFO_PAIR, str_from(name), names_clean(names, text));
}

/* "I3062" as "info; 30 ohos, 62 app". */
static void
add_level(struct info *info, struct str level)
{
	char text[400];
	int n = 0;

	if (level.n == 0)
		return;
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (level.p[0] == levels[i][0][0])
			n = snprintf(text, sizeof(text), "%s", levels[i][1]);
	}
	info_pair(info, "level", "%.*s", n, text);
	n = 0;
	for (size_t i = 1; i + 1 < level.n && n < 300; i += 2) {
		int tag = (level.p[i] - '0') * 10 + (level.p[i + 1] - '0');
		const char *name = log_tag_name(tag);

		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%02d%s%s", i > 1 ? ", " : "",
		    tag, name != NULL ? " " : "", name != NULL ? name : "");
	}
	info_pair(info, "tags", "%.*s", n, text);
}

/* Arguments: one row for each when all are key=value, else one unchanged row. */
static void
add_args(struct info *info, struct names *names, struct str args)
{
	char mark = memchr(args.p != NULL ? args.p : "", ';', args.n) != NULL ? ';' : ',';
	struct str rest = args;
	bool pairs = args.n > 0;

	while (rest.p != NULL && pairs) {
		struct str piece = str_cut(&rest, mark);

		/* Nothing may follow the last mark. */
		pairs = (piece.n == 0 && rest.p == NULL) ||
		    (piece.n > 0 && memchr(piece.p, '=', piece.n) != NULL);
	}
	if (!pairs) {
		text_pair(info, names, "arguments", args);
		return;
	}
	for (rest = args; rest.p != NULL;) {
		struct str piece = str_cut(&rest, mark);

		text_pair(info, names, "argument", piece);
	}
}

static void
add_detail(struct info *info, struct names *names, const struct log_detail *d)
{
	if (d->has_id)
		info_pair(info, "task id", "%" PRId64, d->id);
	add_level(info, d->level);
	text_pair(info, names, "category", d->category);
	add_args(info, names, d->args);
	text_pair(info, names, "chain id", d->chain);
	text_pair(info, names, "span id", d->span);
	text_pair(info, names, "parent span id", d->parent);
	if (d->flag != 0)
		info_pair(info, "chain flag", "%c", d->flag);
	info_pair(info, "pid, as written", "%" PRIu32, d->pid);
}

/* States and wakers ---------------------------------------------------------------- */

static const char *
io_text(int io)
{
	return io == IO_YES ? ", I/O" : io == IO_NO ? ", no I/O" : "";
}

/* "1187 main", or what else woke. */
static void
waker_text(const struct trace *t, struct names *names, uint32_t waker, char *out, size_t size)
{
	if (waker < trace_thread_count(t))
		snprintf(out, size, "%" PRIu32 " %.*s", trace_thread(t, waker)->id,
		    STR_ARG(names_thread(names, waker)));
	else
		snprintf(out, size, "an interrupt");
}

static void
add_wake(struct info *info, const struct trace *t, struct names *names,
    const struct wake *w, const char *title)
{
	char who[200], at[FMT_SIZE], waited[FMT_SIZE], slept[FMT_SIZE], late[FMT_SIZE + 40] = "";

	waker_text(t, names, w->waker, who, sizeof(who));
	if (w->ran >= 0)
		snprintf(late, sizeof(late), ", on cpu%u %s ms later", w->cpu,
		    fmt_ms(waited, w->ran - w->at));
	info_pair(info, title, "%s at %s ms%s%s", who, fmt_ms(at, w->at), late,
	    w->waker < SCHED_INTERRUPT ? " (Enter goes there)" : "");
	if (w->slept >= 0)
		info_pair(info, "after", "%s ms %s%s", fmt_ms(slept, w->at - w->slept),
		    task_states[w->state].name, io_text(w->io));
}

static void
add_state(struct info *info, const struct interval *i)
{
	char from[FMT_SIZE], length[FMT_SIZE], where[60] = "";

	if (i->state == TASK_RUNNING && i->priority != SCHED_NO_PRIORITY)
		snprintf(where, sizeof(where), " on cpu%u, priority %" PRId32, i->cpu, i->priority);
	else if (i->state == TASK_RUNNING)
		snprintf(where, sizeof(where), " on cpu%u", i->cpu);
	info_pair(info, "state", "%s%s%s, %s ms from %s ms on", task_states[i->state].name,
	    io_text(i->io), where, fmt_ms(length, i->to - i->from), fmt_ms(from, i->from));
	if (i->next != TASK_UNKNOWN)
		info_pair(info, "then", "%s", task_states[i->next].name);
}

static void
add_reasons(struct info *info, const struct trace *t, struct names *names,
    const struct usage_split *s)
{
	char text[240], time[FMT_SIZE];

	for (uint32_t i = 0; i < s->reason_count && i < MET_SHOWN; i++) {
		const struct usage_met *m = &s->reasons[i];
		struct str caller = info_clean(
		    info, names, *(struct str *)seg_at(&t->log->texts, m->what - 1));

		info_pair(info, "blocked in", "%.*s: %s ms, %" PRIu64 " times%s", STR_ARG(caller),
		    fmt_ms(time, m->time), m->count, io_text(m->io));
	}
	for (uint32_t i = 0; i < s->waker_count && i < MET_SHOWN; i++) {
		waker_text(t, names, s->wakers[i].what, text, sizeof(text));
		info_pair(info, "woken by", "%s, %" PRIu64 " times", text, s->wakers[i].count);
	}
}

static void
add_split(struct info *info, const struct trace *t, struct names *names,
    const struct engine_slice *more, nsec length)
{
	const struct usage_split *s = &more->split;
	char name[80], time[FMT_SIZE], from[FMT_SIZE], percent[FMT_SIZE];

	info_heading(info, "ITS THREAD MEANWHILE");
	for (int state = 0; state < TASK_STATES; state++) {
		for (int io = IO_UNTOLD; io <= IO_YES; io++) {
			if (s->time[state][io] == 0)
				continue;
			snprintf(name, sizeof(name), "%s%s", task_states[state].name, io_text(io));
			info_pair(info, name, "%s ms, %s%%", fmt_ms(time, s->time[state][io]),
			    fmt_percent(percent, s->time[state][io], length));
		}
	}
	add_reasons(info, t, names, s);
	if (!s->waited)
		return;
	info_pair(info, "longest wait", "%s ms from %s ms on, %s%s",
	    fmt_ms(time, s->longest.to - s->longest.from), fmt_ms(from, s->longest.from),
	    task_states[s->longest.state].name, io_text(s->longest.io));
	if (more->woken)
		add_wake(info, t, names, &more->wake, "ended by");
}

/* A thread by its id. */
static void
tid_pair(struct info *info, const struct trace *t, struct names *names, const char *name,
    uint32_t tid)
{
	for (uint32_t i = trace_thread_count(t); i-- > 0;) {
		const struct thread *thread = trace_thread(t, i);

		if (thread->kind == THREAD_TASK && thread->id == tid) {
			info_pair(info, name, "%" PRIu32 " %.*s", tid, STR_ARG(names_thread(names, i)));
			return;
		}
	}
	info_pair(info, name, "%" PRIu32, tid);
}

static void
add_thread(struct info *info, const struct trace *t, struct names *names, uint32_t thread)
{
	const struct thread *of = trace_thread(t, thread);
	struct processes processes;

	info_pair(info, "thread", "%" PRIu32 " %.*s", of->id, STR_ARG(names_thread(names, thread)));
	if (of->process == 0)
		return;
	processes_make(&processes, t);
	if (of->process < processes.count) {
		const struct process *p = &processes.items[of->process];
		struct str name = info_clean(info, names, p->name);

		info_pair(info, "process", "%" PRIu32 " %.*s", p->pid, STR_ARG(name));
	}
	processes_release(&processes);
}

/* The slice ------------------------------------------------------------------------ */

static void
add_call(struct info *info, const struct trace *t, struct names *names,
    const struct info_slice *slice)
{
	const struct call *c = slice->call;
	const struct engine_slice *more = slice->more;
	nsec wall = c->leave[CLOCK_WALL] - c->enter[CLOCK_WALL];
	bool task = trace_thread(t, c->thread)->kind == THREAD_TASK;
	char text[FMT_SIZE], exact[FMT_SIZE];

	info_pair(info, "slice", "%.*s, %s", STR_ARG(names_full(names, c->method)),
	    trace_method(t, c->method)->async ? "asynchronous" : "synchronous");
	info_pair(info, "start", "%s ms; in the log %s s", fmt_ms(text, c->enter[CLOCK_WALL]),
	    fmt_time(exact, c->enter[CLOCK_WALL] + (nsec)t->log->origin, FMT_S, 9));
	info_pair(info, "duration", "%s ms%s", fmt_ms(text, wall),
	    c->unfinished ? "+, it does not end in the log" : "");
	info_pair(info, "depth", "%" PRIu32, c->depth);
	if (task && trace_has_clock(t, CLOCK_CPU))
		info_pair(info, "cpu", "%s ms; waited %s ms",
		    fmt_ms(text, c->leave[CLOCK_CPU] - c->enter[CLOCK_CPU]),
		    fmt_ms(exact, wall - (c->leave[CLOCK_CPU] - c->enter[CLOCK_CPU])));
	if (!task && more->known)
		tid_pair(info, t, names, "begun by", more->detail.tid);
	if (!task && more->end_known)
		tid_pair(info, t, names, "ended by", more->end_tid);
	if (more->known)
		add_detail(info, names, &more->detail);
	if (more->split_known)
		add_split(info, t, names, more, wall);
}

/* Markers of a moment: the one at the time cursor with all that it says, or those beside it. */
static void
add_instants(struct info *info, struct names *names, const struct instants_near *near, nsec at)
{
	char time[FMT_SIZE];

	if (!near->has_last && !near->has_next)
		return;
	info_heading(info, "INSTANTS OF THE THREAD");
	if (near->has_last && near->last == at) {
		text_pair(info, names, "at the cursor", near->last_detail.name);
		add_detail(info, names, &near->last_detail);
	} else if (near->has_last) {
		info_pair(info, "before", "%s ms, %.*s", fmt_ms(time, near->last),
		    STR_ARG(names_clean(names, near->last_detail.name)));
	}
	if (near->has_next)
		info_pair(info, "after", "%s ms, %.*s", fmt_ms(time, near->next),
		    STR_ARG(names_clean(names, near->next_detail.name)));
}

static void
add_call_or_state(struct info *info, const struct trace *t, struct names *names,
    const struct info_slice *slice)
{
	char at[FMT_SIZE];

	if (slice->call != NULL) {
		info_heading(info, "SLICE AT THE TIME CURSOR");
		add_thread(info, t, names, slice->thread);
		add_call(info, t, names, slice);
		if (!slice->more->state_known)
			return;
		info_heading(info, "THREAD AT THE TIME CURSOR");
	} else {
		info_heading(info, "THREAD AT THE TIME CURSOR");
		add_thread(info, t, names, slice->thread);
		info_pair(info, "slice", "none is open");
	}
	info_pair(info, "time", "%s ms", fmt_ms(at, slice->at));
	if (slice->more->state_known)
		add_state(info, &slice->more->state);
	if (slice->more->woken && !(slice->more->split_known && slice->more->split.waited))
		add_wake(info, t, names, &slice->more->wake, "woken by");
}

static void
add_slice(struct info *info, const struct trace *t, struct names *names,
    const struct info_slice *slice)
{
	add_call_or_state(info, t, names, slice);
	add_instants(info, names, &slice->more->near, slice->at);
}

/* Methods and calls -------------------------------------------------------------------- */

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

		if (column_is_text(&column_table[id]) || !column_exists(&column_table[id], f->trace->clocks))
			continue;
		text = value_format(f, column_get(f, id, row), FMT_SIZE, out);
		if (text.n > 0)
			info_row_add(
			    info, INFO_PAIR, str_from(column_title(f, &column_table[id], title)), text);
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
		add_slice(info, t, names, slice);
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
