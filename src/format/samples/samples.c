// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/samples/samples.h"

#include "base/mem.h"

enum {
	NOTES_ROOM = 16,     /* notes that come while others read them */
	UNIT_MOST = 32,      /* bytes of a unit's name */
	NAMES_TOLD = 8,      /* of values that are not read */
	GAPS_MOST = 1000,    /* of a thread, from which the usual one is known */
};

/* Sums of all threads stay below this. */
#define WEIGHT_MOST (UINT64_C(1) << 61)

/* A sample: its thread goes from one stack to another. */
struct kept_sample {
	uint32_t thread, from, to;
	uint32_t again;  /* calls of the innermost frame, beside the run that begins */
	uint64_t weight; /* of the thread's samples before */
	nsec at;
	uint64_t offset : 48;
	uint64_t common : 16; /* frames that go on */
};

/* Samples --------------------------------------------------------------------------- */

static void
block_close(struct sampler *s, uint64_t offset)
{
	struct sample_block *b = seg_reserve(&s->blocks);
	uint64_t before = s->source.begin;

	if (b == NULL)
		err_set(&s->source.failed, ERR_LIMIT, "more samples than can be counted");
	if (s->open.count == 0 || b == NULL) {
		s->open.count = 0;
		return;
	}
	if (s->blocks.count > 0)
		before = ((struct sample_block *)seg_at(&s->blocks, s->blocks.count - 1))->end;
	*b = s->open;
	b->offset = before;
	b->end = offset > before ? offset : before + 1; /* blocks are told apart by it */
	seg_commit(&s->blocks);
	s->open = (struct sample_block){0};
}

/* Puts the events of the sample that is added into blocks. */
static void
events_count(struct sampler *s, uint64_t count)
{
	uint32_t event = 0;

	while (count > 0) {
		uint32_t part;

		if (s->open.count == 0)
			s->open = (struct sample_block){.record = s->kept.count - 1, .event = event};
		part = BATCH_EVENTS - s->open.count;
		part = count < part ? (uint32_t)count : part;
		s->open.count += part;
		event += part;
		count -= part;
		if (s->open.count == BATCH_EVENTS)
			block_close(s, s->line_at);
	}
}

static void
sample_keep(struct sampler *s, uint32_t thread, uint32_t to)
{
	struct sampled_thread *t = &s->threads[thread];
	struct kept_sample *kept = spool_add(&s->kept, &s->source.failed);
	uint32_t common;
	uint64_t count;

	if (kept == NULL)
		return;
	common = samples_common(s, t->node, to);
	common = t->ended > 0 && common >= t->ended ? t->ended - 1 : common;
	*kept = (struct kept_sample){.thread = thread, .from = t->node, .to = to,
	    .weight = t->weight, .at = t->at, .offset = s->line_at, .common = common};
	if (to != 0 && s->calls > 0)
		kept->again = s->calls - (s->nodes[to].depth > common);
	count = (uint64_t)s->nodes[t->node].depth + s->nodes[to].depth - 2 * (uint64_t)common +
	    2 * (uint64_t)kept->again;
	events_count(s, count > 0 ? count : 1);
	s->calls = t->ended = 0;
	t->node = to;
}

struct sampled_thread *
samples_thread(struct sampler *s, uint32_t thread)
{
	if (thread >= s->thread_count) {
		MEM_GROW_ZERO(s->threads, s->thread_room, (size_t)thread + 1);
		s->thread_count = (size_t)thread + 1;
	}
	return &s->threads[thread];
}

uint32_t
samples_thread_named(struct sampler *s, uint32_t id, struct str name)
{
	uint32_t thread = idmap_get(&s->tasks, id);

	if (thread != IDMAP_NONE &&
	    (name.n == 0 || str_equal(trace_thread(s->trace, thread)->name, name)))
		return thread;
	thread = trace_thread_define(s->trace, id, trace_keep(s->trace, name), NULL);
	if (thread != THREAD_NONE)
		idmap_put(&s->tasks, id, thread);
	return thread;
}

uint32_t
samples_thread_one(struct sampler *s)
{
	return trace_thread_define(s->trace, 1, str_from(path_base(s->trace->path)), NULL);
}

void
samples_add(struct sampler *s, uint32_t thread, uint64_t weight, nsec at, bool innermost_first)
{
	samples_add_stack(s, thread, weight, at, samples_stack(s, innermost_first));
}

/* Keeps a time between two samples among the first ones, the shortest first. */
static void
gap_keep(struct sampled_thread *t, uint64_t gap)
{
	uint32_t i = t->gap_count;

	if (i == GAPS_MOST)
		return;
	MEM_GROW(t->gaps, t->gap_room, (size_t)i + 1);
	for (; i > 0 && t->gaps[i - 1] > gap; i--)
		t->gaps[i] = t->gaps[i - 1];
	t->gaps[i] = gap;
	t->gap_count++;
}

/*
 * A sample stands for twice the time that is usual between the thread's samples, as far as these are
 * known, or for its weight.  Where the next one comes later, its time ends before.
 */
static void
gap_end(struct sampler *s, uint32_t thread, nsec at)
{
	struct sampled_thread *t = &s->threads[thread];
	uint64_t reach = 2 * (t->gap_count > 0 ? t->gaps[t->gap_count / 2] : t->pending);

	reach = reach > t->pending ? reach : t->pending;
	if (t->met && at > t->at) {
		uint64_t gap = (uint64_t)(at - t->at);

		gap_keep(t, gap);
		if (t->pending > 0 && gap > reach) {
			t->weight += t->pending;
			t->pending = 0;
			t->at += (nsec)reach;
			sample_keep(s, thread, t->node);
		}
	}
	t->met = true;
	t->at = at > t->at ? at : t->at;
}

void
samples_add_stack(struct sampler *s, uint32_t thread, uint64_t weight, nsec at, uint32_t node)
{
	struct sampled_thread *t;

	if (thread == THREAD_NONE) {
		samples_fault(s, DAMAGE_MALFORMED_LINE);
		return;
	}
	if (weight > WEIGHT_MOST - s->total) {
		samples_fault(s, DAMAGE_MALFORMED_LINE);
		weight = 0;
	}
	t = samples_thread(s, thread);
	s->trace->unit.fractions |= unit_counts(&s->trace->unit) && weight % 1000 > 0;
	s->total += weight;
	if (s->timed)
		gap_end(s, thread, at);
	t->weight += t->pending;
	t->pending = weight;
	if (s->walled) {
		t->at += (nsec)t->wall;
		t->wall = s->wall <= WEIGHT_MOST - s->walls ? s->wall : 0;
		s->walls += t->wall;
	}
	sample_keep(s, thread, node);
}

/* Adds the sample that waits, with the time until `at`. */
static void
stamp_end(struct sampler *s, uint32_t thread, struct sampled_thread *t, nsec *at)
{
	if (*at < t->stamp) {
		samples_fault(s, DAMAGE_BACKWARD_CLOCK);
		*at = t->stamp;
	}
	samples_add_stack(s, thread, (uint64_t)(*at - t->stamp), t->stamp, t->stack);
	t->waits = false;
}

void
samples_stamp(struct sampler *s, uint32_t thread, nsec at, uint32_t node)
{
	struct sampled_thread *t;

	if (thread == THREAD_NONE) {
		samples_fault(s, DAMAGE_MALFORMED_LINE);
		return;
	}
	t = samples_thread(s, thread);
	if (t->waits)
		stamp_end(s, thread, t, &at);
	t->waits = true;
	t->stamp = at;
	t->stack = node;
}

void
samples_stop(struct sampler *s, uint32_t thread, nsec at)
{
	struct sampled_thread *t = samples_thread(s, thread);

	if (!t->waits)
		return;
	at = at > t->stamp ? at : t->stamp;
	stamp_end(s, thread, t, &at);
}

/* Every thread's last sample ends. */
static void
samples_end(struct sampler *s)
{
	s->line_at = s->source.end - s->source.past;
	for (uint32_t i = 0; i < s->thread_count; i++) {
		struct sampled_thread *t = &s->threads[i];

		samples_stop(s, i, t->stamp);
		t->weight += t->pending;
		t->at += (nsec)(s->timed ? t->pending : t->wall);
		if (t->pending > 0 || t->wall > 0 || t->node != 0)
			sample_keep(s, i, 0);
		t->pending = 0;
	}
	block_close(s, s->line_at);
	if (s->format->end != NULL)
		s->format->end(s);
	s->done = true;
}

bool
samples_give_back(struct input *in)
{
	*in = (struct input){.folder = in->folder};
	return false;
}

/* Lines and faults ------------------------------------------------------------------ */

struct str
samples_event(struct str event)
{
	size_t n = event.n;

	while (n > 0 && event.p[n - 1] != ':' && event.p[n - 1] != '/' &&
	    memchr("ukhHGpPSDIWeb", event.p[n - 1], 13) != NULL)
		n--;
	return n > 1 && (event.p[n - 1] == ':' || event.p[n - 1] == '/')
	    ? (struct str){event.p, n - (event.p[n - 1] == ':')} : event;
}

bool
samples_is_clock(struct str event)
{
	struct str base = samples_event(event);

	return str_equal(base, STR("cpu-clock")) || str_equal(base, STR("task-clock"));
}

bool
samples_unit(struct sampler *s, struct str event)
{
	if (samples_is_clock(event))
		return true;
	s->trace->unit.name = trace_print(s->trace, "%.*s",
	    STR_ARG(str_head(samples_event(event), UNIT_MOST))).p;
	return false;
}

/* Writes at most some of the names but one, with commas. */
static void
names_list(struct sbuf *text, const struct str *names, size_t count, size_t without)
{
	for (size_t i = 0, told = 0; i < count && told < NAMES_TOLD; i++) {
		if (i == without)
			continue;
		sbuf_text(text, told++ > 0 ? ", " : "");
		sbuf_str(text, str_head(names[i], UNIT_MOST));
	}
}

size_t
samples_choose(const char *wanted, const struct str *names, size_t count, size_t otherwise,
    struct err *e)
{
	struct sbuf list = {0};

	if (wanted == NULL)
		return otherwise;
	for (size_t i = 0; i < count; i++) {
		if (str_equal(names[i], str_from(wanted)))
			return i;
	}
	for (size_t i = 0; i < count; i++) {
		if (str_equal(samples_event(names[i]), str_from(wanted)))
			return i;
	}
	names_list(&list, names, count, count);
	err_set(e, ERR_UNSUPPORTED, "--sample-type=%s: there is none of that name; there are %s", wanted,
	    sbuf_cstr(&list));
	sbuf_release(&list);
	return count;
}

void
samples_others(struct sampler *s, const struct str *names, size_t count, size_t chosen)
{
	struct sbuf list = {0};

	if (count < 2)
		return;
	names_list(&list, names, count, chosen);
	trace_note(s->trace, "other values are left out: %s; --sample-type reads one of them",
	    sbuf_cstr(&list));
	sbuf_release(&list);
}

/* Text ------------------------------------------------------------------------------ */

void
samples_goto(struct sampler *s, const uint8_t *at)
{
	s->line_at = (uint64_t)(at - s->in.data.bytes);
	filemap_passed(&s->in.data, &s->passed, (size_t)s->line_at);
}

bool
samples_line(struct sampler *s, struct str *line)
{
	const char *end;

	if (s->at >= s->text_end)
		return false;
	s->line_at = (uint64_t)(s->at - (const char *)s->in.data.bytes);
	end = memchr(s->at, '\n', (size_t)(s->text_end - s->at));
	if (end == NULL)
		end = s->text_end;
	*line = (struct str){s->at, (size_t)(end - s->at)};
	while (line->n > 0 && (line->p[line->n - 1] == '\r' || line->p[line->n - 1] == '\0'))
		line->n--;
	s->at = end < s->text_end ? end + 1 : end;
	filemap_passed(&s->in.data, &s->passed, (size_t)s->line_at);
	return true;
}

/* Faults are told with the block that they are before, however often that is counted. */
void
samples_fault(struct sampler *s, enum damage_kind kind)
{
	struct sample_fault *last = s->fault_count > 0 ? &s->faults[s->fault_count - 1] : NULL;

	if (last != NULL && last->block == s->blocks.count && last->kind == kind) {
		last->count++;
		return;
	}
	*MEM_ADD(s->faults, s->fault_count, s->fault_room) =
	    (struct sample_fault){s->blocks.count, 1, s->line_at, kind};
}

/* Adds the faults of a block, and with the last one those after it. */
static void
faults_tell(const struct sampler *s, uint64_t block, struct damage *damage)
{
	size_t i = mem_before(s->faults, s->fault_count, sizeof(*s->faults), &block,
	    mem_order_leading);

	for (; i < s->fault_count; i++) {
		const struct sample_fault *f = &s->faults[i];

		if (f->block != block && block < s->blocks.count)
			break;
		damage_add(damage, f->kind, f->count, f->offset);
	}
}

/* The source ------------------------------------------------------------------------ */

/* Writes the sample's events from `skip` on; returns how many fit. */
static uint32_t
sample_events(const struct sampler *s, const struct kept_sample *k, uint32_t skip,
    struct batch *b, uint32_t room)
{
	uint32_t path[SAMPLE_DEPTH_MAX], common = k->common;
	uint32_t exits = s->nodes[k->from].depth - common, entries = s->nodes[k->to].depth - common;
	uint32_t count = exits + entries, all = count + 2 * k->again, n = 0, node = k->to;
	bool cpu = trace_has_clock(s->trace, CLOCK_CPU);
	struct event ev = {.thread = k->thread, .word = WORD_TICK,
	    .time = {[CLOCK_CPU] = cpu ? k->weight : 0,
		[CLOCK_WALL] = cpu ? (uint64_t)k->at : k->weight}};

	for (uint32_t i = entries; i-- > 0; node = s->nodes[node].parent)
		path[i] = s->nodes[node].method;
	node = exits > skip ? samples_below(s, k->from, s->nodes[k->from].depth - skip) : 0;
	for (uint32_t i = skip; n < room && (i < all || (all == 0 && n == 0)); i++, n++) {
		if (i < exits) {
			ev.word = s->nodes[node].method << 2 | ACTION_EXIT;
			node = s->nodes[node].parent;
		} else if (i < count) {
			ev.word = path[i - exits] << 2 | ACTION_ENTER;
		} else if (all > 0) {
			ev.word = s->nodes[k->to].method << 2 |
			    ((i - count) % 2 == 0 ? ACTION_EXIT : ACTION_ENTER);
		}
		b->place[b->count] = (uint32_t)(k->offset - b->offset);
		b->ev[b->count++] = ev;
	}
	return n;
}

static void
samples_read(struct source *source, struct cursor *at, struct batch *b, uint32_t max,
    struct damage *damage)
{
	struct sampler *s = (struct sampler *)source;
	uint64_t index = at->state[0], record;
	const struct sample_block *block;
	uint32_t skip;

	/* A block is a batch. */
	b->count = 0;
	b->stride = 0;
	while (s->blocks.count <= index && !s->done && source->failed.kind == ERR_NONE) {
		if (!s->format->take(s))
			samples_end(s);
	}
	if (index >= s->blocks.count) {
		faults_tell(s, index, damage);
		at->offset = source->end;
		return;
	}
	faults_tell(s, index, damage);
	block = seg_at(&s->blocks, (uint32_t)index);
	record = block->record;
	skip = block->event;
	b->offset = ((const struct kept_sample *)spool_peek(&s->kept, record))->offset;
	while (b->count < block->count) {
		(void)sample_events(s, spool_peek(&s->kept, record), skip, b, block->count - b->count);
		record++;
		skip = 0;
	}
	at->offset = block->end;
	at->state[0] = index + 1;
}

static uint64_t
samples_left(struct source *source, bool ask)
{
	const struct filemap *data = &((struct sampler *)source)->in.data;
	uint64_t left = filemap_left(data, ask);

	return left < data->size ? left : UINT64_MAX;
}

static void
samples_free(struct source *source)
{
	struct sampler *s = (struct sampler *)source;

	intern_release(&s->names);
	idmap_release(&s->children);
	idmap_release(&s->tasks);
	mem_free(s->frames);
	mem_free(s->methods);
	mem_free(s->nodes);
	mem_free(s->guesses);
	for (uint32_t i = 0; i < s->thread_count; i++)
		mem_free(s->threads[i].gaps);
	mem_free(s->threads);
	mem_free(s->faults);
	spool_release(&s->kept);
	seg_release(&s->blocks);
	input_close(&s->in);
	if (s->format->free != NULL)
		s->format->free(s);
	mem_free(s);
}

static const struct source_ops samples_ops = {
	.read = samples_read,
	.left = samples_left,
	.free = samples_free,
};

void
samples_clocks(struct sampler *s, unsigned clocks)
{
	s->trace->clocks = clocks;
	s->trace->own_axes = false;
	s->timed = clocks == HAS_BOTH;
}

void
samples_open(struct sampler *s, const struct samples_format *format, struct trace *t,
    struct input *input)
{
	s->format = format;
	s->trace = t;
	s->in = *input;
	s->at = (const char *)s->in.data.bytes;
	s->text_end = s->at + s->in.data.size;
	if (s->in.data.size >= 3 && memcmp(s->at, "\xef\xbb\xbf", 3) == 0)
		s->at += 3; /* a byte order mark */
	s->source.ops = &samples_ops;
	/* A sample has more events than its line has bytes when the one before was deep. */
	s->source.past = s->in.data.size / 512 + 1024;
	s->source.end = s->in.data.size + s->source.past;
	spool_init(&s->kept, sizeof(struct kept_sample), input->folder);
	s->blocks = SEG_INIT(struct sample_block);
	MEM_GROW(s->nodes, s->node_room, 1);
	MEM_GROW(s->guesses, s->guess_room, 1);
	s->nodes[0] = (struct stack_node){0};
	s->guesses[0] = 0;
	s->node_count = 1;
	MEM_GROW(t->notes, t->note_room, NOTES_ROOM);
	t->source = &s->source;
	t->sampled = true;
	t->clocks = HAS_CPU;
	t->own_axes = true;
}
