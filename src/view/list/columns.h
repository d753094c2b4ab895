// SPDX-License-Identifier: Apache-2.0
/*
 * columns: values and columns of any list; which are wanted, in which order and how wide.
 *
 * Drawing, sorting, pickers, settings and reports take titles, texts and order from here, so
 * they cannot disagree.  A column speaks of the clock that is shown, or of "the other" one
 * (only in traces with both), or of none.
 *
 * Times are nanoseconds.  Values without pointers; nothing fails.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/number.h"
#include "base/str.h"
#include "trace/event.h"
#include "trace/log.h"

struct figures;
struct row;
struct trace;

enum value_kind {
	VALUE_EMPTY,   /* does not apply to this row */
	VALUE_TIME,    /* a ns */
	VALUE_PERCENT, /* a of b ns */
	VALUE_CALLS,   /* a, and b recursive ones; none are blank for people, 0 in files */
	VALUE_OF,      /* a of b calls */
	VALUE_COUNT,   /* a */
	VALUE_BOOL,    /* a */
	VALUE_REAL,    /* value_is(), with b decimals for people; -1: as few as it takes, to 3 */
	VALUE_MEASURE, /* value_is() in a unit, which the screen shows; in files value_plain() */
	VALUE_TEXT,
};

struct value {
	enum value_kind kind;
	int64_t a, b;
	struct str text; /* after an id of b bytes: LIST_WITH_ID */
};

#define VALUE_NONE ((struct value){.kind = VALUE_EMPTY})
struct value value_time(nsec);
struct value value_percent(nsec part, nsec of);
struct value value_count(uint64_t);
struct value value_number(int64_t);
struct value value_real(double, int decimals); /* empty of what is no number */
/* On the screen with its unit, "41.2 MiB", "1.80 GHz": of sizes, frequencies, temperatures. */
struct value value_measure(double, int decimals, enum log_unit);
struct value value_plain(struct value); /* a VALUE_MEASURE without its unit; others as they are */
double value_is(struct value); /* a VALUE_REAL or VALUE_MEASURE; `a` has the same order */
struct value value_text(struct str); /* clean */
struct value value_bool(bool);
/* VALUE_CALLS or VALUE_OF; counts beyond INT64_MAX become that. */
struct value value_calls(enum value_kind, uint64_t a, uint64_t b);

/* For fields that do not apply to every row. */
static inline struct value
value_if(bool applies, struct value v)
{
	return applies ? v : VALUE_NONE;
}

/* The sort key of a figure; INT64_MIN for an empty value. */
int64_t value_key(struct value);

/*
 * The value as text of at most `width` columns: with fewer decimals, or without its
 * total, if that is what it takes.  Texts are not cut.  Returns `out`, or the text.
 */
struct str value_format(
    const struct figures *, struct value, int width, char out[static FMT_SIZE]);

enum {
	LIST_ASCENDING = 1 << 0, /* sorts smallest first unless inverted; texts always do */
	LIST_STAYS = 1 << 1,     /* cannot be hidden */
	LIST_REST = 1 << 2,      /* a text: gets the room that is left; last in files */
	LIST_UNIT = 1 << 3,      /* a time; its title ends in the unit */
	LIST_MAGNITUDE = 1 << 4, /* sorts by how large it is, whatever its sign */
	LIST_FOR_PROGRAMS = 1 << 5, /* only in files */
	LIST_FOR_PEOPLE = 1 << 6,   /* only on the screen */
	LIST_OTHER_CLOCK = 1 << 7,  /* of the clock that is not shown, which the title says */
	LIST_BOTH_CLOCKS = 1 << 8,  /* exists in traces with two clocks only */
	LIST_REPORT = 1 << 9,       /* in the text of reports, too */
	LIST_CSV = 1 << 10,         /* in files; a time on each clock, the other one by the column "other-ID" */
	LIST_PER_CALL = 1 << 13,    /* of single calls, which runs of samples are not */
	LIST_AXIS = 1 << 12,        /* of the time axis, which the title says when the clock is another */
	LIST_RATE = 1 << 14,        /* of a trace that is followed: what came last */
	LIST_COMPARED = 1 << 15,    /* of call paths that are compared, in lists whose source says that it has it */
	LIST_TREES = 1 << 16,       /* of call paths in reports: in their text, with LIST_CSV in files */
	LIST_WITH_ID = 1 << 11,     /* a text after an id, which files have in a column of its own */
};

/* A column of any list. */
struct column {
	const char *id;    /* a word for settings, options and programs */
	const char *title; /* for people, without unit and clock */
	const char *help;  /* one line */
	enum value_kind kind;
	int from; /* shown on screens that are so wide, unless the user says otherwise */
	unsigned flags;
	int width; /* at least, in columns of the screen; 0: the title and the sign of the order */
	const char *was;   /* other words that options and settings take, blanks between */
	const char *field; /* its key in files, before the unit; NULL: its id */
	int room;          /* columns that stay free after its figures, or before its texts */
	int most[2];       /* of a text: columns at most, below and from LIST_WIDE on; 0: any */
	int place;         /* in files: those with less are before it, equal ones as in the table */
};

enum { COLUMN_ASKED = 1 << 20, /* `from`: when chosen */ LIST_WIDE = 100 };

static inline bool
column_is_text(const struct column *c)
{
	return c->kind == VALUE_TEXT;
}

/* True if the column's first order is ascending. */
static inline bool
column_ascends(const struct column *c)
{
	return (c->flags & LIST_ASCENDING) != 0 || column_is_text(c);
}

/* Returns the clock of a column: the one that is shown, or the other. */
static inline enum clock_id
column_clock(const struct column *c, enum clock_id shown)
{
	return (c->flags & LIST_OTHER_CLOCK) != 0 ? clock_other(shown) : shown;
}

/* True if reports can be sorted by it. */
static inline bool
column_sorts(const struct column *c)
{
	return (c->flags & (LIST_FOR_PEOPLE | LIST_RATE | LIST_COMPARED)) == 0;
}

/* True if the word is the column's name, a former one, or the one in files. */
bool column_is(const struct column *, const char *word);
/* True if the trace has what the column tells. */
bool column_exists(const struct column *, const struct trace *);
/* "Incl ms", or "Incl cpu ms" for the other clock. */
const char *column_title(
    const struct figures *, const struct column *, char out[static FMT_SIZE]);

/* The user's choice whether to show a column. */
enum column_shown {
	SHOWN_AUTO, /* when the screen is wide enough */
	SHOWN_YES,
	SHOWN_NO
};

enum { COLUMNSET_MAX = 40, COLUMN_WIDTH_MIN = 3, COLUMN_WIDTH_MAX = 200 };

struct column_choice {
	enum column_shown shown;
	int width; /* at least so many columns of the screen; 0: as its values need */
};

struct columnset {
	int count;
	int last; /* the column that is always last; -1: there is none */
	int order[COLUMNSET_MAX];
	struct column_choice of[COLUMNSET_MAX];
};

/* All as they come, in the order of their numbers. */
void columnset_init(struct columnset *, int count, int last);
