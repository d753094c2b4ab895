/*
 * graphviz: draws a graph with the program dot, started without a shell.
 */
#ifndef SLOWTOP_CLI_GRAPHVIZ_H
#define SLOWTOP_CLI_GRAPHVIZ_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/*
 * Writes `path` from the graph in DOT's language, in the form that its suffix names:
 * .svg, .pdf, .dot and .gv (the text itself), else PNG; "-" is standard output.
 * ERR_CANCELLED when it was.
 */
bool graphviz_draw(struct str graph, const char *path, const atomic_bool *cancel,
    struct err *e);
/* The text itself, whatever the suffix. */
bool graphviz_keep(struct str graph, const char *path, struct err *e);

#endif
