// SPDX-License-Identifier: Apache-2.0
/* What came to a log that grows: the difference of loads of its beginnings. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/sbuf.h"
#include "opened-log.h"
#include "tap/tap.h"
#include "view/diff/rates.h"

enum { PARTS = 12 };

/* Each part takes 100 us: "a" 10 us in it more than in the one before, "b" in every third. */
static void
parts_put(struct sbuf *out, int count)
{
	for (int i = 0; i < count; i++) {
		sbuf_printf(out, "a-1 (1) [000] .... 10.%06d: tracing_mark_write: B|1|%s\n", i * 100,
		    i % 3 == 2 ? "b" : "a");
		sbuf_printf(out, "a-1 (1) [000] .... 10.%06d: tracing_mark_write: E|1\n", i * 100 + 5 * (i + 1));
	}
}

/* Names are in the text. */
static struct opened
opened(int count, struct sbuf *text)
{
	parts_put(text, count);
	return open_text(sbuf_cstr(text));
}

struct both {
	const struct opened *from, *to;
};

static uint32_t
named(const void *map, uint32_t method)
{
	const struct both *b = map;
	struct str name = trace_method(b->from->p->trace, method)->name;

	for (uint32_t m = 0; m < trace_method_count(b->to->p->trace); m++)
		if (str_equal(trace_method(b->to->p->trace, m)->name, name))
			return m;
	return METHOD_NONE;
}

static uint32_t
threaded(const void *map, uint32_t thread)
{
	return thread;
}

static nsec
own_of(const struct opened *o, const char *name)
{
	return sum_of(o, name)->exclusive[CLOCK_WALL];
}

static void
differences(nsec interval)
{
	struct rates rates = {0};
	struct opened all[PARTS + 1];
	struct sbuf texts[PARTS + 1] = {{0}};

	for (int i = 1; i <= PARTS; i++) {
		struct opened *o = &all[i];
		struct rates next = {0};
		nsec end;
		int since = i - 1;

		*o = opened(i, &texts[i]);
		end = o->p->end;
		if (i == 1) {
			rates_keep(&rates, o->fold, o->p->trace, end);
			continue;
		}
		rates_take(&next, &rates, o->fold, o->p->trace, end, interval,
		    &(struct rates_map){named, threaded, &(struct both){&all[i - 1], o}});
		rates_release(&rates);
		rates = next;
		while (since > 1 && end - all[since].p->end < interval)
			since--;
		is_int(rates.length, end - all[since].p->end, "part %d: the interval", i);
		is_int(rates.busy[0], fold_busy(o->fold, o->p->trace, 0) -
		    fold_busy(all[since].fold, all[since].p->trace, 0), "part %d: the thread", i);
		for (uint32_t m = 1; m < rates.count; m++) {
			char name[8];
			nsec own;

			snprintf(name, sizeof(name), "%.*s", STR_ARG(trace_method(o->p->trace, m)->name));
			own = own_of(o, name) - own_of(&all[since], name);
			is_int(rates.now[m].exclusive[CLOCK_WALL], own, "part %d: %s has what came", i, name);
			is_int((int64_t)rates.now[m].calls,
			    (int64_t)(sum_of(o, name)->calls - sum_of(&all[since], name)->calls),
			    "part %d: and as many calls", i);
		}
	}
	rates_pause(&rates);
	is_int(rates.length, 0, "nothing is known of now");
	rates_release(&rates);
	for (int i = 1; i <= PARTS; i++) {
		done(&all[i]);
		sbuf_release(&texts[i]);
	}
}

int
main(void)
{
	differences(1);
	differences(250000);
	differences(10000000);
	return tap_done();
}
