// SPDX-License-Identifier: Apache-2.0
/*
 * key: the text part of a method trace, whole or in parts, as writers need it.
 */
#pragma once

#include "abstract.h"
#include "out.h"

/* The sections; without `lines` only a heading and the odd lines asked for. */
void key_version(const struct gen_trace *, struct gen_out *);
void key_threads(const struct gen_trace *, struct gen_out *, bool lines);
void key_methods(const struct gen_trace *, struct gen_out *, bool lines);
void key_end(const struct gen_trace *, struct gen_out *);

/* One method without the end of its line: with the id, and without. */
void key_method(const struct gen_trace *, struct gen_out *, const struct gen_method *);
void key_columns(struct gen_out *, const struct gen_method *);

/* Whether the clock= line says so. */
bool key_clock_is(const struct gen_trace *, const char *name);

/* Microseconds as 32 bits hold them. */
uint32_t key_microseconds(int64_t ns);
