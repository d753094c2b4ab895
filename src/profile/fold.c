#include <config.h>

#include "profile/fold.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/fold-share.h"

struct rank_item {
	nsec time;
	const struct method *method;
	uint32_t index;
};

static int
rank_order(const void *left, const void *right)
{
	const struct rank_item *a = left, *b = right;
	int order;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	order = method_compare(a->method, b->method);
	return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static void
ranks_give(struct fold *fold, const struct share *s, const struct trace *t)
{
	struct rank_item *items = mem_alloc(fold->method_count * sizeof(*items));
	uint32_t n = 0;

	for (uint32_t m = 0; m < fold->method_count; m++) {
		fold->methods[m].rank = RANK_NONE;
		if (m != METHOD_TOPLEVEL && s->tallies[m].ranked)
			items[n++] = (struct rank_item){share_rank_time(s, m),
			    trace_method(t, m), m};
	}
	qsort(items, n, sizeof(*items), rank_order);
	for (uint32_t i = 0; i < n; i++)
		fold->methods[items[i].index].rank = i;
	mem_free(items);
}

/* Methods that records name though no call of theirs is counted: a row of zeros. */
static void
seen_add(struct share *s, bool everything)
{
	const struct profile *p = s->folding->profile;

	for (uint32_t m = 1; m < s->folding->method_count && m < p->method_seen_room; m++) {
		uint32_t counted = folding_counted_as(s->folding, m);

		if (p->method_seen[m] == 0)
			continue;
		s->tallies[counted].ranked = true;
		s->tallies[counted].present |= everything;
	}
}

static void
methods_give(struct fold *fold, const struct share *s)
{
	fold->methods = mem_zero_table(fold->method_count, sizeof(*fold->methods));
	fold->met = mem_alloc(fold->method_count * sizeof(*fold->met));
	for (uint32_t m = 0; m < fold->method_count; m++) {
		const struct tally *t = &s->tallies[m];
		struct method_sum *sum = &fold->methods[m];

		if (!t->present)
			continue;
		fold->met[fold->met_count++] = m;
		fold->present += m != METHOD_TOPLEVEL;
		sum->present = true;
		sum->threads = t->threads;
		sum->calls = t->calls;
		sum->recursive_calls = t->recursive_calls;
		for (int c = 0; c < CLOCKS; c++) {
			sum->inclusive[c] = t->inclusive[c];
			sum->exclusive[c] = t->exclusive[c];
			sum->self[c] = t->exclusive[c] - s->rests[m].nested[c];
		}
	}
}

/* What was summed, as the value that is handed out. */
static void
share_hand_out(struct share *s, const struct folding *f, struct fold *fold)
{
	if (f->of == NULL)
		seen_add(s, f->scope == NULL && f->sums == NULL);
	methods_give(fold, s);
	fold->calls = s->calls;
	fold->whole_calls = s->whole_calls;
	memcpy(fold->total, s->total, sizeof(fold->total));
	memcpy(fold->whole, s->whole, sizeof(fold->whole));
	if (f->of == NULL)
		ranks_give(fold, s, f->profile->trace);
	if (s->edges != NULL)
		edges_relate(s->edges, f->profile->trace, fold);
}

/* What transforms do not change. */
static void
recorded_take(struct fold *fold, const struct fold *recorded)
{
	for (uint32_t m = 0; m < fold->method_count; m++)
		fold->methods[m].rank =
		    m < recorded->method_count ? recorded->methods[m].rank : RANK_NONE;
	memcpy(fold->threads, recorded->threads, fold->thread_count * sizeof(*fold->threads));
	memcpy(fold->whole, recorded->whole, sizeof(fold->whole));
	fold->whole_calls = recorded->whole_calls;
}

/* The query without transforms. */
static struct fold *
recorded_make(const struct profile *p, const struct fold_query *q,
    const struct range_sums *sums, const atomic_bool *cancel)
{
	struct fold_query plain = *q;

	plain.of = NULL;
	plain.sums = sums;
	plain.relations = false;
	return fold_make(p, &plain, cancel);
}

static struct fold *
fold_begin(const struct folding *f)
{
	struct fold *fold = mem_zero(1, sizeof(*fold));

	fold->range = f->range;
	fold->method_count = f->method_count;
	fold->thread_count = f->profile->lane_count;
	fold->threads = mem_zero(fold->thread_count, sizeof(*fold->threads));
	fold->records = f->profile->records;
	return fold;
}

struct fold *
fold_make(const struct profile *p, const struct fold_query *q, const atomic_bool *cancel)
{
	struct folding f = {
		.profile = p,
		.tree = &p->tree,
		.scope = q->scope,
		.range = q->range != NULL ? *q->range : RANGE_ALL,
		.same = q->same,
		.same_count = q->same != NULL ? q->same_count : 0,
		.method_count = trace_method_count(p->trace),
		.relations = q->relations,
		.slices = p->trace->log != NULL && q->of == NULL,
		.cancel = cancel,
	};
	struct range_sums sums;
	struct share share;
	const struct fold *recorded = q->recorded;
	struct fold *fold, *made = NULL;
	bool whole;

	assert(p->flat == NULL || (range_is_all(&f.range) && !f.relations &&
				      q->of == NULL && q->same == NULL));
	if (!range_is_all(&f.range)) {
		if (q->sums == NULL && !range_count(p, q->scope, &f.range, 0, &sums, NULL, cancel))
			return NULL;
		f.sums = q->sums != NULL ? q->sums : &sums;
		f.counts = f.sums->counts;
	}
	if (q->of != NULL) {
		f.of = q->of;
		f.tree = &q->of->tree;
		f.counts = NULL;
		if (recorded == NULL)
			recorded = made = recorded_make(p, q, f.sums, cancel);
	}
	fold = fold_begin(&f);
	f.threads = fold->threads;
	whole = share_fold(&share, &f) && (q->of == NULL || recorded != NULL);
	if (whole) {
		share_hand_out(&share, &f, fold);
		if (q->of != NULL)
			recorded_take(fold, recorded);
	}
	share_release(&share);
	fold_free(made);
	if (f.sums == &sums)
		range_release(&sums);
	if (whole)
		return fold;
	fold_free(fold);
	return NULL;
}

struct fold *
fold_new(const struct profile *p, const struct scope *scope, const struct range *range,
    const atomic_bool *cancel)
{
	return fold_make(p,
	    &(struct fold_query){.scope = scope, .range = range, .relations = true}, cancel);
}

struct fold *
fold_new_sums(const struct profile *p, const struct scope *scope, const struct range *range,
    const atomic_bool *cancel)
{
	return fold_make(
	    p, &(struct fold_query){.scope = scope, .range = range}, cancel);
}

struct fold *
fold_ref(struct fold *fold)
{
	fold->refs++;
	return fold;
}

void
fold_free(struct fold *fold)
{
	if (fold == NULL || fold->refs-- > 0)
		return;
	mem_free(fold->methods);
	mem_free(fold->met);
	mem_free(fold->threads);
	mem_free(fold->first);
	mem_free(fold->relations);
	mem_free(fold);
}

const struct relation *
fold_relations(const struct fold *fold, uint32_t method, enum relation_kind kind,
    uint32_t *count)
{
	size_t at = (size_t)method * RELATION_KINDS + kind;

	*count = 0;
	if (fold->first == NULL)
		return NULL;
	*count = fold->first[at + 1] - fold->first[at];
	return fold->relations + fold->first[at];
}
