// SPDX-License-Identifier: Apache-2.0
/*
 * man-record: parts of slowtop-record(1), in mdoc(7), from the program's own tables: its
 * options, its modes, or its messages.  "make update-docs" puts them into the page, t-docs
 * compares.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "record/failures.h"

/* A text with its first letter as a capital, blanks ({name}) as arguments, and one line. */
static void
put_text(const char *text)
{
	bool first = true;

	for (; *text != '\0'; text++, first = false) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL;

		if (end != NULL) {
			printf("\\fI%.*s\\fP", (int)(end - text) - 1, text + 1);
			text = end;
		} else if (*text == '\n') {
			putchar(' ');
		} else if (*text == '-') {
			fputs("\\-", stdout);
		} else if (*text == '\'') {
			fputs("\\(aq", stdout);
		} else {
			putchar(first && *text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text);
		}
	}
}

static void
put_options(void)
{
	for (int i = 0; i < option_count; i++) {
		const struct option_row *row = &option_rows[i];
		const char *word;

		if ((row->commands & COMMAND_BIT(COMMAND_RECORD)) == 0 ||
		    (row->commands & COMMAND_ANY) == COMMAND_ANY)
			continue;
		printf(".It Fl -%s%s%s\n", row->name, row->value != NULL ? " Ns = Ns Ar " : "",
		    row->value != NULL ? row->value : "");
		put_text(row->help);
		for (int w = 0; row->words != NULL && (word = option_word(row->words, w)) != NULL; w++)
			printf("%s%s", w > 0 ? ", " : " ", word);
		puts(".");
	}
}

static void
put_modes(void)
{
	for (int i = 0; i < mode_count; i++) {
		printf(".It Cm %s\n", modes[i].word);
		put_text(modes[i].help);
		puts(".");
	}
}

static void
put_failures(void)
{
	for (int i = 0; i < FAILURES; i++) {
		if (failures[i].what == NULL)
			continue;
		fputs(".It\n", stdout);
		put_text(failures[i].what);
		puts(".");
		if (failures[i].help != NULL) {
			put_text(failures[i].help);
			putchar('\n');
		}
	}
}

int
main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "";

	if (strcmp(part, "options") == 0)
		put_options();
	else if (strcmp(part, "modes") == 0)
		put_modes();
	else
		put_failures();
	return 0;
}
