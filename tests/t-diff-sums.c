// SPDX-License-Identifier: Apache-2.0
/*
 * diff: what must hold of any two traces: nothing changed from one to itself, the other way
 * round every change is its opposite, and nothing is lost or counted twice.
 */
#include <config.h>

#include "profile/sum/diff.h"

#include <stdlib.h>

#include "format/format.h"
#include "profile/load/loader.h"
#include "random-trace.h"
#include "tap/tap.h"

enum { TRACES = 6 };

struct counted {
	uint8_t *bytes;
	struct trace *trace;
	struct profile *profile;
	struct fold *fold;
};

static void
counted_open(struct counted *c, uint64_t seed)
{
	struct err e = {.kind = ERR_NONE};
	size_t size;

	random_trace_make(seed, (int)(seed % 3));
	c->bytes = random_trace_bytes(&size);
	c->trace = format_open_memory(c->bytes, size, "memory", &e);
	if (c->trace == NULL)
		exit(1);
	c->profile = profile_new(c->trace);
	if (loader_run(c->profile, 1, NULL, &e) != LOAD_DONE)
		exit(1);
	c->fold = fold_make(c->profile, &(struct fold_query){0}, NULL);
}

static void
counted_close(struct counted *c)
{
	fold_free(c->fold);
	profile_free(c->profile);
	trace_free(c->trace);
	free(c->bytes);
}

static void
diff_of(struct diff *d, struct diff_names *names, const struct counted *a, const struct counted *b)
{
	diff_names_update(names, a->trace, b->trace);
	diff_make(d, names, a->fold, b->fold);
}

static void
test_itself(const struct counted *c)
{
	struct diff_names names = {.count = 0};
	struct diff d;
	unsigned changed = 0;

	diff_of(&d, &names, c, c);
	for (uint32_t i = 0; i < d.count; i++)
		for (int v = 0; v < DIFF_VALUES; v++)
			changed += diff_change(&d.rows[i], &(struct diff_by){.value = v}) !=
				       DIFF_UNCHANGED ||
			    d.rows[i].sum[DIFF_A].method != d.rows[i].sum[DIFF_B].method;
	is_int(d.count, c->fold->present, "every method once");
	is_int(changed, 0, "none has changed");
	diff_release(&d);
	diff_names_release(&names);
}

/* Rows of both, by method of A: the changes are opposite. */
static void
test_swap(const struct counted *a, const struct counted *b)
{
	static const enum diff_change opposite[DIFF_CHANGES] = {[DIFF_SLOWER] = DIFF_FASTER,
	    [DIFF_FASTER] = DIFF_SLOWER, [DIFF_ONLY_A] = DIFF_ONLY_B, [DIFF_ONLY_B] = DIFF_ONLY_A,
	    [DIFF_UNCHANGED] = DIFF_UNCHANGED};
	struct diff_by by = {.min = 50000};
	struct diff_names there = {.count = 0}, back = {.count = 0};
	struct diff d, r;
	unsigned wrong = 0, changes[DIFF_CHANGES] = {0};

	diff_of(&d, &there, a, b);
	diff_of(&r, &back, b, a);
	is_int(d.count, r.count, "as many rows both ways");
	for (uint32_t i = 0; i < d.count; i++) {
		const struct diff_row *x = &d.rows[i], *y = NULL;

		for (uint32_t k = 0; k < r.count && y == NULL; k++)
			if (r.rows[k].sum[DIFF_B].method == x->sum[DIFF_A].method &&
			    r.rows[k].sum[DIFF_A].method == x->sum[DIFF_B].method)
				y = &r.rows[k];
		changes[diff_change(x, &by)]++;
		wrong += y == NULL || diff_delta(x, &by) != -diff_delta(y, &by) ||
		    diff_change(x, &by) != opposite[diff_change(y, &by)];
	}
	is_int(wrong, 0, "the other way round all is its opposite (%u slower, %u faster)",
	    changes[DIFF_SLOWER], changes[DIFF_FASTER]);
	diff_release(&d);
	diff_release(&r);
	diff_names_release(&there);
	diff_names_release(&back);
}

static void
test_sums(const struct counted *a, const struct counted *b)
{
	struct diff_names names = {.count = 0};
	struct diff d;
	unsigned wrong = 0;

	diff_of(&d, &names, a, b);
	for (int c = 0; c < CLOCKS; c++) {
		struct diff_by by = {.value = DIFF_EXCLUSIVE, .clock = c};
		nsec sum = diff_delta(&d.toplevel, &by);

		for (uint32_t i = 0; i < d.count; i++) {
			struct diff_cause cause = diff_cause(&d.rows[i], &by);

			sum += diff_delta(&d.rows[i], &by);
			wrong += cause.by_calls + cause.by_time != diff_delta(&d.rows[i], &by);
			wrong += cause.calls == 0 && cause.by_calls != 0 &&
			    d.rows[i].sum[DIFF_A].calls > 0;
		}
		is_int(sum, b->fold->total[c] - a->fold->total[c],
		    "exclusive changes add up to that of the total");
	}
	is_int(wrong, 0, "causes add up to the change");
	diff_release(&d);
	diff_names_release(&names);
}

int
main(void)
{
	struct counted traces[TRACES];

	for (int i = 0; i < TRACES; i++)
		counted_open(&traces[i], (uint64_t)i + 1);
	for (int i = 0; i < TRACES; i++) {
		test_itself(&traces[i]);
		test_swap(&traces[i], &traces[(i + 1) % TRACES]);
		test_sums(&traces[i], &traces[(i + 1) % TRACES]);
	}
	for (int i = 0; i < TRACES; i++)
		counted_close(&traces[i]);
	return tap_done();
}
