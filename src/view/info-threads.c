/* info-threads: the rows about the threads of a trace. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "base/sbuf.h"
#include "view/info_rows.h"

/* What only a hostile file has more of; "and so many more" stands for the rest. */
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

void
info_add_threads(struct info *info, const struct trace *t, struct names *names,
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
