// SPDX-License-Identifier: Apache-2.0
/*
 * prompt: a line of text at the foot of the screen that the user edits.
 *
 * Holds its text (valid UTF-8, no controls) and where the cursor is; knows nothing of
 * what the text is for, nor which keys act on it (commands.h).  Its opener looks at the
 * answers, sets or clears the error, and closes it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/sbuf.h"
#include "base/str.h"
#include "tui/keys/key.h"
#include "view/canvas.h"

enum { PROMPT_MAX = 1000, PROMPT_HISTORY = 50, PROMPT_OFFER = 8000 };

/* Lines that were accepted, the newest last.  Owns them; prompt_history_release. */
struct prompt_history {
	char *lines[PROMPT_HISTORY];
	int count;
	int fresh; /* so many at the end are of this session */
};

/*
 * Prompts with a history, by their letters: search, filter, command line, file name,
 * transform.  In a file the letter precedes the line.
 */
enum { PROMPT_KINDS = 5 };
extern const char prompt_kinds[PROMPT_KINDS + 1]; /* "/&:Ex" */

/* How letters of a pattern match: exactly if it has a capital; always exactly; in either case. */
enum prompt_case { PROMPT_SMART, PROMPT_EXACT, PROMPT_ANY, PROMPT_CASES };

struct prompt_modes {
	bool literal; /* no character means anything else than itself */
	enum prompt_case letters;
};

struct prompt {
	const char *label;
	char text[PROMPT_MAX + 1];
	size_t n, at; /* bytes; the cursor is before byte `at` */
	struct prompt_history *history;
	int line; /* of the history that is shown; count: the unfinished one */
	char entered[PROMPT_MAX + 1];
	/* Characters that may precede a pattern, in this order; NULL: the text is no pattern. */
	const char *kept;
	struct prompt_modes modes, modes_entered; /* now; of `entered` */
	char note[40]; /* about the text, at the right end; kept until its owner changes it */
	char error[160];
	size_t error_at;
	/* Words for the text from byte `offer_from` to the cursor; count 0: none. */
	char offer[PROMPT_OFFER]; /* each ends with a line feed */
	int offer_count, offer_at; /* which is in the text; -1: what all begin with */
	size_t offer_from;
	int step; /* of the last PROMPT_COMPLETE: 1, -1 */
};

enum prompt_answer {
	PROMPT_MOVED,   /* same text */
	PROMPT_CHANGED, /* other text; its error is cleared */
	PROMPT_COMPLETE, /* Tab, with nothing offered yet: see prompt_offer */
	PROMPT_ACCEPTED,
	PROMPT_CANCELLED,
};

/* Effects of keys in a prompt. */
enum type_act {
	TYPE_ACCEPT,
	TYPE_CANCEL,
	TYPE_OLDER,
	TYPE_NEWER,
	TYPE_LEFT,
	TYPE_RIGHT,
	TYPE_START,
	TYPE_END,
	TYPE_ERASE,
	TYPE_DELETE,
	TYPE_ERASE_WORD,
	TYPE_ERASE_LINE,
	TYPE_ERASE_REST,
	TYPE_LITERAL,
	TYPE_CASE,
	TYPE_COMPLETE,
	TYPE_COMPLETE_BACK,
};

/* `history` may be NULL; label and history are borrowed. */
void prompt_open(
    struct prompt *, const char *label, struct str text, struct prompt_history *);
/* A key that is text, or part of a paste. */
enum prompt_answer prompt_type(struct prompt *, const struct key *);
enum prompt_answer prompt_do(struct prompt *, enum type_act);
/* Sets the error to show: what is wrong with the text, and at which byte. */
void prompt_error(struct prompt *, size_t at, const char *what);

/*
 * Offers words, each ending with a line feed, for the text from byte
 * `from` to the cursor.  What all of them begin with takes its place at once; Tab then
 * walks through them.  Returns whether the text changed.
 */
bool prompt_offer(struct prompt *, size_t from, struct str words);

static inline struct str
prompt_text(const struct prompt *p)
{
	return (struct str){p->text, p->n};
}

/*
 * Draws into the last row of the canvas; with an error into the last two, the error below
 * with a caret; offered words are in the row above.  Returns the row, sets the column of
 * the cursor.
 */
int prompt_draw(const struct prompt *, struct canvas *, int *column);

/*
 * The text as an expression that says itself how it matches; of other
 * prompts the text.  The second: the byte of the text that a byte of it came from.
 */
void prompt_pattern(const struct prompt *, struct sbuf *out);
size_t prompt_pattern_at(const struct prompt *, size_t at);

/* Adds an accepted line, once. */
void prompt_history_add(struct prompt_history *, struct str line);
void prompt_history_release(struct prompt_history *);
/* The lines of one kind, its letter before each, in the text of a file; none are fresh. */
void prompt_history_read(struct prompt_history *, char kind, struct str text);
void prompt_history_write(const struct prompt_history *, char kind, struct sbuf *out);
/* Adds the fresh ones of another. */
void prompt_history_merge(struct prompt_history *, const struct prompt_history *);
