// SPDX-License-Identifier: Apache-2.0
/*
 * transform_text: what a transform, and a list of them, reads like on the screen.
 *
 * All text is cleaned for a terminal.
 */
#pragma once

#include "base/sbuf.h"
#include "profile/sum/transform.h"
#include "view/names/names.h"

/* Appends "drop com.example.Feed.bind()V", with all that there is to say. */
void transform_text(struct sbuf *, const struct transform *, struct names *,
    const struct trace *);
/*
 * Appends those of the list that are not off: "collapse java.*, drop c.e.Feed.bind",
 * methods as short as a line has room for, of a path the last only.
 */
void transforms_text(struct sbuf *, const struct transforms *, struct names *,
    const struct trace *);
