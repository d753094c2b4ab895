/*
 * columns: what the profile table can show of a row, as one table.
 *
 * Drawing, sorting, pickers and text reports all take titles, values and order from
 * here, so they cannot disagree.  A column speaks of the current clock, or of "the
 * other" one (only in traces with both), or of none.
 *
 * Times are nanoseconds.  All functions only read.
 */
#ifndef SLOWTOP_VIEW_COLUMNS_H
#define SLOWTOP_VIEW_COLUMNS_H

#include "base/number.h"
#include "profile/fold.h"
#include "view/names/names.h"

/* In the order of the screen. */
enum column_id {
	COLUMN_RANK,
	COLUMN_INCL_PERCENT,
	COLUMN_EXCL_PERCENT,
	COLUMN_INCL,
	COLUMN_EXCL,
	COLUMN_OTHER_INCL_PERCENT,
	COLUMN_OTHER_EXCL_PERCENT,
	COLUMN_OTHER_INCL,
	COLUMN_OTHER_EXCL,
	COLUMN_WAIT,
	COLUMN_WAIT_INCL,
	COLUMN_CALLS,
	COLUMN_PER_CALL,
	COLUMN_OTHER_PER_CALL,
	COLUMN_THREADS,
	COLUMN_CLASS,
	COLUMN_FILE,
	COLUMN_METHOD,
	COLUMNS
};

/* Whether the user asked for a column, of any list. */
enum column_shown {
	SHOWN_AUTO, /* when the screen is wide enough */
	SHOWN_YES,
	SHOWN_NO
};

enum row_kind {
	ROW_METHOD,
	/* Inside an expanded method, in this order. */
	ROW_PARENT,
	ROW_SELF,
	ROW_CHILD,
	ROW_PARENT_RECURSIVE,
	ROW_CHILD_RECURSIVE,
};

/* One row of the table, with the figures of relation rows. */
struct row {
	enum row_kind kind;
	uint32_t method; /* of the row; for ROW_SELF the expanded one */
	uint32_t of;     /* the expanded method; `method` for ROW_METHOD */
	struct relation relation; /* of relation rows */
};

enum percent_base {
	BASE_PARENT, /* relation rows: of the expanded method; others as BASE_WINDOW */
	BASE_TRACE,  /* all rows: of the sum over the threads in scope */
	BASE_WINDOW, /* the same within the time window; without one as BASE_TRACE */
};

/* What a value depends on besides the row. */
struct figures {
	const struct trace *trace;
	struct names *names;
	const struct fold *fold;
	enum clock_id clock;
	enum percent_base base;
	bool auto_units; /* 4 significant digits and a unit instead of milliseconds */
	const struct pattern *search; /* borrowed; NULL: nothing is searched for */
};

enum value_kind {
	VALUE_EMPTY,   /* does not apply to this row */
	VALUE_TIME,    /* a ns */
	VALUE_PERCENT, /* a of b ns */
	VALUE_CALLS,   /* a, and b recursive ones */
	VALUE_OF,      /* a of b calls */
	VALUE_COUNT,   /* a */
	VALUE_DECIMAL, /* a, and b thousandths (0 to 999) more */
	VALUE_TEXT,
};

struct value {
	enum value_kind kind;
	int64_t a, b;
	struct str text;
};

struct value value_time(nsec);
struct value value_percent(nsec part, nsec of);
struct value value_count(uint64_t);
struct value value_number(int64_t);
struct value value_double(double);
struct value value_text(struct str); /* clean */

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
};

/* Of any list; most are a row of a table. */
struct column {
	const char *id;    /* a word for settings, options and programs */
	const char *title; /* for people, without unit and clock */
	const char *help;  /* one line */
	enum value_kind kind;
	int from; /* shown on screens that are so wide, unless the user says otherwise */
	unsigned flags;
	int width; /* at least, in columns of the screen; 0: the title and the sign of the order */
	struct value (*get)(const struct figures *, const struct row *); /* of column_table */
	const char *field; /* in files; NULL: its id */
	int room;          /* columns that stay free after its figures, or before its texts */
	int most[2];       /* of a text: columns at most, below and from LIST_WIDE on; 0: any */
};

enum { COLUMN_ASKED = 1 << 20, /* `from`: when chosen */ LIST_WIDE = 100 };

static inline bool
column_is_text(const struct column *c)
{
	return c->kind == VALUE_TEXT;
}

/* Its order when it is chosen. */
static inline bool
column_ascends(const struct column *c)
{
	return (c->flags & LIST_ASCENDING) != 0 || column_is_text(c);
}

extern const struct column column_table[]; /* COLUMNS, and the end */

/* COLUMNS when no column has that id. */
enum column_id columns_find(struct str id);
bool column_exists(enum column_id, unsigned clocks);
bool column_is_there(const struct column *, unsigned clocks);
/* "Incl ms", or "Incl cpu ms" for the other clock. */
const char *column_title(
    const struct figures *, enum column_id, char out[static FMT_SIZE]);
/* The same of any column. */
const char *column_label(
    const struct figures *, const struct column *, char out[static FMT_SIZE]);

static inline struct value
column_get(const struct figures *f, enum column_id id, const struct row *row)
{
	return column_table[id].get(f, row);
}

/* What figures are ordered by; INT64_MIN for an empty value. */
int64_t value_key(struct value);

/*
 * The value as text of at most `width` columns: with fewer decimals, or without its
 * total, if that is what it takes.  Texts are not cut.  Returns `out`, or the text.
 */
struct str value_format(
    const struct figures *, struct value, int width, char out[static FMT_SIZE]);
/* A VALUE_DECIMAL: "-0.500". */
const char *value_decimal(struct value, char out[static FMT_SIZE]);
/* Columns for the widest value of a method's row, at least column.width.  O(methods). */
int column_width(const struct figures *, enum column_id);

#endif
