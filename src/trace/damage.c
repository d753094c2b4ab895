// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "trace/damage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct damage_info damage_kinds[DAMAGE_KINDS] = {
	[DAMAGE_EXIT_WITHOUT_ENTRY] = { "exit-without-entry", "records",
	    .help = "exits of calls entered before the trace began; in a method trace the call spans from "
	    "the thread's first event", .edge = true },
	[DAMAGE_UNFINISHED_CALL] = { "unfinished-call", "calls",
	    .help = "calls still open at the end; counted to the end of the thread or log", .edge = true },
	[DAMAGE_LOST_EXIT] = { "lost-exit", "calls",
	    .help = "calls whose exit is missing; closed by the exit of a caller" },
	[DAMAGE_UNMATCHED_EXIT] = { "unmatched-exit", "records",
	    .help = "exits of a method that is not open on the thread; ignored" },
	[DAMAGE_UNKNOWN_METHOD] = { "unknown-method", "records",
	    .help = "records of a method id that the file does not name; a row for each id" },
	[DAMAGE_UNKNOWN_THREAD] = { "unknown-thread", "records",
	    .help = "records of a thread that the file does not list; shown by number" },
	[DAMAGE_BACKWARD_CLOCK] = { "backward-clock", "records",
	    .help = "records earlier than the one before on their thread; counted as no time" },
	[DAMAGE_CLOCK_WRAP] = { "clock-wrap", "records",
	    .help = "records where the 32-bit clock started again at 0; unwrapped" },
	[DAMAGE_HIDDEN_WRAP] = { "hidden-wrap", "wraps",
	    .help = "by its stated length the trace has room for so many more, where nothing was recorded; times after that are 71 min 35 s too early for each" },
	[DAMAGE_PARTIAL_RECORD] = { "partial-record", "records",
	    .help = "the file ends inside a record; dropped" },
	[DAMAGE_RESERVED_ACTION] = { "reserved-action", "records",
	    .help = "records whose action is the unused value 3; skipped, their time counts" },
	[DAMAGE_BUFFER_OVERFLOW] = { "buffer-overflow", "traces",
	    .help = "the recording buffer was full; everything after it is missing" },
	[DAMAGE_TRUNCATED_FILE] = { "truncated-file", "traces",
	    .help = "the file or its compressed form ends too early; everything after that is missing" },
	[DAMAGE_MERGED_CALL] = { "merged-call", "calls",
	    .help = "calls on more different paths than are kept; counted together as (other)" },
	[DAMAGE_UNREADABLE_DATA] = { "unreadable-data", "places",
	    .help = "bytes that cannot be records; skipped to the next block, or to the end of the file" },
	[DAMAGE_LOST_RECORDS] = { "lost-records", "places",
	    .help = "records of a log that the kernel lost; what ran there is not known" },
	[DAMAGE_LOST_SAMPLES] = { "lost-samples", "samples",
	    .help = "call stacks of a sampler that the kernel lost; what is counted lacks them" },
	[DAMAGE_TOO_DEEP] = { "too-deep", "slices",
	    .help = "slices of a log that begin while 512 are open, or too many asynchronous ones; counted only.  Samples of more than 4096 frames; the outermost count" },
	[DAMAGE_SKIPPED_LINE] = { "skipped-line", "lines",
	    .help = "lines of a log, or of a text of samples, that are no records; skipped" },
	[DAMAGE_MALFORMED_LINE] = { "malformed-line", "lines",
	    .help = "records of a log, events or samples, with fields that cannot be; skipped" },
	[DAMAGE_DUPLICATE_BEGIN] = { "duplicate-begin", "records",
	    .help = "beginnings of an asynchronous slice that was open already; ignored" },
	[DAMAGE_CONTRADICTING_SWITCH] = { "contradicting-switch", "lines",
	    .help = "switches of a log from a thread that was not on that core, or to one that is on another; the later line holds" },
	[DAMAGE_SKIPPED_PACKET] = { "skipped-packet", "packets",
	    .help = "packets that are damaged, or rest on others that were lost; skipped" },
	[DAMAGE_CHANGED_FILE] = { "changed-file", "files",
	    .help = "the file was written to while it was read; figures may mix its old and new content" },
};

void
damage_merge(struct damage *into, const struct damage *from)
{
	for (int i = 0; i < DAMAGE_KINDS; i++)
		damage_add(into, (enum damage_kind)i, from->kind[i].count, from->kind[i].offset);
}

void
damage_follow(struct damage *into, const struct damage *before, const struct damage *after)
{
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		const struct damage_entry *a = &before->kind[i], *b = &after->kind[i];

		if (a->count != b->count || a->offset != b->offset)
			into->kind[i] = *b;
	}
}

int
damage_count(const struct damage *d)
{
	int kinds = 0;

	for (int i = 0; i < DAMAGE_KINDS; i++)
		kinds += damage_met(d, i);
	return kinds;
}

const char *
damage_edges(const struct damage *d, char out[static DAMAGE_SIZE])
{
	uint64_t first = d->kind[DAMAGE_EXIT_WITHOUT_ENTRY].count;
	uint64_t last = d->kind[DAMAGE_UNFINISHED_CALL].count;

	if (first + last == 0)
		return NULL;
	snprintf(out, DAMAGE_SIZE, "%" PRIu64 " %s open at the edges: %" PRIu64
	    " at the beginning, %" PRIu64 " at the end",
	    first + last, first + last == 1 ? "call was" : "calls were", first, last);
	return out;
}

const char *
damage_text(const struct damage *d, enum damage_kind kind, char out[static DAMAGE_SIZE])
{
	const struct damage_entry *entry = &d->kind[kind];
	const char *unit = damage_kinds[kind].unit; /* a plural */

	snprintf(out, DAMAGE_SIZE, "%" PRIu64 " %.*s, first at offset 0x%" PRIx64,
	    entry->count, (int)strlen(unit) - (entry->count == 1), unit, entry->offset);
	return out;
}
