// SPDX-License-Identifier: Apache-2.0
/*
 * names: class, method and thread names as an Android trace has them.
 *
 * Deterministic for a given random state.  Framework packages come first and
 * often, then libraries, then the app's own; inner classes, lambdas, companions,
 * constructors and accessors appear about as often as in real traces.
 */
#pragma once

#include "abstract.h"
#include "rng.h"

/* Fills the columns of a method line (5, or 6 fields with Dalvik's line number).
 * Names are dotted as ART writes them, or with slashes as Dalvik does.  `serial`
 * keeps names apart that would be equal. */
void names_method(struct gen_method *, struct rng *, bool dalvik, unsigned serial);

/* The same from "class.name" and a signature. */
void names_known_method(
    struct gen_method *, const char *name, const char *signature, bool dalvik);
