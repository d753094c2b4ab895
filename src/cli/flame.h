/*
 * flame: `slowtop flame` and `slowtop html`: pictures and pages, with what the option table
 * needs for them.
 */
#ifndef SLOWTOP_CLI_FLAME_H
#define SLOWTOP_CLI_FLAME_H

#include "cli/options.h"

/* Returns the exit status. */
int flame(const struct options *, const char *path);
int html(const struct options *, const char *path);

/* Words and setters (options.h). */
const char *flame_word_format(int i);
bool flame_set_format(struct options *, const char *value, struct err *why);
bool flame_set_title(struct options *, const char *value, struct err *why);
bool flame_set_count_name(struct options *, const char *value, struct err *why);
bool flame_set_chart(struct options *, const char *value, struct err *why);
bool flame_set_min_width(struct options *, const char *value, struct err *why);

#endif
