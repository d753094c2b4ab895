// SPDX-License-Identifier: Apache-2.0
/* ftrace: the kernel's events in bundles of Perfetto's, as records of a log. */
#include <config.h>

#include <stdio.h>

#include "format/log/spans.h"
#include "format/perfetto/perfetto.h"

/* Bundles --------------------------------------------------------------------------- */

enum { BUNDLE_EVENT = 2, BUNDLE_COMPACT = 4, FTRACE_SWITCH = 4 };

bool
event_read(struct wire event, struct event_head *e)
{
	struct wire_field f;
	bool timed = false;

	e->tid = e->flags = 0;
	e->payload = (struct wire_field){.number = 0};
	while (wire_next(&event, &f)) {
		if (f.number == 1) {
			e->ns = f.value;
			timed = true;
		} else if (f.number == 2) {
			e->tid = (uint32_t)f.value;
		} else if (f.type == WIRE_BYTES) {
			e->payload = f;
		} else if (f.number == 5) {
			e->flags = (uint32_t)f.value;
		}
	}
	return timed && event.p == event.end;
}

bool
event_next(struct wire *bundle, struct event_head *e, const uint8_t **at)
{
	struct wire_field f;

	for (;;) {
		*at = bundle->p;
		if (!wire_next(bundle, &f))
			return false;
		if (f.number == BUNDLE_EVENT && f.type == WIRE_BYTES && event_read(f.bytes, e))
			return true;
	}
}

/* An event of a bundle that is read a first time. */
static void
event_meet(struct bundle *b, struct wire event, uint64_t at)
{
	struct event_head e;

	if (!event_read(event, &e)) {
		if (b->broken++ == 0)
			b->broken_at = at;
		return;
	}
	b->sched |= e.payload.number == FTRACE_SWITCH;
	b->disorder |= e.ns < b->last;
	b->last = e.ns;
	if (!b->any || e.ns < b->first)
		b->first = e.ns;
	b->any = true;
}

bool
bundle_read(struct bundle *b, struct wire content)
{
	enum { CORE = 1, LOST = 3, CLOCK = 5, FTRACE_NS, BOOT_NS, ERROR, SINCE_OLD, SINCE, FIELDS };
	const uint8_t *begin = content.p, *at;
	uint64_t told[FIELDS] = {0};
	struct wire_field f;

	*b = (struct bundle){.compact = {.number = 0}};
	for (at = begin; wire_next(&content, &f); at = content.p) {
		if (f.number == BUNDLE_EVENT) {
			event_meet(b, wire_message(&f), (uint64_t)(at - begin));
		} else if (f.number == BUNDLE_COMPACT) {
			b->compact = f;
			b->compact_at = (uint64_t)(at - begin);
		} else if (f.number < FIELDS) {
			told[f.number] = f.value;
			b->has_core |= f.number == CORE;
			b->error |= f.number == ERROR;
		}
	}
	b->core = (uint32_t)told[CORE];
	b->lost = told[LOST] != 0;
	b->clock_kind = (uint32_t)told[CLOCK];
	b->ftrace_ns = told[FTRACE_NS];
	b->boot_ns = told[BOOT_NS];
	/* Where the bundle before ended; formerly the last event that was read before. */
	b->since = told[SINCE] != 0 ? told[SINCE] : told[SINCE_OLD];
	return content.p == content.end;
}

/* States ---------------------------------------------------------------------------- */

/* True if the kernel's release is at least this one. */
static bool
release_from(struct str release, uint64_t major, uint64_t minor)
{
	const char *end, *at;
	uint64_t have_major, have_minor = 0;

	if (release.n == 0)
		return false;
	end = release.p + release.n;
	at = digits_take(release.p, end, 4, &have_major);
	if (at < end && *at == '.')
		(void)digits_take(at + 1, end, 4, &have_minor);
	return have_major != major ? have_major > major : have_minor >= minor;
}

/* The bits of TASK_REPORT in the kernel, and what tells a preempted thread. */
static enum task_state
state_of(struct str release, uint64_t bits)
{
	static const enum task_state newer[] = {TASK_SLEEPING, TASK_BLOCKED, TASK_STOPPED,
	    TASK_TRACED, TASK_EXITED, TASK_ZOMBIE, TASK_PARKED, TASK_IDLE},
	    older[] = {TASK_SLEEPING, TASK_BLOCKED, TASK_STOPPED, TASK_TRACED, TASK_EXITED,
		TASK_ZOMBIE, TASK_DEAD, TASK_WAKE_KILL, TASK_WAKING, TASK_PARKED,
		TASK_NO_LOAD};
	bool is_newer = release_from(release, 4, 14);
	uint64_t preempted = is_newer ? 0x100 : release_from(release, 4, 8) ? 0x1000 : 0x800;

	bits &= 0xffff;
	if ((bits & preempted) != 0)
		return TASK_PREEMPTED;
	if (bits == 0)
		return TASK_RUNNABLE;
	if (is_newer)
		return bits < 0x100 ? newer[__builtin_ctzll(bits)] : TASK_OTHER;
	if ((bits & 0x402) == 0x402)
		return TASK_IDLE;
	if ((bits & 0x82) == 0x82)
		return TASK_BLOCKED_KILLABLE;
	return bits < 0x800 ? older[__builtin_ctzll(bits)] : TASK_OTHER;
}

/* Events ---------------------------------------------------------------------------- */

enum {
	PRINT = 3, /* the field of an event that is a marker as text */
	PRINT_CUT = 1000, /* bytes from which on a marker may have lost its end */
	SYMBOLS = 26,     /* interned: names of the kernel's functions */
	SPLIT_MARK = 1024, /* fields of events with names */
};

static void
print_scan(struct scanned *s, const struct payload *p)
{
	struct str text = p->text[2];

	while (text.n > 0 && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\0'))
		text.n--;
	s->kind = SCAN_MARKER;
	marker_parse(&s->marker, text);
	if (text.n >= MARKER_CUT && text.n < PRINT_CUT)
		s->marker.truncated = false;
}

/*
 * Which fields of a driver's own marker hold what; 0: none.  `letter` is the kind as a
 * character, `flag` 1 at the beginning of a slice.
 */
struct mark_fields {
	uint8_t pid, name, letter, value, flag;
	bool own; /* the process is the thread's own, but for counters */
};

/* The kernel's events, by the number of their field; most are only counted by name. */
static const struct event_row {
	struct str name;
	uint8_t does, comm, tid; /* to the scheduler, and the fields that tell of whom */
	struct mark_fields mark;
} event_rows[] = {
	[3] = {.name = STR("print")}, [4] = {STR("sched_switch"), EVENT_SWITCH, 1, .tid = 2},
	[11] = {STR("cpu_frequency"), .does = EVENT_FREQUENCY},
	[12] = {.name = STR("cpu_frequency_limits")},
	[13] = {STR("cpu_idle"), .does = EVENT_IDLE}, [16] = {.name = STR("clock_set_rate")},
	[17] = {STR("sched_wakeup"), EVENT_WAKEUP, 1, .tid = 2},
	[18] = {STR("sched_blocked_reason"), EVENT_BLOCKED, .tid = 1},
	[20] = {STR("sched_waking"), EVENT_WAKING, 1, .tid = 2},
	[24] = {.name = STR("softirq_entry")}, [25] = {.name = STR("softirq_exit")},
	[36] = {.name = STR("irq_handler_entry")}, [37] = {.name = STR("irq_handler_exit")},
	[50] = {.name = STR("binder_transaction")},
	[51] = {.name = STR("binder_transaction_received")},
	[57] = {.name = STR("workqueue_execute_end")},
	[58] = {.name = STR("workqueue_execute_start")},
	[80] = {STR("mdss_tracing_mark_write"), .mark = {1, 2, 0, 0, .flag = 3}},
	[113] = {.name = STR("suspend_resume")},
	[114] = {STR("sched_wakeup_new"), EVENT_WAKEUP, 1, .tid = 2},
	[235] = {STR("task_newtask"), EVENT_NEWTASK, 2, .tid = 1},
	[236] = {STR("task_rename"), EVENT_RENAME, 3, .tid = 1},
	[238] = {STR("sched_process_exit"), EVENT_EXIT, 1, .tid = 2},
	[240] = {STR("sched_process_free"), EVENT_EXIT, 1, .tid = 2},
	[313] = {.name = STR("rss_stat")}, [324] = {.name = STR("signal_deliver")},
	[325] = {.name = STR("signal_generate")},
	[326] = {.name = STR("oom_score_adj_update")}, [329] = {.name = STR("sys_enter")},
	[330] = {.name = STR("sys_exit")},
	[331] = {STR("zero_tracing_mark_write"), .mark = {3, 2, 0, 4, .flag = 1}},
	[332] = {.name = STR("gpu_frequency")},
	[333] = {STR("sde_tracing_mark_write"), .mark = {1, 2, 3, 4, .flag = 5}},
	[348] = {STR("dpu_tracing_mark_write"), .mark = {1, 4, 5, 6, 0, true}},
	[349] = {STR("g2d_tracing_mark_write"), .mark = {1, 4, 5, 6, .flag = 0}},
	[350] = {STR("mali_tracing_mark_write"), .mark = {2, 1, 3, 4, .flag = 0}},
	[414] = {.name = STR("dma_fence_init")}, [415] = {.name = STR("dma_fence_emit")},
	[416] = {.name = STR("dma_fence_signaled")},
	[417] = {.name = STR("dma_fence_wait_start")},
	[418] = {.name = STR("dma_fence_wait_end")},
	[467] = {STR("lwis_tracing_mark_write"), .mark = {3, 4, 2, 5, .flag = 0}},
	[484] = {STR("samsung_tracing_mark_write"), .mark = {1, 2, 4, 5, .flag = 3}},
};

enum { EVENT_ROWS = sizeof(event_rows) / sizeof(event_rows[0]), MARK_ZERO = 331 };

static const struct event_row *
event_row_of(uint32_t event)
{
	return &event_rows[event < EVENT_ROWS ? event : 0];
}

static void
mark_scan(struct scanned *s, const struct payload *p, uint32_t event)
{
	const struct mark_fields *m = &event_rows[event].mark;
	uint64_t letter = m->letter != 0 ? p->number[m->letter] : 0, flag = p->number[m->flag];
	static const char letters[] = "BECI";
	static const enum marker_kind kinds[] = {MARKER_BEGIN, MARKER_END, MARKER_COUNTER,
	    MARKER_INSTANT};
	const char *at;

	if (event == MARK_ZERO)
		letter = flag & 1 ? 'B' : flag & 2 ? 'E' : flag & 4 ? 'C' : 0;
	else if (letter == 0 && m->flag != 0)
		letter = flag != 0 ? 'B' : 'E';
	at = letter != 0 && letter < 128 ? memchr(letters, (int)letter, sizeof(letters) - 1) : NULL;
	s->kind = SCAN_MARKER;
	s->marker = (struct marker){.kind = MARKER_OTHER, .name = p->text[m->name]};
	if (at == NULL)
		return;
	s->marker.kind = kinds[at - letters];
	s->marker.pid = (uint32_t)p->number[m->pid];
	s->marker.has_pid = !m->own || s->marker.kind == MARKER_COUNTER;
	s->marker.value = (int64_t)p->number[m->value];
	if (s->marker.name.p == NULL)
		s->marker.name = STR("");
}

/* Binder and interrupts ---------------------------------------------------------------- */

enum { BINDER_SENT = 50, BINDER_RECEIVED = 51, SOFTIRQ_ENTRY = 24, SOFTIRQ_EXIT = 25, IRQ_ENTRY = 36,
	IRQ_EXIT = 37 };

static bool
is_binder(uint32_t event)
{
	return event == BINDER_SENT || event == BINDER_RECEIVED;
}

static struct binder_event
binder_event(const struct payload *p, uint32_t event)
{
	return (struct binder_event){.id = p->number[1], .received = event == BINDER_RECEIVED,
	    .reply = p->number[5] != 0, .one_way = (p->number[7] & 1) != 0};
}

void
event_chain(struct perfetto *pf, struct scanned *s, const struct event_head *e)
{
	struct payload p;

	if (is_binder(e->payload.number) && payload_read(&p, e->payload.bytes))
		s->marker.chain = chain_keep(pf, "binder", p.number[1]);
}

void
event_interrupt(struct perfetto *pf, const struct scanned *s, const struct event_head *e)
{
	const uint32_t number = e->payload.number;
	struct payload p;

	if (number != SOFTIRQ_ENTRY && number != SOFTIRQ_EXIT && number != IRQ_ENTRY &&
	    number != IRQ_EXIT)
		return;
	if (payload_read(&p, e->payload.bytes))
		interrupt_take(&pf->r, &s->line, number == SOFTIRQ_ENTRY ? INTERRUPT_SOFT_BEGIN
			: number == IRQ_ENTRY                            ? INTERRUPT_BEGIN
									 : INTERRUPT_END, p.text[2], p.number[1]);
	else
		record_broken(&pf->r);
}

static void
sched_scan(struct perfetto *pf, struct scanned *s, const struct payload *p,
    const struct event_row *fields, uint32_t generation)
{
	struct schedline *line = &s->sched;

	s->kind = SCAN_SCHED;
	s->event = fields->does;
	*line = (struct schedline){.comm = p->text[fields->comm],
	    .tid = (uint32_t)p->number[fields->tid]};
	switch ((enum sched_event)fields->does) {
	case EVENT_SWITCH:
		line->state = state_of(pf->release, p->number[4]);
		line->next_comm = p->text[5];
		line->next = (uint32_t)p->number[6];
		line->priority = (int32_t)p->number[7];
		break;
	case EVENT_BLOCKED:
		line->caller = text_of(pf, generation, SYMBOLS, p->number[2]);
		line->io = p->number[3] != 0;
		break;
	case EVENT_FREQUENCY:
		line->value = (uint32_t)p->number[1];
		line->cpu = (uint32_t)p->number[2];
		break;
	case EVENT_NEWTASK: /* with flags of clone() */
		line->value = (uint32_t)p->number[3];
		break;
	case EVENT_IDLE: /* leaving is -1, in 32 bits */
		line->value = (uint32_t)p->number[1] + 1;
		line->cpu = (uint32_t)p->number[2];
		break;
	default:
		break;
	}
	/* Nothing is told of the idle task. */
	if (line->tid == 0 && fields->tid != 0 && fields->does != EVENT_SWITCH)
		s->kind = SCAN_RECORD;
}

static struct str
event_name(struct perfetto *pf, uint32_t event)
{
	char number[32];

	if (event >= SPLIT_MARK)
		return STR("ftrace other");
	if (event_row_of(event)->name.p != NULL)
		return event_row_of(event)->name;
	if (pf->func_names[event].p != NULL)
		return pf->func_names[event];
	snprintf(number, sizeof(number), "ftrace %u", event);
	pf->func_names[event] = text_keep(pf, str_from(number));
	return pf->func_names[event];
}

bool
event_mark(struct scanned *s, const struct event_head *e)
{
	uint32_t number = e->payload.number;
	bool mark = event_row_of(number)->mark.name != 0;
	struct binder_event binder;
	struct payload p;

	s->line = (struct logline){.comm = {"", 0}, .tid = e->tid, .ns = e->ns};
	if ((number != PRINT && !mark && !is_binder(number)) || !payload_read(&p, e->payload.bytes))
		return false;
	if (mark)
		mark_scan(s, &p, number);
	else if (number == PRINT)
		print_scan(s, &p);
	if (is_binder(number)) {
		binder = binder_event(&p, number);
		binder_scan(s, &binder, (struct str){NULL, 0});
	}
	return true;
}

/* The thread was only interrupted, as the bits of hard and soft interrupts tell. */
static void
interrupt_scan(struct scanned *s, uint64_t flags)
{
	if ((flags & 0x18) != 0)
		s->line.flags = STR("..h");
}

static void
core_switch(struct core *core, uint32_t tid)
{
	core->known = true;
	core->tid = tid;
}

void
event_scan(struct perfetto *pf, struct scanned *s, const struct event_head *e, uint32_t core,
    uint32_t generation)
{
	uint32_t number = e->payload.number;
	const struct event_row *row = event_row_of(number);
	bool sched = row->does != EVENT_NONE;
	struct payload p;

	if (sched || !event_mark(s, e)) {
		s->line = (struct logline){.comm = {"", 0}, .tid = e->tid};
		s->kind = number == PRINT ? SCAN_BROKEN : SCAN_RECORD;
		if (sched && payload_read(&p, e->payload.bytes))
			sched_scan(pf, s, &p, row, generation);
		else if (sched)
			s->kind = SCAN_BROKEN;
	}
	if (is_binder(number) && payload_read(&p, e->payload.bytes)) {
		const struct binder_event binder = binder_event(&p, number);

		binder_take(&pf->r, s, &binder);
	}
	if (s->kind == SCAN_MARKER && s->marker.kind != MARKER_END)
		event_chain(pf, s, e);
	s->line.cpu = core;
	s->line.func = event_name(pf, number);
	interrupt_scan(s, e->flags);
	if (s->kind == SCAN_SCHED && s->event == EVENT_SWITCH)
		core_switch(&pf->cores[core], s->sched.next);
}

/* Columns --------------------------------------------------------------------------- */

/* The thread that was on a core before its first switch, as far as its events tell. */
uint32_t
presumed_on(const struct perfetto *pf, uint32_t core)
{
	const struct sched *s = &pf->r.log->sched;

	if (core >= s->cpu_count || !s->cpus[core].presumed ||
	    s->cpus[core].current == SCHED_NONE)
		return 0;
	return pf->r.rows[s->cpus[core].current].thread.id;
}

/*
 * Columns do not say which thread a switch is from: it is the one of the switch before, under
 * the name that it has by now.
 */
void
switch_scan(struct perfetto *pf, struct scanned *s, const struct compact_row *row)
{
	struct core *core = &pf->cores[row->core];

	s->kind = SCAN_SCHED;
	s->event = EVENT_SWITCH;
	s->line = (struct logline){.comm = {"", 0}, .cpu = row->core,
	    .func = event_name(pf, 4),
	    .tid = core->known ? core->tid : LOGLINE_PRESUMED};
	s->sched = (struct schedline){.comm = {"", 0}, .tid = s->line.tid,
	    .state = state_of(pf->release, row->state),
	    .next = row->tid, .next_comm = row->comm, .priority = row->priority};
	core_switch(core, row->tid);
}

void
waking_scan(struct perfetto *pf, struct scanned *s, const struct compact_row *row)
{
	const struct core *core = &pf->cores[row->core];

	s->kind = SCAN_SCHED;
	s->event = EVENT_WAKING;
	s->line = (struct logline){.comm = {"", 0}, .cpu = row->core,
	    .func = event_name(pf, 20), .tid = core->known ? core->tid : LOGLINE_NOBODY};
	interrupt_scan(s, row->state);
	s->sched = (struct schedline){.comm = row->comm, .tid = row->tid};
}
