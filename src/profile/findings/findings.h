// SPDX-License-Identifier: Apache-2.0
/*
 * findings: what is slow in a trace, where, and how that is known.
 *
 * One thread is judged: the main thread of the app in front, or the one asked for.  Its time is
 * divided into messages (messages.h).  Each kind of finding is a row of findings.def and a
 * function that makes one finding or none.  The list is ordered by late ms, the time over the
 * budget, then by time.  Limits of the answer are listed apart and have no rank.
 *
 * The result is a value that points to nothing.  Times are nanoseconds on the axis (profile.h).
 * Costs the records of the judged thread once, and of a log its intervals.
 */
#pragma once

#include <stdatomic.h>

#include "profile/load/profile.h"
#include "profile/log/starts.h"
#include "profile/sum/range.h"
#include "profile/timeline/jank.h"

enum finding_kind {
#define FINDING(id, ...) FINDING_##id,
#include "profile/findings/findings.def"
#undef FINDING
	FINDING_KINDS
};

struct finding_info {
	const char *word, *help;
	unsigned least; /* ms from which it is a finding; 0: the frame budget */
};

extern const struct finding_info finding_kinds[FINDING_KINDS];
/* FINDING_KINDS when there is none of that name. */
enum finding_kind finding_kind_of(struct str word);
/* True for a class of work, known by names or states. */
bool finding_is_work(enum finding_kind);

enum finding_limit {
	LIMIT_TRACING,
	LIMIT_SAMPLED,
	LIMIT_ONE_MESSAGE,
	LIMIT_CPU_ONLY,
	LIMIT_NO_SCHED,
	LIMIT_NO_MAIN,
	LIMIT_NO_APP,
	LIMIT_UNFINISHED,
	LIMIT_DAMAGE,
	FINDING_LIMITS
};

extern const char *const finding_limits[FINDING_LIMITS];

/* The user's changes.  Zero-initialise; finding_rules_release. */
struct finding_rules {
	struct finding_rule {
		bool off, given; /* given: `least` takes the place of the kind's own */
		nsec least;
	} kinds[FINDING_KINDS];
	/* Patterns of what is the app's own, then nothing else is; and more of a class. */
	struct finding_pattern {
		uint32_t mark; /* marks.h */
		char *text;
	} *patterns;
	size_t pattern_count, pattern_room;
};

/*
 * "off", "on", a threshold as "250ms" (without a unit milliseconds), or after a + one more
 * pattern of a class.  Names are the kinds', "app" and "glue".  False, and why.
 */
bool finding_rules_set(struct finding_rules *, struct str name, struct str value, struct err *);
void finding_rules_release(struct finding_rules *);

struct finding_query {
	const struct finding_rules *rules;
	struct range range;
	nsec budget;      /* of messages and frames; 0: 16.7 ms */
	uint32_t thread;  /* to judge; THREAD_NONE: the app in front */
	/* How the user chose the thread; a named one is the only subject of findings. */
	enum { NAMED_NONE, NAMED_PROCESS, NAMED_THREAD } named;
};

/*
 * Fills in the thread to judge among those in scope: the main thread of the app in front, else of
 * a process, else the one with the most records; `of_process`: a process was asked for.
 */
void finding_scope(struct finding_query *, const struct profile *, const struct scope *,
    bool of_process);

enum { FINDING_BUDGET = 16700000 };

/* A method that is open so often on one stack calls itself. */
enum { RECURSION_LEAST = 100 };

/* A callee of what a cause names. */
struct cause_part {
	uint32_t method; /* METHOD_NONE: the own time of what is named */
	nsec time;
	enum finding_kind kind; /* the class that has 80 % of it; FINDING_KINDS: none */
};

/*
 * The cause of some time: a class of work with half of it; else the end of the heaviest call path
 * without mechanism, and what that splits into; or only such parts, below mechanism.
 */
struct finding_cause {
	enum { CAUSE_NONE, CAUSE_CLASS, CAUSE_OWN, CAUSE_PATH, CAUSE_SPLIT } by;
	enum finding_kind kind; /* of CAUSE_CLASS; FINDING_KINDS */
	uint32_t method; /* METHOD_NONE: none */
	uint32_t caller; /* of a class: the nearest of the app's own with most of the method's time */
	uint32_t under;  /* of CAUSE_SPLIT and CAUSE_NONE: the mechanism above; METHOD_NONE */
	nsec whole;      /* the time that is explained */
	nsec time;       /* of the class or method */
	nsec method_time, caller_time; /* of a class: of `method`, and of that below `caller` */
	struct cause_part parts[2];
	uint32_t part_count;
};

struct finding {
	enum finding_kind kind;
	nsec late; /* what is over the budget: the order of the list; 0: a cost */
	nsec time;
	uint32_t thread;  /* THREAD_NONE: of a process */
	uint32_t process; /* index + 1 of the log's; 0: none */
	uint32_t method, caller; /* METHOD_NONE: none */
	nsec start, length; /* the longest single one; length -1: it has no place in time */
	uint64_t count, of; /* messages, calls, frames */
	uint64_t blocked, framed; /* of messages; of frames: framed are those in stalls */
	nsec worst_over;    /* of the worst frame: over its budget, or later than it was to end */
	uint32_t janks;     /* bits of log_janks, of that; 0: SurfaceFlinger tells nothing of it, */
	enum jank_cause most; /* of a log what most of it went to */
	nsec method_time;   /* of the method; caller_time: of that, below the caller */
	nsec caller_time;
	nsec cpu, tracing, net;
	nsec whole;         /* what `time` is a part of, or is compared with */
	nsec state[JANK_STATES];
	struct finding_cause cause;
	uint32_t blocker;  /* thread that had the core; THREAD_NONE: none, not known */
	nsec blocker_time;
	bool told;         /* of an ANR: by the system, not by a message */
	enum start_type start_type;
	nsec phase[START_PHASES]; /* of an app start */
	uint32_t frequency[2]; /* of a core's first and last half at most, kHz; 0: all cores are full */
};

struct finding_limits {
	bool set[FINDING_LIMITS];
	nsec tracing, of;    /* of LIMIT_TRACING */
	uint64_t unfinished; /* slices */
	uint32_t busiest;    /* thread, of LIMIT_NO_MAIN and LIMIT_NO_APP; THREAD_NONE */
	enum damage_kind damage; /* of LIMIT_DAMAGE */
};

struct findings {
	struct range range;  /* as judged */
	bool whole;          /* it is all of the trace */
	uint32_t thread;     /* judged; THREAD_NONE: none */
	bool is_main;        /* it is a main thread */
	bool messages_known; /* its time is divided into messages */
	bool program;        /* of a log of one program, which is judged as a method trace is */
	uint64_t messages, late_messages;
	nsec busy, longest, budget; /* of messages; busy: without them what it did */
	nsec late, judged; /* over the budget; what causes are a part of */
	nsec frame_budget; /* of a log: the period of its display, if it tells it */
	uint64_t frames, frames_late;
	nsec frames_over;
	bool late_counts; /* late messages do: else findings are costs */
	struct finding startup; /* the longest of the judged process, late or not; time 0: none */
	struct finding *list;
	uint32_t count;
	struct finding_limits limits;
};

/* The name of a method, of a slice without its owner or number: one for all that are one thing. */
struct str finding_name_of(const struct method *);

/* NULL when cancelled, or `e` says what is wrong with the rules. */
/* The percentage as sentences have it: whole. */
unsigned finding_percent(nsec part, nsec whole);

struct findings *findings_find(const struct profile *, const struct finding_query *,
    const atomic_bool *cancel, struct err *e);
void findings_free(struct findings *);
