// SPDX-License-Identifier: Apache-2.0
/* Keys out of bytes: where time decides, as in a paste without end, and garbage. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap/tap.h"
#include "tui/term/reader.h"

struct typist {
	struct key_reader *reader;
	int fds[2];
	char keys[400]; /* names, pasted ones with a `~` */
};

/* The keys when these bytes come at that time, and nothing right after them. */
static const char *
type(struct typist *t, uint64_t at_ms, const char *bytes)
{
	struct key key;
	size_t n = 0;

	if (write(t->fds[1], bytes, strlen(bytes)) != (ssize_t)strlen(bytes) ||
	    !reader_fill(t->reader, at_ms))
		skip_all("cannot type");
	t->keys[0] = '\0';
	for (int i = 0; i < 2; i++) {
		while (reader_next(t->reader, &key))
			n += (size_t)snprintf(t->keys + n, sizeof(t->keys) - n, "%s%s ",
			    key.pasted ? "~" : "", key.name);
		reader_no_more(t->reader);
	}
	return t->keys;
}

int
main(void)
{
	struct err e = {0};
	struct typist t = {NULL, {-1, -1}, ""};

	setenv("TERM", "xterm-256color", 1);
	if (pipe(t.fds) < 0)
		skip_all("no pipe");
	t.reader = reader_new(t.fds[0], 50, &e);
	if (t.reader == NULL)
		skip_all("%s", e.what);
	reader_start(t.reader);

	is_str(type(&t, 1000, "\033[200~q"), "~q ", "a paste begins");
	is_str(type(&t, 2900, "q"), "~q ", "and may stop for a while");
	is_str(type(&t, 4800, "\033[201~q"), "q ", "until its end");

	is_str(type(&t, 5000, "\033[200~q"), "~q ", "another");
	is_str(type(&t, 7000, "q"), "q ", "ends with a silence");

	is_str(type(&t, 7100, "\033[200~"), "", "one of garbage");
	is_str(type(&t, 7120, "\003"), "~<C-c> ", "^C after other bytes is text");
	is_str(type(&t, 7200, "\003q"), "~<C-c> ~q ", "so it is before others");
	is_str(type(&t, 7300, "a\003"), "~a ~<C-c> ", "and after them");
	is_str(type(&t, 7400, "\003"), "<C-c> ", "alone it is a key");
	is_str(type(&t, 7410, "q"), "q ", "and the paste over");

	is_str(type(&t, 8000, "\033[200~"), "", "garbage again");
	is_str(type(&t, 8020, "\033"), "~<Escape> ", "Esc after other bytes is text");
	is_str(type(&t, 8100, "\033"), "<Escape> ", "alone it is a key");
	is_str(type(&t, 8110, "q"), "q ", "and the paste over");

	is_str(type(&t, 9000, "\233A"), "<Up> ", "a key begins with one byte, too");
	is_str(type(&t, 9100, "\233'R\233>5z\033\233?7~j"), "j ", "garbage after that is no key");
	is_str(type(&t, 9200, "\377\233'R"), "\357\277\275 ", "nor after other garbage");
	is_str(type(&t, 9300, "\320\233'R"), "\320\233 ' R ", "that byte in a letter is none");

	reader_free(t.reader);
	close(t.fds[0]);
	close(t.fds[1]);
	return tap_done();
}
