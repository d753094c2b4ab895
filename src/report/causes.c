// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/causes.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "report/text/verdicts.h"

/* The call paths, by what they are of. */
struct cause_search {
	const struct pathdiff *tree;
	uint32_t *group; /* by method: its row, or a number of its own */
	uint32_t groups;
	uint32_t *first, *ids; /* paths of group g are ids[first[g]] up to ids[first[g + 1]] */
	nsec *sum;       /* by group; 0 between two steps */
	uint32_t *of;    /* by group: a method of it */
	uint32_t *here, *below; /* the paths of this step and of the next */
	size_t here_count;
};

bool
causes_wanted(const struct runs_options *how, const struct diffreport_options *o)
{
	bool gated = o->fail_time_given || o->fail_percent_given || how->limit_count > 0;

	if (o->value != DIFF_INCLUSIVE || o->over_given || diffreport_of_paths(o))
		return false;
	return o->format->runs == verdicts_json || o->format->runs == verdicts_markdown || o->format->runs == verdicts_html ||
	    (o->format->runs == verdicts_text && (gated || how->all));
}

static nsec
delta_of(const struct cause_search *s, uint32_t id)
{
	const struct pathjoin_figures *f = &s->tree->sums.of[id];

	return diff_between(f->inclusive[DIFF_A], f->inclusive[DIFF_B]);
}

/* Gives all names of a row its number. */
static void
groups_make(struct cause_search *s, struct runset *r, struct pathdiff *tree)
{
	uint32_t count;

	for (size_t i = 0; i < r->count; i++) /* first, so that the joined trace has them all */
		for (int side = 0; side < DIFF_SIDES; side++)
			if (r->rows[i].method[side] != METHOD_NONE)
				runs_side_method(&tree->joined,
				    trace_method(r->side[side].trace, r->rows[i].method[side]));
	count = trace_method_count(tree->joined.trace);
	s->groups = (uint32_t)r->count + count;
	s->group = mem_alloc(((size_t)count + 1) * sizeof(*s->group));
	for (uint32_t m = 0; m < count; m++)
		s->group[m] = (uint32_t)r->count + m;
	for (size_t i = 0; i < r->count; i++)
		for (int side = 0; side < DIFF_SIDES; side++)
			if (r->rows[i].method[side] != METHOD_NONE)
				s->group[runs_side_method(&tree->joined, trace_method(r->side[side].trace,
				    r->rows[i].method[side]))] = (uint32_t)i;
}

static void
paths_sort(struct cause_search *s)
{
	const struct paths *p = &s->tree->paths;

	s->first = mem_zero((size_t)s->groups + 2, sizeof(*s->first));
	s->ids = mem_alloc(((size_t)p->count + 1) * sizeof(*s->ids));
	s->here = mem_alloc(((size_t)p->count + 1) * sizeof(*s->here));
	s->below = mem_alloc(((size_t)p->count + 1) * sizeof(*s->below));
	s->sum = mem_zero((size_t)s->groups + 1, sizeof(*s->sum));
	s->of = mem_alloc(((size_t)s->groups + 1) * sizeof(*s->of));
	for (uint32_t id = 0; id < p->count; id++)
		s->first[s->group[p->items[id].method] + 2]++;
	for (uint32_t g = 1; g <= s->groups; g++)
		s->first[g + 1] += s->first[g];
	for (uint32_t id = 0; id < p->count; id++)
		s->ids[s->first[s->group[p->items[id].method] + 1]++] = id;
}

/* Begins with the outermost paths of a row; returns their difference. */
static nsec
row_begin(struct cause_search *s, uint32_t row)
{
	const struct path *items = s->tree->paths.items;
	nsec sum = 0;

	s->here_count = 0;
	for (uint32_t i = s->first[row]; i < s->first[row + 1]; i++) {
		uint32_t above = items[s->ids[i]].parent;

		while (above != PATH_NONE && s->group[items[above].method] != row)
			above = items[above].parent;
		if (above != PATH_NONE)
			continue;
		sum = pathjoin_plus(sum, delta_of(s, s->ids[i]));
		s->here[s->here_count++] = s->ids[i];
	}
	return sum;
}

enum { NO_GROUP = -1 };

/* Goes to the callee that differs most in the direction of `whole`; NO_GROUP: none has half of it. */
static int64_t
step(struct cause_search *s, nsec whole)
{
	const struct trace *t = s->tree->joined.trace;
	const struct path *items = s->tree->paths.items;
	int64_t best = NO_GROUP;
	size_t count = 0;
	nsec most = 0;

	for (size_t i = 0; i < s->here_count; i++) {
		const struct path *p = &items[s->here[i]];

		for (uint32_t id = p->child; id < p->child + p->children; id++) {
			uint32_t g = s->group[items[id].method];

			s->sum[g] = pathjoin_plus(s->sum[g], delta_of(s, id));
			s->of[g] = items[id].method;
			s->below[count++] = id;
		}
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t g = s->group[items[s->below[i]].method];
		nsec gain = whole > 0 ? s->sum[g] : diff_between(s->sum[g], 0);

		if (gain > most || (gain == most && best != NO_GROUP &&
		    method_compare(trace_method(t, s->of[g]), trace_method(t, s->of[best])) < 0))
			best = g;
		most = gain > most ? gain : most;
	}
	if (2.0 * (double)most < fabs((double)whole))
		best = NO_GROUP;
	s->here_count = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t g = s->group[items[s->below[i]].method];

		s->sum[g] = 0;
		if (g == best)
			s->here[s->here_count++] = s->below[i];
	}
	return best;
}

/* Names a callee: as its row is named, if it has one. */
static struct runs_cause
cause_of(const struct cause_search *s, struct runset *r, size_t group)
{
	struct names *names = s->tree->figures.names;
	uint32_t method;
	int side;

	if (group >= r->count) {
		method = s->of[group];
	} else {
		side = r->rows[group].method[DIFF_B] != METHOD_NONE ? DIFF_B : DIFF_A;
		method = r->rows[group].method[side];
		names = r->names[side];
	}
	return (struct runs_cause){arena_str(&r->kept, names_raw(names, method)),
	    arena_str(&r->kept, names_shown(names, method))};
}

static void
row_search(struct cause_search *s, struct runset *r, uint32_t row)
{
	struct runs_row *of = &r->rows[row];
	struct runs_cause *cause = NULL;
	nsec whole = row_begin(s, row);
	size_t count = 0, room = 0;
	int64_t group;

	while (whole != 0 && (group = step(s, whole)) != NO_GROUP)
		*MEM_ADD(cause, count, room) = cause_of(s, r, (size_t)group);
	if (count > 0) {
		of->cause = memcpy(arena_alloc(&r->kept, count * sizeof(*cause)), cause, count * sizeof(*cause));
		of->cause_count = count;
	}
	mem_free(cause);
}

bool
causes_find(struct runset *r, struct pathdiff *tree, const atomic_bool *cancel, struct err *e)
{
	struct cause_search s = {.tree = tree};
	bool good;

	groups_make(&s, r, tree);
	good = pathdiff_finish(tree, cancel, e);
	if (good && tree->clock == r->clock) {
		paths_sort(&s);
		for (size_t i = 0; i < r->count && good; i++) {
			const struct decide_row *d = &r->rows[i].decided;

			if (d->gate == GATE_FAILS || verdicts_slower(r, d) || verdicts_faster(r, d))
				row_search(&s, r, (uint32_t)i);
			good = report_goes_on(cancel, e);
		}
	}
	mem_free(s.group);
	mem_free(s.first);
	mem_free(s.ids);
	mem_free(s.sum);
	mem_free(s.of);
	mem_free(s.here);
	mem_free(s.below);
	return good;
}
