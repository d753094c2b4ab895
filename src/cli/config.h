/*
 * config: the file of settings: which one, and its values with the command line's on top.
 */
#ifndef SLOWTOP_CLI_CONFIG_H
#define SLOWTOP_CLI_CONFIG_H

#include "cli/options.h"
#include "tui/settings/settings.h"

/*
 * Fills the settings, initialised.  Lines that make no sense are told on standard error
 * and passed over; false, told as well, only when a file that was asked for by name
 * cannot be read.
 */
bool config_load(struct settings *, const struct options *);
/*
 * Before anything is done: false, told as well, when a file that was asked for by name is
 * not there, also where no screen would read it.
 */
bool config_there(const struct options *);

#endif
