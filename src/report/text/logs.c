// SPDX-License-Identifier: Apache-2.0
/*
 * logs: text logs in reports: their tables (view/log/tables.h) as views, "log-latency" is the
 * table "latency"; and what JSON says of a log beside its slices.
 *
 * Rows are those of the chosen threads and range, in the table's own order unless another
 * one is asked for.  Filters look at all texts of a row.
 */
#include <config.h>

#include "report/text/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "view/list/list.h"
#include "view/log/tables.h"
#include "view/names/processes.h"

/* Tables --------------------------------------------------------------------------- */

struct logrows {
	struct usage_tables tables;
	struct sheet sheet; /* of the table that is shown */
};

static bool
table_find(const char *view, enum usage_table *table)
{
	for (int i = 0; i < USAGE_TABLES; i++) {
		*table = (enum usage_table)i;
		if (strcmp(view + strlen("log-"), usage_table_info[i]->source.word) == 0)
			return true;
	}
	return false;
}

struct usage_ask
logrows_ask(const struct report_options *o)
{
	struct usage_ask ask = USAGE_ASK_NONE;
	enum usage_table table;

	if (o->view->choose == logrows_choose && table_find(o->view->name, &table) &&
	    table == USAGE_INTERVALS)
		ask.what = USAGE_ASK_INTERVALS;
	return ask;
}

/* COLUMNSET_MAX: there is none. */
static int
column_find(enum usage_table table, const char *word)
{
	const struct column *columns = usage_table_info[table]->source.columns;

	for (int i = 0; columns[i].id != NULL; i++)
		if (strcmp(word, output_key(columns[i].id, columns[i].kind, "_us", FMT_BUF)) == 0)
			return i;
	return COLUMNSET_MAX;
}

bool
logrows_column(const char *view, int i, char word[static FMT_SIZE])
{
	const struct column *columns;
	enum usage_table table;

	if (!table_find(view, &table))
		return false;
	columns = usage_table_info[table]->source.columns;
	if (columns[i].id == NULL)
		return false;
	output_key(columns[i].id, columns[i].kind, "_us", word);
	return true;
}

static bool
sort(struct logrows *l, const struct report_options *o, struct err *e)
{
	struct list *list = usage_tables_list(&l->tables);
	int column = column_find(l->tables.now, o->sort_word);

	if (column == COLUMNSET_MAX)
		return err_set(e, ERR_UNSUPPORTED,
		    "'%s' has no column '%s'; --sort takes those that --format=csv names",
		    o->view->name, o->sort_word);
	list_sort(list, column,
	    o->sort_signed ? o->ascending : column_ascends(&list->source->columns[column]));
	return true;
}

bool
logrows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	struct logrows *l = r->log = mem_zero(1, sizeof(*l));
	struct sbuf text = {0};
	const struct list *list;
	enum usage_table table;
	bool good = true, passes;

	usage_tables_init(&l->tables, &r->figures);
	if (!table_find(r->options->view->name, &table))
		return err_set(e, ERR_UNSUPPORTED, "no such table");
	l->tables.now = table;
	l->tables.ask = logrows_ask(r->options);
	usage_tables_fill(&l->tables, r->trace, r->usage);
	if (l->tables.missing != NULL)
		return err_set(e, ERR_UNSUPPORTED, "%s", l->tables.missing);
	if (r->options->sort_given && !sort(l, r->options, e))
		return false;
	list = usage_tables_list(&l->tables);
	list_sheet(&l->sheet, list);
	r->rows = mem_alloc((l->sheet.rows + 1) * sizeof(*r->rows));
	for (size_t i = 0; i < l->sheet.rows && i < UINT32_MAX && good; i++) {
		struct str texts = list_row_text(list, &list->rows[i], &text);

		good = rows_pass(r, texts, texts, &passes, e);
		if (good && passes)
			r->rows[r->count++] = (uint32_t)i;
	}
	sbuf_release(&text);
	if (good)
		rows_cut(r);
	return good;
}

void
logrows_free(struct logrows *l)
{
	if (l == NULL)
		return;
	usage_tables_release(&l->tables);
	mem_free(l);
}

/* Text ---------------------------------------------------------------------------- */

void
logrows_text(struct sink *sink, const struct report *r)
{
	sheet_rows_text(sink, r, &r->log->sheet);
}

/* For programs -------------------------------------------------------------------- */

void
logrows_write(struct sink *sink, struct json *j, const struct report *r)
{
	const struct sheet *s = &r->log->sheet;
	const char *list[SHEET_COLUMNS_MAX + 1] = {NULL};
	char keys[SHEET_COLUMNS_MAX][FMT_SIZE], name[FMT_SIZE];
	struct fields f;

	for (int c = 0; c < s->column_count; c++)
		list[c] = output_key(s->columns[c].id, s->columns[c].kind, "_us", keys[c]);
	if (j != NULL)
		member_array(j, output_key(r->options->view->name, VALUE_TEXT, "_us", name));
	fields_init(&f, &sink->text, j, ~0u, list, NULL);
	for (uint32_t i = 0; i < r->count && sink_row(sink); i++) {
		fields_row(&f);
		for (int c = 0; c < s->column_count; c++)
			fields_put(&f, s->cell(s, r->rows[i], c, true));
		fields_end(&f);
	}
	if (j != NULL)
		json_end(j);
}

/* Beside slices -------------------------------------------------------------------- */

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

/* Of the row. */
#define MEMBERS_OF_THREAD(r, index) \
	{"thread", value_count(trace_thread((r)->trace, index)->id)}, \
	    {"name", value_text(trace_thread((r)->trace, index)->name)}

/* Nothing when the log does not tell. */
static struct value
io_value(uint8_t io)
{
	return value_if(io != IO_UNTOLD, value_text(io == IO_YES ? STR("yes") : STR("no")));
}

static void
latency_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct usage_thread *t = &r->usage->threads[i];

	if (t->wakeups == 0)
		return;
	json_object(j);
	MEMBERS(j, MEMBERS_OF_THREAD(r, i), {"wakeups", value_count(t->wakeups)},
	    {"us", value_time(t->waited)}, {"max_us", value_time(t->waited_most)},
	    {"max_at_us", value_time(t->waited_at)});
	/* Nothing when it is not known. */
	if (t->waker == SCHED_INTERRUPT)
		member_null(j, "waker");
	else if (t->waker < r->usage->thread_count)
		member_uint(j, "waker", trace_thread(r->trace, t->waker)->id);
	json_end(j);
}

static void
blocked_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct usage_block *b = &r->usage->blocks[i];
	struct value caller = VALUE_NONE;

	if (b->caller > 0)
		caller = value_text(*(struct str *)seg_at(&r->trace->log->texts, b->caller - 1));
	OBJECT(j, MEMBERS_OF_THREAD(r, b->thread), {"io", io_value(b->io)}, {"caller", caller},
	    {"count", value_count(b->count)}, {"us", value_time(b->total)},
	    {"max_us", value_time(b->most)}, {"max_at_us", value_time(b->most_at)});
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
	MEMBERS(j, {"threads", value_count(p->threads)}, {"count", value_count(p->count)},
	    {"us", value_time(p->total)}, {"min_us", value_time(p->least)},
	    {"max_us", value_time(p->most)});
	json_end(j);
}

static void
chain_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct usage_chain *c = &r->usage->chains[i];
	const struct log_chain *chain = seg_at(&r->trace->log->chains, i);

	if (c->slices == 0)
		return;
	OBJECT(j, {"id", value_text(chain->id)}, {"slices", value_count(c->slices)},
	    {"start_us", value_time(c->from)}, {"us", value_time(c->to - c->from)},
	    {"thread_changes", value_count(c->changes)},
	    {"first", value_text(trace_method(r->trace, c->first)->name)});
}

static void
json_processes(struct json *j, const struct report *r)
{
	struct processes processes;
	bool sched = r->trace->log->has_sched;
	char unnamed[32];

	processes_make(&processes, r->trace);
	member_array(j, "processes");
	for (uint32_t i = 1; i < processes.count && i < r->usage->process_count; i++) {
		const struct process *p = &processes.items[i];
		const struct usage_process *u = &r->usage->processes[i];

		snprintf(unnamed, sizeof(unnamed), "Process %" PRIu32, p->pid);
		OBJECT(j, {"pid", value_count(p->pid)},
		    {"name", value_text(p->name.n > 0 ? p->name : str_from(unnamed))},
		    {"threads", value_count(p->threads)},
		    {"running_us", value_if(sched, value_time(u->ran))},
		    {"running_count", value_if(sched, value_count(u->runs))},
		    {"threads_running", value_if(sched, value_count(u->threads))});
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
	MEMBERS(j, {"cpu", value_count(i)},
	    {"running_us", value_if(c->switched, value_time(c->ran))},
	    {"idle_us", value_if(c->switched, value_time(c->idle))},
	    {"running_count", value_if(c->switched, value_count(c->runs))},
	    {"lost_us", value_if(c->switched && c->lost > 0, value_time(c->lost))});
	json_steps(j, "frequencies", "khz", &r->usage->frequencies, false, i);
	json_steps(j, "idle_levels", "level", &r->usage->levels, true, i);
	json_end(j);
}

static void
state_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct usage_state *s = &r->usage->states[i];

	OBJECT(j, MEMBERS_OF_THREAD(r, s->thread),
	    {"state", value_text(str_from(task_states[s->state].name))},
	    {"io", io_value(s->io)}, {"count", value_count(s->count)},
	    {"us", value_time(s->total)}, {"min_us", value_time(s->least)},
	    {"max_us", value_time(s->most)});
}

static void
counter_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct log *log = r->trace->log;
	const struct log_counter *c = seg_at(&log->counters, i);
	const struct usage_counter *u = &r->usage->counters[i];
	nsec length = r->usage->range.to - r->usage->range.from;
	int64_t growth;

	json_object(j);
	if (c->process > 0)
		member_uint(j, "pid",
		    ((struct log_process *)seg_at(&log->processes, c->process - 1))->pid);
	MEMBERS(j, {"name", value_text(c->name)},
	    {"category", value_if(c->category.n > 0, value_text(c->category))},
	    {"count", value_count(u->count)}, {"first", value_if(u->known, value_number(u->first))},
	    {"last", value_if(u->known, value_number(u->last))},
	    {"min", value_if(u->known, value_number(u->min))},
	    {"max", value_if(u->known, value_number(u->max))});
	if (u->known && !__builtin_sub_overflow(u->last, u->first, &growth)) {
		member_int(j, "delta", growth);
		if (length > 0)
			member_decimal(j, "rate", (double)growth * 1e9 / (double)length);
	}
	if (u->known) { /* while it had a value */
		member_decimal(j, "average", u->average);
		member_us(j, "max_at_us", u->max_at);
	}
	json_end(j);
}

/* Names of a log with how often each was met. */
static void
json_counts(struct json *j, const char *key, size_t count, const char *const *names,
    const uint64_t *counts)
{
	member_array(j, key);
	for (size_t i = 0; i < count; i++)
		OBJECT(j, {"name", value_text(str_from(names[i]))}, {"count", value_count(counts[i])});
	json_end(j);
}

static void
event_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct log_func *f = seg_at(&r->trace->log->funcs, i);

	OBJECT(j, {"name", value_text(f->name)}, {"count", value_count(f->count)});
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
	OBJECT(j, {"tag", value_count(i)}, {"name", value_text(sbuf_view(&name))},
	    {"count", value_count(count)});
	sbuf_release(&name);
}

static void
count_item(struct json *j, const struct report *r, uint32_t i)
{
	const struct log_count *c = &log_counts[i];

	OBJECT(j, {"name", value_text(str_from(c->name))},
	    {"count", value_count(log_count_get(&r->trace->log->summary, c))},
	    {"help", value_text(str_from(c->help))});
}

void
logs_json(struct json *j, const struct report *r)
{
	const struct log_summary *summary;
	const char *levels[LOG_LEVELS];

	if (r->trace->log == NULL)
		return;
	summary = &r->trace->log->summary;
	for (int i = 0; i < LOG_LEVELS; i++)
		levels[i] = log_levels[i].name;
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
	json_counts(j, "markers", LOG_MARKERS, log_marker_names, summary->markers);
	json_counts(j, "forms", LOG_FORMS, log_form_names, summary->forms);
	json_counts(j, "levels", LOG_LEVELS, levels, summary->levels);
	json_list(j, r, "tags", LOG_TAGS, tag_item);
	json_list(j, r, "log", (size_t)log_count_count, count_item);
}
