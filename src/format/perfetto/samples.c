// SPDX-License-Identifier: Apache-2.0
/*
 * samples: call stacks that a sampler saw: perf's (perf_sample), and Chrome's
 * (streaming_profile_packet).
 *
 * As in a method trace that a sampler wrote, a call begins at the first sample that has it
 * and ends at the first one that does not.  A thread's stacks are on a row of their own,
 * since its slices are no part of them.  perf looks at threads that run only: each of its
 * samples stands for a time on the CPU, and where the next one is late the thread did not
 * run in between.  Samples of a tracepoint, or of a counter that is no clock, are events:
 * calls of no length on another row, which are only counted.
 */
#include <config.h>

#include <inttypes.h>

#include "base/mem.h"
#include "format/perfetto/perfetto.h"

enum {
	PATH_PARTS = 7, /* of a mapping */
	LATE = 2, /* so many times as late as it should be */
	SECOND_NS = 1000000000,
};

struct sampled_row {
	uint32_t row, home; /* of its stacks, and the thread's own */
	bool counted;       /* its samples are no time */
	bool seen;          /* a sample was: at `last`, for `weight` on the CPU */
	nsec last, weight, ran;
};

struct samples {
	struct idmap threads, counted; /* process << 32 | thread -> rows */
	struct sampled_row *rows;
	size_t count, room;
};

/* Names ----------------------------------------------------------------------------- */

static struct wire
entry_of(const struct perfetto *pf, uint32_t generation, uint32_t field, uint64_t iid)
{
	return wire_of(text_of(pf, generation, field, iid));
}

/* The file that a mapping is of, without its folder. */
static struct str
module_name(const struct perfetto *pf, uint32_t generation, uint64_t mapping)
{
	struct pf_column parts = {
	    .rest = entry_of(pf, generation, INTERNED_MAPPINGS, mapping), .number = PATH_PARTS};
	struct str name = {"", 0};
	uint64_t part;

	while (column_next(&parts, &part))
		name = text_of(pf, generation, INTERNED_MAPPING_PATHS, part);
	return str_base(name);
}

/* "libc.so+0x1a2b" */
static struct str
name_make(struct perfetto *pf, uint32_t generation, uint64_t mapping, uint64_t pc)
{
	struct str module = module_name(pf, generation, mapping);

	return text_print(pf, "%.*s+0x%" PRIx64,
	    STR_ARG(module.n > 0 ? module : STR("(unknown)")), pc);
}

static struct str
frame_name(struct perfetto *pf, uint32_t generation, uint64_t frame)
{
	enum { FUNCTION = 2, MAPPING = 3, PC = 4 };
	struct payload p;
	struct str name;

	(void)payload_read(&p, entry_of(pf, generation, INTERNED_FRAMES, frame));
	name = text_of(pf, generation, INTERNED_FUNCTIONS, p.number[FUNCTION]);
	return name.n > 0 ? name : name_make(pf, generation, p.number[MAPPING], p.number[PC]);
}

/* Rows ------------------------------------------------------------------------------ */

/* Calls it "main (samples)", by what its thread is called now. */
static void
row_call(struct perfetto *pf, const struct sampled_row *s)
{
	struct reader *r = &pf->r;
	struct thread *thread = &r->rows[s->row].thread;
	const struct thread *home = &r->rows[s->home].thread;
	struct sbuf name = {0};

	sbuf_str(&name, home->name);
	sbuf_text(&name, home->name.n > 0 ? " " : "");
	sbuf_text(&name, s->counted ? "(counted samples)" : "(samples)");
	if (!str_equal(sbuf_view(&name), thread->name)) {
		thread->name = text_keep(pf, sbuf_view(&name));
		trace_thread_update(r->trace, s->row, thread);
	}
	sbuf_release(&name);
}

static struct sampled_row *
sampled_of(struct perfetto *pf, uint32_t pid, uint32_t tid, bool counted)
{
	struct samples *samples = pf->samples;
	struct reader *r = &pf->r;
	uint32_t index = idmap_add(counted ? &samples->counted : &samples->threads,
	    id_key((uint64_t)pid << 32 | tid), samples->count);
	struct thread thread = {.id = tid, .listed = true};
	struct sampled_row *s;

	if (index < samples->count)
		return &samples->rows[index];
	s = MEM_ADD(samples->rows, samples->count, samples->room);
	thread.process = process_of(r, pid);
	*s = (struct sampled_row){.home = row_of_tid(r, tid), .counted = counted};
	row_process(r, s->home, pid, KNOWN_COLUMN);
	s->row = row_add(r, &thread);
	if (s->row != THREAD_NONE) {
		r->rows[s->row].own_clock = true;
		row_call(pf, s);
	}
	return s;
}

/* Samples --------------------------------------------------------------------------- */

enum { WEIGHT_NONE = -1 }; /* the sample is no time */

/* Takes a stack that was seen for `weight` on the CPU; 0: until the next one. */
static void
stack_seen(struct perfetto *pf, uint32_t generation, uint32_t pid, uint32_t tid,
    uint64_t callstack, nsec weight)
{
	struct pf_column frames = {
	    .rest = entry_of(pf, generation, INTERNED_CALLSTACKS, callstack), .number = 2};
	struct sampled_row *s = sampled_of(pf, pid, tid, weight == WEIGHT_NONE);
	struct reader *r = &pf->r;
	nsec at = reader_time(r, r->last_ns);
	struct str names[DEPTH_MAX];
	uint32_t count = 0;
	uint64_t frame;

	if (frames.rest.p == NULL || s->row == THREAD_NONE) {
		record_broken(r);
		return;
	}
	if (s->seen) {
		s->ran += s->weight;
		row_ran(r, s->row, s->ran);
		if (s->weight > 0 && at - s->last >= LATE * s->weight)
			stack_take(r, s->row, NULL, 0, s->last + s->weight);
	}
	while (column_next(&frames, &frame)) {
		if (count < DEPTH_MAX)
			names[count++] = frame_name(pf, generation, frame);
		else
			slice_too_deep(r);
	}
	stack_take(r, s->row, names, count, at);
	if (s->counted) {
		stack_take(r, s->row, NULL, 0, at);
		return;
	}
	s->seen = true;
	s->last = at;
	s->weight = weight;
}

/* Tells how long a sample of perf's stands for; by default it is of the CPU's clock. */
static nsec
sample_weight(struct wire defaults)
{
	enum { CPU_CLOCK = 1, TASK_CLOCK = 3 };
	enum { TIMEBASE = 1, PERIOD = 1, FREQUENCY = 2, TRACEPOINT = 3, COUNTER = 4, RAW = 5 };
	struct payload p;
	uint64_t counter;

	(void)payload_read(&p, defaults);
	(void)payload_read(&p, wire_of(p.text[TIMEBASE]));
	counter = p.number[COUNTER];
	if (p.text[TRACEPOINT].p != NULL || p.text[RAW].p != NULL ||
	    (counter != 0 && counter != CPU_CLOCK && counter != TASK_CLOCK))
		return WEIGHT_NONE;
	if (p.number[FREQUENCY] > 0)
		return (nsec)(SECOND_NS / p.number[FREQUENCY]);
	return counter != 0 && p.number[PERIOD] < SPAN_MOST ? (nsec)p.number[PERIOD] : 0;
}

static void
perf_take(struct perfetto *pf, struct wire message, uint32_t generation)
{
	enum { PID = 2, TID = 3, CALLSTACK = 4, LOST = 17 };
	uint64_t n[LOST + 1] = {0};

	(void)wire_numbers(message, n, LOST + 1);
	damage_add(pf->r.damage, DAMAGE_LOST_SAMPLES, n[LOST], pf->r.line_at);
	if (n[CALLSTACK] == 0) /* its stack was not unwound, or it is about the sampler */
		func_left(&pf->r, STR("perf_sample without a stack"), 1, 0);
	else
		stack_seen(pf, generation, (uint32_t)n[PID], (uint32_t)n[TID], n[CALLSTACK],
		    sample_weight(pf->generations[generation].samples));
}

/* One of a packet's samples, which have a run each. */
static void
profile_take(struct perfetto *pf, struct wire message, const struct pf_run *run)
{
	const struct generation *g = &pf->generations[run->generation];
	struct pf_column stacks = {.rest = message, .number = 1};
	uint64_t callstack = 0;

	for (uint32_t i = 0; i <= run->core; i++)
		(void)column_next(&stacks, &callstack);
	stack_seen(pf, run->generation, g->pid, g->tid, callstack, 0);
}

void
samples_take(struct perfetto *pf, const struct trace_packet *p, const struct pf_run *run)
{
	if (run->kind == RUN_SAMPLE)
		perf_take(pf, p->data, run->generation);
	else
		profile_take(pf, p->data, run);
}

/* All --------------------------------------------------------------------------------- */

void
samples_end(struct perfetto *pf)
{
	struct reader *r = &pf->r;
	nsec end = r->last_ns > 0 ? reader_time(r, r->last_ns) : 0;

	for (size_t i = 0; i < pf->samples->count; i++) {
		struct sampled_row *s = &pf->samples->rows[i];

		if (s->row == THREAD_NONE || !s->seen)
			continue;
		row_ran(r, s->row, s->ran + s->weight);
		stack_take(r, s->row, NULL, 0,
		    s->weight < end - s->last ? s->last + s->weight : end);
		row_call(pf, s);
	}
}

void
samples_rewind(struct perfetto *pf)
{
	if (pf->samples == NULL)
		pf->samples = mem_zero(1, sizeof(*pf->samples));
	for (size_t i = 0; i < pf->samples->count; i++) {
		struct sampled_row *s = &pf->samples->rows[i];

		s->seen = false;
		s->weight = s->ran = 0;
	}
}

void
samples_release(struct perfetto *pf)
{
	idmap_release(&pf->samples->threads);
	idmap_release(&pf->samples->counted);
	mem_free(pf->samples->rows);
	mem_free(pf->samples);
}
