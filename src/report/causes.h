// SPDX-License-Identifier: Apache-2.0
/*
 * causes: the callee paths in which the rows of several runs gained or lost their time.
 *
 * From a row it goes to the callee with the largest difference of inclusive time, by arithmetic means
 * over a side's runs, as long as that is half of the row's difference or more.  A row that is on many
 * paths is all of them; names that are one row are one callee.  Rows of which no callee has half
 * have no cause but themselves.
 *
 * Texts are the runset's.  Cost: linear in the paths once, and for each row in the callees of the
 * path; 12 bytes a path while it runs.
 */
#pragma once

#include "report/pathdiff.h"
#include "report/runs.h"

/* True if the form and the options ask for causes: their call paths are to be added. */
bool causes_wanted(const struct runs_options *, const struct diffreport_options *);
/*
 * Fills `cause` of rows that got slower or faster or fail, from runs that were added to both; joins
 * the call paths.  False when cancelled; `e` says so.
 */
bool causes_find(struct runset *, struct pathdiff *, const atomic_bool *cancel, struct err *e);
