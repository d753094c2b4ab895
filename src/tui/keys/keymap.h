// SPDX-License-Identifier: Apache-2.0
/*
 * keymap: which key runs which command where, as the configuration changed it.
 *
 * Starts as the table of commands.h.  Keys given to a command take the place of all that
 * it had, and go before those that other commands have from the table: a key never runs
 * two commands in one place.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "tui/keys/commands.h"

struct keymap;

struct keymap *keymap_new(void);
void keymap_free(struct keymap *);

/*
 * Gives a command these keys (names with blanks between, none: it has none any more)
 * wherever it works; "default" as the only word puts back those of the table.  False
 * when there is no such command or key, a key was given to another one, too, or is text
 * where the command works.
 */
bool keymap_set(struct keymap *, struct str command, struct str keys, struct err *);

/* NULL when the key does nothing there. */
const struct command *keymap_find(
    const struct keymap *, unsigned contexts, const char *key);
/*
 * The names of all keys that run a command there, with blanks between; empty when none
 * does.  Returns whether they are others than those of the table.
 */
bool keymap_keys(const struct keymap *, unsigned contexts, const char *command, char *out,
    size_t size);
/*
 * The first of them as a reader knows it ("^F", "PgDn"), or ""; `function`: the first
 * function key, if it has one.
 */
const char *keymap_key(const struct keymap *, unsigned contexts, const char *command,
    bool function, char out[static 32]);
