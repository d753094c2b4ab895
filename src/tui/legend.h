/*
 * legend: what the signs on the screen mean, for the help: letters, bars and marks that
 * views draw beside words and figures.
 */
#ifndef SLOWTOP_TUI_LEGEND_H
#define SLOWTOP_TUI_LEGEND_H

#include <stdbool.h>
#include <stddef.h>

struct legend_row {
	unsigned contexts; /* of bindings.h */
	bool log;          /* only text logs have it */
	const char *sign;
	const char *ascii; /* in place of it on terminals without UTF-8; NULL: the same */
	const char *help;  /* one line, no full stop */
};

extern const struct legend_row legend[];
extern const size_t legend_count;

#endif
