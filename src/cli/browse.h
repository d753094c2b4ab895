/*
 * browse: the trace in the terminal, or its report when there is none.
 */
#ifndef SLOWTOP_CLI_BROWSE_H
#define SLOWTOP_CLI_BROWSE_H

#include "cli/options.h"

/* `slowtop TRACE`; returns the exit status. */
int browse(const struct options *, const char *path);
/* In the terminal, compared with another one, which was before; NULL: with none. */
int browse_diff(const struct options *, const char *before, const char *path);

#endif
