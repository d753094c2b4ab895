// SPDX-License-Identifier: Apache-2.0
/*
 * log: what a text log (HiTrace, systrace, ftrace) has beside slices: processes, counters,
 * the scheduler's events, and how well it could be read.
 *
 * Belongs to the trace.  It grows while the trace is loaded and may be read between the
 * steps of loading, by any number of threads.  Texts point into the file.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/sbuf.h"
#include "base/mem.h"
#include "base/spool.h"
#include "base/str.h"
#include "trace/sched.h"

struct trace;

enum { LOG_MARKERS = 10, LOG_FORMS = 3, LOG_SKIPPED_KEPT = 20, LOG_TAGS = 64,
	LOG_LEVELS = 4, LOG_CPUS = 4096 };

/* One row a letter of marker_letters (format/log/marker.h); "other" is free text. */
extern const char *const log_marker_names[LOG_MARKERS];
extern const char *const log_form_names[LOG_FORMS];

struct log_level {
	char letter; /* in the log */
	const char *name;
};

extern const struct log_level log_levels[LOG_LEVELS]; /* the lowest first */
/* A letter's place there, -1 without one. */
int log_level_rank(char letter);
/* The tag at `i` of a level and its tags ("I3062"); a tag whatever the file holds by now. */
unsigned log_level_tag(struct str level, size_t i);

/* Which slices to read; set before reading begins, or begins again. */
struct log_choice {
	uint64_t tags; /* mask of 1 << tag: those with any of them; 0: all */
	char level;    /* this one and higher: D, I, C or M; 0: all */
};

static inline bool
log_choice_equal(const struct log_choice *a, const struct log_choice *b)
{
	return a->tags == b->tags && a->level == b->level;
}

/* True if a slice of this level and tags ("I3062"; empty: not stated) has a place in the choice. */
bool log_choice_shows(const struct log_choice *, struct str level);
/* "level info and above, tags ohos, app"; nothing for all. */
void log_choice_text(struct sbuf *, const struct log_choice *);
/* Parse the user's words: a name or letter; tags separated by commas or blanks. "all": all. */
bool log_choice_read_level(struct log_choice *, struct str, struct err *);
bool log_choice_read_tags(struct log_choice *, struct str, struct err *);
/* A tag's name, NULL for those that have none; and the tag of a name or number, -1 none. */
const char *log_tag_name(int tag);
int log_tag_find(struct str);
/* The tag's name, or its number where it has none. */
void log_tag_text(struct sbuf *, int tag);

/* The log summary; names and meanings are in log_counts. */
struct log_summary {
	uint64_t lines, events, used, unread, skipped, threads, cpus; /* events: used, unread, malformed */
	uint64_t markers[LOG_MARKERS];
	uint64_t forms[LOG_FORMS]; /* markers by form: Android, HiTrace before and since 19 */
	/* Slices that state them, chosen or not; one may have several tags. */
	uint64_t levels[LOG_LEVELS], tags[LOG_TAGS];
	uint64_t unmatched_ends, unmatched_async_ends;
	uint64_t unfinished, unfinished_async;
	uint64_t duplicate_begins, suspicious_ends;
	uint64_t malformed, truncated, too_deep, hidden;
	uint64_t ownerless, negative; /* values of counters */
	uint64_t endless; /* slices of the kernel on rows of their own */
	uint64_t unpaired; /* transactions of binder */
	uint64_t lost, lost_unknown, overwritten, time_jumps, reordered, clock_syncs;
	/* The thread with the most open slices at the end, of those that were too deep. */
	struct log_deep {
		uint32_t thread, method; /* the slice that is open most often */
		uint64_t open;           /* how many are */
		uint32_t outer, count;   /* those not too deep, and of that one; 0: there is none */
	} deep;
};

struct log_count {
	const char *name; /* the word of reports */
	size_t offset;    /* in struct log_summary */
	bool trouble;     /* not shown when it is 0 */
	const char *help;
};

extern const struct log_count log_counts[];
extern const int log_count_count;

static inline uint64_t
log_count_get(const struct log_summary *s, const struct log_count *c)
{
	return *(const uint64_t *)(const void *)((const char *)s + c->offset);
}

struct log_process {
	uint32_t pid;
	bool instants; /* there are some on tracks of it */
	struct str name; /* empty: not known */
	/* Read while one thread adds (log_add). */
	_Atomic uint64_t frames; /* of the display, by the names of slices: most may draw nothing */
	_Atomic uint64_t drawn;  /* of what draws them, on any thread: DrawFrame, what SurfaceFlinger tells */
	_Atomic uint64_t queued; /* buffers, where neither is: Flutter, games */
	_Atomic uint64_t busy;   /* ns that its main thread had slices */
};

/* Adds to a count that others may read; costs what a plain addition does. */
static inline void
log_add(_Atomic uint64_t *count, uint64_t n)
{
	atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + n,
	    memory_order_relaxed);
}

/*
 * Why frames of the display are late: bits of jank_type (FrameTimelineEvent of Perfetto), in the
 * order and words of its trace_processor.
 */
enum { LOG_JANKS = 16 };
struct log_jank {
	uint32_t bit;
	const char *name;
	bool harmless; /* the frame is not slow for it */
};
extern const struct log_jank log_janks[LOG_JANKS];
/* Bits of a few of them. */
enum { LOG_JANK_NONE = 0x1, LOG_JANK_APP_MISSED = 0x40, LOG_JANK_APP_RESYNCED = 0x1000 };
/* "App Deadline Missed, Buffer Stuffing"; nothing for 0. */
void log_janks_put(struct sbuf *, uint32_t janks);
/* True if one of the bits makes a frame slow. */
bool log_janks_slow(uint32_t janks);

struct log_func {
	struct str name;
	uint64_t count;
	uint64_t bytes; /* of the file, where that is told */
	bool left;      /* not read */
};

/* The unit of a counter's values, as the file has them. */
enum log_unit {
	LOG_UNIT_NONE,
	LOG_UNIT_BYTES,
	LOG_UNIT_KHZ,
	LOG_UNIT_HZ,
	LOG_UNIT_MILLI_C, /* thousandths of a degree Celsius */
	LOG_UNIT_UWS,     /* millionths of a watt second */
	LOG_UNIT_PERCENT,
	LOG_UNIT_UAH,
	LOG_UNIT_UA,
	LOG_UNIT_UWH,
	LOG_UNIT_UV,
	LOG_UNIT_NS,
	LOG_UNITS
};
extern const char *const log_unit_names[LOG_UNITS]; /* as reports have them */

struct log_counter {
	uint32_t process; /* index + 1 of log.processes; 0: none */
	uint32_t thread;  /* row + 1, of a counter that was its thread's while the process was unknown */
	uint8_t unit;     /* enum log_unit */
	bool joined;      /* samples of others became its own */
	struct str name, category;
	uint64_t count;
	double first, last, min, max; /* whole numbers up to 2^53 are exact */
};

/* In order of time. */
struct log_sample {
	nsec at;
	double value;
	uint32_t counter;
};

/* A core's frequency or idle state, from `at` on. */
struct log_step {
	nsec at;
	uint32_t cpu;
	uint32_t value; /* kHz; idle: level, 0 not idle */
	bool idle;
};

/*
 * A marker of a moment, in order of time; its name, and track if it is on one, are what its
 * line says.
 */
struct log_instant {
	nsec at;
	uint64_t offset;  /* of the line */
	uint32_t thread;  /* that wrote it; THREAD_NONE: it is on a track of the process */
	uint32_t process; /* index + 1 of log.processes */
};

/* A chain of calls over threads, processes and devices (HiTraceChain). */
struct log_chain {
	struct str id; /* hexadecimal, as written */
	uint64_t count; /* of its slices */
};

/* A slice of a chain, in order of time; what else its line says tells log.detail. */
struct log_link {
	nsec from, to;   /* to: LOG_OPEN until it ends */
	uint64_t offset; /* of the line */
	uint32_t thread, method;
	uint32_t chain;  /* of log.chains */
	uint32_t code, size; /* of a call of binder; size: bytes + 1; 0: not told */
	bool failed;         /* ... that got no reply */
};

#define LOG_OPEN INT64_MAX

/*
 * A frame of SurfaceFlinger's timeline (FrameTimelineEvent of Perfetto), in order of time: what
 * was expected of it, or what came of one of its layers.
 */
struct log_frame {
	nsec from, to;    /* to: LOG_OPEN until it ends */
	int64_t token;    /* vsync id */
	int64_t shown_by; /* token of the display's frame; 0: not told */
	uint64_t offset;  /* of the packet; log.detail tells its layer */
	uint32_t process; /* index + 1 of log.processes; 0: none */
	uint32_t thread;  /* row of its slice */
	uint32_t janks;   /* bits of log_janks */
	uint8_t present;  /* present_type */
	bool expected, display; /* display: of SurfaceFlinger, not of a surface */
	bool in_time, by_gpu;   /* on_time_finish, gpu_composition */
};

/* The content of a slice's line; borrows the file. */
struct log_detail {
	struct str name, track; /* track.p NULL: not on one */
	struct str chain, span, parent, level, category, args;
	char flag;        /* of the chain: 'C', 'S' or 0 */
	char priority;    /* of a message of Android's log, whose tag is the category: "VDIWEF"; 0: none */
	bool has_id;
	int64_t id;
	uint32_t pid;
	uint32_t tid;     /* that wrote the line */
	uint64_t ns;      /* as printed in the log */
};

struct log {
	struct log_summary summary;
	struct log_choice choice;
	struct seg processes; /* struct log_process */
	struct seg funcs;     /* struct log_func */
	struct seg counters;  /* struct log_counter */
	struct seg texts;     /* struct str: callers of blocked threads */
	struct seg chains;    /* struct log_chain */
	struct seg instant_threads; /* uint32_t: those that have instants, some twice */
	struct spool samples; /* struct log_sample */
	struct spool steps;   /* struct log_step */
	/* By core: true once a step of its frequency, or of its idle state, was seen. */
	bool frequency_told[LOG_CPUS], idle_told[LOG_CPUS];
	struct spool links;   /* struct log_link */
	struct spool frames;  /* struct log_frame; of expected ones the first of a token */
	struct spool instants; /* struct log_instant */
	struct sched sched;
	_Atomic bool has_sched; /* there are scheduler events */
	bool sampled; /* some threads have a row of calls that a sampler saw */
	_Atomic uint64_t origin; /* ns that the log's own clock shows at time 0 */
	struct str skipped[LOG_SKIPPED_KEPT];
	nsec end;             /* when all was read */
	/* The line at a file offset (of an event); false when it has no marker. */
	bool (*detail)(const struct log *, uint64_t offset, struct log_detail *);
	void *context;        /* the format's */
	const char *kind;     /* "a text log" */
};

/* Lists what is counted, but not read, the most first; the caller frees the list.  NULL: none. */
const struct log_func **log_left(const struct log *, uint32_t *count);
/* Writes what the file has that is not read: "battery 2, ui_state 1"; false when there is none. */
bool log_left_put(const struct log *, struct sbuf *);
/* Writes "thread 7 main ends with 900 slices open: 510 of the outer 512 are work"; false: none. */
bool log_deep_put(const struct trace *, const struct log_summary *, struct sbuf *);
struct log *log_new(const char *folder);
void log_free(struct log *);
/*
 * The main thread of the app in front: of the process with the most frames that drew, else with the
 * most frames, else the one with the most time in slices.  The system's, wallpapers and keyboards
 * only when no other process draws.
 * THREAD_NONE: no main thread has slices.
 */
uint32_t log_main_thread(const struct trace *);
/* Reading begins again: what was counted and listed is forgotten, but not what things are called. */
void log_again(struct log *);
