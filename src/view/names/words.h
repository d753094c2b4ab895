// SPDX-License-Identifier: Apache-2.0
/*
 * words: the program's texts in the words of a text log, whose slices are what a method trace
 * has as methods and as calls, and of samples.
 */
#pragma once

#include "base/sbuf.h"
#include "base/str.h"

/* Appends a text for people, which tells of methods and calls, as one of slices. */
void words_of_log(struct sbuf *out, struct str text);
/* Like words_of_log, for samples: calls are runs of them. */
void words_of_samples(struct sbuf *out, struct str text);
