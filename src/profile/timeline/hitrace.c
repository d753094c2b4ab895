// SPDX-License-Identifier: Apache-2.0
/*
 * hitrace: frames of OpenHarmony: what their slices tell of them, and which frame of the render
 * service shows them.
 *
 * The names of ReceiveVsync and UIVsyncTask tell the vsync.  What an app sends to the render
 * service has a number there, "transactionFlag:[PID,N]", which the name of the slice that takes it
 * repeats.
 */
#include <config.h>

#include "profile/timeline/jank.h"

#include <stdlib.h>
#include <string.h>

#include "base/compat.h"
#include "base/map.h"
#include "base/mem.h"
#include "trace/log.h"

enum {
	FLAGS_MOST = 64,        /* transactions that one slice takes */
	CLOCK_APART = 100000000 /* a vsync farther from its frame is of another clock */
};
#define BUDGET_MOST INT64_C(10000000000)

/* A row of frames, by two numbers and its start. */
struct hitrace_place {
	int64_t key[2];
	nsec start;
	uint32_t row;
};

struct hitrace_places {
	struct hitrace_place *items;
	size_t count, room;
};

static int
place_order(const void *left, const void *right)
{
	const struct hitrace_place *a = left, *b = right;

	return order_then(ORDER(a->key[0], b->key[0]),
	    order_then(ORDER(a->key[1], b->key[1]), ORDER(a->start, b->start)));
}

static void
place_add(struct hitrace_places *p, int64_t a, int64_t b, nsec start, uint32_t row)
{
	*MEM_ADD(p->items, p->count, p->room) = (struct hitrace_place){{a, b}, start, row};
}

static void
places_sort(struct hitrace_places *p)
{
	mem_sort(p->items, p->count, sizeof(*p->items), place_order);
}

/* How many are before these numbers and start. */
static size_t
places_before(const struct hitrace_places *p, int64_t a, int64_t b, nsec start)
{
	const struct hitrace_place key = {{a, b}, start, 0};

	return mem_before(p->items, p->count, sizeof(key), &key, place_order);
}

/* The first row of these numbers from a start on; UINT32_MAX: none. */
static uint32_t
place_find(const struct hitrace_places *p, int64_t a, int64_t b, nsec start)
{
	size_t at = places_before(p, a, b, start);

	return at < p->count && p->items[at].key[0] == a && p->items[at].key[1] == b
	    ? p->items[at].row : UINT32_MAX;
}

/* Names ------------------------------------------------------------------------------ */

/* Cuts a number off, without blanks before it; false: there is none, or it is too long. */
static bool
number_cut(struct str *text, int64_t *number)
{
	uint64_t value;
	size_t n;

	while (text->n > 0 && text->p[0] == ' ')
		*text = (struct str){text->p + 1, text->n - 1};
	n = (size_t)(digits_take(text->p, text->p + text->n, 18, &value) - text->p);
	*number = (int64_t)value;
	*text = (struct str){text->p + n, text->n - n};
	return n > 0;
}

/* The number after the first such key in a name. */
static bool
told(struct str name, struct str key, int64_t *number)
{
	const char *at = memmem(name.p, name.n, key.p, key.n);
	struct str rest;

	if (at == NULL)
		return false;
	rest = (struct str){at + key.n, (size_t)(name.p + name.n - at) - key.n};
	return number_cut(&rest, number);
}

/* Cuts the next "[PID,N]" off. */
static bool
flag_cut(struct str *text, int64_t flag[2])
{
	const char *at;

	while (text->n > 0 && (at = memchr(text->p, '[', text->n)) != NULL) {
		*text = (struct str){at + 1, (size_t)(text->p + text->n - at) - 1};
		if (!number_cut(text, &flag[0]) || text->n == 0 || text->p[0] != ',')
			continue;
		*text = (struct str){text->p + 1, text->n - 1};
		if (number_cut(text, &flag[1]) && text->n > 0 && text->p[0] == ']')
			return true;
	}
	return false;
}

static struct str
name_of(const struct trace *t, const struct jank_frame *row)
{
	return trace_method(t, row->method)->name;
}

/* True if the frame is to become one by what is inside of it. */
static bool
is_event(const struct trace *t, const struct jank_frame *row)
{
	const struct str name = name_of(t, row);

	return str_starts(name, STR("OnVsyncEvent")) || str_starts(name, STR("H:OnVsyncEvent"));
}

bool
hitrace_read(const struct trace *t, struct jank_frame *row)
{
	const struct str name = name_of(t, row);
	const uint64_t origin = atomic_load(&t->log->origin);
	int64_t now, end, start;

	if (!told(name, STR("vsyncId:"), &row->token))
		(void)told(name, STR("vsyncID:"), &row->token);
	if (is_event(t, row) || !told(name, STR(" now:"), &now) ||
	    !told(name, STR("expectedEnd:"), &end) || end <= now || end - now > BUDGET_MOST ||
	    row->start < 0 || row->start > INT64_MAX / 4 || origin > INT64_MAX / 4)
		return false;
	start = row->start + (int64_t)origin;
	row->expected = llabs(now - start) < CLOCK_APART ? row->start + (now - start) : row->start;
	row->deadline = row->expected + (end - now);
	return true;
}

/* The join ------------------------------------------------------------------------------ */

struct linking {
	const struct trace *trace;
	struct jank *rows;
	struct hitrace_places spans; /* frames by thread */
	struct hitrace_places nows;  /* by thread id and vsync */
	struct hitrace_places mains; /* of main threads, by process and token */
	struct hitrace_places taken; /* of the render service, by transaction */
	struct idmap senders; /* processes that send */
};

static void
rows_look(struct linking *l)
{
	for (uint32_t i = 0; i < l->rows->count; i++) {
		const struct jank_frame *row = &l->rows->frames[i];
		const struct thread *thread = trace_thread(l->trace, row->thread);
		int64_t now;

		if (row->source != JANK_HITRACE)
			continue;
		place_add(&l->spans, row->thread, 0, row->start, i);
		if (told(name_of(l->trace, row), STR(" now:"), &now))
			place_add(&l->nows, thread->id, now, row->start, i);
		if (!is_event(l->trace, row) && row->process > 0 && thread->id ==
			((const struct log_process *)seg_at(&l->trace->log->processes, row->process - 1))->pid)
			place_add(&l->mains, row->process, row->token, row->start, i);
	}
	places_sort(&l->spans);
	places_sort(&l->nows);
	places_sort(&l->mains);
}

/* The row that a call is in; NULL: none. */
static struct jank_frame *
row_around(const struct linking *l, const struct jank_frame *call)
{
	size_t at = places_before(&l->spans, call->thread, 0, call->start + 1);
	struct jank_frame *row = at > 0 ? &l->rows->frames[l->spans.items[at - 1].row] : NULL;

	return row != NULL && row->thread == call->thread &&
	    call->start <= row->start + row->time[CLOCK_WALL] ? row : NULL;
}

/* Sets what the main thread's frame of that vsync tells of another thread's. */
static void
task_join(struct linking *l, const struct jank_frame *call, bool budget)
{
	struct jank_frame *row = row_around(l, call), *main;
	uint32_t at;

	if (row == NULL || !is_event(l->trace, row) ||
	    !told(name_of(l->trace, call), STR("vsyncID:"), &row->token))
		return;
	row->layers = 1; /* it is a frame */
	at = place_find(&l->mains, row->process, row->token, INT64_MIN);
	main = at != UINT32_MAX ? &l->rows->frames[at] : NULL;
	if (main == NULL || budget)
		return;
	row->expected = main->expected;
	row->deadline = main->deadline;
}

static void
taken_add(struct linking *l, const struct jank_frame *call)
{
	const struct jank_frame *row = row_around(l, call);
	struct str name = name_of(l->trace, call);
	int64_t flag[2];

	for (int i = 0; row != NULL && i < FLAGS_MOST && flag_cut(&name, flag); i++)
		place_add(&l->taken, flag[0], flag[1], call->start, (uint32_t)(row - l->rows->frames));
}

/* Sets the frame of the render service that shows what a frame sends. */
static void
sent_join(struct linking *l, const struct jank_frame *call)
{
	struct str name = name_of(l->trace, call);
	struct jank_frame *row = row_around(l, call), *shown;
	int64_t tid, now, flag[2];
	uint32_t at;

	if (told(name, STR("tid:"), &tid) && told(name, STR("timestamp:"), &now) &&
	    (at = place_find(&l->nows, tid, now, INT64_MIN)) != UINT32_MAX)
		row = &l->rows->frames[at];
	if (row == NULL)
		return;
	row->drew = 1;
	idmap_put(&l->senders, row->process, 1);
	if (row->shown >= 0 || !flag_cut(&name, flag) ||
	    (at = place_find(&l->taken, flag[0], flag[1], call->start)) == UINT32_MAX)
		return;
	shown = &l->rows->frames[at];
	row->display = shown->token;
	row->shown = shown->start + shown->time[CLOCK_WALL];
	row->drawn = (struct range){shown->start, row->shown};
}

void
hitrace_join(struct jank *rows, const struct trace *t, const struct jank *calls, bool budget)
{
	struct linking l = {.trace = t, .rows = rows};
	uint32_t kept = 0;

	rows_look(&l);
	for (uint32_t i = 0; i < calls->count; i++) {
		if (calls->frames[i].source == JANK_TASK)
			task_join(&l, &calls->frames[i], budget);
		else if (calls->frames[i].source == JANK_TAKEN)
			taken_add(&l, &calls->frames[i]);
	}
	places_sort(&l.taken);
	for (uint32_t i = 0; i < calls->count; i++) {
		if (calls->frames[i].source == JANK_SENT)
			sent_join(&l, &calls->frames[i]);
	}
	for (uint32_t i = 0; i < rows->count; i++) {
		struct jank_frame *row = &rows->frames[i];

		if (row->source == JANK_HITRACE) {
			if (is_event(t, row) && row->layers == 0)
				continue;
			row->layers = 0;
			if (row->drew < 0 && idmap_get(&l.senders, row->process) != IDMAP_NONE)
				row->drew = 0;
		}
		rows->frames[kept++] = *row;
	}
	rows->count = kept;
	mem_free(l.spans.items);
	mem_free(l.nows.items);
	mem_free(l.mains.items);
	mem_free(l.taken.items);
	idmap_release(&l.senders);
}
