// SPDX-License-Identifier: Apache-2.0
/* Tables of binder's calls: sums by both processes and the method, and one by one. */

#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "view/log/filling.h"

/* True if the call fits all that was asked for. */
static bool
is_asked(const struct filling *f, const struct binder_call *c)
{
	const struct usage_ask *a = &f->usage->list.ask;

	return a->client == UINT32_MAX ||
	    (trace_thread(f->trace, c->client)->process == a->client &&
		(c->server != THREAD_NONE ? trace_thread(f->trace, c->server)->process : 0) == a->server &&
		c->method == a->method && c->one_way == a->one_way);
}

static struct value
method_text(struct filling *f, uint32_t method)
{
	return method != METHOD_NONE
	    ? filling_clean(f, binder_method(trace_method(f->trace, method)->name)) : VALUE_NONE;
}

static struct value
kind_text(bool one_way)
{
	return filling_text(one_way ? "one-way" : "sync");
}

/* Sums -------------------------------------------------------------------------------- */

enum { BINDER_TOTAL, BINDER_COUNT, BINDER_AVERAGE, BINDER_MAX, BINDER_SERVER_TIME, BINDER_BLOCKED,
	BINDER_MAIN, BINDER_CLIENT_PID, BINDER_SERVER_PID, BINDER_KIND, BINDER_CLIENT, BINDER_SERVER,
	BINDER_METHOD };

static const struct column binder_columns[] = {
	{"total", "Total ms", "that callers waited, of calls that ended", VALUE_TIME, .from = 0},
	{"count", "Count", "how many calls", VALUE_COUNT, .from = 0},
	{"average", "Avg ms", "", VALUE_TIME, .from = 70},
	{"max", "Max ms", "the longest; Enter: all of them", VALUE_TIME, .from = 60},
	{"server_time", "Server ms", "that the server took", VALUE_TIME, .from = 100},
	{"blocked", "Blocked ms", "that the caller did not run meanwhile", VALUE_TIME, .from = 130},
	{"main", "On main", "calls of the caller's main thread", VALUE_COUNT, .from = 120},
	{"client_pid", "Client pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"server_pid", "Server pid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"kind", "Kind", "sync, or one-way: nobody waits for an answer", VALUE_TEXT, .from = 90},
	{"client", "Client", "the process that calls", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{"server", "Server", "the process that is called", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{"method", "Interface", "and its function, where a slice names it", VALUE_TEXT, .from = 110},
	{.id = NULL},
};

struct pair {
	uint32_t client, server, method; /* processes; method of the trace */
	bool one_way;
	nsec total, most, server_time, blocked;
	uint64_t count, ended, main;
};

static int
key_order(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;

	return order_then(ORDER(a->client, b->client), order_then(ORDER(a->server, b->server),
	    order_then(ORDER(a->method, b->method), a->one_way - b->one_way)));
}

static struct pair
pair_of(const struct filling *f, const struct binder_call *c)
{
	const struct thread *client = trace_thread(f->trace, c->client);
	struct pair p = {.client = client->process, .method = c->method, .one_way = c->one_way, .count = 1,
	    .server = c->server != THREAD_NONE ? trace_thread(f->trace, c->server)->process : 0};

	p.main = client->process != 0 && client->id == f->processes.items[client->process].pid;
	if (c->to < c->from)
		return p;
	p.ended = 1;
	p.total = p.most = c->to - c->from;
	p.blocked = c->blocked;
	/* The client waited for what is longer than it: else the two are no pair. */
	if (c->done >= c->served && c->done - c->served <= p.total)
		p.server_time = c->done - c->served;
	return p;
}

static void
pair_add(struct pair *to, const struct pair *p)
{
	to->total += p->total;
	to->server_time += p->server_time;
	to->blocked += p->blocked;
	to->count += p->count;
	to->ended += p->ended;
	to->main += p->main;
	to->most = nsec_max(to->most, p->most);
}

static void
pair_put(struct filling *f, const struct pair *p)
{
	struct usage_goal goal = {.kind = GOAL_TABLE, .table = USAGE_BINDER_CALLS, .ask = USAGE_ASK_NONE};
	struct value *v;

	goal.ask.what = USAGE_ASK_BINDER;
	goal.ask.client = p->client;
	goal.ask.server = p->server;
	goal.ask.method = p->method;
	goal.ask.one_way = p->one_way;
	v = filling_add(f, identity_below(identity_below(identity_process(f->identities, p->client),
	    identity_process(f->identities, p->server)), (uint64_t)p->method << 1 | p->one_way), goal);
	if (!p->one_way) {
		v[BINDER_TOTAL] = value_time(p->total);
		v[BINDER_AVERAGE] = filling_average(p->total, p->ended);
		v[BINDER_MAX] = value_time(p->most);
		v[BINDER_SERVER_TIME] = value_time(p->server_time);
		if (f->log->has_sched)
			v[BINDER_BLOCKED] = value_time(p->blocked);
	}
	v[BINDER_COUNT] = value_count(p->count);
	v[BINDER_MAIN] = value_count(p->main);
	v[BINDER_CLIENT_PID] = filling_pid(f, p->client);
	v[BINDER_SERVER_PID] = filling_pid(f, p->server);
	v[BINDER_KIND] = kind_text(p->one_way);
	v[BINDER_CLIENT] = filling_process(f, p->client);
	v[BINDER_SERVER] = filling_process(f, p->server);
	v[BINDER_METHOD] = method_text(f, p->method);
}

static void
binder_fill(struct filling *f)
{
	const struct binder_calls *calls = &f->usage->list.binder;
	struct pair *pairs = mem_alloc((calls->count + 1) * sizeof(*pairs));
	size_t count = 0;

	for (size_t i = 0; i < calls->count; i++)
		pairs[i] = pair_of(f, &calls->items[i]);
	qsort(pairs, calls->count, sizeof(*pairs), key_order);
	for (size_t i = 0; i < calls->count; i++) {
		if (count > 0 && key_order(&pairs[count - 1], &pairs[i]) == 0)
			pair_add(&pairs[count - 1], &pairs[i]);
		else
			pairs[count++] = pairs[i];
	}
	for (size_t i = 0; i < count; i++)
		pair_put(f, &pairs[i]);
	mem_free(pairs);
}

const struct usage_table_info usage_binder = {
	"Binder", false, binder_fill, USAGE_ASK_BINDER,
	USAGE_SOURCE("binder", binder_columns, BINDER_TOTAL, "no binder call in this range"),
};

/* One by one ------------------------------------------------------------------------------ */

enum { CALL_TIME, CALL_START, CALL_SERVED, CALL_BLOCKED, CALL_CLIENT_TID, CALL_SERVER_TID, CALL_KIND,
	CALL_CLIENT, CALL_SERVER, CALL_METHOD, CALL_CODE, CALL_SIZE };

static const struct column call_columns[] = {
	{"time", "Time ms", "that the caller waited; nothing: it has no end in the log", VALUE_TIME, .from = 0},
	{"start", "Start ms", "since the log began", VALUE_TIME, .from = 0, .flags = LIST_ASCENDING},
	{"server_time", "Server ms", "that the server took", VALUE_TIME, .from = 80},
	{"blocked", "Blocked ms", "that the caller did not run meanwhile", VALUE_TIME, .from = 110},
	{"client_tid", "Client tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"server_tid", "Server tid", "", VALUE_COUNT, .flags = LIST_FOR_PROGRAMS | LIST_ASCENDING},
	{"kind", "Kind", "sync, or one-way: nobody waits for an answer; failed: the kernel says that none comes",
	    VALUE_TEXT, .from = 120},
	{"client", "Client", "the thread that calls; Enter goes there", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{"server", "Server", "the thread that is called", VALUE_TEXT, .from = 0, .flags = LIST_WITH_ID},
	{"method", "Interface", "and its function, where a slice names it", VALUE_TEXT, .from = 100},
	{"code", "Code", "of the function in its interface", VALUE_TEXT, .from = 140},
	{"size", "Size", "of the data that the caller sends", VALUE_MEASURE, .from = 150},
	{.id = NULL},
};

static void
calls_fill(struct filling *f)
{
	const struct binder_calls *calls = &f->usage->list.binder;

	for (size_t i = 0; i < calls->count; i++) {
		const struct binder_call *c = &calls->items[i];
		struct value *v;

		if (!is_asked(f, c))
			continue;
		v = filling_add(f, filling_of(f, c->client, (uint64_t)c->from),
		    (struct usage_goal){.kind = GOAL_TIME, .thread = c->client, .at = c->from,
			.to = c->to >= c->from ? c->to : c->from});
		if (c->to >= c->from) {
			v[CALL_TIME] = value_time(c->to - c->from);
			if (f->log->has_sched)
				v[CALL_BLOCKED] = value_time(c->blocked);
		}
		v[CALL_START] = value_time(c->from);
		if (c->done >= c->served)
			v[CALL_SERVED] = value_time(c->done - c->served);
		v[CALL_CLIENT_TID] = value_count(trace_thread(f->trace, c->client)->id);
		v[CALL_KIND] = c->failed ? filling_text("failed") : kind_text(c->one_way);
		v[CALL_CLIENT] = filling_thread(f, c->client);
		v[CALL_METHOD] = method_text(f, c->method);
		if (c->code != 0) {
			sbuf_printf(&f->text, "0x%" PRIx32, c->code);
			v[CALL_CODE] = filling_kept(f);
		}
		if (c->size != 0)
			v[CALL_SIZE] = value_measure(c->size - 1, 0, LOG_UNIT_BYTES);
		if (c->server == THREAD_NONE)
			continue;
		v[CALL_SERVER_TID] = value_count(trace_thread(f->trace, c->server)->id);
		v[CALL_SERVER] = filling_thread(f, c->server);
	}
}

const struct usage_table_info usage_binder_calls = {
	"Binder calls", false, calls_fill, USAGE_ASK_BINDER,
	USAGE_SOURCE("binder-calls", call_columns, CALL_TIME, "no binder call in this range"),
};
