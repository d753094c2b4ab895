// SPDX-License-Identifier: Apache-2.0
/* Threads on cores, by chance (loggen.h). */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "loggen.h"

enum { TID_FIRST = 1000, COMMS = 10, NEXT_TRIES = 8 };

/* Text before and after a number. */
static const struct {
	const char *begin, *end;
} comms[COMMS] = {
    {"RenderThread", ""}, {"Binder:", "_1"}, {"kworker/u16:", ""}, {"Jit pool ", " x"},
    {"irq/", "-fe33"}, {"AsyncTask #", ""}, {"<-transport", ""}, {"[GT]Handler-", ""},
    {"app main ", ""}, {"a=b pid=", ""}};

static unsigned
chance(struct log_model *m, unsigned n)
{
	return rng_below(&m->rng, n);
}

static void
thread_make(struct log_model *m, unsigned i)
{
	struct log_thread *t = &m->threads[i];
	unsigned c = chance(m, COMMS), p = m->params->processes;
	unsigned each = p == 0 ? 4 : (m->params->threads + p - 1) / p;

	*t = (struct log_thread){.tid = m->next_tid++, .state = "RSDI"[chance(m, 4)]};
	t->pid = i % each == 0 ? t->tid : m->threads[i - i % each].pid;
	t->marks = m->params->marks;
	snprintf(t->comm, sizeof t->comm, "%.12s%u%.2s", comms[c].begin, t->tid % 10, comms[c].end);
	log_file_thread(m->file, t->pid, t->tid, t->comm);
}

/* A thread that waits for a core; 0: none was found. */
static unsigned
next_find(struct log_model *m)
{
	for (int i = 0; i < NEXT_TRIES; i++) {
		unsigned t = chance(m, m->params->threads);

		if (m->threads[t].state == 'R')
			return t + 1;
	}
	return 0;
}

static void
idle_step(struct log_model *m, unsigned core, bool idle)
{
	if (chance(m, 2))
		log_line(m, core, "cpu_idle", "state=%u cpu_id=%u", idle ? chance(m, 4) : 4294967295u,
		    core);
}

static void
change(struct log_model *m, unsigned core)
{
	static const char *const states[] = {"S", "S", "S", "R", "R+", "D", "DK", "I", "D|K"};
	unsigned prev = m->core[core], next = next_find(m);
	const char *state = prev ? states[chance(m, 9)] : "R";

	if (next == prev)
		return;
	if (!prev)
		idle_step(m, core, false);
	log_switch(m, core, next, state);
	if (prev)
		m->threads[prev - 1].state = state[0] == 'R' ? 'R' : state[0];
	if (next)
		m->threads[next - 1].state = 'r';
	m->core[core] = next;
	if (!next)
		idle_step(m, core, true);
}

static void
wake(struct log_model *m, unsigned core)
{
	unsigned t = chance(m, m->params->threads);
	struct log_thread *thread = &m->threads[t];

	if (thread->state == 'r' || thread->state == 'R')
		return;
	if (thread->state != 'S' && chance(m, 4))
		log_line(m, core, "sched_blocked_reason", "pid=%u iowait=%u caller=wait_%u+0x1c/0x80",
		    thread->tid, thread->state == 'D' ? chance(m, 2) : 0, chance(m, 9));
	if (m->params->waking)
		log_wake(m, core, "sched_waking", t + 1);
	if (m->params->waking && chance(m, 20) == 0)
		return; /* the log has no more of it */
	log_wake(m, core, "sched_wakeup", t + 1);
	thread->state = 'R';
}

/* The thread on the core ends; another of its id may come soon. */
static void
thread_exit(struct log_model *m, unsigned core)
{
	struct log_thread *t = &m->threads[m->core[core] - 1];
	unsigned tid = t->tid, next = next_find(m);
	bool again = chance(m, 2);

	log_line(m, core, "sched_process_exit", "comm=%s pid=%u prio=120", t->comm, t->tid);
	log_switch(m, core, next, chance(m, 2) ? "X" : "Z");
	if (next)
		m->threads[next - 1].state = 'r';
	m->core[core] = next;
	thread_make(m, (unsigned)(t - m->threads));
	if (again)
		t->tid = tid;
	t->state = 'S';
	log_line(m, core, "task_newtask",
	    "pid=%u comm=%s clone_flags=3d0f00 oom_score_adj=0", t->tid, t->comm);
	if (chance(m, 2)) {
		log_line(m, core, "task_rename", "pid=%u oldcomm=%s newcomm=re named oom_score_adj=0",
		    t->tid, t->comm);
		snprintf(t->comm, sizeof t->comm, "re named");
	}
}

static void
frequency(struct log_model *m, unsigned core)
{
	m->frequency[core] = 300000 + 100000 * chance(m, 20);
	log_line(m, core, "cpu_frequency", "state=%u cpu_id=%u", m->frequency[core], core);
}

static void
lose(struct log_model *m, unsigned core)
{
	char text[64];

	if (chance(m, 3))
		snprintf(text, sizeof text, "CPU:%u [LOST %u EVENTS]", core, 1 + chance(m, 9000));
	else
		snprintf(text, sizeof text, "CPU:%u [LOST EVENTS]", core);
	log_remark(m, text);
}

static void
step(struct log_model *m)
{
	static const unsigned pauses[] = {0, 1, 2, 3, 5, 8, 13, 40, 90, 400};
	const struct log_params *p = m->params;
	unsigned core = chance(m, p->cores), what = chance(m, 100);

	m->now += UINT64_C(1000) * pauses[chance(m, 10)] + (p->nanoseconds ? chance(m, 1000) : 0);
	if (rng_chance(&m->rng, p->lost))
		lose(m, core);
	if (rng_chance(&m->rng, p->exits) && m->core[core] && !p->no_sched)
		thread_exit(m, core);
	else if (what < 22 && !p->no_sched)
		change(m, core);
	else if (what < 45 && !p->no_sched)
		wake(m, core);
	else if (what < 47 && !p->no_sched)
		frequency(m, core);
	else if (what < 48)
		log_line(m, core, "irq_handler_entry", "irq=%u name=%s", chance(m, 90), "ufs: x");
	else if (!p->no_marks && (m->core[core] || chance(m, 12) == 0))
		log_mark(m, core);
}

/* Which threads are on the cores when the log begins. */
static void
place(struct log_model *m)
{
	for (unsigned core = 0; core < m->params->cores; core++) {
		unsigned t = chance(m, m->params->threads);

		m->core[core] = 0;
		if (m->threads[t].state == 'r' || chance(m, 4) == 0)
			continue;
		m->threads[t].state = 'r';
		m->core[core] = t + 1;
	}
}

static bool
wanted(const struct log_model *m, unsigned captures)
{
	const struct log_params *p = m->params;
	unsigned all = p->captures ? p->captures : 1;

	return m->events < p->events / all * captures &&
	    (p->size == 0 || log_file_size(m->file) < p->size / all * captures);
}

void
log_model_run(struct log_model *m)
{
	const struct log_params *p = m->params;
	unsigned all = p->captures ? p->captures : 1;
	uint64_t begin;

	m->rng.state = p->seed * 2 + 1;
	m->next_tid = TID_FIRST;
	m->threads = gen_alloc(p->threads, sizeof *m->threads);
	for (unsigned i = 0; i < p->threads; i++)
		thread_make(m, i);
	if (p->lines >= LINES_BUNDLES)
		log_packets_begin(m);
	place(m);
	begin = UINT64_C(1000000000) * (100 + chance(m, 800000)) + UINT64_C(1000) * chance(m, 1000000);
	for (unsigned i = 1; i <= all; i++) {
		m->now = begin + UINT64_C(1000000000) * 1000 * (all - i);
		while (wanted(m, i))
			step(m);
		log_lines_end(m);
	}
	if (m->packets)
		log_packets_end(m);
	free(m->threads);
}
