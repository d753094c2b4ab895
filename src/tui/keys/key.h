// SPDX-License-Identifier: Apache-2.0
/*
 * key: one key press, by name.
 *
 * Names are those of vim: "j", "<C-f>", "<PageDown>", "<M-x>", "<Space>"; the same in
 * the key table, the help and the tests.  Variants that terminals send for one key have
 * one name here (<C-h> is <Backspace>, <Find> is <Home>, <KPEnter> is <Enter>).
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

enum mouse_event { MOUSE_NONE, MOUSE_CLICK, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct key {
	char name[32];
	char text[8]; /* UTF-8 of a printing key without modifiers, else "" */
	bool pasted;  /* part of a bracketed paste: text, never a command */
	enum mouse_event mouse; /* it is none, then: at row and column of the screen */
	int row, column;
};

/* The key that was pressed after Esc when both arrived as one "<M-x>"; false if not. */
bool key_without_meta(const struct key *, struct key *plain);
/*
 * A key as people write it ("j", "<Esc>", "^F", "<c-f>") by its one name; false when no
 * terminal sends it, or not under this name.
 */
bool key_name_read(struct str text, char name[static 32], struct err *);
/* True if a key of that name is a character in a prompt. */
bool key_is_text(const char *name);

/* Names of keys, blank-separated, as a reader knows them. */
void keys_label(const char *keys, char *out, size_t size);
/* True if a blank-separated list has the name. */
bool keys_have(const char *keys, const char *key);
