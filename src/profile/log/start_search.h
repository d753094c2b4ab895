// SPDX-License-Identifier: Apache-2.0
/*
 * start_search: app starts while they are looked for; for starts.c and the files of the systems only.
 */
#pragma once

#include "profile/log/starts.h"

struct start_search {
	const struct profile *profile;
	const struct trace *trace;
	struct starts *starts;
	struct jank *frames; /* of the trace; NULL until they are asked for */
	const atomic_bool *cancel;
	bool failed; /* cancelled */
};

/* The outermost calls that match, or frames, in order of time; NULL: cancelled, which is noted. */
struct jank *start_slices(struct start_search *, const struct scope *, struct range, const char *pattern);
struct range start_whole(const struct start_search *);
/* Without "H:". */
struct str start_slice_name(const struct start_search *, const struct jank_frame *);
nsec start_slice_end(const struct jank_frame *);
/* The one thread, or all tasks of its process; scope_free. */
struct scope *start_threads(const struct start_search *, uint32_t main, bool process);
/* The trace's frames, found once; NULL: cancelled. */
const struct jank *start_frames(struct start_search *);
/* The first frame of a process from `at` on among those from `*next`, which steps over it; NULL: none. */
const struct jank_frame *start_frame_next(const struct jank *frames, uint32_t process, nsec at,
    uint32_t *next);

/* Adds a start without phases; NULL: there are STARTS_MAX. */
struct app_start *start_add(struct start_search *, nsec from, nsec to, struct str package,
    enum start_type);
/* Sets when a phase was, cut to the start. */
void start_part_set(struct app_start *, enum start_phase, nsec from, nsec to);
bool start_has_part(const struct start_part *);

/*
 * Add the starts that each tells of, with their phases; true if the log has slices of starts, be
 * they finished or not.
 */
bool starts_of_android(struct start_search *);
bool starts_of_harmony(struct start_search *);
/* Adds those of a log that tells of none: from an activity's resume to its process's next frame. */
void starts_of_resumes(struct start_search *);
