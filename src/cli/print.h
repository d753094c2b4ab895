/*
 * print: the commands that read a trace, write about it to standard output and end.
 */
#ifndef SLOWTOP_CLI_PRINT_H
#define SLOWTOP_CLI_PRINT_H

#include "cli/options.h"

/* `slowtop report TRACE`; returns the exit status. */
int print_report(const struct options *, const char *path);
/* `slowtop info TRACE`; the same. */
int print_info(const struct options *, const char *path);

#endif
