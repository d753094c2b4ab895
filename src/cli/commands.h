// SPDX-License-Identifier: Apache-2.0
/*
 * commands: what the program can do, one row each, and what each does.
 *
 * A new one is an enum member, a row and its function.  What each takes is said in the
 * option table (options.h) by COMMAND_BIT.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct options;
struct runset;
struct report_options;

enum subcommand_id {
	COMMAND_BROWSE, /* no word of its own: what is left when no other is named */
	COMMAND_REPORT,
	COMMAND_INFO,
	COMMAND_TRIAGE,
	COMMAND_FLAME,
	COMMAND_HTML,
	COMMAND_DUMP,
	COMMAND_CONVERT,
	COMMAND_DIFF,
	COMMAND_RECORD,
	COMMAND_SERVE,
	COMMAND_DMTRACEDUMP,
	COMMAND_TRACEVIEW,
	COMMANDS
};

#define COMMAND_BIT(id) (1u << (id))
/* Commands that open a trace. */
#define COMMAND_ANY                                                                      \
	(COMMAND_BIT(COMMAND_BROWSE) | COMMAND_BIT(COMMAND_REPORT) |                     \
	    COMMAND_BIT(COMMAND_INFO) | COMMAND_BIT(COMMAND_TRIAGE) | COMMAND_BIT(COMMAND_FLAME) | \
	    COMMAND_BIT(COMMAND_HTML) | COMMAND_BIT(COMMAND_DUMP) |                        \
	    COMMAND_BIT(COMMAND_CONVERT) | COMMAND_BIT(COMMAND_DIFF))

struct subcommand {
	const char *name; /* NULL: none */
	const char *operands;
	const char *help;
	int (*run)(const struct options *, const char *trace); /* the exit status */
	/*
	 * In place of `run`, for a command that parses its own command line as another
	 * program does: the word must come first, and is argv[0] here.
	 */
	int (*drop_in)(int argc, char **argv);
	const char *usage; /* of such a command: what --help prints */
	bool bare; /* needs no operand, and takes none from standard input */
	bool folder; /* it takes no trace, but a folder */
	bool many; /* any number of traces; they are in the operands */
	int more; /* traces that it takes beside the first; they are in the operands */
};

extern const struct subcommand subcommands[COMMANDS];

/* COMMAND_BROWSE when no command has this name. */
enum subcommand_id subcommand_find(const char *name);
/* The command or option that a misspelt word resembles most; NULL: none is near. */
const char *subcommand_nearest(const char *name);

/*
 * Commands that print or write and end: report and info; flame and html; convert and
 * dump; diff, which browses in a terminal.  Each returns the exit status.
 */
int print_report(const struct options *, const char *path);
int print_info(const struct options *, const char *path);
/* A report each --every, of what is followed (follow.c). */
int follow_report(const struct options *, const char *path);
/* triage.c: what is slow in the traces of the operands. */
int triage(const struct options *, const char *path);
int flame(const struct options *, const char *path);
int html(const struct options *, const char *path);
/* Converts to the format of the options. */
int convert(const struct options *, const char *path);
/* Serves a folder of traces until a signal ends it. */
int serve(const struct options *, const char *folder);
/* Lists the formats, and those of other commands: `convert --list`. */
int convert_list(void);
int dump(const struct options *, const char *path);
/* Compares; `before` is A. */
int diff(const struct options *, const char *before);
/* True if a report of these needs the sums of all records only (struct load). */
bool sums_suffice(const struct report_options *);
int diff_files(const struct options *, const char *before, const char *path);

/* record.c: records on a device, and shows what came; `app` may be NULL. */
int record(const struct options *, const char *app);

/* `slowtop TRACE`: browses it in the terminal, or prints its report when there is none. */
int browse(const struct options *, const char *path);
/* Browses a trace in the terminal, compared with `before`, an earlier one; NULL: with none. */
int browse_diff(const struct options *, const char *before, const char *path);

/* Shows what several runs on each side say; a row opens a trace of each, compared. */
int browse_runs(const struct options *, const struct runset *);

/*
 * Watches the trace as -f or -F asks, `o` a copy of the options that gets the watch, and waits
 * until there is enough to open.  STATUS_OK, or said why not; follow_end in both cases.
 */
int follow_begin(struct options *o, const char *path);
/* Watches a pipe, the caller's to close, which is shown by that name; < 0: the file. */
int follow_pipe(struct options *o, const char *path, int pipe);
void follow_end(struct options *);

/*
 * Checks before all else, also where no screen would read it, that a file of settings given by
 * name exists; false when not, which is said.
 */
bool config_there(const struct options *);

/* help.c: the help of the command that was named, or of all (short without an operand). */
void help_print(FILE *, const struct options *);
void version_print(FILE *);
/* Prints what the last of the words can become; returns the exit status. */
int complete(int count, char **words);

/*
 * Replacements for other programs.  They return the exit status: 1 for a trace that
 * cannot be read, 2 for misuse.
 */
int dmtracedump_main(int argc, char **argv);
int traceview_main(int argc, char **argv);
extern const char dmtracedump_usage[], traceview_usage[]; /* a line for each option */
