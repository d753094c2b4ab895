// SPDX-License-Identifier: Apache-2.0
/*
 * sheet: what a view shows as a table of values, all rows of it, to be written out.
 *
 * A view fills one in; the writers know nothing of views.  Text is for people, columns as
 * on the screen; CSV (RFC 4180) and JSON are for programs: times in microseconds, percent
 * as a number, calls and recursive calls apart.  Folded stacks, where the view has them,
 * are what flame graph programs read.
 *
 * A column's key says in which of CSV and JSON it is:
 *
 *	"rank"    in both
 *	",class"  in CSV only
 *	"{kind"   in JSON only
 *	"?deeper" in JSON only when it is something; others are null
 *
 * Times on a clock that the trace lacks ("incl_cpu_us") are in neither.
 */
#pragma once

#include "base/json.h"
#include "base/sbuf.h"
#include "view/figures.h"
#include "view/tree/folded.h"

enum { SHEET_COLUMNS_MAX = 64 };

/* Returns a column's name for programs: "incl%" is incl_percent, "incl" of a time incl_us. */
const char *output_key(
    const char *id, enum value_kind, const char *unit, char out[static FMT_SIZE]);
/* A text in so many columns. */
void cell_text(struct sbuf *out, struct str, int width, bool left);

/* Deeper rows are indented no further: a number says how deep they are. */
enum { SHEET_INDENT_MAX = 60 };

/* Appends `width` blanks for each level. */
void sheet_indent(struct sbuf *out, int depth, int width);

/* Members of the open object; those with VALUE_EMPTY are left out. */
struct member {
	const char *key;
	struct value value;
};

#define MEMBERS(j, ...) \
	json_members(j, (const struct member[]){__VA_ARGS__, {.key = NULL}})
void json_members(struct json *, const struct member *list);
/* An object of such members. */
#define OBJECT(j, ...) (json_object(j), MEMBERS(j, __VA_ARGS__), json_end(j))

struct sheet_column {
	char key[FMT_SIZE];   /* a word for programs: "incl_us" */
	char title[FMT_SIZE]; /* for people: "Incl ms" */
	enum value_kind kind; /* VALUE_CALLS: values may be VALUE_OF */
	int of; /* its number among those of the list */
	bool recursive; /* of VALUE_CALLS: its second number */
	bool zero; /* CSV has 0 where there is nothing */
	int width; /* as text at least */
};

/* Rows of several traces in one file. */
struct sheet_runs {
	const char *word; /* of the first column: "run" */
	const char *name; /* of the trace, in it */
	nsec at; /* of a trace that is followed: how long it was, in JSON lines; < 0: it is not */
	struct sbuf heading; /* of CSV, of the first sheet */
	bool differs; /* a later one has other columns: it is left out */
};

struct list;

struct sheet {
	struct sheet_runs *runs; /* borrowed; NULL: of one trace, whose name is not in the rows */
	const char *view; /* a word: "profile" */
	struct sheet_column columns[SHEET_COLUMNS_MAX];
	int column_count;
	size_t rows, cursor; /* the row of the cursor; `rows`: none */
	const struct figures *figures;
	const void *model;
	/*
	 * The value in a row and column; `raw`: texts in the file's own bytes.  Times,
	 * counts and percent may be VALUE_EMPTY.  Texts are valid until the next call.
	 */
	struct value (*cell)(const struct sheet *, size_t row, int column, bool raw);
	/* How far the last column is indented; NULL: not at all. */
	int (*depth)(const struct sheet *, size_t row);
	/* Appends a folded stack, if it has time; NULL: there are none. */
	void (*stack)(const struct sheet *, struct folded *, size_t i, struct sbuf *out);
	size_t stacks; /* how many there may be */
	struct sbuf *scratch; /* of the writer; for texts that are made */
	/* Adds members to a row that is open in JSON; NULL: none. */
	void (*members)(const struct sheet *, size_t row, struct json *);
	void *context; /* the caller's */
	bool goes_on; /* after other rows: no heading, and text is as wide as columns say */
	void *own; /* what it is of, where nothing else has it */
	void (*free_own)(void *);
};

void sheet_release(struct sheet *);
void sheet_add(struct sheet *, const char *id, const char *title, enum value_kind);

enum sheet_format {
	SHEET_AS_TEXT,
	SHEET_AS_CSV,
	SHEET_AS_JSON,
	SHEET_AS_LINES, /* a JSON object a row */
	SHEET_AS_FOLDED,
	SHEET_FORMATS
};

struct sheet_format_row {
	const char *name;   /* "csv" */
	const char *ending; /* of files: ".csv" */
	const char *help;
};

extern const struct sheet_format_row sheet_formats[SHEET_FORMATS];

/* False when the sheet has nothing in that form. */
bool sheet_can(const struct sheet *, enum sheet_format);
/* A cell for people, clean. */
void sheet_text(const struct sheet *, size_t row, int column, struct sbuf *out);
/* One row as "Title value  Title value". */
void sheet_row(const struct sheet *, size_t row, struct sbuf *out);

/*
 * Writing in steps, so that other things can be done between them.  The model must not change
 * until the end; what it owns is scratch.
 */
struct sheet_writer {
	const struct sheet *sheet;
	enum sheet_format format;
	size_t done, total; /* rows or stacks; those of text twice: measured, written */
	int width[SHEET_COLUMNS_MAX];   /* of text; 0: there is no such column */
	bool absent[SHEET_COLUMNS_MAX]; /* from CSV or JSON */
	struct json json;  /* of its own; */
	struct json *rows; /* of the rows, whose array is open */
	struct sbuf text;
	struct folded folded;
};

/*
 * The format is one that the sheet can be written in (sheet_can).  `json`: rows of an array that
 * is open in it; NULL: JSON is a document.
 */
void sheet_writer_begin(
    struct sheet_writer *, const struct sheet *, enum sheet_format, struct json *json);
/* Appends what comes of at most so many rows more; false when these were the last. */
bool sheet_writer_step(struct sheet_writer *, size_t rows, struct sbuf *out);
/* From 0 to 1. */
double sheet_writer_progress(const struct sheet_writer *);
void sheet_writer_release(struct sheet_writer *);
