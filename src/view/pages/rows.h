/*
 * rows: how the rows of an info are added; for the files that build one.
 *
 * All text must be clean and is copied.
 */
#ifndef SLOWTOP_VIEW_PAGES_ROWS_H
#define SLOWTOP_VIEW_PAGES_ROWS_H

#include "view/pages/info.h"

void info_clear(struct info *);
/* After a blank row, unless it is the first. */
void info_heading(struct info *, const char *text);
void info_row_add(struct info *, enum info_kind, struct str name, struct str value);
void info_pair(struct info *, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void info_note(struct info *, struct str text);
/* "and so many more", if there are more than `most`. */
void info_more(struct info *, size_t all, size_t most);
/* The file's text, cleaned, cut when it is absurdly long.  Valid as long as the info. */
struct str info_clean(struct info *, struct names *, struct str text);

#endif
