/*
 * config: the file of settings: which one, and its values with the command line's on top.
 */
#ifndef SLOWTOP_CLI_CONFIG_H
#define SLOWTOP_CLI_CONFIG_H

#include "cli/options.h"
#include "tui/settings/settings.h"

/*
 * Fills the settings, initialised.  Malformed lines are reported on standard error and
 * skipped; false, reported as well, only when a file that was given by name cannot be
 * read.
 */
bool config_load(struct settings *, const struct options *);
/*
 * Checks before all else, also where no screen would read it, that a file given by name
 * exists; false, reported as well, when not.
 */
bool config_there(const struct options *);

#endif
