// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/keys/key.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

bool
key_without_meta(const struct key *key, struct key *plain)
{
	size_t n = strlen(key->name);

	if (n < 5 || strncmp(key->name, "<M-", 3) != 0)
		return false;
	*plain = (struct key){.pasted = key->pasted};
	/* "<M-x>" is x; "<M-Enter>" is "<Enter>"; "<M-C-a>" is "<C-a>". */
	if (n == 5 || (unsigned char)key->name[3] >= 0x80) {
		snprintf(
		    plain->name, sizeof(plain->name), "%.*s", (int)n - 4, key->name + 3);
		if (n - 4 < sizeof(plain->text))
			memcpy(plain->text, plain->name, n - 4);
	} else {
		snprintf(plain->name, sizeof(plain->name), "<%s", key->name + 3);
	}
	return true;
}

/* Keys that are no characters, and what else people call them. */
static const char *const named[][2] = {
    {"Enter", "CR"},
    {"Enter", "Return"},
    {"Escape", "Esc"},
    {"Backspace", "BS"},
    {"Delete", "Del"},
    {"Insert", "Ins"},
    {"PageUp", "PgUp"},
    {"PageDown", "PgDn"},
    {"Tab", NULL},
    {"Space", NULL},
    {"Up", NULL},
    {"Down", NULL},
    {"Left", NULL},
    {"Right", NULL},
    {"Home", NULL},
    {"End", NULL},
};

/* Pairs of keys that terminals send alike. */
static const char *const same[][2] = {
    {"<C-h>", "<Backspace>"},
    {"<C-i>", "<Tab>"},
    {"<C-m>", "<Enter>"},
    {"<C-[>", "<Escape>"},
};

static bool
is_word(struct str text, const char *word)
{
	return word != NULL && text.n == strlen(word) &&
	       strncasecmp(text.p, word, text.n) == 0;
}

/* One printing character with a width. */
static bool
is_character(struct str text)
{
	struct str rest = text;
	uint32_t c = text.n > 0 ? utf8_next(&rest) : UTF8_MALFORMED;

	return rest.n == 0 && c != UTF8_MALFORMED && c > ' ' && c != 0x7f &&
	       !utf8_hidden(c) && utf8_char_width(c) > 0;
}

/* The part of "<C-x>" after its modifiers. */
static bool
read_base(struct str text, bool modified, bool control, char *out, size_t size)
{
	uint64_t number;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (is_word(text, named[i][0]) || is_word(text, named[i][1])) {
			snprintf(out, size, "%s", named[i][0]);
			return true;
		}
	}
	if (text.n >= 2 && (text.p[0] | 0x20) == 'f' &&
	    digits_take(text.p + 1, text.p + text.n, 2, &number) == text.p + text.n) {
		snprintf(out, size, "F%d", (int)number);
		return number >= 1 && number <= 63;
	}
	if (!modified || !is_character(text) || text.n > 4)
		return false;
	snprintf(out, size, "%.*s", STR_ARG(text));
	if (control)
		out[0] = (char)tolower((unsigned char)out[0]);
	return true;
}

static bool
read_bracketed(struct str text, char name[static 32])
{
	char modifiers[8] = "", base[20];
	struct str rest = {text.p + 1, text.n - 2};
	bool control = false;

	while (rest.n > 2 && rest.p[1] == '-' && strlen(modifiers) < 6) {
		char letter = (char)toupper((unsigned char)rest.p[0]);
		size_t used = strlen(modifiers);

		if (strchr("CSM", letter) == NULL)
			return false;
		control |= letter == 'C';
		modifiers[used] = letter;
		modifiers[used + 1] = '-';
		modifiers[used + 2] = '\0';
		rest.p += 2;
		rest.n -= 2;
	}
	if (is_word(rest, "lt") && modifiers[0] == '\0') {
		snprintf(name, 32, "<");
		return true;
	}
	if (!read_base(rest, modifiers[0] != '\0', control, base, sizeof(base)))
		return false;
	snprintf(name, 32, "<%s%s>", modifiers, base);
	return true;
}

bool
key_name_read(struct str text, char name[static 32], struct err *e)
{
	bool good = true;

	if (is_character(text))
		snprintf(name, 32, "%.*s", STR_ARG(text));
	else if (text.n == 2 && text.p[0] == '^' && is_character((struct str){text.p + 1, 1}))
		snprintf(name, 32, "<C-%c>", tolower((unsigned char)text.p[1]));
	else if (text.n > 2 && text.p[0] == '<' && text.p[text.n - 1] == '>')
		good = read_bracketed(text, name);
	else
		good = false;
	if (!good)
		return err_set(e, ERR_MALFORMED, "no key is named '%.*s'",
		    (int)(text.n < 40 ? text.n : 40), text.p);
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (strcmp(name, same[i][0]) == 0)
			return err_set(e, ERR_MALFORMED, "terminals send %s for %s",
			    same[i][0], same[i][1]);
	return true;
}

bool
key_is_text(const char *name)
{
	return name[0] != '<' || name[1] == '\0' || strcmp(name, "<Space>") == 0;
}

bool
keys_have(const char *keys, const char *key)
{
	struct str rest = str_from(keys), word;

	while ((word = str_word(&rest)).n > 0)
		if (str_equal(word, str_from(key)))
			return true;
	return false;
}

/* "<C-f>" is known as "^F", "<PageDown>" as "PgDn". */
static void
label(struct str key, char *out, size_t size)
{
	static const char *const known[][2] = {
	    {"<PageDown>", "PgDn"},
	    {"<PageUp>", "PgUp"},
	    {"<Escape>", "Esc"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (str_equal(key, str_from(known[i][0]))) {
			snprintf(out, size, "%s", known[i][1]);
			return;
		}
	}
	if (key.n == 5 && str_starts(key, STR("<C-")))
		snprintf(out, size, "^%c", toupper((unsigned char)key.p[3]));
	else if (key.n > 2 && key.p[0] == '<')
		snprintf(out, size, "%.*s", (int)key.n - 2, key.p + 1);
	else
		snprintf(out, size, "%.*s", STR_ARG(key));
}

void
keys_label(const char *keys, char *out, size_t size)
{
	struct str rest = str_from(keys), word;
	size_t used = 0;

	out[0] = '\0';
	while ((word = str_word(&rest)).n > 0 && used + 1 < size) {
		if (used > 0)
			used += (size_t)snprintf(out + used, size - used, " ");
		label(word, out + used, size - used);
		used += strlen(out + used);
	}
}
