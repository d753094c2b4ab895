/*
 * tables: rows of a report in all forms.
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
 * Fields of times on a clock that the trace lacks ("incl_cpu_us") are in neither.
 *
 * For people a table is made of `struct columns`, which says what is in a cell.  As text a
 * column is as wide as its title and the rows that were shown to columns_fit; as HTML it is
 * a table of cells.
 */
#ifndef SLOWTOP_REPORT_TEXT_TABLES_H
#define SLOWTOP_REPORT_TEXT_TABLES_H

#include "base/json.h"
#include "report/report.h"
#include "view/sheet.h"

#define FIELDS_TIMES "incl_cpu_us", "excl_cpu_us", "incl_wall_us", "excl_wall_us"

struct fields {
	struct sink *sink;
	struct json *json;       /* NULL: CSV */
	const char *const *list; /* ends with NULL */
	const char *label;
	/* Private from here. */
	uint32_t absent;   /* bit: the field is not in this form */
	struct json plain; /* writes numbers of CSV */
	int at;
	bool any;
};

/* Begins the rows; CSV gets its heading.  `json`: the array of rows is open; NULL: CSV. */
void fields_init(struct fields *, struct sink *, struct json *, unsigned clocks,
    const char *const *list, const char *label);
/* Begins a row; false when nothing more is wanted. */
bool fields_row(struct fields *);
void fields_end(struct fields *);

/* For fields that do not apply to every row. */
static inline struct value
value_if(bool applies, struct value v)
{
	return applies ? v : (struct value){.kind = VALUE_EMPTY};
}

/* Members of the open object; those with VALUE_EMPTY are left out. */
struct member {
	const char *key;
	struct value value;
};

#define MEMBERS(j, ...) \
	json_members(j, (const struct member[]){__VA_ARGS__, {.key = NULL}})
void json_members(struct json *, const struct member *list);

/* The next field; VALUE_EMPTY: null, or nothing in CSV. */
void fields_put(struct fields *, struct value);
void fields_bool(struct fields *, bool); /* CSV: 0 or 1 */
/* The next fields: on each clock these times, of which those after the first may be NULL. */
void fields_times(struct fields *, const nsec *a, const nsec *b, const nsec *c);
/* Four fields: id, class, name and signature. */
void fields_method(struct fields *, const struct trace *, uint32_t method);

/* A row with what it is sorted by. */
struct ranked {
	int64_t key;
	struct str text; /* where keys are equal */
	/* Ascending in any order, where both are: by `tie`, the name, the id, the index. */
	int (*tie)(const struct report *, uint32_t a_id, uint32_t b_id);
	const struct report *report; /* for `tie` */
	struct str name;
	uint32_t id, index;
	bool ascending; /* ranked_sort's */
};

/* Leaves the indexes in order in `rows` and frees the list. */
void ranked_sort(struct ranked *, uint32_t count, bool ascending, uint32_t *rows);

struct columns {
	const void *of;
	int count;
	unsigned left; /* bit: the column is of texts */
	bool whole;    /* no name follows the columns: the last one ends the line */
	/* `row` NULL: the title.  NULL p: there is no such column. */
	struct str (*cell)(const void *of, int column, const void *row, char out[static FMT_SIZE]);
	int width[SHEET_COLUMNS_MAX]; /* columns_init: of the title */
};

void columns_init(struct columns *);
void columns_fit(struct columns *, const void *row);
/* Writes cells with two blanks after each. */
void columns_text(const struct columns *, struct sbuf *out, const void *row);
/* Blanks of the width of a line. */
void columns_blank(const struct columns *, struct sbuf *out);
void columns_html(const struct columns *, struct sbuf *out, const void *row);

/* A text in so many columns. */
void cell_text(struct sbuf *out, struct str, int width, bool left);

#endif
