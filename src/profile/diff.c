#include <config.h>

#include "profile/diff.h"

#include <string.h>

#include "base/mem.h"

__extension__ typedef __int128 wide;

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

void
diff_make(struct diff *d, const struct diff_names *n, const struct fold *a, const struct fold *b)
{
	const struct fold *folds[DIFF_SIDES] = {a, b};
	size_t room = (size_t)a->present + b->present;

	*d = (struct diff){.rows = mem_alloc((room + 1) * sizeof(*d->rows)),
	    .clocks = n->trace[DIFF_A]->clocks & n->trace[DIFF_B]->clocks};
	for (int side = 0; side < DIFF_SIDES; side++) {
		memcpy(d->total[side], folds[side]->total, sizeof(d->total[side]));
		d->toplevel.sum[side] = sum_of(folds[side], METHOD_TOPLEVEL);
	}
	for (uint32_t key = 0; key < n->count; key++) {
		uint32_t at[DIFF_SIDES] = {n->first[DIFF_A][key], n->first[DIFF_B][key]};

		for (;;) {
			struct diff_row row = {{nothing, nothing}};
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
}

void
diff_release(struct diff *d)
{
	mem_free(d->rows);
	*d = (struct diff){.rows = NULL};
}

/* What a row says ------------------------------------------------------------------ */

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

/* To the nearest, half away from 0; `by` is not 0. */
static wide
divide(wide value, uint64_t by)
{
	wide half = (wide)(by / 2);

	return value < 0 ? -((-value + half) / (wide)by) : (value + half) / (wide)by;
}

struct diff_cause
diff_cause(const struct diff_row *r, const struct diff_by *by)
{
	const struct diff_sum *a = &r->sum[DIFF_A], *b = &r->sum[DIFF_B];
	struct diff_cause cause = {.calls = diff_between((nsec)a->calls, (nsec)b->calls)};
	nsec delta = diff_delta(r, by);
	wide by_calls = delta;

	if (a->calls > 0)
		by_calls = divide((wide)diff_time(r, DIFF_A, by) * cause.calls, a->calls);
	/* What fits no clock is no cause. */
	if (by_calls > INT64_MAX || by_calls < INT64_MIN ||
	    __builtin_sub_overflow(delta, (nsec)by_calls, &cause.by_time)) {
		by_calls = delta;
		cause.by_time = 0;
	}
	cause.by_calls = (nsec)by_calls;
	return cause;
}

nsec
diff_per_call(const struct diff_row *r, int side, const struct diff_by *by)
{
	uint64_t calls = r->sum[side].calls;

	return calls > 0 ? (nsec)divide(diff_time(r, side, by), calls) : 0;
}

bool
diff_exceeds(const struct diff_row *r, const struct diff_by *by, unsigned percent)
{
	nsec before = diff_time(r, DIFF_A, by);

	return before > 0 && (wide)diff_delta(r, by) * 100000 > (wide)before * percent;
}
