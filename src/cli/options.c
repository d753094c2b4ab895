#include <config.h>

#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/say.h"

/* What getopt_long returns for row i: out of the way of letters. */
enum { ROW_BASE = 256 };

void
option_words(struct sbuf *out, const struct option_row *row)
{
	const char *word;

	if (row->word == NULL)
		return;
	for (int i = 0; (word = row->word(i)) != NULL; i++) {
		if (i > 0)
			sbuf_text(out, ", ");
		sbuf_text(out, word);
	}
}

static void
say_value(const struct option_row *row, const char *value, const struct err *why)
{
	struct sbuf words = {0};

	option_words(&words, row);
	if (why->kind != ERR_NONE && why->has_offset)
		say_usage("invalid value '%s' for --%s: %s (byte %llu)", value, row->name,
		    why->what, (unsigned long long)why->offset);
	else if (why->kind != ERR_NONE)
		say_usage("invalid value '%s' for --%s: %s", value, row->name, why->what);
	else
		say_usage("invalid value '%s' for --%s (%s)", value, row->name,
		    sbuf_cstr(&words));
	sbuf_release(&words);
}

static const struct option_row *
row_of(int code)
{
	if (code >= ROW_BASE)
		return &option_rows[code - ROW_BASE];
	for (int i = 0; i < option_count; i++)
		if (option_rows[i].letter == code)
			return &option_rows[i];
	return NULL;
}

/*
 * A command's word is the first operand, but not behind "--": there are only files,
 * so that one named like a command can be opened.
 */
static void
operand_add(struct options *o, char *operand, bool may_command)
{
	enum subcommand_id command = subcommand_find(operand);

	if (may_command && !o->command_named && o->operand_count == 0 &&
	    command != COMMAND_BROWSE) {
		o->command = command;
		o->command_named = true;
		return;
	}
	o->operands[o->operand_count++] = operand;
}

/*
 * Options of a report make it one when no command is named: `slowtop --format=json X`
 * means what it says wherever the output goes.
 */
static bool
options_fit(struct options *o, const bool *given)
{
	bool report = false;

	for (int i = 0; i < option_count; i++)
		if (given[i] &&
		    (option_rows[i].commands & COMMAND_BIT(COMMAND_BROWSE)) == 0)
			report = true;
	if (!o->command_named && report)
		o->command = COMMAND_REPORT;
	if (!o->command_named)
		return true;
	if (subcommands[o->command].drop_in != NULL) {
		say_usage("'%s' must be the first word", subcommands[o->command].name);
		return false;
	}
	for (int i = 0; i < option_count; i++) {
		if (!given[i] || (option_rows[i].commands & COMMAND_BIT(o->command)) != 0)
			continue;
		say_usage("'%s' does not take --%s", subcommands[o->command].name,
		    option_rows[i].name);
		return false;
	}
	return true;
}

void
options_init(struct options *o)
{
	*o = (struct options){.command = COMMAND_BROWSE};
	report_options_init(&o->report);
	o->report.ascii = !utf8_locale();
	o->report.to_terminal = isatty(STDOUT_FILENO);
}

bool
options_parse(struct options *o, int argc, char **argv)
{
	struct option *longs = mem_zero((size_t)option_count + 1, sizeof *longs);
	bool *given = mem_zero((size_t)option_count, sizeof *given);
	struct sbuf letters = {0};
	bool good = false;
	int code;

	o->operands = mem_zero((size_t)argc + 1, sizeof *o->operands);
	sbuf_char(&letters, '-'); /* operands come in their place, as option 1 */
	for (int i = 0; i < option_count; i++) {
		const struct option_row *row = &option_rows[i];
		int takes = row->value != NULL ? required_argument : no_argument;

		longs[i] = (struct option){row->name, takes, NULL, ROW_BASE + i};
		if (row->letter == 0)
			continue;
		sbuf_char(&letters, row->letter);
		if (takes == required_argument)
			sbuf_char(&letters, ':');
	}

	optind = 1;
	while ((code = getopt_long(argc, argv, sbuf_cstr(&letters), longs, NULL)) != -1) {
		const struct option_row *row = row_of(code);
		struct err why = {.kind = ERR_NONE};

		if (code == 1) {
			operand_add(o, optarg, true);
			continue;
		}
		if (row == NULL) { /* getopt has said why */
			say_hint();
			goto out;
		}
		given[row - option_rows] = true;
		if (!row->apply(o, optarg, &why)) {
			say_value(row, optarg, &why);
			goto out;
		}
	}
	for (; optind < argc; optind++)
		operand_add(o, argv[optind], false);
	good = options_fit(o, given);
out:
	sbuf_release(&letters);
	mem_free(given);
	mem_free(longs);
	return good;
}

void
options_release(struct options *o)
{
	report_options_release(&o->report);
	mem_free(o->operands);
}
