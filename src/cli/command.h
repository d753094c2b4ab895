/*
 * command: the sub-commands, one row each.
 *
 * A new one is an enum member, a row and its function.  What each takes is said in the
 * option table (options.h) by COMMAND_BIT.
 */
#ifndef SLOWTOP_CLI_COMMAND_H
#define SLOWTOP_CLI_COMMAND_H

struct options;

enum command_id {
	COMMAND_BROWSE, /* no word of its own: what is left when no other is named */
	COMMAND_REPORT,
	COMMANDS
};

#define COMMAND_BIT(id) (1u << (id))
#define COMMAND_ANY     (COMMAND_BIT(COMMANDS) - 1)

struct command {
	const char *name; /* NULL: none */
	const char *operands;
	const char *help;
	int (*run)(const struct options *, const char *trace); /* the exit status */
};

extern const struct command commands[COMMANDS];

/* COMMAND_BROWSE when no command has this name. */
enum command_id command_find(const char *name);

#endif
