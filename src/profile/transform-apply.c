#include <config.h>

#include "profile/transform-apply.h"

#include <string.h>

#include "base/mem.h"

/* Frames become what they become ------------------------------------------------------ */

static void
time_add(struct count *to, const struct count *from)
{
	for (int c = 0; c < CLOCKS; c++)
		to->time[c] += from->time[c];
}

/* `state` is by frame, from here on, the frame that it became or is below of. */
static void
fates_meet(struct applying *a)
{
	uint32_t *now = a->state, bottoms = a->bottoms, n = 0;
	bool leaves_root = fates_leave_root(a->transform->id);

	for (uint32_t i = 0; i < a->count; i++) {
		struct frame f = a->frames[i];
		struct count count = a->counts[i];
		enum fate fate = (enum fate)a->fate[i];

		if (i == bottoms)
			a->bottoms = n;
		if (f.parent == FRAME_NONE && leaves_root)
			count.time[CLOCK_CPU] = count.time[CLOCK_WALL] = 0;
		if (fate == FATE_LIFT || fate == FATE_JOIN)
			f.parent = now[a->into[i]];
		else if (f.parent != FRAME_NONE)
			f.parent = now[f.parent];
		if (fate == FATE_LIFT || fate == FATE_STAY) {
			a->frames[n] = f;
			a->counts[n] = count;
			now[i] = n++;
			continue;
		}
		if (fate != FATE_GO)
			time_add(&a->counts[f.parent], &count);
		now[i] = f.parent;
	}
	if (bottoms == a->count)
		a->bottoms = n;
	a->count = n;
	for (uint32_t t = 0; t < a->source->thread_count; t++) {
		if (a->roots[t] != FRAME_NONE)
			a->roots[t] = now[a->roots[t]];
		if (a->open[t] != FRAME_NONE)
			a->open[t] = now[a->open[t]];
	}
}

/* One transform --------------------------------------------------------------------------- */

struct meant {
	uint8_t *matches;
	uint8_t **path;
	size_t path_count;
};

static void
meant_release(struct meant *m)
{
	mem_free(m->matches);
	for (size_t i = 0; i < m->path_count; i++)
		mem_free(m->path[i]);
	mem_free(m->path);
}

/* The methods that a transform is about. */
static bool
meant_find(const struct applying *a, struct meant *m, struct err *e)
{
	const struct transform *t = a->transform;
	uint32_t count = trace_method_count(a->trace);
	size_t room = 0;
	struct str rest = t->text;

	*m = (struct meant){0};
	if (transform_kinds[t->id].argument == ARGUMENT_PERCENT)
		return true;
	if (transform_kinds[t->id].argument == ARGUMENT_PATH) {
		while (t->methods == NULL && rest.n > 0) {
			uint8_t *part = transform_matches(
			    t, a->trace, count, transform_path_cut(&rest), a->cancel, e);

			if (part == NULL)
				return false;
			MEM_GROW(m->path, room, m->path_count + 1);
			m->path[m->path_count++] = part;
		}
		return true;
	}
	if (t->methods == NULL) {
		m->matches = transform_matches(t, a->trace, count, t->text, a->cancel, e);
		return m->matches != NULL;
	}
	m->matches = mem_zero(count, 1);
	for (size_t i = 0; i < t->depth; i++)
		if (t->methods[i] < count)
			m->matches[t->methods[i]] = t->methods[i] != METHOD_TOPLEVEL;
	return true;
}

/* The method of frames that stand for several; METHOD_NONE when there can be none. */
static uint32_t
made_method(const struct applying *a)
{
	struct sbuf name = {0};
	uint32_t method;

	sbuf_char(&name, '(');
	if (a->transform->id == TRANSFORM_BELOW)
		sbuf_text(&name, "below ");
	transform_argument_text(&name, a->transform, a->trace);
	sbuf_char(&name, ')');
	method = trace_method_made(a->trace, sbuf_view(&name));
	sbuf_release(&name);
	return method;
}

static bool
needs_made(enum transform_id id)
{
	return id == TRANSFORM_BELOW || id == TRANSFORM_COLLAPSE_PACKAGE ||
	    id == TRANSFORM_COLLAPSE_MATCHES;
}

/* False when cancelled; what cannot be met is passed over, and said in `e`. */
static bool
apply_one(struct applying *a, const struct transform *t, struct err *e)
{
	struct err why = {0};
	struct meant m;
	bool whole = true;

	a->transform = t;
	if (!meant_find(a, &m, &why)) {
		whole = why.kind != ERR_CANCELLED;
	} else if (needs_made(t->id) && (a->made = made_method(a)) == METHOD_NONE) {
		err_set(&why, ERR_LIMIT, "too many methods for one more name");
	} else {
		a->matches = m.matches;
		a->path = (const uint8_t *const *)m.path;
		a->depth = t->methods != NULL ? t->depth : m.path_count;
		whole = fates_find(a);
		if (whole)
			fates_meet(a);
		a->twins = true;
	}
	if (why.kind != ERR_NONE && e->kind == ERR_NONE)
		*e = why;
	meant_release(&m);
	return whole;
}

/* From a tree, and to one ----------------------------------------------------------------- */

/* As recorded, only a frame from before the trace can have another of its path. */
static bool
twins_recorded(const struct applying *a)
{
	for (uint32_t i = 0; i < a->bottoms; i++)
		if (a->frames[i].parent != FRAME_NONE)
			return true;
	return false;
}

static void
frame_take(struct applying *a, uint32_t *frame_of, uint32_t id)
{
	const struct paths_source *s = a->source;
	uint32_t parent = node_parent(&s->tree->nodes[id]), n = a->count++;

	frame_of[id] = n;
	a->frames[n].method = s->tree->nodes[id].method;
	a->frames[n].parent = parent != NODE_NONE ? frame_of[parent] : FRAME_NONE;
	a->counts[n] = tree_count_of(s->tree, s->counts, id);
}

/*
 * Ids rise from parents to children, but for bottoms, which stand above what came
 * before them.
 */
static void
frames_take(struct applying *a)
{
	const struct paths_source *s = a->source;
	uint32_t *frame_of = mem_alloc(s->tree->count * sizeof(*frame_of));

	frame_of[NODE_NONE] = FRAME_NONE;
	for (uint32_t id = s->tree->count; id-- > 1;)
		if (tree_is_bottom(s->tree, id))
			frame_take(a, frame_of, id);
	a->bottoms = a->count;
	for (uint32_t id = 1; id < s->tree->count; id++)
		if (!tree_is_bottom(s->tree, id))
			frame_take(a, frame_of, id);
	a->twins = twins_recorded(a);
	for (uint32_t t = 0; t < s->thread_count; t++) {
		a->roots[t] = frame_of[s->roots[t]];
		a->open[t] = s->open != NULL ? frame_of[s->open[t]] : FRAME_NONE;
		if (s->idle && a->roots[t] != FRAME_NONE)
			memset(a->counts[a->roots[t]].time, 0, sizeof(a->counts->time));
	}
	mem_free(frame_of);
}

/* Bottoms the other way round, so that they are above their children again. */
static uint32_t
frame_id(const struct applying *a, uint32_t frame)
{
	if (frame == FRAME_NONE)
		return NODE_NONE;
	return frame < a->bottoms ? a->bottoms - frame : frame + 1;
}

static struct transformed *
frames_give(const struct applying *a)
{
	struct transformed *x = mem_zero(1, sizeof(*x));
	struct tree *t = &x->tree;

	tree_init_room(t, a->count + 1);
	t->count = t->limit = a->count + 1;
	for (uint32_t i = 0; i < a->count; i++) {
		uint32_t id = frame_id(a, i), parent = frame_id(a, a->frames[i].parent);

		t->nodes[id] =
		    (struct node){.method = a->frames[i].method, .up = parent};
		t->kin[id] = (struct kin){0};
		tree_count_add(t, id, &a->counts[i]);
		if (parent != NODE_NONE) {
			t->kin[id].sibling = t->kin[parent].child;
			t->kin[parent].child = id;
		}
	}
	for (uint32_t i = 0; i < a->source->thread_count; i++) {
		a->roots[i] = frame_id(a, a->roots[i]);
		a->open[i] = frame_id(a, a->open[i]);
	}
	x->roots = a->roots;
	x->open = a->open;
	x->thread_count = a->source->thread_count;
	x->method_count = trace_method_count(a->trace);
	return x;
}

struct transformed *
transform_apply(const struct transforms *list, struct trace *trace,
    const struct paths_source *source, const atomic_bool *cancel)
{
	struct applying a = {.source = source, .trace = trace, .cancel = cancel};
	size_t nodes = source->tree->count, threads = (size_t)source->thread_count + 1;
	struct transformed *x = NULL;
	struct err err = {0};
	bool whole = true;

	a.frames = mem_alloc(nodes * sizeof(*a.frames));
	a.counts = mem_alloc(nodes * sizeof(*a.counts));
	a.fate = mem_alloc(nodes);
	a.state = mem_zero(nodes, sizeof(*a.state));
	a.into = mem_alloc(nodes * sizeof(*a.into));
	a.roots = mem_alloc(threads * sizeof(*a.roots));
	a.open = mem_alloc(threads * sizeof(*a.open));
	frames_take(&a);
	for (size_t i = 0; i < list->count && whole; i++)
		if (!list->list[i].off)
			whole = apply_one(&a, &list->list[i], &err);
	if (whole) {
		x = frames_give(&a);
		x->err = err;
	} else {
		mem_free(a.roots);
		mem_free(a.open);
	}
	mem_free(a.frames);
	mem_free(a.counts);
	mem_free(a.fate);
	mem_free(a.state);
	mem_free(a.into);
	return x;
}

struct transformed *
transform_profile(const struct transforms *list, const struct profile *p,
    const struct scope *scope, const struct range_sums *sums, const atomic_bool *cancel)
{
	struct paths_source source = paths_source_of(p, scope, sums);
	struct transformed *x = transform_apply(list, p->trace, &source, cancel);

	paths_source_release(&source);
	return x;
}

void
transformed_free(struct transformed *x)
{
	if (x == NULL)
		return;
	tree_release(&x->tree);
	mem_free(x->roots);
	mem_free(x->open);
	mem_free(x);
}

struct paths_source
transformed_source(const struct transformed *x, const struct paths_source *from)
{
	struct paths_source s = *from;

	s.tree = &x->tree;
	s.counts = NULL;
	s.roots = x->roots;
	s.open = from->open != NULL ? x->open : NULL;
	s.method_count = x->method_count;
	s.idle = false; /* what a root has now is of slices whose frames went */
	return s;
}
