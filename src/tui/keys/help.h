/*
 * help: the keys that work here, from the table of bindings, as a popup.
 */
#ifndef SLOWTOP_TUI_KEYS_HELP_H
#define SLOWTOP_TUI_KEYS_HELP_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
