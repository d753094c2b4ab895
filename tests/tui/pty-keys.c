// SPDX-License-Identifier: Apache-2.0
/* Keys for a program in a terminal. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/pty_state.h"

void
pty_bytes(struct pty *p, const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t n = write(p->master, bytes, count);

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			bytes += n;
			count -= (size_t)n;
		}
	}
}

void
pty_keys(struct pty *p, const char *keys)
{
	static const struct {
		const char *name, *bytes;
	} table[] = {
	    {"<Down>", "\033[B"},
	    {"<Up>", "\033[A"},
	    {"<Right>", "\033[C"},
	    {"<Left>", "\033[D"},
	    {"<Home>", "\033[H"},
	    {"<End>", "\033[F"},
	    {"<PageDown>", "\033[6~"},
	    {"<PageUp>", "\033[5~"},
	    {"<Delete>", "\033[3~"},
	    {"<Enter>", "\r"},
	    {"<Tab>", "\t"},
	    {"<S-Tab>", "\033[Z"},
	    {"<Backspace>", "\177"},
	    {"<Escape>", "\033"},
	    {"<Space>", " "},
	    {"<lt>", "<"},
	    {"<F1>", "\033OP"},
	    {"<F2>", "\033OQ"},
	    {"<F3>", "\033OR"},
	    {"<F4>", "\033OS"},
	    {"<F5>", "\033[15~"},
	    {"<F6>", "\033[17~"},
	    {"<F7>", "\033[18~"},
	    {"<F8>", "\033[19~"},
	    {"<F9>", "\033[20~"},
	    {"<F10>", "\033[21~"},
	};

	char bytes[512];
	size_t count = 0;

	/* As one piece, faster than typing. */
	while (*keys != '\0' && count < sizeof(bytes) - 8) {
		bool named = false;

		for (size_t i = 0; i < sizeof(table) / sizeof(table[0]) && !named; i++) {
			size_t n = strlen(table[i].name);

			if (strncmp(keys, table[i].name, n) != 0)
				continue;
			memcpy(bytes + count, table[i].bytes, strlen(table[i].bytes));
			count += strlen(table[i].bytes);
			keys += n;
			named = true;
		}
		if (named)
			continue;
		if (strncmp(keys, "<C-", 3) == 0 && keys[3] != '\0' && keys[4] == '>') {
			bytes[count++] = (char)(keys[3] & 0x1f);
			keys += 5;
			continue;
		}
		bytes[count++] = *keys++;
	}
	pty_bytes(p, bytes, count);
}
