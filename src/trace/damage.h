// SPDX-License-Identifier: Apache-2.0
/*
 * damage: what was wrong in a trace, by kind, counted, with the first place.
 *
 * Two kinds are no damage but the edges of a recording: calls that it begins or ends in.
 *
 * The kinds and what each counts are one table (damage_kinds), used by the trace
 * view, reports, man page test and exit status.  Plain data, copy freely.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum damage_kind {
	DAMAGE_EXIT_WITHOUT_ENTRY,
	DAMAGE_UNFINISHED_CALL,
	DAMAGE_LOST_EXIT,
	DAMAGE_UNMATCHED_EXIT,
	DAMAGE_UNKNOWN_METHOD,
	DAMAGE_UNKNOWN_THREAD,
	DAMAGE_BACKWARD_CLOCK,
	DAMAGE_CLOCK_WRAP,
	DAMAGE_HIDDEN_WRAP,
	DAMAGE_PARTIAL_RECORD,
	DAMAGE_RESERVED_ACTION,
	DAMAGE_BUFFER_OVERFLOW,
	DAMAGE_TRUNCATED_FILE,
	DAMAGE_UNREADABLE_DATA,
	DAMAGE_LOST_RECORDS,
	DAMAGE_LOST_SAMPLES,
	DAMAGE_TOO_DEEP,
	DAMAGE_SKIPPED_LINE,
	DAMAGE_MALFORMED_LINE,
	DAMAGE_DUPLICATE_BEGIN,
	DAMAGE_CONTRADICTING_SWITCH,
	DAMAGE_SKIPPED_PACKET,
	DAMAGE_CHANGED_FILE,
	DAMAGE_MERGED_CALL,
	DAMAGE_KINDS
};

struct damage_info {
	const char *name; /* the word of reports */
	const char *unit; /* what `count` counts */
	const char *help; /* one line: what happened and what was done about it */
	bool edge;        /* no damage: the calls were open at an edge of the recording */
};

extern const struct damage_info damage_kinds[DAMAGE_KINDS];

struct damage_entry {
	uint64_t count;
	uint64_t offset; /* of the first, bytes from the start of the file; when count > 0 */
};

struct damage {
	struct damage_entry kind[DAMAGE_KINDS];
};

/* Cheap enough for a slow path of the inner loop.  NULL: nothing is counted. */
static inline void
damage_add(struct damage *d, enum damage_kind kind, uint64_t count, uint64_t offset)
{
	struct damage_entry *entry;

	if (count == 0 || d == NULL)
		return;
	entry = &d->kind[kind];
	if (entry->count == 0 || offset < entry->offset)
		entry->offset = offset;
	entry->count += count;
}

/*
 * Takes back `count` that turned out to be none; `offset` is that of the first of those
 * left.
 */
static inline void
damage_subtract(struct damage *d, enum damage_kind kind, uint64_t count, uint64_t offset)
{
	struct damage_entry *entry = &d->kind[kind];

	entry->count -= count < entry->count ? count : entry->count;
	entry->offset = entry->count > 0 ? offset : 0;
}

/* Has `count` of a kind in place of what there is. */
static inline void
damage_set(struct damage *d, enum damage_kind kind, uint64_t count, uint64_t offset)
{
	d->kind[kind] = (struct damage_entry){count, count > 0 ? offset : 0};
}

void damage_merge(struct damage *into, const struct damage *from);
/* Takes over the kinds that changed from one to the other. */
void damage_follow(struct damage *into, const struct damage *before, const struct damage *after);

enum { DAMAGE_SIZE = 192 };
/* A buffer for a text, good until the end of the block it is in. */
#define DAMAGE_BUF ((char[DAMAGE_SIZE]){""})

/* "1 call, first at offset 0x6b"; returns `out`. */
const char *damage_text(const struct damage *, enum damage_kind, char out[static DAMAGE_SIZE]);
/* How many kinds of damage were met: the number of the warning badge. */
int damage_count(const struct damage *);
/* True if there is damage of that kind and the kind is not an edge. */
static inline bool
damage_met(const struct damage *d, int kind)
{
	return d->kind[kind].count > 0 && !damage_kinds[kind].edge;
}
/* "31 calls were open at the edges: 11 at the beginning, 20 at the end"; NULL: none were. */
const char *damage_edges(const struct damage *, char out[static DAMAGE_SIZE]);
