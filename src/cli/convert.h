/*
 * convert: the command that writes a trace as a file of another tool.
 */
#ifndef SLOWTOP_CLI_CONVERT_H
#define SLOWTOP_CLI_CONVERT_H

#include "cli/options.h"

/* `slowtop convert --to=FORMAT TRACE`; returns the exit status. */
int convert(const struct options *, const char *path);
/* `slowtop convert --list`; the same. */
int convert_list(void);

#endif
