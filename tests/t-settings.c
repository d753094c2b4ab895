// SPDX-License-Identifier: Apache-2.0
/*
 * The settings: read from text, told back as text, refused with the line, and saved
 * without touching what else is in the file.
 */
#include <config.h>

#include "tap/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/keys/commands.h"
#include "tui/settings/settings.h"
#include "view/calls_list.h"
#include "view/threads.h"

static const char *
value_of(const struct settings *s, const char *name)
{
	static struct sbuf out;

	sbuf_clear(&out);
	settings_get(s, settings_find(str_from(name)), &out);
	return sbuf_cstr(&out);
}

static void
table_is_whole(void)
{
	struct settings s;

	settings_init(&s);
	for (size_t i = 0; i < setting_count; i++) {
		const struct setting *row = &setting_table[i];
		struct err e = {0};

		ok(settings_find(str_from(row->name)) == row, "%s is named once",
		    row->name);
		ok(i == 0 || strcmp(setting_table[i - 1].name, row->name) < 0,
		    "%s is in alphabetical order", row->name);
		ok(row->help != NULL && strlen(row->help) < 70 &&
			(row->values != NULL || row->words != NULL),
		    "%s says what it is", row->name);
		is_str(value_of(&s, row->name), row->otherwise, "%s: the default",
		    row->name);
		ok(settings_set(&s, STR(""), str_from(row->name),
		       str_from(row->otherwise), &e),
		    "%s takes its default", row->name);
		if (row->words != NULL)
			for (int k = 0; row->words[k] != NULL; k++) {
				settings_set(&s, STR(""), str_from(row->name),
				    str_from(row->words[k]), &e);
				is_str(value_of(&s, row->name), row->words[k],
				    "%s takes %s", row->name, row->words[k]);
			}
	}
	ok(settings_find(STR("colour")) == settings_find(STR("color")), "two spellings");
	ok(settings_find_section(STR("colours")) == settings_find_section(STR("colors")),
	    "of sections, too");
	settings_release(&s);
}

static void
values(void)
{
	static const struct {
		const char *section, *name, *value, *got; /* NULL: refused */
	} table[] = {
	    {"", "ascii", "yes", "on"},
	    {"", "ascii", "maybe", NULL},
	    {"", "theme", "light", "light"},
	    {"", "theme", "pink", NULL},
	    {"", "timeline", "12", "12"},
	    {"", "timeline", "101", NULL},
	    {"", "timeline", "-1", NULL},
	    {"", "timeline", "99999999999999999999", NULL},
	    {"", "timeline", "", NULL},
	    {"", "escape-time", "0", NULL},
	    {"", "frame-budget", "8ms", "8ms"},
	    {"", "frame-budget", "0.25s", "250ms"},
	    {"", "frame-budget", "8.3", NULL},
	    {"", "frame-budget", "1.5s", "1.5s"},
	    {"", "frame-budget", "0.3us", "300ns"},
	    {"", "frame-budget", "0", NULL},
	    {"", "frame-budget", "soon", NULL},
	    {"", "sort", "calls", "calls"},
	    {"", "sort", "+calls", "+calls"},
	    {"", "sort", "-calls", "calls"},
	    {"", "sort", "method", "method"},
	    {"", "sort", "-method", "-method"},
	    {"", "sort", "beauty", NULL},
	    {"", "sort", "", NULL},
	    {"", "clipboard", "off", "off"},
	    {"", "clipboard", "cmd:xclip -i", "cmd:xclip -i"},
	    {"", "clipboard", "cmd:", NULL},
	    {"", "clipboard", "paper", NULL},
	    {"", "sources", "~/src:/opt", "~/src:/opt"},
	    {"", "nose", "red", NULL},
	    {"noses", "nose", "red", NULL},
	    {"keys", "down", "x <Space>", NULL},
	    {"keys", "down", "<C-y> <Down>", ""},
	    {"keys", "dance", "x", NULL},
	    {"columns", "class", "on 30", ""},
	    {"columns", "class", "on 2", NULL},
	    {"columns", "class", "perhaps", NULL},
	    {"columns", "class", "", NULL},
	    {"columns", "method", "off", NULL},
	    {"columns", "order", "calls incl% beauty", NULL},
	    {"columns", "order", "calls incl%", ""},
	    {"calls-columns", "thread", "on 30", ""},
	    {"calls-columns", "caller", "on 30", NULL},
	    {"calls-columns", "caller", "off", NULL},
	    {"calls-columns", "calls", "on", NULL},
	    {"calls-columns", "order", "thread caller time", ""},
	    {"threads-columns", "name", "auto 12", ""},
	    {"threads-columns", "name", "off", NULL},
	    {"threads-columns", "order", "calls name", ""},
	    {"colours", "header", "bold 31", ""},
	    {"colors", "header", "pinkish", NULL},
	    {"colors", "nose", "red", NULL},
	    {"packages", "app", "com.example", ""},
	    {"packages", "app", "com/example", NULL},
	};
	struct settings s;
	const struct columnset *profile = &s.columns[LIST_PROFILE];

	settings_init(&s);
	/* Gives 'x' to another command. */
	settings_set(&s, STR("keys"), STR("up"), STR("x"), NULL);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct str section = str_from(table[i].section);
		struct err e = {0};
		bool good = settings_set(&s, section, str_from(table[i].name),
		    str_from(table[i].value), &e);

		if (table[i].got == NULL)
			ok(!good && e.what[0] != '\0', "%s.%s = %s is refused: %s",
			    table[i].section, table[i].name, table[i].value, e.what);
		else if (table[i].got[0] == '\0')
			ok(good, "%s.%s = %s", table[i].section, table[i].name,
			    table[i].value);
		else
			is_str(value_of(&s, table[i].name), table[i].got, "%s = %s",
			    table[i].name, table[i].value);
	}
	ok(!settings_set(&s, STR(""), STR("clipboard"), STR("cmd:\0xclip"), NULL),
	    "a zero byte, which would end the text, is refused");
	is_str(value_of(&s, "clipboard"), "cmd:xclip -i", "and the value stays");
	is_int(profile->of[COLUMN_CLASS].width, 30, "a width");
	is_int(profile->of[COLUMN_CLASS].shown, SHOWN_YES, "shown");
	is_int(profile->order[0], COLUMN_CALLS, "the first column");
	is_int(profile->order[1], COLUMN_INCL_PERCENT, "the second");
	is_int(profile->order[2], COLUMN_DELTA, "the others after it");
	is_int(profile->order[COLUMNS - 1], COLUMN_METHOD, "the method last");
	is_int(s.columns[LIST_CALLS].of[CALLS_THREAD].width, 30, "a width of calls");
	is_int(s.columns[LIST_CALLS].order[1], CALLS_TIME, "the caller is not the second");
	is_int(s.columns[LIST_CALLS].order[CALLS_COLUMNS - 1], CALLS_CALLER, "but the last");
	is_int(s.columns[LIST_THREADS].order[1], 1, "threads: the second, the name");
	is_str(keymap_find(s.keymap, IN_TABLE, "<C-y>")->name, "down", "a key");
	settings_release(&s);
}

static void
tell(void *context, int line, const char *what)
{
	sbuf_printf(context, "%d: %s\n", line, what);
}

static void
files(void)
{
	static const char text[] = "# mine\n"
				   "theme = dark\n"
				   "colour = perhaps\n"
				   "nonsense\n"
				   "[keys]\n"
				   "# moving\n"
				   "down = <C-y>\n"
				   "up = \n"
				   "fly = f\n"
				   "[packages]\n"
				   "app = com.example\n";
	struct sbuf told = {0};
	struct settings s;

	settings_init(&s);
	settings_read(&s, str_from(text), tell, &told);
	is_str(sbuf_cstr(&told),
	    "3: colour: expected one of: auto, never, always\n"
	    "4: expected 'key = value'\n"
	    "9: no action is named 'fly'\n",
	    "what is wrong is told with its line");
	is_int(s.faults, 3, "and counted");
	is_str(s.fault, "line 3: colour: expected one of: auto, never, always", "the first is kept");
	is_str(value_of(&s, "theme"), "dark", "the rest counts");
	ok(keymap_find(s.keymap, IN_TABLE, "k") == NULL, "a key less");
	is_int((int64_t)s.groups.count, 1, "a group");
	settings_release(&s);
	sbuf_release(&told);
}

static void
splitting(void)
{
	static const char *const table[][3] = {
	    {"theme", "", "theme"},
	    {"keys.down", "keys", "down"},
	    {"colours.header", "colors", "header"},
	    {"packages.com.example", "packages", "com.example"},
	    {"nose.red", "", "nose.red"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct str name;
		const struct setting_section *in = settings_split(str_from(table[i][0]), &name);

		ok(strcmp(in != NULL ? in->name : "", table[i][1]) == 0 &&
			str_equal(name, str_from(table[i][2])),
		    "%s is split", table[i][0]);
	}
}

static void
read_file(const char *path, char text[static 4096])
{
	FILE *in = fopen(path, "r");
	size_t n = in != NULL ? fread(text, 1, 4095, in) : 0;

	text[n] = '\0';
	if (in != NULL)
		fclose(in);
}

static void
saving(void)
{
	char folder[] = "t-settings.XXXXXX", path[100], text[4096];
	struct settings s;
	struct err e = {0};
	FILE *out;

	if (!ok(mkdtemp(folder) != NULL, "a folder"))
		return;
	snprintf(path, sizeof(path), "%s/a/b/config", folder);
	settings_init(&s);
	s.path = strdup(path);
	ok(settings_save(&s, &e), "the file and its folders are made");
	settings_note(&s, STR(""), STR("theme"), STR("light"));
	settings_note(&s, STR(""), STR("theme"), STR("dark"));
	settings_note(&s, STR("colours"), STR("header"), STR("red"));
	ok(settings_save(&s, &e), "saved");
	read_file(path, text);
	is_str(text,
	    "# slowtop's settings; slowtop-config(5) has them all\n"
	    "theme = dark\n\n[colors]\nheader = red\n",
	    "with what was changed");
	out = fopen(path, "w");
	if (out != NULL) {
		fputs("# mine\ntheme=mono\n# more\n[keys]\nup = u\n", out);
		fclose(out);
	}
	ok(settings_save(&s, &e), "saved again");
	read_file(path, text);
	is_str(text, "# mine\ntheme=mono\n# more\n[keys]\nup = u\n",
	    "what was saved is not noted any more");
	chmod(path, 0600);
	settings_note(&s, STR(""), STR("theme"), STR("light"));
	settings_note(&s, STR("keys"), STR("down"), STR("d <Down>"));
	ok(settings_save(&s, &e), "saved once more");
	read_file(path, text);
	is_str(text, "# mine\ntheme = light\n# more\n[keys]\nup = u\ndown = d <Down>\n",
	    "between what is the user's");
	{
		struct stat st;

		ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600, "the mode stays");
	}
	settings_release(&s);
	unlink(path);
	settings_init(&s);
	settings_note(&s, STR(""), STR("theme"), STR("light"));
	ok(!settings_save(&s, &e) && e.what[0] != '\0', "without a file nothing is saved");
	settings_release(&s);
	snprintf(path, sizeof(path), "rm -r '%s'", folder);
	ok(system(path) == 0, "all removed");
}

int
main(void)
{
	table_is_whole();
	values();
	files();
	splitting();
	saving();
	return tap_done();
}
