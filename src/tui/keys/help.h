/*
 * help: the keys that work here, from the table of bindings, as a popup.
 *
 * Its rows are made from the tables when it opens: what works where, with which keys.
 */
#ifndef SLOWTOP_TUI_KEYS_HELP_H
#define SLOWTOP_TUI_KEYS_HELP_H

#include <stdbool.h>
#include <stddef.h>

struct app;

/* A heading, a command with all its keys, a sign, or a word of the command line. */
struct help_row {
	bool heading, changed; /* by the configuration */
	const char *under;     /* the heading that it is under, or is */
	char keys[80];
	const char *help;
};

struct help_rows {
	struct help_row *rows;
	size_t count, room;
	const char *heading; /* the last one */
};

/* What the signs on the screen mean: letters, bars and marks beside words and figures. */
struct legend_row {
	unsigned contexts; /* of commands.h */
	bool log;          /* only text logs have it */
	const char *sign;
	const char *ascii; /* in place of it on terminals without UTF-8; NULL: the same */
	const char *help;  /* one line, no full stop */
};

extern const struct legend_row legend[];
extern const size_t legend_count;

void help_release(struct help_rows *);

#endif
