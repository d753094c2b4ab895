// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/spans.h"

#include <stdio.h>
#include <string.h>

#include "base/compat.h"

/* Binder --------------------------------------------------------------------------- */

enum binder_next { NEXT_REPLY, NEXT_END, NEXT_MOMENT };

void
binder_scan(struct scanned *s, const struct binder_event *e, struct str chain)
{
	s->kind = SCAN_MARKER;
	s->marker = (struct marker){.kind = MARKER_INSTANT, .kernel = true, .name = STR("binder async rcv")};
	if (!e->received) {
		s->marker.name = e->one_way ? STR("binder transaction async") : STR("binder transaction");
		s->marker.kind = e->one_way ? MARKER_INSTANT : MARKER_BEGIN;
	}
	if (!e->received && e->reply)
		s->marker = (struct marker){.kind = MARKER_END, .name = STR("binder reply"),
		    .kernel = true, .exact = true};
	s->marker.chain = chain;
}

void
binder_take(struct reader *r, struct scanned *s, const struct binder_event *e)
{
	uint32_t next;

	if (!e->received) {
		next = s->marker.kind == MARKER_BEGIN ? NEXT_REPLY
		    : s->marker.kind == MARKER_END    ? NEXT_END : NEXT_MOMENT;
		idmap_put(&r->binder, (uint32_t)e->id, next);
		return;
	}
	next = idmap_get(&r->binder, (uint32_t)e->id);
	if (next == NEXT_REPLY)
		s->marker = (struct marker){.kind = MARKER_BEGIN, .name = STR("binder reply"),
		    .kernel = true, .chain = s->marker.chain};
	else if (next == NEXT_END)
		s->marker = (struct marker){.kind = MARKER_END, .kernel = true, .exact = true,
		    .name = STR("binder transaction")};
	else if (next == IDMAP_NONE)
		s->kind = SCAN_RECORD;
	idmap_put(&r->binder, (uint32_t)e->id, IDMAP_NONE);
}

/* Other slices ------------------------------------------------------------------------ */

/* Keeps a text that was made as long as the trace. */
static struct str
text_hold(struct reader *r, struct str text)
{
	uint32_t index = intern_find(&r->texts, text, 0);

	if (index == IDMAP_NONE) {
		pthread_mutex_lock(&r->trace->lock);
		text = arena_str(&r->trace->arena, text);
		pthread_mutex_unlock(&r->trace->lock);
		index = intern_add(&r->texts, text, 0);
	}
	return r->texts.items[index].text;
}

static enum span_edge
edge_of(const struct kernel_values *v)
{
	enum span_edge edge = v->event->span.edge;

	if (edge == SPAN_TELLS && (v->told & 1u << KERNEL_EDGE_KIND) != 0)
		return v->number[KERNEL_EDGE_KIND] == 0 ? SPAN_BEGINS
		    : v->number[KERNEL_EDGE_KIND] == 1  ? SPAN_ENDS : SPAN_TELLS;
	return edge == SPAN_TELLS ? (enum span_edge)v->number[KERNEL_EDGE] : edge;
}

void
span_take(struct reader *r, const struct logline *line, const struct kernel_values *values,
    uint32_t writer)
{
	const struct kernel_span *span = &values->event->span;
	struct kernel_values v = *values;
	enum span_edge edge = edge_of(&v);
	bool begins = edge == SPAN_BEGINS;
	struct marker m = {.kind = begins ? MARKER_BEGIN : MARKER_END, .kernel = true, .exact = true};

	r->block_io |= span->block == BLOCK_IO;
	if (edge >= SPAN_TELLS || (span->block == BLOCK_REQUEST && r->block_io))
		return;
	if ((v.told & 1u << KERNEL_PLACE) == 0)
		v.number[KERNEL_PLACE] = line->cpu;
	m.name = text_hold(r, kernel_text(&r->text, span->name, &v));
	if (span->row != NULL) {
		m.kind = begins ? MARKER_TRACK_BEGIN : MARKER_TRACK_END;
		m.pid = LOGLINE_NOBODY;
		m.track = text_hold(r, kernel_text(&r->text, span->row, &v));
		/* Events without an id have one slice of a name at a time. */
		m.value = (v.told & 1u << KERNEL_ID) == 0 ? (int64_t)slice_name(r, m.name, NAME_ASYNC)
		    : (int64_t)((uint64_t)v.number[KERNEL_ID] ^ (uint64_t)v.number[KERNEL_OF] << 32);
	}
	slice_take(r, line, writer, &m);
}

/* Interrupts -------------------------------------------------------------------------- */

static const struct str softirqs[] = {STR("softirq HI"), STR("softirq TIMER"),
	STR("softirq NET_TX"), STR("softirq NET_RX"), STR("softirq BLOCK"),
	STR("softirq IRQ_POLL"), STR("softirq TASKLET"), STR("softirq SCHED"),
	STR("softirq HRTIMER"), STR("softirq RCU")};

void
interrupt_take(struct reader *r, const struct logline *line, enum interrupt what, struct str name,
    uint64_t vector)
{
	uint32_t *row = &r->interrupts[line->cpu], rows, place;
	struct marker m = {.kind = MARKER_END, .kernel = true, .name = {"", 0}};
	char text[32];

	if (what != INTERRUPT_END) {
		m.kind = MARKER_BEGIN;
		m.name = name;
	}
	if (what == INTERRUPT_SOFT_BEGIN && vector < sizeof(softirqs) / sizeof(softirqs[0]))
		m.name = softirqs[vector];
	if (*row == 0) {
		snprintf(text, sizeof(text), "interrupts of cpu %u", line->cpu);
		*row = 1 + track_row_take(r, LOGLINE_NOBODY, text_hold(r, str_from(text)), &rows, &place);
	}
	if (*row > 0)
		slice_take(r, line, *row - 1, &m);
}

void
spans_again(struct reader *r)
{
	idmap_release(&r->binder);
	r->block_io = false;
	memset(r->interrupts, 0, sizeof(r->interrupts));
}

/* Text ------------------------------------------------------------------------------------ */

/* The text after "key=" up to a blank; p NULL: there is none. */
static struct str
field(struct str payload, struct str key)
{
	const char *end = payload.p + payload.n, *at = payload.p, *to;

	while ((at = memmem(at, (size_t)(end - at), key.p, key.n)) != NULL &&
	    at > payload.p && at[-1] != ' ')
		at += key.n;
	if (at == NULL)
		return (struct str){NULL, 0};
	at += key.n;
	to = memchr(at, ' ', (size_t)(end - at));
	return (struct str){at, (size_t)((to != NULL ? to : end) - at)};
}

/* "transaction=N", as the chain of its slices. */
static struct str
transaction(struct str payload, struct binder_event *e)
{
	struct str id = field(payload, STR("transaction="));
	const size_t key = sizeof("transaction=") - 1;
	int64_t number;

	if (id.p == NULL || !kernel_number(id, &number))
		return (struct str){NULL, 0};
	e->id = (uint64_t)number;
	return (struct str){id.p - key, id.n + key};
}

/* False when a field is missing, or is no number. */
static bool
binder_read(const struct logline *line, bool received, struct binder_event *e, struct str *chain)
{
	int64_t process, reply = 0, flags = 0;

	*e = (struct binder_event){.received = received};
	*chain = transaction(line->payload, e);
	if (chain->p == NULL || (!received && !kernel_number(field(line->payload, STR("dest_proc=")), &process)))
		return false;
	if (received)
		return true;
	(void)kernel_number(field(line->payload, STR("reply=")), &reply);
	(void)kernel_number(field(line->payload, STR("flags=")), &flags);
	e->reply = reply != 0;
	e->one_way = (flags & 1) != 0;
	return true;
}

void
spans_scan(struct scanned *s, const struct kernel_event *event)
{
	struct binder_event e;
	struct str chain;

	s->kind = SCAN_RECORD;
	s->event = (uint8_t)event->field;
	if (event->does != KERNEL_BINDER)
		return;
	if (binder_read(&s->line, s->event == BINDER_RECEIVED, &e, &chain))
		binder_scan(s, &e, chain);
	else
		s->kind = SCAN_BROKEN;
}

void
spans_before(struct reader *r, struct scanned *s)
{
	struct binder_event e;
	struct str chain;

	if (s->kind == SCAN_MARKER && binder_read(&s->line, s->event == BINDER_RECEIVED, &e, &chain))
		binder_take(r, s, &e);
}

void
spans_after(struct reader *r, const struct scanned *s)
{
	int64_t vector;

	if (s->event == IRQ_ENTRY)
		interrupt_take(r, &s->line, INTERRUPT_BEGIN, field(s->line.payload, STR("name=")), 0);
	else if (s->event == IRQ_EXIT || s->event == SOFTIRQ_EXIT)
		interrupt_take(r, &s->line, INTERRUPT_END, STR(""), 0);
	else if (s->event == SOFTIRQ_ENTRY && kernel_number(field(s->line.payload, STR("vec=")), &vector))
		interrupt_take(r, &s->line, INTERRUPT_SOFT_BEGIN, STR("softirq"), (uint64_t)vector);
}
