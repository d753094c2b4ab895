#include <config.h>

#include "report/logs.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/members.h"
#include "view/processes.h"

static void
json_processes(struct json *j, const struct report *r)
{
	struct processes processes;
	char unnamed[32];

	processes_make(&processes, r->trace);
	json_key(j, "processes");
	json_array(j);
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

static void
json_frequencies(struct json *j, const struct usage *u, uint32_t cpu)
{
	json_key(j, "frequencies");
	json_array(j);
	for (size_t i = 0; i < u->frequencies.count; i++) {
		if (u->frequencies.items[i].cpu != cpu)
			continue;
		json_object(j);
		member_uint(j, "khz", u->frequencies.items[i].value);
		member_us(j, "us", u->frequencies.items[i].time);
		json_end(j);
	}
	json_end(j);
}

static void
json_cpus(struct json *j, const struct report *r)
{
	json_key(j, "cpus");
	json_array(j);
	for (uint32_t i = 0; i < r->usage->core_count; i++) {
		const struct usage_core *c = &r->usage->cores[i];

		if (!c->met)
			continue;
		json_object(j);
		member_uint(j, "cpu", i);
		if (c->switched) {
			member_us(j, "running_us", c->ran);
			member_us(j, "idle_us", c->idle);
			member_uint(j, "running_count", c->runs);
			if (c->lost > 0)
				member_us(j, "lost_us", c->lost);
		}
		json_frequencies(j, r->usage, i);
		json_end(j);
	}
	json_end(j);
}

static void
json_states(struct json *j, const struct report *r)
{
	static const char *const io[] = {[IO_UNTOLD] = NULL, [IO_NO] = "no", [IO_YES] = "yes"};

	json_key(j, "states");
	json_array(j);
	for (size_t i = 0; i < r->usage->state_count; i++) {
		const struct usage_state *s = &r->usage->states[i];

		json_object(j);
		member_uint(j, "thread", trace_thread(r->trace, s->thread)->id);
		member_str(j, "state", str_from(task_states[s->state].name));
		if (io[s->io] != NULL)
			member_str(j, "io", str_from(io[s->io]));
		member_uint(j, "count", s->count);
		member_us(j, "us", s->total);
		member_us(j, "min_us", s->least);
		member_us(j, "max_us", s->most);
		json_end(j);
	}
	json_end(j);
}

static void
member_int(struct json *j, const char *key, int64_t value)
{
	json_key(j, key);
	json_int(j, value);
}

static void
json_counters(struct json *j, const struct report *r)
{
	const struct log *log = r->trace->log;

	json_key(j, "counters");
	json_array(j);
	for (uint32_t i = 0; i < r->usage->counter_count; i++) {
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
		}
		json_end(j);
	}
	json_end(j);
}

/* An array of objects with name and count, and what it counts. */
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
json_summary(struct json *j, const struct log *log)
{
	uint32_t funcs = seg_count(&log->funcs);

	json_key(j, "events");
	json_array(j);
	for (uint32_t i = 0; i < funcs; i++) {
		const struct log_func *f = seg_at(&log->funcs, i);

		json_count(j, f->name, f->count, NULL);
	}
	json_end(j);
	json_key(j, "markers");
	json_array(j);
	for (int i = 0; i < LOG_MARKERS; i++)
		json_count(j, str_from(log_marker_names[i]), log->summary.markers[i], NULL);
	json_end(j);
	json_key(j, "forms");
	json_array(j);
	for (int i = 0; i < LOG_FORMS; i++)
		json_count(j, str_from(log_form_names[i]), log->summary.forms[i], NULL);
	json_end(j);
	json_key(j, "log");
	json_array(j);
	for (int i = 0; i < log_count_count; i++)
		json_count(j, str_from(log_counts[i].name),
		    log_count_get(&log->summary, &log_counts[i]), log_counts[i].help);
	json_end(j);
}

void
logs_json(struct json *j, const struct report *r)
{
	if (r->trace->log == NULL)
		return;
	json_processes(j, r);
	json_cpus(j, r);
	if (r->trace->log->has_sched)
		json_states(j, r);
	json_counters(j, r);
	json_summary(j, r->trace->log);
}
