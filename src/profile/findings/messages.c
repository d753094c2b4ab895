// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/findings/messages.h"

#include <string.h>

#include "base/mem.h"
#include "profile/index/replay.h"
#include "trace/log.h"

/* A state of the thread, of a log. */
struct message_state {
	nsec from, to;
	enum jank_state state;
};

struct walker {
	struct messages *m;
	const struct tree *tree;
	enum clock_id axis;
	/* The present message. */
	bool within;
	bool dispatched, framed; /* it has had its dispatch, its frame */
	uint32_t row; /* the first late row that may end after the message begins */
	nsec end;
	struct message now;
	struct loop_sums sums;
	struct loop_sums frame, worst; /* of the frame that is open; of the message's worst */
	struct work works[FINDING_KINDS];
	uint32_t worked; /* mask of those */
	/* The outermost calls that are open, by class and as a frame. */
	nsec open[32];
	uint32_t opened;
	bool begun;
	nsec last; /* what was walked, */
	uint32_t node; /* and what was on top then */
	uint32_t *calls; /* by method: open ones */
	/* Members for a log only. */
	bool log;
	bool woken; /* sched_waking tells since when a message waits; else it begins to run */
	struct message_state *states;
	size_t state_count, state_room, state;
	uint32_t *bottom; /* slices without an end, by depth from 1; entered so far: */
	uint32_t bottom_count, inside;
};

/* Sums ---------------------------------------------------------------------------- */

struct sum *
sums_item(struct loop_sums *s, uint32_t node)
{
	uint32_t at = s->slot[node];
	struct sum *item;

	if (at < s->count && s->items[at].node == node)
		return &s->items[at];
	s->slot[node] = s->count;
	item = MEM_ADD(s->items, s->count, s->room);
	*item = (struct sum){.node = node};
	return item;
}

static void
sums_init(struct loop_sums *s, uint32_t nodes)
{
	*s = (struct loop_sums){.slot = mem_zero(nodes, sizeof(*s->slot))};
}

static void
sums_release(struct loop_sums *s)
{
	mem_free(s->items);
	mem_free(s->slot);
}

static void
sums_add(struct loop_sums *to, const struct loop_sums *from, double late)
{
	for (uint32_t i = 0; i < from->count; i++) {
		const struct sum *f = &from->items[i];
		struct sum *t = sums_item(to, f->node);

		t->own += f->own;
		t->own_late += (nsec)((double)f->own * late + 0.5);
		t->cpu += f->cpu;
		t->asleep += f->asleep;
		t->calls += f->calls;
	}
}

static void
sum_up(struct loop_sums *s, uint32_t at)
{
	struct sum *parent = &s->items[s->items[at].parent - 1];
	struct sum *item = &s->items[at];

	parent->time += item->time;
	parent->late += item->late;
	parent->below += item->below;
	item->sibling = parent->child;
	parent->child = at + 1;
}

/* Callees are added to their callers, each once all of its own are in it. */
void
sums_close(struct loop_sums *s, const struct tree *tree)
{
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t caller = tree_parent(tree, s->items[i].node);

		if (caller != NODE_NONE) {
			uint32_t parent = (uint32_t)(sums_item(s, caller) - s->items);

			s->items[i].parent = parent + 1;
			s->items[parent].pending++;
		}
		s->items[i].time = s->items[i].own;
		s->items[i].late = s->items[i].own_late;
		s->items[i].below = s->items[i].calls;
	}
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t at = i;

		while (s->items[at].pending == 0 && s->items[at].parent != 0) {
			uint32_t parent = s->items[at].parent - 1;

			sum_up(s, at);
			s->items[at].pending = UINT32_MAX; /* it is added */
			s->items[parent].pending--;
			if (parent > i) /* its turn comes */
				break;
			at = parent;
		}
	}
}

/* The present message ------------------------------------------------------------- */

static void
work_add(struct walker *w, enum finding_kind kind, nsec from, nsec to, uint32_t node)
{
	struct work *work = &w->works[kind];

	if ((w->worked >> kind & 1) == 0)
		*work = (struct work){.longest = -1};
	w->worked |= 1u << kind;
	work->count++;
	work->time += to - from;
	if (to - from > work->longest) {
		work->longest = to - from;
		work->at = from;
		work->node = node;
	}
}

static void
works_merge(struct work *to, const struct walker *w, double late)
{
	for (int k = 0; k < FINDING_KINDS; k++) {
		const struct work *from = &w->works[k];

		if ((w->worked >> k & 1) == 0)
			continue;
		to[k].count += from->count;
		to[k].time += from->time;
		to[k].late += (nsec)((double)from->time * late + 0.5);
		if (to[k].count == from->count || from->longest > to[k].longest) {
			to[k].longest = from->longest;
			to[k].at = from->at;
			to[k].node = from->node;
		}
	}
}

static void
sums_swap(struct loop_sums *a, struct loop_sums *b)
{
	struct loop_sums kept = *a;

	*a = *b;
	*b = kept;
}

/* True if so much of a message is known not to be on the CPU that it waited. */
static bool
message_is_blocked(const struct trace *t, const struct message *m)
{
	nsec off = m->time - m->cpu;

	if (t->log != NULL) {
		off = 0;
		for (int s = 0; s < JANK_STATES; s++)
			off += s != JANK_RUNNING ? m->state[s] : 0;
	} else if (!trace_has_both(t)) {
		return false;
	}
	return m->time > 0 && 5 * off >= 4 * m->time;
}

static void
group_add(struct walker *w, double late)
{
	struct messages *m = w->m;
	struct message_group *g = &m->groups[w->now.time >= m->from[LENGTH_ANR] ? LENGTH_ANR
	    : w->now.time >= m->from[LENGTH_STALL]                              ? LENGTH_STALL
	    : 2 * w->now.frames.time >= w->now.time                             ? LENGTH_FRAMES
								                : LENGTH_LATE];

	g->count++;
	g->blocked += message_is_blocked(m->profile->trace, &w->now);
	g->framed += w->now.frames.late > 0;
	g->time += w->now.time;
	g->over += w->now.time - m->budget;
	m->late_count++;
	m->late_time += w->now.time;
	m->late += w->now.time - m->budget;
	sums_add(&m->latest, &w->sums, late);
	works_merge(m->works_late, w, late);
	if (w->now.time > g->longest.time) {
		g->longest = w->now;
		sums_swap(&g->sums, &w->sums);
	}
}

/* The worst frame's sums are in the walker's `worst`. */
static void
frames_add(struct walker *w)
{
	struct messages *m = w->m;
	struct frame_sum *frames[] = {&m->frames, &m->frames_apart};
	const struct frame_sum *f = &w->now.frames;
	const bool stall = w->now.time >= m->from[LENGTH_STALL];

	for (int i = 0; i < (stall ? 1 : 2); i++) {
		frames[i]->count += f->count;
		frames[i]->late += f->late;
		frames[i]->time += f->time;
		frames[i]->over += f->over;
		if (f->late > 0 && f->worst > frames[i]->worst) {
			frames[i]->worst = f->worst;
			frames[i]->worst_over = f->worst - m->frame_budget;
			frames[i]->worst_at = f->worst_at;
			if (i == 1)
				sums_swap(&m->frame, &w->worst);
		}
	}
}

/* Adds to the message how much of it late rows have. */
static void
rows_overlap(struct walker *w)
{
	const struct messages *m = w->m;
	nsec at = w->now.start;

	while (w->row < m->late_row_count && m->late_rows[w->row].to <= at)
		w->row++;
	for (uint32_t i = w->row; i < m->late_row_count && m->late_rows[i].from < w->end; i++) {
		nsec from = m->late_rows[i].from > at ? m->late_rows[i].from : at;
		nsec to = m->late_rows[i].to < w->end ? m->late_rows[i].to : w->end;

		if (to <= from)
			continue;
		w->now.frames.late++;
		w->now.frames.time += to - from;
		if ((at = to) == w->end)
			break;
	}
}

/* The frames of all rows; those that begin in a stall, or have half of their length in one, are its. */
static void
rows_add(struct messages *m)
{
	struct frame_sum *sums[] = {&m->frames, &m->frames_apart};
	nsec covered[] = {INT64_MIN, INT64_MIN};
	size_t stall = 0;

	m->frames = m->frames_apart = (struct frame_sum){.count = m->row_count};
	for (uint32_t i = 0; i < m->late_row_count; i++) {
		const struct late_row *r = &m->late_rows[i];
		nsec from, to;

		while (stall < m->stall_count && m->stalls[stall].to <= r->from)
			stall++;
		from = to = 0;
		if (stall < m->stall_count) {
			from = m->stalls[stall].from > r->from ? m->stalls[stall].from : r->from;
			to = m->stalls[stall].to < r->to ? m->stalls[stall].to : r->to;
		}
		for (int k = 0; k < (to > from && (from == r->from || 2 * (to - from) >= r->to - r->from)
			? 1 : 2); k++) {
			struct frame_sum *s = sums[k];
			nsec due = r->told && r->due < covered[k] ? covered[k] : r->due;

			s->late++;
			s->time += r->to - r->from;
			s->over += r->to > due ? r->to - due : 0;
			covered[k] = r->told && r->to > due ? r->to : covered[k];
			if (s->late > 1 && r->to - r->due <= s->worst_over)
				continue;
			s->worst = r->to - r->from;
			s->worst_at = r->from;
			s->worst_over = r->to - r->due;
			s->worst_janks = r->janks;
			s->worst_cause = r->cause;
		}
	}
}

static void
message_end(struct walker *w)
{
	struct messages *m = w->m;
	double late = 0;

	w->dispatched = w->framed = false;
	if (!w->within && w->now.frames.count == 0)
		return;
	w->now.time = w->within ? w->end - w->now.start : 0;
	m->busy += w->now.time;
	m->cpu += w->now.cpu;
	if (!m->by_rows)
		frames_add(w);
	else if (w->within)
		rows_overlap(w);
	if (m->looper && w->within && w->now.time >= m->from[LENGTH_STALL]) {
		*MEM_ADD(m->stalls, m->stall_count, m->stall_room) =
		    (struct range){w->now.start, w->end};
	}
	if (m->looper && w->within) {
		m->count++;
		if (m->count == 1 || w->now.time > m->longest.time)
			m->longest = w->now;
		if (w->now.time > m->budget)
			late = (double)(w->now.time - m->budget) / (double)w->now.time;
	}
	w->within = false;
	sums_add(&m->all, &w->sums, late);
	works_merge(m->works_all, w, late);
	if (late > 0)
		group_add(w, late);
	w->sums.count = 0;
	w->worst.count = 0;
	w->worked = 0;
	w->now = (struct message){0};
}

/* [from, to) is a part of a message. */
static struct sum *
spend(struct walker *w, uint32_t node, nsec from, nsec to)
{
	struct sum *item = sums_item(&w->sums, node);

	if (!w->within) {
		w->within = true;
		w->now.start = from;
	}
	w->end = to;
	item->own += to - from;
	if ((w->opened & MARK_FRAME) != 0)
		sums_item(&w->frame, node)->own += to - from;
	return item;
}

/* Calls --------------------------------------------------------------------------- */

static void
frame_add(struct walker *w, nsec from, nsec to)
{
	struct frame_sum *f = &w->now.frames;

	if (w->m->by_rows)
		return;
	f->count++;
	if (to - from > w->m->frame_budget) {
		f->late++;
		f->time += to - from;
		f->over += to - from - w->m->frame_budget;
		if (to - from > f->worst) {
			f->worst = to - from;
			f->worst_at = from;
			sums_swap(&w->worst, &w->frame);
		}
	}
	w->frame.count = 0;
}

/* Returns the marks that a call is the outermost of. */
static uint32_t
outermost(const struct walker *w, uint32_t node)
{
	const struct node_marks *nodes = w->m->nodes;

	return nodes[node].own & ~nodes[tree_parent(w->tree, node)].inside &
	    (MARK_WORK + MARK_FRAME);
}

static void
call_begin(struct walker *w, uint32_t node, nsec at)
{
	uint32_t marks = outermost(w, node), method = w->tree->nodes[node].method;

	/* A second one in a message: the wait between was too short to be seen. */
	if ((w->m->nodes[node].own & MARK_DISPATCH) != 0) {
		if (w->dispatched)
			message_end(w);
		w->dispatched = true;
	}
	if ((marks & MARK_FRAME) != 0) {
		if (w->log && w->framed)
			message_end(w);
		w->framed = true;
	}
	sums_item(&w->sums, node)->calls++;
	if (method < w->m->method_count && w->calls[method]++ == 0)
		w->m->nodes[node].own |= MARK_FIRST;
	for (int bit = 0; marks >> bit != 0; bit++) {
		if ((marks >> bit & 1) != 0)
			w->open[bit] = at;
	}
	w->opened |= marks;
}

static void
call_end(struct walker *w, uint32_t node, nsec at)
{
	uint32_t marks = outermost(w, node) & w->opened, method = w->tree->nodes[node].method;

	if (method < w->m->method_count && w->calls[method] > 0)
		w->calls[method]--;
	w->opened &= ~marks;
	for (int bit = 0; marks >> bit != 0; bit++) {
		if ((marks >> bit & 1) == 0)
			continue;
		if (1u << bit == MARK_FRAME)
			frame_add(w, w->open[bit], at);
		else if (at > w->open[bit]) /* what took no time is no work */
			work_add(w, (enum finding_kind)bit, w->open[bit], at, node);
	}
}

/* Logs ---------------------------------------------------------------------------- */

static void
states_take(struct walker *w)
{
	const struct sched *sched = &w->m->profile->trace->log->sched;
	const struct range *range = &w->m->range;
	const struct interval *i;

	for (uint64_t n = 0; (i = sched_within(sched, &n, range->from, range->to)) != NULL; n++) {
		enum task_class class = task_states[i->state].class;

		if (i->thread != w->m->thread || i->to <= range->from || i->from >= range->to ||
		    class < TASK_CLASS_RUNNING || class > TASK_CLASS_BLOCKED)
			continue;
		*MEM_ADD(w->states, w->state_count, w->state_room) =
		    (struct message_state){i->from, i->to, jank_states[class]};
	}
	mem_sort(w->states, w->state_count, sizeof(*w->states), mem_order_leading);
}

/* The slices of the thread that are open at its end, from the outermost on. */
static void
bottom_take(struct walker *w)
{
	const struct stack *stack = &w->m->profile->stacks[w->m->thread];
	uint32_t depth = tree_depth(w->tree, stack->node);

	w->bottom = mem_zero((size_t)depth + 1, sizeof(*w->bottom));
	w->bottom_count = depth;
	for (uint32_t n = stack->node; depth > 0; n = tree_parent(w->tree, n))
		w->bottom[depth--] = n;
	w->m->unfinished = w->bottom_count;
}

/* True if this slice is the one at the bottom that never ends, not an earlier one of its name. */
static bool
never_ends(struct walker *w, uint32_t node, nsec at)
{
	const struct stack *stack = &w->m->profile->stacks[w->m->thread];

	if (w->inside >= w->bottom_count || w->bottom[w->inside + 1] != node ||
	    w->inside + 1 > stack->depth || stack->entered[w->inside + 1] > at)
		return false;
	w->inside++;
	return true;
}

/* Sleep that is no lock's, no reply's and so on counts as such. */
static void
state_add(struct walker *w, struct sum *item, enum jank_state state, nsec from, nsec to)
{
	const uint32_t none = MARK_WORK | MARK_DRAW;
	const struct node_marks *marks = &w->m->nodes[item->node];

	w->now.state[state] += to - from;
	if (state == JANK_RUNNING) {
		w->now.cpu += to - from;
		item->cpu += to - from;
	} else if (state == JANK_RUNNABLE) {
		work_add(w, FINDING_RUNNABLE, from, to, item->node);
	} else if (state == JANK_BLOCKED) {
		work_add(w, FINDING_DISK, from, to, item->node);
	} else if ((marks->inside & none) == 0) {
		item->asleep += to - from;
		w->now.waited += to - from;
		work_add(w, FINDING_WAIT, from, to, item->node);
	}
}

/* The time up to `to` with the node on top, which is (toplevel) or never ends outside of slices. */
static void
log_spend(struct walker *w, uint32_t node, nsec to)
{
	const uint32_t root = w->m->profile->stacks[w->m->thread].root;
	bool slices = node != root && (w->inside == 0 || w->bottom[w->inside] != node);

	while (w->last < to) {
		const struct message_state *s;
		nsec until = to;
		bool known;

		while (w->state < w->state_count && w->states[w->state].to <= w->last)
			w->state++;
		s = w->state < w->state_count ? &w->states[w->state] : NULL;
		known = s != NULL && s->from <= w->last;
		if (s != NULL && (known ? s->to : s->from) < until)
			until = known ? s->to : s->from;
		if (slices || (known && s->state != JANK_SLEEPING &&
		    (w->within || w->woken || s->state != JANK_RUNNABLE))) {
			struct sum *item = spend(w, slices ? node : root, w->last, until);

			if (known)
				state_add(w, item, s->state, w->last, until);
		} else {
			message_end(w);
		}
		w->last = until;
	}
}

/* Steps --------------------------------------------------------------------------- */

/* [from, to) of a step with `before` on top. */
static void
step_spend(struct walker *w, const struct step *step, const nsec from[CLOCKS],
    const nsec to[CLOCKS])
{
	nsec at = from[w->axis], until = to[w->axis];

	if (w->log) {
		log_spend(w, step->before, until);
	} else if ((w->m->nodes[step->before].own & MARK_LOOPER) == 0 || !w->m->looper) {
		if (until > at || w->within) {
			nsec cpu = to[CLOCK_CPU] - from[CLOCK_CPU];

			spend(w, step->before, at, until)->cpu += cpu;
			w->now.cpu += cpu;
		}
	} else {
		message_end(w);
		w->m->looped = true;
	}
	w->last = until;
}

/* Both clocks where the range cuts a step: in proportion. */
static void
step_cut(const struct walker *w, const struct step *step, nsec at, nsec out[CLOCKS])
{
	out[CLOCK_CPU] = w->axis == CLOCK_WALL ? step_cpu_share(step, at) : at;
	out[CLOCK_WALL] = w->axis == CLOCK_WALL ? at : 0;
}

/* The calls that are open where the walk begins. */
static void
begin(struct walker *w, uint32_t node, nsec at)
{
	uint32_t depth = tree_depth(w->tree, node);
	uint32_t *stack = mem_alloc(((size_t)depth + 1) * sizeof(*stack));

	w->begun = true;
	for (uint32_t i = depth + 1; i-- > 0; node = tree_parent(w->tree, node))
		stack[i] = node;
	for (uint32_t i = 1; i <= depth; i++) {
		if (!w->log || !never_ends(w, stack[i], at)) {
			call_begin(w, stack[i], at);
			sums_item(&w->sums, stack[i])->calls--;
		}
	}
	w->node = stack[depth];
	if (w->m->range.from > w->m->profile->begin) /* a frame is of the range that it begins in */
		w->opened &= ~(uint32_t)MARK_FRAME;
	mem_free(stack);
}

static bool
visit(void *context, const struct step *step)
{
	struct walker *w = context;
	const struct range *range = &w->m->range;
	nsec from[CLOCKS], to[CLOCKS], at = step->to[w->axis];

	if (step->thread != w->m->thread || at < range->from || step->from[w->axis] >= range->to)
		return true;
	memcpy(from, step->first ? step->to : step->from, sizeof(from));
	memcpy(to, step->to, sizeof(to));
	if (from[w->axis] < range->from)
		step_cut(w, step, range->from, from);
	if (at > range->to)
		step_cut(w, step, range->to, to);
	if (!w->begun)
		begin(w, step->before, from[w->axis]);
	if (!step->first)
		step_spend(w, step, from, to);
	else if (w->log)
		log_spend(w, w->m->profile->stacks[step->thread].root, at);
	if (at > range->to)
		return true;
	w->m->records++;
	w->now.records += w->within || (w->m->nodes[step->after].own & MARK_LOOPER) == 0;
	w->node = step->after;
	if (step->after == step->before)
		return true;
	if (tree_parent(w->tree, step->after) == step->before) {
		if (!w->log || !never_ends(w, step->after, at))
			call_begin(w, step->after, at);
		return true;
	}
	for (uint32_t n = step->before; n != step->after && n != NODE_NONE;
	     n = tree_parent(w->tree, n))
		call_end(w, n, at);
	return true;
}

/* The marks of a node, whose caller has its own. */
static void
node_look(struct messages *m, uint32_t node)
{
	const struct tree *tree = &m->profile->tree;
	uint32_t parent = tree_parent(tree, node);
	struct node_marks *n = &m->nodes[node];

	if (node != m->profile->stacks[m->thread].root && m->nodes[parent].own == 0)
		return; /* of another thread */
	n->own = marks_of(m->marks, tree->nodes[node].method) | MARK_KNOWN;
	/* Only what the loop itself calls is a message of its own. */
	if ((m->nodes[parent].own & MARK_LOOP) == 0)
		n->own &= ~(uint32_t)MARK_DISPATCH;
	n->inside = n->own | m->nodes[parent].inside;
	n->caller = parent != NODE_NONE && (m->nodes[parent].own & MARK_OWN) != 0
	    ? tree->nodes[parent].method
	    : parent != NODE_NONE ? m->nodes[parent].caller : METHOD_NONE;
}

/* Nothing above the looper's loop explains anything. */
static bool
loop_look(struct messages *m, uint32_t node)
{
	const struct tree *tree = &m->profile->tree;
	uint32_t marks = m->nodes[node].own, n;

	if ((marks & MARK_LOOP) != 0 && (m->nodes[tree_parent(tree, node)].inside & MARK_LOOP) == 0)
		for (n = tree_parent(tree, node); n != NODE_NONE; n = tree_parent(tree, n))
			m->nodes[n].own = (m->nodes[n].own & ~(uint32_t)MARK_OWN) | MARK_GLUE;
	return (marks & (MARK_LOOP | MARK_LOOPER)) != 0 ||
	    (m->profile->trace->log != NULL && (marks & MARK_FRAME) != 0);
}

bool
messages_look(struct messages *m)
{
	const struct tree *tree = &m->profile->tree;
	bool looper = false;

	m->nodes = mem_zero(tree->count, sizeof(*m->nodes));
	for (uint32_t i = NODE_NONE; (i = tree_next(tree, i)) != NODE_NONE;)
		node_look(m, i);
	for (uint32_t i = 1; i < tree->count; i++)
		looper |= loop_look(m, i);
	return looper;
}

/* The end of what was walked: of a log there may be states after the last slice. */
static void
finish(struct walker *w)
{
	const struct profile *p = w->m->profile;

	for (uint32_t n = w->node; w->opened != 0 && n != NODE_NONE; n = tree_parent(w->tree, n))
		call_end(w, n, w->last);
	if (w->log)
		log_spend(w, p->stacks[w->m->thread].root,
		    w->m->range.to < p->end ? w->m->range.to : p->end);
	message_end(w);
}

bool
messages_find(struct messages *m, const atomic_bool *cancel)
{
	const struct profile *p = m->profile;
	struct walker w = {.m = m, .tree = &p->tree, .axis = p->axis, .log = p->trace->log != NULL,
	    .last = m->range.from > p->begin ? m->range.from : p->begin};
	struct scope *scope = scope_of_thread(p, m->thread);
	bool done;

	m->method_count = trace_method_count(p->trace);
	w.calls = mem_zero(m->method_count, sizeof(*w.calls));
	sums_init(&w.sums, p->tree.count);
	sums_init(&w.frame, p->tree.count);
	sums_init(&w.worst, p->tree.count);
	sums_init(&m->frame, p->tree.count);
	sums_init(&m->all, p->tree.count);
	sums_init(&m->latest, p->tree.count);
	for (int i = 0; i < LENGTHS; i++)
		sums_init(&m->groups[i].sums, p->tree.count);
	if (w.log) {
		w.woken = p->trace->log->sched.wakings > 0;
		states_take(&w);
		bottom_take(&w);
	}
	done = replay_window(p, scope, m->range.from, m->range.to, visit, &w, cancel);
	if (done)
		finish(&w);
	if (m->by_rows)
		rows_add(m);
	sums_close(&m->all, &p->tree);
	sums_close(&m->latest, &p->tree);
	sums_close(&m->frame, &p->tree);
	for (int i = 0; i < LENGTHS; i++)
		sums_close(&m->groups[i].sums, &p->tree);
	sums_release(&w.sums);
	sums_release(&w.frame);
	sums_release(&w.worst);
	mem_free(w.calls);
	mem_free(w.states);
	mem_free(w.bottom);
	scope_free(scope);
	return done;
}

void
messages_release(struct messages *m)
{
	sums_release(&m->all);
	sums_release(&m->latest);
	sums_release(&m->frame);
	for (int i = 0; i < LENGTHS; i++)
		sums_release(&m->groups[i].sums);
	mem_free(m->nodes);
	mem_free(m->stalls);
}
