/*
 * bindings: which key runs which command where, unless the configuration says otherwise
 * (keymap.h), and how keys are shown.
 */
#ifndef SLOWTOP_TUI_BINDINGS_H
#define SLOWTOP_TUI_BINDINGS_H

#include <stddef.h>

#include "tui/commands.h"

enum context {
	IN_TABLE = 1 << 0,
	IN_TIMELINE = 1 << 1,
	IN_INFO = 1 << 2, /* trace information, and details of a method */
	IN_TREE = 1 << 3, /* call tree and callers */
	IN_CALLS = 1 << 4, /* the calls of a method */
	IN_FLAME = 1 << 5,
	IN_THREADS = 1 << 6,
	IN_USAGE = 1 << 7, /* tables of a text log */
	IN_DIFF = 1 << 9, /* the trace compared with another */
	IN_DETAILS = 1 << 8, /* of a log's slice or thread */
	IN_LIST = 1 << 10, /* to choose from, over any view */
	IN_PROMPT = 1 << 11, /* while a line is typed */
	IN_PANES = IN_TABLE | IN_TIMELINE,
	IN_ROWS = IN_TABLE | IN_TREE,
	IN_LINES = IN_ROWS | IN_CALLS | IN_THREADS | IN_USAGE | IN_DIFF, /* with columns */
	IN_LISTS = IN_PANES | IN_TREE | IN_FLAME, /* of methods */
	IN_VIEWS = IN_LISTS | IN_CALLS | IN_THREADS | IN_USAGE | IN_DIFF, /* all that is no text */
	IN_TEXT = IN_INFO | IN_DETAILS,
	IN_ALL = IN_VIEWS | IN_TEXT, /* views; not what stands over them */
};

struct binding {
	unsigned contexts;
	const char *keys;    /* names with blanks between, the one to show first */
	const char *command; /* name */
};

extern const struct binding bindings[];
extern const size_t binding_count;

/* What the keys of a context are about. */
struct context_row {
	unsigned context;
	const char *name; /* "profile table": for the help */
	const char *word; /* "table": for the manual */
	const char *const *hints; /* commands for the last line, the most useful first */
};

extern const struct context_row context_table[]; /* ends with context 0 */
const struct context_row *context_find(unsigned context);

/* Names of keys, blank-separated, as a reader knows them. */
void bindings_label(const char *keys, char *out, size_t size);
/* Whether a blank-separated list has the name. */
int bindings_has(const char *keys, const char *key);

#endif
