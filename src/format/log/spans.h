// SPDX-License-Identifier: Apache-2.0
/*
 * spans: slices that events of the kernel begin and end: binder's transactions, and those of kernel.c's table, of
 * text logs and of Perfetto.
 *
 * Binder: a call lasts on its thread until the answer was received, the answering thread is in its
 * reply meanwhile; calls without an answer are moments.  A call that the kernel says has failed ends
 * there.  All of a transaction are one chain.
 */
#pragma once

#include "format/log/reader.h"
#include "format/log/scan.h"

/* Makes the marker of a transaction, as far as its event tells alone; false: the event is about one, but no marker. */
bool binder_marker(struct marker *, const struct kernel_values *);
/* Takes one of binder's events.  How the transaction was sent decides what it does where it is received. */
void binder_take(struct reader *, const struct logline *, const struct kernel_values *, uint32_t writer);

/* A slice of the table begins or ends; `writer`: row of the thread that tells. */
void span_take(struct reader *, const struct logline *, const struct kernel_values *, uint32_t writer);
