// SPDX-License-Identifier: Apache-2.0
/* threads: which thread and process wrote a line, and what the scheduler did with them. */
#include <config.h>

#include "base/mem.h"
#include "format/log/reader.h"

enum { TIDS_WINDOW = 1 << 22 }; /* the kernel's largest, PID_MAX_LIMIT */

uint32_t
process_of(struct reader *r, uint32_t pid)
{
	uint32_t index = idmap_get(&r->pids, pid);
	const struct procdump_row *dumped;
	struct log_process *p;

	if (index != IDMAP_NONE)
		return index + 1;
	if (pid == LOGLINE_NOBODY)
		return 0;
	p = seg_reserve(&r->log->processes);
	if (p == NULL)
		return 0;
	dumped = procdump_find(&r->dump, pid, true);
	*p = (struct log_process){.pid = pid};
	if (dumped != NULL)
		p->name = dumped->name;
	index = seg_commit(&r->log->processes);
	idmap_put(&r->pids, pid, index);
	return index + 1;
}

uint32_t
row_add(struct reader *r, const struct thread *thread)
{
	uint32_t index = trace_thread_append(r->trace, thread);

	if (index == THREAD_NONE)
		return THREAD_NONE;
	MEM_GROW(r->rows, r->row_room, (size_t)index + 1);
	r->rows[index] = (struct thread_row){.thread = *thread};
	r->row_count = (size_t)index + 1;
	return index;
}

/* Takes what a list of processes says of a newly met thread. */
static void
row_dumped(struct reader *r, struct thread_row *row, struct thread *thread)
{
	const struct procdump_row *dumped = procdump_find(&r->dump, thread->id, false);

	if (dumped == NULL)
		dumped = procdump_find(&r->dump, thread->id, true);
	if (dumped == NULL)
		return;
	thread->name = dumped->name;
	thread->process = process_of(r, dumped->tgid);
	row->process_from = KNOWN_DUMP;
	row->named_itself = dumped->sure;
}

uint32_t
row_of_tid(struct reader *r, uint32_t tid)
{
	struct thread thread = {.id = tid, .listed = true};
	struct thread_row known = {.process_from = KNOWN_NOT};
	uint32_t row, deaths;
	uint64_t key;

	if (r->tids.window == NULL && r->tids.slot_used == 0 && reader_is_long(r))
		idmap_window(&r->tids, 0, TIDS_WINDOW);
	row = idmap_get(&r->tids, tid);
	if (__builtin_expect(row != IDMAP_NONE, 1))
		return row;
	deaths = idmap_get(&r->deaths, tid);
	key = (uint64_t)(deaths == IDMAP_NONE ? 0 : deaths) << 32 | tid;
	row = idmap_get(&r->rows_of, key);
	if (row == IDMAP_NONE) {
		row_dumped(r, &known, &thread);
		row = row_add(r, &thread);
		if (row == THREAD_NONE)
			return 0;
		r->rows[row].process_from = known.process_from;
		r->rows[row].named_itself = known.named_itself;
		idmap_put(&r->rows_of, key, row);
	}
	idmap_put(&r->tids, tid, row);
	return row;
}

uint32_t
row_of_core(struct reader *r, uint32_t cpu)
{
	struct thread thread = {.kind = THREAD_CORE, .listed = true};
	uint32_t row = idmap_get(&r->core_rows, cpu);

	if (row != IDMAP_NONE)
		return row;
	thread.name = trace_print(r->trace, "<idle> cpu %u", cpu);
	row = row_add(r, &thread);
	if (row == THREAD_NONE)
		return 0;
	idmap_put(&r->core_rows, cpu, row);
	return row;
}

void
row_name(struct reader *r, uint32_t index, struct str comm)
{
	struct thread_row *row = &r->rows[index];

	if (str_equal(row->thread.name, comm) || comm.n == 0 || row->named_itself ||
	    str_equal(comm, STR("<...>")))
		return;
	row->thread.name = reader_hold(r, comm);
	trace_thread_update(r->trace, index, &row->thread);
}

void
row_aside(struct reader *r, uint32_t index, bool display)
{
	struct thread *thread = &r->rows[index].thread;

	if (thread->aside)
		return;
	thread->aside = true;
	thread->display = display;
	trace_thread_update(r->trace, index, thread);
}

void
row_process(struct reader *r, uint32_t index, uint32_t pid, enum known_from from)
{
	struct thread_row *row = &r->rows[index];
	uint32_t process;

	if (from <= row->process_from || row->thread.kind != THREAD_TASK)
		return;
	row->process_from = from;
	process = process_of(r, pid);
	if (process == row->thread.process)
		return;
	row->thread.process = process;
	trace_thread_update(r->trace, index, &row->thread);
}

void
row_ran(struct reader *r, uint32_t row, nsec ran)
{
	if (ran >= 0 && (uint64_t)ran <= SPAN_MOST)
		r->rows[row].ran = ran;
}

void
rows_unsettle(struct reader *r, uint32_t processes)
{
	for (uint32_t i = processes; i < r->log->processes.count; i++)
		idmap_put(&r->pids, ((struct log_process *)seg_at(&r->log->processes, i))->pid, IDMAP_NONE);
	seg_cut(&r->log->processes, processes);
	for (uint32_t i = 0; i < r->row_count; i++)
		if (r->rows[i].thread.process > processes)
			r->rows[i].thread.process = 0;
}

/* A thread of an unknown process becomes a process of its own. */
void
rows_settle(struct reader *r)
{
	for (uint32_t i = 0; i < r->row_count; i++) {
		struct thread_row *row = &r->rows[i];

		if (row->thread.kind != THREAD_TASK || row->thread.process != 0)
			continue;
		row->thread.process = process_of(r, row->thread.id);
		/* Where reading went on it mostly is what it was. */
		if (trace_thread(r->trace, i)->process != row->thread.process)
			trace_thread_update(r->trace, i, &row->thread);
	}
}

/* The thread is over; the next one of its id is another. */
static void
row_ended(struct reader *r, uint32_t index)
{
	uint32_t tid = r->rows[index].thread.id;
	uint32_t deaths = idmap_get(&r->deaths, tid);

	if (idmap_get(&r->tids, tid) != index)
		return;
	idmap_put(&r->deaths, tid, deaths == IDMAP_NONE ? 1 : deaths + 1);
	idmap_put(&r->tids, tid, IDMAP_NONE);
}

void
rows_again(struct reader *r)
{
	idmap_release(&r->tids);
	idmap_release(&r->deaths);
	idmap_release(&r->met);
	idmap_release(&r->memories);
	for (size_t i = 0; i < r->row_count; i++) {
		struct thread_row *row = &r->rows[i];

		row->exiting = row->freed = row->started = row->too_deep = false;
		row->depth = row->deep = 0;
		if (row->link_room > 0)
			memset(row->links, 0, row->link_room * sizeof(*row->links));
		row->last = row->cpu = row->ran = 0;
	}
}

void
rows_release(struct reader *r)
{
	idmap_release(&r->tids);
	idmap_release(&r->rows_of);
	idmap_release(&r->deaths);
	idmap_release(&r->met);
	idmap_release(&r->memories);
	idmap_release(&r->pids);
	idmap_release(&r->core_rows);
	for (size_t i = 0; i < r->row_count; i++) {
		mem_free(r->rows[i].stack);
		mem_free(r->rows[i].links);
	}
	mem_free(r->rows);
}

/* The scheduler's events ------------------------------------------------------------ */

/* A thread that an event names by id and comm. */
static uint32_t
thread_of(struct reader *r, uint32_t tid, struct str comm)
{
	uint32_t row;

	if (tid == 0)
		return SCHED_NONE;
	row = row_of_tid(r, tid);
	row_name(r, row, comm);
	return row;
}

static void
switch_take(struct reader *r, const struct schedline *s, uint32_t cpu, nsec at)
{
	struct sched_switch e = {.at = at, .cpu = cpu, .state = s->state,
	    .next_priority = s->priority};

	r->late_sched |= !r->log->has_sched;
	e.prev = thread_of(r, s->tid, s->comm);
	e.next = thread_of(r, s->next, s->next_comm);
	if (!sched_switch(&r->log->sched, &e))
		damage_add(r->damage, DAMAGE_CONTRADICTING_SWITCH, 1, r->line_at);
	if (e.prev != SCHED_NONE && r->rows[e.prev].exiting &&
	    task_states[e.state].class == TASK_CLASS_DEAD)
		row_ended(r, e.prev);
}

static void
blocked_take(struct reader *r, const struct schedline *s)
{
	uint32_t index = 0;

	if (s->caller.p != NULL) {
		index = intern_add(&r->callers, s->caller, 0);
		if (index == r->log->texts.count &&
		    !seg_add(&r->log->texts, &r->callers.items[index].text))
			return;
		index++;
	}
	sched_blocked(&r->log->sched, row_of_tid(r, s->tid), s->io, index);
}

static void
step_add(struct reader *r, const struct schedline *s, nsec at, bool idle)
{
	struct log_step *step;

	if (s->cpu >= LOGLINE_CPUS)
		return;
	step = spool_add(&r->log->steps, &r->source.failed);
	if (step != NULL)
		*step = (struct log_step){at, s->cpu, s->value, idle};
	(idle ? r->log->idle_told : r->log->frequency_told)[s->cpu] = true;
}

static void
name_take(struct reader *r, const struct schedline *s, bool new_task)
{
	uint32_t known = idmap_get(&r->tids, s->tid);

	/* An id is free for a new thread once the one before is over, even if nothing tells. */
	if (new_task && known != IDMAP_NONE)
		row_ended(r, known);
	row_name(r, row_of_tid(r, s->tid), s->comm);
}

/* Marks the thread as exiting; ignores a tid that was freed after its end or never seen. */
static void
exit_take(struct reader *r, const struct schedline *s)
{
	uint32_t row = idmap_get(&r->tids, s->tid);

	if (row == IDMAP_NONE)
		return;
	row_name(r, row, s->comm);
	r->rows[row].exiting = true;
}

/* Marks the thread as freed; it has ended, or its end was not seen. */
static void
free_take(struct reader *r, const struct schedline *s)
{
	uint32_t row = idmap_get(&r->tids, s->tid), deaths = idmap_get(&r->deaths, s->tid);

	exit_take(r, s);
	if (row == IDMAP_NONE && deaths != IDMAP_NONE)
		row = idmap_get(&r->rows_of, (uint64_t)(deaths - 1) << 32 | s->tid);
	if (row != IDMAP_NONE)
		r->rows[row].freed = true;
}

/*
 * The thread that the line names was only interrupted when its flags say so (the third:
 * h, H, s, Z, z).
 */
static uint32_t
waker_of(const struct logline *line, uint32_t row)
{
	bool interrupt = line->flags.n >= 3 && line->flags.p[2] != '.';

	if (line->tid == LOGLINE_NOBODY && !interrupt)
		return SCHED_NONE;
	return row == SCHED_NONE || interrupt ? SCHED_INTERRUPT : row;
}

void
sched_take(struct reader *r, enum sched_event event, const struct schedline *s,
    const struct logline *line, nsec at, uint32_t row)
{
	uint32_t thread;

	switch (event) {
	case EVENT_SWITCH:
		switch_take(r, s, line->cpu, at);
		break;
	case EVENT_WAKEUP:
	case EVENT_WAKING:
		thread = thread_of(r, s->tid, s->comm);
		if (thread != SCHED_NONE)
			(event == EVENT_WAKEUP ? sched_wakeup : sched_waking)(
			    &r->log->sched, at, thread, waker_of(line, row));
		break;
	case EVENT_EXIT:
		exit_take(r, s);
		break;
	case EVENT_FREE:
		free_take(r, s);
		break;
	case EVENT_BLOCKED:
		blocked_take(r, s);
		break;
	case EVENT_FREQUENCY:
	case EVENT_IDLE:
		step_add(r, s, at, event == EVENT_IDLE);
		break;
	case EVENT_RENAME:
	case EVENT_NEWTASK:
		name_take(r, s, event == EVENT_NEWTASK);
		break;
	case EVENT_NONE:
		break;
	}
}
