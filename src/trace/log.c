#include <config.h>

#include "trace/log.h"

#include <stddef.h>

#include "base/mem.h"

const char *const log_marker_names[LOG_MARKERS] = {"begin", "end", "async-begin", "async-end",
    "counter", "instant", "track-instant", "track-begin", "track-end", "other"};
const char *const log_form_names[LOG_FORMS] = {"android", "hitrace-before-19", "hitrace-19"};

#define AT(member) offsetof(struct log_summary, member)

const struct log_count log_counts[] = {
	{ "lines", AT(lines), false, "lines of the log" },
	{ "events", AT(events), false, "lines that are records" },
	{ "threads", AT(threads), false, "threads that wrote a record" },
	{ "cpus", AT(cpus), false, "cores with a record" },
	{ "skipped", AT(skipped), true, "lines that are neither records nor known remarks" },
	{ "unmatched-ends", AT(unmatched_ends), true,
	    "ends of slices that had begun before the log, or never; dropped" },
	{ "unmatched-async-ends", AT(unmatched_async_ends), true,
	    "ends of asynchronous slices without a beginning; dropped" },
	{ "unfinished", AT(unfinished), true,
	    "slices without an end; closed at the end of the log" },
	{ "unfinished-async", AT(unfinished_async), true,
	    "asynchronous slices without an end; closed at the end of the log" },
	{ "duplicate-begins", AT(duplicate_begins), true,
	    "beginnings of an asynchronous slice that was open already; ignored" },
	{ "suspicious-ends", AT(suspicious_ends), true,
	    "ends that name another slice than the one they close" },
	{ "malformed", AT(malformed), true, "markers with fields that cannot be; ignored" },
	{ "truncated", AT(truncated), true,
	    "markers as long as a marker can be: what they lack was cut off" },
	{ "too-deep", AT(too_deep), true, "slices nested deeper than 512; counted only" },
	{ "hidden", AT(hidden), true, "slices that the choice of tags or level leaves out" },
	{ "lost", AT(lost), true, "records that the kernel says were lost" },
	{ "lost-unknown", AT(lost_unknown), true,
	    "places where the kernel lost records and does not say how many" },
	{ "overwritten", AT(overwritten), true, "records overwritten before the log begins" },
	{ "time-jumps", AT(time_jumps), true,
	    "places where time goes back by over a second: several captures in one log" },
	{ "reordered", AT(reordered), true, "lines earlier than the one before; put in order" },
	{ "clock-syncs", AT(clock_syncs), true, "markers that tell other clocks" },
};
const int log_count_count = (int)(sizeof(log_counts) / sizeof(log_counts[0]));

static void
spools_init(struct log *l, const char *folder)
{
	spool_init(&l->links, sizeof(struct log_link), folder);
	spool_init(&l->samples, sizeof(struct log_sample), folder);
	spool_init(&l->steps, sizeof(struct log_step), folder);
	spool_init(&l->instants, sizeof(struct log_instant), folder);
}

static void
spools_release(struct log *l)
{
	spool_release(&l->links);
	spool_release(&l->samples);
	spool_release(&l->steps);
	spool_release(&l->instants);
}

struct log *
log_new(const char *folder)
{
	struct log *l = mem_zero(1, sizeof(*l));

	l->processes = SEG_INIT(struct log_process);
	l->funcs = SEG_INIT(struct log_func);
	l->counters = SEG_INIT(struct log_counter);
	l->texts = SEG_INIT(struct str);
	l->chains = SEG_INIT(struct log_chain);
	l->instant_threads = SEG_INIT(uint32_t);
	spools_init(l, folder);
	sched_init(&l->sched, folder);
	return l;
}

void
log_free(struct log *l)
{
	if (l == NULL)
		return;
	seg_release(&l->processes);
	seg_release(&l->funcs);
	seg_release(&l->counters);
	seg_release(&l->texts);
	seg_release(&l->chains);
	seg_release(&l->instant_threads);
	spools_release(l);
	sched_release(&l->sched);
	mem_free(l);
}

void
log_again(struct log *l)
{
	const char *folder = l->links.how.folder;

	l->summary = (struct log_summary){
	    .reordered = l->summary.reordered, .time_jumps = l->summary.time_jumps};
	spools_release(l);
	spools_init(l, folder);
	for (uint32_t i = 0; i < l->chains.count; i++)
		((struct log_chain *)seg_at(&l->chains, i))->count = 0;
	for (uint32_t i = 0; i < l->counters.count; i++)
		((struct log_counter *)seg_at(&l->counters, i))->count = 0;
	for (uint32_t i = 0; i < l->funcs.count; i++)
		((struct log_func *)seg_at(&l->funcs, i))->count = 0;
}
