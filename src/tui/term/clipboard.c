// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/term/clipboard.h"

#include <stdlib.h>

#include "base/escape.h"

/* Screen passes strings on in pieces, and takes none longer than some hundred bytes. */
enum { SCREEN_PIECE = 240 };

enum clipboard_wrap
clipboard_between(void)
{
	const char *term = getenv("TERM");
	struct str name = str_from(term != NULL ? term : "");

	if (getenv("TMUX") != NULL || str_starts(name, STR("tmux")))
		return CLIPBOARD_TMUX;
	if (getenv("STY") != NULL || str_starts(name, STR("screen")))
		return CLIPBOARD_SCREEN;
	return CLIPBOARD_PLAIN;
}

void
clipboard_sequence(struct sbuf *out, struct str text, enum clipboard_wrap wrap)
{
	struct sbuf inner = {0};

	sbuf_text(&inner, "\033]52;c;");
	base64_append(&inner, text);
	sbuf_char(&inner, '\a');
	switch (wrap) {
	case CLIPBOARD_PLAIN:
		sbuf_str(out, sbuf_view(&inner));
		break;
	case CLIPBOARD_TMUX:
		/* tmux may be told to set it by itself, or to let it through. */
		sbuf_str(out, sbuf_view(&inner));
		sbuf_text(out, "\033Ptmux;\033");
		sbuf_str(out, sbuf_view(&inner));
		sbuf_text(out, "\033\\");
		break;
	case CLIPBOARD_SCREEN:
		for (size_t at = 0; at < inner.n; at += SCREEN_PIECE) {
			size_t n = inner.n - at < SCREEN_PIECE ? inner.n - at
							       : SCREEN_PIECE;

			sbuf_text(out, "\033P");
			sbuf_bytes(out, inner.p + at, n);
			sbuf_text(out, "\033\\");
		}
		break;
	}
	sbuf_release(&inner);
}

static bool
by_terminal(struct term *term, struct str text, struct err *e)
{
	struct sbuf out = {0};

	if (text.n > CLIPBOARD_MAX)
		return err_set(e, ERR_LIMIT,
		    "%zu bytes are more than terminals copy (%d); see clipboard=cmd:",
		    text.n, (int)CLIPBOARD_MAX);
	clipboard_sequence(&out, text, clipboard_between());
	term_send(term, sbuf_view(&out));
	sbuf_release(&out);
	return true;
}

bool
clipboard_put(struct term *term, const char *how, struct str text, struct err *e)
{
	struct str setting = str_from(how);
	struct helper program = {0};
	bool good;

	if (str_equal(setting, STR("off")))
		return err_set(e, ERR_UNSUPPORTED, "the setting clipboard is off");
	if (!str_starts(setting, STR("cmd:")))
		return by_terminal(term, text, e);
	good = helper_split(&program, (struct str){setting.p + 4, setting.n - 4}, e) &&
	    helper_feed(&program, text, e);
	helper_release(&program);
	return good;
}
