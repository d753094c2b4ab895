#include <config.h>

#include "profile/replay.h"

#include <string.h>

#include "base/mem.h"
#include "profile/checkpoint.h"
#include "profile/walk.h"

struct replay {
	const struct profile *profile;
	const struct scope *scope;
	replay_visit visit;
	void *context;
	const atomic_bool *cancel;
	struct lane *lanes;
	struct damage damage; /* counted while loading already; ignored */
	size_t next;          /* part that `lanes` stand at the beginning of */
	uint64_t order;       /* of the next record */
};

/* Puts the lanes where they stood at the beginning of a part. */
static void
lanes_restore(struct replay *r, size_t part)
{
	const struct profile *p = r->profile;
	const struct checkpoint *c = &p->checkpoints[part];

	for (uint32_t i = 0; i < p->lane_count; i++) {
		struct lane *lane = &r->lanes[i];
		const struct lane_mark *mark = &c->lanes[i];

		*lane = (struct lane){.raw = {INT64_MAX, INT64_MAX}};
		lane->origin = p->lanes[i].origin;
		lane->root = p->lanes[i].root;
		if (i >= c->lane_count || mark->node == NODE_NONE)
			continue;
		lane->started = true;
		lane->node = lane->low = mark->node;
		lane->guess = mark->node << 1;
		for (int k = 0; k < CLOCKS; k++) {
			lane->raw[k] = mark->raw[k];
			lane->shift[k] = mark->time[k] - (nsec)mark->raw[k];
			lane->wraps[k] = mark->wraps[k];
		}
	}
}

static bool
batch_visit(struct replay *r, const struct batch *b)
{
	struct walk walk = {(struct profile *)(uintptr_t)r->profile, r->lanes, &r->damage, false};

	for (uint32_t i = 0; i < b->count; i++) {
		const struct event *ev = &b->ev[i];
		struct lane *lane = &r->lanes[ev->thread];
		uint64_t offset = batch_offset(b, i);
		struct step step;
		nsec delta[CLOCKS];

		step.order = r->order++;
		step.first = !lane->started;
		walk_clock(&walk, lane, ev, offset, delta);
		step.before = lane->node;
		walk_stack(&walk, lane, ev, offset, false);
		if (!scope_has(r->scope, ev->thread))
			continue;
		step.after = lane->node;
		step.thread = ev->thread;
		step.offset = offset;
		for (int c = 0; c < CLOCKS; c++) {
			step.to[c] = lane_time(lane, (enum clock_id)c);
			step.from[c] = step.to[c] - delta[c];
		}
		if (!r->visit(r->context, &step))
			return false;
	}
	return true;
}

static bool
part_visit(struct replay *r, size_t part)
{
	const struct profile *p = r->profile;
	struct source *source = p->trace->source;
	struct cursor at = p->checkpoints[part].at;
	uint64_t end = part + 1 < p->checkpoint_count ? p->checkpoints[part + 1].at.offset
						      : p->at.offset;
	struct batch batch;

	if (r->next != part)
		lanes_restore(r, part);
	r->next = part + 1;
	r->order = (uint64_t)part << 32;
	/* Reading in steps of the same size as while loading meets the same boundaries. */
	while (at.offset < end) {
		if (r->cancel != NULL && atomic_load_explicit(r->cancel, memory_order_relaxed))
			return false;
		source_read(source, &at, &batch, BATCH_EVENTS, &r->damage);
		if (batch.count == 0)
			break;
		if (!batch_visit(r, &batch))
			return false;
	}
	source_behind(source, p->checkpoints[part].at.offset, at.offset);
	return true;
}

static struct replay
replay_begin(const struct profile *p, const struct scope *scope, replay_visit visit,
    void *context, const atomic_bool *cancel)
{
	struct replay r = {.profile = p, .scope = scope, .visit = visit, .context = context,
	    .cancel = cancel, .next = SIZE_MAX};

	r.lanes = mem_alloc(p->lane_count * sizeof(*r.lanes));
	return r;
}

size_t
replay_part_count(const struct profile *p)
{
	return p->checkpoint_count;
}

bool
replay_part(const struct profile *p, size_t part, const struct scope *scope,
    replay_visit visit, void *context, const atomic_bool *cancel)
{
	struct replay r = replay_begin(p, scope, visit, context, cancel);
	bool whole = part_visit(&r, part);

	mem_free(r.lanes);
	return whole;
}

struct part_info
replay_part_info(const struct profile *p, size_t part, uint32_t thread)
{
	const struct checkpoint *a = &p->checkpoints[part], *b = a + 1;
	const struct lane *lane = &p->lanes[thread];
	struct part_info info = {0};
	uint64_t records_before = 0;

	if (!lane->started)
		return info;
	info.from = lane->first[p->axis];
	if (thread < a->lane_count && a->lanes[thread].node != NODE_NONE) {
		info.from = a->lanes[thread].time[p->axis];
		records_before = a->lanes[thread].records;
	}
	if (part + 1 == p->checkpoint_count) {
		info.to = lane_time(lane, p->axis);
		info.low = lane->low;
		info.active = (uint32_t)lane->records != records_before;
	} else if (thread < b->lane_count && b->lanes[thread].node != NODE_NONE) {
		info.to = b->lanes[thread].time[p->axis];
		info.low = b->lanes[thread].low;
		info.active = b->lanes[thread].records != records_before;
	}
	return info;
}

static bool
part_touches(const struct profile *p, size_t part, const struct scope *scope, nsec from,
    nsec to)
{
	for (uint32_t t = 0; t < p->lane_count; t++) {
		struct part_info info;

		if (!scope_has(scope, t))
			continue;
		info = replay_part_info(p, part, t);
		if (info.active && info.from <= to && info.to >= from)
			return true;
	}
	return false;
}

bool
replay_window(const struct profile *p, const struct scope *scope, nsec from, nsec to,
    replay_visit visit, void *context, const atomic_bool *cancel)
{
	struct replay r = replay_begin(p, scope, visit, context, cancel);
	bool whole = true;

	for (size_t part = 0; part < p->checkpoint_count && whole; part++) {
		if (part_touches(p, part, scope, from, to))
			whole = part_visit(&r, part);
	}
	mem_free(r.lanes);
	return whole;
}
