#include <config.h>

#include "report/names.h"
#include "report/text/members.h"

#include <stdlib.h>

#include "base/mem.h"
#include "trace/log.h"

const char *const member_span_keys[CLOCKS] = {"cpu_us", "wall_us"};
static const char *const clock_words[CLOCKS] = {"cpu", "wall"};

void
member_str(struct json *j, const char *key, struct str value)
{
	json_key(j, key);
	json_str(j, value);
}

void
member_uint(struct json *j, const char *key, uint64_t value)
{
	json_key(j, key);
	json_uint(j, value);
}

void
member_int(struct json *j, const char *key, int64_t value)
{
	json_key(j, key);
	json_int(j, value);
}

void
member_bool(struct json *j, const char *key, bool value)
{
	json_key(j, key);
	json_bool(j, value);
}

void
member_null(struct json *j, const char *key)
{
	json_key(j, key);
	json_null(j);
}

void
member_us(struct json *j, const char *key, nsec time)
{
	json_key(j, key);
	json_us(j, time);
}

void
member_time(struct json *j, const struct trace *t, const char *const keys[CLOCKS],
    enum clock_id clock, nsec time)
{
	if (trace_has_clock(t, clock))
		member_us(j, keys[clock], time);
}

static int
property_order(const void *left, const void *right)
{
	const struct property *a = *(const struct property *const *)left;
	const struct property *b = *(const struct property *const *)right;
	int order = str_compare(a->key, b->key);

	return order != 0 ? order : (a > b) - (a < b);
}

/* An object has a key once: of several properties of a name the last holds. */
static void
members_properties(struct json *j, const struct trace *t)
{
	size_t n = t->property_count;
	const struct property **sorted = mem_alloc((n + 1) * sizeof(*sorted));
	bool *last = mem_zero(n + 1, sizeof(*last));

	for (size_t i = 0; i < n; i++)
		sorted[i] = &t->properties[i];
	qsort(sorted, n, sizeof(*sorted), property_order);
	for (size_t i = 0; i < n; i++)
		last[sorted[i] - t->properties] =
		    i + 1 == n || !str_equal(sorted[i]->key, sorted[i + 1]->key);

	json_key(j, "properties");
	json_object(j);
	for (size_t i = 0; i < n; i++) {
		if (!last[i])
			continue;
		json_key_str(j, t->properties[i].key);
		json_str(j, t->properties[i].value);
	}
	json_end(j);
	mem_free(last);
	mem_free(sorted);
}

void
members_trace(struct json *j, const struct report *r)
{
	const struct trace *t = r->trace;

	member_str(j, "file", str_from(t->path));
	member_str(j, "format", str_from(t->format));
	/* Logs have none. */
	if (t->version != 0) {
		json_key(j, "version");
		json_int(j, t->version);
	}
	json_key(j, "clocks");
	json_array(j);
	for (int c = 0; c < CLOCKS; c++)
		if (trace_has_clock(t, (enum clock_id)c))
			json_str(j, str_from(clock_words[c]));
	json_end(j);
	member_uint(j, "records", r->profile->records);
	member_uint(j, "threads", r->threads_met);
	member_uint(j, "methods", r->methods_met);
	if (r->profile->sampled.yes)
		member_us(
		    j, "sample_interval_us", r->profile->sampled.interval / 1000 * 1000);
	members_properties(j, t);
}

/* Levels and tags of a log's slices. */
static void
members_choice(struct json *j, const struct log_choice *c)
{
	struct sbuf name = {0};

	if (c->level != 0)
		member_str(j, "level", str_from(log_levels[log_level_rank(c->level)].name));
	if (c->tags == 0)
		return;
	json_key(j, "tags");
	json_array(j);
	for (int tag = 0; tag < LOG_TAGS; tag++) {
		if ((c->tags >> tag & 1) == 0)
			continue;
		sbuf_clear(&name);
		log_tag_text(&name, tag);
		json_str(j, sbuf_view(&name));
	}
	json_end(j);
	sbuf_release(&name);
}

void
members_scope(struct json *j, const struct report *r)
{
	static const struct log_choice all;
	const struct log_choice *choice = r->trace->log != NULL ? &r->trace->log->choice : &all;
	const struct range *range = &r->fold->range;

	if (r->scope == NULL && range_is_all(range) && log_choice_equal(choice, &all))
		return;
	json_key(j, "scope");
	json_object(j);
	if (r->scope != NULL) {
		json_key(j, "threads");
		json_array(j);
		for (uint32_t i = 0; i < r->scope->count; i++)
			if (scope_has(r->scope, i))
				json_uint(j, trace_thread(r->trace, i)->id);
		json_end(j);
	}
	if (range->from != INT64_MIN)
		member_us(j, "from_us", range->from);
	if (range->to != INT64_MAX)
		member_us(j, "to_us", range->to);
	members_choice(j, choice);
	json_end(j);
}

void
members_damage(struct json *j, const struct damage *damage)
{
	json_key(j, "damage");
	json_array(j);
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (damage->kind[i].count == 0)
			continue;
		json_object(j);
		member_str(j, "kind", str_from(damage_kinds[i].name));
		member_uint(j, "count", damage->kind[i].count);
		member_str(j, "unit", str_from(damage_kinds[i].unit));
		member_uint(j, "offset", damage->kind[i].offset);
		member_str(j, "help", str_from(damage_kinds[i].help));
		json_end(j);
	}
	json_end(j);
}

static void
members_thread_more(struct json *j, const struct report *r, const struct fold_thread *sum)
{
	static const char *const first_keys[CLOCKS] = {"first_cpu_us", "first_wall_us"};
	static const char *const last_keys[CLOCKS] = {"last_cpu_us", "last_wall_us"};

	member_uint(j, "calls", sum->calls);
	member_uint(j, "open", sum->open);
	for (int c = 0; c < CLOCKS; c++) {
		member_time(j, r->trace, first_keys, (enum clock_id)c, sum->first[c]);
		member_time(j, r->trace, last_keys, (enum clock_id)c, sum->last[c]);
	}
}

/* Where a thread ran. */
static void
members_cores(struct json *j, const struct usage *u, uint32_t thread)
{
	json_key(j, "cpus");
	json_array(j);
	for (size_t i = u->threads[thread].share; i != 0; i = u->shares[i - 1].next) {
		const struct usage_share *s = &u->shares[i - 1];

		json_object(j);
		member_uint(j, "cpu", s->cpu);
		member_us(j, "us", s->ran);
		member_uint(j, "count", s->runs);
		json_end(j);
	}
	json_end(j);
}

/* Of a log: whose thread it is, what kind of row, and how long it ran. */
static void
members_log_thread(struct json *j, const struct report *r, uint32_t index)
{
	const struct trace *t = r->trace;
	const struct thread *thread = trace_thread(t, index);

	member_str(j, "kind", str_from(name_thread_kind(thread)));
	if (thread->process > 0)
		member_uint(j, "pid",
		    ((struct log_process *)seg_at(&t->log->processes, thread->process - 1))->pid);
	if (t->log->has_sched && thread->kind == THREAD_TASK && index < r->usage->thread_count) {
		member_us(j, "running_us", r->usage->threads[index].ran);
		member_uint(j, "running_count", r->usage->threads[index].runs);
		members_cores(j, r->usage, index);
	}
}

void
members_thread(struct json *j, const struct report *r, uint32_t index, bool whole)
{
	static const struct fold_thread none;
	const struct thread *thread = trace_thread(r->trace, index);
	const struct fold_thread *sum =
	    index < r->fold->thread_count ? &r->fold->threads[index] : &none;

	member_uint(j, "id", thread->id);
	member_str(j, "name", thread->name);
	if (r->trace->log != NULL)
		members_log_thread(j, r, index);
	for (int c = 0; c < CLOCKS; c++)
		member_time(j, r->trace, member_span_keys, (enum clock_id)c,
		    sum->last[c] - sum->first[c]);
	member_uint(j, "records", sum->records);
	if (whole && thread->was.n > 0)
		member_str(j, "was", thread->was);
	if (whole && sum->records > 0)
		members_thread_more(j, r, sum);
}

void
members_end(struct json *j, struct sink *sink)
{
	if (!sink_wanted(sink)) {
		json_release(j);
		return;
	}
	json_end(j);
	if (!json_finish(j, NULL))
		sink->error = j->error;
}
