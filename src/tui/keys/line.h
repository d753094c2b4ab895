// SPDX-License-Identifier: Apache-2.0
/*
 * line: the command line (`:`): a row, a time, a word with what it takes, or the name of
 * an action; and the words that Tab offers there and in other prompts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct app;

enum line_takes {
	LINE_NOTHING,
	LINE_SETTING,
	LINE_FILE,
	LINE_LEVEL,
	LINE_TAG,
	LINE_PROCESS,
	LINE_TEXT
};

struct line_word {
	const char *name;
	enum line_takes takes;
	const char *usage; /* "set NAME=VALUE" */
	const char *help;  /* one line */
	bool (*run)(struct app *, struct str rest, struct err *);
};

extern const struct line_word line_words[];
extern const size_t line_word_count;
/* Does it do something for the trace? */
bool line_word_suits(const struct app *, const struct line_word *);

/*
 * Offer words for the prompt that is open (prompt_offer), and return whether its text changed:
 * packages and classes of the trace, one part further each time; names of files.
 */
bool complete_package(struct app *);
bool complete_file(struct app *);
