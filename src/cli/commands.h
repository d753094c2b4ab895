/*
 * commands: those of slowtop's own that print or write and end: report and info; flame and
 * html; convert and dump; diff, which browses in a terminal.  Each returns the exit status.
 */
#ifndef SLOWTOP_CLI_COMMANDS_H
#define SLOWTOP_CLI_COMMANDS_H

struct options;

int print_report(const struct options *, const char *path);
int print_info(const struct options *, const char *path);
int flame(const struct options *, const char *path);
int html(const struct options *, const char *path);
/* To the format that was asked for. */
int convert(const struct options *, const char *path);
/* What formats there are, and what other commands write: `convert --list`. */
int convert_list(void);
int dump(const struct options *, const char *path);
/* With A in `before`. */
int diff(const struct options *, const char *before);

#endif
