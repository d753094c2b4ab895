// SPDX-License-Identifier: Apache-2.0
/* Configuration text: read line by line, changed without losing anything. */
#include <config.h>

#include "tap/tap.h"

#include "base/conf.h"

static void
take(void *context, const struct conf_entry *e)
{
	struct sbuf *out = context;

	if (e->fault != NULL)
		sbuf_printf(out, "%d: %s\n", e->line, e->fault);
	else
		sbuf_printf(out, "%d: (%.*s) (%.*s) (%.*s)\n", e->line,
		    STR_ARG(e->section), STR_ARG(e->key), STR_ARG(e->value));
}

static void
reading(void)
{
	static const struct {
		const char *text, *want;
	} table[] = {
	    {"", ""},
	    {"\n\n  \n# a = b\n", ""},
	    {"a=b", "1: () (a) (b)\n"},
	    {" a \t=  b c \r\n", "1: () (a) (b c)\n"},
	    {"units = =\n", "1: () (units) (=)\n"},
	    {"a =\n", "1: () (a) ()\n"},
	    {"a\n= b\n", "1: expected 'key = value'\n2: expected 'key = value'\n"},
	    {"[keys]\ndown = j #\n[ x ]\nb = 1", "2: (keys) (down) (j #)\n4: (x) (b) (1)\n"},
	    {"[keys\n[]\n[\na=1", "1: a heading is [name]\n2: a heading is [name]\n"
				  "3: a heading is [name]\n4: () (a) (1)\n"},
	    {"[ = back\n", "1: () ([) (back)\n"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct sbuf out = {0};

		conf_read(str_from(table[i].text), take, &out);
		is_str(sbuf_cstr(&out), table[i].want, "reading text %zu", i);
		sbuf_release(&out);
	}
}

static void
changing(void)
{
	static const struct {
		const char *text, *section, *key, *value, *want;
	} table[] = {
	    {"", "", "a", "1", "a = 1\n"},
	    {"", "s", "a", "1", "[s]\na = 1\n"},
	    {"# c\na=0 \n# d\n", "", "a", "1", "# c\na = 1\n# d\n"},
	    {"a = 0\na = 2\nb = 3", "", "a", "1", "a = 0\na = 1\nb = 3"},
	    {"b = 3", "", "a", "1", "b = 3\na = 1\n"},
	    {"b = 3\n\n[s]\na = 0\n", "", "a", "1", "b = 3\na = 1\n\n[s]\na = 0\n"},
	    {"[s]\nb = 3\n\n[t]\na = 0\n", "s", "a", "1",
		"[s]\nb = 3\na = 1\n\n[t]\na = 0\n"},
	    {"[s]\n[t]\n", "s", "a", "1", "[s]\na = 1\n[t]\n"},
	    {"b = 3\n", "s", "a", "1", "b = 3\n\n[s]\na = 1\n"},
	    {"[s]", "s", "a", "1", "[s]\na = 1\n"},
	    {"[s]\nx=1\n[t]\n[s]\na=2\n", "s", "a", "", "[s]\nx=1\n[t]\n[s]\na = \n"},
	    {"[s]\n# a = 5\n", "s", "a", "1", "[s]\n# a = 5\na = 1\n"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct sbuf text = {0};

		sbuf_text(&text, table[i].text);
		conf_set(&text, str_from(table[i].section), str_from(table[i].key),
		    str_from(table[i].value));
		is_str(sbuf_cstr(&text), table[i].want, "changing text %zu", i);
		conf_set(&text, str_from(table[i].section), str_from(table[i].key),
		    str_from(table[i].value));
		is_str(sbuf_cstr(&text), table[i].want, "changing it again, %zu", i);
		sbuf_release(&text);
	}
}

int
main(void)
{
	reading();
	changing();
	return tap_done();
}
