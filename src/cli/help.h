/*
 * help: --help and --version, printed from the tables of commands and options.
 */
#ifndef SLOWTOP_CLI_HELP_H
#define SLOWTOP_CLI_HELP_H

#include <stdio.h>

#include "cli/options.h"

/* All commands, or the one that was named. */
void help_print(FILE *, const struct options *);
void version_print(FILE *);

#endif
