/*
 * unnamed: rows that records met before the file named them, if it ever does.
 *
 * Names stand between the records of a streaming trace, mostly but not always before
 * their first use.  Each such row's records are counted as damage at once and taken back
 * when its name comes.  Zero-initialise.  Costs O(1) a record.
 */
#ifndef SLOWTOP_FORMAT_UNNAMED_H
#define SLOWTOP_FORMAT_UNNAMED_H

#include "base/idmap.h"
#include "trace/damage.h"

struct unnamed {
	struct idmap of_row;
	struct unnamed_row {
		uint64_t records;
		uint64_t offset; /* of the first: grows from item to item, once settled */
		uint32_t row;
	} *items;
	size_t count, room;
	size_t first; /* all items before this were named */
	size_t settled; /* items before this are in order */
};

/* So many records of `row`, the first at `offset`. */
void unnamed_count(struct unnamed *, uint32_t row, uint64_t records, enum damage_kind,
    struct damage *, uint64_t offset);
/*
 * Several readers met rows of one stretch in any order: puts them in that of the file,
 * before anything is named and before the next stretch.
 */
void unnamed_settle(struct unnamed *);
/* The file names `row` after all. */
void unnamed_named(struct unnamed *, uint32_t row, enum damage_kind, struct damage *);
void unnamed_release(struct unnamed *);

#endif
