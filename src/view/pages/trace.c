/*
 * trace: the rows about the trace (what it is, counts, damage, header), its threads and
 * what a text log has beside, and about one thread.
 */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/number.h"
#include "base/sbuf.h"
#include "trace/log.h"
#include "view/names/processes.h"
#include "view/pages/rows.h"

/* Only a hostile file has more rows than these; "and so many more" replaces the rest. */
enum {
	PROPERTIES_MAX = 1000,
	NOTES_MAX = 200,
	TEXT_SIZE = 512,
};

/* Threads ------------------------------------------------------------------------------ */

enum { THREADS_MAX = 2000 };

struct listing {
	struct info *info;
	const struct trace *trace;
	struct names *names;
	const struct fold *fold;
};

enum { FIGURES_MAX = 3 + 2 * CLOCKS };

struct thread_table {
	const char *titles[FIGURES_MAX];
	int widths[FIGURES_MAX];
	int count;
};

/* The figures of a thread, as text; those of a thread without records are dashes. */
static void
thread_figures(const struct listing *l, uint32_t thread, char out[FIGURES_MAX][FMT_SIZE])
{
	static const struct fold_thread none;
	const struct fold_thread *sum =
	    thread < l->fold->thread_count ? &l->fold->threads[thread] : &none;
	bool window = !range_is_all(&l->fold->range);
	int n = 0;

	snprintf(out[n++], FMT_SIZE, "%" PRIu32, trace_thread(l->trace, thread)->id);
	snprintf(out[n++], FMT_SIZE, "%" PRIu64, sum->records);
	snprintf(out[n++], FMT_SIZE, "%" PRIu32, sum->open);
	for (int c = CLOCKS - 1; c >= 0; c--) {
		if (!trace_has_clock(l->trace, (enum clock_id)c))
			continue;
		fmt_ms(out[n++], sum->first[c]);
		fmt_ms(out[n++], sum->last[c]);
	}
	if (sum->records == 0 || (window && sum->calls == 0 && sum->covered == 0))
		for (int i = 2; i < n; i++)
			snprintf(out[i], FMT_SIZE, "-");
}

static struct thread_table
thread_table(const struct listing *l, uint32_t count)
{
	static const char *const times[CLOCKS][2] = {
	    [CLOCK_CPU] = {"CPU first", "CPU last"},
	    [CLOCK_WALL] = {"Wall first", "Wall last"},
	};
	struct thread_table table = {.titles = {"Tid", "Records", "Open"}, .count = 3};
	char figures[FIGURES_MAX][FMT_SIZE];

	for (int c = CLOCKS - 1; c >= 0; c--) {
		if (!trace_has_clock(l->trace, (enum clock_id)c))
			continue;
		table.titles[table.count++] = times[c][0];
		table.titles[table.count++] = times[c][1];
	}
	for (int i = 0; i < table.count; i++)
		table.widths[i] = (int)strlen(table.titles[i]);
	for (uint32_t t = 0; t < count; t++) {
		thread_figures(l, t, figures);
		for (int i = 0; i < table.count; i++)
			if ((int)strlen(figures[i]) > table.widths[i])
				table.widths[i] = (int)strlen(figures[i]);
	}
	return table;
}

/* An id may have been used twice: the name, and the one before it. */
static struct str
thread_name(const struct listing *l, uint32_t thread)
{
	struct str was = trace_thread(l->trace, thread)->was, kept;
	struct sbuf out = {0};

	if (was.n == 0)
		return names_thread(l->names, thread);
	sbuf_str(&out, names_thread(l->names, thread));
	sbuf_text(&out, " (was: ");
	sbuf_str(&out, info_clean(l->info, l->names, was));
	sbuf_char(&out, ')');
	kept = arena_str(&l->info->arena, sbuf_view(&out));
	sbuf_release(&out);
	return kept;
}

static void
add_thread_row(const struct listing *l, enum info_kind kind,
    const struct thread_table *table, const char *const *figures, struct str name)
{
	char text[FIGURES_MAX * FMT_SIZE];
	int n = 0;

	for (int i = 0; i < table->count; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%*s",
		    i > 0 ? " " : "", table->widths[i], figures[i]);
	info_row_add(l->info, kind, (struct str){text, (size_t)n}, name);
}

static void
add_threads(struct info *info, const struct trace *t, struct names *names,
    const struct fold *fold, const struct scope *list)
{
	const struct listing l = {info, t, names, fold};
	uint32_t all = fold != NULL ? trace_thread_count(t) : 0;
	uint32_t count = all < THREADS_MAX ? all : THREADS_MAX;
	struct thread_table table;

	if (count == 0)
		return;
	table = thread_table(&l, count);
	info_heading(info, range_is_all(&fold->range)
			       ? "THREADS, first and last event in ms"
			       : "THREADS, beginning and end within the window in ms");
	add_thread_row(&l, INFO_TITLES, &table, table.titles, STR("Name"));
	for (uint32_t i = 0; i < count; i++) {
		char figures[FIGURES_MAX][FMT_SIZE];
		const char *texts[FIGURES_MAX];

		if (!scope_has(list, i))
			continue;
		thread_figures(&l, i, figures);
		for (int f = 0; f < table.count; f++)
			texts[f] = figures[f];
		add_thread_row(&l, INFO_FIGURES, &table, texts, thread_name(&l, i));
	}
	info_more(info, all, THREADS_MAX);
}

/* A text log --------------------------------------------------------------------------- */

static void
add_log_counts(struct info *info, const struct log_summary *s)
{
	info_heading(info, "LOG");
	for (int i = 0; i < log_count_count; i++) {
		const struct log_count *c = &log_counts[i];
		uint64_t count = log_count_get(s, c);

		if (count > 0 || !c->trouble)
			info_pair(info, c->name, "%" PRIu64 " %s", count, c->help);
	}
}

static void
add_markers(struct info *info, const struct log_summary *s)
{
	info_heading(info, "MARKERS");
	for (int i = 0; i < LOG_MARKERS; i++) {
		if (s->markers[i] > 0)
			info_pair(info, log_marker_names[i], "%" PRIu64, s->markers[i]);
	}
	for (int i = 0; i < LOG_FORMS; i++) {
		if (s->forms[i] > 0)
			info_pair(info, log_form_names[i], "%" PRIu64 " in this form", s->forms[i]);
	}
}

static void
add_levels(struct info *info, const struct log_summary *s)
{
	struct sbuf name = {0};

	for (int i = 0; i < LOG_LEVELS; i++) {
		if (s->levels[i] == 0)
			continue;
		sbuf_clear(&name);
		sbuf_printf(&name, "level-%s", log_levels[i].name);
		info_pair(info, sbuf_cstr(&name), "%" PRIu64 " slices", s->levels[i]);
	}
	for (int i = 0; i < LOG_TAGS; i++) {
		if (s->tags[i] == 0)
			continue;
		sbuf_clear(&name);
		sbuf_text(&name, "tag-");
		log_tag_text(&name, i);
		info_pair(info, sbuf_cstr(&name), "%" PRIu64 " slices", s->tags[i]);
	}
	sbuf_release(&name);
}

static void
add_log(struct info *info, const struct trace *t, const struct log_summary *s)
{
	const struct log *log = t->log;

	add_log_counts(info, s);
	add_markers(info, s);
	add_levels(info, s);
	if (!log->has_sched)
		info_note(info, STR("no sched events in this log: no CPU times, no thread states"));
}

struct builder {
	struct info *info;
	const struct trace *trace;
	struct names *names;
	const struct load_status *status;
	const struct fold *fold; /* may be NULL */
};

/* The trace ---------------------------------------------------------------------- */

static void
add_format(const struct builder *b)
{
	const struct trace *t = b->trace;

	if (t->record_size > 0)
		info_pair(b->info, "format",
		    "%s, data version %d, records of %" PRIu32 " bytes", t->format,
		    t->version, t->record_size);
	else if (t->log != NULL)
		info_pair(b->info, "format", "%s, a text log", t->format);
	else
		info_pair(
		    b->info, "format", "%s, data version %d", t->format, t->version);
	if (t->compressed)
		info_pair(
		    b->info, "compression", "gzip; offsets are those of what was in it");
	if (t->text_apart)
		info_pair(b->info, "text part", "in a file of its own");
	if (t->source->by_thread)
		info_pair(b->info, "order",
		    "threads by turns; records are in order of time only within one");
}

/* Nothing in the file says so; see profile/load/sampling.h. */
static void
add_mode(const struct builder *b)
{
	const struct sampled *sampled = &b->status->sampled;
	char interval[FMT_SIZE];

	if (sampled->yes && sampled->interval > 0)
		info_pair(b->info, "recorded",
		    "by sampling, about every %s: calls are what the samples saw",
		    fmt_duration(interval, sampled->interval));
	else if (sampled->yes)
		info_pair(
		    b->info, "recorded", "by sampling: calls are what the samples saw");
	else if (b->trace->log == NULL && b->status->state != LOAD_MORE && b->status->records > 0)
		info_pair(b->info, "recorded", "every call (tracing)");
}

static void
add_overflow(const struct builder *b)
{
	if (b->trace->overflow)
		info_row_add(b->info, INFO_DAMAGE, STR("OVERFLOW"),
		    STR("the recording buffer was full: everything after that is "
			"missing"));
}

static void
add_clocks(const struct builder *b)
{
	const struct trace *t = b->trace;
	bool cpu = trace_has_clock(t, CLOCK_CPU), wall = trace_has_clock(t, CLOCK_WALL);

	info_pair(b->info, "clocks", "%s%s%s", cpu ? "cpu" : "", cpu && wall ? ", " : "",
	    wall ? "wall" : "");
	if (t->own_axes)
		info_pair(b->info, "time",
		    "CPU time of each thread; threads share no time line");
}

static void
add_start(const struct builder *b)
{
	uint64_t us = b->trace->start_us;
	time_t seconds = (time_t)(us / 1000000);
	char text[64], exact[FMT_SIZE];
	struct tm tm;

	if (us == 0)
		return;
	if (trace_start_is_date(b->trace) && gmtime_r(&seconds, &tm) != NULL &&
	    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm) > 0)
		info_pair(b->info, "started", "%s.%06d UTC", text, (int)(us % 1000000));
	else if (us <= INT64_MAX / 1000)
		info_pair(b->info, "started", "%s after boot (%s s)",
		    fmt_duration(text, (int64_t)us * 1000),
		    fmt_time(exact, (int64_t)us * 1000, FMT_S, 6));
	else
		info_pair(b->info, "started", "%" PRIu64 " us after boot", us);
}

static const char *
state_text(const struct load_status *status, char *out, size_t size)
{
	int percent = (int)(status->progress * 100);

	switch (status->state) {
	case LOAD_MORE:
		snprintf(out, size, "being read, %d%%", percent);
		break;
	case LOAD_DONE:
		snprintf(out, size, "complete");
		break;
	case LOAD_STOPPED:
		snprintf(out, size, "stopped at %d%%", percent);
		break;
	case LOAD_FAILED:
		snprintf(out, size, "gave up at %d%%: %s", percent, status->err.what);
		break;
	}
	return out;
}

static void
add_trace(const struct builder *b)
{
	const struct trace *t = b->trace;
	const struct load_status *status = b->status;
	char text[TEXT_SIZE], whole[FMT_SIZE];

	info_heading(b->info, "TRACE");
	info_row_add(b->info, INFO_PAIR, STR("file"), info_clean(b->info, b->names, str_from(t->path)));
	add_overflow(b);
	add_format(b);
	add_mode(b);
	add_clocks(b);
	add_start(b);
	if (!t->own_axes) /* else no two threads have a time in common */
		info_pair(
		    b->info, "span", "%s ms", fmt_ms(text, status->end - status->begin));
	if (t->elapsed > 0)
		info_pair(
		    b->info, "elapsed, as stated", "%s ms", fmt_ms(text, t->elapsed));
	if (t->log != NULL) {
		struct sbuf choice = {0};

		log_choice_text(&choice, &status->choice);
		if (choice.n > 0)
			info_row_add(b->info, INFO_PAIR, STR("slices read"), sbuf_view(&choice));
		sbuf_release(&choice);
	}
	info_pair(b->info, "data", "%s of %s", fmt_bytes(text, status->bytes_done),
	    fmt_bytes(whole, status->bytes_total));
	info_pair(b->info, "read", "%s", state_text(status, text, sizeof text));
}

/* Counts ------------------------------------------------------------------------- */

static void
add_counts(const struct builder *b)
{
	const struct fold *fold = b->fold;
	uint32_t threads = 0, open = 0;
	const char *part;
	bool all = true;

	info_heading(b->info, "COUNTS");
	info_pair(b->info, "records", "%" PRIu64, b->status->records);
	if (fold == NULL)
		return;
	for (uint32_t i = 0; i < fold->thread_count; i++) {
		threads += fold->threads[i].records > 0;
		open += fold->threads[i].open;
		all = all && fold->threads[i].in_scope;
	}
	part = range_is_all(&fold->range) ? (all ? "" : " in the threads chosen")
	       : all                      ? " in the window"
					  : " in the threads chosen, in the window";
	info_pair(b->info, "calls", "%" PRIu64 "%s", fold->calls, part);
	info_pair(b->info, "methods", "%" PRIu32 " in the file, %" PRIu32 " met%s",
	    trace_methods_named(b->trace), fold->present, part);
	info_pair(b->info, "threads", "%" PRIu32 " in the file, %" PRIu32 " with records",
	    b->trace->threads_listed, threads);
	if (open > 0)
		info_pair(b->info, "open calls", "%" PRIu32 " at the end", open);
}

/* Damage, notes, header ---------------------------------------------------------- */

static void
add_damage(const struct builder *b)
{
	const struct damage *d = &b->status->damage;

	info_heading(b->info, "DAMAGE");
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		const struct damage_info *kind = &damage_kinds[i];
		char text[TEXT_SIZE];

		if (d->kind[i].count == 0)
			continue;
		info_row_add(b->info, INFO_DAMAGE, str_from(kind->name),
		    str_from(damage_text(d, (enum damage_kind)i, text, sizeof(text))));
		info_row_add(b->info, INFO_PAIR, STR(""), str_from(kind->help));
	}
	if (damage_count(d) == 0)
		info_note(b->info, STR("none"));
}

static void
add_notes(const struct builder *b)
{
	const struct trace *t = b->trace;

	if (t->note_count > 0)
		info_heading(b->info, "NOTES");
	for (size_t i = 0; i < t->note_count && i < NOTES_MAX; i++)
		info_note(b->info, info_clean(b->info, b->names, t->notes[i]));
	info_more(b->info, t->note_count, NOTES_MAX);
}

static void
add_properties(const struct builder *b)
{
	const struct trace *t = b->trace;

	info_heading(b->info, "HEADER");
	for (size_t i = 0; i < t->property_count && i < PROPERTIES_MAX; i++)
		info_row_add(b->info, INFO_PAIR, info_clean(b->info, b->names, t->properties[i].key),
		    info_clean(b->info, b->names, t->properties[i].value));
	if (t->property_count == 0)
		info_note(b->info, STR("none"));
	info_more(b->info, t->property_count, PROPERTIES_MAX);
}

void
info_build(struct info *info, const struct trace *t, struct names *names,
    const struct load_status *status, const struct fold *fold, const struct scope *list)
{
	const struct builder b = {info, t, names, status, fold};

	info_clear(info);
	add_trace(&b);
	add_counts(&b);
	if (t->log != NULL)
		add_log(info, t, &status->log);
	add_damage(&b);
	add_notes(&b);
	add_properties(&b);
	add_threads(info, t, names, fold, list);
}

/* One thread --------------------------------------------------------------------------- */

static void
add_process(struct info *info, const struct trace *t, struct names *names, uint32_t index)
{
	struct processes all;

	processes_make(&all, t);
	if (index > 0 && index < all.count) {
		info_pair(info, "process", "%" PRIu32, all.items[index].pid);
		if (all.items[index].name.n > 0)
			info_row_add(info, INFO_PAIR, STR("its name"),
			    info_clean(info, names, all.items[index].name));
	}
	processes_release(&all);
}

static void
add_times(struct info *info, const struct fold_thread *sum, enum clock_id clock)
{
	const char *name = clock == CLOCK_WALL ? "wall" : "CPU";
	char text[FMT_SIZE], title[32];
	const struct {
		const char *what;
		nsec time;
	} rows[] = {{"first", sum->first[clock]}, {"last", sum->last[clock]},
	    {"between", sum->last[clock] - sum->first[clock]}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(title, sizeof(title), "%s %s ms", name, rows[i].what);
		info_pair(info, title, "%s", fmt_ms(text, rows[i].time));
	}
}

void
info_build_thread(struct info *info, const struct trace *t, struct names *names,
    const struct fold *fold, uint32_t thread)
{
	const struct fold_thread *sum;
	char text[FMT_SIZE];

	info_clear(info);
	info_heading(info, "THREAD");
	info_row_add(info, INFO_PAIR, STR("name"), names_thread(names, thread));
	info_pair(info, "id", "%" PRIu32, trace_thread(t, thread)->id);
	if (t->log != NULL)
		add_process(info, t, names, trace_thread(t, thread)->process);
	if (fold == NULL || thread >= fold->thread_count)
		return;
	sum = &fold->threads[thread];
	info_heading(info, range_is_all(&fold->range) ? "FIGURES" : "FIGURES OF THE WINDOW");
	info_pair(info, "chosen", "%s", sum->in_scope ? "yes" : "no");
	info_pair(info, "records", "%" PRIu64 " in the whole trace", sum->records);
	info_pair(info, "calls", "%" PRIu64, sum->calls);
	info_pair(info, "deepest", "%" PRIu32 " calls open at once", sum->deepest);
	info_pair(info, "open", "%" PRIu32 " calls at its end", sum->open);
	for (int clock = CLOCKS - 1; clock >= 0; clock--)
		if (trace_has_clock(t, (enum clock_id)clock))
			add_times(info, sum, (enum clock_id)clock);
	info_pair(info, "in calls ms", "%s", fmt_ms(text, sum->covered));
}
