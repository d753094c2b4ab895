// SPDX-License-Identifier: Apache-2.0
/*
 * method: method traces, each version of which is a file, and what several of them share.
 */
#pragma once

#include "base/bytes.h"
#include "format/input.h"
#include "trace/trace.h"

/*
 * keytext.c: the text part of a method trace: version, options, threads, methods.
 *
 * Layout: ART runtime/trace.cc Trace::FinishTracing and Trace::DumpMethodList; Dalvik
 * vm/Profile.c dvmMethodTraceStop; every release prints the sections in this order.
 * Bytes are kept unchanged; nothing is decoded here.
 */

struct keytext {
	int version;       /* as the text states it */
	struct str clock;  /* empty when not stated */
	uint64_t data;     /* file offset of what follows the end line */
};

enum keytext_place {
	KEYTEXT_BEFORE_DATA, /* the letters SLOW follow */
	KEYTEXT_ALONE,       /* all of the bytes are the text */
};

/*
 * Parses from "*version" to an "*end" line that is followed by the data's magic number
 * (a thread name may hold "*end" too) or is the last, adds properties, threads and
 * methods to the trace and builds its id maps.  A text of its own may also be cut; it
 * fails only, with nothing added, when it does not begin as one.
 */
bool keytext_parse(struct keytext *, struct trace *, struct bytes *in, enum keytext_place,
    struct err *);
/* The id maps of a trace that has no such text. */
void keytext_none(struct trace *);

/* Lets records with only the low `bits` of a thread id find threads with larger ids. */
void keytext_narrow_threads(struct trace *, unsigned bits);

/*
 * Lines that name a method.  Layouts: ART Trace::GetMethodLine, Dalvik dumpMethodList, and
 * what other readers take (doc/formats.md).  Strings point into the line.
 */

/*
 * A number at the start of `s`, `base` 10 or, as in C, 0; `rest` is what follows it.  What
 * does not fit is UINT64_MAX.
 */
bool number_parse(struct str s, unsigned base, uint64_t *value, struct str *rest);

/* Fills id, names, file and line; false when the line has no id or no name. */
bool methodline_parse(struct str line, struct method *);
/* Parses a line without the id. */
bool methodline_parse_named(struct str line, struct method *);

/* classic.c */
/* The text is before the data or, for files in two parts, in the input's key. */
bool classic_open(struct trace *, struct input *, struct err *);

/*
 * The text before the records of a V1 trace, and what follows from it.
 *
 * Layout: Dalvik vm/Profile.c, ART runtime/trace.cc; the same in classic files and, with
 * a flag in the version, in streaming ones.
 */

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

/* The layout of records of that size; false when they cannot hold the clocks. */
bool layout_choose(struct record_layout *, const struct header *, unsigned clocks, uint32_t size,
    struct err *);

/* The common beginning of the sources of all versions. */
struct method_source {
	struct source source;
	struct trace *trace;
	struct input in;
};

/* The trace's source, of V1: owns it and the input from now on; notes what clocks may do. */
void records_begin(struct method_source *, struct trace *, const struct input *,
    const struct header *, struct source);
void method_source_free(struct source *);
/*
 * Maps more of the file; false when that is not possible, or would change what its clocks may do
 * (records_begin).
 */
bool method_source_grow(struct method_source *, uint64_t size);
/* Sets a kind of damage that the end caused, in the trace as well. */
void method_damage_set(struct trace *, struct damage *, enum damage_kind, uint64_t count,
    uint64_t offset);

/* streaming.c */
bool streaming_open(struct trace *, struct input *, struct err *);
/*
 * Opens a streaming trace at its first record, with the header read and the text parsed;
 * the text is NULL when there is none.
 */
bool streaming_open_records(struct trace *, struct input *, const struct header *,
    uint64_t first, const struct keytext *, struct err *);

/*
 * How large the records of a streaming trace with one clock are.
 *
 * Its header says 10 bytes.  ART 6 to 13 wrote 14 all the same, the last four without
 * meaning; since 14 it is 10.  Both are tried.  The size that leads to the end of the
 * records without an impossible action is taken; where both do, or neither, the one that
 * makes sense of more of the file.  One of them mostly fails within a few records; then
 * the other need not go on.  Pages of the file that both have read are given back.
 */

struct record_fields {
	uint32_t record; /* bytes: 10 or 14 */
	/* Each thread's first time is 0, as thread-cpu clocks start; if that was asked for. */
	bool starts_at_zero;
};

/*
 * Packets between the records of a streaming trace.  A thread id of 0 announces one; then
 * u1 opcode, and
 *   1 method   u2 length, a line as in the methods section
 *   2 thread   u2 thread id, u2 length, its name
 *   3 summary  u4 length, the text that classic files begin with; ends the file
 * Layout: ART runtime/trace.cc, Trace::FlushStreamingBuffer and its releases' likes.
 */
enum packet_kind { PACKET_METHOD = 1, PACKET_THREAD = 2, PACKET_SUMMARY = 3 };

enum packet_fit {
	PACKET_WHOLE,
	PACKET_CUT, /* the bytes end inside it */
	PACKET_BAD, /* no such opcode */
};

struct packet {
	enum packet_kind kind;
	uint32_t thread;  /* of PACKET_THREAD */
	struct str text;
	uint64_t size;    /* of all of it; when PACKET_WHOLE */
};

/* v2.c */
bool v2_open(struct trace *, struct input *, struct err *);
