// SPDX-License-Identifier: Apache-2.0
/*
 * clipboard: text for the clipboard of the terminal's user.
 *
 * By the setting `clipboard`: "osc52" has the terminal do it, also over ssh, and through
 * tmux and screen; "cmd:PROGRAM" gives it to a program; "off".  Whether a terminal did it
 * cannot be known.
 */
#pragma once

#include "base/err.h"
#include "base/sbuf.h"
#include "base/str.h"
#include "tui/term/term.h"

/* As many bytes as terminals take: 100 000 with all that is around them. */
enum { CLIPBOARD_MAX = 74994 };

/* `how`: the setting.  False, and why, when it is known that it was not done. */
bool clipboard_put(struct term *, const char *how, struct str text, struct err *);

enum clipboard_wrap { CLIPBOARD_PLAIN, CLIPBOARD_TMUX, CLIPBOARD_SCREEN };

/* The multiplexer between us and the terminal, by the environment. */
enum clipboard_wrap clipboard_between(void);
/* The sequence that sets the clipboard (OSC 52), so wrapped that it gets through. */
void clipboard_sequence(struct sbuf *out, struct str text, enum clipboard_wrap);
