/*
 * interrupt: Ctrl-C while there is no terminal program.
 *
 * SIGINT raises a flag that long work looks at; a second one ends the process, in
 * case the work does not look.  A SIGINT that is ignored when the program starts
 * (nohup, background jobs) stays ignored.
 */
#ifndef SLOWTOP_CLI_INTERRUPT_H
#define SLOWTOP_CLI_INTERRUPT_H

#include <stdatomic.h>

/* The flag, valid for the life of the process.  Undone by interrupt_forget. */
const atomic_bool *interrupt_watch(void);
void interrupt_forget(void);

#endif
