/*
 * header: what stands before the records of a V1 trace, and what follows from it.
 *
 * Layout: Dalvik vm/Profile.c, ART runtime/trace.cc; the same in classic files and, with
 * a flag in the version, in streaming ones.
 */
#ifndef SLOWTOP_FORMAT_METHOD_HEADER_H
#define SLOWTOP_FORMAT_METHOD_HEADER_H

#include "base/bytes.h"
#include "trace/trace.h"

enum {
	HEADER_STREAMING = 0xf0, /* in the version word */
	RECORD_MAX = 64,         /* bytes; larger ones are not believed */
};

struct header {
	uint64_t begin;   /* file offset of the letters SLOW */
	unsigned version; /* without the flag: 1, 2 or 3 */
	bool streaming;
	uint16_t record;  /* bytes, 0 when not stated */
	uint64_t start_us;
};

/* Steps from the letters SLOW to the first record. */
bool header_read(struct header *, struct bytes *, struct err *);

/*
 * A copy in text mode replaces each byte that is no UTF-8 by EF BF BD; then neither
 * sizes nor numbers can be trusted.  `p`: from the letters SLOW on.
 */
bool header_text_converted(const uint8_t *p, size_t n);
bool header_text_refuse(uint64_t offset, struct err *);

/* The mask of the clocks that a clock= line names; 0 for one that is not known. */
unsigned clocks_named(struct str);
/*
 * Which clocks the records hold: those of `clock` (may be empty), checked against what
 * the version and a record of that size can hold.  Notes what it had to assume.
 */
unsigned clocks_choose(struct trace *, struct str clock, unsigned version, uint32_t record);

/* V1 clocks count 32 bits of microseconds. */
#define WRAP_US ((uint64_t)1 << 32)
/*
 * Sets what clocks that go back and forth can add up to: how often they can have started
 * again, by the stated length of the trace, and, with so many records that all together
 * might not fit in 63 bits, what a thread's time ends at.
 */
void clocks_bound(const struct trace *, struct source *, uint32_t record);

/*
 * Since Android 14 thread ids are numbers of the recorder's own and threads are written
 * one after another; told by the process's main thread not being among them.
 */
bool threads_by_turns(const struct trace *);
/* Says what that means for clocks that wrap. */
void threads_by_turns_note(struct trace *, const struct source *);

#endif
