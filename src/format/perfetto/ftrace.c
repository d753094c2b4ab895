// SPDX-License-Identifier: Apache-2.0
/* ftrace: the kernel's events in bundles of Perfetto's, as records of a log. */
#include <config.h>

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
	GENERIC = 327, /* an event that tells its name */
	PRINT_CUT = 1000, /* bytes from which on a marker may have lost its end */
	SYMBOLS = 26,     /* interned: names of the kernel's functions */
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

enum { MARK_ZERO = 331 };

static void
mark_scan(struct scanned *s, const struct payload *p, const struct kernel_event *event)
{
	const struct mark_fields *m = &event->mark;
	uint64_t letter = m->letter != 0 ? p->number[m->letter] : 0, flag = p->number[m->flag];
	static const char letters[] = "BECI";
	static const enum marker_kind kinds[] = {MARKER_BEGIN, MARKER_END, MARKER_COUNTER,
	    MARKER_INSTANT};
	const char *at;

	if (event->field == MARK_ZERO)
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

static void
sched_scan(struct perfetto *pf, struct scanned *s, const struct payload *p,
    const struct kernel_event *fields, uint32_t generation)
{
	struct schedline *line = &s->sched;

	s->kind = SCAN_SCHED;
	s->event = fields->sched;
	*line = (struct schedline){.comm = p->text[fields->comm],
	    .tid = (uint32_t)p->number[fields->tid]};
	switch ((enum sched_event)fields->sched) {
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
	if (line->tid == 0 && fields->tid != 0 && fields->sched != EVENT_SWITCH)
		s->kind = SCAN_RECORD;
}

/* Reads the values of counters and slices; false when the message is damaged. */
static bool
values_scan(const struct perfetto *pf, struct scanned *s, struct wire message,
    const struct kernel_event *e, uint32_t generation)
{
	struct kernel_values *v = &s->values;
	struct wire_field f;

	s->kind = SCAN_VALUES;
	*v = (struct kernel_values){.event = e, .number = {[KERNEL_VALUE] = e->fixed}};
	while (wire_next(&message, &f)) {
		for (int role = 0; role < KERNEL_ROLES; role++) {
			if (e->fields[role] != f.number)
				continue;
			v->told |= 1u << role;
			v->number[role] = (int64_t)f.value;
			if (role == KERNEL_NAME) /* a number is that of a function */
				v->name = f.type == WIRE_BYTES ? wire_text(&f)
				    : text_of(pf, generation, SYMBOLS, f.value);
			else if (role == KERNEL_ROW)
				v->row = wire_text(&f);
			else if (role == KERNEL_EDGE && f.type == WIRE_BYTES)
				v->number[role] = kernel_edge(wire_text(&f));
		}
	}
	return message.p == message.end;
}

/* The name of an event by its field, kept as long as the trace. */
static struct str
event_name(struct perfetto *pf, uint32_t field)
{
	struct str *name = &pf->func_names[field < FTRACE_FIELDS ? field : 0];

	if (field >= FTRACE_FIELDS)
		return STR("ftrace other");
	if (name->n > 0)
		return *name;
	*name = pf->kernel[field] != NULL ? pf->kernel[field]->name : ftrace_name(field);
	if (name->n == 0)
		*name = text_print(pf, "ftrace %u", field);
	return *name;
}

/* How an event is read; NULL: not. */
static const struct kernel_event *
event_row(const struct perfetto *pf, uint32_t field)
{
	return field < FTRACE_FIELDS ? pf->kernel[field] : NULL;
}

void
ftrace_begin(struct perfetto *pf)
{
	for (uint32_t field = 1; field < FTRACE_FIELDS; field++)
		pf->kernel[field] = kernel_of_field(field);
}

bool
event_mark(struct perfetto *pf, struct scanned *s, const struct event_head *e)
{
	const struct kernel_event *row = event_row(pf, e->payload.number);
	struct kernel_values *v = &s->values;
	struct payload p;

	s->line = (struct logline){.comm = {"", 0}, .tid = e->tid, .ns = e->ns};
	if (row != NULL && row->does == KERNEL_BINDER) {
		if (!values_scan(pf, s, e->payload.bytes, row, 0))
			return false;
		/* A reply has no slice of its own: none is chained by its id. */
		if (row->keys[KERNEL_ROW] != NULL && v->number[KERNEL_SECOND] == 0)
			v->row = chain_keep(pf, "binder", (uint64_t)v->number[KERNEL_ID]);
		return true;
	}
	if (row == NULL || row->does != KERNEL_MARKER || !payload_read(&p, e->payload.bytes))
		return false;
	if (row->mark.name != 0)
		mark_scan(s, &p, row);
	else
		print_scan(s, &p);
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
	const struct kernel_event *row = event_row(pf, number);
	enum kernel_does does = row != NULL ? row->does : KERNEL_MARKER;
	struct payload p;

	if (!event_mark(pf, s, e)) {
		s->line = (struct logline){.comm = {"", 0}, .tid = e->tid};
		s->kind = row == NULL ? SCAN_LEFT : number == PRINT ? SCAN_BROKEN : SCAN_RECORD;
		if (does == KERNEL_SCHED && payload_read(&p, e->payload.bytes))
			sched_scan(pf, s, &p, row, generation);
		else if (does == KERNEL_SCHED || (does >= KERNEL_COUNTER &&
			!values_scan(pf, s, e->payload.bytes, row, generation)))
			s->kind = SCAN_BROKEN;
	}
	s->line.cpu = core;
	s->line.func = event_name(pf, number);
	if (number == GENERIC && payload_read(&p, e->payload.bytes) && p.text[1].n > 0)
		s->line.func = p.text[1];
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
