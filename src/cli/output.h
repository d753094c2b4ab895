/*
 * output: standard output as something that can fail.
 */
#ifndef SLOWTOP_CLI_OUTPUT_H
#define SLOWTOP_CLI_OUTPUT_H

#include <stdio.h>

/*
 * Closes `out`: all has reached its file or the reason is said.  `error`: the errno of a
 * write that failed before, or 0.  A reader that went away (EPIPE) wants no more and no
 * message.  Returns the status to exit with.
 */
int output_end(FILE *out, int error);

#endif
