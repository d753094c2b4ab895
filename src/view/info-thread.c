/* info-thread: the rows about one thread. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "view/info_rows.h"
#include "view/processes.h"

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
