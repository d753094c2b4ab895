// SPDX-License-Identifier: Apache-2.0
/*
 * joined: the frames of a log: SurfaceFlinger's timeline joined with the calls of the processes.
 *
 * A frame of the timeline is of all layers of a process with one token; the doFrames and
 * DrawFrames of the process with that token belong to it.  A doFrame without such a frame is one
 * itself, with the DrawFrames of its token; without any, with what its process draws until the
 * next one (Perfetto's stdlib, android_frames).  A DrawFrame alone is no frame.
 */
#include <config.h>

#include "profile/timeline/jank.h"

#include "base/map.h"
#include "base/mem.h"
#include "profile/timeline/vsync.h"
#include "trace/log.h"

/* A queueBuffer that is so many budgets later is not of the frame. */
enum { QUEUE_LATEST = 3 };

/* A frame of the log's list, by what it is of. */
struct told {
	int64_t token;
	uint64_t index;
	uint32_t process;
	bool display;
};

struct join {
	const struct profile *profile;
	const struct jank_query *query;
	const struct log *log;
	struct vsync vsync;
	bool *processes; /* by index + 1: they are in the scope; NULL: all */
	struct jank_frame *rows;
	uint32_t count;
	size_t room;
	uint32_t told; /* rows of surfaces, the first ones, by process and token */
};

static int
told_order(const void *left, const void *right)
{
	const struct told *a = left, *b = right;

	return order_then(a->display - b->display, order_then(ORDER(a->process, b->process),
	    order_then(ORDER(a->token, b->token), ORDER(a->index, b->index))));
}

/* Calls of a process in order of time, frames before what draws them. */
static int
call_order(const void *left, const void *right)
{
	const struct jank_frame *a = left, *b = right;

	return order_then(ORDER(a->process, b->process), order_then(ORDER(a->start, b->start),
	    order_then((int)a->source - (int)b->source, ORDER(a->thread, b->thread))));
}

/* Rows by what calls find them by. */
static int
token_order(const void *left, const void *right)
{
	const struct jank_frame *a = left, *b = right;

	return order_then(ORDER(a->process, b->process),
	    order_then(ORDER(a->token, b->token), ORDER(a->start, b->start)));
}

/* The slow ones first, then the longest. */
static int
keep_order(const void *left, const void *right)
{
	const struct jank_frame *a = left, *b = right;

	return order_then(b->slow - a->slow, ORDER(b->time[CLOCK_WALL], a->time[CLOCK_WALL]));
}

static int
row_order(const void *left, const void *right)
{
	const struct jank_frame *a = left, *b = right;

	return order_then(ORDER(a->start, b->start), order_then(ORDER(a->pid, b->pid),
	    order_then(ORDER(a->token, b->token), ORDER(a->thread, b->thread))));
}

static uint32_t
process_of_thread(const struct join *j, uint32_t thread)
{
	return trace_thread(j->profile->trace, thread)->process;
}

static bool
is_chosen(const struct join *j, const struct jank_frame *row)
{
	const struct range *range = &j->query->range;

	if (row->start < range->from || row->start > range->to)
		return false;
	if (j->query->scope == NULL)
		return true;
	return row->process > 0 ? j->processes[row->process] : scope_has(j->query->scope, row->thread);
}

/* The budget of a frame that is told none. */
static nsec
budget_at(const struct join *j, nsec at)
{
	nsec period = vsync_period(&j->vsync, at);

	if (j->query->budget > 0 && j->query->budget < JANK_NO_BUDGET)
		return j->query->budget;
	return period > 0 ? period : JANK_BUDGET;
}

/* Sets when a frame was to end: a budget after its vsync. */
static void
deadline_set(const struct join *j, struct jank_frame *row, nsec expected, nsec budget)
{
	row->expected = expected;
	row->deadline = j->query->budget < JANK_NO_BUDGET && budget < INT64_MAX - expected
	    ? expected + budget : -1;
}

static void
row_add(struct join *j, const struct jank_frame *row)
{
	const struct log_process *process;
	struct jank_frame *added = MEM_ADD(j->rows, j->count, j->room);

	*added = *row;
	added->shown = -1;
	if (row->process > 0) {
		process = seg_at(&j->log->processes, row->process - 1);
		added->pid = process->pid;
	}
}

/* The place of the first row, of those in order from `low` to `high`, that is not before these. */
static uint32_t
row_from(const struct join *j, uint32_t low, uint32_t high, const struct jank_frame *key)
{
	return low +
	    (uint32_t)mem_before(j->rows + low, high - low, sizeof(*key), key, token_order);
}

/* The first row, of these, of the call's process and token, at `start` or later; NULL: none. */
static struct jank_frame *
row_find(const struct join *j, uint32_t low, uint32_t high, const struct jank_frame *call, nsec start)
{
	const struct jank_frame key = {.process = call->process, .token = call->token, .start = start};
	uint32_t at = row_from(j, low, high, &key);

	return at < high && j->rows[at].process == key.process && j->rows[at].token == key.token
	    ? &j->rows[at] : NULL;
}

/* SurfaceFlinger's ------------------------------------------------------------------ */

/* Adds the row of one token: of what came of its layers, and what was expected. */
static void
told_add(struct join *j, const struct told *told, size_t count)
{
	struct jank_frame row = {.source = told->display ? JANK_DISPLAY : JANK_TIMELINE,
	    .method = METHOD_NONE, .heaviest = METHOD_NONE, .process = told->process,
	    .token = told->token, .deadline = -1, .ui = -1, .render = -1, .drew = 1};
	bool expected = false;
	nsec end = 0;

	for (size_t i = 0; i < count; i++) {
		const struct log_frame *f = spool_peek(&j->log->frames, told[i].index);

		if (f->expected) {
			if (!expected && f->to != LOG_OPEN)
				row.deadline = f->to;
			if (!expected)
				row.expected = f->from;
			expected = true;
			continue;
		}
		if (row.layers++ == 0 || f->from < row.start)
			row.start = f->from;
		if (row.layers == 1)
			row.thread = f->thread;
		row.open |= f->to == LOG_OPEN;
		row.display = row.display != 0 ? row.display : f->shown_by;
		end = f->to > end ? f->to : end;
		row.janks |= f->janks;
	}
	if (row.layers == 0)
		return;
	if (row.janks != LOG_JANK_NONE)
		row.janks &= ~(uint32_t)LOG_JANK_NONE;
	row.slow = log_janks_slow(row.janks);
	if (expected && j->query->budget > 0)
		deadline_set(j, &row, row.expected, j->query->budget);
	if (!row.open)
		row.time[CLOCK_WALL] = end - row.start;
	row_add(j, &row);
}

static void
told_join(struct join *j)
{
	uint64_t count = j->log->frames.count, from = 0;
	struct told *all = mem_alloc((size_t)(count + 1) * sizeof(*all));

	for (uint64_t i = 0; i < count; i++) {
		const struct log_frame *f = spool_peek(&j->log->frames, i);

		all[i] = (struct told){f->token, i, f->process, f->display};
	}
	mem_sort(all, (size_t)count, sizeof(*all), told_order);
	for (uint64_t i = 1; i <= count; i++) {
		if (i < count && all[i].display == all[from].display &&
		    all[i].process == all[from].process && all[i].token == all[from].token)
			continue;
		told_add(j, &all[from], (size_t)(i - from));
		if (!all[from].display)
			j->told = j->count;
		from = i;
	}
	mem_free(all);
	/* Rows of the display are in order, too. */
	for (uint32_t i = 0; i < j->told && j->told < j->count; i++) {
		struct jank_frame key = {.process = j->rows[j->told].process,
		    .token = j->rows[i].display}, *shown = row_find(j, j->told, j->count, &key, INT64_MIN);

		if (key.token > 0 && shown != NULL && !shown->open)
			j->rows[i].shown = shown->start + shown->time[CLOCK_WALL];
	}
}

/* Calls ------------------------------------------------------------------------------ */

/* The number that the name ends its first word with: "DrawFrames 12"; 0: none, or not positive. */
static int64_t
token_of(const struct trace *t, uint32_t method)
{
	struct str name = trace_method(t, method)->name;
	int64_t token = 0;

	(void)str_cut(&name, ' ');
	for (size_t i = 0; i < name.n && i < 18 && name.p[i] >= '0' && name.p[i] <= '9'; i++)
		token = token * 10 + (name.p[i] - '0');
	return token;
}

/* The row that a doFrame is; NULL: it belongs to another, or is not chosen. */
static struct jank_frame *
row_of(const struct join *j, uint32_t own, const struct jank_frame *call)
{
	struct jank_frame *row = row_find(j, own, j->count, call, call->start);

	while (row != NULL && row->thread != call->thread)
		row = row + 1 < j->rows + j->count && row[1].start == call->start &&
		    row[1].process == call->process && row[1].token == call->token ? row + 1 : NULL;
	return row != NULL && row->start == call->start ? row : NULL;
}

/* Adds a call to a row, which is of its thread if none was before. */
static void
call_join(struct jank_frame *row, const struct jank_frame *call, bool to_end)
{
	nsec *sum = call->source == JANK_DRAW ? &row->render : &row->ui;
	struct range *span = call->source >= JANK_DRAW ? &row->drawn : &row->called;
	nsec end = call->start + call->time[CLOCK_WALL];

	if (call->source >= JANK_DRAW && (span->to == 0 || call->start < span->from)) {
		row->drawn_first = end;
		row->drawer = call->thread;
	}
	if (span->to == 0 || call->start < span->from)
		span->from = call->start;
	span->to = end > span->to ? end : span->to;
	row->queued |= call->source == JANK_QUEUE;
	if (call->source != JANK_QUEUE) {
		*sum = (*sum < 0 ? 0 : *sum) + call->time[CLOCK_WALL];
		for (int s = 0; s < JANK_STATES; s++)
			row->state[s] += call->state[s];
	}
	if (row->method == METHOD_NONE) {
		row->thread = call->thread;
		row->method = call->method;
		row->heaviest = call->heaviest;
		row->heaviest_time = call->heaviest_time;
		row->time[CLOCK_CPU] = call->time[CLOCK_CPU];
	}
	if (to_end && end > row->start + row->time[CLOCK_WALL])
		row->time[CLOCK_WALL] = end - row->start;
	if (to_end)
		row->cut |= call->cut;
}

/* A doFrame or ReceiveVsync as a row of its own. */
static void
own_add(struct join *j, const struct jank_frame *call)
{
	struct jank_frame row = *call;
	nsec budget = budget_at(j, row.start);
	const bool told = call->source == JANK_HITRACE && hitrace_read(j->profile->trace, &row);

	if (!told || j->query->budget > 0)
		deadline_set(j, &row, told ? row.expected : vsync_before(&j->vsync, row.start, budget),
		    budget);
	row.ui = call->time[CLOCK_WALL];
	row.called = (struct range){row.start, row.start + row.ui};
	row.render = -1;
	row.drew = call->source == JANK_CHOREOGRAPHER ? 0 : -1;
	row_add(j, &row);
}

static int
length_order(const void *left, const void *right)
{
	const struct jank_frame *a = left, *b = right;

	return order_then(ORDER(b->time[CLOCK_WALL], a->time[CLOCK_WALL]),
	    ORDER(a->start, b->start));
}

/* Joins doFrames, the longest first, and DrawFrames by their tokens; these then have a layer. */
static void
tokens_join(struct join *j, struct jank *calls)
{
	uint32_t own = j->count;
	struct jank_frame *row;

	mem_sort(calls->frames, calls->count, sizeof(*calls->frames), length_order);
	for (uint32_t i = 0; i < calls->count; i++) {
		struct jank_frame *call = &calls->frames[i];

		call->process = process_of_thread(j, call->thread);
		if (call->source == JANK_CHOREOGRAPHER || call->source == JANK_DRAW)
			call->token = token_of(j->profile->trace, call->method);
		if (call->source >= JANK_SOURCES)
			continue;
		row = call->token > 0 ? row_find(j, 0, j->told, call, INT64_MIN) : NULL;
		if (row != NULL)
			call_join(row, call, false);
		else
			own_add(j, call);
	}
	mem_sort(j->rows + own, j->count - own, sizeof(*j->rows), token_order);
	for (uint32_t i = 0; i < calls->count; i++) {
		struct jank_frame *call = &calls->frames[i];

		if (call->source != JANK_DRAW || call->token == 0)
			continue;
		row = row_find(j, 0, j->told, call, INT64_MIN);
		if (row == NULL)
			row = row_find(j, own, j->count, call, INT64_MIN);
		if (row == NULL || row->source == JANK_HITRACE)
			continue;
		call_join(row, call, row->source == JANK_CHOREOGRAPHER);
		row->drew = 1;
		call->layers = 1;
	}
}

/* The thread whose frames are drawn by others: the main thread, else the one with most doFrames. */
static uint32_t
ui_thread(const struct join *j, const struct jank_frame *calls, uint32_t count)
{
	const struct trace *t = j->profile->trace;
	uint32_t most = THREAD_NONE, most_count = 0;
	struct idmap counts = {0};

	for (uint32_t i = 0; i < count; i++) {
		const struct log_process *process;
		uint32_t known, thread = calls[i].thread;

		if (calls[i].source != JANK_CHOREOGRAPHER)
			continue;
		process = calls[i].process > 0 ? seg_at(&j->log->processes, calls[i].process - 1) : NULL;
		if (process != NULL && trace_thread(t, thread)->id == process->pid) {
			most = thread;
			break;
		}
		known = idmap_add(&counts, thread, 0) + 1;
		idmap_put(&counts, thread, known);
		if (known > most_count) {
			most = thread;
			most_count = known;
		}
	}
	idmap_release(&counts);
	return most;
}

/* Joins what draws, of one kind, with the frame of the UI thread that began last before it. */
static void
times_join(struct join *j, struct jank_frame *calls, uint32_t count, uint32_t ui,
    enum jank_source source, uint32_t own)
{
	struct jank_frame *frame = NULL;
	bool taken = false;

	for (uint32_t i = 0; i < count; i++) {
		struct jank_frame *call = &calls[i];

		if (call->source == JANK_CHOREOGRAPHER && call->thread == ui) {
			frame = row_of(j, own, call);
			taken = frame != NULL && frame->drew == 1;
		}
		if (call->source != source || frame == NULL || call->layers != 0)
			continue;
		if (source == JANK_DRAW ? frame->token > 0 : taken ||
			(call->start - frame->start - 1) / QUEUE_LATEST >= budget_at(j, frame->start))
			continue;
		taken = true;
		call_join(frame, call, true);
		frame->drew = 1;
	}
}

/* Joins by time what no token joined. */
static void
rest_join(struct join *j, struct jank *calls, uint32_t own)
{
	struct jank_frame key = {.token = INT64_MIN};
	uint32_t from = 0;

	mem_sort(calls->frames, calls->count, sizeof(*calls->frames), call_order);
	for (uint32_t i = 1; i <= calls->count; i++) {
		const struct jank_frame *first = &calls->frames[from];
		uint32_t ui, count = i - from;
		bool drawn = false;

		if (i < calls->count && calls->frames[i].process == first->process)
			continue;
		ui = ui_thread(j, first, count);
		times_join(j, &calls->frames[from], count, ui, JANK_DRAW, own);
		times_join(j, &calls->frames[from], count, ui, JANK_QUEUE, own);
		for (uint32_t k = from; k < i && !drawn; k++)
			drawn = calls->frames[k].source == JANK_DRAW ||
			    calls->frames[k].source == JANK_QUEUE;
		key.process = first->process;
		for (uint32_t k = row_from(j, own, j->count, &key);
		     k < j->count && j->rows[k].process == key.process && !drawn; k++)
			j->rows[k].drew = -1;
		from = i;
	}
}

/* The longest part of a row of calls. */
static enum jank_cause
cause_of(const struct jank_frame *row)
{
	nsec end = row->start + row->time[CLOCK_WALL];
	nsec drawn = row->drawn.from > row->called.to ? row->drawn.from : row->called.to;
	nsec parts[JANK_CAUSES] = {
	    [JANK_VSYNC_DELAY] = row->source == JANK_CHOREOGRAPHER ? row->start - row->expected : 0,
	    [JANK_UI] = row->ui,
	    [JANK_SERVICE] = row->shown >= 0 ? row->drawn.to - row->drawn.from : 0,
	};
	enum jank_cause longest = JANK_UI;

	if (row->drawn.to > 0 && row->source == JANK_CHOREOGRAPHER)
		parts[row->queued ? JANK_DRAWING : JANK_RENDER] = end - drawn;
	for (int c = JANK_VSYNC_DELAY; c < JANK_CAUSES; c++) {
		if (parts[c] > parts[longest] || (parts[c] == parts[longest] && c < (int)longest))
			longest = (enum jank_cause)c;
	}
	return longest;
}

void
jank_join(struct jank *calls, const struct profile *p, const struct jank_query *q)
{
	struct join j = {.profile = p, .query = q, .log = p->trace->log};
	uint32_t own, chosen = 0;
	struct jank rows;
	nsec over;

	vsync_find(&j.vsync, j.log);
	if (!calls->set && j.vsync.period > 0) {
		calls->budget = j.vsync.period;
		calls->counter = j.vsync.counter;
	}
	/* There is an array, with or without rows in it. */
	MEM_GROW(j.rows, j.room, 1u);
	told_join(&j);
	own = j.count;
	tokens_join(&j, calls);
	rest_join(&j, calls, own);
	rows = (struct jank){.frames = j.rows + own, .count = j.count - own};
	hitrace_join(&rows, p->trace, calls, q->budget > 0);
	j.count = own + rows.count;
	for (uint32_t i = own; i < j.count; i++) {
		struct jank_frame *row = &j.rows[i];

		row->slow = jank_over(row, CLOCK_WALL, &over) && over > 0;
		row->cause = row->slow ? cause_of(row) : JANK_UNTOLD;
	}
	vsync_release(&j.vsync);
	j.processes = mem_zero((size_t)seg_count(&j.log->processes) + 1, sizeof(*j.processes));
	/* Processes of which a thread is in the scope. */
	for (uint32_t t = 0; t < trace_thread_count(p->trace); t++)
		if (scope_has(q->scope, t))
			j.processes[process_of_thread(&j, t)] = true;
	for (uint32_t i = 0; i < j.count; i++) {
		if (is_chosen(&j, &j.rows[i]))
			j.rows[chosen++] = j.rows[i];
	}
	j.count = chosen;
	mem_free(j.processes);
	mem_free(calls->frames);
	calls->frames = j.rows;
	calls->count = j.count;
	calls->total = j.count;
	if (calls->count > JANK_KEEP) {
		mem_sort(calls->frames, calls->count, sizeof(*calls->frames), keep_order);
		calls->count = JANK_KEEP;
	}
	mem_sort(calls->frames, calls->count, sizeof(*calls->frames), row_order);
}
