/*
 * foreign: what a file is that is no trace slowtop reads, and what does read it.
 *
 * One table of kinds, tried in order: most by their first bytes, profiles of other tools
 * by their shape.  Names of files do not matter.
 */
#ifndef SLOWTOP_FORMAT_FOREIGN_H
#define SLOWTOP_FORMAT_FOREIGN_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/* Is it of a kind that must be known before logs are looked for?  They may hold one. */
bool foreign_holds_log(struct str file);
/* Always false, with a line that says what the file is, and what opens it. */
bool foreign_refuse(struct str file, struct err *);

#endif
