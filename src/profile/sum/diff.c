// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/sum/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/wide.h"
#include "profile/sum/origins.h"

enum { MIN_SHARE = 1000 };
#define MIN_MOST ((nsec)1000000)

static const struct diff_sum nothing = {.method = METHOD_NONE};

/* Rows ---------------------------------------------------------------------------- */

static struct diff_sum
sum_of(const struct fold *f, uint32_t method)
{
	const struct method_sum *m = &f->methods[method];
	struct diff_sum s = {.method = method, .calls = m->calls + m->recursive_calls,
	    .recursive_calls = m->recursive_calls};

	for (int c = 0; c < CLOCKS; c++) {
		s.time[DIFF_INCLUSIVE][c] = m->inclusive[c];
		s.time[DIFF_EXCLUSIVE][c] = m->exclusive[c];
	}
	return s;
}

/* The next method of name `key` from `*at` on that the fold has; METHOD_NONE: no more. */
static uint32_t
next(const struct diff_names *n, int side, uint32_t key, const struct fold *f, uint32_t *at)
{
	while (*at < n->first[side][key + 1]) {
		uint32_t method = n->methods[side][(*at)++];

		if (method < f->method_count && f->methods[method].present)
			return method;
	}
	return METHOD_NONE;
}

/* Families ------------------------------------------------------------------------ */

struct class_member {
	struct diff_sum sum;
	uint32_t key; /* of its name */
};

/* Members of a family that may be paired, in the order of the pairs, and their rows. */
struct choice {
	struct class_member *of[DIFF_SIDES];
	uint32_t count[DIFF_SIDES];
	struct diff_row **rows;
	uint32_t row_count;
};

static void
choice_add(struct choice *c, struct diff_row *r, uint32_t key)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		if (r->sum[side].method != METHOD_NONE)
			c->of[side][c->count[side]++] = (struct class_member){r->sum[side], key};
	c->rows[c->row_count++] = r;
}

static bool
is_paired(const struct diff_row *r)
{
	return r->sum[DIFF_A].method != METHOD_NONE && r->sum[DIFF_B].method != METHOD_NONE;
}

/* Adds the difference of a pair's calls to `sum`, saturated. */
static uint64_t
add_distance(uint64_t sum, const struct diff_sum *a, const struct diff_sum *b)
{
	uint64_t apart = a->calls > b->calls ? a->calls - b->calls : b->calls - a->calls;

	return __builtin_add_overflow(sum, apart, &sum) ? UINT64_MAX : sum;
}

static uint64_t
choice_distance(const struct choice *c)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < c->count[DIFF_A]; i++)
		sum = add_distance(sum, &c->of[DIFF_A][i].sum, &c->of[DIFF_B][i].sum);
	return sum;
}

/* True if calls differ less when all are paired in order than with pairs of equal names. */
static bool
is_renumbered(const struct choice *all, const struct choice *left)
{
	uint64_t kept = choice_distance(left);

	for (uint32_t i = 0; i < all->row_count; i++)
		if (is_paired(all->rows[i]))
			kept = add_distance(kept, &all->rows[i]->sum[DIFF_A],
			    &all->rows[i]->sum[DIFF_B]);
	return choice_distance(all) < kept;
}

/* Most calls first; with equal calls the longest first. */
static int
member_order(const void *a, const void *b)
{
	const struct diff_sum *x = &((const struct class_member *)a)->sum;
	const struct diff_sum *y = &((const struct class_member *)b)->sum;

	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	for (int c = CLOCKS; c-- > 0;) {
		nsec t = x->time[DIFF_INCLUSIVE][c], u = y->time[DIFF_INCLUSIVE][c];

		if (t != u)
			return t > u ? -1 : 1;
	}
	return (x->method > y->method) - (x->method < y->method);
}

/* Rows that become superfluous have no method of either side. */
static void
choice_pair(const struct choice *c)
{
	for (uint32_t i = 0; i < c->row_count; i++) {
		const struct class_member *a = &c->of[DIFF_A][i], *b = &c->of[DIFF_B][i];

		*c->rows[i] = (struct diff_row){.sum = {nothing, nothing}};
		if (i < c->count[DIFF_A])
			*c->rows[i] = (struct diff_row){.sum = {a->sum, b->sum},
			    .why = a->key != b->key ? DIFF_BY_FAMILY : DIFF_SAME_NAME};
	}
}

/* `rows`: by key the first of its rows; `all`, `left`: scratch. */
static void
family_pair(struct diff *d, const struct diff_names *n, uint32_t family, const uint32_t *rows,
    struct choice *all, struct choice *left)
{
	const struct diff_family *f = &n->family[family];

	for (int side = 0; side < DIFF_SIDES; side++)
		all->count[side] = left->count[side] = 0;
	all->row_count = left->row_count = 0;
	for (uint32_t i = f[0].first; i < f[1].first; i++) {
		uint32_t key = n->family_keys[i];

		for (uint32_t r = rows[key]; r < rows[key + 1]; r++) {
			choice_add(all, &d->rows[r], key);
			if (!is_paired(&d->rows[r]))
				choice_add(left, &d->rows[r], key);
		}
	}
	if (left->row_count == 0 || left->count[DIFF_A] != left->count[DIFF_B])
		return;
	if (!f->hashed && is_renumbered(all, left)) {
		choice_pair(all);
		return;
	}
	for (int side = 0; side < DIFF_SIDES && f->hashed; side++)
		qsort(left->of[side], left->count[side], sizeof(*left->of[side]),
		    member_order);
	choice_pair(left);
}

static void
choice_room(struct choice *c, size_t room)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		c->of[side] = mem_alloc((room + 1) * sizeof(*c->of[side]));
	c->rows = mem_alloc((room + 1) * sizeof(struct diff_row *));
}

static void
choice_release(struct choice *c)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		mem_free(c->of[side]);
	mem_free(c->rows);
}

static void
families_pair(struct diff *d, const struct diff_names *n, const uint32_t *rows)
{
	struct choice all = {.count = {0}}, left = {.count = {0}};
	size_t most = 0;
	uint32_t kept = 0;

	for (uint32_t f = 0; f < n->families; f++) {
		size_t room = 0;

		for (uint32_t i = n->family[f].first; i < n->family[f + 1].first; i++)
			room += rows[n->family_keys[i] + 1] - rows[n->family_keys[i]];
		most = room > most ? room : most;
	}
	choice_room(&all, most);
	choice_room(&left, most);
	for (uint32_t f = 0; f < n->families; f++)
		family_pair(d, n, f, rows, &all, &left);
	choice_release(&all);
	choice_release(&left);
	for (uint32_t i = 0; i < d->count; i++)
		if (d->rows[i].sum[DIFF_A].method != METHOD_NONE ||
		    d->rows[i].sum[DIFF_B].method != METHOD_NONE)
			d->rows[kept++] = d->rows[i];
	d->count = kept;
}

void
diff_make(struct diff *d, const struct diff_names *n, const struct fold *a, const struct fold *b)
{
	const struct fold *folds[DIFF_SIDES] = {a, b};
	size_t room = (size_t)a->present + b->present;
	uint32_t *rows = mem_alloc(((size_t)n->count + 1) * sizeof(*rows)); /* by key */

	*d = (struct diff){.rows = mem_alloc((room + 1) * sizeof(*d->rows)),
	    .clocks = n->trace[DIFF_A]->clocks & n->trace[DIFF_B]->clocks};
	for (int side = 0; side < DIFF_SIDES; side++) {
		memcpy(d->total[side], folds[side]->total, sizeof(d->total[side]));
		d->toplevel.sum[side] = sum_of(folds[side], METHOD_TOPLEVEL);
	}
	for (uint32_t key = 0; key < n->count; key++) {
		uint32_t at[DIFF_SIDES] = {n->first[DIFF_A][key], n->first[DIFF_B][key]};

		rows[key] = d->count;
		for (;;) {
			struct diff_row row = {.sum = {nothing, nothing}};
			bool any = false;

			for (int side = 0; side < DIFF_SIDES; side++) {
				uint32_t method = next(n, side, key, folds[side], &at[side]);

				if (method == METHOD_NONE)
					continue;
				row.sum[side] = sum_of(folds[side], method);
				any = true;
			}
			if (!any || d->count == room)
				break;
			d->rows[d->count++] = row;
		}
	}
	rows[n->count] = d->count;
	families_pair(d, n, rows);
	origins_note(d, n->trace);
	mem_free(rows);
}

void
diff_release(struct diff *d)
{
	mem_free(d->rows);
	*d = (struct diff){.rows = NULL};
}

/* Rows ---------------------------------------------------------------------------- */

nsec
diff_between(nsec a, nsec b)
{
	nsec delta;

	if (__builtin_sub_overflow(b, a, &delta))
		return b < a ? INT64_MIN : INT64_MAX;
	return delta;
}

nsec
diff_min_default(const struct diff *d, enum clock_id clock)
{
	nsec a = d->total[DIFF_A][clock], b = d->total[DIFF_B][clock];
	nsec least = (a > b ? a : b) / MIN_SHARE;

	return least < MIN_MOST ? least : MIN_MOST;
}

enum diff_change
diff_change(const struct diff_row *r, const struct diff_by *by)
{
	nsec delta = diff_delta(r, by);

	if (r->sum[DIFF_A].method == METHOD_NONE)
		return DIFF_ONLY_B;
	if (r->sum[DIFF_B].method == METHOD_NONE)
		return DIFF_ONLY_A;
	if (delta == 0 || (delta < by->min && -by->min < delta))
		return DIFF_UNCHANGED;
	return delta > 0 ? DIFF_SLOWER : DIFF_FASTER;
}

/* `a` * `b` / `by`, rounded to the nearest, half away from 0; false: too much for a time. */
static bool
scale(nsec *out, nsec a, nsec b, uint64_t by)
{
	bool negative = (a < 0) != (b < 0);
	struct wide product = wide_mul(wide_abs(a), wide_abs(b));
	uint64_t size = wide_div(wide_add(product, by / 2), by);

	*out = (nsec)(negative ? 0 - size : size);
	return size <= (uint64_t)INT64_MAX + negative;
}

struct diff_cause
diff_cause(const struct diff_row *r, const struct diff_by *by)
{
	const struct diff_sum *a = &r->sum[DIFF_A], *b = &r->sum[DIFF_B];
	struct diff_cause cause = {.calls = diff_between((nsec)a->calls, (nsec)b->calls)};
	nsec delta = diff_delta(r, by), by_calls = delta;

	/* When the part by calls is no possible time, all of the change is by calls. */
	if ((a->calls > 0 &&
	        !scale(&by_calls, diff_time(r, DIFF_A, by), cause.calls, a->calls)) ||
	    __builtin_sub_overflow(delta, by_calls, &cause.by_time)) {
		by_calls = delta;
		cause.by_time = 0;
	}
	cause.by_calls = by_calls;
	return cause;
}

nsec
diff_per_call(const struct diff_row *r, int side, const struct diff_by *by)
{
	uint64_t calls = r->sum[side].calls;
	nsec each = 0;

	if (calls > 0)
		(void)scale(&each, diff_time(r, side, by), 1, calls);
	return each;
}

bool
diff_exceeds(const struct diff_row *r, const struct diff_by *by, unsigned percent)
{
	nsec before = diff_time(r, DIFF_A, by), delta = diff_delta(r, by);

	return before > 0 && delta > 0 &&
	       wide_less(wide_mul((uint64_t)before, percent), wide_mul((uint64_t)delta, 100000));
}
