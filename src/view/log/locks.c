// SPDX-License-Identifier: Apache-2.0
/* locks: waits for monitors, by the method that waited and the one that the owner was in. */

#include <config.h>

#include <stdlib.h>

#include "profile/log/critical.h"
#include "profile/timeline/jank.h"
#include "view/log/filling.h"

enum { LOCK_TOTAL, LOCK_COUNT, LOCK_AVERAGE, LOCK_MAX, LOCK_TID, LOCK_PID, LOCK_PROCESS, LOCK_THREAD,
	LOCK_OWNER, LOCK_BLOCKED, LOCK_HOLDER };

static const struct column columns[] = {
	{"total", "Total ms", "that threads waited", VALUE_TIME, .from = 0},
	{"count", "Count", "how many waits", VALUE_COUNT, .from = 0},
	{"average", "Avg ms", "", VALUE_TIME, .from = 100},
	{"max", "Max ms", "the longest wait; Enter goes there", VALUE_TIME, .from = 60},
	{"tid", "Tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"pid", "Pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"process", "Process", "that waited longest", VALUE_TEXT, .from = 140, .flags = LIST_WITH_ID},
	{"thread", "Thread", "that waited longest", VALUE_TEXT, .from = 80, .flags = LIST_WITH_ID},
	{"owner", "Owner", "the thread that had the monitor then", VALUE_TEXT, .from = 120},
	{"blocked", "Waits in", "the method that waited", VALUE_TEXT, .from = 0},
	{"holder", "Owner is in", "the method that the owner was in", VALUE_TEXT, .from = 0},
	{.id = NULL},
};

struct lock_pair {
	struct lock_slice of; /* of the longest wait */
	const struct jank_frame *longest;
	nsec total;
	uint64_t count;
};

static int
key_order(const void *left, const void *right)
{
	const struct lock_pair *a = left, *b = right;

	return order_then(str_compare(a->of.blocked, b->of.blocked),
	    str_compare(a->of.method, b->of.method));
}

/* "Store.load" of "com.example.Store.load". */
static struct str
without_package(struct str method)
{
	size_t dots = 0;

	for (size_t i = method.n; i-- > 0;) {
		dots += method.p[i] == '.';
		if (dots == 2)
			return (struct str){method.p + i + 1, method.n - i - 1};
	}
	return method;
}

static struct value
method_text(struct filling *f, struct str method)
{
	return method.n > 0 ? filling_clean(f, without_package(method)) : VALUE_NONE;
}

static void
pair_put(struct filling *f, const struct lock_pair *p)
{
	const struct jank_frame *at = p->longest;
	nsec most = at->time[CLOCK_WALL];
	struct value *v = filling_add(f, identity_below(identity_text(p->of.blocked),
	    identity_text(p->of.method)), (struct usage_goal){.kind = GOAL_TIME, .thread = at->thread,
	    .at = at->start, .to = at->start + most});

	v[LOCK_TOTAL] = value_time(p->total);
	v[LOCK_COUNT] = value_count(p->count);
	v[LOCK_AVERAGE] = filling_average(p->total, p->count);
	v[LOCK_MAX] = value_time(most);
	filling_put_thread(f, v, at->thread, LOCK_TID, LOCK_THREAD, LOCK_PID, LOCK_PROCESS);
	v[LOCK_OWNER] = filling_clean(f, p->of.owner);
	v[LOCK_BLOCKED] = method_text(f, p->of.blocked);
	v[LOCK_HOLDER] = method_text(f, p->of.method);
}

static void
locks_fill(struct filling *f)
{
	const struct jank *waits = f->usage->list.locks;
	size_t count = 0, found = 0;
	struct lock_pair *pairs;

	if (waits == NULL)
		return;
	pairs = mem_alloc(((size_t)waits->count + 1) * sizeof(*pairs));
	for (uint32_t i = 0; i < waits->count; i++) {
		const struct jank_frame *wait = &waits->frames[i];
		struct lock_pair p = {.longest = wait, .total = wait->time[CLOCK_WALL], .count = 1};

		if (lock_slice_parse(trace_method(f->trace, wait->method)->name, &p.of))
			pairs[found++] = p;
	}
	qsort(pairs, found, sizeof(*pairs), key_order);
	for (size_t i = 0; i < found; i++) {
		struct lock_pair *to = &pairs[count - (count > 0)];

		if (count == 0 || key_order(to, &pairs[i]) != 0) {
			pairs[count++] = pairs[i];
			continue;
		}
		to->total += pairs[i].total;
		to->count++;
		if (pairs[i].longest->time[CLOCK_WALL] > to->longest->time[CLOCK_WALL]) {
			to->longest = pairs[i].longest;
			to->of = pairs[i].of;
		}
	}
	for (size_t i = 0; i < count; i++)
		pair_put(f, &pairs[i]);
	mem_free(pairs);
}

const struct usage_table_info usage_locks = {
	"Locks", false, locks_fill, USAGE_ASK_LOCKS,
	USAGE_SOURCE("locks", columns, LOCK_TOTAL, "no thread waited for a monitor in this range"),
};
