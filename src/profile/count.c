#include <config.h>

#include "profile/count.h"

#include "base/pair64.h"
#include "profile/count_odd.h"
#include "profile/item.h"

/*
 * What a run keeps in registers; written back before what is odd is dealt with, and read
 * again afterwards.  Nodes and guesses by address, which saves finding it for every record.
 */
struct place {
	struct node *node;
	const uint32_t *guess;
	const struct node *root, *low;
	pair64 raw; /* by clock */
};

static inline __attribute__((always_inline)) struct place
run_begin(const struct lane *lane, struct node *nodes)
{
	return (struct place){nodes + lane->node, (const uint32_t *)nodes + lane->guess,
	    nodes + lane->root, nodes + lane->low, pair64_load(lane->raw)};
}

static inline __attribute__((always_inline)) void
run_end(const struct place *run, struct lane *lane, const struct node *nodes)
{
	lane->node = (uint32_t)(run->node - nodes);
	lane->guess = (uint32_t)(run->guess - (const uint32_t *)nodes);
	lane->low = (uint32_t)(run->low - nodes);
	pair64_store(lane->raw, run->raw);
}

/* An entry that was not guessed. */
static __attribute__((noinline)) struct node *
node_enter(struct walk *w, struct lane *lane, enum plain_form form, uint32_t word,
    uint32_t method, uint64_t offset)
{
	uint32_t child;

	if (form != PLAIN_NONE && method == IDMAP_NONE)
		method = method_unknown(w, word, offset);
	child = walk_enter_miss(w, lane, method, offset);
	return &w->profile->tree.nodes[child];
}

/* What is neither an entry nor the exit of the frame on top. */
static __attribute__((noinline)) void
exit_odd(struct walk *w, struct lane *lane, enum plain_form form, uint32_t word, uint32_t method,
    uint64_t offset)
{
	if (form != PLAIN_NONE && method == IDMAP_NONE)
		method = method_unknown(w, word, offset);
	if ((word & 3) == ACTION_RESERVED)
		damage_add(w->damage, DAMAGE_RESERVED_ACTION,
		    form != PLAIN_NONE || word != WORD_TICK, offset);
	else if (w->profile->tree.nodes[lane->node].method == method)
		walk_pop(&w->profile->tree, lane);
	else
		walk_exit_odd(w, lane, method, offset);
}

/*
 * The run of one thread's items that begins at `p`; returns its end.  `runs`: it has the
 * rest, too; else the run ends where another thread's begins.  `counts` NULL: the walk
 * builds.
 */
static inline __attribute__((always_inline)) const uint8_t *
run_count(const struct records *r, struct walk *w, struct lane *lane, const uint8_t *p,
    const uint8_t *end, struct runs *runs, enum plain_form form, const struct idmap *methods,
    struct count *counts)
{
	struct tree *tree = &w->profile->tree;
	const uint32_t size = item_size(form);
	const bool build = counts == NULL;
	struct node *nodes = tree->nodes;
	const uint32_t id = item_thread(form, p);
	const uint8_t *begin = p, *base = NULL;
	uint64_t records = 0;
	struct place run = run_begin(lane, nodes);

	do {
		const uint32_t word = item_word(form, p);
		const pair64 times = item_times(form, p);
		pair64 step = pair64_subtract(times, run.raw);
		const uint32_t method = item_method(form, word, methods);
		nsec *on_top;

		/* A lane that has not started has raw times that make this negative. */
		if (__builtin_expect(pair64_is_negative(step), 0)) {
			run_end(&run, lane, nodes);
			step = clock_odd(w, lane, times, item_offset(r, form, p));
			nodes = tree->nodes;
			run = run_begin(lane, nodes);
		} else {
			run.raw = times;
		}
		on_top = build ? run.node->time : counts[run.node - nodes].time;
		pair64_store(on_top, pair64_add(pair64_load(on_top), step));
		if ((word & 3) == ACTION_ENTER) {
			struct node *child = nodes + *run.guess;

			if (__builtin_expect(run.node == run.root, 0))
				base = p;
			if (__builtin_expect(child->method != method, 0)) {
				run_end(&run, lane, nodes);
				child = node_enter(w, lane, form, word, method,
				    item_offset(r, form, p));
				nodes = tree->nodes;
				run = run_begin(lane, nodes);
			}
			run.node = child;
			run.guess = &child->next[0];
			/* What may be entered when it is left again. */
			__builtin_prefetch(nodes + child->next[1]);
			if (build)
				tree_call(tree, child);
			else
				counts[child - nodes].calls++;
		} else if (__builtin_expect(run.node->method == method &&
			       (word & 3) != ACTION_RESERVED, 1)) {
			const struct node *left = run.node;

			run.node = nodes + node_parent(left);
			run.guess = &left->next[1];
			if (left == run.low)
				run.low = run.node;
		} else {
			run_end(&run, lane, nodes);
			exit_odd(w, lane, form, word, method, item_offset(r, form, p));
			nodes = tree->nodes;
			run = run_begin(lane, nodes);
		}
		p += size;
		if (runs != NULL && __builtin_expect(p == end, 0)) {
			records += (size_t)(p - begin) / size;
			if (!runs_at(runs, &p, &end, size))
				break;
			begin = p;
		}
	} while (runs != NULL || (p < end && item_thread(form, p) == id));
	if (runs == NULL)
		records = (size_t)(p - begin) / size;
	run_end(&run, lane, nodes);
	if (base != NULL)
		lane->base_offset = item_offset(r, form, base);
	lane->records += records;
	if (build && lane_time(lane, CLOCK_WALL) > w->profile->latest)
		w->profile->latest = lane_time(lane, CLOCK_WALL);
	return p;
}

static inline __attribute__((always_inline)) void
runs_count(const struct records *r, struct walk *w, const uint8_t *p, uint32_t count,
    enum plain_form form, struct count *counts)
{
	const struct idmap *threads = &w->profile->trace->thread_ids;
	/* Of its own, so that it is seen not to change meanwhile. */
	const struct idmap methods = w->profile->trace->method_ids;
	const uint8_t *end = p + (size_t)count * item_size(form);

	while (p < end) {
		const uint8_t *begin = p;
		const uint32_t id = item_thread(form, p);
		uint32_t thread = id;
		bool listed = true;

		if (form != PLAIN_NONE) {
			thread = idmap_get(threads, id);
			listed = thread != IDMAP_NONE;
			if (__builtin_expect(thread >= w->profile->lane_count, 0))
				thread = thread_met(w, thread, id, item_offset(r, form, p));
		}
		if (counts != NULL && __builtin_expect(!walk_met(w->profile, thread), 0)) {
			p += item_size(form);
			continue;
		}
		p = run_count(r, w, &w->lanes[thread], p, end, NULL, form, &methods, counts);
		if (__builtin_expect(!listed, 0))
			thread_unlisted(w, id, (size_t)(p - begin) / item_size(form),
			    item_offset(r, form, begin));
	}
}

/* One copy of the loop for each form, building or not. */
#define COUNTER(form)                                                                      \
	static void count_##form(const struct records *r, struct walk *w,                  \
	    struct count *counts)                                                          \
	{                                                                                  \
		if (counts == NULL)                                                        \
			runs_count(r, w, r->plain.bytes, r->plain.count, form, NULL); \
		else                                                                       \
			runs_count(r, w, r->plain.bytes, r->plain.count, form, counts); \
	}

#define COUNTER_ROW(form) [form] = count_##form,

FORMS(COUNTER)

static void
count_events(const struct records *r, struct walk *w, struct count *counts)
{
	const uint8_t *first = (const uint8_t *)r->batch.ev;

	if (counts == NULL)
		runs_count(r, w, first, r->batch.count, PLAIN_NONE, NULL);
	else
		runs_count(r, w, first, r->batch.count, PLAIN_NONE, counts);
}

uint32_t
records_count(const struct records *r, struct walk *w, struct count *counts)
{
	static void (*const counter[])(const struct records *, struct walk *, struct count *) = {
	    [PLAIN_NONE] = count_events,
	    FORMS(COUNTER_ROW)
	};

	counter[r->form](r, w, counts);
	return r->form == PLAIN_NONE ? r->batch.count : r->plain.count;
}

static inline __attribute__((always_inline)) void
runs_follow(const struct records *r, struct walk *w, struct lane *lane, struct runs *from,
    enum plain_form form, struct count *counts)
{
	const struct idmap methods = w->profile->trace->method_ids;
	/* Of its own, too. */
	struct runs runs = *from;
	const uint8_t *p, *end;

	if (runs_at(&runs, &p, &end, plain_size(form)))
		run_count(r, w, lane, p, end, &runs, form, &methods, counts);
	*from = runs;
}

#define FOLLOWER(form)                                                                     \
	static void follow_##form(const struct records *r, struct walk *w,                 \
	    struct lane *lane, struct runs *runs, struct count *counts)                    \
	{                                                                                  \
		if (counts == NULL)                                                        \
			runs_follow(r, w, lane, runs, form, NULL);                         \
		else                                                                       \
			runs_follow(r, w, lane, runs, form, counts);                       \
	}

#define FOLLOWER_ROW(form) [form] = follow_##form,

FORMS(FOLLOWER)

void
strand_count(const struct records *r, struct walk *w, struct lane *lane, struct runs *runs,
    uint32_t until, struct count *counts)
{
	static void (*const follower[])(const struct records *, struct walk *, struct lane *,
	    struct runs *, struct count *) = {
	    FORMS(FOLLOWER_ROW)
	};

	runs_until(runs, until);
	follower[r->form](r, w, lane, runs, counts);
}
