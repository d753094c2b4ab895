/*
 * sheet: what a view shows as a table of values, all rows of it, to be written out.
 *
 * A view fills one in; the writers know nothing of views.  Text is for people, columns as
 * on the screen; CSV (RFC 4180) and JSON are for programs: times in nanoseconds, percent
 * as a number, calls and recursive calls apart.  Folded stacks, where the view has them,
 * are what flame graph programs read.
 */
#ifndef SLOWTOP_VIEW_SHEET_H
#define SLOWTOP_VIEW_SHEET_H

#include "base/sbuf.h"
#include "view/columns.h"

enum { SHEET_COLUMNS_MAX = 32 };

enum sheet_kind {
	SHEET_TEXT,
	SHEET_TIME,    /* ns */
	SHEET_PERCENT, /* a of b */
	SHEET_CALLS,   /* a, and b recursive ones; or a of b */
	SHEET_COUNT,
	SHEET_DECIMAL,
};

struct sheet_column {
	char id[32];          /* a word for programs: "incl" */
	char title[FMT_SIZE]; /* for people: "Incl ms" */
	enum sheet_kind kind;
};

struct sheet {
	const char *view; /* a word: "profile" */
	struct sheet_column columns[SHEET_COLUMNS_MAX];
	int column_count;
	size_t rows, cursor; /* the row of the cursor; `rows`: none */
	const struct figures *figures;
	const void *model;
	/*
	 * Of a row and column; `raw`: texts as in the file.  Times, counts and percent
	 * may be VALUE_EMPTY.  Texts are valid until the next call.
	 */
	struct value (*cell)(const struct sheet *, size_t row, int column, bool raw);
	/* How far the last column stands to the right; NULL: not at all. */
	int (*depth)(const struct sheet *, size_t row);
	/*
	 * Appends all folded stacks, "a;b;c 123" in ns a line; NULL: there are none.
	 * False when they are more than SHEET_FOLDED_MAX bytes.
	 */
	bool (*folded)(const struct sheet *, struct sbuf *out);
	struct sbuf *scratch; /* of whoever writes it out; for texts that are made */
};

enum { SHEET_FOLDED_MAX = 256 << 20 };

/* A column more, by its place among those of the profile's table. */
void sheet_add_column(struct sheet *, enum column_id);
void sheet_add(struct sheet *, const char *id, const char *title, enum sheet_kind);

enum sheet_format { SHEET_AS_TEXT, SHEET_AS_CSV, SHEET_AS_JSON, SHEET_AS_FOLDED, SHEET_FORMATS };

struct sheet_format_row {
	const char *name;   /* "csv" */
	const char *ending; /* of files: ".csv" */
	const char *help;
};

extern const struct sheet_format_row sheet_formats[SHEET_FORMATS];

/* False when the sheet has nothing in that form. */
bool sheet_can(const struct sheet *, enum sheet_format);
/* False when it is too much. */
bool sheet_write(const struct sheet *, enum sheet_format, struct sbuf *out);
/* One row as "Title value  Title value". */
void sheet_row(const struct sheet *, size_t row, struct sbuf *out);
/* A frame of a folded stack: what would part frames is replaced. */
void sheet_frame(struct sbuf *out, struct str name);

#endif
