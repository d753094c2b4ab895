// SPDX-License-Identifier: Apache-2.0
/*
 * streaming: records with names between them, a summary at the end.
 *
 * Written by ART since 6.0 (runtime/trace.cc, Trace::LogMethodTraceEvent and
 * Trace::FinishTracing with streaming on).  Layout: doc/formats.md.  The options are
 * known from the summary, or a .sec file, before the first record is read; names come as
 * they are read.
 */
#include <config.h>

#include "format/method/method.h"

#include <string.h>

#include "base/compat.h"
#include "base/map.h"
#include "base/mem.h"
#include "format/input.h"
#include "trace/damage.h"
#include "trace/trace.h"

/* Packets --------------------------------------------------------------------------- */

enum {
	SUMMARY_HEAD = 7,           /* bytes before its text */
	STRAY_MAX = 4096,           /* bytes after the summary */
	SUMMARY_MAX = 64 << 20,     /* more methods than any app has */
};

/* Reads a packet; `p`: at the thread id of 0. */
static enum packet_fit
packet_read(struct packet *k, const uint8_t *p, uint64_t left)
{
	static const uint8_t heads[] = {
		[PACKET_METHOD] = 5, [PACKET_THREAD] = 7, [PACKET_SUMMARY] = SUMMARY_HEAD};
	uint64_t head, text;
	uint8_t kind;

	if (left < 3)
		return PACKET_CUT;
	kind = *(const volatile uint8_t *)(p + 2); /* read once: the file may change meanwhile */
	if (kind < PACKET_METHOD || kind > PACKET_SUMMARY)
		return PACKET_BAD;
	k->kind = (enum packet_kind)kind;
	head = heads[k->kind];
	if (left < head)
		return PACKET_CUT;
	k->thread = k->kind == PACKET_THREAD ? get_u16(p + 3) : 0;
	text = k->kind == PACKET_SUMMARY ? get_u32(p + 3) : get_u16(p + head - 2);
	if (left - head < text)
		return PACKET_CUT;
	k->text = (struct str){(const char *)p + head, text};
	k->size = head + text;
	return PACKET_WHOLE;
}

/* Where the text's last line ends, from the end backwards; 0 when it is not there. */
static uint64_t
text_end(const uint8_t *p, uint64_t size)
{
	static const char line[] = "*end\n";
	uint64_t least = size > STRAY_MAX ? size - STRAY_MAX : 0;

	for (uint64_t end = size; end >= least + 5; end--) {
		if (memcmp(p + end - 5, line, 5) == 0)
			return end;
	}
	return 0;
}

/*
 * Looks for a summary that ends where the bytes do, or is only followed by a little
 * that does not belong there.  Returns the offset of its packet and fills it, or
 * UINT64_MAX.
 */
static uint64_t
packet_find_summary(struct packet *k, const uint8_t *p, uint64_t size)
{
	static const char line[] = "*version\n";
	uint64_t end = text_end(p, size);
	uint64_t least = end > SUMMARY_MAX ? end - SUMMARY_MAX : 0;
	const uint8_t *at = p + end;

	while (end > 0 && (at = memrchr(p + least, '*', (size_t)(at - p - least))) != NULL) {
		uint64_t begin = (uint64_t)(at - p);

		if (begin < SUMMARY_HEAD || end - begin < sizeof(line) - 1 ||
		    memcmp(at, line, sizeof(line) - 1) != 0)
			continue;
		if (packet_read(k, at - SUMMARY_HEAD, end - begin + SUMMARY_HEAD) ==
			PACKET_WHOLE &&
		    k->kind == PACKET_SUMMARY && k->text.n == end - begin &&
		    get_u16(at - SUMMARY_HEAD) == 0)
			return begin - SUMMARY_HEAD;
	}
	return UINT64_MAX;
}

/* Where fields are ------------------------------------------------------------------ */

enum {
	THREADS = 1 << 16,
	WINDOW = 4 << 20, /* bytes that both go through before either goes on */
};

enum { NAMED = 1, SEEN = 2 }; /* of a thread id */

struct trial {
	struct record_fields layout;
	uint64_t at;      /* where it is, from the first record */
	uint64_t records;
	uint64_t odd;     /* records that no recorder writes, or of threads without a name */
	bool impossible;  /* one has an action that there is not */
	bool over;        /* cannot go on, or is at the end */
	uint8_t threads[THREADS];
};

static struct trial *
trial_new(uint32_t record, const struct trace *t)
{
	struct trial *r = mem_zero(1, sizeof(*r));

	r->layout = (struct record_fields){record, true};
	for (uint32_t i = 0; i < t->threads.count; i++)
		r->threads[trace_thread(t, i)->id % THREADS] = NAMED;
	return r;
}

static void
record_try(struct trial *r, const uint8_t *p)
{
	uint8_t *thread = &r->threads[get_u16(p)];
	bool impossible = (get_u32(p + 2) & 3) == 3;

	r->records++;
	r->impossible |= impossible;
	r->odd += impossible || (*thread & NAMED) == 0;
	if ((*thread & SEEN) == 0 && get_u32(p + 6) != 0)
		r->layout.starts_at_zero = false;
	*thread |= SEEN;
}

/* Goes on up to `until` or the packet or record that reaches over it. */
static void
trial_go(struct trial *r, const uint8_t *p, uint64_t size, uint64_t until)
{
	const uint32_t record = r->layout.record;

	while (r->at < until && !r->over) {
		uint64_t left = size - r->at;
		struct packet k;

		if (left >= record && get_u16(p + r->at) != 0) {
			record_try(r, p + r->at);
			r->at += record;
		} else if (left >= 2 && get_u16(p + r->at) == 0 &&
		    packet_read(&k, p + r->at, left) == PACKET_WHOLE) {
			if (k.kind == PACKET_THREAD)
				r->threads[k.thread] |= NAMED;
			r->at += k.size;
		} else {
			r->over = true;
		}
	}
	r->over |= r->at == size;
}

/* Bytes of records that make sense. */
static uint64_t
trial_sense(const struct trial *r)
{
	return (r->records - r->odd) * r->layout.record;
}

/* True if it came to the end, or the summary, without anything impossible. */
static bool
trial_clean(const struct trial *r, uint64_t size)
{
	return r->at == size && !r->impossible;
}

/* True if this trial has won for certain against `other`, which is over. */
static bool
trial_won(const struct trial *r, const struct trial *other, uint64_t size, bool ask_zero)
{
	return other->over && !trial_clean(other, size) &&
	    trial_sense(r) > trial_sense(other) && (!ask_zero || !r->layout.starts_at_zero);
}

/* True if it is better than the ten-byte one, both being at their ends. */
static bool
trial_better(const struct trial *r, const struct trial *ten, uint64_t size)
{
	if (trial_clean(r, size) != trial_clean(ten, size))
		return trial_clean(r, size);
	if (trial_sense(r) != trial_sense(ten))
		return trial_sense(r) > trial_sense(ten);
	if ((r->at == size) != (ten->at == size))
		return r->at == size;
	return r->at > ten->at;
}

/*
 * Finds the layout of records.  `from`: of the first record; `to`: the end of the file, or its
 * summary.  Threads that the trace has by then are known, beside those that packets name.
 */
static struct record_fields
layout_find(const struct filemap *file, const struct trace *t, uint64_t from, uint64_t to,
    bool ask_zero)
{
	struct trial *ten = trial_new(10, t), *fourteen = trial_new(14, t);
	const uint8_t *p = file->bytes + from;
	uint64_t size = to - from, until = 0, behind = 0;
	struct record_fields layout;

	while (!(ten->over && fourteen->over) && !trial_won(ten, fourteen, size, ask_zero) &&
	    !trial_won(fourteen, ten, size, ask_zero)) {
		/* A packet may be larger than what follows it. */
		until += size - until < WINDOW ? size - until : WINDOW;
		trial_go(ten, p, size, until);
		trial_go(fourteen, p, size, until);
		filemap_behind(file, from + behind, from + until);
		behind = until;
	}
	layout = trial_better(fourteen, ten, size) ? fourteen->layout : ten->layout;
	mem_free(ten);
	mem_free(fourteen);
	return layout;
}

/* A trace that is read ------------------------------------------------------------ */

struct unnamed {
	struct idmap of_row;
	struct unnamed_row {
		uint64_t records;
		uint64_t offset; /* of the first: grows from item to item */
		uint32_t row;
	} *items;
	size_t count, room;
	size_t first; /* all items before this were named */
};

struct streaming {
	struct method_source m;
	struct unnamed methods, threads;
	uint64_t fresh; /* names before this offset were taken */
	uint64_t tail;  /* where the end cuts a record or packet; 0: it does not */
	bool ended;     /* with more after it all is another trace */
	bool guessed;   /* the trace's data tell how large records are: */
	struct record_fields layout;
};

/* Methods without a name ------------------------------------------------------------ */

/* Records of `row`. */
static void
unnamed_count(struct unnamed *u, uint32_t row, uint64_t records, enum damage_kind kind,
    struct damage *damage, uint64_t offset)
{
	uint32_t at = idmap_add(&u->of_row, row, u->count);

	damage_add(damage, kind, records, offset);
	if (at == u->count)
		*MEM_ADD(u->items, u->count, u->room) = (struct unnamed_row){.offset = offset, .row = row};
	u->items[at].records += records;
}

/* The file names `row` after all. */
static void
unnamed_named(struct unnamed *u, uint32_t row, enum damage_kind kind, struct damage *damage)
{
	uint32_t at = idmap_get(&u->of_row, row);
	uint64_t records;

	if (at == IDMAP_NONE)
		return;
	records = u->items[at].records;
	u->items[at].records = 0;
	while (u->first < u->count && u->items[u->first].records == 0)
		u->first++;
	damage_subtract(damage, kind, records,
	    u->first < u->count ? u->items[u->first].offset : 0);
}

static void
unnamed_release(struct unnamed *u)
{
	idmap_release(&u->of_row);
	mem_free(u->items);
	*u = (struct unnamed){0};
}

/* Records --------------------------------------------------------------------------- */

static uint32_t
streaming_method_unknown(struct source *source, uint32_t word, struct damage *damage,
    uint64_t offset)
{
	struct streaming *s = (struct streaming *)source;
	uint32_t row = trace_method_adopt(s->m.trace, word & ~3u);

	if (damage != NULL)
		unnamed_count(&s->methods, row, 1, DAMAGE_UNKNOWN_METHOD, damage, offset);
	return row;
}

static uint32_t
streaming_thread_unknown(struct source *source, uint32_t id, uint64_t records,
    struct damage *damage, uint64_t offset)
{
	struct streaming *s = (struct streaming *)source;
	uint32_t row = trace_thread_adopt(s->m.trace, id);

	if (damage != NULL)
		unnamed_count(&s->threads, row, records, DAMAGE_UNKNOWN_THREAD, damage, offset);
	return row;
}

static void
packet_apply(struct streaming *s, const struct packet *k, struct damage *damage)
{
	struct trace *t = s->m.trace;
	struct str line = k->kind == PACKET_SUMMARY ? k->text : trace_keep(t, k->text);
	struct method m;
	uint32_t row;
	bool was_unknown;

	if (k->kind == PACKET_THREAD) {
		row = trace_thread_define(t, k->thread, line, &was_unknown);
		if (was_unknown)
			unnamed_named(&s->threads, row, DAMAGE_UNKNOWN_THREAD, damage);
		return;
	}
	if (line.n > 0 && line.p[line.n - 1] == '\n')
		line.n--;
	if (k->kind != PACKET_METHOD || !methodline_parse(line, &m))
		return;
	m.known = true;
	m.id &= ~(uint64_t)3; /* as records have it, which may have been met already */
	row = trace_method_define(t, m.id >> 2, &m, &was_unknown);
	if (was_unknown)
		unnamed_named(&s->methods, row, DAMAGE_UNKNOWN_METHOD, damage);
}

/* Steps over what is no record, if more follows. */
static void
packet_pass(struct streaming *s, struct cursor *at, struct damage *damage)
{
	const uint8_t *p = s->m.in.data.bytes + at->offset;
	uint64_t left = s->m.source.end - at->offset;
	enum packet_fit fit;
	struct packet k;

	if (left == 0)
		return;
	fit = left >= 2 && get_u16(p) != 0 ? PACKET_CUT : packet_read(&k, p, left);
	if (fit != PACKET_WHOLE) {
		damage_add(damage, fit == PACKET_CUT ? DAMAGE_PARTIAL_RECORD : DAMAGE_UNREADABLE_DATA, 1,
		    at->offset);
		if (damage != NULL) {
			s->tail = fit == PACKET_CUT ? at->offset : 0;
			s->ended |= fit == PACKET_BAD;
		}
		at->offset = s->m.source.end;
		return;
	}
	if (at->offset >= s->fresh && damage != NULL) {
		packet_apply(s, &k, damage);
		s->fresh = at->offset + k.size;
	}
	at->offset += k.size;
}

/* A batch ends at a packet, at the latest: its records have one size. */
static void
streaming_read(struct source *source, struct cursor *at, struct batch *b, uint32_t max,
    struct damage *damage)
{
	struct streaming *s = (struct streaming *)source;
	const uint8_t *records = s->m.in.data.bytes + at->offset, *p = records;
	uint64_t left = (source->end - at->offset) / source->layout.size;

	b->stride = source->layout.size;
	b->offset = at->offset;
	for (b->count = 0; b->count < max && b->count < left && get_u16(p) != 0; b->count++)
		p += b->stride;
	if (b->count == 0)
		packet_pass(s, at, damage);
	records_decode(s->m.trace, &source->layout, records, b, damage);
	at->offset += (uint64_t)b->count * b->stride;
}

static void
streaming_anew(struct source *source)
{
	struct streaming *s = (struct streaming *)source;

	unnamed_release(&s->methods);
	unnamed_release(&s->threads);
}

/* Android 14 and later count threads from 1, which no process's thread had before. */
static bool
threads_counted(const uint8_t *p, uint64_t left)
{
	struct packet k;

	while (left >= 2 && get_u16(p) == 0 && packet_read(&k, p, left) == PACKET_WHOLE) {
		if (k.kind == PACKET_THREAD)
			return k.thread == 1;
		p += k.size;
		left -= k.size;
	}
	return false;
}

/* True if what was guessed of the records holds with what came, of which no thread is known yet. */
static bool
guess_holds(const struct streaming *s, uint64_t size)
{
	struct trace *unread = trace_new(s->m.trace->path);
	struct record_fields now = layout_find(&s->m.in.data, unread, s->m.source.begin, size, true);

	trace_free(unread);
	return now.record == s->layout.record && now.starts_at_zero == s->layout.starts_at_zero;
}

/*
 * More was written.  Once the summary is there the trace is another: it states the clocks and when
 * recording began.  Where it cannot be read again it ends before the summary.
 */
static bool
streaming_grow(struct source *source, uint64_t size, struct cursor *at, struct damage *damage)
{
	struct streaming *s = (struct streaming *)source;
	const uint8_t *p = s->m.in.data.bytes + source->begin;
	struct packet summary;
	uint64_t end;

	if (s->ended || !method_source_grow(&s->m, size) || (s->guessed && !guess_holds(s, size)) ||
	    (!source->forgotten && threads_counted(p, size - source->begin) != source->by_thread))
		return false;
	end = packet_find_summary(&summary, p, size - source->begin);
	s->ended = end != UINT64_MAX;
	if (s->ended && !source->forgotten)
		return false;
	source->end = s->ended ? source->begin + end : size;
	method_damage_set(s->m.trace, damage, DAMAGE_TRUNCATED_FILE, 1, size);
	if (s->tail > 0) {
		damage_set(damage, DAMAGE_PARTIAL_RECORD, 0, 0);
		at->offset = s->tail;
		s->tail = 0;
	}
	return true;
}

static const struct source_ops streaming_ops = {
	.read = streaming_read,
	.grow = streaming_grow,
	.method_unknown = streaming_method_unknown,
	.thread_unknown = streaming_thread_unknown,
	.anew = streaming_anew,
	.free = method_source_free,
};

/* Opening --------------------------------------------------------------------------- */

/* Infers the clocks without a text: two in version 3; in version 2 by the look of the times. */
static unsigned
clocks_infer(struct trace *t, const struct header *h, const struct record_fields *layout)
{
	unsigned clocks = HAS_BOTH;

	if (h->version == 2)
		clocks = layout->starts_at_zero ? HAS_CPU : HAS_WALL;
	trace_note(t, "the summary at its end is missing: the recording was not ended, or the "
		      "file was cut; the clock is taken as %s",
	    clocks == HAS_BOTH       ? "dual"
		: clocks == HAS_CPU ? "thread-cpu"
				    : "wall");
	return clocks;
}

/* `end`: of the records; the summary's packet, or the end of the file. */
static bool
records_open(struct trace *t, struct input *input, const struct header *h, uint64_t first,
    uint64_t end, const struct keytext *key, struct err *e)
{
	struct record_fields layout = {0};
	struct record_layout record;
	struct streaming *s;
	unsigned clocks;

	if (h->version == 2)
		layout = layout_find(&input->data, t, first, end, key == NULL);
	clocks = key != NULL ? clocks_choose(t, key->clock, h->version, h->record)
			     : clocks_infer(t, h, &layout);
	if (!layout_choose(&record, h, clocks, h->version == 2 ? layout.record : h->record, e))
		return false;
	if (key != NULL && key->version != (int)h->version)
		trace_note(t, "the summary says version %d, the data header %u; taken as %u",
		    key->version, h->version, h->version);
	s = mem_zero(1, sizeof(*s));
	records_begin(&s->m, t, input, h,
	    (struct source){.ops = &streaming_ops, .begin = first, .end = end, .layout = record,
		.by_thread = threads_counted(input->data.bytes + first, end - first)});
	damage_add(&t->damage, DAMAGE_BUFFER_OVERFLOW, t->overflow, end);
	damage_add(&t->damage, DAMAGE_TRUNCATED_FILE, key == NULL, input->data.size);
	s->ended = key != NULL;
	s->guessed = h->version == 2;
	s->layout = layout;
	return true;
}

bool
streaming_open_records(struct trace *t, struct input *input, const struct header *h,
    uint64_t first, const struct keytext *key, struct err *e)
{
	keytext_narrow_threads(t, 16);
	return records_open(t, input, h, first, input->data.size, key, e);
}

bool
streaming_open(struct trace *t, struct input *input, struct err *e)
{
	const struct filemap *data = &input->data;
	struct bytes in = {data->bytes, data->bytes + data->size, 0}, text = {0};
	uint64_t first, end, stray = 0;
	struct keytext key;
	struct packet summary;
	struct header h;
	bool told, text_apart = false;

	if (!header_read(&h, &in, e))
		return false;
	first = in.offset;
	end = packet_find_summary(&summary, data->bytes + first, data->size - first);
	if (end != UINT64_MAX) {
		end += first;
		text = (struct bytes){(const uint8_t *)summary.text.p,
		    (const uint8_t *)summary.text.p + summary.text.n, end + 7};
		stray = data->size - (end + summary.size);
	} else {
		end = data->size;
		text_apart = input->key.size > 0;
		if (text_apart)
			text = (struct bytes){input->key.bytes,
			    input->key.bytes + input->key.size, 0};
	}
	told = bytes_left(&text) > 0 && keytext_parse(&key, t, &text, KEYTEXT_ALONE, NULL);
	if (!told)
		keytext_none(t);
	t->text_apart = told && text_apart;
	keytext_narrow_threads(t, 16);
	if (!records_open(t, input, &h, first, end, told ? &key : NULL, e))
		return false;
	damage_add(&t->damage, DAMAGE_UNREADABLE_DATA, stray > 0, data->size - stray);
	return true;
}
