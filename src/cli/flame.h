/*
 * flame: `slowtop flame` and `slowtop html`: pictures and pages.
 */
#ifndef SLOWTOP_CLI_FLAME_H
#define SLOWTOP_CLI_FLAME_H

#include "cli/options.h"

/* Returns the exit status. */
int flame(const struct options *, const char *path);
int html(const struct options *, const char *path);

#endif
