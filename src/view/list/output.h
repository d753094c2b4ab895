// SPDX-License-Identifier: Apache-2.0
/*
 * output: rows of values in files, of lists and of reports alike.
 *
 * For programs a row is written field by field, in order, by one function: as a line of CSV
 * (RFC 4180) below a heading, or as an object of JSON.  A list says what the fields are called:
 *
 *	"rank"    in both
 *	",class"  in CSV only
 *	"{kind"   in JSON only
 *	"?deeper" in JSON only when it is something; others are null
 *	"*"       called as `label` says
 *
 * Fields of times on a clock that the trace lacks ("incl_cpu_us") are in neither.  Times are
 * written in microseconds; lists write theirs as numbers, in nanoseconds (sheet.h).
 *
 * For people a table is made of `struct columns`, which says what is in a cell.  As text a
 * column is as wide as its title and the rows that were shown to columns_fit.
 */
#pragma once

#include "base/json.h"
#include "base/sbuf.h"
#include "view/list/columns.h"

enum { OUTPUT_COLUMNS_MAX = 32 };

/* What a column is called for programs: "incl%" is incl_percent, "incl" of a time incl_us. */
const char *output_key(
    const char *id, enum value_kind, const char *unit, char out[static FMT_SIZE]);

#define FIELDS_TIMES "incl_cpu_us", "excl_cpu_us", "incl_wall_us", "excl_wall_us"

struct fields {
	struct sbuf *out;
	struct json *json;       /* of `out`; NULL: CSV */
	const char *const *list; /* at most 64, and NULL */
	const char *label;
	/* Private from here. */
	uint64_t absent; /* bit: the field is not in this form */
	int at;
	bool any;
};

/* Begins the rows; CSV gets its heading.  `json`: the array of rows is open; NULL: CSV. */
void fields_init(struct fields *, struct sbuf *out, struct json *, unsigned clocks,
    const char *const *list, const char *label);
void fields_row(struct fields *);
void fields_end(struct fields *);

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

/* The next field; VALUE_EMPTY: null, or nothing in CSV. */
void fields_put(struct fields *, struct value);
/* The next fields: on each clock these times, of which those after the first may be NULL. */
void fields_times(struct fields *, const nsec *a, const nsec *b, const nsec *c);

struct columns {
	const void *of;
	int count;
	unsigned left; /* bit: the column is of texts */
	bool whole;    /* no name follows the columns: the last one ends the line */
	/* `row` NULL: the title.  NULL p: there is no such column. */
	struct str (*cell)(const void *of, int column, const void *row, char out[static FMT_SIZE]);
	int width[OUTPUT_COLUMNS_MAX]; /* 0: there is no such column */
};

/* First without a row, for the titles. */
void columns_fit(struct columns *, const void *row);
/* Writes cells with two blanks after each. */
void columns_text(const struct columns *, struct sbuf *out, const void *row);

/* A text in so many columns. */
void cell_text(struct sbuf *out, struct str, int width, bool left);
