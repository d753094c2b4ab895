// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/threads.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "profile/sum/paths.h"
#include "view/names/processes.h"

enum {
#define COLUMN(number, ...) number,
#include "view/threads.def"
#undef COLUMN
};

static const struct column columns[] = {
#define COLUMN(number, value, ...) [number] = {__VA_ARGS__},
#include "view/threads.def"
#undef COLUMN
    {.id = NULL},
};

static nsec
span(const struct fold_thread *sum, enum clock_id clock)
{
	return sum->last[clock] - sum->first[clock];
}

/* The rows may be of a fold before this one. */
static const struct fold_thread *
sum_of_thread(const struct threads *t, uint32_t thread)
{
	static const struct fold_thread none;
	const struct fold *fold = t->display->figures.fold;

	return fold != NULL && thread < fold->thread_count ? &fold->threads[thread] : &none;
}

static const struct trace *
trace_of(const struct threads *t)
{
	return t->display->figures.trace;
}

/* Processes ------------------------------------------------------------------------- */

/* The second number of a row's id; the first is 0 for the rest of the top. */
enum { OF_THREAD, OF_PROCESS, OF_REST };

#define ALL UINT32_MAX

static struct list_id
thread_id(const struct threads *t, uint32_t thread)
{
	return (struct list_id){identity_thread(t->display->figures.identities, thread), OF_THREAD};
}

static struct list_id
process_id(const struct threads *t, uint32_t process)
{
	return (struct list_id){identity_process(t->display->figures.identities, process), OF_PROCESS};
}

static struct list_id
rest_id(const struct threads *t, uint32_t process)
{
	return (struct list_id){process == ALL ? 0 : process_id(t, process).a, OF_REST};
}

static bool
is_thread(const struct list_row *row)
{
	return row->id.b == OF_THREAD;
}

/* Returns the process, or the sum of all, of a row that is not a thread's. */
static const struct thread_process *
group_of(const struct threads *t, const struct list_row *row)
{
	return row->id.a == 0 ? &t->all : &t->processes[row->item];
}

static uint32_t
process_of(const struct threads *t, uint32_t thread)
{
	uint32_t process = trace_thread(trace_of(t), thread)->process;

	return process < t->process_count ? process : 0;
}

/* Threads of a log may do no more than be woken, or write one marker. */
static bool
is_lively(const struct threads *t, uint32_t thread)
{
	const struct fold_thread *sum = sum_of_thread(t, thread);

	return sum->covered > 0 || span(sum, CLOCK_CPU) > 0 || trace_of(t)->log == NULL;
}

static bool
is_lively_group(const struct thread_process *p)
{
	return p->idle < p->threads;
}

/* A row for a single one would save nothing. */
static bool
has_rest(const struct thread_process *p)
{
	return p->idle > 1 && is_lively_group(p);
}

/* A process with one thread is that thread's row. */
static bool
is_group(const struct threads *t, uint32_t process)
{
	return t->grouped && t->processes[process].threads > 1;
}

static void
sum_add(struct thread_process *p, const struct fold_thread *of)
{
	struct fold_thread *sum = &p->sum;
	bool first = sum->records == 0;

	if (of->records == 0)
		return;
	sum->records += of->records;
	sum->calls += of->calls;
	sum->open += of->open;
	sum->deepest = of->deepest > sum->deepest ? of->deepest : sum->deepest;
	sum->last[CLOCK_CPU] += span(of, CLOCK_CPU);
	if (first || of->first[CLOCK_WALL] < sum->first[CLOCK_WALL])
		sum->first[CLOCK_WALL] = of->first[CLOCK_WALL];
	if (first || of->last[CLOCK_WALL] > sum->last[CLOCK_WALL])
		sum->last[CLOCK_WALL] = of->last[CLOCK_WALL];
	for (int clock = 0; clock < CLOCKS; clock++)
		sum->part[clock] += of->part[clock];
}

static void
rest_name(struct threads *t, struct thread_process *p, uint32_t processes, uint32_t threads)
{
	struct sbuf text = {0};

	if (processes > 0)
		sbuf_printf(&text, "%" PRIu32 " processes, ", processes);
	sbuf_printf(&text, "%" PRIu32 " threads without slices or running time", threads);
	p->rest = arena_str(&t->texts, sbuf_view(&text));
	sbuf_release(&text);
}

/* Names below processes need room for how far they are indented. */
static void
names_measure(struct threads *t)
{
	const struct fold *fold = t->display->figures.fold;
	struct sbuf blanks = {0};
	size_t width = 0, most = 0;

	for (uint32_t i = 0; i < t->process_count && t->grouped; i++) {
		width = utf8_width(t->processes[i].name) + 1;
		most = width > most ? width : most;
	}
	for (uint32_t i = 0; fold != NULL && i < fold->thread_count && t->grouped; i++) {
		width = utf8_width(names_thread(t->display->figures.names, i)) + 2;
		most = width > most ? width : most;
	}
	while (most-- > 0 && blanks.n < COLUMN_WIDTH_MAX)
		sbuf_char(&blanks, ' ');
	t->widest = arena_str(&t->texts, sbuf_view(&blanks));
	sbuf_release(&blanks);
}

static void
processes_name(struct threads *t, const struct processes *known)
{
	uint32_t threads = 0;

	arena_release(&t->texts);
	for (uint32_t i = 0; i < t->process_count; i++) {
		struct thread_process *p = &t->processes[i];
		struct str name = names_clean(t->display->figures.names, known->items[i].name);

		p->pid = known->items[i].pid;
		p->name = i == 0 ? STR("no process")
		    : name.n > 0 ? arena_str(&t->texts, name) : STR("process");
		threads += is_lively_group(p) ? 0 : p->threads;
		if (has_rest(p))
			rest_name(t, p, 0, p->idle);
	}
	names_measure(t);
	rest_name(t, &t->all, t->grouped ? t->all.idle : 0, t->grouped ? threads : t->all.idle);
}

/* Which threads are in which process, and what these did together. */
static void
processes_sum(struct threads *t)
{
	const struct fold *fold = t->display->figures.fold;
	uint32_t count = fold != NULL ? fold->thread_count : 0, met = 0;
	struct processes known = {0};

	if (trace_of(t)->log != NULL)
		processes_make(&known, trace_of(t));
	t->process_count = known.count > 0 ? known.count : 1;
	MEM_GROW(t->processes, t->process_room, t->process_count);
	MEM_GROW(t->next, t->next_room, (size_t)count + 1);
	for (uint32_t i = 0; i < t->process_count; i++)
		t->processes[i] = (struct thread_process){.first = THREAD_NONE};
	for (uint32_t i = count; i-- > 0;) {
		struct thread_process *p = &t->processes[process_of(t, i)];

		/* Threads of a log may be no more than named, or have nothing in the range. */
		if (fold->threads[i].records == 0 && known.count == 0)
			continue;
		t->next[i] = p->first;
		p->first = i;
		p->threads++;
		p->idle += !is_lively(t, i);
		p->busy += fold_busy(fold, trace_of(t), i);
		if (fold_known(fold, trace_of(t), i) > p->known)
			p->known = fold_known(fold, trace_of(t), i);
		sum_add(p, &fold->threads[i]);
	}
	t->all = (struct thread_process){.first = THREAD_NONE};
	for (uint32_t i = 0; i < t->process_count; i++)
		met += t->processes[i].threads > 0;
	t->grouped = met > 1;
	for (uint32_t i = 0; i < t->process_count; i++) {
		const struct thread_process *p = &t->processes[i];

		t->all.threads += t->grouped ? p->threads > 0 : p->threads;
		t->all.idle += t->grouped ? p->threads > 0 && !is_lively_group(p) : p->idle;
	}
	if (known.count > 0)
		processes_name(t, &known);
	processes_release(&known);
}

/* The process in front is open, until the user closes it. */
static void
front_open(struct threads *t)
{
	uint32_t front = ALL;

	t->main_thread = trace_main_thread(trace_of(t));
	if (t->display->figures.fold == NULL)
		return;
	if (t->main_thread != THREAD_NONE && t->grouped)
		front = process_of(t, t->main_thread);
	if (front == t->front)
		return;
	if (t->front != ALL)
		(void)ids_remove(&t->list.open, process_id(t, t->front));
	t->front = front;
	if (front != ALL)
		(void)ids_add(&t->list.open, process_id(t, front));
}

/* Time that passes the filters ------------------------------------------------------ */

static bool
is_filtered(const struct threads *t)
{
	return t->paths != NULL && filters_active(&t->display->filters);
}

static nsec
passed_thread(const struct threads *t, uint32_t thread)
{
	return is_filtered(t) && thread < t->passed_room ? t->passed[thread] : 0;
}

static nsec
passed(const struct threads *t, const struct list_row *row)
{
	nsec sum = 0;

	if (is_thread(row))
		return passed_thread(t, row->item);
	if (row->id.b == OF_PROCESS)
		for (uint32_t i = t->processes[row->item].first; i != THREAD_NONE; i = t->next[i])
			sum += passed_thread(t, i);
	return sum;
}

/* The time of the outermost paths of each thread that pass: time is in it once. */
static void
passed_sum(struct threads *t)
{
	const struct paths *paths = t->paths;
	struct display *display = t->display;
	enum clock_id clock = display->figures.clock;
	uint32_t *threads; /* of a path; THREAD_NONE: within one that passes */

	if (!is_filtered(t))
		return;
	MEM_GROW(t->passed, t->passed_room, trace_thread_count(display->figures.trace));
	memset(t->passed, 0, t->passed_room * sizeof(*t->passed));
	t->passed_total = 0;
	threads = mem_alloc(((size_t)paths->count + 1) * sizeof(*threads));
	for (uint32_t i = 0; i < paths->count; i++) {
		const struct path *path = &paths->items[i];

		threads[i] = i < paths->roots ? paths->root_thread[i] : threads[path->parent];
		if (i < paths->roots || threads[i] >= t->passed_room ||
		    !filters_pass(&display->filters, display->figures.names, path->method))
			continue;
		t->passed[threads[i]] += path->inclusive[clock];
		t->passed_total += path->inclusive[clock];
		threads[i] = THREAD_NONE;
	}
	mem_free(threads);
}

/* Rows ------------------------------------------------------------------------------ */

static uint32_t
id_of(const struct threads *t, const struct list_row *row)
{
	return is_thread(row) ? trace_thread(trace_of(t), row->item)->id : group_of(t, row)->pid;
}

static struct str
name_of(const struct threads *t, const struct list_row *row)
{
	return is_thread(row) ? names_thread(t->display->figures.names, row->item)
	    : row->id.b == OF_PROCESS ? group_of(t, row)->name
				      : group_of(t, row)->rest;
}

static const char *
kind_of(const struct threads *t, const struct list_row *row)
{
	return is_thread(row) ? thread_kind_words[trace_thread(trace_of(t), row->item)->kind] : "";
}

/* Returns the time in calls; that of rows aside counts where they alone are chosen. */
static nsec
covered(const struct threads *t, const struct list_row *row, const struct fold_thread *sum)
{
	bool aside = is_thread(row) && trace_thread(trace_of(t), row->item)->aside;

	return aside && sum->part[CLOCK_WALL] == 0 ? 0 : sum->covered;
}

/* Returns the busy time of a thread, or of a process's threads together. */
static struct value
now_busy_of(const struct threads *t, const struct list_row *row)
{
	const struct rates *rates = t->display->figures.rates;
	nsec busy = 0;

	if (rates == NULL || rates->length <= 0)
		return VALUE_NONE;
	if (is_thread(row))
		busy = row->item < rates->threads ? rates->busy[row->item] : 0;
	else if (row->id.b == OF_PROCESS)
		for (uint32_t i = t->processes[row->item].first; i != THREAD_NONE; i = t->next[i])
			busy += i < rates->threads ? rates->busy[i] : 0;
	return value_if(busy > 0, value_percent(busy, rates->length));
}

static struct value
busy_of(const struct threads *t, const struct list_row *row)
{
	const struct figures *f = &t->display->figures;
	const struct thread_process *p;

	if (is_thread(row))
		return figures_busy(f, row->item);
	p = group_of(t, row);
	return p->known > 0 && trace_has_clock(f->trace, CLOCK_WALL)
	    ? value_percent(p->busy, p->known) : VALUE_NONE;
}

/* Returns how long a thread's state is not known; of a process, the least of its threads. */
static struct value
unknown_of(const struct threads *t, const struct list_row *row)
{
	const struct figures *f = &t->display->figures;

	if (is_thread(row))
		return figures_unknown(f, row->item);
	return group_of(t, row)->known > 0
	    ? value_time(f->fold->length - group_of(t, row)->known) : VALUE_NONE;
}

static struct value
get(const void *of, const struct list_row *row, int column)
{
	const struct threads *t = of;
	const struct figures *f = &t->display->figures;
	const struct fold_thread *sum = is_thread(row) ? sum_of_thread(t, row->item)
						       : &group_of(t, row)->sum;

	if (row->id.b == OF_REST && column != THREAD_NAME)
		return VALUE_NONE;
	switch (column) {
#define COLUMN(number, value, ...)                                                               \
	case number:                                                                             \
		return value;
#include "view/threads.def"
#undef COLUMN
	default:
		return VALUE_NONE;
	}
}

/* Ids of threads are longer than those of processes, which may be closed. */
static struct value
widest(const void *of, int column)
{
	const struct threads *t = of;
	uint32_t most = 0;

	for (uint32_t i = 0; column == THREAD_ID && i < trace_thread_count(trace_of(t)); i++)
		most = trace_thread(trace_of(t), i)->id > most ? trace_thread(trace_of(t), i)->id
							       : most;
	return column == THREAD_ID ? value_count(most)
	    : column == THREAD_NAME && t->grouped ? value_text(t->widest) : VALUE_NONE;
}

static struct value
file(const void *of, const struct list_row *row, int column)
{
	return column == THREAD_NAME && is_thread(row)
	    ? value_text(trace_thread(trace_of(of), row->item)->name) : get(of, row, column);
}

static bool
has(const void *of, int column)
{
	const struct threads *t = of;
	const struct trace *trace = t->display->figures.trace;

	if (column == THREAD_PASSED || column == THREAD_SPREAD || column == THREAD_PART)
		return is_filtered(t);
	if (column == THREAD_KIND || column == THREAD_PID)
		return trace->log != NULL;
	if (column == THREAD_UNKNOWN)
		return t->display->figures.fold != NULL && t->display->figures.fold->unknown;
	if (column == THREAD_BUSY || (column >= THREAD_WALL && column <= THREAD_WALL_LAST))
		return trace_has_clock(trace, CLOCK_WALL);
	return column < THREAD_CPU || column > THREAD_CPU_LAST || trace_has_clock(trace, CLOCK_CPU);
}

static int
compare_ids(const void *left, const void *right, const void *trace)
{
	const uint32_t *a = left, *b = right;
	uint32_t x = trace_thread(trace, *a)->id, y = trace_thread(trace, *b)->id;

	return x != y ? (x > y) - (x < y) : (*a > *b) - (*a < *b);
}

/* For files all that are in scope, by their ids. */
static void
all_add(struct threads *t, struct list *l)
{
	uint32_t count = trace_thread_count(trace_of(t));
	uint32_t *ids = mem_alloc(((size_t)count + 1) * sizeof(*ids));

	for (uint32_t i = 0; i < count; i++)
		ids[i] = i;
	msort_items(ids, count, sizeof(*ids), compare_ids, trace_of(t));
	for (uint32_t i = 0; i < count; i++)
		if (scope_has(*t->scope, ids[i]))
			list_add(l, thread_id(t, ids[i]), ids[i]);
	mem_free(ids);
}

/* Threads of the process from `first` on, the main thread before all. */
static void
threads_add(struct threads *t, struct list *l, uint32_t first, const struct thread_process *in,
    bool idle)
{
	for (int ahead = 1; ahead >= 0; ahead--) {
		for (uint32_t i = first; i != THREAD_NONE; i = t->next[i]) {
			if ((i == t->main_thread) == (ahead > 0) &&
			    (!has_rest(in) || is_lively(t, i) != idle))
				list_add(l, thread_id(t, i), i)->flags = ahead ? LIST_AHEAD : 0;
		}
	}
}

/* Adds the processes that did something or, if `idle`, the others; the one in front first. */
static void
processes_add(struct threads *t, struct list *l, bool idle)
{
	for (int ahead = 1; ahead >= 0; ahead--) {
		for (uint32_t i = 0; i < t->process_count; i++) {
			const struct thread_process *p = &t->processes[i];
			unsigned flags = ahead ? LIST_AHEAD : 0;

			if (p->threads == 0 || (i == t->front) != (ahead > 0) ||
			    (has_rest(&t->all) && is_lively_group(p) == idle))
				continue;
			if (is_group(t, i))
				list_add(l, process_id(t, i), i)->flags = flags | LIST_LEADS;
			else
				list_add(l, thread_id(t, p->first), p->first)->flags = flags;
		}
	}
}

static void
children(void *of, struct list *l, const struct list_row *row)
{
	struct threads *t = of;
	bool idle = row != NULL && row->id.b == OF_REST;
	const struct thread_process *in = row != NULL ? group_of(t, row) : &t->all;

	if (l->files) {
		all_add(t, l);
		return;
	}
	if (in != &t->all)
		threads_add(t, l, in->first, in, idle);
	else if (t->grouped)
		processes_add(t, l, idle);
	else
		for (uint32_t i = 0; i < t->process_count; i++)
			threads_add(t, l, t->processes[i].first, in, idle);
	if (!idle && has_rest(in))
		list_add(l, rest_id(t, row != NULL ? row->item : ALL), row != NULL ? row->item : 0)
		    ->flags = LIST_LEADS | LIST_LAST;
}

static bool
parent(const void *of, struct list_id id, struct list_id *up)
{
	const struct threads *t = of;
	const struct fold *fold = t->display->figures.fold;
	struct identities *ids = t->display->figures.identities;
	uint32_t item = id.b == OF_THREAD ? identity_to_thread(ids, id.a) : 0, process;
	bool lively = false;

	if (id.b == OF_REST) {
		*up = (struct list_id){id.a, OF_PROCESS};
		return id.a != 0;
	}
	/* Nothing is known of it yet: the trace was just loaded, or loaded again. */
	if (fold == NULL || item >= fold->thread_count)
		return false;
	process = id.b == OF_THREAD ? process_of(t, item) : identity_to_process(ids, id.a);
	if (process >= t->process_count)
		return false;
	if (id.b == OF_THREAD) {
		lively = is_lively(t, item);
		if (is_group(t, process)) {
			*up = !lively && has_rest(&t->processes[process]) ? rest_id(t, process)
									  : process_id(t, process);
			return true;
		}
	}
	if (t->grouped)
		lively = is_lively_group(&t->processes[process]);
	*up = rest_id(t, ALL);
	return !lively && has_rest(&t->all);
}

static bool
passes(void *of, const struct list_row *row)
{
	const struct threads *t = of;

	return !is_filtered(t) || passed(t, row) > 0;
}

/* Ids and names: "1203 RenderThread", "com.example 1203" of a process. */
static void
words(const void *of, const struct list_row *row, struct sbuf *out)
{
	const struct threads *t = of;
	uint32_t process = is_thread(row) ? process_of(t, row->item) : row->item;

	if (is_thread(row))
		sbuf_printf(out, "%" PRIu32 " ", id_of(t, row));
	sbuf_str(out, name_of(t, row));
	/* A process with one thread has no row of its own. */
	if (row->id.b != OF_REST && t->grouped && is_thread(row) != is_group(t, process)) {
		if (is_thread(row)) {
			sbuf_char(out, ' ');
			sbuf_str(out, t->processes[process].name);
		}
		sbuf_printf(out, " %" PRIu32, t->processes[process].pid);
	}
}

/* No call is cut: nothing to say. */
static const char *
text(const void *of, const struct list_row *row, int column, struct value v,
    char out[static FMT_SIZE])
{
	const struct threads *t = of;

	out[0] = '\0';
	if (column != THREAD_OPEN || v.a > 0 || t->list.files)
		value_format(&t->display->figures, v, FMT_SIZE, out);
	return out;
}

/* "+com.example", and below it, when it is open, its threads. */
static bool
draw(const void *of, struct canvas *c, struct rect r, const struct list_row *row, int column)
{
	const struct threads *t = of;
	struct names *names = t->display->figures.names;
	int at = r.column + (int)row->depth, end = r.column + r.columns;
	look style = (is_thread(row) ? ROLE_TEXT : row->id.b == OF_REST ? ROLE_DIM : LOOK_BOLD) |
	    (list_is_hit(&t->list, row) ? LOOK_HIT : 0);

	if (!t->grouped && !has_rest(&t->all))
		return false;
	if ((row->flags & LIST_LEADS) != 0)
		canvas_put(c, r.row, at, list_is_open(&t->list, row->id) ? '-' : '+', ROLE_TEXT);
	at++;
	canvas_text(c, r.row, at, end,
	    row->id.b == OF_PROCESS
		? names_fit_text(names, name_of(t, row), end - at, ELISION_AUTO).text
		: names_short(names, name_of(t, row), end - at),
	    style);
	return true;
}

/* True if the thread is one of those that the row is about. */
static bool
row_has(const struct threads *t, const struct list_row *row, uint32_t thread)
{
	uint32_t process = process_of(t, thread);
	bool lively = t->grouped ? is_lively_group(&t->processes[process]) : is_lively(t, thread);

	if (is_thread(row))
		return row->item == thread;
	if (row->id.a == 0)
		return !lively;
	return row->item == process && (row->id.b == OF_PROCESS || !is_lively(t, thread));
}

static void
draw_gutter(const void *of, struct canvas *c, struct rect r, const struct list_row *row)
{
	const struct threads *t = of;
	bool in = false, out = false;

	if (row == NULL) {
		canvas_text(c, r.row, r.column + 1, r.column + r.columns, STR("in"),
		    ROLE_HEADER | LOOK_BOLD);
		return;
	}
	for (uint32_t i = 0; i < trace_thread_count(trace_of(t)); i++) {
		if (!row_has(t, row, i))
			continue;
		in |= scope_has(*t->scope, i);
		out |= !scope_has(*t->scope, i);
	}
	canvas_format(c, r.row, r.column + 1, r.column + r.columns, ROLE_TEXT, "[%c]",
	    !in ? ' ' : out ? '-' : 'x');
}

static const char *
word_of(const void *of, const struct list_row *row)
{
	return is_thread(row) ? "thread" : row->id.b == OF_PROCESS ? "process" : "rest";
}

/* The main thread, though its process is above it. */
static bool
begin(const void *of, struct list_id *id)
{
	const struct threads *t = of;

	*id = thread_id(t, t->main_thread);
	return t->main_thread != THREAD_NONE;
}

const struct list_source threads_source = {
    .word = "threads",
    .empty = "no threads with records",
    .columns = columns,
    .sort = THREAD_CPU,
    .file_sort = THREAD_SHARE,
    .gutter = 4, /* "[x] " */
    .name_least = 16,
    .opens = true,
    .get = get,
    .children = children,
    .parent = parent,
    .begin = begin,
    .has = has,
    .passes = passes,
    .words = words,
    .widest = widest,
    .text = text,
    .file = file,
    .draw = draw,
    .draw_gutter = draw_gutter,
    .word_of = word_of,
};

static void
update(struct threads *t)
{
	processes_sum(t);
	front_open(t);
	list_update(&t->list);
}

void
threads_init(struct threads *t, struct display *display, struct scope *const *scope)
{
	*t = (struct threads){.display = display, .scope = scope, .front = ALL};
	list_init(&t->list, &threads_source, t, &display->figures);
	/* Rows of a log that wait, as those of frames, are long and do nothing. */
	if (!has(t, THREAD_CPU))
		t->list.sort = trace_of(t)->log != NULL ? THREAD_BUSY : THREAD_WALL;
	update(t);
}

void
threads_release(struct threads *t)
{
	list_release(&t->list);
	mem_free(t->passed);
	mem_free(t->processes);
	mem_free(t->next);
	arena_release(&t->texts);
}

void
threads_follow(struct threads *t)
{
	if ((display_changed(t->display, &t->seen) & ~(unsigned)CHANGED_SEARCH) == 0)
		return;
	passed_sum(t);
	update(t);
}

void
threads_set_paths(struct threads *t, const struct paths *paths)
{
	t->paths = paths;
	passed_sum(t);
	list_update(&t->list);
}

uint32_t
threads_cursor(const struct threads *t)
{
	const struct list_row *row = list_row(&t->list);

	return row != NULL && is_thread(row) ? row->item : THREAD_NONE;
}

uint32_t
threads_row_process(const struct threads *t, const struct list_row *row)
{
	return is_thread(row) ? process_of(t, row->item) : row->id.a != 0 ? row->item : 0;
}

bool
threads_go(struct threads *t, uint32_t thread)
{
	return list_go(&t->list, thread_id(t, thread), scroll_line(&t->list.at));
}

struct scope *
threads_of_row(const struct threads *t, const struct list_row *row, bool toggle)
{
	struct scope *scope = scope_new(trace_thread_count(trace_of(t)), false);
	bool all = true;

	for (uint32_t i = 0; i < scope->count; i++)
		all &= !row_has(t, row, i) || scope_has(*t->scope, i);
	for (uint32_t i = 0; i < scope->count; i++)
		scope->in[i] = row_has(t, row, i) ? !toggle || !all
						  : toggle && scope_has(*t->scope, i);
	return scope;
}
