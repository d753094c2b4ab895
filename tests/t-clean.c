// SPDX-License-Identifier: Apache-2.0
/* clean: what hostile names become, and that the result needs no more cleaning. */
#include <config.h>

#include "base/utf8.h"

#include <locale.h>
#include <stdlib.h>

#include "tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define FFFD         "\xef\xbf\xbd"
#define ACUTE        "\xcc\x81"

/* clang-format off */
static const struct {
	const char *name;
	struct str in;
	unsigned flags; /* without CLEAN_ASCII */
	const char *utf8, *ascii;
} cases[] = {
    {"nothing", STR(""), 0, "", ""},
    {"plain", STR("a.b$C.<init> ~"), 0, "a.b$C.<init> ~", "a.b$C.<init> ~"},
    {"colour", STR("\x1b[31mred"), 0, "^[[31mred", "^[[31mred"},
    {"title", STR("\x1b]0;x\x07"), 0, "^[]0;x^G", "^[]0;x^G"},
    {"controls", STR("\0\t\n\r\x1f\x7f"), 0, "^@^I^J^M^_^?", "^@^I^J^M^_^?"},
    {"C1 as UTF-8", STR("\xc2\x9b" "31m"), 0, FFFD "31m", "?31m"},
    {"C1 as a byte", STR("\x9b" "31m"), 0, FFFD "31m", "?31m"},
    {"accent", STR("caf\xc3\xa9"), 0, "caf\xc3\xa9", "caf?"},
    {"wide", STR("\xe4\xb8\xad"), 0, "\xe4\xb8\xad", "?"},
    {"emoji", STR("\xf0\x9f\x98\x80"), 0, "\xf0\x9f\x98\x80", "?"},
    {"override", STR("a\xe2\x80\xae" "b"), 0, "a" FFFD "b", "a?b"},
    {"isolate", STR("a\xe2\x81\xa6" "b"), 0, "a" FFFD "b", "a?b"},
    {"zero width space", STR("a\xe2\x80\x8b" "b"), 0, "a" FFFD "b", "a?b"},
    {"joiner", STR("a\xe2\x80\x8d" "b"), 0, "a" FFFD "b", "a?b"},
    {"byte order mark", STR("\xef\xbb\xbf" "b"), 0, FFFD "b", "?b"},
    {"line separator", STR("a\xe2\x80\xa8" "b"), 0, "a" FFFD "b", "a?b"},
    {"noncharacter", STR("\xef\xbf\xbf"), 0, FFFD, "?"},
    {"tag", STR("\xf3\xa0\x81\x81"), 0, FFFD, "?"},
    {"malformed", STR("\xf0\x9f\x98" "a\xc0\x80"), 0, FFFD "a" FFFD FFFD, "?a??"},
    {"mark", STR("e" ACUTE), 0, "e" ACUTE, "e?"},
    {"mark first", STR(ACUTE "e"), 0, FFFD "e", "?e"},
    {"marks first", STR(ACUTE ACUTE ACUTE "e"), 0, FFFD "e", "???e"},
    {"four marks", STR("e" ACUTE ACUTE ACUTE ACUTE), 0, "e" ACUTE ACUTE ACUTE ACUTE,
	"e????"},
    {"six marks", STR("e" ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE "f"), 0,
	"e" ACUTE ACUTE ACUTE ACUTE FFFD "f", "e??????f"},
    {"mark on a control", STR("\x1b" ACUTE), 0, "^[" ACUTE, "^[?"},
    {"surrogates", STR("\xed\xa0\xbd\xed\xb8\x80"), 0, FFFD FFFD FFFD FFFD FFFD FFFD,
	"??????"},
    {"modified: NUL", STR("a\xc0\x80" "b"),
	CLEAN_MUTF8, "a^@b", "a^@b"},
    {"modified: pair", STR("\xed\xa0\xbd\xed\xb8\x80!"), CLEAN_MUTF8, "\xf0\x9f\x98\x80!",
	"?!"},
    {"modified: hidden pair", STR("\xed\xad\x80\xed\xb0\x81"), CLEAN_MUTF8, FFFD, "?"},
    {"modified: high alone", STR("\xed\xa0\xbd!"), CLEAN_MUTF8, FFFD "!", "?!"},
    {"modified: low alone", STR("\xed\xb8\x80!"), CLEAN_MUTF8, FFFD "!", "?!"},
    {"modified: low, high", STR("\xed\xb8\x80\xed\xa0\xbd"), CLEAN_MUTF8, FFFD FFFD,
	"??"},
    {"modified: high, high, low", STR("\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80"),
	CLEAN_MUTF8, FFFD "\xf0\x9f\x98\x80", "??"},
    {"modified: cut", STR("\xed\xa0\xbd\xed\xb8"), CLEAN_MUTF8, FFFD FFFD FFFD, "???"},
    {"modified: plain UTF-8", STR("\xf0\x9f\x98\x80\xed\x80\x80"), CLEAN_MUTF8,
	"\xf0\x9f\x98\x80\xed\x80\x80", "??"},
};
/* clang-format on */

static void
test_cases(void)
{
	struct sbuf out = {0}, again = {0};

	for (size_t i = 0; i < COUNT(cases); i++) {
		unsigned flags = cases[i].flags;
		/* A copy of its own size, so that reading past the end is noticed. */
		char *copy = malloc(cases[i].in.n + 1);
		struct str in = {copy + 1, cases[i].in.n};

		memcpy(copy + 1, cases[i].in.p, in.n);
		sbuf_clear(&out);
		clean_append(&out, in, flags);
		is_str(sbuf_cstr(&out), cases[i].utf8, "%s", cases[i].name);
		sbuf_clear(&again);
		clean_append(&again, sbuf_view(&out), flags);
		is_str(sbuf_cstr(&again), sbuf_cstr(&out), "again");
		sbuf_clear(&out);
		clean_append(&out, in, flags | CLEAN_ASCII);
		is_str(sbuf_cstr(&out), cases[i].ascii, "%s, in ASCII", cases[i].name);
		free(copy);
	}
	sbuf_release(&out);
	sbuf_release(&again);
}

/* Every character, on a base: visible, bounded, and nothing left to clean. */
static void
test_all_characters(const char *locale)
{
	struct sbuf out = {0};
	uint32_t hidden = 0, widthless = 0, long_ones = 0;

	for (uint32_t c = 0; c <= 0x10ffff; c++) {
		char bytes[5] = "x";
		struct str in = {bytes, 1 + utf8_put(bytes + 1, c)}, rest;

		sbuf_clear(&out);
		clean_append(&out, in, 0);
		long_ones += out.n > 3 * in.n;
		for (rest = sbuf_view(&out); rest.n > 0;) {
			uint32_t got = utf8_next(&rest);

			hidden += utf8_hidden(got);
			widthless += utf8_char_width(got) < 0;
		}
	}
	is_int(hidden, 0, "no hidden character is left (%s)", locale);
	is_int(widthless, 0, "all have a width (%s)", locale);
	is_int(long_ones, 0, "at most three bytes for one (%s)", locale);
	sbuf_release(&out);
}

static void
test_append(void)
{
	struct sbuf out = {0};

	sbuf_text(&out, "|");
	clean_append(&out, STR(ACUTE), 0);
	is_str(sbuf_cstr(&out), "|" FFFD, "a mark does not reach what was there before");
	sbuf_release(&out);
}

int
main(void)
{
	setlocale(LC_ALL, "C");
	test_cases();
	test_append();
	test_all_characters("C");
	if (setlocale(LC_ALL, "C.UTF-8") == NULL) {
		skip("no C.UTF-8 locale here");
		return tap_done();
	}
	test_cases();
	test_all_characters("C.UTF-8");
	return tap_done();
}
