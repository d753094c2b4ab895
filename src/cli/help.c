#include <config.h>

#include <string.h>

#include "cli/help.h"

enum {
	HELP_INDENT = 26, /* columns before the text of an option */
	HELP_WIDTH = 79,
};

static void
help_lines(FILE *out, const char *text)
{
	const char *end;

	while ((end = strchr(text, '\n')) != NULL) {
		fprintf(out, "%.*s\n%*s", (int)(end - text), text, HELP_INDENT, "");
		text = end + 1;
	}
	fputs(text, out);
}

/* Whether the help is about this command, too. */
static bool
help_about(const struct options *o, int command)
{
	return !o->command_named || (int)o->command == command;
}

static void
help_usage(FILE *out, const struct options *o)
{
	const char *lead = "Usage:";

	for (int i = 0; i < COMMANDS; i++) {
		const char *name = subcommands[i].name;

		if (!help_about(o, i))
			continue;
		fprintf(out, "%-6s " PACKAGE_NAME " %s%s%s%s\n", lead,
		    name != NULL ? name : "", name != NULL ? " " : "",
		    subcommands[i].drop_in == NULL ? "[OPTION]... " : "",
		    subcommands[i].operands);
		lead = "  or:";
	}
	fputc('\n', out);
	for (int i = 0; i < COMMANDS; i++) {
		const char *name = subcommands[i].name;

		if (!help_about(o, i))
			continue;
		fprintf(out, "  " PACKAGE_NAME " %-*s", HELP_INDENT - 10,
		    name != NULL ? name : subcommands[i].operands);
		help_lines(out, subcommands[i].help);
		fputc('\n', out);
	}
}

/* A list of words below the text, broken into lines at its blanks. */
static void
help_words(FILE *out, const char *words)
{
	int column = HELP_WIDTH;

	while (*words != '\0') {
		int n = (int)strcspn(words, " ");

		if (column + 1 + n > HELP_WIDTH) {
			fprintf(out, "\n%*s", HELP_INDENT, "");
			column = HELP_INDENT;
		} else {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", n, words);
		column += n;
		words += n + (words[n] == ' ');
	}
}

static void
help_option(FILE *out, const struct option_row *row)
{
	struct sbuf words = {0};
	char letter[] = "    ";
	int used;

	if (row->letter != 0)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	used = fprintf(out, "  %4s--%s%s%s", letter, row->name,
	    row->value != NULL ? "=" : "", row->value != NULL ? row->value : "");
	if (used > HELP_INDENT - 2)
		fprintf(out, "\n%*s", HELP_INDENT, "");
	else
		fprintf(out, "%*s", HELP_INDENT - used, "");
	help_lines(out, row->help);
	option_words_list(&words, row);
	help_words(out, sbuf_cstr(&words));
	fputc('\n', out);
	sbuf_release(&words);
}

static void
help_options(FILE *out, unsigned shown)
{
	const char *group = NULL, *titled = NULL;

	for (int i = 0; i < option_count; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->group != NULL)
			group = row->group;
		if ((row->commands & shown) == 0)
			continue;
		if (titled != group)
			fprintf(out, "\n%s:\n", group);
		titled = group;
		help_option(out, row);
	}
}

void
help_print(FILE *out, const struct options *o)
{
	unsigned shown = o->command_named ? COMMAND_BIT(o->command) : COMMAND_ANY;

	help_usage(out, o);
	help_options(out, shown);
	fputs("\n"
	      "Exit status: 0 good, 1 slower, 2 trouble, 3 damage and --strict, 130 stopped.\n"
	      "See slowtop(1) for keys, columns and the form of csv and json.\n",
	    out);
	if (PACKAGE_BUGREPORT[0] != '\0')
		fputs("Report bugs to <" PACKAGE_BUGREPORT ">.\n", out);
}

void
version_print(FILE *out)
{
	fputs(PACKAGE_STRING
	    "\n"
	    "Licence: Apache-2.0.  There is no warranty, as far as the law permits.\n",
	    out);
}
