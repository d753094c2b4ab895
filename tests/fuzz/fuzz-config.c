// SPDX-License-Identifier: Apache-2.0
/*
 * A file of settings from anywhere: each line is taken or refused with a reason, what is
 * in force is told in words that can be read again, and changing a value changes it.
 */
#include <config.h>

#include "fuzz/fuzz.h"

#include <string.h>

#include "base/conf.h"
#include "tui/keys/commands.h"
#include "tui/settings/settings.h"

struct told {
	int lines, last;
};

static void
tell(void *context, int line, const char *what)
{
	struct told *told = context;

	fuzz_check(what[0] != '\0' && line > told->last);
	told->lines++;
	told->last = line;
}

struct last {
	struct str section, key, value;
	int count;
};

static void
take(void *context, const struct conf_entry *e)
{
	struct last *last = context;

	if (e->fault == NULL && str_equal(e->section, last->section) &&
	    str_equal(e->key, last->key)) {
		last->value = e->value;
		last->count++;
	}
}

/* A value put into any text is what is read from it, and putting it again adds nothing. */
static void
change(struct str text, struct str section)
{
	struct last last = {.section = section, .key = STR("theme")};
	struct sbuf changed = {0};
	size_t n;

	sbuf_str(&changed, text);
	conf_set(&changed, section, STR("theme"), STR("light"));
	conf_read(sbuf_view(&changed), take, &last);
	fuzz_check(last.count > 0 && str_equal(last.value, STR("light")));
	n = changed.n;
	conf_set(&changed, section, STR("theme"), STR("light"));
	fuzz_check(changed.n == n);
	sbuf_release(&changed);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct str text = {(const char *)bytes, size};
	struct settings s;
	struct told told = {0};
	struct theme theme;

	settings_init(&s);
	settings_read(&s, text, tell, &told);
	fuzz_check(told.lines == s.faults && (s.faults == 0) == (s.fault[0] == '\0'));
	for (size_t i = 0; i < setting_count; i++) {
		struct sbuf value = {0}, again = {0};

		settings_get(&s, &setting_table[i], &value);
		fuzz_check(settings_set(&s, STR(""), str_from(setting_table[i].name),
		    sbuf_view(&value), NULL));
		settings_get(&s, &setting_table[i], &again);
		fuzz_check(str_equal(sbuf_view(&value), sbuf_view(&again)));
		sbuf_release(&value);
		sbuf_release(&again);
	}
	settings_theme(&s, &theme);
	for (size_t i = 0; i < tui_command_count; i++) {
		char keys[200];

		keymap_keys(s.keymap, IN_TABLE, tui_commands[i].name, keys, sizeof(keys));
		fuzz_check(strlen(keys) < sizeof(keys));
	}
	settings_release(&s);
	change(text, STR(""));
	change(text, STR("keys"));
	return 0;
}
