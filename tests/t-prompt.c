// SPDX-License-Identifier: Apache-2.0
/* The line editor: keys in, text, cursor, history and drawing out. */
#include <config.h>

#include "tap/tap.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/keys/commands.h"
#include "tui/keys/key.h"
#include "tui/keys/keymap.h"
#include "tui/keys/prompt.h"

/* Keys with blanks between; anything that is no <name> is text. */
static enum prompt_answer
press(struct prompt *p, const char *keys)
{
	enum prompt_answer answer = PROMPT_MOVED;
	struct keymap *map = keymap_new();

	while (*keys != '\0') {
		size_t n = strcspn(keys, " ");
		const struct command *command;
		struct key key = {0};

		snprintf(key.name, sizeof(key.name), "%.*s", (int)n, keys);
		if (strcmp(key.name, "<Space>") == 0)
			strcpy(key.text, " ");
		else if (key.name[0] != '<' || n == 1)
			snprintf(key.text, sizeof(key.text), "%.7s", key.name);
		command = keymap_find(map, IN_PROMPT, key.name);
		if (key.text[0] != '\0')
			answer = prompt_type(p, &key);
		else if (ok(command != NULL, "%s is a key of prompts", key.name))
			answer = prompt_do(p, (enum type_act)command->arg);
		keys += n;
		keys += strspn(keys, " ");
	}
	keymap_free(map);
	return answer;
}

static void
edits(void)
{
	static const struct {
		const char *start, *keys, *text;
		size_t at;
		enum prompt_answer answer;
	} table[] = {
	    {"", "a b c", "abc", 3, PROMPT_CHANGED},
	    {"abc", "<Left> <Left> x", "axbc", 2, PROMPT_CHANGED},
	    {"abc", "<Home> <Delete>", "bc", 0, PROMPT_CHANGED},
	    {"abc", "<C-a> <C-e> x", "abcx", 4, PROMPT_CHANGED},
	    {"abc", "<Backspace>", "ab", 2, PROMPT_CHANGED},
	    {"abc", "<C-a> <Backspace>", "abc", 0, PROMPT_MOVED},
	    {"", "<Backspace>", "", 0, PROMPT_CANCELLED},
	    {"foo bar ", "<C-w>", "foo ", 4, PROMPT_CHANGED},
	    {"foo", "<C-w>", "", 0, PROMPT_CHANGED},
	    {"foo bar", "<Left> <C-u>", "r", 0, PROMPT_CHANGED},
	    {"foo bar", "<Home> <Right> <C-k>", "f", 1, PROMPT_CHANGED},
	    {"a\xc3\xa9\xe6\x97\xa5", "<Backspace>", "a\xc3\xa9", 3, PROMPT_CHANGED},
	    {"a\xc3\xa9z", "<Left> <Left> <Delete>", "az", 1, PROMPT_CHANGED},
	    /* A base and its accent are one. */
	    {"ae\xcc\x81", "<Backspace>", "a", 1, PROMPT_CHANGED},
	    {"ae\xcc\x81z", "<C-a> <Right> <Delete>", "az", 1, PROMPT_CHANGED},
	    {"", "\xc3\xa9 <Space> \xe6\x97\xa5", "\xc3\xa9 \xe6\x97\xa5", 6,
		PROMPT_CHANGED},
	    /* No controls, nothing that hides or reorders. */
	    {"", "a \xe2\x80\xae b \xef\xbf\xbe", "ab", 2, PROMPT_MOVED},
	    {"abc", "<Enter>", "abc", 3, PROMPT_ACCEPTED},
	    {"abc", "<Escape>", "abc", 3, PROMPT_CANCELLED},
	    {"abc", "<C-c>", "abc", 3, PROMPT_CANCELLED},
	    {"abc", "<Right> <Up> <Down>", "abc", 3, PROMPT_MOVED},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct prompt p;
		enum prompt_answer answer;

		prompt_open(&p, "/", str_from(table[i].start), NULL);
		answer = press(&p, table[i].keys);
		is_str(p.text, table[i].text, "'%s' %s: text", table[i].start,
		    table[i].keys);
		is_int((int64_t)p.at, (int64_t)table[i].at, "'%s' %s: cursor",
		    table[i].start, table[i].keys);
		is_int(answer, table[i].answer, "'%s' %s: answer", table[i].start,
		    table[i].keys);
	}
}

static void
pastes(void)
{
	struct key enter = {.name = "<Enter>", .pasted = true};
	struct key q = {.name = "q", .text = "q", .pasted = true};
	struct prompt p;

	prompt_open(&p, "/", STR("a"), NULL);
	is_int(prompt_type(&p, &enter), PROMPT_MOVED, "a pasted Enter does not accept");
	is_int(prompt_type(&p, &q), PROMPT_CHANGED, "pasted text is text");
	is_str(p.text, "aq", "and nothing else");
	for (int i = 0; i < 2 * PROMPT_MAX; i++)
		prompt_type(&p, &q);
	is_int((int64_t)p.n, PROMPT_MAX, "length is bounded");
}

static void
history(void)
{
	struct prompt_history h = {0};
	struct prompt p;
	char line[20];

	prompt_history_add(&h, STR("one"));
	prompt_history_add(&h, STR(""));
	prompt_history_add(&h, STR("two"));
	prompt_history_add(&h, STR("one"));
	is_int(h.count, 2, "no empty lines and none twice");
	prompt_open(&p, "/", STR("dra"), &h);
	press(&p, "f <Up>");
	is_str(p.text, "one", "the newest first");
	press(&p, "<Up> <Up> <Up>");
	is_str(p.text, "two", "the oldest last");
	press(&p, "<Down> <Down>");
	is_str(p.text, "draf", "and down to the unfinished line");
	for (int i = 0; i < 3 * PROMPT_HISTORY; i++) {
		int n = snprintf(line, sizeof(line), "line %d", i);

		prompt_history_add(&h, (struct str){line, (size_t)n});
	}
	is_int(h.count, PROMPT_HISTORY, "as many as are kept");
	is_str(h.lines[PROMPT_HISTORY - 1], line, "the newest among them");
	prompt_history_release(&h);
}

static void
is_drawn(const struct prompt *p, int columns, bool utf8, const char *want_last,
    const char *want_above, int want_column)
{
	struct canvas c;
	int column = -1, row;
	char *text;

	canvas_init(&c, utf8);
	canvas_resize(&c, 3, columns);
	row = prompt_draw(p, &c, &column);
	text = canvas_row(&c, 2);
	is_str(text, want_last, "last row");
	free(text);
	if (want_above != NULL) {
		text = canvas_row(&c, 1);
		is_str(text, want_above, "row above");
		free(text);
	}
	is_int(row, want_above != NULL ? 1 : 2, "row of the cursor");
	is_int(column, want_column, "column of the cursor");
	canvas_release(&c);
}

static void
drawing(void)
{
	struct prompt p;

	prompt_open(&p, "/", STR("abc"), NULL);
	is_drawn(&p, 20, true, "/abc", NULL, 4);
	press(&p, "<Left>");
	is_drawn(&p, 20, true, "/abc", NULL, 3);
	prompt_open(&p, "&",
	    STR("\xe6\x97\xa5"
		"a"),
	    NULL);
	is_drawn(&p, 20, true,
	    "&\xe6\x97\xa5"
	    "a",
	    NULL, 4);
	is_drawn(&p, 20, false, "&?a", NULL, 3);
	/* Longer than the screen: the part with the cursor. */
	prompt_open(&p, "/", STR("0123456789abcdefghij"), NULL);
	is_drawn(&p, 12, true, "/abcdefghij", NULL, 11);
	press(&p, "<Home>");
	is_drawn(&p, 12, true, "/0123456789a", NULL, 1);
	prompt_open(&p, "/", STR("foo("), NULL);
	prompt_error(&p, 4, "missing )");
	is_drawn(&p, 20, true, "     ^ missing )", "/foo(", 5);
	/* No room at the right of the caret. */
	prompt_open(&p, "/", STR("0123456789("), NULL);
	prompt_error(&p, 11, "missing )");
	is_drawn(&p, 20, true, "  missing ) ^", "/0123456789(", 12);
	press(&p, "x");
	is_drawn(&p, 20, true, "/0123456789(x", NULL, 13);
	prompt_error(&p, 1000, "far");
	is_drawn(&p, 8, true, "   far ^", "/6789(x", 7);
}

/* ^R and ^T say in the expression itself what they mean. */
static void
patterns(void)
{
	static const struct {
		const char *kept, *start, *keys, *pattern;
		size_t at, from; /* a byte of the pattern, and of the text */
	} table[] = {
	    {"", "a.b", "", "a.b", 2, 2},
	    {"", "a.b", "<C-r>", "a\\.b", 1, 1},
	    {"", "a.b", "<C-r> <C-r>", "a.b", 3, 3},
	    {"", "foo(", "<C-t>", "(?-i)foo(", 9, 4},
	    {"", "foo(", "<C-t> <C-t>", "(?i)foo(", 2, 0},
	    {"", "foo(", "<C-t> <C-t> <C-t>", "foo(", 4, 4},
	    {"", "(x", "<C-r> <C-t> )", "(?-i)\\(x\\)", 5, 0},
	    {"", "", "<C-r> <C-t>", "", 0, 0},
	    {"+!", "+!a*", "<C-r>", "+!a\\*", 1, 1},
	    {"+!", "!a", "<C-t>", "!(?-i)a", 6, 1},
	    {"+!", "!", "<C-t>", "!", 1, 1},
	    {"+!", "!+a", "<C-t>", "!(?-i)+a", 1, 1},
	    {NULL, "a.b", "<C-r> <C-t>", "a.b", 3, 3},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct sbuf out = {0};
		struct prompt p;

		prompt_open(&p, "/", str_from(table[i].start), NULL);
		p.kept = table[i].kept;
		press(&p, table[i].keys);
		prompt_pattern(&p, &out);
		is_str(sbuf_cstr(&out), table[i].pattern, "'%s' %s: pattern", table[i].start,
		    table[i].keys);
		is_int((int64_t)prompt_pattern_at(&p, table[i].at), (int64_t)table[i].from,
		    "'%s' %s: where byte %zu came from", table[i].start, table[i].keys,
		    table[i].at);
		sbuf_release(&out);
	}
}

/* A line of the history says itself how it matches; the unfinished line comes back. */
static void
modes_and_history(void)
{
	struct prompt_history h = {0};
	struct sbuf out = {0};
	struct prompt p;

	prompt_history_add(&h, STR("(?i)old"));
	prompt_open(&p, "/", STR(""), &h);
	p.kept = "";
	press(&p, "x . <C-r> <Up>");
	prompt_pattern(&p, &out);
	is_str(sbuf_cstr(&out), "(?i)old", "an older line unchanged");
	sbuf_clear(&out);
	press(&p, "<Down>");
	prompt_pattern(&p, &out);
	is_str(sbuf_cstr(&out), "x\\.", "the unfinished line unchanged");
	sbuf_release(&out);
	prompt_history_release(&h);
}

/* Two programs at once lose nothing of each other; other kinds and rubbish stay out. */
static void
history_file(void)
{
	struct str file = STR("/one\n&no\n/\n/t\x1bwo\n\n/three\n/\xff\n/one\nrubbish");
	struct prompt_history mine = {0}, now = {0}, many = {0};
	struct sbuf out = {0};

	prompt_history_read(&mine, '/', file);
	is_int(mine.count, 2, "lines of the kind that are some");
	is_int(mine.fresh, 0, "none of them new");
	prompt_history_add(&mine, STR("three"));
	prompt_history_add(&mine, STR("four"));
	prompt_history_add(&mine, STR("four"));
	is_int(mine.fresh, 2, "a repeated line is new, once");
	prompt_history_read(&now, '/', STR("/three\n/theirs\n"));
	prompt_history_merge(&now, &mine);
	prompt_history_write(&now, '/', &out);
	is_str(sbuf_cstr(&out), "/theirs\n/three\n/four\n", "new ones after those of others");
	for (int i = 0; i < 3 * PROMPT_HISTORY; i++) {
		char line[20];

		snprintf(line, sizeof(line), "line %d", i);
		prompt_history_add(&many, str_from(line));
	}
	is_int(many.count, PROMPT_HISTORY, "no more than that are kept");
	is_int(many.fresh, PROMPT_HISTORY, "all new");
	sbuf_clear(&out);
	prompt_history_write(&many, 'E', &out);
	ok(strncmp(sbuf_cstr(&out), "Eline 100\n", 10) == 0, "the newest");
	sbuf_release(&out);
	prompt_history_release(&mine);
	prompt_history_release(&now);
	prompt_history_release(&many);
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	edits();
	pastes();
	history();
	drawing();
	patterns();
	modes_and_history();
	history_file();
	return tap_done();
}
