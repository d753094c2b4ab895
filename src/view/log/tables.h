// SPDX-License-Identifier: Apache-2.0
/*
 * tables: what cores, processes, threads and counters of a text log did, as tables.
 *
 * Each table is a row of usage_table_info and a list, which is filled from a usage when it is
 * on the screen; the values are those of the table filled last.  A row has a goal: where Enter leads.  Tables from
 * USAGE_INTERVALS on are of something chosen in another one (usage_tables.ask) and are not
 * met by leafing through.
 */
#pragma once

#include "base/mem.h"
#include "base/sbuf.h"
#include "profile/log/usage.h"
#include "view/list/list.h"

enum usage_table {
#define TABLE(number, ...) USAGE_##number,
#include "view/log/tables.def"
	USAGE_TABLES
};

enum goal_kind {
	GOAL_NONE,
	GOAL_PROCESS, /* only its threads */
	GOAL_TIME,    /* a thread (or none) at a time */
	GOAL_TABLE,   /* another table, of `ask`, or with a filter; its longest is at `at` */
};

struct usage_goal {
	enum goal_kind kind;
	uint32_t process, thread;
	nsec at, to; /* what is there ends at `to`; equal: a moment */
	enum usage_table table;
	struct usage_ask ask;
	const char *filter; /* static; NULL: none */
};

struct filling;

struct usage_table_info {
	const char *title; /* "CPU by thread" */
	bool sched;        /* needs scheduler events */
	void (*fill)(struct filling *);
	enum usage_asked asks; /* what of the log it lists, beside the sums */
	struct list_source source;
};

extern const struct usage_table_info *const usage_table_info[USAGE_TABLES];
extern const char *const usage_table_help[USAGE_TABLES]; /* what it tells, in a line */

struct usage_row {
	uint64_t identity;
	uint32_t depth; /* how far the last text is indented */
	struct usage_goal goal;
};

struct usage_tables {
	struct list lists[USAGE_TABLES];
	enum usage_table now;
	enum usage_table before;  /* what a list was chosen in */
	struct usage_ask ask;     /* of the tables from USAGE_INTERVALS on */
	bool opened;              /* the list was just chosen: the cursor goes to where it should begin */
	nsec cursor;              /* time of the timeline's cursor, for values that hold there */
	const char *missing;      /* why there are no rows at all; NULL: there may be */

	/* The table filled last. */
	struct list *filled;
	struct usage_row *rows; /* as added */
	struct value *values;   /* row by row */
	size_t count, row_room, value_room;
	struct arena texts;
	struct sbuf heading;
};

void usage_tables_init(struct usage_tables *, const struct figures *);
void usage_tables_release(struct usage_tables *);
/* The query for the present table. */
struct usage_ask usage_tables_want(const struct usage_tables *);
/* Fills the present table; `usage` NULL, or of another query: it is being counted. */
void usage_tables_fill(struct usage_tables *, const struct trace *, const struct usage *);
/* Where the cursor's row leads; NULL without a row. */
const struct usage_goal *usage_tables_goal(const struct usage_tables *);

static inline struct list *
usage_tables_list(struct usage_tables *t)
{
	return &t->lists[t->now];
}
