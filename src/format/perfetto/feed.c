// SPDX-License-Identifier: Apache-2.0
/* feed: what a Perfetto trace says, taken in order of time. */
#include <config.h>

#include "base/mem.h"
#include "format/perfetto/perfetto.h"

/* Taking ---------------------------------------------------------------------------- */

static void
run_take(struct perfetto *pf, const struct pf_run *run)
{
	struct reader *r = &pf->r;

	if (run_has_packets(run))
		return;
	/* Frames and tracks may begin long before the kernel's events. */
	sched_buffer(&r->log->sched, run->core);
	if (run->lost) {
		damage_add(r->damage, DAMAGE_LOST_RECORDS, 1, run->at);
		r->log->summary.lost_unknown++;
		sched_lost(&r->log->sched, run->core);
	}
}

/* A thread is of the process of the one that made it; false when that is not known yet. */
static bool
thread_belongs(struct reader *r, const struct new_thread *made)
{
	uint32_t process = r->rows[made->maker].thread.process;
	const struct log_process *of;

	if (process == 0)
		return false;
	of = seg_at(&r->log->processes, process - 1);
	row_process(r, made->row, of->pid, KNOWN_COLUMN);
	return true;
}

static void
thread_new(struct perfetto *pf, const struct scanned *one)
{
	enum { OF_PROCESS = 0x10000 }; /* CLONE_THREAD */
	struct reader *r = &pf->r;
	struct new_thread made = {.from = {KNOWN_NOT}};

	if (one->line.tid == 0 || (one->sched.value & OF_PROCESS) == 0)
		return;
	made.maker = row_of_tid(r, one->line.tid);
	made.row = row_of_tid(r, one->sched.tid);
	if (thread_belongs(r, &made))
		return;
	*MEM_ADD(pf->new_threads, pf->new_thread_count, pf->new_thread_room) = made;
}

/*
 * Takes processes that became known since; a maker may be made, too, and comes first.  A maker of
 * which no process is told is the main thread of its own.
 */
static void
new_threads_settle(struct perfetto *pf)
{
	struct reader *r = &pf->r;

	for (size_t i = 0; i < pf->new_thread_count; i++) {
		struct new_thread *made = &pf->new_threads[i];
		const uint32_t rows[] = {made->maker, made->row};

		for (int k = 0; k < 2; k++) {
			made->process[k] = r->rows[rows[k]].thread.process;
			made->from[k] = r->rows[rows[k]].process_from;
		}
		if (thread_belongs(r, made))
			continue;
		row_process(r, made->maker, r->rows[made->maker].thread.id, KNOWN_DUMP);
		(void)thread_belongs(r, made);
	}
}

/* As before they were settled: more may be told. */
static void
new_threads_unsettle(struct perfetto *pf)
{
	for (size_t i = pf->new_thread_count; i-- > 0;) {
		const struct new_thread *made = &pf->new_threads[i];
		const uint32_t rows[] = {made->maker, made->row};

		for (int k = 1; k >= 0; k--) {
			pf->r.rows[rows[k]].thread.process = made->process[k];
			pf->r.rows[rows[k]].process_from = made->from[k];
		}
	}
}

static void
event_take(struct perfetto *pf, const struct pf_step *step)
{
	const struct pf_run *run = step->run;
	struct reader *r = &pf->r;
	struct scanned one;

	if ((step->ns < pf->ftrace_start && !pf->ftrace_kept) || step->ns < pf->all_since) {
		func_left(r, STR("before the start"), 1, 0);
		return;
	}
	if (step->one.line.tid == LOGLINE_PRESUMED) {
		one = step->one;
		one.line.tid = one.sched.tid = presumed_on(pf, run->core);
		(void)record_take(r, &one);
	} else {
		(void)record_take(r, &step->one);
	}
	if (run->kind != RUN_EVENTS || r->last_ns != step->ns)
		return; /* its time cannot be */
	if (step->one.kind == SCAN_SCHED && step->one.event == EVENT_NEWTASK)
		thread_new(pf, &step->one);
}

static void
packet_take(struct perfetto *pf, const struct pf_step *step)
{
	static const struct str names[RUN_ENDS] = {[RUN_TRACK] = STR("track_event"),
	    [RUN_FRAME] = STR("frame_timeline_event"), [RUN_SAMPLE] = STR("perf_sample"),
	    [RUN_MESSAGE] = STR("android_log"), [RUN_PROFILE] = STR("streaming_profile_packet")};
	const struct trace_packet *p = &step->packet; /* STEP_TRACK has none */
	const struct pf_run *run = step->run;
	struct reader *r = &pf->r;
	struct log_func **row = &pf->func_rows[run->kind];
	uint64_t malformed = r->log->summary.malformed;
	nsec at;

	if (!record_time(r, step->ns, &at) || at < 0)
		return;
	if (run->kind != RUN_ENDS) {
		r->log->summary.events++;
		if (run->kind == RUN_STATS) {
			func_count(r, packet_field_of(p->field)->name, 1);
		} else {
			if (*row == NULL)
				*row = func_row(r, names[run->kind]);
			if (*row != NULL)
				(*row)->count++;
		}
	}
	if (run->kind == RUN_TRACK || run->kind == RUN_ENDS)
		track_event_take(pf, step, r->last_ns);
	else if (run->kind == RUN_MESSAGE)
		message_take(pf, run->at, r->last_ns);
	else if (run->kind == RUN_SAMPLE || run->kind == RUN_PROFILE)
		samples_take(pf, p, run);
	else
		(run->kind == RUN_FRAME ? frame_timeline_take : stats_take)(pf, p, r->last_ns);
	r->log->summary.used += run->kind != RUN_ENDS && r->log->summary.malformed == malformed;
}

/* The feed -------------------------------------------------------------------------- */

enum { GIVE_BACK = 8 << 20 }; /* bytes of events, after which their pages do not count as ours */

static enum feed_result
perfetto_take(struct reader *r)
{
	struct perfetto *pf = (struct perfetto *)r;
	const struct pf_step *step = merge_next(pf);

	if (step == NULL)
		return FEED_END;
	if (step->ns >= pf->taken)
		pf->taken = step->ns + 1;
	r->line_at = step->at;
	r->consumed += step->size;
	if (r->consumed - pf->given_back > GIVE_BACK) {
		/* Runs are all over the file: those that go on touch their pages again. */
		filemap_behind(&r->in.data, 0, r->in.data.size);
		pf->given_back = r->consumed;
	}
	if (step->kind == STEP_RUN)
		run_take(pf, step->run);
	else if (step->kind == STEP_PACKET || step->kind == STEP_TRACK)
		packet_take(pf, step);
	else if (step->kind == STEP_RECORD)
		event_take(pf, step);
	if (step->broken)
		damage_add(r->damage, DAMAGE_SKIPPED_PACKET, 1, step->at);
	return FEED_TAKEN;
}

static void
perfetto_rewind(struct reader *r)
{
	struct perfetto *pf = (struct perfetto *)r;

	merge_begin(pf);
	for (uint32_t field = 0; field < PACKET_FIELDS; field++)
		pf->packets[field].told = 0;
	pf->new_thread_count = 0;
	pf->given_back = 0;
	tracks_rewind(pf);
	frame_timeline_rewind(pf);
	samples_rewind(pf);
}

enum { HELP_BYTES = 1 << 19 }; /* from which on a second thread pays */

static void
perfetto_jobs(struct reader *r, unsigned jobs)
{
	if (jobs > 1 && r->source.end > HELP_BYTES)
		merge_help((struct perfetto *)r);
}

/* "battery" */
static struct str
left_name(struct perfetto *pf, uint32_t field)
{
	struct str name = field == 0 ? STR("other packets") : field == PACKETS_FOREIGN
	    ? STR("of another machine") : packet_field_of(field)->name;

	return name.n > 0 ? text_keep(pf, name) : text_print(pf, "packet %u", field);
}

static void
perfetto_end(struct reader *r)
{
	struct perfetto *pf = (struct perfetto *)r;

	new_threads_settle(pf);
	samples_end(pf);
	tracks_end(pf);
	r->log->summary.lost = pf->lost;
	damage_add(r->damage, DAMAGE_LOST_RECORDS, pf->lost > 0, 0);
	for (uint32_t field = 0; field < PACKET_FIELDS; field++) {
		struct packets *p = &pf->packets[field];

		if (p->count == 0 || (field < PACKETS_FOREIGN &&
			packet_field_of(field)->does != PACKET_LEFT))
			continue;
		func_left(r, left_name(pf, field), p->count - p->told, p->bytes);
		p->told = p->count;
	}
}

static bool
perfetto_grow(struct reader *r, uint64_t size)
{
	struct perfetto *pf = (struct perfetto *)r;

	if (!order_grow(pf, size))
		return false;
	new_threads_unsettle(pf);
	return true;
}

static void
perfetto_free(struct reader *r)
{
	struct perfetto *pf = (struct perfetto *)r;

	merge_free(pf);
	tracks_release(pf);
	frame_timeline_release(pf);
	samples_release(pf);
	stats_release(pf);
	clocks_release(&pf->clocks);
	idmap_release(&pf->sequence_ids);
	intern_release(&pf->iids);
	intern_release(&pf->kept);
	mem_free(pf->new_threads);
	mem_free(pf->runs);
	mem_free(pf->sequences);
	for (size_t i = 0; i < pf->generation_count; i++) {
		if (pf->generations[i].table == i)
			mem_free(pf->generations[i].names);
	}
	mem_free(pf->generations);
	mem_free(pf->texts);
}

static const struct feed perfetto_feed = {
	.take = perfetto_take,
	.rewind = perfetto_rewind,
	.end = perfetto_end,
	.jobs = perfetto_jobs,
	.grow = perfetto_grow,
	.free = perfetto_free,
};

/* Opening --------------------------------------------------------------------------- */

/* The event at an offset: a packet with one, or the kernel's. */
static bool
event_detail(const struct log *log, uint64_t offset, struct log_detail *d)
{
	struct perfetto *pf = log->context;
	struct wire rest = {pf->file.p + offset, pf->file.end};
	struct event_head e;
	struct scanned one;
	struct wire_field f;
	struct trace_packet p;

	if (offset >= pf->r.in.data.size || !wire_next(&rest, &f) || f.type != WIRE_BYTES)
		return false;
	if (f.number == 1)
		return trace_packet_read(&p, f.bytes, offset) &&
		    (p.field == PACKET_TRACK_EVENT ? track_event_detail(pf, &p, d)
		     : p.field == PACKET_FRAME ? frame_timeline_detail(&p, d)
				     : message_detail(f.bytes, d));
	return event_read(f.bytes, &e) && event_mark(pf, &one, &e) && scanned_detail(d, &one);
}

bool
perfetto_open(struct trace *t, struct input *input, struct err *e)
{
	struct perfetto *pf;
	struct reader *r;

	if (!perfetto_is((struct str){(const char *)input->data.bytes, input->data.size}))
		return false;
	pf = mem_zero(1, sizeof(*pf));
	r = &pf->r;
	reader_init(r, t, input);
	r->feed = &perfetto_feed;
	pf->file = (struct wire){input->data.bytes, input->data.bytes + input->data.size};
	r->log->detail = event_detail;
	r->log->kind = "binary packets";
	t->format = "perfetto";
	ftrace_begin(pf);
	/* A pipe's bytes are given back, and names are in them. */
	r->in.grows &= input->data.room > 0 && !reader_is_piped(r);
	order_make(pf);
	if (pf->thread_times || pf->packets[PACKET_SAMPLE].count > 0)
		t->clocks |= 1u << CLOCK_CPU;
	if (pf->run_count > 0) {
		t->start_us = r->log->origin / 1000;
		t->expected = (nsec)(pf->end_ns - pf->runs[0].ns);
	}
	reader_begin(r);
	input->packed = pf->packed;
	if (pf->packed) {
		r->in = (struct input){.compressed = NULL}; /* it stays the caller's */
		return err_set(e, ERR_UNSUPPORTED, "has compressed packets");
	}
	pf->begun = true;
	return true;
}
