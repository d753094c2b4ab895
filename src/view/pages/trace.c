// SPDX-License-Identifier: Apache-2.0
/*
 * trace: the rows about the trace (what it is, counts, damage, header), its threads and
 * what a text log has beside, and about one thread.
 */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/conf.h"
#include "base/number.h"
#include "base/sbuf.h"
#include "profile/log/starts.h"
#include "trace/log.h"
#include "view/names/processes.h"
#include "view/pages/info.h"

/* Only a hostile file has more rows than these; "and so many more" replaces the rest. */
enum {
	PROPERTIES_MAX = 1000,
	NOTES_MAX = 200,
};

/* Threads ------------------------------------------------------------------------------ */

enum { THREADS_MAX = 2000 };

enum { FIGURES_MAX = 3 + 2 * CLOCKS };

/*
 * The figures of a thread as text, dashes without records; of THREAD_NONE their titles.
 * Returns how many there are.
 */
static int
thread_figures(const struct info *info, const struct fold *fold, uint32_t thread,
    char out[FIGURES_MAX][FMT_SIZE])
{
	static const char *const titles[] = {"Tid", "Records", "Open", "Wall first", "Wall last",
	    "CPU first", "CPU last"};
	static const struct fold_thread none;
	const struct fold_thread *sum =
	    thread < fold->thread_count ? &fold->threads[thread] : &none;
	bool blank = sum->records == 0 ||
	    (!range_is_all(&fold->range) && sum->calls == 0 && sum->covered == 0);
	int n = 0;

	for (int i = 0; i < FIGURES_MAX; i++) {
		enum clock_id clock = i < 5 ? CLOCK_WALL : CLOCK_CPU;

		if (i > 2 && !trace_has_clock(info->trace, clock))
			continue;
		if (thread == THREAD_NONE)
			snprintf(out[n++], FMT_SIZE, "%s", titles[i]);
		else if (i == 0)
			snprintf(out[n++], FMT_SIZE, "%" PRIu32,
			    trace_thread(info->trace, thread)->id);
		else if (i == 1)
			snprintf(out[n++], FMT_SIZE, "%" PRIu64, sum->records);
		else if (blank)
			snprintf(out[n++], FMT_SIZE, "-");
		else if (i == 2)
			snprintf(out[n++], FMT_SIZE, "%" PRIu32, sum->open);
		else
			unit_figure(&info->trace->unit, out[n++],
			    i % 2 == 1 ? sum->first[clock] : sum->last[clock]);
	}
	return n;
}

static void
add_threads(struct info *info, const struct fold *fold, const struct scope *list)
{
	uint32_t all = fold != NULL ? trace_thread_count(info->trace) : 0;
	uint32_t count = all < THREADS_MAX ? all : THREADS_MAX;
	char figures[FIGURES_MAX][FMT_SIZE];
	int widths[FIGURES_MAX] = {0};
	struct sbuf text = {0};
	struct str was;

	if (count == 0)
		return;
	sbuf_printf(&text, "THREADS, %s in %s", range_is_all(&fold->range) ? "first and last event"
		: "beginning and end within the window", unit_name(&info->trace->unit));
	info_heading(info, sbuf_cstr(&text));
	for (uint32_t i = 0; i <= count; i++) {
		int n = thread_figures(info, fold, i < count ? i : THREAD_NONE, figures);

		for (int k = 0; k < n; k++)
			if ((int)strlen(figures[k]) > widths[k])
				widths[k] = (int)strlen(figures[k]);
	}
	/* The titles, and each thread. */
	for (uint32_t i = THREAD_NONE; i == THREAD_NONE || i < count; i++) {
		int n = thread_figures(info, fold, i, figures);

		if (i != THREAD_NONE && !scope_has(list, i))
			continue;
		sbuf_clear(&text);
		for (int k = 0; k < n; k++)
			sbuf_printf(&text, "%s%*s", k > 0 ? " " : "", widths[k], figures[k]);
		sbuf_str(&info->text, i == THREAD_NONE ? STR("Name") : names_thread(info->names, i));
		was = i != THREAD_NONE ? trace_thread(info->trace, i)->was : STR("");
		if (was.n > 0) /* an id may have been used twice */
			sbuf_printf(&info->text, " (was: %.*s)", STR_ARG(was));
		info_row_add(info, i == THREAD_NONE ? INFO_TITLES : INFO_FIGURES, sbuf_view(&text),
		    sbuf_view(&info->text));
		sbuf_clear(&info->text);
	}
	sbuf_release(&text);
	info_more(info, all, THREADS_MAX);
}

/* A text log --------------------------------------------------------------------------- */

/* Records and packets that are not read. */
static void
add_left(struct info *info, const struct log *log)
{
	uint32_t count;
	const struct log_func **left = log_left(log, &count);

	if (count > 0)
		info_heading(info, "NOT READ");
	for (uint32_t i = 0; i < count; i++) {
		const struct log_func *f = left[i];

		sbuf_printf(&info->text, "%" PRIu64 "%s%s", f->count, f->bytes > 0 ? ", " : "",
		    f->bytes > 0 ? fmt_bytes(FMT_BUF, f->bytes) : "");
		info_row_add(info, INFO_PAIR, f->name, sbuf_view(&info->text));
		sbuf_clear(&info->text);
	}
	mem_free((void *)left);
}

static void
add_log(struct info *info, const struct log_summary *s)
{
	struct sbuf name = {0};

	info_heading(info, "LOG");
	for (int i = 0; i < log_count_count; i++) {
		const struct log_count *c = &log_counts[i];
		uint64_t count = log_count_get(s, c);

		if (count > 0 || !c->trouble)
			info_pair(info, c->name, "%" PRIu64 " %s", count, c->help);
	}
	info_heading(info, "MARKERS");
	for (int i = 0; i < LOG_MARKERS; i++)
		if (s->markers[i] > 0)
			info_pair(info, log_marker_names[i], "%" PRIu64, s->markers[i]);
	for (int i = 0; i < LOG_FORMS; i++)
		if (s->forms[i] > 0)
			info_pair(info, log_form_names[i], "%" PRIu64 " in this form", s->forms[i]);
	for (int i = 0; i < LOG_LEVELS + LOG_TAGS; i++) {
		int tag = i - LOG_LEVELS;
		uint64_t count = tag < 0 ? s->levels[i] : s->tags[tag];

		if (count == 0)
			continue;
		sbuf_clear(&name);
		sbuf_printf(&name, tag < 0 ? "level-%s" : "tag-", log_levels[tag < 0 ? i : 0].name);
		if (tag >= 0)
			log_tag_text(&name, tag);
		info_pair(info, sbuf_cstr(&name), "%" PRIu64 " slices", count);
	}
	sbuf_release(&name);
	if (!info->trace->log->has_sched)
		info_note(info, trace_has_clock(info->trace, CLOCK_CPU)
		    ? STR("no sched events in this log: no thread states")
		    : STR("no sched events in this log: no CPU times, no thread states"));
}

/* A line for each: "warm  com.feed, 156.516 ms at 469.887 ms, first display (TTID) after 154.637 ms". */
static void
add_starts(struct info *info)
{
	const struct starts *all = info->starts;

	if (all == NULL || all->count == 0)
		return;
	info_heading(info, "APP STARTS");
	for (size_t i = 0; i < all->count; i++) {
		const struct app_start *s = &all->items[i];

		sbuf_printf(&info->text, "%s, %s ms at %s ms", s->package, fmt_ms(FMT_BUF, s->to - s->from),
		    fmt_ms(FMT_BUF, s->from));
		if (s->initial >= 0)
			sbuf_printf(&info->text, ", first display (TTID) after %s ms", fmt_ms(FMT_BUF, s->initial));
		info_add(info, s->type == START_UNTOLD ? "start" : start_type_names[s->type]);
	}
}

/* The trace ---------------------------------------------------------------------- */

void
info_format(struct info *info)
{
	const struct trace *t = info->trace;

	if (t->record_size > 0)
		info_pair(info, "format", "%s, data version %d, records of %" PRIu32 " bytes",
		    t->format, t->version, t->record_size);
	else if (t->log != NULL || t->version == 0)
		info_pair(info, "format", "%s%s%s", t->format, t->log != NULL ? ", " : "",
		    t->log != NULL ? t->log->kind : t->sampled ? ", samples" : "");
	else
		info_pair(info, "format", "%s, data version %d", t->format, t->version);
}

static void
add_order(struct info *info)
{
	const struct trace *t = info->trace;

	if (t->compressed != NULL)
		info_pair(info, "compression", "%s; offsets are those of what was in it",
		    t->compressed);
	if (t->text_apart)
		info_pair(info, "text part", "in a file of its own");
	if (t->source->by_thread)
		info_pair(info, "order",
		    "threads by turns; records are in order of time only within one");
}

/* Nothing in the file says so; see profile/load/profile.h. */
void
info_recorded(struct info *info, const struct sampled *sampled, bool has_records)
{
	bool interval = sampled->interval > 0;

	if (sampled->yes)
		info_pair(info, "recorded", "%sby sampling%s%s: calls%s are what the samples saw",
		    info->trace->log != NULL ? "partly " : "",
		    interval ? ", about every " : "",
		    interval ? fmt_duration(FMT_BUF, sampled->interval) : "",
		    info->trace->log != NULL ? " of threads (samples)" : "");
	else if (info->trace->log == NULL && has_records)
		info_pair(info, "recorded", "every call (tracing)");
}

static void
add_clocks(struct info *info)
{
	const struct trace *t = info->trace;
	bool cpu = trace_has_clock(t, CLOCK_CPU), wall = trace_has_clock(t, CLOCK_WALL);

	info_pair(info, "clocks", "%s%s%s", cpu ? "cpu" : "", cpu && wall ? ", " : "",
	    wall ? "wall" : "");
	if (t->sampled)
		info_pair(info, "weight", "%s: the clock cpu is the sum of the samples' weights",
		    t->unit.name != NULL ? t->unit.name : "ns");
	if (t->sampled && t->own_axes)
		info_pair(info, "time", "none: each thread has an axis of its own, its weights in the "
		    "order of the file");
	else if (t->own_axes)
		info_pair(info, "time", "%s of each thread; threads share no time line",
		    cpu && wall ? "times" : cpu ? "CPU time" : "wall time");
}

void
info_started(struct info *info)
{
	uint64_t us = info->trace->start_us;
	char date[TRACE_DATE];

	if (us == 0)
		return;
	if (trace_start_date(info->trace, ' ', date))
		info_pair(info, "started", "%s UTC", date);
	else
		info_pair(info, "started", "%s after boot (%s s)",
		    fmt_duration(FMT_BUF, (int64_t)us * 1000),
		    fmt_time(FMT_BUF, (int64_t)us * 1000, FMT_S, 6));
}

void
info_slices(struct info *info, const struct log_choice *choice)
{
	if (info->trace->log != NULL)
		log_choice_text(&info->text, choice);
	if (info->text.n > 0)
		info_add(info, "slices");
}

static void
add_state(struct info *info, const struct load_status *status)
{
	int percent = (int)(status->progress * 100);

	if (status->state == LOAD_DONE)
		info_pair(info, "read", "complete");
	else if (status->state == LOAD_FAILED)
		info_pair(info, "read", "gave up at %d%%: %s", percent, status->err.what);
	else
		info_pair(info, "read", "%s%d%%",
		    status->state == LOAD_MORE ? "being read, " : "stopped at ", percent);
}

static void
add_trace(struct info *info, const struct load_status *status)
{
	const struct trace *t = info->trace;

	info_heading(info, "TRACE");
	info_pair(info, "file", "%s", info->shared ? trace_title(t) : trace_file(t));
	if (t->overflow)
		info_row_add(info, INFO_DAMAGE, STR("OVERFLOW"),
		    STR("the recording buffer was full: everything after that is missing"));
	info_format(info);
	add_order(info);
	info_recorded(info, &status->sampled, status->state != LOAD_MORE && status->records > 0);
	add_clocks(info);
	info_started(info);
	if (!t->own_axes) /* else no two threads have a time in common */
		info_pair(info, "span", "%s", unit_text(&t->unit, FMT_BUF, status->end - status->begin));
	if (t->elapsed > 0)
		info_pair(info, "elapsed (header)", "%s ms", fmt_ms(FMT_BUF, t->elapsed));
	info_slices(info, &status->choice);
	info_pair(info, "data", "%s of %s", fmt_bytes(FMT_BUF, status->bytes_done),
	    fmt_bytes(FMT_BUF, status->bytes_total));
	add_state(info, status);
}

/* Counts ------------------------------------------------------------------------- */

static void
add_counts(struct info *info, const struct load_status *status, const struct fold *fold)
{
	char text[DAMAGE_SIZE];
	uint32_t threads = 0;
	const char *part;
	bool all = true;

	info_heading(info, "COUNTS");
	info_pair(info, "records", "%" PRIu64, status->records);
	if (fold == NULL)
		return;
	for (uint32_t i = 0; i < fold->thread_count; i++) {
		threads += fold->threads[i].records > 0;
		all = all && fold->threads[i].in_scope;
	}
	part = range_is_all(&fold->range) ? (all ? "" : " in the threads chosen")
	       : all                      ? " in the window"
					  : " in the threads chosen, in the window";
	info_pair(info, "calls", "%" PRIu64 "%s", fold->recorded_calls, part);
	info_pair(info, "methods", "%" PRIu32 " in the file, %" PRIu32 " met%s",
	    trace_methods_named(info->trace), fold->recorded_present, part);
	info_pair(info, "threads", "%" PRIu32 " in the file, %" PRIu32 " with records",
	    info->trace->threads_listed, threads);
	if (damage_edges(&status->damage, text) != NULL)
		info_pair(info, "edges", "%s", names_words(info->names, text));
}

/* Damage, notes, header ---------------------------------------------------------- */

void
info_damage(struct info *info, const struct damage *d)
{
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		const struct damage_info *kind = &damage_kinds[i];

		if (!damage_met(d, i))
			continue;
		info_row_add(info, INFO_DAMAGE, str_from(kind->name),
		    str_from(damage_text(d, (enum damage_kind)i, DAMAGE_BUF)));
		info_pair(info, "", "%s", names_words(info->names, kind->help));
	}
	if (damage_count(d) == 0)
		info_note(info, STR("none"));
}

static void
recorded_take(void *context, const struct conf_entry *entry)
{
	struct info *info = context;

	if (!info->shared || !str_equal(entry->key, STR("command")))
		info_row_add(info, INFO_PAIR, entry->key, entry->value);
}

static void
add_header(struct info *info, const struct load_status *status)
{
	const struct trace *t = info->trace;
	bool is_deep = log_deep_put(t, &status->log, &info->text);

	if (t->note_count > 0 || is_deep)
		info_heading(info, "NOTES");
	for (size_t i = 0; i < t->note_count && i < NOTES_MAX; i++)
		info_note(info, t->notes[i]);
	info_more(info, t->note_count, NOTES_MAX);
	if (is_deep)
		info_note(info, sbuf_view(&info->text));
	sbuf_clear(&info->text);
	info_heading(info, "HEADER");
	for (size_t i = 0; i < t->property_count && i < PROPERTIES_MAX; i++)
		info_row_add(info, INFO_PAIR, t->properties[i].key, t->properties[i].value);
	if (t->property_count == 0)
		info_note(info, STR("none"));
	info_more(info, t->property_count, PROPERTIES_MAX);
}

void
info_build(struct info *info, const struct trace *t, struct names *names,
    const struct load_status *status, const struct fold *fold, const struct scope *list)
{
	info_begin(info, t, names);
	add_trace(info, status);
	add_counts(info, status, fold);
	if (t->log != NULL) {
		add_log(info, &status->log);
		add_left(info, t->log);
		add_starts(info);
	}
	if (!info->shared) {
		info_heading(info, "DAMAGE");
		info_damage(info, &status->damage);
	}
	if (t->recorded.n > 0) {
		info_heading(info, "RECORDED");
		conf_read(t->recorded, recorded_take, info);
	}
	add_header(info, status);
	if (!info->shared)
		add_threads(info, fold, list);
}

/* One thread --------------------------------------------------------------------------- */

static void
add_process(struct info *info, uint32_t index)
{
	struct processes all;

	processes_make(&all, info->trace);
	if (index > 0 && index < all.count) {
		info_pair(info, "process", "%" PRIu32, all.items[index].pid);
		if (all.items[index].name.n > 0)
			info_row_add(info, INFO_PAIR, STR("its name"), all.items[index].name);
	}
	processes_release(&all);
}

void
info_build_thread(struct info *info, const struct trace *t, struct names *names,
    const struct fold *fold, uint32_t thread)
{
	const struct fold_thread *sum;

	info_begin(info, t, names);
	info_heading(info, "THREAD");
	info_row_add(info, INFO_PAIR, STR("name"), names_thread(names, thread));
	info_pair(info, "id", "%" PRIu32, trace_thread(t, thread)->id);
	if (t->log != NULL)
		add_process(info, trace_thread(t, thread)->process);
	if (fold == NULL || thread >= fold->thread_count)
		return;
	sum = &fold->threads[thread];
	info_heading(info, range_is_all(&fold->range) ? "FIGURES" : "FIGURES OF THE WINDOW");
	info_pair(info, "chosen", "%s", sum->in_scope ? "yes" : "no");
	info_pair(info, "records", "%" PRIu64 " in the whole trace", sum->records);
	info_pair(info, "calls", "%" PRIu64, sum->calls);
	info_pair(info, "deepest", "%" PRIu32 " calls open at once", sum->deepest);
	info_pair(info, "open", "%" PRIu32 " calls at its end", sum->open);
	for (int c = CLOCKS - 1; c >= 0; c--) {
		if (!trace_has_clock(t, (enum clock_id)c))
			continue;
		if (unit_counts(&t->unit)) {
			info_pair(info, "sum", "%s", unit_text(&t->unit, FMT_BUF, sum->last[c] - sum->first[c]));
			continue;
		}
		info_pair(info, c == CLOCK_WALL ? "wall first ms" : "CPU first ms", "%s",
		    fmt_ms(FMT_BUF, sum->first[c]));
		info_pair(info, c == CLOCK_WALL ? "wall last ms" : "CPU last ms", "%s",
		    fmt_ms(FMT_BUF, sum->last[c]));
		info_pair(info, c == CLOCK_WALL ? "wall between ms" : "CPU between ms", "%s",
		    fmt_ms(FMT_BUF, sum->last[c] - sum->first[c]));
	}
	info_pair(info, unit_counts(&t->unit) ? "in frames" : "in calls ms", "%s",
	    unit_figure(&t->unit, FMT_BUF, sum->covered));
}
