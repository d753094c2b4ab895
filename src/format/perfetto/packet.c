// SPDX-License-Identifier: Apache-2.0
/* packet: packets of a Perfetto trace, the sequences they are of, and their interned texts. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "format/perfetto/perfetto.h"

/* Packets --------------------------------------------------------------------------- */

enum { FLAG_CLEARED = 1, FLAG_NEEDS = 2 };

bool
packet_is_read(uint32_t field)
{
	static const uint8_t read[] = {PACKET_FTRACE, PACKET_PROCESS_TREE, PACKET_CLOCK_SNAPSHOT,
	    PACKET_STATS, PACKET_TRACK_EVENT, PACKET_FTRACE_STATS, PACKET_TRACE_STATS,
	    PACKET_PROCESS_OLD, PACKET_THREAD_OLD, PACKET_SYSTEM, PACKET_TRACK, PACKET_SERVICE,
	    PACKET_FRAME, PACKET_SAMPLE, PACKET_PROFILE, PACKET_LOG};

	return field < 256 && memchr(read, (int)field, sizeof(read)) != NULL;
}

bool
trace_packet_read(struct trace_packet *p, struct wire content, uint64_t at)
{
	struct wire_field f;

	*p = (struct trace_packet){.at = at};
	while (wire_next(&content, &f)) {
		switch (f.number) {
		case PACKET_TIMESTAMP:
			p->timestamp = f.value;
			p->timed = true;
			break;
		case PACKET_CLOCK:
			p->clock_id = (uint32_t)f.value;
			break;
		case PACKET_SEQUENCE:
			p->sequence = (uint32_t)f.value;
			break;
		case PACKET_FLAGS:
			p->cleared |= (f.value & FLAG_CLEARED) != 0;
			p->needs = (f.value & FLAG_NEEDS) != 0;
			break;
		case PACKET_CLEARED:
			p->cleared |= f.value != 0;
			break;
		case PACKET_DROPPED:
			p->dropped = f.value;
			break;
		case PACKET_INTERNED:
			p->interned = wire_message(&f);
			break;
		case PACKET_DEFAULTS:
			p->defaults = wire_message(&f);
			break;
		case PACKET_PID:
			p->pid = (uint32_t)f.value;
			break;
		case PACKET_MACHINE:
			p->foreign = f.value != 0;
			break;
		default:
			if (f.type == WIRE_BYTES && (p->field == 0 || packet_is_read(f.number))) {
				p->data = f.bytes;
				p->field = f.number;
			}
		}
	}
	return content.p == content.end;
}

bool
payload_read(struct payload *p, struct wire message)
{
	struct wire_field f;

	memset(p, 0, sizeof(*p));
	while (wire_next(&message, &f)) {
		if (f.number >= PAYLOAD_FIELDS)
			continue;
		p->number[f.number] = f.value;
		p->text[f.number] = wire_text(&f);
	}
	return message.p == message.end;
}

bool
trace_packet_at(const struct perfetto *pf, uint64_t at, struct trace_packet *p)
{
	struct wire rest = {pf->file.p + at, pf->file.end};
	struct wire_field f;

	return wire_next(&rest, &f) && f.type == WIRE_BYTES && trace_packet_read(p, f.bytes, at);
}

/* Texts ----------------------------------------------------------------------------- */

static struct str *
text_place(struct perfetto *pf, uint32_t table, uint32_t field, uint64_t iid)
{
	struct str key = {(const char *)&iid, sizeof(iid)};
	uint32_t index = intern_add(&pf->iids, key, (uint64_t)table << 32 | field);
	size_t known = pf->text_room;

	MEM_GROW(pf->texts, pf->text_room, (size_t)index + 1);
	if (pf->text_room > known)
		memset(pf->texts + known, 0, (pf->text_room - known) * sizeof(*pf->texts));
	return &pf->texts[index];
}

struct str
text_of(const struct perfetto *pf, uint32_t generation, uint32_t field, uint64_t iid)
{
	struct str key = {(const char *)&iid, sizeof(iid)};
	uint32_t index = intern_find(&pf->iids, key,
	    (uint64_t)pf->generations[generation].table << 32 | field);

	return index != IDMAP_NONE ? pf->texts[index] : (struct str){NULL, 0};
}

static struct str
keep(struct perfetto *pf, struct str text, uint64_t most)
{
	struct trace *t = pf->r.trace;
	uint32_t index;

	pthread_mutex_lock(&t->lock);
	index = intern_find(&pf->kept, text, 0);
	if (index == IDMAP_NONE && pf->kept_bytes <= most) {
		pf->kept_bytes += text.n;
		index = intern_add(&pf->kept, arena_str(&t->arena, text), 0);
	}
	text = index != IDMAP_NONE ? pf->kept.items[index].text : STR("");
	pthread_mutex_unlock(&t->lock);
	return text;
}

struct str
text_keep(struct perfetto *pf, struct str text)
{
	return keep(pf, text, UINT64_MAX);
}

struct str
args_keep(struct perfetto *pf, struct str args)
{
	enum { BYTES_MOST = 32 << 20 };

	return keep(pf, args, BYTES_MOST);
}

struct str
chain_keep(struct perfetto *pf, const char *what, uint64_t id)
{
	enum { BYTES_MOST = 4 << 20 }; /* some 300,000 chains */
	char text[32];

	snprintf(text, sizeof(text), "%s %" PRIx64, what, id);
	return keep(pf, str_from(text), BYTES_MOST);
}

/* Of call stacks the entries themselves are kept: they are numbers, of one another. */
static bool
is_entry(uint32_t field)
{
	return field == INTERNED_FRAMES || field == INTERNED_CALLSTACKS ||
	    field == INTERNED_MAPPINGS;
}

/* Entries {1 iid, 2 text}; an iid that is given twice means the first. */
static void
interned_take(struct perfetto *pf, uint32_t table, struct wire message)
{
	struct wire_field entry, f;

	while (wire_next(&message, &entry)) {
		struct wire rest = wire_message(&entry);
		struct str text = {"", 0}, *place;
		uint64_t iid = 0;

		while (wire_next(&rest, &f)) {
			if (f.number == 1)
				iid = f.value;
			else if (f.number == 2)
				text = wire_text(&f);
		}
		if (is_entry(entry.number))
			text = wire_text(&entry);
		place = text_place(pf, table, entry.number, iid);
		if (place->p == NULL)
			*place = text;
	}
}

/* Sequences ------------------------------------------------------------------------- */

uint32_t
generation_add(struct perfetto *pf, struct generation g)
{
	MEM_GROW(pf->generations, pf->generation_room, pf->generation_count + 1);
	pf->generations[pf->generation_count] = g;
	return (uint32_t)pf->generation_count++;
}

static uint32_t
sequence_of(struct perfetto *pf, uint32_t id, uint64_t at)
{
	uint32_t index = idmap_add(&pf->sequence_ids, id, pf->sequence_count);

	if (index == pf->sequence_count) {
		struct generation g = {.from = at, .sequence = index,
		    .table = (uint32_t)pf->generation_count};

		MEM_GROW(pf->sequences, pf->sequence_room, pf->sequence_count + 1);
		pf->sequences[pf->sequence_count++] = (struct sequence){
		    .id = id, .generation = generation_add(pf, g)};
	}
	return index;
}

/* What packets of the sequence leave out from here on. */
static void
defaults_take(struct perfetto *pf, struct sequence *s, struct wire message, uint64_t at)
{
	struct generation g = pf->generations[s->generation];
	struct wire_field f, inner;

	g.from = at;
	while (wire_next(&message, &f)) {
		struct wire rest = wire_message(&f);

		if (f.number == PACKET_CLOCK)
			g.clock_id = (uint32_t)f.value;
		else if (f.number == PACKET_TRACK_EVENT)
			g.event = rest;
		else if (f.number == 12)
			g.samples = rest;
		while (f.number == PACKET_TRACK_EVENT && wire_next(&rest, &inner)) {
			if (inner.number == 11)
				g.track = inner.value;
		}
	}
	s->generation = generation_add(pf, g);
}

uint32_t
sequence_take(struct perfetto *pf, const struct trace_packet *p)
{
	uint32_t index = sequence_of(pf, p->sequence, p->at);
	struct sequence *s = &pf->sequences[index];

	if (p->cleared) {
		const struct generation *before = &pf->generations[s->generation];

		s->generation = generation_add(pf, (struct generation){.from = p->at,
		    .sequence = index, .table = (uint32_t)pf->generation_count,
		    .has_thread = before->has_thread, .pid = before->pid, .tid = before->tid});
		s->valid = true;
		s->times_known = false;
	} else if (p->dropped != 0) {
		/* A sequence's first packet says so although nothing is missing. */
		damage_add(&pf->r.trace->damage, DAMAGE_LOST_RECORDS, s->met, p->at);
		s->valid = false;
	}
	s->met = true;
	if (p->defaults.p != NULL && s->valid)
		defaults_take(pf, s, p->defaults, p->at);
	if (p->interned.p != NULL && s->valid)
		interned_take(pf, pf->generations[s->generation].table, p->interned);
	return index;
}

uint32_t
generation_at(const struct perfetto *pf, const struct trace_packet *p)
{
	uint32_t sequence = idmap_get(&pf->sequence_ids, p->sequence);
	size_t low = 0, high = pf->generation_count;

	while (low < high) { /* the first that begins after the packet */
		size_t middle = (low + high) / 2;

		if (pf->generations[middle].from <= p->at)
			low = middle + 1;
		else
			high = middle;
	}
	while (low > 0 && pf->generations[low - 1].sequence != sequence)
		low--;
	return low > 0 ? (uint32_t)low - 1 : 0;
}
