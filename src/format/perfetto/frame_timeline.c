// SPDX-License-Identifier: Apache-2.0
/*
 * frame_timeline: what SurfaceFlinger says of frames of the display (frame_timeline_event).
 *
 * Each frame is a slice of its process, on a row of the track "Expected Timeline" or
 * "Actual Timeline", named by why it was late, and is in log.frames; a packet begins it and
 * another, by its cookie, ends it.
 */
#include <config.h>

#include "base/mem.h"
#include "format/perfetto/perfetto.h"

enum { EXPECTED_SURFACE = 3, FRAME_END = 5 };

/*
 * Fields of the four kinds of frames (frame_timeline_event.proto); 0: none.  After `present`,
 * present_type, come on_time_finish and gpu_composition.
 */
static const struct frame_kind {
	struct str track;
	uint8_t pid, layer, present, jank, shown_by;
	bool expected;
} kinds[FRAME_END + 1] = {
	[1] = {STR("Expected Timeline"), 3, 0, 0, 0, 0, true},
	[2] = {STR("Actual Timeline"), 3, 0, 4, 7, 0, false},
	[3] = {STR("Expected Timeline"), 4, 5, 0, 0, 3, true},
	[4] = {STR("Actual Timeline"), 4, 5, 6, 9, 3, false},
};

struct frame_told {
	const struct frame_kind *kind; /* NULL: the end of one */
	uint64_t cookie;
	uint32_t pid;
	struct str layer;
	struct log_frame frame;
};

enum { FRAME_SKIPPED = UINT32_MAX - 1 };

/* A frame that has begun. */
struct frame_open {
	uint32_t row, track, place;
	uint64_t frame; /* in log.frames, + 1; 0: there is no room */
};

struct frame_timeline {
	struct idmap cookies; /* of open frames -> index, or FRAME_SKIPPED */
	struct idmap told;    /* process << 40 ^ token of expected frames of surfaces */
	struct frame_open *open;
	size_t count, room;
};

static bool
frame_read(struct frame_told *frame, struct wire message)
{
	const struct frame_kind *kind;
	struct wire_field outer;
	struct payload p;

	if (!wire_next(&message, &outer) || outer.number > FRAME_END ||
	    !payload_read(&p, wire_message(&outer)))
		return false;
	kind = &kinds[outer.number]; /* absent fields are 0 and empty */
	*frame = (struct frame_told){.kind = outer.number < FRAME_END ? kind : NULL,
	    .cookie = id_key(p.number[1]), .pid = (uint32_t)p.number[kind->pid],
	    .layer = p.text[kind->layer],
	    .frame = {.token = (int64_t)p.number[2],
		.shown_by = (int64_t)p.number[kind->shown_by], .expected = kind->expected,
		.display = kind->layer == 0, .janks = (uint16_t)p.number[kind->jank]}};
	if (kind->present > 0) {
		frame->frame.present = (uint8_t)p.number[kind->present];
		frame->frame.in_time = p.number[kind->present + 1] != 0;
		frame->frame.by_gpu = p.number[kind->present + 2] != 0;
	}
	return true;
}

/* "frame: App Deadline Missed, Buffer Stuffing" */
static struct str
frame_name(struct perfetto *pf, const struct frame_told *frame)
{
	struct sbuf s = {0};
	struct str name;

	if (frame->frame.expected)
		return STR("expected frame");
	if (frame->frame.janks == 0)
		return STR("frame");
	sbuf_text(&s, "frame: ");
	log_janks_put(&s, frame->frame.janks);
	name = text_keep(pf, sbuf_view(&s));
	sbuf_release(&s);
	return name;
}

/* A row of the process's frames. */
static uint32_t
row_take(struct reader *r, const struct frame_told *frame, struct frame_open *open)
{
	uint32_t row = track_row_take(r, frame->pid, frame->kind->track, &open->track, &open->place);

	if (row != THREAD_NONE)
		row_aside(r, row, true);
	return row;
}

/* Adds the frame to the log's; returns its place there, + 1. */
static uint64_t
frame_keep(struct reader *r, const struct frame_told *told, uint32_t row, uint64_t ns)
{
	struct log_frame *frame = spool_add(&r->log->frames, &r->source.failed);

	if (frame == NULL)
		return 0;
	*frame = told->frame;
	frame->from = reader_time(r, ns);
	frame->to = LOG_OPEN;
	frame->offset = r->line_at;
	frame->process = process_of(r, told->pid);
	frame->thread = row;
	return r->log->frames.count;
}

static void
frame_begin(struct perfetto *pf, const struct frame_told *frame, const struct logline *line)
{
	struct marker m = {.kind = MARKER_BEGIN, .name = frame_name(pf, frame)};
	struct frame_timeline *frames = pf->frames;
	struct frame_open open;

	/* An expected frame is told for each layer of its surface. */
	if (frame->kind == &kinds[EXPECTED_SURFACE]) {
		uint64_t key = id_key((uint64_t)frame->pid << 40 ^ (uint64_t)frame->frame.token);

		if (idmap_get(&frames->told, key) != IDMAP_NONE) {
			idmap_put(&frames->cookies, frame->cookie, FRAME_SKIPPED);
			return;
		}
		idmap_put(&frames->told, key, 1);
	}
	if (idmap_get(&frames->cookies, frame->cookie) != IDMAP_NONE) {
		damage_add(pf->r.damage, DAMAGE_DUPLICATE_BEGIN, 1, pf->r.line_at);
		pf->r.log->summary.duplicate_begins++;
		return;
	}
	open.row = row_take(&pf->r, frame, &open);
	if (open.row == THREAD_NONE)
		return;
	slice_take(&pf->r, line, open.row, &m);
	open.frame = frame_keep(&pf->r, frame, open.row, line->ns);
	MEM_GROW(frames->open, frames->room, frames->count + 1);
	idmap_put(&frames->cookies, frame->cookie, (uint32_t)frames->count);
	frames->open[frames->count++] = open;
}

static void
frame_end(struct perfetto *pf, uint64_t cookie, const struct logline *line)
{
	struct marker m = {.kind = MARKER_END, .name = {"", 0}};
	uint32_t index = idmap_get(&pf->frames->cookies, cookie);
	const struct frame_open *open;

	if (index == IDMAP_NONE) {
		pf->r.log->summary.unmatched_async_ends++;
		end_before(&pf->r, END_OF_FRAMES, 0);
		return;
	}
	idmap_put(&pf->frames->cookies, cookie, IDMAP_NONE);
	if (index == FRAME_SKIPPED)
		return;
	open = &pf->frames->open[index];
	slice_take(&pf->r, line, open->row, &m);
	track_row_give(&pf->r, open->track, open->place);
	if (open->frame > 0)
		((struct log_frame *)spool_at(&pf->r.log->frames, open->frame - 1))->to =
		    reader_time(&pf->r, line->ns);
}

void
frame_timeline_take(struct perfetto *pf, const struct trace_packet *p, uint64_t ns)
{
	struct logline line = {.comm = {"", 0}, .ns = ns};
	struct frame_told frame;

	if (!frame_read(&frame, p->data))
		record_broken(&pf->r);
	else if (frame.kind != NULL)
		frame_begin(pf, &frame, &line);
	else
		frame_end(pf, frame.cookie, &line);
}

bool
frame_timeline_detail(const struct trace_packet *p, struct log_detail *d)
{
	struct frame_told frame;

	if (!frame_read(&frame, p->data) || frame.kind == NULL)
		return false;
	*d = (struct log_detail){.name = frame.kind->track, .args = frame.layer, .has_id = true,
	    .id = frame.frame.token, .pid = frame.pid, .ns = p->timestamp};
	return true;
}

void
frame_timeline_rewind(struct perfetto *pf)
{
	if (pf->frames == NULL)
		pf->frames = mem_zero(1, sizeof(*pf->frames));
	idmap_release(&pf->frames->cookies);
	idmap_release(&pf->frames->told);
	pf->frames->count = 0;
}

void
frame_timeline_release(struct perfetto *pf)
{
	frame_timeline_rewind(pf);
	mem_free(pf->frames->open);
	mem_free(pf->frames);
}
