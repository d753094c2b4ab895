/*
 * info-trace: the rows about the trace: what it is, counts, damage, header.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/number.h"
#include "view/info_rows.h"

/* What only a hostile file has more of; "and so many more" stands for the rest. */
enum {
	PROPERTIES_MAX = 1000,
	NOTES_MAX = 200,
	TEXT_SIZE = 512,
};

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

/* Nothing in the file says so; see profile/sampling.h. */
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
		info_add_log(info, t, &status->log);
	add_damage(&b);
	add_notes(&b);
	add_properties(&b);
	info_add_threads(info, t, names, fold, list);
}
