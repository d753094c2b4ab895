/*
 * logs: what a report says of a text log beside its slices.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "report/text/document.h"
#include "view/names/processes.h"

/* An array: item(j, r, i) writes the i-th object, or nothing. */
static void
json_list(struct json *j, const struct report *r, const char *key, size_t count,
    void (*item)(struct json *, const struct report *, uint32_t i))
{
	member_array(j, key);
	for (size_t i = 0; i < count; i++)
		item(j, r, (uint32_t)i);
	json_end(j);
}

/* Waits, priorities and chains ------------------------------------------------------ */

/* "thread" and "name" of the row. */
static void
members_of_thread(struct json *j, const struct report *r, uint32_t thread)
{
	member_uint(j, "thread", trace_thread(r->trace, thread)->id);
	member_str(j, "name", trace_thread(r->trace, thread)->name);
}

/* "io": yes or no; nothing when the log does not tell. */
static void
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
latency_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct usage_thread *t = &r->usage->threads[i];

	if (t->wakeups == 0)
		return;
	json_object(j);
	members_of_thread(j, r, i);
	member_uint(j, "wakeups", t->wakeups);
	member_us(j, "us", t->waited);
	member_us(j, "max_us", t->waited_most);
	member_us(j, "max_at_us", t->waited_at);
	member_waker(j, r, t->waker);
	json_end(j);
}

static void
blocked_item(struct json *j, const struct report *r, uint32_t i)
{
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

static void
priority_item(struct json *j, const struct report *r, uint32_t i)
{
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

static void
chain_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct usage_chain *c = &r->usage->chains[i];

	if (c->slices == 0)
		return;
	json_object(j);
	member_str(j, "id", ((struct log_chain *)seg_at(&r->trace->log->chains, i))->id);
	member_uint(j, "slices", c->slices);
	member_us(j, "start_us", c->from);
	member_us(j, "us", c->to - c->from);
	member_uint(j, "thread_changes", c->changes);
	member_str(j, "first", trace_method(r->trace, c->first)->name);
	json_end(j);
}

static void
json_processes(struct json *j, const struct report *r)
{
	struct processes processes;
	char unnamed[32];

	processes_make(&processes, r->trace);
	member_array(j, "processes");
	for (uint32_t i = 1; i < processes.count && i < r->usage->process_count; i++) {
		const struct process *p = &processes.items[i];
		const struct usage_process *u = &r->usage->processes[i];

		json_object(j);
		member_uint(j, "pid", p->pid);
		snprintf(unnamed, sizeof(unnamed), "Process %" PRIu32, p->pid);
		member_str(j, "name", p->name.n > 0 ? p->name : str_from(unnamed));
		member_uint(j, "threads", p->threads);
		if (r->trace->log->has_sched) {
			member_us(j, "running_us", u->ran);
			member_uint(j, "running_count", u->runs);
			member_uint(j, "threads_running", u->threads);
		}
		json_end(j);
	}
	json_end(j);
	processes_release(&processes);
}

/*
 * Frequencies or idle levels of a core, the longest first; idle levels as the kernel
 * counts them.
 */
static void
json_steps(struct json *j, const char *key, const char *value, const struct usage_steps *steps,
    bool idle, uint32_t cpu)
{
	member_array(j, key);
	for (size_t i = 0; i < steps->count; i++) {
		const struct usage_step *s = &steps->items[i];

		if (s->cpu != cpu)
			continue;
		json_object(j);
		if (!idle)
			member_uint(j, value, s->value);
		else if (s->value > 0)
			member_uint(j, value, s->value - 1);
		else
			member_null(j, value); /* not idle */
		member_us(j, "us", s->time);
		member_uint(j, "count", s->count);
		json_end(j);
	}
	json_end(j);
}

static void
cpu_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct usage_core *c = &r->usage->cores[i];

	if (!c->met)
		return;
	json_object(j);
	member_uint(j, "cpu", i);
	if (c->switched) {
		member_us(j, "running_us", c->ran);
		member_us(j, "idle_us", c->idle);
		member_uint(j, "running_count", c->runs);
		if (c->lost > 0)
			member_us(j, "lost_us", c->lost);
	}
	json_steps(j, "frequencies", "khz", &r->usage->frequencies, false, i);
	json_steps(j, "idle_levels", "level", &r->usage->levels, true, i);
	json_end(j);
}

static void
state_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct usage_state *s = &r->usage->states[i];

	json_object(j);
	members_of_thread(j, r, s->thread);
	member_str(j, "state", str_from(task_states[s->state].name));
	member_io(j, s->io);
	member_uint(j, "count", s->count);
	member_us(j, "us", s->total);
	member_us(j, "min_us", s->least);
	member_us(j, "max_us", s->most);
	json_end(j);
}

/* The counter's growth, and its average while it had a value. */
static void
members_mean(struct json *j, const struct report *r, const struct usage_counter *u)
{
	nsec length = r->usage->range.to - r->usage->range.from;
	int64_t delta;

	if (!__builtin_sub_overflow(u->last, u->first, &delta)) {
		member_int(j, "delta", delta);
		if (length > 0) {
			member_decimal(j, "rate", (double)delta * 1e9 / (double)length);
		}
	}
	member_decimal(j, "average", u->average);
	member_us(j, "max_at_us", u->max_at);
}

static void
counter_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct log *log = r->trace->log;
	const struct log_counter *c = seg_at(&log->counters, i);
	const struct usage_counter *u = &r->usage->counters[i];

	json_object(j);
	if (c->process > 0)
		member_uint(j, "pid",
		    ((struct log_process *)seg_at(&log->processes, c->process - 1))->pid);
	member_str(j, "name", c->name);
	if (c->category.n > 0)
		member_str(j, "category", c->category);
	member_uint(j, "count", u->count);
	if (u->known) {
		member_int(j, "first", u->first);
		member_int(j, "last", u->last);
		member_int(j, "min", u->min);
		member_int(j, "max", u->max);
		members_mean(j, r, u);
	}
	json_end(j);
}

/* An object with name and count, and what it counts. */
static void
json_count(struct json *j, struct str name, uint64_t count, const char *help)
{
	json_object(j);
	member_str(j, "name", name);
	member_uint(j, "count", count);
	if (help != NULL)
		member_str(j, "help", str_from(help));
	json_end(j);
}

static void
event_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct log_func *f = seg_at(&r->trace->log->funcs, i);

	json_count(j, f->name, f->count, NULL);
}

static void
marker_item(struct json *j, const struct report *r, uint32_t i)
{
	json_count(j, str_from(log_marker_names[i]), r->trace->log->summary.markers[i], NULL);
}

static void
form_item(struct json *j, const struct report *r, uint32_t i)
{
	json_count(j, str_from(log_form_names[i]), r->trace->log->summary.forms[i], NULL);
}

static void
level_item(struct json *j, const struct report *r, uint32_t i)
{
	json_count(j, str_from(log_levels[i].name), r->trace->log->summary.levels[i], NULL);
}

/* Tags that slices have. */
static void
tag_item(struct json *j, const struct report *r, uint32_t i)
{
	uint64_t count = r->trace->log->summary.tags[i];
	struct sbuf name = {0};

	if (count == 0)
		return;
	log_tag_text(&name, (int)i);
	json_object(j);
	member_uint(j, "tag", i);
	member_str(j, "name", sbuf_view(&name));
	member_uint(j, "count", count);
	json_end(j);
	sbuf_release(&name);
}

static void
count_item(struct json *j, const struct report *r, uint32_t i)
{
	json_count(j, str_from(log_counts[i].name),
	    log_count_get(&r->trace->log->summary, &log_counts[i]), log_counts[i].help);
}

void
logs_json(struct json *j, const struct report *r)
{
	if (r->trace->log == NULL)
		return;
	json_processes(j, r);
	json_list(j, r, "cpus", r->usage->core_count, cpu_item);
	if (r->trace->log->has_sched) {
		json_list(j, r, "states", r->usage->state_count, state_item);
		json_list(j, r, "latency", r->usage->thread_count, latency_item);
		json_list(j, r, "blocked", r->usage->block_count, blocked_item);
		json_list(j, r, "priorities", r->usage->priority_count, priority_item);
	}
	json_list(j, r, "counters", r->usage->counter_count, counter_item);
	json_list(j, r, "chains", r->usage->chain_count, chain_item);
	json_list(j, r, "events", seg_count(&r->trace->log->funcs), event_item);
	json_list(j, r, "markers", LOG_MARKERS, marker_item);
	json_list(j, r, "forms", LOG_FORMS, form_item);
	json_list(j, r, "levels", LOG_LEVELS, level_item);
	json_list(j, r, "tags", LOG_TAGS, tag_item);
	json_list(j, r, "log", (size_t)log_count_count, count_item);
}
