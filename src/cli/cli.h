/*
 * cli: from the command line to a command and its exit status.
 */
#ifndef SLOWTOP_CLI_CLI_H
#define SLOWTOP_CLI_CLI_H

/* Returns the status to exit with; everything written has reached its file by then. */
int cli_main(int argc, char **argv);

#endif
