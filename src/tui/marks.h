/*
 * marks: the bookmarks of the trace on the screen, by their place in the alphabet.
 */
#ifndef SLOWTOP_TUI_MARKS_H
#define SLOWTOP_TUI_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct app;

bool bookmarks_any(struct app *);
void bookmark_go(struct app *, size_t index);
bool bookmark_remove(struct app *, size_t index, struct err *);

#endif
