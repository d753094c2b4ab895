#include <config.h>

#include "report/text/document.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "report/report.h"
#include "report/text/views.h"
#include "trace/log.h"

/* Text ---------------------------------------------------------------------------- */

/* Threads named one by one; more are only counted. */
enum { THREADS_NAMED = 8 };

struct head {
	struct sbuf *out;
	const struct report *report;
};

void
fact_begin(struct sbuf *out, const char *text)
{
	sbuf_printf(out, "%-10s", text);
}

void
fact_put(struct sbuf *out, const struct report *r, const char *name, struct str text)
{
	fact_begin(out, name);
	sbuf_str(out, names_clean(r->figures.names, text));
	sbuf_char(out, '\n');
}

void
facts_chosen(struct sbuf *out, const struct report *r)
{
	const struct report_options *o = r->options;

	for (size_t i = 0; i < o->filter_count; i++)
		fact_put(out, r, i == 0 ? "Filter" : "", str_from(o->filters[i].text));
	for (size_t i = 0; i < o->transforms.count; i++) {
		struct sbuf text = {0};

		sbuf_printf(&text, "%s ", transform_kinds[o->transforms.list[i].id].name);
		transform_argument_text(&text, &o->transforms.list[i], r->trace);
		fact_put(out, r, i == 0 ? "Transform" : "", sbuf_view(&text));
		sbuf_release(&text);
	}
}

static void
head_trace(const struct head *h)
{
	const struct trace *t = h->report->trace;
	enum clock_id clock = h->report->figures.clock;
	const struct sampled *sampled = &h->report->profile->sampled;
	char number[FMT_SIZE];

	fact_put(h->out, h->report, "File", str_from(t->path));
	fact_begin(h->out, "Format");
	if (t->log != NULL)
		sbuf_printf(h->out, "%s, a text log\n", t->format);
	else
		sbuf_printf(h->out, "%s, version %d\n", t->format, t->version);
	if (sampled->yes) {
		fact_begin(h->out, "Sampled");
		if (sampled->interval > 0)
			sbuf_printf(h->out, "about every %s ms: ",
			    fmt_ms(number, sampled->interval));
		sbuf_text(h->out, "calls are what the samples saw\n");
	}
	fact_begin(h->out, "Clock");
	sbuf_text(h->out, clock == CLOCK_CPU ? "cpu" : "wall");
	if (trace_has_clock(t, CLOCK_CPU) && trace_has_clock(t, CLOCK_WALL))
		sbuf_printf(h->out, " (the trace has %s, too)",
		    clock == CLOCK_CPU ? "wall" : "cpu");
	sbuf_char(h->out, '\n');
}

/* The window that was asked for; an open end is that of the trace. */
static void
head_range(const struct head *h)
{
	const struct report *r = h->report;
	const struct range *range = &r->fold->range;
	char from[FMT_SIZE], to[FMT_SIZE];

	if (range_is_all(range))
		return;
	fact_begin(h->out, "Window");
	sbuf_printf(h->out, "%s to %s ms\n",
	    fmt_ms(from, range->from == INT64_MIN ? r->profile->begin : range->from),
	    fmt_ms(to, range->to == INT64_MAX ? r->profile->end : range->to));
}

static void
head_times(const struct head *h)
{
	const struct report *r = h->report;
	const struct profile *p = r->profile;
	enum clock_id clock = r->figures.clock,
		      other = clock == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;
	char number[FMT_SIZE];

	if (!r->trace->own_axes) { /* else no two threads have a time in common */
		fact_begin(h->out, "Length");
		sbuf_printf(h->out, "%s ms\n", fmt_ms(number, p->end - p->begin));
	}
	head_range(h);
	fact_begin(h->out, "Total");
	sbuf_printf(h->out, "%s ms", fmt_ms(number, r->fold->total[clock]));
	if (trace_has_clock(r->trace, other))
		sbuf_printf(h->out, ", %s %s ms", other == CLOCK_CPU ? "cpu" : "wall",
		    fmt_ms(number, r->fold->total[other]));
	sbuf_printf(h->out, ": the sum over %s%s threads%s, which percentages are of\n",
	    r->trace->log != NULL ? "the slices of " : "",
	    r->scope == NULL ? "all" : "the chosen",
	    range_is_all(&r->fold->range) ? "" : " in the window");
}

static void
head_chosen(const struct head *h)
{
	const struct report *r = h->report;
	uint32_t named = 0;

	for (uint32_t i = 0; i < r->scope->count; i++) {
		if (!scope_has(r->scope, i))
			continue;
		if (named++ == THREADS_NAMED) {
			sbuf_text(h->out, ", ...");
			break;
		}
		sbuf_printf(h->out, "%s%" PRIu32 " ", named > 1 ? ", " : "",
		    trace_thread(r->trace, i)->id);
		sbuf_str(h->out, names_thread(r->figures.names, i));
	}
}

static void
head_counts(const struct head *h)
{
	const struct report *r = h->report;

	fact_begin(h->out, "Threads");
	if (r->scope != NULL) {
		head_chosen(h);
		sbuf_printf(h->out, " (%" PRIu32 " of %" PRIu32 ")\n",
		    scope_size(r->scope), r->trace->threads.count);
	} else {
		sbuf_printf(h->out, "%" PRIu32 "\n", r->threads_met);
	}
	if (r->trace->log != NULL) {
		struct sbuf choice = {0};

		log_choice_text(&choice, &r->trace->log->choice);
		if (choice.n > 0) {
			fact_begin(h->out, "Slices");
			sbuf_printf(h->out, "%s\n", sbuf_cstr(&choice));
		}
		sbuf_release(&choice);
	}
	fact_begin(h->out, "Records");
	sbuf_printf(h->out, "%" PRIu64 "\n", r->profile->records);
	fact_begin(h->out, "Methods");
	sbuf_printf(h->out, "%" PRIu32, r->methods_met);
	sbuf_char(h->out, '\n');
}

static void
head_cut(const struct head *h)
{
	unsigned percent = h->report->options->min_percent;

	if ((h->report->options->view->takes & TAKES_CUT) == 0)
		return;
	fact_begin(h->out, "Cut-off");
	sbuf_printf(h->out, "%u.%03u", percent / REPORT_PERCENT_UNIT,
	    percent % REPORT_PERCENT_UNIT);
	while (h->out->p[h->out->n - 1] == '0')
		h->out->n--;
	if (h->out->p[h->out->n - 1] == '.')
		h->out->n--;
	sbuf_text(h->out, " % of the total; less is folded\n");
}

/* What the rows of the callers leave out. */
static void
head_outside(const struct head *h)
{
	const struct report *r = h->report;
	enum clock_id clock = r->figures.clock;
	const char *title = "Left out";
	char text[FMT_SIZE];
	nsec time;

	if (r->tree == NULL || r->tree->callers == NULL)
		return;
	time = r->tree->outside[clock];
	if (time != 0) {
		fact_begin(h->out, title);
		title = "";
		sbuf_printf(h->out, "(toplevel), where no call was open: %s ms, ",
		    fmt_ms(text, time));
		sbuf_printf(h->out, "%s %%\n", fmt_percent(text, time, r->fold->total[clock]));
	}
	if (r->tree->deeper == 0)
		return;
	fact_begin(h->out, title);
	if (r->tree->depth_max != UINT32_MAX)
		sbuf_printf(h->out, "callers more than %" PRIu32 " calls above",
		    r->tree->depth_max);
	else
		sbuf_printf(h->out, "callers beyond the first %" PRIu64, r->tree->callers_max);
	sbuf_printf(h->out, ", of %" PRIu32 " row%s\n", r->tree->deeper,
	    r->tree->deeper == 1 ? "" : "s");
}

/* What was asked for, and how much of it is here. */
static void
head_choice(const struct head *h)
{
	const struct report *r = h->report;
	const struct report_options *o = r->options;
	bool asked = o->filter_count > 0 || o->method_count > 0;

	facts_chosen(h->out, r);
	for (size_t i = 0; i < o->method_count; i++)
		fact_put(h->out, r, i == 0 ? "Method" : "", str_from(o->methods[i].text));
	if ((!asked && r->count == r->matched) || (o->view->takes & TAKES_BUDGET) != 0)
		return;
	fact_begin(h->out, "Rows");
	sbuf_printf(h->out, "%" PRIu32, r->count);
	if (r->count < r->matched)
		sbuf_printf(
		    h->out, " of %" PRIu32 "%s", r->matched, asked ? " that match" : "");
	sbuf_char(h->out, '\n');
}

static void
head_damage(const struct head *h)
{
	const struct damage *damage = &h->report->profile->damage;
	const char *title = "Damage";
	char text[128];

	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (damage->kind[i].count == 0)
			continue;
		fact_begin(h->out, title);
		sbuf_printf(h->out, "%s: %s\n", damage_kinds[i].name,
		    damage_text(damage, (enum damage_kind)i, text, sizeof(text)));
		fact_begin(h->out, "");
		sbuf_printf(h->out, "  (%s)\n", damage_kinds[i].help);
		title = "";
	}
	if (damage_count(damage) == 0) {
		fact_begin(h->out, title);
		sbuf_text(h->out, "none\n");
	}
}

static void
head_notes(const struct head *h)
{
	const struct trace *t = h->report->trace;

	for (size_t i = 0; i < t->note_count; i++)
		fact_put(h->out, h->report, i == 0 ? "Notes" : "", t->notes[i]);
}

static void
head_print(struct sbuf *out, const struct report *r)
{
	struct head h = {out, r};

	head_trace(&h);
	head_times(&h);
	head_counts(&h);
	head_cut(&h);
	head_outside(&h);
	head_choice(&h);
	head_notes(&h);
	head_damage(&h);
}

void
report_text(struct sink *sink, const struct report *r)
{
	head_print(&sink->text, r);
	if (!report_is_empty(r)) {
		sbuf_char(&sink->text, '\n');
		r->options->view->text(sink, r);
	} else if (r->profile->records == 0) {
		sbuf_text(&sink->text, "\nNo records.\n");
	} else {
		sbuf_printf(&sink->text, "\nNo %s.\n",
		    (r->options->view->takes & TAKES_RELATIONS) != 0 ? "method matches"
									: "row matches");
	}
}

/* CSV ----------------------------------------------------------------------------- */

void
report_csv(struct sink *sink, const struct report *r)
{
	r->options->view->write(sink, NULL, r);
}

/* JSON ---------------------------------------------------------------------------- */

const char *const member_span_keys[CLOCKS] = {"cpu_us", "wall_us"};
static const char *const clock_words[CLOCKS] = {"cpu", "wall"};

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

	member_object(j, "properties");
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
		member_int(j, "version", t->version);
	}
	member_array(j, "clocks");
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
	member_array(j, "tags");
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
	member_object(j, "scope");
	if (r->scope != NULL) {
		member_array(j, "threads");
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
	member_array(j, "damage");
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
	member_array(j, "cpus");
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

/* Of a log: the thread's process, its kind of row, and how long it ran. */
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
members_begin(struct json *j, struct sink *sink)
{
	sink->terminal = false;
	json_init(j, &sink->text, 2);
	json_object(j);
}

void
members_end(struct json *j, struct sink *sink)
{
	if (!sink_wanted(sink))
		return;
	json_end(j);
	json_finish(j);
}

static void
json_trace(struct json *j, const struct report *r)
{
	member_object(j, "trace");
	members_trace(j, r);
	json_end(j);
}

/* Writes the transforms in force, in order, if there are any. */
static void
json_transforms(struct json *j, const struct report *r)
{
	const struct transforms *list = &r->options->transforms;
	struct sbuf text = {0};

	if (list->count == 0)
		return;
	member_array(j, "transforms");
	for (size_t i = 0; i < list->count; i++) {
		sbuf_clear(&text);
		transform_argument_text(&text, &list->list[i], r->trace);
		json_object(j);
		member_str(j, "name", str_from(transform_kinds[list->list[i].id].name));
		member_str(j, "argument", sbuf_view(&text));
		json_end(j);
	}
	json_end(j);
	sbuf_release(&text);
}

static void
json_total(struct json *j, const struct report *r)
{
	member_object(j, "total");
	for (int c = 0; c < CLOCKS; c++)
		member_time(j, r->trace, member_span_keys, (enum clock_id)c, r->fold->total[c]);
	json_end(j);
}

static void
json_threads(struct json *j, const struct report *r)
{
	member_array(j, "threads");
	for (uint32_t i = 0; i < r->trace->threads.count; i++) {
		json_object(j);
		members_thread(j, r, i, false);
		json_end(j);
	}
	json_end(j);
}

void
report_json(struct sink *sink, const struct report *r)
{
	struct json j;

	members_begin(&j, sink);
	json_trace(&j, r);
	members_damage(&j, &r->profile->damage);
	members_scope(&j, r);
	json_transforms(&j, r);
	json_total(&j, r);
	if (r->options->view->has_threads)
		json_threads(&j, r);
	r->options->view->write(sink, &j, r);
	logs_json(&j, r);
	members_end(&j, sink);
}
