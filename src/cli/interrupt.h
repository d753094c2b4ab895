/*
 * interrupt: being told to end while there is no terminal program.
 *
 * SIGINT, SIGTERM and SIGHUP raise a flag that long work looks at, so that nothing half
 * done is left; a second one ends the process, in case the work does not look.  Those
 * that are ignored when the program starts (nohup, background jobs) stay ignored.
 */
#ifndef SLOWTOP_CLI_INTERRUPT_H
#define SLOWTOP_CLI_INTERRUPT_H

#include <stdatomic.h>

/*
 * From now on a file over the limit of its size (ulimit -f) is a write that failed, as on a
 * full disk, and no reason to end at once.
 */
void interrupt_limits(void);
/* The flag, valid for the life of the process. */
const atomic_bool *interrupt_watch(void);
/*
 * What the process is to end with: the status, or, when work was broken off for SIGTERM or
 * SIGHUP, that signal (does not return then).
 */
int interrupt_status(int status);

#endif
