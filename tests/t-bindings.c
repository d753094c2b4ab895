// SPDX-License-Identifier: Apache-2.0
/*
 * bindings: the table of commands and keys is whole and free of doubles, keys have names, and
 * can be given other commands; what the help has beside keys fits.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "tap/tap.h"
#include "tui/each_key.h"
#include "tui/keys/commands.h"
#include "tui/keys/key.h"
#include "tui/keys/keymap.h"

struct doubles {
	const struct command *of;
	int found;
};

static void
look_for_double(const char *key, void *context)
{
	struct doubles *d = context;

	for (const struct command *b = tui_commands; b < d->of; b++) {
		if ((b->contexts & d->of->contexts) != 0 && keys_have(b->keys, key)) {
			diag("%s is bound to %s and %s", key, b->name, d->of->name);
			d->found++;
		}
	}
	/* Never: flow control, signals, telnet's and ssh's own. */
	if (keys_have("<C-s> <C-q> <C-\\> <C-]> ~", key)) {
		diag("%s is not ours to bind", key);
		d->found++;
	}
}

static void
tables_are_whole(void)
{
	for (size_t i = 0; i < tui_command_count; i++) {
		const struct command *c = &tui_commands[i], *first = commands_find(c->name);
		struct doubles d = {c, 0};

		each_key(c->keys, look_for_double, &d);
		is_int(d.found, 0, "%s: no key twice in a view", c->keys);
		ok((c->keys[0] != '\0') != (c->usage != NULL) && c->contexts != 0,
		    "%s has a key, or a line", c->name);
		ok(c->usage == NULL || strlen(c->usage) < 20, "%s: its line fits", c->name);
		is_int((c->run != NULL) + (c->with != NULL) + (c->line != NULL) + (c->opens != NULL),
		    1, "%s does one thing", c->name);
		if (c == first) {
			ok(c->help[0] != '\0' && strlen(c->help) <= 50, "%s has a line of help",
			    c->name);
			continue;
		}
		/* Where it works in another way. */
		ok(c->help == NULL && c->hint == NULL && strcmp(c->keys, first->keys) == 0 &&
		    c->group == NULL && strcmp(c[-1].name, c->name) == 0,
		    "%s is the same action", c->name);
	}
}

/* The help's texts fit after their keys on 80 columns, too. */
static void
help_fits(void)
{
	for (size_t i = 0; i < legend_count; i++) {
		const char *ascii = legend[i].ascii != NULL ? legend[i].ascii : legend[i].sign;
		bool plain = true;

		for (const char *p = ascii; *p != '\0'; p++)
			plain = plain && *p >= ' ' && *p <= '~';
		ok(legend[i].contexts != 0 && strlen(legend[i].help) <= 50 && strlen(ascii) < 20,
		    "%s has a line of help", ascii);
		ok(plain, "and can be shown on any terminal");
	}
}

static void
labels(void)
{
	static const char *const table[][2] = {
	    {"<C-f>", "^F"},
	    {"<C-\\>", "^\\"},
	    {"j <Down>", "j Down"},
	    {"<PageDown> <F10> <", "PgDn F10 <"},
	    {"<Escape>", "Esc"},
	    {"<S-Tab>", "S-Tab"},
	};
	char out[80];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		keys_label(table[i][0], out, sizeof(out));
		is_str(out, table[i][1], "label of %s", table[i][0]);
	}
	keys_label("j <Down> <PageDown>", out, 8);
	ok(strlen(out) < 8, "a label stays in its room");
}

static void
key_names(void)
{
	static const char *const table[][2] = {
	    {"j", "j"},
	    {"\xc3\xa9", "\xc3\xa9"},
	    {"^", "^"},
	    {"^F", "<C-f>"},
	    {"<", "<"},
	    {"<lt>", "<"},
	    {"<c-f>", "<C-f>"},
	    {"<esc>", "<Escape>"},
	    {"<PgDn>", "<PageDown>"},
	    {"<S-Tab>", "<S-Tab>"},
	    {"<M-x>", "<M-x>"},
	    {"<F12>", "<F12>"},
	    {"<C-Left>", "<C-Left>"},
	    {"jj", NULL},
	    {"<j>", NULL},
	    {"<>", NULL},
	    {"<Foo>", NULL},
	    {"<F0>", NULL},
	    {"<F99>", NULL},
	    {"<C-h>", NULL},
	    {"^I", NULL},
	    {"<X-a>", NULL},
	    {"\x01", NULL},
	    {"\xff", NULL},
	    {"\xcc\x81", NULL},
	    {"<C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-C-a>", NULL},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char name[32] = "";
		struct err e = {0};
		bool good = key_name_read(str_from(table[i][0]), name, &e);

		if (table[i][1] == NULL)
			ok(!good && e.what[0] != '\0', "key %zu is refused", i);
		else
			is_str(name, table[i][1], "key %s", table[i][1]);
	}
}

/* The command of a key by name, "" for none. */
static const char *
runs(const struct keymap *map, unsigned contexts, const char *key)
{
	const struct command *c = keymap_find(map, contexts, key);

	return c != NULL ? c->name : "";
}

static void
keys_can_be_given(void)
{
	struct keymap *map = keymap_new();
	struct err e = {0};
	char out[200];

	is_str(keymap_key(map, IN_TABLE, "open", false, out), "Enter",
	    "the first key of a command");
	is_str(keymap_key(map, IN_INFO, "open", false, out), "", "none where it has none");
	is_str(keymap_key(map, IN_TABLE, "help", true, out), "F1", "its function key");
	is_str(keymap_key(map, IN_TABLE, "open", true, out), "Enter", "or what it has");
	ok(keymap_set(map, STR("invert"), STR("s  <Space>"), &e), "invert gets two keys");
	is_str(runs(map, IN_TABLE, "s"), "invert", "in the table s inverts");
	is_str(runs(map, IN_TIMELINE, "s"), "zoom-out", "in the timeline it zooms");
	is_str(runs(map, IN_TABLE, "I"), "", "the old key does nothing");
	ok(keymap_keys(map, IN_TABLE, "invert", out, sizeof(out)), "invert was changed");
	is_str(out, "s <Space>", "its keys");
	ok(keymap_keys(map, IN_TABLE, "zoom-out", out, sizeof(out)),
	    "so was what had the key");
	is_str(out, "", "it has none there");
	ok(!keymap_keys(map, IN_TIMELINE, "zoom-out", out, sizeof(out)), "but elsewhere");
	is_str(out, "s", "it has");
	ok(!keymap_set(map, STR("centre"), STR("z s"), &e), "no key for two");
	is_str(e.what, "key s is given to 'invert', too", "says which");
	is_str(runs(map, IN_TABLE, "z"), "centre", "nothing changed then");
	e = (struct err){0};
	ok(!keymap_set(map, STR("jump"), STR("z"), &e), "no such action");
	ok(!keymap_set(map, STR("down"), STR("jk"), &e), "no such key");
	ok(keymap_set(map, STR("invert"), STR(""), &e), "none at all");
	is_str(runs(map, IN_TABLE, "s"), "zoom-out", "what had the key has it again");
	ok(keymap_set(map, STR("invert"), STR("default"), &e), "as it was");
	ok(!keymap_keys(map, IN_TABLE, "invert", out, sizeof(out)), "not changed");
	is_str(out, "I", "the table's key");
	is_str(runs(map, IN_LIST, "+"), "list-wider", "a key in lists");
	is_str(runs(map, IN_PROMPT, "<Tab>"), "type-complete", "a key of prompts");
	keymap_keys(map, ~0u, "list-down", out, sizeof(out));
	is_str(out, "j <Down>", "keys that do something else elsewhere");
	ok(keymap_set(map, STR("list-down"), STR("n <C-n>"), &e), "other keys in lists");
	is_str(runs(map, IN_LIST, "n"), "list-down", "are theirs");
	is_str(runs(map, IN_LIST, "j"), "", "those of before are not");
	is_str(runs(map, IN_TABLE, "j"), "down", "but in views as ever");
	is_str(runs(map, IN_TABLE, "n"), "search-next", "all of them");
	ok(keymap_set(map, STR("type-accept"), STR("<F2>"), &e), "another key of prompts");
	is_str(runs(map, IN_PROMPT, "<Enter>"), "", "takes the place of Enter");
	is_str(runs(map, IN_PROMPT, "<F2>"), "type-accept", "there");
	e = (struct err){0};
	ok(!keymap_set(map, STR("type-left"), STR("h"), &e), "no letters in prompts");
	is_str(e.what, "key h types itself there", "says why");
	ok(!keymap_set(map, STR("type-left"), STR("<Space>"), &e), "nor the blank");
	keymap_free(map);
}

int
main(void)
{
	tables_are_whole();
	help_fits();
	labels();
	key_names();
	keys_can_be_given();
	return tap_done();
}
