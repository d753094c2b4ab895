// SPDX-License-Identifier: Apache-2.0
/*
 * folded: names of slices without what differs from one to the next: numbers, addresses,
 * parameters of C++; and the methods that stand for all slices of one such name.
 *
 * Only a log's names are folded.  A method that stands for others is a row of the trace like
 * theirs, made when it is first wanted; no slice has it.  Rows last as long as the trace.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/sbuf.h"
#include "base/str.h"
#include "trace/trace.h"

/* Writes the name folded; false when it stays as it is.  Any bytes; linear in them. */
bool name_fold(struct str name, struct sbuf *out);

/* Writes the name with each number that begins a word as N: what comparisons pair by. */
void name_number(struct str name, struct sbuf *out);

/* How names are folded, bits. */
enum name_folding { FOLD_NAMES = 1, FOLD_NUMBERS = 2 /* name_number, after the other */ };

/*
 * Finds, of a log's methods that there are by now, what each is counted as.  Costs the new ones.
 * Others may read the trace meanwhile.  All calls for one trace fold alike.
 */
void trace_names_fold(struct trace *, unsigned folding);

/* Returns the method that `method` is counted as where names are folded: often itself. */
static inline uint32_t
trace_folded(const struct trace *t, uint32_t method)
{
	const struct method *m = seg_at(&t->methods, method);
	uint32_t as = atomic_load_explicit(&m->folded, memory_order_relaxed);

	return as != 0 ? as : method;
}

/* True if the method is the one that is wanted, or one that it stands for. */
static inline bool
trace_method_is(const struct trace *t, uint32_t method, uint32_t wanted)
{
	return method == wanted || trace_folded(t, method) == wanted;
}

/* True if the method stands for others. */
static inline bool
trace_stands(const struct trace *t, uint32_t method)
{
	const struct method *m = seg_at(&t->methods, method);

	return atomic_load_explicit(&m->stands, memory_order_relaxed) != 0;
}

/*
 * The methods that one stands for, one after the other: the first after itself, METHOD_NONE after
 * the last.
 */
uint32_t trace_stands_next(const struct trace *, uint32_t method);
