/*
 * prompt: a line being typed at the foot of the screen.
 *
 * Holds its text (valid UTF-8, no controls) and where the cursor is; knows nothing of
 * what the text is for.  Whoever opened it looks at prompt_key's answer, sets or clears
 * the error, and closes it.
 */
#ifndef SLOWTOP_TUI_PROMPT_H
#define SLOWTOP_TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "tui/key.h"
#include "view/canvas.h"

enum { PROMPT_MAX = 1000, PROMPT_HISTORY = 50 };

/* Lines that were accepted, the newest last.  Owns them; prompt_history_release. */
struct prompt_history {
	char *lines[PROMPT_HISTORY];
	int count;
};

struct prompt {
	const char *label;
	char text[PROMPT_MAX + 1];
	size_t n, at; /* bytes; the cursor is before byte `at` */
	struct prompt_history *history;
	int line; /* of the history that is shown; count: the one being typed */
	char typed[PROMPT_MAX + 1];
	char error[160];
	size_t error_at;
};

enum prompt_answer {
	PROMPT_NONE,    /* not a key of the prompt */
	PROMPT_MOVED,   /* same text */
	PROMPT_CHANGED, /* other text; its error is cleared */
	PROMPT_ACCEPTED,
	PROMPT_CANCELLED,
};

/* `history` may be NULL; label and history are borrowed. */
void prompt_open(
    struct prompt *, const char *label, struct str text, struct prompt_history *);
enum prompt_answer prompt_key(struct prompt *, const struct key *);
/* What is wrong with the text, at which byte. */
void prompt_error(struct prompt *, size_t at, const char *what);

static inline struct str
prompt_text(const struct prompt *p)
{
	return (struct str){p->text, p->n};
}

/*
 * Draws into the last row of the canvas; with an error into the last two, the error
 * below with a caret.  Returns the row, sets the column of the cursor.
 */
int prompt_draw(const struct prompt *, struct canvas *, int *column);

/* Adds an accepted line, once. */
void prompt_history_add(struct prompt_history *, struct str line);
void prompt_history_release(struct prompt_history *);

/* The keys, for the help: ends with a NULL name. */
struct prompt_binding {
	const char *key; /* name */
	enum prompt_answer (*act)(struct prompt *);
	const char *help;
};
extern const struct prompt_binding prompt_bindings[];

#endif
