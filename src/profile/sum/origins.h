// SPDX-License-Identifier: Apache-2.0
/*
 * origins: where the methods of a diff's rows have other names, and why these are thought the same.
 *
 * A pair has another name in A by its family (pairs.h), or because a renamer gave that of B to it.
 * Of the methods of one side only two more things are told.  A method is moved, as a guess, if its
 * name and signature are those of exactly one method of each side alone.  A name is unknown if
 * the mapping of the other side restored names of that class and its own side has the file's.
 */
#pragma once

#include "profile/sum/diff.h"

extern const char *const origin_words[DIFF_WHYS]; /* "family" */

/* Fills `why`, `moved` and `unknown` of rows that are paired.  Linear in the methods of both traces. */
void origins_note(struct diff *, const struct trace *const traces[DIFF_SIDES]);
/*
 * Fills names with those that the row's method has on another side; returns that side, DIFF_SIDES if
 * there are none.
 */
int origin_find(const struct diff_row *, const struct trace *const traces[DIFF_SIDES],
    struct method *);
