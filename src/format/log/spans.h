// SPDX-License-Identifier: Apache-2.0
/*
 * spans: slices that events of the kernel begin and end: binder's transactions, interrupts, and those of
 * kernel.c's table, of text logs and of Perfetto.
 *
 * Binder: a call lasts on its thread until the answer was received, the answering thread is in its
 * reply meanwhile; calls without an answer are moments.  All of a transaction are one chain.
 * Interrupts are slices on a row for each core.  Fields as the kernel's tracepoints of
 * binder and irq print them.
 */
#pragma once

#include "format/log/reader.h"
#include "format/log/scan.h"

/* Fields of FtraceEvent that both formats tell their events by. */
enum { SOFTIRQ_ENTRY = 24, SOFTIRQ_EXIT = 25, IRQ_ENTRY = 36, IRQ_EXIT = 37, BINDER_SENT = 50,
	BINDER_RECEIVED = 51 };

struct binder_event {
	uint64_t id; /* of the transaction */
	bool received, reply, one_way;
};

/* Fills in kind and marker, as far as the event tells alone; `chain` is of the transaction. */
void binder_scan(struct scanned *, const struct binder_event *, struct str chain);
/* How the transaction was sent decides what it does where it is received. */
void binder_take(struct reader *, struct scanned *, const struct binder_event *);

enum interrupt { INTERRUPT_NONE, INTERRUPT_BEGIN, INTERRUPT_END, INTERRUPT_SOFT_BEGIN };

/* A record of an interrupt on the core of the line; name: of its handler, of a soft one its number. */
void interrupt_take(struct reader *, const struct logline *, enum interrupt, struct str name,
    uint64_t vector);

/* A slice of the table begins or ends; `writer`: row of the thread that tells. */
void span_take(struct reader *, const struct logline *, const struct kernel_values *, uint32_t writer);

/* Text.  Sets kind, event and marker of a line about binder or an interrupt. */
void spans_scan(struct scanned *, const struct kernel_event *);
/* Such a line, in order of time: before it is taken as a record, and after. */
void spans_before(struct reader *, struct scanned *);
void spans_after(struct reader *, const struct scanned *);
