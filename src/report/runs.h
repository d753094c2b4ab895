// SPDX-License-Identifier: Apache-2.0
/*
 * runs: several traces on each side of a comparison, reduced to the times of their methods.
 *
 * Each trace is added once it is loaded, and may be freed then (runside.h).  Methods are paired as in a
 * diff of two, over whole sides, with the sums of all runs.
 */
#pragma once

#include "base/map.h"
#include "profile/sum/decide.h"
#include "profile/sum/diff.h"
#include "report/runside.h"
#include "report/text/diffreport.h"

enum runs_calls { CALLS_UNKNOWN, CALLS_EQUAL, CALLS_VARY, CALLS_MORE, CALLS_FEWER };

/* A limit for the methods that match. */
struct runs_limit {
	struct pattern *pattern;
	const char *text;        /* as it was given, borrowed */
	struct decide_limit limit;
	bool none, calls;        /* never fails; is about calls */
	bool used;               /* it matched a method */
};

enum runs_unsure { UNSURE_TELL, UNSURE_PASS, UNSURE_FAIL };
enum runs_gate { GATE_RUNS, GATE_POINT /* the difference of two traces is judged */ };
enum runs_normalize { NORMALIZE_COMMON, NORMALIZE_NONE };

/* Zero-initialise, runs_options_init, runs_options_release. */
struct runs_options {
	struct runs_limit *limits; /* the last that matches holds */
	size_t limit_count, limit_room;
	int unsure, normalize; /* enum runs_unsure, runs_normalize */
	struct pattern *per;   /* times are divided by the calls of methods that match; NULL: not */
	const char *per_text;  /* borrowed */
	int gate;              /* enum runs_gate */
	bool with_idle, all;   /* all rows are written */
	struct decide decide;  /* its limits alone */
};

/* A callee on the way to where a row's difference is. */
struct runs_cause {
	struct str name, shown; /* the full one; clean */
};

struct runs_row {
	uint32_t method[DIFF_SIDES]; /* of the side; METHOD_NONE: in none of its runs */
	struct diff_row pair; /* why these are the same */
	struct str name;      /* the full one */
	const struct method *of;
	struct decide_row decided;
	enum runs_calls calls;
	const struct runs_limit *limit; /* NULL: none */
	const struct runs_cause *cause; /* from callee to callee (causes.h) */
	size_t cause_count;
};

struct pathdiff;

struct runset {
	const struct runs_options *how;
	const struct diffreport_options *diff; /* value, limits and the least change */
	const struct report_options *options;
	struct runs_side side[DIFF_SIDES];
	struct names *names[DIFF_SIDES];
	struct arena kept;

	/* Once all is decided. */
	enum runs_clock clock;
	struct decide decide;
	struct runs_row *rows; /* what fails first, then what got slower, then by what they differ */
	size_t count;
	double *numbers; /* what rows point to */
	size_t failed, open, suspects;
	bool gated;
	const struct pathdiff *paths; /* the same by call paths, borrowed; NULL: not known */
};

void runs_options_init(struct runs_options *);
/* Returns a decision to begin by the options. */
struct decide runs_options_decide(const struct runs_options *);
void runs_options_release(struct runs_options *);
/* Adds "PERCENT[,TIME] PATTERN"; false: `why`. */
bool runs_limit_add(struct runs_options *, const char *text, struct err *why);

/* Sets "common", "none" or "per:REGEX", which stays borrowed; false: `why`. */
bool runs_normalize_set(struct runs_options *, const char *text, struct err *why);

void runs_init(struct runset *, const struct runs_options *, const struct diffreport_options *,
    const struct report_options *);
void runs_release(struct runset *);
/* True if blocks of calls are runs. */
static inline bool
runs_of_blocks(const struct runset *r)
{
	return r->diff->per != NULL;
}
/* Times are per call of methods that match this; NULL: they are not. */
static inline const char *
runs_per(const struct runset *r)
{
	return r->diff->per != NULL ? r->diff->per : r->how->per != NULL ? r->how->per_text : NULL;
}
/* Adds a trace that was loaded, as the options of the report say; false: `e`. */
bool runs_add(struct runset *, int side, const struct profile *, const char *path,
    const atomic_bool *cancel, struct err *e);
/* Pairs and decides; false when there is nothing to compare, or the clock is not in all. */
bool runs_decide(struct runset *, const atomic_bool *cancel, struct err *e);

/*
 * Returns the side whose runs were all recorded before those of the other, as traces tell: nothing
 * tells then what changed on the machine in between from what changed in the build.  DIFF_SIDES:
 * neither was, or it is not known.
 */
int runs_first(const struct runset *);
/* The limit of --fail-above, which rows have that no other is for. */
struct decide_limit runs_limit_of_all(const struct runset *);
/* Fails, cannot tell, or passes: 1, 4 or 0; --unsure may change the second. */
int runs_status(const struct runset *);
/* "fail", "unsure" or "pass". */
const char *runs_word(const struct runset *);
extern const char *const runs_clock_names[RUNS_CLOCKS];
