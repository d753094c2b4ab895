/*
 * convert: the commands that write a trace, call by call or as a file of another tool.
 */
#ifndef SLOWTOP_CLI_CONVERT_H
#define SLOWTOP_CLI_CONVERT_H

#include "cli/options.h"

/* `slowtop convert --to=FORMAT TRACE`; returns the exit status. */
int convert(const struct options *, const char *path);
/* `slowtop dump TRACE`; the same. */
int dump(const struct options *, const char *path);
/* `slowtop convert --list`; the same. */
int convert_list(void);

#endif
