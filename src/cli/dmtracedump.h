/*
 * dmtracedump: stands in for Android's program of that name.
 *
 * Options, output and statuses are those of the original, but where it is wrong:
 * doc/dmtracedump.md.
 */
#ifndef SLOWTOP_CLI_DMTRACEDUMP_H
#define SLOWTOP_CLI_DMTRACEDUMP_H

/* Returns the status to exit with: 0, 1 for a trace that cannot be read, 2 for misuse. */
extern const char dmtracedump_usage[]; /* a line for each option */
int dmtracedump_main(int argc, char **argv);

#endif
