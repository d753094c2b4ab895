// SPDX-License-Identifier: Apache-2.0
/*
 * option_values: the values of options: the words that some allow, and how what is more than a number, a time or
 * a word is taken (option_table.c has the rows).
 *
 * Values stay borrowed from the command line.  A function that takes one returns false where it cannot be,
 * and says why unless the row's help is enough.
 */
#pragma once

#include "cli/options.h"

extern const struct option_words words_format, words_view, words_flame, words_dump, words_convert,
    words_diff, words_column, words_diff_view, words_diff_hue, words_diff_column, words_gate,
    words_unsure, words_diff_value, words_clock, words_fold, words_mode, words_record_clock,
    words_keep, words_version, words_colour, words_level, words_triage, words_kind, words_start;

typedef bool option_take_value(struct options *, const char *value, struct err *why);

option_take_value allow_take, base_take, calls_take, config_take, diff_fail_take, diff_min_take,
    diff_sort_take, error_take, fail_on_take, finding_take, kind_take, level_take,
    mapping_take, name_take, new_take, normalize_take, output_take, rename_take,
    rules_take, sort_take, start_view_take, tag_take, view_take;
