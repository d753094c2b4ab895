// SPDX-License-Identifier: Apache-2.0
/* utf8: what is well-formed, how malformed bytes are cut, widths and truncation. */
#include <config.h>

#include "base/utf8.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define BAD          UTF8_MALFORMED

/* The malformed ones are Unicode's own examples (section 3.9) and our boundaries. */
static void
test_next(void)
{
	static const struct {
		struct str bytes;
		uint32_t want[8];
		size_t lengths[8];
	} cases[] = {
	    {STR("\0"), {0}, {1}},
	    {STR("\x7f"), {0x7f}, {1}},
	    {STR("\xc2\x80"), {0x80}, {2}},
	    {STR("\xdf\xbf"), {0x7ff}, {2}},
	    {STR("\xe0\xa0\x80"), {0x800}, {3}},
	    {STR("\xed\x9f\xbf"), {0xd7ff}, {3}},
	    {STR("\xee\x80\x80"), {0xe000}, {3}},
	    {STR("\xef\xbf\xbf"), {0xffff}, {3}},
	    {STR("\xf0\x90\x80\x80"), {0x10000}, {4}},
	    {STR("\xf4\x8f\xbf\xbf"), {0x10ffff}, {4}},
	    {STR("\x80\xbf"), {BAD, BAD}, {1, 1}},
	    {STR("\xc0\x80"), {BAD, BAD}, {1, 1}},
	    {STR("\xc1\xbf"), {BAD, BAD}, {1, 1}},
	    {STR("\xe0\x9f\xbf"), {BAD, BAD, BAD}, {1, 1, 1}},
	    {STR("\xed\xa0\x80"), {BAD, BAD, BAD}, {1, 1, 1}},
	    {STR("\xed\xbf\xbf"), {BAD, BAD, BAD}, {1, 1, 1}},
	    {STR("\xf0\x8f\xbf\xbf"), {BAD, BAD, BAD, BAD}, {1, 1, 1, 1}},
	    {STR("\xf4\x90\x80\x80"), {BAD, BAD, BAD, BAD}, {1, 1, 1, 1}},
	    {STR("\xf5\x80"), {BAD, BAD}, {1, 1}},
	    {STR("\xfe\xff"), {BAD, BAD}, {1, 1}},
	    {STR("\xc2"), {BAD}, {1}},
	    {STR("\xc2\x41"), {BAD, 0x41}, {1, 1}},
	    {STR("\xe2\x82"), {BAD}, {2}},
	    {STR("\xe2\x82\x41"), {BAD, 0x41}, {2, 1}},
	    {STR("\xe2\xc2\x80"), {BAD, 0x80}, {1, 2}},
	    {STR("\xf0\x9f\x98"), {BAD}, {3}},
	    {STR("\xf0\x9f\x98\xf0\x9f\x98\x80"), {BAD, 0x1f600}, {3, 4}},
	    {STR("\xf1\x80\x80\xe1\x80\xc2\x62"), {BAD, BAD, BAD, 0x62}, {3, 2, 1, 1}},
	    {STR("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), {BAD, BAD, BAD, BAD, 0x41},
		{2, 1, 3, 2, 1}},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		/* A copy of its own size, so that reading past the end is noticed. */
		char *copy = malloc(cases[i].bytes.n);
		struct str rest = {copy, cases[i].bytes.n};
		bool same = true;
		size_t k = 0;

		memcpy(copy, cases[i].bytes.p, cases[i].bytes.n);
		for (; rest.n > 0; k++) {
			size_t before = rest.n;
			uint32_t c = utf8_next(&rest);

			same = same && c == cases[i].want[k] &&
			       before - rest.n == cases[i].lengths[k];
		}
		ok(same && (k == 8 || cases[i].lengths[k] == 0), "bytes of case %zu", i);
		free(copy);
	}
}

static void
test_round_trip(void)
{
	uint32_t wrong = 0, refused = 0;
	char bytes[4];

	for (uint32_t c = 0; c <= 0x110000; c++) {
		struct str rest = {bytes, utf8_put(bytes, c)};

		if (rest.n == 0)
			refused++;
		else if (utf8_next(&rest) != c || rest.n != 0)
			wrong++;
	}
	is_int(wrong, 0, "every character comes back as it was put");
	is_int(
	    refused, 0x800 + 1, "only surrogates and what is above U+10FFFF are refused");
	is_int((int64_t)utf8_put(bytes, BAD), 0, "UTF8_MALFORMED is refused");
}

static const struct {
	uint32_t c;
	int want;
} widths[] = {
    {0, -1},    /* though not to wcwidth */
    {0x1b, -1}, /* ESC */
    {' ', 1},
    {'~', 1},
    {0x7f, -1},
    {0x9b, -1}, /* CSI */
    {0xe9, 1},
    {0x301, 0},   /* combining acute */
    {0x200b, 0},  /* zero width space */
    {0x200d, 0},  /* joiner */
    {0x1100, 2},  /* Hangul initial */
    {0x1161, 0},  /* Hangul vowel */
    {0x2500, 1},  /* box drawing */
    {0x2588, 1},  /* full block */
    {0x2028, -1}, /* line separator */
    {0x3042, 2},
    {0x4e00, 2},
    {0xac00, 2},
    {0xd800, -1},
    {0xfe0f, 0},
    {0xff21, 2}, /* fullwidth A */
    {0xff61, 1}, /* halfwidth full stop */
    {0xfffd, 1},
    {0x1f600, 2}, /* emoji */
    {0x20000, 2},
    {0xe0100, 0}, /* variation selector */
    {0x10ffff, 1},
    {0x110000, -1},
    {BAD, -1},
};

/* Prints what is wrong, and how many. */
static int
widths_wrong(const char *locale)
{
	int wrong = 0;

	for (size_t i = 0; i < COUNT(widths); i++) {
		/* The last value of a plane is private to some and unassigned to others. */
		if ((widths[i].c == 0x10ffff && utf8_locale()) ||
		    utf8_char_width(widths[i].c) == widths[i].want)
			continue;
		printf("# width of U+%04X in %s\n", (unsigned)widths[i].c, locale);
		wrong++;
	}
	return wrong;
}

/* Needs a UTF-8 locale. */
static void
test_elsewhere(void)
{
	signed char *here = malloc(0x110000);
	int known = 0, other = 0;

	setlocale(LC_ALL, "C");
	for (uint32_t c = 0; c < 0x110000; c++)
		here[c] = (signed char)utf8_char_width(c);
	setlocale(LC_ALL, "C.UTF-8");
	for (uint32_t c = 1; c < 0x110000; c++) {
		int there = utf8_char_width(c);

		known += there >= 0;
		other += there >= 0 && there != here[c];
	}
	free(here);
	ok(known > 100000, "the library knows %d characters", known);
	is_int(other, 0, "in the C locale they are as wide");
}

static void
test_hidden(void)
{
	static const uint32_t yes[] = {0, 0x1b, 0x7f, 0x80, 0x9f, 0xad, 0x34f, 0x61c,
	    0x115f, 0x180e, 0x200b, 0x200d, 0x200f, 0x2028, 0x202a, 0x202e, 0x2060,
	    0x2066, 0x2069, 0x206f, 0x3164, 0xfdd0, 0xfdef, 0xfe00, 0xfe0f, 0xfeff,
	    0xffa0, 0xfff9, 0xfffe, 0xffff, 0x1fffe, 0xe0001, 0xe0100, 0x10ffff};
	static const uint32_t no[] = {' ', '~', 0xa0, 0xae, 0x301, 0x5d0, 0x200a, 0x2010,
	    0x2027, 0x202f, 0x205f, 0x2070, 0x3163, 0xfdcf, 0xfdf0, 0xfe10, 0xfffc,
	    0xfffd, 0x1f600, 0x10fffd};

	for (size_t i = 0; i < COUNT(yes); i++)
		ok(utf8_hidden(yes[i]), "U+%04X is hidden", (unsigned)yes[i]);
	for (size_t i = 0; i < COUNT(no); i++)
		ok(!utf8_hidden(no[i]), "U+%04X is not hidden", (unsigned)no[i]);
}

#define E_ACUTE "e\xcc\x81" /* two characters, one cluster */
#define WIDE    "\xe4\xb8\xad"

static void
test_cut(void)
{
	static const struct {
		struct str s;
		size_t columns;
		struct str head, tail;
		size_t used_head, used_tail;
	} cases[] = {
	    /* clang-format off */
	    {STR(""), 0, STR(""), STR(""), 0, 0},
	    {STR(""), 9, STR(""), STR(""), 0, 0},
	    {STR("abc"), 0, STR(""), STR(""), 0, 0},
	    {STR("abc"), 2, STR("ab"), STR("bc"), 2, 2},
	    {STR("abc"), 3, STR("abc"), STR("abc"), 3, 3},
	    {STR("abc"), SIZE_MAX, STR("abc"), STR("abc"), 3, 3},
	    {STR(E_ACUTE "x" E_ACUTE), 1, STR(E_ACUTE), STR(E_ACUTE), 1, 1},
	    {STR(E_ACUTE "x" E_ACUTE), 2, STR(E_ACUTE "x"), STR("x" E_ACUTE), 2, 2},
	    {STR(WIDE WIDE), 1, STR(""), STR(""), 0, 0},
	    {STR(WIDE WIDE), 2, STR(WIDE), STR(WIDE), 2, 2},
	    {STR(WIDE WIDE), 3, STR(WIDE), STR(WIDE), 2, 2},
	    {STR("a" WIDE "b"), 2, STR("a"), STR("b"), 1, 1},
	    {STR("\xcc\x81" "a"), 0, STR("\xcc\x81"), STR(""), 0, 0},
	    {STR("a\xff\xff"), 2, STR("a\xff"), STR("\xff\xff"), 2, 2},
	    {STR("\x1b[m"), 2, STR("\x1b["), STR("[m"), 2, 2},
	    /* clang-format on */
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t used_head, used_tail;
		struct str head = utf8_head(cases[i].s, cases[i].columns, &used_head);
		struct str tail = utf8_tail(cases[i].s, cases[i].columns, &used_tail);

		is_mem(head.p, head.n, cases[i].head.p, cases[i].head.n,
		    "head of case %zu", i);
		is_mem(tail.p, tail.n, cases[i].tail.p, cases[i].tail.n,
		    "tail of case %zu", i);
		is_int((int64_t)used_head, (int64_t)cases[i].used_head, "its columns");
		is_int((int64_t)used_tail, (int64_t)cases[i].used_tail, "its columns");
		is_int(
		    (int64_t)utf8_width(head), (int64_t)used_head, "as utf8_width says");
		is_int(
		    (int64_t)utf8_width(tail), (int64_t)used_tail, "as utf8_width says");
	}
	is_int((int64_t)utf8_head(STR("ab"), 1, NULL).n, 1, "head without used");
	is_int((int64_t)utf8_tail(STR("ab"), 1, NULL).n, 1, "tail without used");
}

int
main(void)
{
	setlocale(LC_ALL, "C");
	ok(!utf8_locale(), "the C locale is not UTF-8");
	test_next();
	test_round_trip();
	test_hidden();
	is_int(widths_wrong("C"), 0, "widths in the C locale");
	test_cut();
	if (setlocale(LC_ALL, "C.UTF-8") == NULL) {
		skip("no C.UTF-8 locale here");
		return tap_done();
	}
	ok(utf8_locale(), "the locale is UTF-8");
	is_int(widths_wrong("C.UTF-8"), 0, "widths in C.UTF-8");
	test_cut();
	test_elsewhere();
	return tap_done();
}
