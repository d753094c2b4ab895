/*
 * subcommand: what the program can do, one row each.
 *
 * A new one is an enum member, a row and its function.  What each takes is said in the
 * option table (options.h) by COMMAND_BIT.
 */
#ifndef SLOWTOP_CLI_SUBCOMMAND_H
#define SLOWTOP_CLI_SUBCOMMAND_H

struct options;

enum subcommand_id {
	COMMAND_BROWSE, /* no word of its own: what is left when no other is named */
	COMMAND_REPORT,
	COMMAND_INFO,
	COMMAND_FLAME,
	COMMAND_HTML,
	COMMAND_DUMP,
	COMMAND_CONVERT,
	COMMAND_DIFF,
	COMMAND_DMTRACEDUMP,
	COMMAND_TRACEVIEW,
	COMMANDS
};

#define COMMAND_BIT(id) (1u << (id))
/* Those that take options of the table. */
#define COMMAND_ANY                                                                      \
	(COMMAND_BIT(COMMAND_BROWSE) | COMMAND_BIT(COMMAND_REPORT) |                     \
	    COMMAND_BIT(COMMAND_INFO) | COMMAND_BIT(COMMAND_FLAME) |                      \
	    COMMAND_BIT(COMMAND_HTML) | COMMAND_BIT(COMMAND_DUMP) |                        \
	    COMMAND_BIT(COMMAND_CONVERT) | COMMAND_BIT(COMMAND_DIFF))

struct subcommand {
	const char *name; /* NULL: none */
	const char *operands;
	const char *help;
	int (*run)(const struct options *, const char *trace); /* the exit status */
	/*
	 * In its place, for a command that parses its own command line as another program
	 * does: the word must come first, and is argv[0] here.
	 */
	int (*drop_in)(int argc, char **argv);
	const char *usage; /* of such a command: what --help prints */
	int more; /* traces that it takes beside the first; they are in the operands */
};

extern const struct subcommand subcommands[COMMANDS];

/* COMMAND_BROWSE when no command has this name. */
enum subcommand_id subcommand_find(const char *name);
/* What somebody meant who typed this: a command, or an option; NULL: nothing like it. */
const char *subcommand_nearest(const char *name);

#endif
