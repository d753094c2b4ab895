// SPDX-License-Identifier: Apache-2.0
/*
 * The same as a Perfetto trace (loggen.h): what the kernel records in bundles, one core's
 * events in each, or what programs write as events of tracks: in the file they come writer by
 * writer, a chunk of each at a time, as Perfetto's service copies them.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/map.h"
#include "base/sbuf.h"
#include "loggen.h"

/* Numbers of fields; Perfetto's protos/perfetto/trace has all of them. */
enum {
	PACKET = 1,
	PACKET_BUNDLE = 1,
	PACKET_TREE = 2,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_TRACK = 60,

	EVENT_PRINT = 3,
	EVENT_SWITCH = 4,
	EVENT_WAKEUP = 17,
	EVENT_WAKING = 20,
	EVENT_IRQ = 36,

	BUNDLE_SIZE = 16384,
	WRITERS = 5,
	CHUNK_SIZE = 4096, /* of a writer's packets */
	CLEARED = 1,  /* SEQ_INCREMENTAL_STATE_CLEARED */
	GOES_ON = 2,  /* SEQ_NEEDS_INCREMENTAL_STATE */
	PREEMPTED = 0x800,
	KEYS = 4,
};

/* A sequence of packets. */
struct writer {
	struct sbuf packets; /* that are not written yet */
	struct intern names; /* of slices: those that were told */
	bool begun;
};

struct log_packets {
	struct sbuf core[LOG_CORES_MAX]; /* events of the bundle that is not written yet */
	struct sbuf packet;
	struct writer writers[WRITERS];
	bool *told; /* by thread: it has a track */
};

static void
text_put(struct sbuf *out, unsigned field, const char *text, size_t n)
{
	size_t at = wire_begin(out, field);

	sbuf_bytes(out, text, n);
	wire_end(out, at);
}

static void
packet_out(struct log_model *m, size_t begun)
{
	struct sbuf *out = &m->packets->packet;

	wire_end(out, begun);
	log_file_bytes(m->file, sbuf_view(out).p, sbuf_view(out).n);
	sbuf_clear(out);
}

/* The kernel's ----------------------------------------------------------------------- */

static void
bundle_out(struct log_model *m, unsigned core)
{
	struct log_packets *p = m->packets;
	size_t packet = wire_begin(&p->packet, PACKET), bundle;

	bundle = wire_begin(&p->packet, PACKET_BUNDLE);
	wire_number(&p->packet, 1, core);
	sbuf_str(&p->packet, sbuf_view(&p->core[core]));
	wire_end(&p->packet, bundle);
	wire_number(&p->packet, PACKET_SEQUENCE, 1);
	packet_out(m, packet);
	sbuf_clear(&p->core[core]);
}

/* An event of what is on a core now; ends with event_end(). */
static struct sbuf *
event_begin(struct log_model *m, unsigned core, unsigned event, size_t begun[2])
{
	struct sbuf *out = &m->packets->core[core];
	unsigned index = m->core[core];

	m->events++;
	begun[0] = wire_begin(out, 2);
	wire_number(out, 1, m->now);
	wire_number(out, 2, index ? m->threads[index - 1].tid : 0);
	begun[1] = wire_begin(out, event);
	return out;
}

static void
event_end(struct log_model *m, unsigned core, const size_t begun[2])
{
	struct sbuf *out = &m->packets->core[core];

	wire_end(out, begun[1]);
	wire_end(out, begun[0]);
	if (sbuf_view(out).n >= BUNDLE_SIZE)
		bundle_out(m, core);
}

/* Its name, number and priority, in fields that follow each other. */
static void
task_put(struct log_model *m, struct sbuf *out, unsigned field, unsigned index, unsigned core)
{
	const struct log_thread *t = index ? &m->threads[index - 1] : NULL;
	char idle[24];

	snprintf(idle, sizeof idle, "swapper/%u", core);
	text_put(out, field, t ? t->comm : idle, strlen(t ? t->comm : idle));
	wire_number(out, field + 1, t ? t->tid : 0);
	wire_number(out, field + 2, 120);
}

void
log_packets_switch(struct log_model *m, unsigned core, unsigned next, unsigned bits)
{
	struct sbuf *out;
	size_t begun[2];

	if (m->params->lines == LINES_TRACKS)
		return;
	out = event_begin(m, core, EVENT_SWITCH, begun);
	task_put(m, out, 1, m->core[core], core);
	wire_number(out, 4, bits == 256 ? PREEMPTED : bits);
	task_put(m, out, 5, next, core);
	event_end(m, core, begun);
}

void
log_packets_wake(struct log_model *m, unsigned core, const char *func, unsigned thread)
{
	struct sbuf *out;
	size_t begun[2];

	if (m->params->lines == LINES_TRACKS)
		return;
	out = event_begin(m, core, strcmp(func, "sched_wakeup") ? EVENT_WAKING : EVENT_WAKEUP, begun);
	task_put(m, out, 1, thread, core);
	wire_number(out, 4, 1);
	wire_number(out, 5, rng_below(&m->rng, m->params->cores));
	event_end(m, core, begun);
}

/* Fields of lines "key=value key=value": texts 't', decimal and hexadecimal numbers. */
static const struct kernel_line {
	const char *func;
	unsigned event;
	struct {
		const char *key;
		unsigned field;
		char form;
	} keys[KEYS];
} kernel_lines[] = {
	{"cpu_idle", 13, {{"state=", 1, 'd'}, {"cpu_id=", 2, 'd'}}},
	{"cpu_frequency", 11, {{"state=", 1, 'd'}, {"cpu_id=", 2, 'd'}}},
	{"sched_blocked_reason", 18, {{"pid=", 1, 'd'}, {"iowait=", 3, 'd'}}},
	{"sched_process_exit", 238, {{"comm=", 1, 't'}, {"pid=", 2, 'd'}, {"prio=", 4, 'd'}}},
	{"task_newtask", 235, {{"pid=", 1, 'd'}, {"comm=", 2, 't'}, {"clone_flags=", 3, 'x'}}},
	{"task_rename", 236, {{"pid=", 1, 'd'}, {"oldcomm=", 2, 't'}, {"newcomm=", 3, 't'},
	    {"oom_score_adj=", 4, 'd'}}},
	{"irq_handler_entry", EVENT_IRQ, {{"irq=", 1, 'd'}, {"name=", 2, 't'}}},
};

/* Where the last " KEY" is, since names may hold it, too; else the end. */
static const char *
key_find(const char *text, const char *key)
{
	const char *found = NULL, *at = text;

	while (key && (at = strstr(at, key)) != NULL)
		found = at++;
	return found && found > text ? found - 1 : text + strlen(text);
}

static void
kernel_put(struct sbuf *out, const struct kernel_line *line, const char *text)
{
	for (int i = 0; i < KEYS && line->keys[i].key; i++) {
		const char *value = text + strlen(line->keys[i].key);
		const char *end = key_find(value, i + 1 < KEYS ? line->keys[i + 1].key : NULL);
		char form = line->keys[i].form;

		if (form == 't')
			text_put(out, line->keys[i].field, value, (size_t)(end - value));
		else
			wire_number(out, line->keys[i].field,
			    strtoull(value, NULL, form == 'x' ? 16 : 10));
		text = end + (*end != '\0');
	}
}

/* Programs' -------------------------------------------------------------------------- */

static void
chunk_out(struct log_model *m, struct writer *w)
{
	log_file_bytes(m->file, sbuf_view(&w->packets).p, sbuf_view(&w->packets).n);
	sbuf_clear(&w->packets);
}

static size_t
track_packet(struct log_model *m, struct writer *w)
{
	size_t packet = wire_begin(&w->packets, PACKET);

	wire_number(&w->packets, PACKET_SEQUENCE, (uint64_t)(w - m->packets->writers) + 10);
	wire_number(&w->packets, PACKET_FLAGS, w->begun ? GOES_ON : CLEARED);
	w->begun = true;
	return packet;
}

static void
track_tell(struct log_model *m, struct writer *w, const struct log_thread *t)
{
	struct sbuf *out = &w->packets;
	size_t packet = track_packet(m, w), track = wire_begin(out, PACKET_TRACK), thread;

	wire_number(out, 1, t->tid);
	thread = wire_begin(out, 4);
	wire_number(out, 1, t->pid);
	wire_number(out, 2, t->tid);
	text_put(out, 5, t->comm, strlen(t->comm));
	wire_end(out, thread);
	wire_end(out, track);
	wire_end(out, packet);
}

/* A beginning or end of a slice; other markers are left out. */
static void
track_mark(struct log_model *m, unsigned core, const char *text)
{
	struct log_packets *p = m->packets;
	unsigned index = m->core[core];
	struct writer *w = &p->writers[index % WRITERS];
	struct sbuf *out = &w->packets;
	const char *name = text[1] == '|' ? strchr(text + 2, '|') : NULL;
	size_t packet, event, number = 0, told = w->names.count, at;

	if (index == 0 || (text[0] != 'E' && (text[0] != 'B' || name == NULL)))
		return;
	if (!p->told[index - 1])
		track_tell(m, w, &m->threads[index - 1]);
	p->told[index - 1] = true;
	m->events++;
	packet = track_packet(m, w);
	wire_number(out, PACKET_TIME, m->now);
	if (text[0] == 'B')
		number = 1 + intern_add(&w->names, str_from(name + 1), 0);
	if (w->names.count > told) {
		size_t data = wire_begin(out, PACKET_INTERNED), entry = wire_begin(out, 2);

		wire_number(out, 1, number);
		text_put(out, 2, name + 1, strlen(name + 1));
		wire_end(out, entry);
		wire_end(out, data);
	}
	event = wire_begin(out, PACKET_TRACK_EVENT);
	if (number > 0 && rng_below(&m->rng, 4) == 0) {
		at = wire_begin(out, 4); /* debug annotation */
		text_put(out, 10, "frame", 5);
		wire_number(out, 4, rng_below(&m->rng, 100000));
		wire_end(out, at);
	}
	wire_number(out, 9, text[0] == 'B' ? 1 : 2);
	if (number > 0)
		wire_number(out, 10, number);
	wire_number(out, 11, m->threads[index - 1].tid);
	wire_end(out, event);
	wire_end(out, packet);
	if (sbuf_view(out).n >= CHUNK_SIZE)
		chunk_out(m, w);
}

/* Both ------------------------------------------------------------------------------- */

void
log_packets_line(struct log_model *m, unsigned core, const char *func, const char *text)
{
	const size_t rows = sizeof kernel_lines / sizeof *kernel_lines;
	struct sbuf *out;
	size_t begun[2], row = 0;

	while (row < rows && strcmp(kernel_lines[row].func, func))
		row++;
	if (m->params->lines == LINES_TRACKS) {
		if (row == rows)
			track_mark(m, core, text);
		return;
	}
	out = event_begin(m, core, row < rows ? kernel_lines[row].event : EVENT_PRINT, begun);
	if (row < rows)
		kernel_put(out, &kernel_lines[row], text);
	else
		text_put(out, 2, text, strlen(text));
	event_end(m, core, begun);
	if (row < rows && kernel_lines[row].event == EVENT_IRQ) { /* ends at once */
		out = event_begin(m, core, EVENT_IRQ + 1, begun);
		wire_number(out, 1, strtoull(text + strlen("irq="), NULL, 10));
		event_end(m, core, begun);
	}
}

void
log_packets_begin(struct log_model *m)
{
	struct log_packets *p = m->packets = gen_alloc(1, sizeof *p);
	size_t packet, tree, at;

	p->told = gen_alloc(m->params->threads, sizeof *p->told);
	packet = wire_begin(&p->packet, PACKET);
	tree = wire_begin(&p->packet, PACKET_TREE);
	for (unsigned i = 0; i < m->params->threads; i++) {
		const struct log_thread *t = &m->threads[i];
		char name[32];

		at = wire_begin(&p->packet, t->pid == t->tid ? 1 : 2);
		wire_number(&p->packet, 1, t->tid);
		if (t->pid == t->tid) {
			snprintf(name, sizeof name, "com.app.p%u", t->pid);
			text_put(&p->packet, 3, name, strlen(name));
		} else {
			text_put(&p->packet, 2, t->comm, strlen(t->comm));
			wire_number(&p->packet, 3, t->pid);
		}
		wire_end(&p->packet, at);
	}
	wire_end(&p->packet, tree);
	wire_number(&p->packet, PACKET_SEQUENCE, 3);
	packet_out(m, packet);
}

void
log_packets_end(struct log_model *m)
{
	struct log_packets *p = m->packets;

	for (unsigned core = 0; core < LOG_CORES_MAX; core++) {
		if (sbuf_view(&p->core[core]).n > 0)
			bundle_out(m, core);
		sbuf_release(&p->core[core]);
	}
	for (int i = 0; i < WRITERS; i++) {
		chunk_out(m, &p->writers[i]);
		sbuf_release(&p->writers[i].packets);
		intern_release(&p->writers[i].names);
	}
	sbuf_release(&p->packet);
	free(p->told);
	free(p);
}
