/*
 * help: --help, --version and what the shells offer for a word, from the tables of commands
 * and options.
 */
#ifndef SLOWTOP_CLI_HELP_H
#define SLOWTOP_CLI_HELP_H

#include <stdio.h>

#include "cli/options.h"

/* All commands, or the one that was named. */
void help_print(FILE *, const struct options *);
void version_print(FILE *);

/*
 * `slowtop --complete WORD...`, as contrib/completions ask: prints what the last word may
 * become, one a line, each followed by a tab and its meaning; "/" means file names.
 */
int complete(int count, char **words);

#endif
