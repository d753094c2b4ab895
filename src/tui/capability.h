/*
 * capability: what terminfo says about the terminal, as plain bytes.
 *
 * Apart from the rest because the system's header claims names such as `columns`.
 */
#ifndef SLOWTOP_TUI_CAPABILITY_H
#define SLOWTOP_TUI_CAPABILITY_H

#include <stdbool.h>
#include <stddef.h>

/* After newterm. */
bool capability_has(const char *name);
/* Appends a string without its padding; returns how many of `to` are used then. */
size_t capability_append(char *to, size_t used, size_t room, const char *name);

#endif
