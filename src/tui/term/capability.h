// SPDX-License-Identifier: Apache-2.0
/*
 * capability: what terminfo says about the terminal, as plain bytes.
 *
 * Apart from the rest because the system's header claims names such as `columns`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/*
 * False when the terminal of TERM cannot place its cursor, or terminfo knows neither it nor
 * any that it could be taken for.  To be asked before the libraries, which cannot say what is
 * missing, and newterm.  A terminal that is not known is taken for another (`*as`; else
 * NULL), for libraries and helpers, too: TERM is that one from now on.
 */
bool capability_check(int fd, const char **as, struct err *);
/*
 * After newterm: appends a string without its padding; returns how many of `to` are used
 * then.
 */
size_t capability_append(char *to, size_t used, size_t room, const char *name);
/* True if all attributes can be had together with colours; after newterm. */
bool capability_mixes(void);
