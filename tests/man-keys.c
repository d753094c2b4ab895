// SPDX-License-Identifier: Apache-2.0
/*
 * man-keys: the keys for the manual page, in mdoc(7), from the tables that the program
 * goes by.  "make update-docs" puts them into the page, t-docs compares.
 */
#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "mdoc.h"
#include "tui/keys/commands.h"
#include "tui/keys/key.h"

/* One key, safe from mdoc and from typographic replacement. */
static void
put_key(const char *key)
{
	fputs(" \\&", stdout);
	mdoc_put(key);
}

/* Labels with blanks between. */
static void
put_keys(const char *keys)
{
	char label[200];

	keys_label(keys, label, sizeof(label));
	for (char *key = strtok(label, " "); key != NULL; key = strtok(NULL, " "))
		put_key(key);
}

/* "MOVE" as "Move"; a heading is words, so it cannot begin with a macro's name. */
static void
put_heading(const char *heading)
{
	fputs(".Ss \\&", stdout);
	putchar(heading[0]);
	for (const char *p = heading + 1; *p != '\0'; p++)
		putchar(tolower((unsigned char)*p));
	puts("\n.Bl -tag -width \"Backspace \\[ha]O b\" -compact");
}

static void
put_help(const char *help, const char *where)
{
	printf("\\&%c%s%s.\n", toupper((unsigned char)help[0]), help + 1, where);
}

/* " (table, call tree)", or nothing for what works in all views of methods. */
static const char *
where(unsigned contexts, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	if ((contexts & IN_VIEWS) == IN_VIEWS || (contexts & IN_ALL) == 0)
		return out;
	for (const struct context_row *row = context_table; row->context != 0; row++) {
		if ((contexts & row->context) == 0)
			continue;
		snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : " (", row->word);
		used = strlen(out);
	}
	snprintf(out + used, size - used, ")");
	return out;
}

static void
put_command(const struct command *command)
{
	unsigned contexts = 0;
	char place[200];

	for (size_t i = 0; i < tui_command_count; i++)
		if (strcmp(tui_commands[i].name, command->name) == 0)
			contexts |= tui_commands[i].contexts;
	fputs(".It Ic", stdout);
	if (command->usage != NULL)
		printf(" \\&:%s", command->usage);
	put_keys(command->keys);
	putchar('\n');
	if ((command->flags & OF_LOG) != 0)
		fputs("Logs: ", stdout);
	put_help(command->help, where(contexts, place, sizeof(place)));
}

static void
put_groups(void)
{
	for (size_t i = 0; i < tui_command_count; i++) {
		const struct command *c = &tui_commands[i];

		if (c->group != NULL && i > 0)
			puts(".El");
		if (c->group != NULL)
			put_heading(c->group);
		if (c->help != NULL)
			put_command(c);
	}
	puts(".El");
}

int
main(void)
{
	put_groups();
	return 0;
}
