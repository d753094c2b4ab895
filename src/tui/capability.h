/*
 * capability: what terminfo says about the terminal, as plain bytes.
 *
 * Apart from the rest because the system's header claims names such as `columns`.
 */
#ifndef SLOWTOP_TUI_CAPABILITY_H
#define SLOWTOP_TUI_CAPABILITY_H

#include <stddef.h>

/*
 * Whether terminfo knows the terminal of TERM, and whether that can place its cursor.
 * Before newterm.
 */
enum capability_level { CAPABILITY_UNKNOWN, CAPABILITY_POOR, CAPABILITY_FULL };
enum capability_level capability_probe(int fd);
/* After newterm. */
/* Appends a string without its padding; returns how many of `to` are used then. */
size_t capability_append(char *to, size_t used, size_t room, const char *name);

#endif
