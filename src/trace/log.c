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

/* HiTraceMeter's tags; bit n of the writer's mask is written as n (hitrace_meter.h). */
static const char *const tags[LOG_TAGS] = {
	[0] = "always", [5] = "commercial", [6] = "drm", [7] = "security", [9] = "animation",
	[10] = "push", [11] = "virse", [12] = "musl", [13] = "ffrt", [14] = "cloud",
	[15] = "deviceauth", [16] = "commonlibrary", [17] = "hdcd", [18] = "hdf", [19] = "usb",
	[20] = "interconn", [21] = "dlpcre", [22] = "accesscontrol", [23] = "net",
	[24] = "nweb", [25] = "huks", [26] = "useriam", [27] = "daudio", [28] = "dlsm",
	[29] = "filemanagement", [30] = "ohos", [31] = "ability", [32] = "zcamera",
	[33] = "zmedia", [34] = "zimage", [35] = "zaudio", [36] = "distributeddatamgr",
	[37] = "mdfs", [38] = "graphic", [39] = "ace", [40] = "notification", [41] = "misc",
	[42] = "multimodalinput", [43] = "sensors", [44] = "msdp", [45] = "dsoftbus",
	[46] = "rpc", [47] = "ark", [48] = "window", [49] = "account", [50] = "dscreen",
	[51] = "dcamera", [52] = "dhfwk", [53] = "gresource", [54] = "devicemanager",
	[55] = "samgr", [56] = "power", [57] = "dsched", [58] = "deviceprofile",
	[59] = "dinput", [60] = "bluetooth", [61] = "accessibility", [62] = "app",
};

const char *
log_tag_name(int tag)
{
	return tag >= 0 && tag < LOG_TAGS ? tags[tag] : NULL;
}

int
log_tag_find(struct str s)
{
	int n = 0;

	for (int i = 0; i < LOG_TAGS; i++) {
		if (tags[i] != NULL && str_equal(s, str_from(tags[i])))
			return i;
	}
	if (s.n == 0 || s.n > 2)
		return -1;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return -1;
		n = n * 10 + (s.p[i] - '0');
	}
	return n < LOG_TAGS ? n : -1;
}

bool
log_choice_shows(const struct log_choice *c, struct str level)
{
	static const char order[] = "DICM";
	uint64_t mask = 0;

	if (c->level == 0 && c->tags == 0)
		return true;
	/* Without a level: as the interface before version 19, which had only the highest. */
	if (c->level != 0 && level.n > 0 &&
	    strchr(order, level.p[0]) < strchr(order, c->level))
		return false;
	for (size_t i = 1; i + 1 < level.n; i += 2)
		mask |= UINT64_C(1) << ((level.p[i] - '0') * 10 + (level.p[i + 1] - '0'));
	return c->tags == 0 || (mask & c->tags) != 0;
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
	spool_init(&l->links, sizeof(struct log_link), folder);
	spool_init(&l->samples, sizeof(struct log_sample), folder);
	spool_init(&l->steps, sizeof(struct log_step), folder);
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
	spool_release(&l->links);
	spool_release(&l->samples);
	spool_release(&l->steps);
	sched_release(&l->sched);
	mem_free(l);
}
