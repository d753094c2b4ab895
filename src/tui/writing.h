// SPDX-License-Identifier: Apache-2.0
/*
 * writing: writes what a view shows into a file or to the pager, a step at a time.
 *
 * Small ones are written at once.  Others take steps of a few milliseconds, between which
 * the last line shows the progress and ^C gives it up and leaves no file; other keys and the
 * engine's answers wait.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/outfile.h"
#include "base/spool.h"
#include "tui/keys/prompt.h"
#include "view/sheet.h"

struct app;

struct writing {
	bool active;
	struct sheet sheet;
	struct sbuf scratch; /* the sheet's */
	struct sheet_writer writer;
	struct sbuf out; /* of one step */
	bool wanted;   /* it begins once the view's names are unfolded */
	bool unfolded; /* they are folded again after it */
	bool over;     /* also over an existing file */
	bool partial; /* the trace was still being read */
	uint64_t bytes;
	size_t rows; /* that a step takes */
	/* Where to: a file, */
	bool paged;
	struct outfile file;
	char path[PROMPT_MAX + 1];
	/* or the pager. */
	struct tempfile_how how;
	struct tempfile temp;
};

/*
 * Begins to write a sheet of the view to a file, or (path NULL) to the pager, with the
 * first step; errors of later ones are shown.  Takes the sheet, on failure, too.
 */
bool writing_begin(struct app *, struct sheet *, enum sheet_format, const char *path,
    enum outfile_how, struct err *);
void writing_step(struct app *);
/* Begins to write what waited for answers, if they are there. */
void writing_follow(struct app *);
/* Gives up for ^C; false when nothing is being written. */
bool writing_interrupt(struct app *);
/* "writing all.folded: 43% (^C stops it, other keys wait)" */
void writing_text(const struct app *, char *out, size_t size);
/* Leaves no file.  Fine when it is not active. */
void writing_give_up(struct app *);
