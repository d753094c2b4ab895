// SPDX-License-Identifier: Apache-2.0
/*
 * main: from the command line to a command and its exit status.  It alone ends the process.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/filemap.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
#include "format/input.h"
#include "tui/term/signals.h"
#include "tui/tui.h"

/* Called by the allocators of base, which never return NULL. */
_Noreturn void
mem_exhausted(size_t size)
{
	tui_emergency_restore();
	/* Neither say_trouble nor exit: both may allocate memory. */
	fprintf(stderr, PACKAGE_NAME ": out of memory (%zu bytes wanted)\n", size);
	_exit(say_status(ENOMEM));
}

/*
 * A closed standard descriptor would be given to the next file that is opened, and
 * messages written into it; with this, writing fails instead.
 */
static void
standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* A command's word misspelt: says so, where it is no file's name. */
static bool
unknown_command(const struct options *o)
{
	const char *word = o->operands[0], *nearest = subcommand_nearest(word);

	if (!o->command_meant || word[strspn(word, "abcdefghijklmnopqrstuvwxyz")] != '\0' ||
	    (nearest == NULL && o->operand_count == 1) || access(word, F_OK) == 0 ||
	    errno != ENOENT)
		return false;
	if (nearest != NULL)
		(void)say_usage(NULL, "unknown command '%s', and no such file; did you mean '%s'?",
		    word, nearest);
	else
		(void)say_usage(NULL, "unknown command '%s', and no such file", word);
	return true;
}

/* Was a trace put into standard input?  A terminal and /dev/null hold none. */
static bool
is_piped(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 &&
	    (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode) || S_ISSOCK(st.st_mode));
}

static int
run(const struct options *o)
{
	const struct subcommand *command = &subcommands[o->command];
	/* The calls of one trace may be both sides. */
	int more = o->diff.over_given ? 0 : command->more;

	if (o->help) {
		help_print(stdout, o);
		return output_end(stdout, 0);
	}
	if (o->version) {
		version_print(stdout);
		return output_end(stdout, 0);
	}
	if (o->list)
		return convert_list();
	if (command->bare && o->operand_count < 2)
		return command->run(o, o->operand_count > 0 ? o->operands[0] : NULL);
	if (command->bare)
		return say_usage(options_command(o), "one app at a time: '%s' is too many",
		    o->operands[1]);
	if (o->operand_count == 0 && more == 0 && !command->folder && is_piped())
		return config_there(o) ? command->run(o, INPUT_STDIN) : STATUS_TROUBLE;
	if (o->operand_count == 0)
		return say_usage(options_command(o), command->folder ? "no folder given" : "no trace given");
	if (unknown_command(o))
		return STATUS_TROUBLE;
	if (o->operand_count <= more)
		return say_usage(options_command(o), "'%s' needs %d traces", command->name,
		    1 + more);
	if (!command->many && o->operand_count > 1 + more)
		return say_usage(options_command(o), "%s at a time: '%s' is too many",
		    command->folder ? "one folder" : more == 0 ? "one trace" : "two traces",
		    o->operands[1 + more]);
	return config_there(o) ? command->run(o, o->operands[0]) : STATUS_TROUBLE;
}

/* Called by the name of a program that a command replaces, or with that word first. */
static bool
drop_in(int argc, char **argv, int *status)
{
	for (int skip = 0; skip < 2 && skip < argc; skip++) {
		const char *slash = strrchr(argv[skip], '/');
		const char *name = skip == 0 && slash != NULL ? slash + 1 : argv[skip];
		const struct subcommand *command = &subcommands[subcommand_find(name)];

		if (command->drop_in == NULL)
			continue;
		*status = command->drop_in(argc - skip, argv + skip);
		return true;
	}
	return false;
}

/* "help COMMAND" is "COMMAND --help", "help" alone --help; false: no such command. */
static bool
help_first(int argc, char **argv)
{
	static char option[] = "--help";

	if (argc < 2 || argc > 3 || strcmp(argv[1], "help") != 0)
		return true;
	if (argc == 3 && argv[2][0] != '-' && subcommand_find(argv[2]) == COMMAND_BROWSE) {
		(void)say_usage(NULL, "unknown command '%s'", argv[2]);
		return false;
	}
	argv[1] = argv[argc - 1];
	argv[argc - 1] = option;
	return true;
}

int
main(int argc, char **argv)
{
	static char name[] = PACKAGE_NAME;
	struct options options;
	int status = STATUS_TROUBLE;

	standard_files();
	interrupt_limits();
	mapguard_install(signals_crash_now);
	setlocale(LC_CTYPE, "");
	if (argc > 1 && strcmp(argv[1], "--complete") == 0)
		return complete(argc - 2, argv + 2);
	if (!help_first(argc, argv))
		return STATUS_TROUBLE;
	if (drop_in(argc, argv, &status))
		return interrupt_status(status);
	if (argc > 0)
		argv[0] = name; /* getopt's messages begin with it */
	options_init(&options);
	if (options_parse(&options, argc, argv))
		status = run(&options);
	options_release(&options);
	return interrupt_status(status);
}
