/*
 * complete: the words that Tab offers in prompts.
 *
 * Functions look at the prompt that is open, offer what fits there (prompt_offer) and
 * return whether the text changed.
 */
#ifndef SLOWTOP_TUI_KEYS_COMPLETE_H
#define SLOWTOP_TUI_KEYS_COMPLETE_H

#include <stdbool.h>

#include "base/str.h"

struct app;

/* Packages and classes of the trace, one part further each time. */
bool complete_package(struct app *);
/* Names of files. */
bool complete_file(struct app *);
/* The words of the command line, settings and their values, files. */
bool complete_line(struct app *);

#endif
