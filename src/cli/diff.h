/*
 * diff: two traces compared: in the terminal, or as a report when there is none or one of
 * its options asks for it.
 */
#ifndef SLOWTOP_CLI_DIFF_H
#define SLOWTOP_CLI_DIFF_H

#include "cli/options.h"

/* `slowtop diff A B`, with A in `before`; returns the exit status. */
int diff(const struct options *, const char *before);

#endif
