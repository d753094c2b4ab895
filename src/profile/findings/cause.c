// SPDX-License-Identifier: Apache-2.0
/*
 * cause: names what some time of a thread went to (kinds.h): a class of work, or the end of the
 * heaviest call path.
 *
 * Mechanism (marks.h) is left out of paths: its callees stand in its place.  Methods of one name
 * in a class are one, and so are calls directly below a call of that name (overloads, recursion).
 */
#include <config.h>

#include "profile/findings/kinds.h"

#include "base/mem.h"

enum { WORK_MARKS = (1 << FINDING_KINDS) - 1 };

static bool
same_name(const struct judge *j, uint32_t a, uint32_t b)
{
	const struct method *m = trace_method(j->profile->trace, a);
	const struct method *n = trace_method(j->profile->trace, b);

	return a == b || (str_equal(finding_name_of(m), finding_name_of(n)) &&
	    str_equal(m->class_name, n->class_name));
}

/* Items --------------------------------------------------------------------------- */

struct items {
	uint32_t *list;
	size_t count, room;
};

static void
items_add(struct items *items, uint32_t item)
{
	*MEM_ADD(items->list, items->count, items->room) = item;
}

static void
items_add_callees(struct items *items, const struct loop_sums *s, uint32_t item)
{
	for (uint32_t at = s->items[item].child; at != 0; at = s->items[at - 1].sibling)
		items_add(items, at - 1);
}

/* All outermost calls. */
static struct items
items_outermost(const struct loop_sums *s)
{
	struct items all = {0};

	for (uint32_t i = 0; i < s->count; i++)
		if (s->items[i].parent == 0)
			items_add(&all, i);
	return all;
}

/* The outermost calls of a method below these items, which are used up. */
static void
items_gather(const struct judge *j, const struct loop_sums *s, struct items *walk, uint32_t method,
    struct items *found)
{
	while (walk->count > 0) {
		uint32_t item = walk->list[--walk->count];

		if (same_name(j, method_at(j, &s->items[item]), method))
			items_add(found, item);
		else
			items_add_callees(walk, s, item);
	}
	mem_free(walk->list);
}

/* Tallies ------------------------------------------------------------------------- */

void
tally_add(struct kind_tally *t, const struct trace *trace, uint32_t method, nsec time)
{
	const struct method *m;
	uint32_t at = idmap_get(&t->places, method);

	if (at == IDMAP_NONE) {
		m = method != METHOD_NONE ? trace_method(trace, method) : NULL;
		/* Names are the kind of names: each class has its own. */
		at = m == NULL ? intern_add(&t->names, STR(""), 1)
		    : intern_add(&t->names, finding_name_of(m),
			intern_add(&t->names, m->class_name, 0) + UINT64_C(2));
		idmap_put(&t->places, method, at);
	}
	MEM_GROW(t->items, t->room, at + (size_t)1);
	while (t->count <= at)
		t->items[t->count++] = (struct tallied){.method = METHOD_NONE};
	t->items[at].method = method;
	t->items[at].time += time;
}

struct tallied
tally_most(struct kind_tally *t)
{
	struct tallied most = {METHOD_NONE, 0};

	for (size_t i = 0; i < t->count; i++) {
		if (t->items[i].time > most.time)
			most = t->items[i];
	}
	idmap_release(&t->places);
	intern_release(&t->names);
	mem_free(t->items);
	return most;
}

/* Classes of work ----------------------------------------------------------------- */

/* True if the node is the outermost call of its class. */
static bool
is_outermost(const struct judge *j, uint32_t node, enum finding_kind kind)
{
	const struct node_marks *nodes = j->m.nodes;

	return (nodes[node].own >> kind & 1) != 0 &&
	    (nodes[tree_parent(&j->profile->tree, node)].inside >> kind & 1) == 0;
}

nsec
work_time(const struct judge *j, const struct loop_sums *s, enum finding_kind kind, nsec *late)
{
	nsec time = 0;

	*late = 0;
	for (uint32_t i = 0; i < s->count; i++) {
		if (!is_outermost(j, s->items[i].node, kind))
			continue;
		time += s->items[i].time;
		*late += s->items[i].late;
	}
	return time;
}

void
work_methods(const struct judge *j, const struct loop_sums *s, enum finding_kind kind,
    struct tallied *method, struct tallied *caller)
{
	struct kind_tally methods = {0}, callers = {0};
	struct items walk, calls = {0};

	for (uint32_t i = 0; i < s->count; i++) {
		if (is_outermost(j, s->items[i].node, kind))
			tally_add(&methods, j->profile->trace, method_at(j, &s->items[i]), s->items[i].time);
	}
	*method = tally_most(&methods);
	if (method->method != METHOD_NONE) {
		walk = items_outermost(s);
		items_gather(j, s, &walk, method->method, &calls);
	}
	method->time = 0;
	for (size_t i = 0; i < calls.count; i++) {
		const struct sum *item = &s->items[calls.list[i]];

		method->time += item->time;
		tally_add(&callers, j->profile->trace, j->m.nodes[item->node].caller, item->time);
	}
	*caller = tally_most(&callers);
	mem_free(calls.list);
}

struct tallied
asleep_most(const struct judge *j, const struct loop_sums *s)
{
	struct kind_tally t = {0};

	for (uint32_t i = 0; i < s->count; i++)
		tally_add(&t, j->profile->trace, method_at(j, &s->items[i]), s->items[i].asleep);
	return tally_most(&t);
}

/* Paths --------------------------------------------------------------------------- */

/* Adds the callees of an item, those of mechanism in its place. */
static void
callees_take(const struct judge *j, const struct loop_sums *s, uint32_t item, struct items *out)
{
	size_t i = out->count;

	items_add_callees(out, s, item);
	while (i < out->count) {
		uint32_t at = out->list[i];

		if ((j->m.nodes[s->items[at].node].own & MARK_GLUE) == 0) {
			i++;
			continue;
		}
		out->list[i] = out->list[--out->count];
		items_add_callees(out, s, at);
	}
}

/* Calls of one name at one place of a path: the outermost, then those directly below them. */
struct level {
	uint32_t method; /* METHOD_NONE: the top, above all roots */
	uint32_t marks;
	struct items items;
	nsec time, own, late;
};

static void
level_release(struct level *l)
{
	mem_free(l->items.list);
}

static void
level_move(struct level *to, struct level *from)
{
	level_release(to);
	*to = *from;
}

/* The calls of the method among these items, which are moved to the level. */
static struct level
level_of(const struct judge *j, const struct loop_sums *s, struct items *from, uint32_t method)
{
	struct level l = {.method = method};
	struct items below = {0};

	for (size_t i = 0; i < from->count; i++) {
		if (!same_name(j, method_at(j, &s->items[from->list[i]]), method))
			continue;
		items_add(&l.items, from->list[i]);
		l.time += s->items[from->list[i]].time;
		l.late += s->items[from->list[i]].late;
	}
	for (size_t i = 0; i < l.items.count; i++) {
		const struct sum *item = &s->items[l.items.list[i]];

		l.own += item->own;
		l.marks |= j->m.nodes[item->node].own;
		below.count = 0;
		callees_take(j, s, l.items.list[i], &below);
		for (size_t k = 0; k < below.count; k++) {
			if (same_name(j, method_at(j, &s->items[below.list[k]]), method))
				items_add(&l.items, below.list[k]);
		}
	}
	mem_free(below.list);
	return l;
}

/* All callees of a level but those that are the level itself. */
static struct items
level_callees(const struct judge *j, const struct loop_sums *s, const struct level *l)
{
	struct items all = {0};
	size_t count = 0;

	for (size_t i = 0; i < l->items.count; i++)
		callees_take(j, s, l->items.list[i], &all);
	for (size_t i = 0; i < all.count && l->method != METHOD_NONE; i++) {
		if (!same_name(j, method_at(j, &s->items[all.list[i]]), l->method))
			all.list[count++] = all.list[i];
	}
	all.count = l->method != METHOD_NONE ? count : all.count;
	return all;
}

/* The two callees with the most time. */
static void
callees_most(const struct judge *j, const struct loop_sums *s, const struct items *callees,
    struct tallied most[2])
{
	struct kind_tally t = {0};

	most[0] = most[1] = (struct tallied){METHOD_NONE, 0};
	for (size_t i = 0; i < callees->count; i++)
		tally_add(&t, j->profile->trace, method_at(j, &s->items[callees->list[i]]),
		    s->items[callees->list[i]].time);
	for (size_t i = 0; i < t.count; i++) {
		if (t.items[i].time > most[0].time) {
			most[1] = most[0];
			most[0] = t.items[i];
		} else if (t.items[i].time > most[1].time) {
			most[1] = t.items[i];
		}
	}
	(void)tally_most(&t);
}

/* The callee with the most time; its method is METHOD_NONE where nothing is called. */
static struct level
level_below(const struct judge *j, const struct loop_sums *s, const struct level *l,
    struct tallied most[2])
{
	struct items callees = level_callees(j, s, l);
	struct level below = {.method = METHOD_NONE};

	callees_most(j, s, &callees, most);
	if (most[0].method != METHOD_NONE)
		below = level_of(j, s, &callees, most[0].method);
	mem_free(callees.list);
	return below;
}

/* From the app's own to its next on the heaviest path, if that has 80 %. */
static struct level
level_next_own(const struct judge *j, const struct loop_sums *s, const struct level *from)
{
	struct tallied most[2];
	struct level l = level_below(j, s, from, most), next;

	while (l.method != METHOD_NONE && 10 * l.time >= 8 * from->time &&
	    (l.marks & (MARK_OWN | WORK_MARKS)) == 0) {
		next = level_below(j, s, &l, most);
		level_move(&l, &next);
	}
	if (l.method != METHOD_NONE && 10 * l.time >= 8 * from->time && (l.marks & MARK_OWN) != 0)
		return l;
	level_release(&l);
	return (struct level){.method = METHOD_NONE};
}

/* All calls of a method below these items, which are used up; not only those at one place. */
static struct level
level_gather(const struct judge *j, const struct loop_sums *s, struct items walk, uint32_t method)
{
	struct items found = {0};
	struct level l;

	items_gather(j, s, &walk, method, &found);
	l = level_of(j, s, &found, method);
	mem_free(found.list);
	return l;
}

/* The deepest of the app's own on the heaviest path below that has 60 % of the level's time. */
static void
level_to_own(const struct judge *j, const struct loop_sums *s, struct level *reached)
{
	struct level best = {.method = METHOD_NONE}, next, all;
	struct tallied most[2];
	struct level l = level_below(j, s, reached, most);

	while (l.method != METHOD_NONE && 10 * l.time >= reached->time && l.time > 0) {
		if ((l.marks & MARK_OWN) != 0) {
			all = level_gather(j, s, (struct items){mem_dup(reached->items.list,
			    reached->items.count, sizeof(*reached->items.list)),
			    reached->items.count, reached->items.count}, l.method);
			if (10 * all.time >= 6 * reached->time)
				level_move(&best, &all);
			else
				level_release(&all);
		}
		if ((l.marks & WORK_MARKS) != 0)
			break;
		next = level_below(j, s, &l, most);
		level_move(&l, &next);
	}
	level_release(&l);
	if (best.method != METHOD_NONE)
		level_move(reached, &best);
}

static struct level
path_walk(const struct judge *j, const struct loop_sums *s, nsec whole)
{
	struct level now = {METHOD_NONE, .items = items_outermost(s), .time = whole}, next;
	struct tallied most[2];

	while ((now.marks & WORK_MARKS) == 0) {
		bool top = now.method == METHOD_NONE, on;

		if ((now.marks & MARK_OWN) != 0) {
			next = level_next_own(j, s, &now);
			on = next.method != METHOD_NONE;
		} else {
			next = level_below(j, s, &now, most);
			on = next.method != METHOD_NONE &&
			    (top ? 2 * most[0].time >= whole || (10 * most[1].time < whole &&
						10 * most[0].time >= whole)
				 : 10 * most[0].time >= 8 * now.time);
		}
		if (!on) {
			level_release(&next);
			break;
		}
		level_move(&now, &next);
	}
	if ((now.marks & (WORK_MARKS | MARK_OWN)) == 0)
		level_to_own(j, s, &now);
	if (now.method != METHOD_NONE) {
		/* A figure beside a name is of all its calls. */
		next = level_gather(j, s, items_outermost(s), now.method);
		level_move(&now, &next);
	}
	return now;
}

/* The class of work with 80 % of these calls. */
static enum finding_kind
part_kind(const struct judge *j, const struct loop_sums *s, const struct level *part)
{
	struct items walk = {0};
	nsec times[FINDING_KINDS] = {0};
	enum finding_kind kind = FINDING_KINDS;

	for (size_t i = 0; i < part->items.count && (part->marks & WORK_MARKS) == 0; i++)
		items_add_callees(&walk, s, part->items.list[i]);
	while (walk.count > 0) {
		const struct sum *item = &s->items[walk.list[--walk.count]];
		uint32_t marks = j->m.nodes[item->node].own &
		    ~j->m.nodes[tree_parent(&j->profile->tree, item->node)].inside & WORK_MARKS;

		for (int k = 0; marks >> k != 0; k++)
			times[k] += (marks >> k & 1) != 0 ? item->time : 0;
		items_add_callees(&walk, s, (uint32_t)(item - s->items));
	}
	mem_free(walk.list);
	for (int k = 0; k < FINDING_KINDS; k++) {
		if (10 * times[k] >= 8 * part->time && times[k] > 0 &&
		    (kind == FINDING_KINDS || times[k] > times[kind]))
			kind = (enum finding_kind)k;
	}
	return kind;
}

unsigned
finding_percent(nsec part, nsec whole)
{
	return whole > 0 ? (unsigned)((double)part * 100 / (double)whole + 0.5) : 0;
}

/* The parts of the level's time: its largest callees and its own. */
static void
parts_take(const struct judge *j, const struct loop_sums *s, const struct level *l,
    struct finding_cause *c)
{
	struct items callees = level_callees(j, s, l);
	struct tallied most[3], swap;

	callees_most(j, s, &callees, most);
	most[2] = (struct tallied){METHOD_NONE, l->method != METHOD_NONE ? l->own : 0};
	for (int i = 2; i > 0 && most[i].time > most[i - 1].time; i--) {
		swap = most[i];
		most[i] = most[i - 1];
		most[i - 1] = swap;
	}
	for (int i = 0; i < 2; i++) {
		struct level part;

		if (10 * most[i].time < c->whole || most[i].time == 0 || 10 * l->own >= 8 * l->time ||
		    (l->method != METHOD_NONE &&
			finding_percent(most[i].time, c->whole) ==
			    finding_percent(l->time, c->whole)))
			continue;
		c->parts[c->part_count] = (struct cause_part){most[i].method, most[i].time, FINDING_KINDS};
		if (most[i].method != METHOD_NONE) {
			part = level_of(j, s, &callees, most[i].method);
			c->parts[c->part_count].kind = part_kind(j, s, &part);
			level_release(&part);
		}
		c->part_count++;
	}
	mem_free(callees.list);
}

/* True if the item is below a call of that name. */
static bool
is_below(const struct judge *j, const struct loop_sums *s, uint32_t item, uint32_t method)
{
	for (uint32_t at = s->items[item].parent; at != 0; at = s->items[at - 1].parent) {
		if (same_name(j, method_at(j, &s->items[at - 1]), method))
			return true;
	}
	return false;
}

/* The innermost mechanism of frames above all parts. */
static uint32_t
parts_under(const struct judge *j, const struct loop_sums *s, const struct level *top,
    const struct finding_cause *c)
{
	struct items callees = level_callees(j, s, top), of = {0};
	uint32_t heaviest = 0, under = METHOD_NONE;

	for (size_t i = 0; i < callees.count; i++) {
		for (uint32_t k = 0; k < c->part_count; k++) {
			if (same_name(j, method_at(j, &s->items[callees.list[i]]), c->parts[k].method))
				items_add(&of, callees.list[i]);
		}
	}
	for (size_t i = 0; i < of.count; i++)
		heaviest = s->items[of.list[i]].time > s->items[of.list[heaviest]].time ? (uint32_t)i : heaviest;
	for (uint32_t at = of.count > 0 ? s->items[of.list[heaviest]].parent : 0;
	     at != 0 && under == METHOD_NONE; at = s->items[at - 1].parent) {
		size_t k = 0;

		if ((j->m.nodes[s->items[at - 1].node].own & MARK_FRAMING) == 0)
			continue;
		while (k < of.count && is_below(j, s, of.list[k], method_at(j, &s->items[at - 1])))
			k++;
		if (k == of.count)
			under = method_at(j, &s->items[at - 1]);
	}
	mem_free(callees.list);
	mem_free(of.list);
	return under;
}

/* Mechanism that has half of the time itself: nothing was traced below it. */
static uint32_t
untraced(const struct judge *j, const struct loop_sums *s, nsec whole)
{
	struct kind_tally t = {0};
	struct tallied most;

	for (uint32_t i = 0; i < s->count; i++) {
		if ((j->m.nodes[s->items[i].node].own & MARK_GLUE) != 0 &&
		    trace_method(j->profile->trace, method_at(j, &s->items[i]))->word == NULL)
			tally_add(&t, j->profile->trace, method_at(j, &s->items[i]), s->items[i].own);
	}
	most = tally_most(&t);
	return 2 * most.time >= whole ? most.method : METHOD_NONE;
}

void
cause_path(const struct judge *j, const struct loop_sums *s, nsec whole, struct finding_cause *c,
    nsec *late)
{
	struct level l = path_walk(j, s, whole);

	*c = (struct finding_cause){.kind = FINDING_KINDS, .method = l.method, .caller = METHOD_NONE,
	    .under = METHOD_NONE, .whole = whole};
	*late = l.late;
	if ((l.marks & WORK_MARKS) == 0)
		parts_take(j, s, &l, c);
	if (l.method != METHOD_NONE && 10 * l.time >= whole) {
		c->by = (l.marks & MARK_OWN) != 0 ? CAUSE_OWN : CAUSE_PATH;
		c->time = l.time;
	} else if (l.method == METHOD_NONE && c->part_count > 0) {
		c->by = CAUSE_SPLIT;
		c->under = parts_under(j, s, &l, c);
	} else {
		c->method = METHOD_NONE;
		c->part_count = 0;
		c->under = untraced(j, s, whole);
	}
	level_release(&l);
}

void
cause_find(const struct judge *j, const struct loop_sums *s, nsec whole,
    const nsec state[FINDING_KINDS], struct finding_cause *c)
{
	struct tallied method = {METHOD_NONE, 0}, caller = method;
	enum finding_kind most = FINDING_KINDS;
	nsec most_time = 0, late;

	for (int k = 0; k < FINDING_KINDS; k++) {
		nsec time = finding_is_work((enum finding_kind)k)
		    ? work_time(j, s, (enum finding_kind)k, &late) + state[k] : 0;

		if (time > most_time) {
			most = (enum finding_kind)k;
			most_time = time;
		}
	}
	if (most == FINDING_KINDS || 2 * most_time < whole) {
		cause_path(j, s, whole, c, &late);
		return;
	}
	if (state[most] == 0)
		work_methods(j, s, most, &method, &caller);
	else if (most == FINDING_WAIT)
		method = asleep_most(j, s);
	*c = (struct finding_cause){.by = CAUSE_CLASS, .kind = most, .method = method.method,
	    .caller = caller.method, .under = METHOD_NONE, .whole = whole, .time = most_time,
	    .method_time = method.time, .caller_time = caller.time};
}

nsec
shared_time(const struct judge *j, const struct loop_sums *s, uint32_t a, uint32_t b)
{
	struct items walk = items_outermost(s);
	struct items seen = {0}; /* beside each item, which of both are open */
	nsec time = 0;

	while (seen.count < walk.count)
		items_add(&seen, 0);
	while (walk.count > 0) {
		uint32_t item = walk.list[--walk.count], open = seen.list[--seen.count];
		uint32_t method = method_at(j, &s->items[item]);

		open |= (uint32_t)same_name(j, method, a) | (uint32_t)same_name(j, method, b) << 1;
		if (open == 3) {
			time += s->items[item].time;
			continue;
		}
		items_add_callees(&walk, s, item);
		while (seen.count < walk.count)
			items_add(&seen, open);
	}
	mem_free(walk.list);
	mem_free(seen.list);
	return time;
}
