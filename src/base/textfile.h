/*
 * textfile: small text files of our own, read and written whole.
 */
#ifndef SLOWTOP_BASE_TEXTFILE_H
#define SLOWTOP_BASE_TEXTFILE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/sbuf.h"

enum { TEXTFILE_MAX = 1 << 20 };

/* Appends what it has; nothing when there is no such file.  False also for one too long. */
bool textfile_read(const char *path, struct sbuf *text, struct err *e);
/* In its place, whole or not at all; makes the folders above it. */
bool textfile_write(const char *path, struct str text, struct err *e);
/* The same, for its owner's eyes alone. */
bool textfile_write_private(const char *path, struct str text, struct err *e);

#endif
