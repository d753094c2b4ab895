/*
 * complete: what the shells offer for a word of the command line, from the tables of
 * commands and options.
 */
#ifndef SLOWTOP_CLI_COMPLETE_H
#define SLOWTOP_CLI_COMPLETE_H

/*
 * `slowtop --complete WORD...`, as contrib/completions ask: prints what the last word may
 * become, each on a line with a tab and what it means behind it; "/" stands for files.
 */
int complete(int count, char **words);

#endif
