/*
 * bindings: which key runs which command where.  The help screen shows this table.
 */
#ifndef SLOWTOP_TUI_BINDINGS_H
#define SLOWTOP_TUI_BINDINGS_H

#include <stddef.h>

#include "tui/commands.h"

enum context {
	IN_TABLE = 1 << 0,
	IN_TIMELINE = 1 << 1,
	IN_INFO = 1 << 2, /* trace information and details */
	IN_PANES = IN_TABLE | IN_TIMELINE,
	IN_ALL = IN_PANES | IN_INFO,
};

struct binding {
	unsigned contexts;
	const char *keys;    /* names with blanks between, the one to show first */
	const char *command; /* name */
};

extern const struct binding bindings[];
extern const size_t binding_count;

/* NULL when the key does nothing there. */
const struct command *bindings_find(unsigned contexts, const char *key);
/* The first key of a command there, as a reader knows it ("^F", "PgDn"); or "". */
const char *bindings_key(unsigned contexts, const char *command, char out[static 32]);
/* Names of keys, blank-separated, as a reader knows them. */
void bindings_label(const char *keys, char *out, size_t size);
/* Whether a blank-separated list has the name. */
int bindings_has(const char *keys, const char *key);

#endif
