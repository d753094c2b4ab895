/*
 * option_values: what values of options mean; for the option table only.
 *
 * Words are the i-th allowed one, NULL behind the last.  The others put a value into the
 * options; false when it cannot be, with the reason, unless it is none of the words.
 */
#ifndef SLOWTOP_CLI_OPTION_VALUES_H
#define SLOWTOP_CLI_OPTION_VALUES_H

#include "cli/options.h"

const char *option_word_format(int i);
const char *option_word_view(int i);
const char *option_word_convert(int i);
const char *option_word_dump(int i);
const char *option_word_clock(int i);
const char *option_word_colour(int i);
const char *option_word_column(int i);
const char *option_word_level(int i);
const char *option_word_flame(int i);
const char *option_word_diff_format(int i);
const char *option_word_diff_value(int i);
const char *option_word_diff_column(int i);

/* The place of `value` in such a list, or -1. */
int option_word_find(const char *(*word)(int), const char *value);

bool option_format(struct options *, const char *value, struct err *);
bool option_view(struct options *, const char *value, struct err *);
bool option_start_view(struct options *, const char *value, struct err *);
bool option_convert(struct options *, const char *value, struct err *);
bool option_dump(struct options *, const char *value, struct err *);
bool option_clock(struct options *, const char *value, struct err *);
bool option_sort(struct options *, const char *value, struct err *);
bool option_limit(struct options *, const char *value, struct err *);
bool option_from(struct options *, const char *value, struct err *);
bool option_to(struct options *, const char *value, struct err *);
bool option_unpack_limit(struct options *, const char *value, struct err *);
bool option_mapping(struct options *, const char *value, struct err *);
bool option_jobs(struct options *, const char *value, struct err *);
bool option_filter(struct options *, const char *value, struct err *);
bool option_transform(struct options *, const char *value, struct err *);
bool option_thread(struct options *, const char *value, struct err *);
bool option_process(struct options *, const char *value, struct err *);
bool option_tag(struct options *, const char *value, struct err *);
bool option_level(struct options *, const char *value, struct err *);
bool option_method(struct options *, const char *value, struct err *);
bool option_calls(struct options *, const char *value, struct err *);
bool option_budget(struct options *, const char *value, struct err *);
bool option_min_percent(struct options *, const char *value, struct err *);
bool option_output(struct options *, const char *value, struct err *);
bool option_config(struct options *, const char *value, struct err *);
bool option_color(struct options *, const char *value, struct err *);
bool option_ascii(struct options *, const char *value, struct err *);
bool option_escape_time(struct options *, const char *value, struct err *);
bool option_flame_format(struct options *, const char *value, struct err *);
bool option_flame_title(struct options *, const char *value, struct err *);
bool option_flame_count_name(struct options *, const char *value, struct err *);
bool option_flame_min_width(struct options *, const char *value, struct err *);
bool option_diff_format(struct options *, const char *value, struct err *);
bool option_diff_value(struct options *, const char *value, struct err *);
bool option_diff_min(struct options *, const char *value, struct err *);
bool option_diff_sort(struct options *, const char *value, struct err *);
bool option_diff_fail(struct options *, const char *value, struct err *);

#endif
