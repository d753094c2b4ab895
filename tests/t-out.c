// SPDX-License-Identifier: Apache-2.0
/* What leaves the program: base64, clipboard sequences, commands, source files. */
#include <config.h>

#include "tap/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "tui/sources.h"
#include "tui/term/clipboard.h"
#include "tui/term/helper.h"

static void
base64(void)
{
	/* RFC 4648, section 10. */
	static const char *const table[][2] = {
	    {"", ""},
	    {"f", "Zg=="},
	    {"fo", "Zm8="},
	    {"foo", "Zm9v"},
	    {"foob", "Zm9vYg=="},
	    {"fooba", "Zm9vYmE="},
	    {"foobar", "Zm9vYmFy"},
	    {"\xff\xfe\xfd", "//79"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct sbuf out = {0};

		base64_append(&out, str_from(table[i][0]));
		is_str(sbuf_cstr(&out), table[i][1], "base64, %zu", i);
		sbuf_release(&out);
	}
}

static void
sequences(void)
{
	char *large = calloc(1, CLIPBOARD_MAX);
	struct sbuf out = {0};
	bool short_pieces = true;

	clipboard_sequence(&out, STR("foo"), CLIPBOARD_PLAIN);
	is_str(sbuf_cstr(&out), "\033]52;c;Zm9v\a", "plain");
	sbuf_clear(&out);
	clipboard_sequence(&out, STR("foo"), CLIPBOARD_TMUX);
	is_str(sbuf_cstr(&out),
	    "\033]52;c;Zm9v\a\033Ptmux;\033\033]52;c;Zm9v\a\033\\",
	    "for tmux and through it");
	sbuf_clear(&out);
	clipboard_sequence(&out, STR("foo"), CLIPBOARD_SCREEN);
	is_str(sbuf_cstr(&out), "\033P\033]52;c;Zm9v\a\033\\", "through screen");
	sbuf_clear(&out);
	clipboard_sequence(&out, (struct str){large, CLIPBOARD_MAX}, CLIPBOARD_PLAIN);
	is_int((int64_t)out.n, 100000, "the longest");
	sbuf_clear(&out);
	clipboard_sequence(&out, (struct str){large, CLIPBOARD_MAX}, CLIPBOARD_SCREEN);
	for (const char *p = strstr(out.p, "\033P"); p != NULL;) {
		const char *end = strstr(p, "\033\\");

		short_pieces = short_pieces && end != NULL && end - p <= 250;
		p = end != NULL ? strstr(end, "\033P") : NULL;
	}
	ok(short_pieces && out.n > 100000, "screen gets it in pieces");
	sbuf_release(&out);
	free(large);
}

static void
between(void)
{
	static const struct {
		const char *term, *tmux, *sty;
		enum clipboard_wrap wrap;
	} table[] = {
	    {"xterm-256color", NULL, NULL, CLIPBOARD_PLAIN},
	    {"tmux-256color", NULL, NULL, CLIPBOARD_TMUX},
	    {"screen-256color", "/tmp/x,1,0", NULL, CLIPBOARD_TMUX},
	    {"screen.xterm", NULL, "1.pts", CLIPBOARD_SCREEN},
	    {"xterm", NULL, "1.pts", CLIPBOARD_SCREEN},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		setenv("TERM", table[i].term, 1);
		unsetenv("TMUX");
		unsetenv("STY");
		if (table[i].tmux != NULL)
			setenv("TMUX", table[i].tmux, 1);
		if (table[i].sty != NULL)
			setenv("STY", table[i].sty, 1);
		is_int(clipboard_between(), table[i].wrap, "the program between, %zu", i);
	}
}

static void
commands(void)
{
	static const struct {
		const char *command, *words; /* with | between; NULL: refused */
	} table[] = {
	    {"vi", "vi"},
	    {"  code   -w ", "code|-w"},
	    {"'my editor' -x", "my editor|-x"},
	    {"\"a b\"c d", "a bc|d"},
	    {"a\\ b c", "a b|c"},
	    {"a '' b", "a||b"},
	    {"'a\\b'", "a\\b"},
	    {"\"a\\\"b\"", "a\"b"},
	    {"less; rm -rf $HOME `x`", "less;|rm|-rf|$HOME|`x`"},
	    {"", NULL},
	    {"   ", NULL},
	    {"'a", NULL},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct helper h = {0};
		struct err e = {0};
		struct sbuf out = {0};
		bool good = helper_split(&h, str_from(table[i].command), &e);

		for (size_t k = 0; k < h.count; k++)
			sbuf_printf(&out, "%s%s", k > 0 ? "|" : "", h.argv[k]);
		if (table[i].words == NULL)
			ok(!good && e.what[0] != '\0', "'%s' is refused",
			    table[i].command);
		else
			is_str(sbuf_cstr(&out), table[i].words, "words of '%s'",
			    table[i].command);
		sbuf_release(&out);
		helper_release(&h);
	}
}

static void
sources(void)
{
	static const struct {
		const char *folders, *class_name, *file, *found; /* NULL: not */
	} table[] = {
	    {"@/one", "com.example.feed.Adapter", "Adapter.java",
		"@/one/com/example/feed/Adapter.java"},
	    {"@/two", "com.example.feed.Adapter", "Adapter.java",
		"@/two/feed/Adapter.java"},
	    {"@/none:@/two/:@/one", "com.example.feed.Adapter", "Adapter.java",
		"@/two/feed/Adapter.java"},
	    {"@/one", "com.example.feed.Adapter$Inner", "",
		"@/one/com/example/feed/Adapter.java"},
	    {"@/one", "Main", "Main.kt", "@/one/Main.kt"},
	    {"@/one", "Main", "", "@/one/Main.kt"},
	    {"~/one", "Main", "Main.kt", "@/one/Main.kt"},
	    {"@/one", "com.example.feed.Adapter", "Other.java", NULL},
	    {"@/one", "a.b.C", "../one/Main.kt", NULL},
	    {"@/two", "...one.Main", "Main.kt", NULL},
	    {"@/one", "", "", NULL},
	    {"", "Main", "Main.kt", NULL},
	    {":", "Main", "Main.kt", NULL},
	};
	char folder[] = "t-out.XXXXXX", command[400];

	if (!ok(mkdtemp(folder) != NULL, "a folder"))
		return;
	setenv("HOME", folder, 1);
	snprintf(command, sizeof(command),
	    "cd %s && mkdir -p one/com/example/feed two/feed none && "
	    "touch one/com/example/feed/Adapter.java two/feed/Adapter.java one/Main.kt",
	    folder);
	ok(system(command) == 0, "some files");
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct sbuf folders = {0}, want = {0}, path = {0};
		struct err e = {0};
		bool found;

		for (const char *p = table[i].folders; *p != '\0'; p++)
			if (*p == '@')
				sbuf_text(&folders, folder);
			else
				sbuf_char(&folders, *p);
		found = sources_find(sbuf_cstr(&folders), str_from(table[i].class_name),
		    str_from(table[i].file), &path, &e);
		if (table[i].found == NULL) {
			ok(!found && e.what[0] != '\0', "source %zu is not found: %s", i,
			    e.what);
		} else {
			sbuf_printf(&want, "%s%s", folder, table[i].found + 1);
			is_str(sbuf_cstr(&path), sbuf_cstr(&want), "source %zu", i);
		}
		sbuf_release(&folders);
		sbuf_release(&want);
		sbuf_release(&path);
	}
	snprintf(command, sizeof(command), "rm -r %s", folder);
	ok(system(command) == 0, "removed");
}

int
main(void)
{
	base64();
	sequences();
	between();
	commands();
	sources();
	return tap_done();
}
