// SPDX-License-Identifier: Apache-2.0
/* help: what --help prints, and completion for shells, from the tables of options and commands. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <zlib.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "format/archive.h"
#include "profile/sum/transform.h"
#include "tui/term/term.h"

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

/* True if the help is about this command, too. */
static bool
help_about(const struct options *o, int command)
{
	return !o->command_named || (int)o->command == command;
}

static void
help_commands(FILE *out, const struct options *o)
{
	for (int i = 0; i < COMMANDS; i++) {
		const char *name = subcommands[i].name;

		if (help_about(o, i))
			fprintf(out, "  " PACKAGE_NAME " %-*s%s\n", HELP_INDENT - 10,
			    name != NULL ? name : subcommands[i].operands, subcommands[i].help);
	}
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
	help_commands(out, o);
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

/* Prints what fits on one screen: the commands, and the options that most users need. */
static void
help_short(FILE *out, const struct options *o)
{
	static const char *const often[] = {"output", "filter", "thread", "from", "to", "mapping"};

	fputs("Usage: " PACKAGE_NAME " [OPTION]... TRACE\n"
	      "  or:  " PACKAGE_NAME " COMMAND [OPTION]... TRACE\n\n",
	    out);
	help_commands(out, o);
	fputs("\nOptions used most:\n", out);
	for (size_t i = 0; i < sizeof(often) / sizeof(often[0]); i++)
		for (int row = 0; row < option_count; row++)
			if (strcmp(option_rows[row].name, often[i]) == 0) {
				help_option(out, &option_rows[row]);
				break;
			}
	fputs("\n"
	      "'" PACKAGE_NAME " help COMMAND' lists the options of a command, '" PACKAGE_NAME
	      " TRACE --help'\n"
	      "those of all.  'man " PACKAGE_NAME "' has keys, columns and examples.\n",
	    out);
}

void
help_print(FILE *out, const struct options *o)
{
	unsigned shown = o->command_named ? COMMAND_BIT(o->command) : COMMAND_ANY | COMMAND_BIT(COMMAND_SERVE);

	if (!o->command_named && o->operand_count == 0) {
		help_short(out, o);
		return;
	}
	help_usage(out, o);
	help_options(out, shown);
	fputs("\n"
	      "Exit status: 0 good, 1 slower, 2 error, 3 damaged, 4 unsure, 130 stopped\n"
	      "See slowtop(1) for keys, columns and the form of csv and json.\n",
	    out);
	if (PACKAGE_BUGREPORT[0] != '\0')
		fputs("Report bugs to <" PACKAGE_BUGREPORT ">.\n", out);
}

void
version_print(FILE *out)
{
	char terminal[TERM_LIBRARIES], pcre2[64];
	uint32_t jit = 0;

	pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
	pcre2_config(PCRE2_CONFIG_JIT, &jit);
	pcre2[strcspn(pcre2, " ")] = '\0'; /* the date of it */
	fprintf(out,
	    PACKAGE_STRING "\n"
	    "With %s, PCRE2 %s with%s JIT, zlib %s%s%s%s%s.\n"
	    "Licence: Apache-2.0.  There is no warranty, as far as the law permits.\n",
	    term_libraries(terminal), pcre2, jit != 0 ? "" : "out", zlibVersion(),
	    archive_library() != NULL ? ", libarchive " : "",
	    archive_library() != NULL ? archive_library() : "",
	    serve_library() != NULL ? ", libmicrohttpd " : "",
	    serve_library() != NULL ? serve_library() : "");
}

/* Completion for shells ------------------------------------------------------------ */

/* The command line up to the cursor. */
struct help_line {
	int count;
	char **words;
	enum subcommand_id command;
	unsigned commands; /* whose options are offered */
	const char *begun; /* of the last word, or of the value in it */
	size_t lead;       /* bytes of the last word in front of that, as "--view=" */
};

/* Offers a word that begins with the last one, with its help up to the first semicolon. */
static void
offer(const struct help_line *l, const char *word, const char *end, const char *help)
{
	size_t n = strlen(l->begun), length = strlen(word);

	if (strncmp(word, l->begun, n < length ? n : length) != 0 ||
	    (n > length && strcmp(l->begun + length, end) != 0))
		return;
	printf("%.*s%s%s\t", (int)l->lead, l->count > 0 ? l->words[l->count - 1] : "", word, end);
	for (; *help != '\0' && *help != ';'; help++)
		putchar(*help == '\n' ? ' ' : *help);
	putchar('\n');
}

/* The next row of that name from `i` on, or `option_count`. */
static int
row_next(const struct help_line *l, int i, const char *name, size_t n)
{
	while (i < option_count && ((option_rows[i].commands & l->commands) == 0 ||
				       strlen(option_rows[i].name) != n ||
				       strncmp(option_rows[i].name, name, n) != 0))
		i++;
	return i;
}

/* The columns of the view that the report is asked for. */
static bool
own_columns(const struct help_line *l)
{
	static const char option[] = "--view=";
	const size_t n = sizeof(option) - 1;
	int count = 0;

	for (int w = 0; w < l->count; w++) {
		for (int v = 0; v < report_view_count; v++) {
			const struct report_view *view = &report_views[v];
			const struct column *c = report_columns(view);

			if (strncmp(l->words[w], option, n) != 0 ||
			    strcmp(l->words[w] + n, view->name) != 0)
				continue;
			for (; c->id != NULL; c++, count++)
				if (column_sorts(c))
					offer(l, c->id, "", "");
		}
	}
	return count > 0;
}

static void
offer_values(struct help_line *l, const char *name, size_t n)
{
	int first = row_next(l, 0, name, n);
	bool sort = n == 4 && strncmp(name, "sort", n) == 0;
	const char *word, *last = strrchr(l->begun, ' ');

	/* The last condition begins with a column, too. */
	if (n == 5 && strncmp(name, "where", n) == 0) {
		l->lead += last != NULL ? (size_t)(last + 1 - l->begun) : 0;
		l->begun = last != NULL ? last + 1 : l->begun;
		sort = true;
		name = "sort";
		n = 4;
		first = row_next(l, 0, name, n);
	} else if (sort && (*l->begun == '+' || *l->begun == '-')) {
		l->begun++;
		l->lead++;
	}
	if (first < option_count && option_rows[first].file)
		puts("/");
	if (first < option_count && strcmp(option_rows[first].name, "transform") == 0)
		for (int i = 0; i < TRANSFORMS; i++)
			offer(l, transform_kinds[i].name, ":", transform_kinds[i].help);
	if (sort && own_columns(l))
		return;
	for (int row = first; row < option_count; row = row_next(l, row + 1, name, n))
		for (int i = 0; option_rows[row].words != NULL &&
		     (word = option_word(option_rows[row].words, i)) != NULL; i++)
			if (row == first || option_word_find(option_rows[first].words, word) < 0)
				offer(l, word, "", "");
}

/* The lines of a usage that name options: "  -d TRACE  show ...". */
static void
offer_letters(const struct help_line *l, const char *usage)
{
	char letter[] = "-?";

	for (; (usage = strstr(usage, "\n  -")) != NULL; usage += 4) {
		letter[1] = usage[4];
		offer(l, letter, "", usage + 5 + strspn(usage + 5, " ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
	}
}

static void
offer_options(const struct help_line *l)
{
	const char *usage = subcommands[l->command].usage;

	if (usage != NULL) {
		offer_letters(l, usage);
		return;
	}
	for (int i = 0; i < option_count; i++) {
		char name[64];

		if (row_next(l, 0, option_rows[i].name, strlen(option_rows[i].name)) != i)
			continue;
		snprintf(name, sizeof(name), "--%s", option_rows[i].name);
		offer(l, name, option_rows[i].value != NULL ? "=" : "", option_rows[i].help);
	}
}

/* The option whose value is the next word; its length, 0 without one. */
static size_t
waiting(const struct help_line *l, const char *word, const char **name)
{
	int i;

	for (i = 0; word[0] == '-' && word[1] != '-' && i < option_count; i++)
		if (option_rows[i].letter == word[1] && word[2] == '\0')
			break;
	if (strncmp(word, "--", 2) == 0)
		i = row_next(l, 0, word + 2, strlen(word + 2));
	else if (word[0] != '-')
		return 0;
	if (i >= option_count || option_rows[i].value == NULL)
		return 0;
	*name = option_rows[i].name;
	return strlen(*name);
}

int
complete(int count, char **words)
{
	struct help_line l = {.count = count, .words = words,
	    .begun = count > 0 ? words[count - 1] : ""};
	const char *equals = strchr(l.begun, '='), *name;
	size_t n;

	for (int i = 0; i < count - 1 && l.command == COMMAND_BROWSE; i++)
		l.command = subcommand_find(words[i]);
	l.commands = COMMAND_BIT(l.command);
	if (l.command == COMMAND_BROWSE)
		l.commands |= COMMAND_BIT(COMMAND_REPORT);
	if (strncmp(l.begun, "--", 2) == 0 && equals != NULL) {
		name = l.begun + 2;
		l.lead = (size_t)(equals + 1 - l.begun);
		l.begun = equals + 1;
		offer_values(&l, name, (size_t)(equals - name));
	} else if (count > 1 && (n = waiting(&l, words[count - 2], &name)) > 0) {
		offer_values(&l, name, n);
	} else if (*l.begun == '-') {
		offer_options(&l);
	} else {
		puts("/");
		for (int i = 0; i < COMMANDS && count <= 1; i++)
			if (subcommands[i].name != NULL)
				offer(&l, subcommands[i].name, "", subcommands[i].help);
	}
	return 0;
}
