/*
 * logs-waits: in the JSON of a text log how long threads waited, where they were blocked,
 * how urgent they were, and chains.
 */
#include <config.h>

#include "report/logs_members.h"

void
members_of_thread(struct json *j, const struct report *r, uint32_t thread)
{
	member_uint(j, "thread", trace_thread(r->trace, thread)->id);
	member_str(j, "name", trace_thread(r->trace, thread)->name);
}

void
member_io(struct json *j, uint8_t io)
{
	if (io != IO_UNTOLD)
		member_str(j, "io", io == IO_YES ? STR("yes") : STR("no"));
}

/* A thread's id; null: an interrupt.  Nothing when it is not known. */
static void
member_waker(struct json *j, const struct report *r, uint32_t waker)
{
	if (waker == SCHED_INTERRUPT)
		member_null(j, "waker");
	else if (waker < r->usage->thread_count)
		member_uint(j, "waker", trace_thread(r->trace, waker)->id);
}

static void
json_latency(struct json *j, const struct report *r)
{
	json_key(j, "latency");
	json_array(j);
	for (uint32_t i = 0; i < r->usage->thread_count; i++) {
		const struct usage_thread *t = &r->usage->threads[i];

		if (t->wakeups == 0)
			continue;
		json_object(j);
		members_of_thread(j, r, i);
		member_uint(j, "wakeups", t->wakeups);
		member_us(j, "us", t->waited);
		member_us(j, "max_us", t->waited_most);
		member_us(j, "max_at_us", t->waited_at);
		member_waker(j, r, t->waker);
		json_end(j);
	}
	json_end(j);
}

static void
json_blocked(struct json *j, const struct report *r)
{
	json_key(j, "blocked");
	json_array(j);
	for (size_t i = 0; i < r->usage->block_count; i++) {
		const struct usage_block *b = &r->usage->blocks[i];

		json_object(j);
		members_of_thread(j, r, b->thread);
		member_io(j, b->io);
		if (b->caller > 0)
			member_str(j, "caller",
			    *(struct str *)seg_at(&r->trace->log->texts, b->caller - 1));
		member_uint(j, "count", b->count);
		member_us(j, "us", b->total);
		member_us(j, "max_us", b->most);
		member_us(j, "max_at_us", b->most_at);
		json_end(j);
	}
	json_end(j);
}

static void
json_priorities(struct json *j, const struct report *r)
{
	json_key(j, "priorities");
	json_array(j);
	for (size_t i = 0; i < r->usage->priority_count; i++) {
		const struct usage_priority *p = &r->usage->priorities[i];

		json_object(j);
		if (p->priority != SCHED_NO_PRIORITY)
			member_int(j, "priority", p->priority);
		else
			member_null(j, "priority");
		member_uint(j, "threads", p->threads);
		member_uint(j, "count", p->count);
		member_us(j, "us", p->total);
		member_us(j, "min_us", p->least);
		member_us(j, "max_us", p->most);
		json_end(j);
	}
	json_end(j);
}

void
logs_json_waits(struct json *j, const struct report *r)
{
	json_latency(j, r);
	json_blocked(j, r);
	json_priorities(j, r);
}

void
logs_json_chains(struct json *j, const struct report *r)
{
	json_key(j, "chains");
	json_array(j);
	for (uint32_t i = 0; i < r->usage->chain_count; i++) {
		const struct usage_chain *c = &r->usage->chains[i];

		if (c->slices == 0)
			continue;
		json_object(j);
		member_str(j, "id", ((struct log_chain *)seg_at(&r->trace->log->chains, i))->id);
		member_uint(j, "slices", c->slices);
		member_us(j, "start_us", c->from);
		member_us(j, "us", c->to - c->from);
		member_uint(j, "thread_changes", c->changes);
		member_str(j, "first", trace_method(r->trace, c->first)->name);
		json_end(j);
	}
	json_end(j);
}
