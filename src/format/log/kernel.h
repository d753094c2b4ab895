// SPDX-License-Identifier: Apache-2.0
/*
 * kernel: the kernel's events that are read, from lines of text and from Perfetto's packets.
 *
 * One table says of each event what it does and where its values are: after which keys in text, in
 * which fields of its message in Perfetto.  An event without a row is not read, in either format,
 * and is counted under its own name.
 *
 * Values keep the unit of the kernel.  Texts are borrowed.
 *
 * Sources: the kernel's include/trace/events (TP_printk of each event), Perfetto's
 * protos/perfetto/trace/ftrace; names of counters are those of its trace_processor.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/sbuf.h"
#include "base/str.h"
#include "format/log/schedline.h"
#include "trace/log.h"

enum kernel_does {
	KERNEL_SCHED,     /* tells the scheduler: `sched` */
	KERNEL_MARKER,    /* is a marker of a program or driver */
	KERNEL_COUNTER,
	KERNEL_SPAN,      /* begins or ends a slice: `span` */
	KERNEL_BINDER,    /* is about a transaction: KERNEL_ID; enum binder_field */
	KERNEL_RSS,       /* is a counter of the process whose memory changes: its mm_id says which */
};

/* Values of an event, by the role that they have for counters and slices. */
enum kernel_role {
	KERNEL_NAME,   /* a text: of the clock, zone or device; of a slice */
	KERNEL_VALUE,
	KERNEL_SECOND, /* another value */
	KERNEL_PLACE,  /* cpu, gpu, pid; of KERNEL_RSS mm_id */
	KERNEL_ROW,    /* a text, or a device's number: which row has the slice */
	KERNEL_ID,     /* of the slice on that row */
	KERNEL_OF,     /* the id is one of those of this */
	KERNEL_EDGE,   /* enum span_edge; texts say it, too */
	KERNEL_EDGE_KIND, /* likewise, of ufshcd_command's: 0 begins, 1 ends */
	KERNEL_MEMBER, /* of KERNEL_RSS: which kind of memory */
	KERNEL_CURRENT, /* of KERNEL_RSS: the memory is that of the thread that tells */
	KERNEL_ROLES
};

/*
 * Fields of binder's events.  What they tell: of one that is sent KERNEL_SECOND: it is a reply, KERNEL_VALUE its
 * flags, KERNEL_OF its code; KERNEL_ROW the text that chains what is of it.  BINDER_SIZE: KERNEL_VALUE the bytes of
 * its data.  BINDER_RETURN: KERNEL_ID is no transaction, but what the thread was told.
 */
enum binder_field { BINDER_SENT = 50, BINDER_RECEIVED = 51, BINDER_SIZE = 323, BINDER_RETURN = 486 };

enum kernel_scope {
	SCOPE_NONE,
	SCOPE_GPU,    /* of the gpu that is the place; its name ends in that, but for 0 */
	SCOPE_PID,    /* of the process that is the place; 0: of none */
	SCOPE_WRITER, /* of the process of the thread that tells */
};

/* A counter that an event sets. */
struct kernel_counter {
	const char *name; /* "%s": KERNEL_NAME; "%u": KERNEL_PLACE; NULL: none */
	enum kernel_role value;
	enum kernel_scope scope;
	enum log_unit unit;
	int64_t divide; /* 0: by nothing */
};

/*
 * Which fields of a driver's own marker hold what; 0: none.  `letter` is the kind as a
 * character, `flag` 1 at the beginning of a slice.
 */
struct mark_fields {
	uint8_t pid, name, letter, value, flag;
	bool own; /* the process is the thread's own, but for counters */
};

enum span_edge { SPAN_ENDS, SPAN_BEGINS, SPAN_TELLS /* KERNEL_EDGE does */ };

/* A slice that an event begins or ends; texts as kernel_text makes them. */
struct kernel_span {
	const char *name;
	const char *row; /* NULL: the slice is on the thread's stack */
	enum span_edge edge;
	enum { BLOCK_NONE, BLOCK_IO, BLOCK_REQUEST /* not read where there is BLOCK_IO */ } block;
	bool alone; /* the row has one at a time: the next one ends it */
};

enum { KERNEL_COUNTERS = 2 };

struct kernel_event {
	struct str name;
	uint16_t field; /* of FtraceEvent; 0: Perfetto has none such */
	uint8_t does;   /* enum kernel_does */
	uint8_t sched;  /* enum sched_event */
	uint8_t comm, tid; /* fields that tell of whom, for the scheduler */
	bool text;      /* lines of it are read, too */
	struct mark_fields mark;
	struct kernel_counter counters[KERNEL_COUNTERS];
	struct kernel_span span;
	uint8_t fields[KERNEL_ROLES];  /* 0: none */
	/*
	 * "key=", after '|' another key; "", " ", "  ": the first, second or third word; others are
	 * marks with the word after them: "(" with all in brackets, "[" with a name before it.
	 */
	const char *keys[KERNEL_ROLES];
	int64_t fixed; /* the value of an event that tells none */
};

/* NULL: not read.  Of a text's function, and of a field; rows are in memory for good. */
const struct kernel_event *kernel_of_text(struct str func);
const struct kernel_event *kernel_of_field(uint32_t field);
/* The name of a kind of memory of a process (MM_FILEPAGES ...). */
struct str kernel_memory(int64_t member);

struct kernel_values {
	const struct kernel_event *event;
	struct str name, row;
	int64_t number[KERNEL_ROLES];
	uint32_t told; /* bits 1 << role */
};

/*
 * Makes a text in `out`: "%s" is KERNEL_NAME, "%r" KERNEL_ROW, "%u" KERNEL_PLACE, "%n" KERNEL_SECOND,
 * "%b" that as bytes, or KERNEL_VALUE's sectors without it, "%o" that as SCSI's opcode, "%q" KERNEL_ID as
 * a soft interrupt, "%i" KERNEL_NAME or IPI.
 */
struct str kernel_text(struct sbuf *out, const char *format, const struct kernel_values *);
enum span_edge kernel_edge(struct str word); /* SPAN_TELLS: neither */

/* Reads the values from a line's payload; false when one that it must have is missing. */
bool kernel_values_parse(struct kernel_values *, const struct kernel_event *, struct str payload);
