// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "trace/log.h"
#include "base/compat.h"
#include "trace/trace.h"

const char *const log_marker_names[LOG_MARKERS] = {"begin", "end", "async-begin", "async-end",
    "counter", "instant", "track-instant", "track-begin", "track-end", "other"};
const char *const log_form_names[LOG_FORMS] = {"android", "hitrace-before-19", "hitrace-19"};

const char *const log_unit_names[LOG_UNITS] = {"", "bytes", "kHz", "Hz", "mC", "uWs", "%", "uAh",
    "uA", "uWh", "uV", "ns"};

#define AT(member) offsetof(struct log_summary, member)

const struct log_count log_counts[] = {
	{ "lines", AT(lines), true, "lines of the log" },
	{ "events", AT(events), false, "lines with an event" },
	{ "used", AT(used), false, "events that are read" },
	{ "not-read", AT(unread), true, "events that are not; \"not read\" lists them" },
	{ "threads", AT(threads), false, "threads that wrote a record" },
	{ "cpus", AT(cpus), false, "cores with a record" },
	{ "skipped", AT(skipped), true, "lines that are neither records nor known remarks" },
	{ "unmatched-ends", AT(unmatched_ends), true,
	    "ends of slices that had begun before the log, or never; dropped" },
	{ "unmatched-async-ends", AT(unmatched_async_ends), true,
	    "ends of asynchronous slices without a beginning; dropped" },
	{ "unfinished", AT(unfinished), true,
	    "slices without an end; counted to the end of the log" },
	{ "unfinished-async", AT(unfinished_async), true,
	    "asynchronous slices without an end; counted to the end of the log" },
	{ "duplicate-begins", AT(duplicate_begins), true,
	    "beginnings of an asynchronous slice that was open already; ignored" },
	{ "suspicious-ends", AT(suspicious_ends), true,
	    "ends that name another slice than the one they close" },
	{ "malformed", AT(malformed), true, "markers with fields that cannot be; ignored" },
	{ "ownerless-values", AT(ownerless), true,
	    "values of processes' counters, of a process that is not known; dropped" },
	{ "endless-kernel-slices", AT(endless), true,
	    "requests, fences and interrupts of the kernel whose end is not in the log; dropped" },
	{ "unpaired-transactions", AT(unpaired), true,
	    "calls and replies of binder received without being sent, or sent under an id in use; dropped" },
	{ "negative-sizes", AT(negative), true, "sizes of memory below 0; dropped" },
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
	spool_init(&l->frames, sizeof(struct log_frame), folder);
	spool_init(&l->samples, sizeof(struct log_sample), folder);
	spool_init(&l->steps, sizeof(struct log_step), folder);
	spool_init(&l->instants, sizeof(struct log_instant), folder);
}

static void
spools_release(struct log *l)
{
	spool_release(&l->links);
	spool_release(&l->frames);
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
	for (uint32_t i = 0; i < l->processes.count; i++) {
		struct log_process *process = seg_at(&l->processes, i);

		process->frames = process->drawn = process->queued = 0;
		process->busy = 0;
	}
	for (uint32_t i = 0; i < l->chains.count; i++)
		((struct log_chain *)seg_at(&l->chains, i))->count = 0;
	for (uint32_t i = 0; i < l->counters.count; i++)
		((struct log_counter *)seg_at(&l->counters, i))->count = 0;
	for (uint32_t i = 0; i < l->funcs.count; i++)
		((struct log_func *)seg_at(&l->funcs, i))->count = 0;
}

/* The app in front ---------------------------------------------------------------- */

/* Processes that draw beside any app, by a part of their name. */
static const struct str drawers[] = {STR("system_server"), STR("surfaceflinger"),
	STR("systemui"), STR("wallpaper"), STR("inputmethod"), STR("render_service"), STR("sceneboard")};

/* The name of the process, or of its main thread, as far as it is kept. */
static bool
draws_beside(struct str name)
{
	for (size_t i = 0; i < sizeof(drawers) / sizeof(drawers[0]); i++) {
		if (name.n > 0 && memmem(name.p, name.n, drawers[i].p, drawers[i].n) != NULL)
			return true;
	}
	return false;
}

uint32_t
log_main_thread(const struct trace *t)
{
	const struct log_process *best = NULL;
	uint32_t found = THREAD_NONE;
	uint64_t best_frames = 0;
	int best_rank = 0;

	for (uint32_t i = 0; i < trace_thread_count(t); i++) {
		const struct thread *thread = trace_thread(t, i);
		const struct log_process *p;
		uint64_t frames;
		int rank;

		if (thread->kind != THREAD_TASK || thread->process == 0)
			continue;
		p = seg_at(&t->log->processes, thread->process - 1);
		if (p->pid != thread->id || p->busy == 0)
			continue;
		/* Frames that drew. */
		frames = p->drawn > 0 ? p->drawn : p->queued < p->frames ? p->queued : p->frames;
		rank = frames > 0 ? 3 : p->frames > 0 ? 1 : 0;
		if (rank > 0)
			rank += !draws_beside(p->name) && !draws_beside(thread->name);
		if (frames == 0)
			frames = p->frames;
		if (best != NULL && (rank != best_rank ? rank < best_rank
		    : frames != best_frames ? frames < best_frames : p->busy <= best->busy))
			continue;
		best = p;
		best_frames = frames;
		best_rank = rank;
		found = i;
	}
	return found;
}

/* Levels and tags of HiTrace's slices, and which of them are chosen --------------- */

const struct log_level log_levels[LOG_LEVELS] = {
	{ 'D', "debug" },
	{ 'I', "info" },
	{ 'C', "critical" },
	{ 'M', "commercial" },
};

int
log_level_rank(char letter)
{
	int rank = 0;

	while (rank < LOG_LEVELS && log_levels[rank].letter != letter)
		rank++;
	return rank < LOG_LEVELS ? rank : -1;
}

/* HiTraceMeter's tags; bit n of the writer's mask is written as n (hitrace_meter.h). */
static const char *const tag_names[LOG_TAGS] = {
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
	return tag >= 0 && tag < LOG_TAGS ? tag_names[tag] : NULL;
}

int
log_tag_find(struct str s)
{
	int n = 0;

	for (int i = 0; i < LOG_TAGS; i++) {
		if (tag_names[i] != NULL && str_equal(s, str_from(tag_names[i])))
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

unsigned
log_level_tag(struct str level, size_t i)
{
	return (unsigned)((level.p[i] - '0') * 10 + (level.p[i + 1] - '0')) % LOG_TAGS;
}

bool
log_choice_shows(const struct log_choice *c, struct str level)
{
	uint64_t mask = 0;

	if (c->level == 0 && c->tags == 0)
		return true;
	/* A slice without a level counts as the highest, the only one before API version 19. */
	if (c->level != 0 && level.n > 0 && log_level_rank(level.p[0]) < log_level_rank(c->level))
		return false;
	for (size_t i = 1; i + 1 < level.n; i += 2)
		mask |= UINT64_C(1) << log_level_tag(level, i);
	return c->tags == 0 || (mask & c->tags) != 0;
}

void
log_choice_text(struct sbuf *out, const struct log_choice *c)
{
	const char *gap = "tags ";
	int rank = log_level_rank(c->level);

	if (rank >= 0)
		sbuf_printf(out, "level %s%s", log_levels[rank].name,
		    c->level != 'M' ? " and above" : "");
	if (rank >= 0 && c->tags != 0)
		sbuf_text(out, ", ");
	for (int tag = 0; tag < LOG_TAGS; tag++) {
		if ((c->tags >> tag & 1) == 0)
			continue;
		sbuf_text(out, gap);
		log_tag_text(out, tag);
		gap = ", ";
	}
}

void
log_tag_text(struct sbuf *out, int tag)
{
	const char *name = log_tag_name(tag);

	if (name != NULL)
		sbuf_text(out, name);
	else
		sbuf_printf(out, "%02d", tag);
}

bool
log_choice_read_level(struct log_choice *c, struct str text, struct err *e)
{
	if (text.n == 0 || str_equal(text, STR("all"))) {
		c->level = 0;
		return true;
	}
	for (int i = 0; i < LOG_LEVELS; i++) {
		/* The text names the level, or is the level's letter in the log. */
		if (str_equal(text, str_from(log_levels[i].name)) ||
		    (text.n == 1 && (text.p[0] | 0x20) == (log_levels[i].letter | 0x20))) {
			c->level = log_levels[i].letter;
			return true;
		}
	}
	return err_set(e, ERR_MALFORMED, "expected all, debug, info, critical or commercial");
}

bool
log_choice_read_tags(struct log_choice *c, struct str text, struct err *e)
{
	uint64_t tags = 0;
	size_t i = 0;

	if (str_equal(text, STR("all")))
		text.n = 0;
	while (i < text.n) {
		size_t from = i;
		int tag;

		while (i < text.n && text.p[i] != ' ' && text.p[i] != ',')
			i++;
		tag = log_tag_find((struct str){text.p + from, i - from});
		if (i > from && tag < 0)
			return err_set(e, ERR_MALFORMED, "there is no tag '%.*s'",
			    (int)(i - from < 40 ? i - from : 40), text.p + from);
		if (i > from)
			tags |= UINT64_C(1) << tag;
		i++;
	}
	c->tags = tags;
	return true;
}

/* Frames of the display ------------------------------------------------------------ */

/* frame_timeline_event_parser.cc, JankTypeToString and its tags. */
const struct log_jank log_janks[LOG_JANKS] = {
	{ 0x1, "None", true },
	{ 0x2, "SurfaceFlinger Scheduling", false },
	{ 0x4, "Prediction Error", false },
	{ 0x8, "Display HAL", false },
	{ 0x10, "SurfaceFlinger CPU Deadline Missed", false },
	{ 0x20, "SurfaceFlinger GPU Deadline Missed", false },
	{ 0x40, "App Deadline Missed", false },
	{ 0x1000, "App Resynced Jitter", false },
	{ 0x80, "Buffer Stuffing", false },
	{ 0x100, "Unknown Jank", false },
	{ 0x200, "SurfaceFlinger Stuffing", false },
	{ 0x400, "Dropped Frame", false },
	{ 0x800, "Non Animating", true },
	{ 0x2000, "Display not ON", true },
	{ 0x4000, "ModeChange in progress", true },
	{ 0x8000, "PowerModeChange in progress", true },
};

void
log_janks_put(struct sbuf *out, uint32_t janks)
{
	const char *gap = "";

	for (int i = 0; i < LOG_JANKS; i++) {
		if ((janks & log_janks[i].bit) == 0)
			continue;
		sbuf_printf(out, "%s%s", gap, log_janks[i].name);
		gap = ", ";
	}
}

bool
log_janks_slow(uint32_t janks)
{
	for (int i = 0; i < LOG_JANKS; i++) {
		if ((janks & log_janks[i].bit) != 0 && !log_janks[i].harmless)
			return true;
	}
	return false;
}

/* Functions not read --------------------------------------------------------------- */

/* By count, the most first, then by name. */
static int
left_order(const void *left, const void *right)
{
	const struct log_func *a = *(const struct log_func *const *)left,
	    *b = *(const struct log_func *const *)right;

	return order_then(ORDER(b->count, a->count), str_compare(a->name, b->name));
}

const struct log_func **
log_left(const struct log *log, uint32_t *count)
{
	uint32_t funcs = seg_count(&log->funcs);
	const struct log_func **list = NULL;

	*count = 0;
	for (uint32_t i = 0; i < funcs; i++) {
		const struct log_func *f = seg_at(&log->funcs, i);

		if (!f->left || f->count == 0)
			continue;
		if (list == NULL)
			list = mem_zero(funcs, sizeof(const struct log_func *));
		list[(*count)++] = f;
	}
	mem_sort((void *)list, *count, sizeof(*list), left_order);
	return list;
}

bool
log_left_put(const struct log *log, struct sbuf *out)
{
	enum { NAMES_MOST = 8 };
	uint32_t count;
	const struct log_func **left = log_left(log, &count);

	for (uint32_t i = 0; i < count && i < NAMES_MOST; i++) {
		sbuf_text(out, i > 0 ? ", " : "");
		sbuf_str(out, left[i]->name);
		sbuf_printf(out, " %" PRIu64, left[i]->count);
	}
	mem_free((void *)left);
	if (count > NAMES_MOST)
		sbuf_printf(out, ", and %" PRIu32 " more", count - NAMES_MOST);
	return count > 0;
}

/* Too deep ------------------------------------------------------------------------- */

bool
log_deep_put(const struct trace *t, const struct log_summary *s, struct sbuf *out)
{
	const struct log_deep *deep = &s->deep;

	if (deep->count == 0)
		return false;
	sbuf_printf(out, "thread %" PRIu32 " ", trace_thread(t, deep->thread)->id);
	sbuf_str(out, trace_thread(t, deep->thread)->name);
	sbuf_printf(out, " ends with %" PRIu64 " slices open: %" PRIu32 " of the outer %" PRIu32
	    " are ", deep->open, deep->count, deep->outer);
	sbuf_str(out, trace_method(t, deep->method)->name);
	return true;
}
