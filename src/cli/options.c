// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/say.h"

/* Code that getopt_long returns for row 0, out of the way of letters. */
enum { ROW_BASE = 256 };

void
option_words_list(struct sbuf *out, const struct option_row *row)
{
	const char *word;

	if (row->words == NULL)
		return;
	for (int i = 0; (word = option_word(row->words, i)) != NULL; i++) {
		if (i > 0)
			sbuf_text(out, ", ");
		sbuf_text(out, word);
	}
}

const char *
options_command(const struct options *o)
{
	return o->command_named ? subcommands[o->command].name : NULL;
}

static void
say_value(const char *command, const struct option_row *row, const char *value,
    const struct err *why)
{
	struct sbuf words = {0};

	option_words_list(&words, row);
	if (why->kind != ERR_NONE && why->has_offset)
		say_usage(command, "invalid value '%s' for --%s: %s (byte %llu)", value,
		    row->name, why->what, (unsigned long long)why->offset);
	else if (why->kind != ERR_NONE)
		say_usage(command, "invalid value '%s' for --%s: %s", value, row->name,
		    why->what);
	else
		say_usage(command, "invalid value '%s' for --%s (%s)", value, row->name,
		    sbuf_cstr(&words));
	sbuf_release(&words);
}

/* An option from the command line; only the command tells which row of that name it is. */
struct option_given {
	int row;
	const char *value;
	int before; /* operands before it */
};

/* The first row of the option's name, by getopt's code. */
static int
row_of(int code)
{
	if (code >= ROW_BASE)
		return code - ROW_BASE;
	for (int i = 0; i < option_count; i++)
		if (option_rows[i].letter == code)
			return i;
	return -1;
}

/* A name may mean different things to different commands, a row for each. */
static bool
row_is_first(int row)
{
	for (int i = 0; i < row; i++)
		if (strcmp(option_rows[i].name, option_rows[row].name) == 0)
			return false;
	return true;
}

/* The row of the same name that is the command's, or -1. */
static int
row_for(int first, enum subcommand_id command)
{
	for (int i = first; i < option_count; i++)
		if (strcmp(option_rows[i].name, option_rows[first].name) == 0 &&
		    (option_rows[i].commands & COMMAND_BIT(command)) != 0)
			return i;
	return -1;
}

/*
 * A command's word is the first operand, but not after "--": only files follow it, so
 * that one named like a command can be opened.
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
	if (o->operand_count == 0)
		o->command_meant = may_command && !o->command_named;
	o->operands[o->operand_count++] = operand;
}

static bool
has_word(const struct option_row *row, const char *value)
{
	return row->words != NULL && option_word_find(row->words, value) >= 0;
}

/*
 * Without a named command: does the browser have the option, and with this value?
 * Without a terminal there is only the report.
 */
static bool
browser_takes(const struct option_given *given)
{
	int browse = row_for(given->row, COMMAND_BROWSE);
	int report = row_for(given->row, COMMAND_REPORT);

	if (browse < 0)
		return false;
	if (report < 0 || report == browse)
		return true;
	return isatty(STDOUT_FILENO) && (has_word(&option_rows[browse], given->value) ||
					    !has_word(&option_rows[report], given->value));
}

/*
 * Options of a report make it one when no command is named: `slowtop --format=json X`
 * means what it says wherever the output goes.
 */
static bool
command_settle(struct options *o, const struct option_given *given, size_t count)
{
	if (!o->command_named) {
		for (size_t i = 0; i < count; i++)
			if (!browser_takes(&given[i]))
				o->command = COMMAND_REPORT;
		return true;
	}
	if (subcommands[o->command].drop_in == NULL)
		return true;
	say_usage(NULL, "'%s' must be the first word", subcommands[o->command].name);
	return false;
}

static bool
given_apply(struct options *o, const struct option_given *given)
{
	struct err why = {.kind = ERR_NONE};
	int row = row_for(given->row, o->command);

	/* Without a command's word, options of the browser are harmless in a report. */
	if (row < 0 && !o->command_named)
		row = row_for(given->row, COMMAND_BROWSE);
	if (row < 0 && !o->command_named) {
		say_usage(NULL, "--%s needs a command", option_rows[given->row].name);
		return false;
	}
	if (row < 0) {
		say_usage(options_command(o), "'%s' does not take --%s", options_command(o),
		    option_rows[given->row].name);
		return false;
	}
	o->print |= option_rows[row].prints;
	o->place = given->before;
	if (option_take(o, &option_rows[row], given->value, &why))
		return true;
	say_value(options_command(o), &option_rows[row], given->value, &why);
	return false;
}

void
options_init(struct options *o)
{
	*o = (struct options){.command = COMMAND_BROWSE};
	report_options_init(&o->report);
	flame_options_init(&o->flame);
	diffreport_options_init(&o->diff);
	runs_options_init(&o->runs);
	o->wait = INT64_C(30000000000);
	o->report.ascii = !utf8_locale();
}

/* Fills `longs`, as long as the table, and `letters` for getopt. */
static void
options_tell(struct option *longs, struct sbuf *letters)
{
	sbuf_char(letters, '-'); /* operands come in their place, as option 1 */
	for (int i = 0; i < option_count; i++) {
		const struct option_row *row = &option_rows[i];
		int takes = row->value != NULL ? required_argument : no_argument;

		if (!row_is_first(i))
			continue;
		*longs++ = (struct option){row->name, takes, NULL, ROW_BASE + i};
		if (row->letter == 0)
			continue;
		sbuf_char(letters, row->letter);
		if (takes == required_argument)
			sbuf_char(letters, ':');
	}
}

/* Adds a file's lines, an option each; blank ones and those that begin with # are none. */
static bool
file_add(struct options *o, const char *path, int *count, size_t *room)
{
	struct err e = {.kind = ERR_NONE};
	struct sbuf text = {0};
	struct str rest, line;
	int number = 0;
	bool good = textfile_read(path, &text, &e);

	if (good && !outfile_exists(path))
		good = err_set(&e, ERR_SYSTEM, "no such file");
	if (!good)
		say_trouble(path, "%s", err_text(&e, ERR_BUF));
	rest = sbuf_view(&text);
	while (good && rest.p != NULL) {
		line = str_trim(str_cut(&rest, '\n'));
		number++;
		if (line.n == 0 || *line.p == '#')
			continue;
		good = line.n > 2 && line.p[0] == '-' && line.p[1] == '-';
		if (!good) {
			say_usage(options_command(o), "%s:%d: expected an option, as --fail-above=10%%", path,
			    number);
			break;
		}
		MEM_GROW(o->words, *room, (size_t)*count + 2);
		o->words[*count] = arena_alloc(&o->kept, line.n + 1);
		memcpy(o->words[*count], line.p, line.n);
		o->words[(*count)++][line.n] = '\0';
	}
	sbuf_release(&text);
	return good;
}

/* Puts the options of files, diff @FILE, in their places of the command line. */
static bool
words_make(struct options *o, int argc, char **argv, int *count)
{
	bool compares = argc > 1 && strcmp(argv[1], "diff") == 0, ended = false, good = true;
	size_t room = 0;

	for (int i = 0; i < argc && good; i++) {
		ended |= strcmp(argv[i], "--") == 0;
		if (compares && !ended && i > 1 && argv[i][0] == '@' && argv[i][1] != '\0') {
			good = file_add(o, argv[i] + 1, count, &room);
			continue;
		}
		MEM_GROW(o->words, room, (size_t)*count + 2);
		o->words[(*count)++] = argv[i];
	}
	MEM_GROW(o->words, room, (size_t)*count + 1);
	o->words[*count] = NULL;
	return good;
}

const char *
options_name(const struct options *o, int operand)
{
	int last = o->name_count - 1;

	return last < 0 ? NULL : o->names[operand < last ? operand : last];
}

const char *
options_given(const char *option, const char *variable, const char *otherwise)
{
	const char *value = option != NULL ? option : getenv(variable);

	return value != NULL && *value != '\0' ? value : otherwise;
}

int
options_side(const struct options *o, int operand)
{
	int side = DIFF_SIDES;

	for (size_t i = 0; i < o->mark_count; i++)
		if (o->marks[i].at <= operand)
			side = o->marks[i].side;
	return side;
}

/* Gives mappings among the operands of sides to these; those after all operands are of both. */
static void
mappings_settle(struct options *o)
{
	for (size_t i = 0; i < o->mapping_count; i++) {
		const struct side_file *m = &o->mappings[i];

		if (m->at < o->operand_count)
			o->mapping[options_side(o, m->at)] = m->path;
		else
			option_sides_take(o->mapping, m->path);
	}
}

bool
options_parse(struct options *o, int argc, char **argv)
{
	struct option *longs = mem_zero((size_t)option_count + 1, sizeof *longs);
	struct option_given *given = NULL;
	struct sbuf letters = {0};
	size_t count = 0, room = 0;
	bool good = false;
	int code, words = 0;

	if (!words_make(o, argc, argv, &words))
		goto out;
	argc = words;
	argv = o->words;
	o->operands = mem_zero((size_t)argc + 1, sizeof *o->operands);
	options_tell(longs, &letters);
	optind = 1;
	while ((code = getopt_long(argc, argv, sbuf_cstr(&letters), longs, NULL)) != -1) {
		int row = row_of(code);

		if (code == 1) {
			operand_add(o, optarg, true);
			continue;
		}
		if (row < 0) { /* getopt has said why */
			say_hint(options_command(o));
			goto out;
		}
		/* One word may hold many letters. */
		*MEM_ADD(given, count, room) = (struct option_given){row, optarg, o->operand_count};
	}
	for (; optind < argc; optind++)
		operand_add(o, argv[optind], false);
	good = command_settle(o, given, count);
	for (size_t i = 0; i < count && good; i++)
		good = given_apply(o, &given[i]);
	mappings_settle(o);
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
	finding_rules_release(&o->triage.rules);
	runs_options_release(&o->runs);
	mem_free(o->marks);
	mem_free(o->mappings);
	renames_release(&o->renames);
	mem_free(o->operands);
	mem_free(o->words);
	arena_release(&o->kept);
}
