// SPDX-License-Identifier: Apache-2.0
/*
 * man-options: the synopsis of slowtop(1), in mdoc(7), from the tables of commands and options.
 * "make update-docs" puts it into the page, t-docs compares.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "cli/options.h"

/* "NAME:ARG", "TIME|PERCENT", "[+|-]COLUMN" */
static void
put_value(const char *value)
{
	if (strncmp(value, "[+|-]", 5) == 0) {
		fputs(" Ns = Ns Oo Cm + Ns | Ns Cm - Oc Ns Ar ", stdout);
		value += 5;
	} else {
		fputs(" Ns = Ns Ar ", stdout);
	}
	for (; *value != '\0'; value++) {
		if (*value == ':' || *value == '|')
			printf(" %c Ns Ar ", *value);
		else
			putchar(*value);
	}
}

static void
put_option(const struct option_row *row, const char *before)
{
	printf("%sFl -%s", before, row->name);
	if (row->value != NULL)
		put_value(row->value);
	putchar('\n');
}

/* Is it what the command cannot do without, or that stands for itself in the page? */
static bool
is_apart(const struct option_row *row, const struct subcommand *command)
{
	char option[64];

	snprintf(option, sizeof(option), "--%s=", row->name);
	return strstr(command->operands, option) != NULL || strcmp(row->name, "list") == 0 ||
	    strcmp(row->name, "help") == 0 || strcmp(row->name, "version") == 0;
}

static void
put_command(enum subcommand_id id)
{
	const struct subcommand *command = &subcommands[id];
	const char *operands = strrchr(command->operands, '=') != NULL
	    ? strchr(command->operands, ' ') + 1 : command->operands;

	puts(".Nm");
	if (command->name != NULL)
		printf(".Cm %s\n", command->name);
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < option_count; i++) {
			const struct option_row *row = &option_rows[i];
			bool apart = is_apart(row, command);

			if ((row->commands & COMMAND_BIT(id)) == 0 || apart == (pass == 1) ||
			    (apart && row->value == NULL))
				continue;
			put_option(row, apart ? "." : ".Op ");
		}
	printf(".Ar %s\n", operands);
}

int
main(void)
{
	for (int i = 0; i < COMMANDS; i++)
		if (subcommands[i].drop_in == NULL)
			put_command((enum subcommand_id)i);
	return 0;
}
