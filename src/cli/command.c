#include <config.h>

#include "cli/command.h"

#include <stddef.h>
#include <string.h>

#include "cli/browse.h"
#include "cli/print.h"

const struct command commands[COMMANDS] = {
    [COMMAND_BROWSE] = {NULL, "TRACE",
	"Browse an Android method trace by keyboard.  When standard output is no "
	"terminal,\n"
	"or with report options, print the report instead.",
	browse},
    [COMMAND_REPORT] = {"report", "TRACE",
	"Print the profile: methods with their times and calls, parents and children.",
	print_report},
};

enum command_id
command_find(const char *name)
{
	for (int i = 0; i < COMMANDS; i++)
		if (commands[i].name != NULL && strcmp(commands[i].name, name) == 0)
			return (enum command_id)i;
	return COMMAND_BROWSE;
}
