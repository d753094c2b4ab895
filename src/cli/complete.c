#include <config.h>

#include "cli/complete.h"

#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "cli/options.h"
#include "profile/transform.h"
#include "report/text/logrows.h"

/* What was typed, up to the cursor. */
struct line {
	int count;
	char **words;
	enum subcommand_id command;
	unsigned commands; /* whose options are offered */
	const char *typed; /* of the last word, or of the value in it */
	size_t lead;       /* bytes of the last word in front of that, as "--view=" */
};

/* Offers a word that begins as what was typed, with its help up to the first semicolon. */
static void
offer(const struct line *l, const char *word, const char *end, const char *help)
{
	size_t n = strlen(l->typed), length = strlen(word);

	if (strncmp(word, l->typed, n < length ? n : length) != 0 ||
	    (n > length && strcmp(l->typed + length, end) != 0))
		return;
	printf("%.*s%s%s\t", (int)l->lead, l->count > 0 ? l->words[l->count - 1] : "", word, end);
	for (; *help != '\0' && *help != ';'; help++)
		putchar(*help == '\n' ? ' ' : *help);
	putchar('\n');
}

/* The next row of that name from `i` on, or `option_count`. */
static int
row_next(const struct line *l, int i, const char *name, size_t n)
{
	while (i < option_count && ((option_rows[i].commands & l->commands) == 0 ||
				       strlen(option_rows[i].name) != n ||
				       strncmp(option_rows[i].name, name, n) != 0))
		i++;
	return i;
}

/* The columns of the table that the report is asked for, if it is one of a text log. */
static bool
log_columns(const struct line *l)
{
	static const char view[] = "--view=log-";
	char column[FMT_SIZE];
	int i = 0;

	for (int w = 0; w < l->count; w++)
		if (strncmp(l->words[w], view, sizeof(view) - 1) == 0)
			for (; logrows_column(strchr(l->words[w], '=') + 1, i, column); i++)
				offer(l, column, "", "");
	return i > 0;
}

static void
offer_values(struct line *l, const char *name, size_t n)
{
	int first = row_next(l, 0, name, n);
	bool sort = n == 4 && strncmp(name, "sort", n) == 0;
	const char *word;

	if (sort && (*l->typed == '+' || *l->typed == '-')) {
		l->typed++;
		l->lead++;
	}
	if (first < option_count && option_rows[first].file)
		puts("/");
	if (first < option_count && strcmp(option_rows[first].name, "transform") == 0)
		for (int i = 0; i < TRANSFORMS; i++)
			offer(l, transform_kinds[i].name, ":", transform_kinds[i].help);
	if (sort && log_columns(l))
		return;
	for (int row = first; row < option_count; row = row_next(l, row + 1, name, n))
		for (int i = 0; option_rows[row].words != NULL &&
		     (word = option_word(option_rows[row].words, i)) != NULL; i++)
			if (row == first || option_word_find(option_rows[first].words, word) < 0)
				offer(l, word, "", "");
}

/* The lines of a usage that name options: "  -d TRACE  show ...". */
static void
offer_letters(const struct line *l, const char *usage)
{
	char letter[] = "-?";

	for (; (usage = strstr(usage, "\n  -")) != NULL; usage += 4) {
		letter[1] = usage[4];
		offer(l, letter, "", usage + 5 + strspn(usage + 5, " ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
	}
}

static void
offer_options(const struct line *l)
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
waiting(const struct line *l, const char *word, const char **name)
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
	struct line l = {.count = count, .words = words, .typed = count > 0 ? words[count - 1] : ""};
	const char *equals = strchr(l.typed, '='), *name;
	size_t n;

	for (int i = 0; i < count - 1 && l.command == COMMAND_BROWSE; i++)
		l.command = subcommand_find(words[i]);
	l.commands = COMMAND_BIT(l.command);
	if (l.command == COMMAND_BROWSE)
		l.commands |= COMMAND_BIT(COMMAND_REPORT);
	if (strncmp(l.typed, "--", 2) == 0 && equals != NULL) {
		name = l.typed + 2;
		l.lead = (size_t)(equals + 1 - l.typed);
		l.typed = equals + 1;
		offer_values(&l, name, (size_t)(equals - name));
	} else if (count > 1 && (n = waiting(&l, words[count - 2], &name)) > 0) {
		offer_values(&l, name, n);
	} else if (*l.typed == '-') {
		offer_options(&l);
	} else {
		puts("/");
		for (int i = 0; i < COMMANDS && count <= 1; i++)
			if (subcommands[i].name != NULL)
				offer(&l, subcommands[i].name, "", subcommands[i].help);
	}
	return 0;
}
