/*
 * export: what a view shows, out of the program: into a file, to a pager.
 */
#ifndef SLOWTOP_TUI_EXPORT_H
#define SLOWTOP_TUI_EXPORT_H

#include <stdbool.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "view/sheet.h"

struct app;

/* What the view shows as a table, with `scratch` for its texts; false when it is none. */
bool export_sheet(struct app *, struct sheet *, struct sbuf *scratch);
/*
 * Into a file, whole or not at all, in the form that its ending tells, else as text.
 * `over`: also over one that is there.  What is large goes on behind (writing.h).
 */
bool export_file(struct app *, const char *path, bool over, struct err *);

#endif
