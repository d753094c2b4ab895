/*
 * relations: parents and children of a method, as rows for all forms.
 */
#ifndef SLOWTOP_REPORT_TEXT_RELATIONS_H
#define SLOWTOP_REPORT_TEXT_RELATIONS_H

#include "report/report.h"

/* The words for each list. */
struct relation_words {
	const char *list; /* "parents" */
	const char *one;  /* "parent" */
	const char *mark; /* in text: "<" */
};

extern const struct relation_words relation_words[RELATION_KINDS];

/*
 * The rows of one list, by inclusive time on the report's clock descending, then name.
 * Where there are children, the method's own time (ROW_SELF) comes before them.  A new
 * array (mem_free); NULL when there are none.
 */
struct row *relation_rows(
    const struct report *, uint32_t method, enum relation_kind, uint32_t *count);

#endif
