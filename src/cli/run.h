// SPDX-License-Identifier: Apache-2.0
/*
 * run: what commands share: a trace, opened and counted to its end; where they write, as
 * something that can fail; and both together.
 *
 * An output file appears whole or not at all (base/outfile.h), and takes the place of another
 * one only when that is asked for.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "base/outfile.h"
#include "profile/load/profile.h"
#include "trace/log.h"

struct options;

/*
 * Opens a trace; temporary files, if it takes any, go where TMPDIR says.  By the options, if
 * not NULL: methods get the names of the side's mapping file, slices of a log are chosen.
 */
struct trace *load_open(const struct options *, int side, const char *path,
    const atomic_bool *cancel, struct err *);

/* Zero-initialise; release whether loading went well or not. */
struct load {
	struct trace *trace;
	struct profile *profile;
	/* Set before loading. */
	const struct options *options; /* NULL: none */
	int side; /* of a diff: whose mapping */
	bool sums; /* of all records are all that will be asked for */
};

/* ERR_CANCELLED when interrupted. */
bool load_trace(struct load *, const char *path, const atomic_bool *cancel, struct err *);
/* The second half of loading, for an open trace. */
bool load_records(struct load *, const atomic_bool *cancel, struct err *);
void load_release(struct load *);

/* The folder for temporary data. */
const char *load_folder(void);
/* Says why it did not; returns the status to end with. */
int load_say(const char *path, const struct err *);
/* A line for each of these kinds of damage (1 << enum damage_kind); STATUS_DAMAGED with any. */
int load_say_damage(const struct load *, const char *path, unsigned kinds);

/* Output -------------------------------------------------------------------------- */

struct output {
	FILE *file;
	struct outfile out; /* when it is no standard output */
	struct gzout gz;
	bool packed;        /* `file` is that of gz */
	bool more;          /* standard output stays open */
};

enum output_flags {
	OUTPUT_BINARY = 1 << 0, /* not for a terminal */
	OUTPUT_PACKED = 1 << 1, /* compressed, also where its name does not end in .gz */
	OUTPUT_MORE = 1 << 2,   /* standard output is written to again after this */
};

/*
 * Begins an output; a path that ends in .gz is compressed, NULL is standard output.  Returns
 * STATUS_OK, and output_close or output_drop ends it; else it cannot be written, or is there and
 * `force` is not given: said, and the status to end with.
 */
int output_open(struct output *, const char *path, bool force, unsigned flags);
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
 * errno of a write that failed before, or 0.  A reader that went away (EPIPE) is no error
 * and needs no message.  Returns the status to exit with.
 */
int output_end(FILE *out, int error);

/*
 * One trace to one place: opens the output, loads the trace, lets `make` and `write` do what
 * the command is for, ends the output and, under --strict, tells of damage.
 */
struct run_job {
	const struct options *options;
	const char *path;
	bool sums; /* as in struct load */
	unsigned flags; /* of the output */
	void *context;
	/* Both say in `e` why not; the latter returns 0 or an errno, too.  `make` may be NULL. */
	bool (*make)(struct run_job *);
	int (*write)(struct run_job *, FILE *);
	/* For these. */
	struct load load;
	const atomic_bool *cancel;
	struct err e;
};

/* Returns the exit status. */
int job_run(struct run_job *);
