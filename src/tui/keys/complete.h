// SPDX-License-Identifier: Apache-2.0
/*
 * complete: the words that Tab offers in prompts.
 *
 * Each offers words for the prompt that is open (prompt_offer), and returns whether its text
 * changed.
 */
#pragma once

#include <stdbool.h>

struct app;

/* Packages and classes of the trace, one part further each time. */
bool complete_package(struct app *);
/* Names of files. */
bool complete_file(struct app *);
/* Commands, and what they take after their name. */
bool complete_line(struct app *);
