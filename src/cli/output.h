/*
 * output: where a command writes: standard output or the file of -o, as something that
 * can fail.
 *
 * A file appears whole or not at all (base/outfile.h), and takes the place of another
 * one only when that is asked for.
 */
#ifndef SLOWTOP_CLI_OUTPUT_H
#define SLOWTOP_CLI_OUTPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/outfile.h"

struct output {
	FILE *file;
	struct outfile out; /* when it is no standard output */
	bool packed;        /* `file` compresses into it */
};

enum output_flags {
	OUTPUT_BINARY = 1 << 0, /* not for a terminal */
	OUTPUT_PACKED = 1 << 1, /* compressed, also where its name does not end in .gz */
};

/*
 * `path` NULL: standard output.  What ends in .gz is compressed.  False when it cannot be
 * written, or is there and `force` is not given: said.  To be ended by output_close.
 */
bool output_open(struct output *, const char *path, bool force, unsigned flags);
/*
 * Ends it: all has reached its place, or the reason is said and no file is left.
 * `error`: the errno of a write that failed before, ECANCELED when nothing is wanted any
 * more, or 0.  Returns the status to exit with.
 */
int output_close(struct output *, int error, const atomic_bool *cancel);

/* Instead, when there is nothing to write after all: no file is left. */
void output_drop(struct output *);

/*
 * Closes standard output: all has reached its file or the reason is said.  `error`: the
 * errno of a write that failed before, or 0.  A reader that went away (EPIPE) wants no
 * more and no message.  Returns the status to exit with.
 */
int output_end(FILE *out, int error);

#endif
