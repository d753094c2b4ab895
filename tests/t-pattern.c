// SPDX-License-Identifier: Apache-2.0
/* pattern: smart case, offsets of errors, limits, subjects of any bytes. */
#include <config.h>

#include "base/pattern.h"
#include "base/worker.h"

#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct pattern *
compile(struct str text, unsigned flags)
{
	struct pattern *p;
	struct err e = {0};

	if (!pattern_compile(text, flags, &p, &e))
		diag("%.*s: %s", STR_ARG(text), e.what);
	return p;
}

static void
test_match(void)
{
	static const struct {
		struct str text;
		unsigned flags;
		struct str subject;
		enum pattern_result want;
		size_t from, to;
	} cases[] = {
	    /* clang-format off */
	    {STR(""), 0, STR(""), PATTERN_MATCH, 0, 0},
	    {STR(""), 0, STR("abc"), PATTERN_MATCH, 0, 0},
	    {STR("b"), 0, STR("abc"), PATTERN_MATCH, 1, 2},
	    {STR("d"), 0, STR("abc"), PATTERN_NO, 0, 0},
	    {STR("^java\\."), 0, STR("java.lang"), PATTERN_MATCH, 0, 5},
	    {STR("lang$"), 0, STR("java.lang"), PATTERN_MATCH, 5, 9},
	    {STR("a.c"), 0, STR("a\0c"), PATTERN_MATCH, 0, 3},
	    {STR("a\0c"), 0, STR("a\0c"), PATTERN_MATCH, 0, 3},
	    {STR("a\0c"), 0, STR("a\0d"), PATTERN_NO, 0, 0},
	    {STR("\xc3\xa9"), 0, STR("caf\xc3\xa9"), PATTERN_MATCH, 3, 5},
	    {STR("^...$"), 0, STR("\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"), PATTERN_MATCH, 0, 9},
	    /* literal */
	    {STR("a.c"), PATTERN_LITERAL, STR("abc a.c"), PATTERN_MATCH, 4, 7},
	    {STR("(["), PATTERN_LITERAL, STR("f(["), PATTERN_MATCH, 1, 3},
	    {STR("\\W"), PATTERN_LITERAL, STR("\\w"), PATTERN_NO, 0, 0},
	    {STR("\\w"), PATTERN_LITERAL, STR("x\\W"), PATTERN_MATCH, 1, 3},
	    /* malformed subjects */
	    {STR("b"), 0, STR("\xff\xc3" "b\x80"), PATTERN_MATCH, 2, 3},
	    {STR("^.$"), 0, STR("\xff"), PATTERN_NO, 0, 0},
	    {STR("a.b"), 0, STR("a\xed\xa0\x80" "b"), PATTERN_NO, 0, 0},
	    {STR("x"), 0, STR("\xf0\x9f\x98"), PATTERN_NO, 0, 0},
	    /* the start is never after the end */
	    {STR("a\\Kb"), 0, STR("ab"), PATTERN_MATCH, 1, 2},
	    /* clang-format on */
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pattern *p = compile(cases[i].text, cases[i].flags);
		size_t from = 0, to = 0;
		char *copy = malloc(cases[i].subject.n + 1);
		struct str subject = {copy + 1, cases[i].subject.n};
		enum pattern_result got;

		if (!ok(p != NULL, "case %zu compiles", i)) {
			free(copy);
			continue;
		}
		memcpy(copy + 1, cases[i].subject.p, subject.n);
		got = pattern_match(p, subject, &from, &to);
		is_int(got, cases[i].want, "its result");
		is_int((int64_t)from, (int64_t)cases[i].from, "from");
		is_int((int64_t)to, (int64_t)cases[i].to, "to");
		is_int(pattern_match(p, subject, NULL, NULL), got,
		    "the same without places");
		pattern_free(p);
		free(copy);
	}
}

/* Each pattern on subjects that it matches with or without regard to case. */
static void
test_smart_case(void)
{
	static const struct {
		const char *text, *subject;
		bool caseless;
	} cases[] = {
	    {"abc", "ABC", true}, {"Abc", "ABC", false}, {"abC", "abc", false},
	    {"a[B-Z]c", "abc", false}, {"a\\Wb", "A-B", true}, {"a\\Sb", "AxB", true},
	    {"\\Aab\\Z", "AB", true}, {"\\Bb\\B", "ABA", true}, {"[\\W\\S]b", "AB", true},
	    {"\\p{Lu}b", "AB", true}, {"\\p{L}b", "AB", true}, {"\\P{Nd}b", "AB", true},
	    {"\\PNb", "AB", true}, {"\\x{4A}b", "jB", true}, {"\\x4Ab", "jB", true},
	    {"\\x4AB", "jb", false}, {"\\N{U+4A}b", "jB", true}, {"\\Nb", "aB", true},
	    {"\\NB", "ab", false}, {"\\\\b", "\\B", true}, {"\\\\B", "\\b", false},
	    {"\\Qa.b\\E", "A.B", true}, {"\\Qa.B\\E", "a.b", false},
	    {"\\Q\\W\\E", "\\w", false}, {"\\Qa\\Eb", "AB", true},
	    {"\\Qa\\EB", "ab", false}, {"\\Qa\\E\\Wb", "A-B", true},
	    {"(?<Name>a)b", "AB", true}, {"(?<Name>A)b", "ab", false},
	    {"(?P<Name>a)b", "AB", true}, {"(?'Name'a)b", "AB", true},
	    {"(?<N>a)\\k<N>", "AA", true}, {"(?<N>a)\\k{N}", "AA", true},
	    {"(?<N>a)\\k'N'", "AA", true}, {"(?<N>a)\\g{N}", "AA", true},
	    {"(?<N>a)(?P=N)", "AA", true}, {"(?<N>a)(?P>N)", "AA", true},
	    {"(?<N>a)(?&N)", "AA", true}, {"(?<N>a)(?(N)b|c)", "AB", true},
	    {"(?<N>a)(?(<N>)b|c)", "AB", true}, {"(?=A)a", "a", false},
	    {"(?<=A)b", "ab", false}, {"(?<!A)b", "B", false}, {"(?>A)b", "ab", false},
	    {"(?:A)b", "ab", false}, {"(?|A)b", "ab", false}, {"(?U)a+", "A", true},
	    {"(?U:a+)", "A", true}, {"(?U:A+)", "a", false}, {"(?#Not This)a", "A", true},
	    {"(*LIMIT_MATCH=900)a", "A", true}, {"(*NO_JIT)a", "A", true},
	    {"a(*ACCEPT)b", "A", true}, {"(*positive_lookahead:A)a", "a", false},
	    {"\\cAb",
		"\x01"
		"B",
		true},
	    {"\xc3\xa9", "\xc3\x89", true}, /* e acute and its capital */
	    {"\xc3\x89", "\xc3\xa9", false},
	    {"\xd0\xb6", "\xd0\x96", true}, /* Cyrillic zhe */
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pattern *p = compile(str_from(cases[i].text), 0);

		if (ok(p != NULL, "%s compiles", cases[i].text))
			is_int(pattern_match(p, str_from(cases[i].subject), NULL, NULL),
			    cases[i].caseless ? PATTERN_MATCH : PATTERN_NO, "%s on %s",
			    cases[i].text, cases[i].subject);
		pattern_free(p);
	}
}

static void
test_errors(void)
{
	static const struct {
		struct str text;
		const char *what; /* a part of the message */
		uint64_t offset;
	} cases[] = {
	    {STR("foo("), "parenthesis", 4},
	    {STR("foo)"), "parenthesis", 3},
	    {STR("a[b"), "]", 3},
	    {STR("*a"), "quantifier", 0},
	    {STR("a\\"), "\\", 2},
	    {STR("a\\C"), "\\C", 3},
	    {STR("ab\xff"), "UTF-8", 2},
	    {STR("(?<n>a)(?<n>b)"), "name", 12},
	};
	struct pattern *p;
	struct err e;
	char *text = malloc(PATTERN_MAX + 1);

	for (size_t i = 0; i < COUNT(cases); i++) {
		p = (struct pattern *)text;
		e = (struct err){0};
		ok(!pattern_compile(cases[i].text, 0, &p, &e), "case %zu is refused", i);
		ok(p == NULL, "no pattern comes out");
		is_int(e.kind, ERR_MALFORMED, "its kind");
		ok(strstr(e.what, cases[i].what) != NULL, "'%s' speaks of %s", e.what,
		    cases[i].what);
		ok(e.has_offset, "it has an offset");
		is_int((int64_t)e.offset, (int64_t)cases[i].offset, "which is right");
	}
	ok(!pattern_compile(STR("("), 0, &p, NULL), "the reason is optional");
	memset(text, 'a', PATTERN_MAX + 1);
	p = compile((struct str){text, PATTERN_MAX}, 0);
	ok(p != NULL, "the longest pattern");
	pattern_free(p);
	e = (struct err){0};
	ok(!pattern_compile((struct str){text, PATTERN_MAX + 1}, 0, &p, &e),
	    "one byte more");
	is_int(e.kind, ERR_LIMIT, "is beyond the limit");
	ok(p == NULL && strstr(e.what, "4096") != NULL, "'%s' says which", e.what);
	pattern_free(NULL);
	free(text);
}

#define TEN_GROUPS  "()()()()()()()()()()"
#define MANY_GROUPS TEN_GROUPS TEN_GROUPS TEN_GROUPS TEN_GROUPS TEN_GROUPS TEN_GROUPS

static void
test_limits(void)
{
	static const struct {
		const char *text;
		size_t length; /* of a subject of this many 'a' and one '!' */
		enum pattern_result want, on_mark; /* on "!" alone, afterwards */
	} cases[] = {
	    {"^(a+)+$", 42, PATTERN_TOO_COSTLY, PATTERN_NO},
	    {"(*NO_JIT)^(a+)+$", 42, PATTERN_TOO_COSTLY, PATTERN_NO},
	    {"(*LIMIT_MATCH=4000000000)^(a+)+$", 42, PATTERN_TOO_COSTLY, PATTERN_NO},
	    {"(a|a)*$", 60, PATTERN_TOO_COSTLY, PATTERN_MATCH},
	    {"a.*b", 60, PATTERN_NO, PATTERN_NO}, {"b", 1 << 20, PATTERN_NO, PATTERN_NO},
	    {"!", 1 << 20, PATTERN_MATCH, PATTERN_MATCH},
	    {"a*!", 65536, PATTERN_MATCH, PATTERN_MATCH},
	    {"(?:a|b)*!", 5000, PATTERN_MATCH,
		PATTERN_MATCH}, /* beyond the stack of the JIT */
	    {"(*NO_JIT)(?:(a)|b)*+!", 1 << 20, PATTERN_TOO_COSTLY, PATTERN_MATCH},
	    {"(*NO_JIT)(?:a|b)*!", 5000, PATTERN_MATCH, PATTERN_MATCH},
	    {"(*NO_JIT)(?:a|b)*!", 15000, PATTERN_TOO_COSTLY, PATTERN_MATCH}, /* depth */
	    {"(*NO_JIT)" MANY_GROUPS "(?:a|b)*!", 5000,
		sizeof(size_t) > 4 ? PATTERN_TOO_COSTLY : PATTERN_MATCH, PATTERN_MATCH}, /* heap */
	};
	size_t max = 1 << 20;
	char *subject = mem_alloc(max + 1);

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pattern *p = compile(str_from(cases[i].text), 0);
		clock_t start = clock();
		double seconds;

		if (!ok(p != NULL, "%s compiles", cases[i].text))
			continue;
		memset(subject, 'a', cases[i].length);
		subject[cases[i].length] = '!';
		is_int(pattern_match(
			   p, (struct str){subject, cases[i].length + 1}, NULL, NULL),
		    cases[i].want, "%s on %zu bytes", cases[i].text, cases[i].length);
		seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
		ok(seconds < 2, "it took %.4f s", seconds);
		is_int(pattern_match(p, STR("!"), NULL, NULL), cases[i].on_mark,
		    "the pattern still works");
		pattern_free(p);
	}
	mem_free(subject);
}

/* A scan of many subjects ends in time, and not before. */
static void
test_hurry(void)
{
	struct pattern *p = compile(STR("b$"), 0);
	int64_t start = clock_ms();
	uint64_t tries = 0;

	pattern_hurry(p, 1000000);
	while (tries < 100000 && pattern_match(p, STR("ab"), NULL, NULL) == PATTERN_MATCH)
		tries++;
	ok(tries == 100000 && !pattern_was_late(p), "with time left all are tried");
	pattern_hurry(p, 20);
	ok(pattern_match(p, STR("ab"), NULL, NULL) == PATTERN_MATCH, "the first is tried");
	while (clock_ms() - start < 60000 &&
	    pattern_match(p, STR("ab"), NULL, NULL) != PATTERN_TOO_COSTLY)
		continue;
	ok(pattern_was_late(p) && clock_ms() - start < 60000, "then it gives up");
	is_int(pattern_match(p, STR("ab"), NULL, NULL), PATTERN_TOO_COSTLY, "for good");
	pattern_hurry(p, 0);
	ok(!pattern_was_late(p) && pattern_match(p, STR("ab"), NULL, NULL) == PATTERN_MATCH,
	    "until all may be tried");
	pattern_free(p);
}

int
main(void)
{
	test_match();
	test_smart_case();
	test_errors();
	test_limits();
	test_hurry();
	return tap_done();
}
