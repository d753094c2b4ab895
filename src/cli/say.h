/*
 * say: what the program tells on standard error, and the status to end with.
 *
 * Every line starts with the program's name, one line for one trouble.  File names and
 * arguments may hold anything and are shown cleaned (base/clean.h).
 */
#ifndef SLOWTOP_CLI_SAY_H
#define SLOWTOP_CLI_SAY_H

enum status {
	STATUS_OK = 0,
	STATUS_DIFFERENT = 1, /* a method is slower than --fail-above allows */
	STATUS_TROUBLE = 2,
	STATUS_DAMAGED = 3, /* --strict, and the trace was damaged */
	STATUS_INTERRUPTED = 130,
};

/* "slowtop: SUBJECT: ..."; returns STATUS_TROUBLE.  `subject` may be NULL. */
int say_trouble(const char *subject, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/*
 * Names the help of a command, or of all (NULL): after the line on wrong use, not on wrong
 * files.
 */
void say_hint(const char *command);
/* Both. */
int say_usage(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
