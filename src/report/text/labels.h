/*
 * labels: what the rows of methods, or of groups of them, are called.
 */
#ifndef SLOWTOP_REPORT_TEXT_LABELS_H
#define SLOWTOP_REPORT_TEXT_LABELS_H

#include "report/report.h"

/* For people, cleaned; lives as long as the report. */
struct str label_shown(const struct report *, uint32_t method);
/* In the file's own bytes. */
void label_raw(struct sbuf *out, const struct report *, uint32_t method);
/* The order of rows that are otherwise equal, total. */
int label_order(const struct report *, uint32_t a, uint32_t b);
/* "Class", "Package" ... */
const char *label_title(const struct report *);
/* The same as a key: "class". */
const char *label_key(const struct report *);

#endif
