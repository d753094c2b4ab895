// SPDX-License-Identifier: Apache-2.0
/*
 * abstract: a method trace as the generator holds it, before any file format.
 *
 * A description or the simulation makes a `gen_trace` (what the key section of a file
 * would say, and options of its layout) and a `gen_stream` (the events, pulled in batches
 * so that no trace has to fit in memory).  A writer turns the two into one on-disk
 * format; it is the only place that knows units, field widths and record layouts.
 *
 * Times are nanoseconds since the start of the trace.  Ids are those that the
 * file will show.  All strings are counted bytes, since a name may hold any.
 * The trace owns everything it points to; gen_trace_free frees it.  Running out
 * of memory ends the program: this is a tool for tests.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gen_bytes {
	char *p;
	size_t n;
};

/*
 * The two low bits of a classic method word, and a run of bytes put unchanged among the
 * records (then `method` is an index into gen_trace.raw).
 */
enum gen_action {
	GEN_ENTER,
	GEN_EXIT,
	GEN_UNROLL,
	GEN_RESERVED,
	GEN_RAW,
};

struct gen_event {
	int64_t cpu_ns;
	int64_t wall_ns;
	uint64_t method;
	uint32_t thread;
	uint8_t action;
};

/* Pulls up to `max` events; 0 means the end. */
struct gen_stream {
	size_t (*pull)(struct gen_stream *, struct gen_event *out, size_t max);
	void (*free)(struct gen_stream *);
};

enum { GEN_COLUMNS_MAX = 5 }; /* after the id: class name signature file line */

struct gen_method {
	uint64_t id;
	unsigned columns;
	bool hidden; /* has events but no line */
	struct gen_bytes column[GEN_COLUMNS_MAX];
};

struct gen_thread {
	uint32_t id;
	bool hidden;
	struct gen_bytes name;
};

/* How an id is spelled in a method line, by the program that wrote such files. */
enum gen_id_style {
	GEN_ID_ART,     /* %#x: zero is "0" */
	GEN_ID_POINTER, /* %p: zero is "0x0" */
	GEN_ID_DALVIK,  /* 0x%08x */
};

enum gen_section {
	GEN_SECTION_VERSION,
	GEN_SECTION_THREADS,
	GEN_SECTION_METHODS,
	GEN_SECTIONS,
};

/* A line put unchanged at the end of a key section. */
struct gen_line {
	enum gen_section section;
	struct gen_bytes text;
};

/* Bytes of the finished file to overwrite, counted from one of its parts. */
enum gen_base {
	GEN_BASE_FILE,
	GEN_BASE_HEADER,
	GEN_BASE_RECORDS,
	GEN_BASES,
};

struct gen_poke {
	enum gen_base base;
	uint64_t offset;
	struct gen_bytes bytes;
};

/* A counted array of each kind; `p` grows by gen_grow. */
#define GEN_ARRAY(type)                                                                  \
	struct {                                                                         \
		type *p;                                                                 \
		size_t n, room;                                                          \
	}

struct gen_trace {
	unsigned version;       /* 1, 2 or 3 */
	unsigned key_version;   /* 0: as `version` */
	struct gen_bytes clock; /* value of the clock= line; p NULL leaves the line out */
	unsigned times;         /* time fields a record; 0: by clock and version */
	uint64_t start_us;
	unsigned record_size; /* 0: what the fields need */
	unsigned data_offset;
	enum gen_id_style id_style;
	bool crlf;    /* key lines end in CR LF */
	bool no_end;  /* no *end line */
	bool no_data; /* nothing after the key */
	bool has_keep;
	uint64_t keep; /* bytes of the finished file to keep, when has_keep */
	uint64_t cut;  /* bytes to drop from its end */
	GEN_ARRAY(struct gen_bytes) options; /* whole lines, "key=value" */
	GEN_ARRAY(struct gen_thread) threads;
	GEN_ARRAY(struct gen_method) methods;
	GEN_ARRAY(struct gen_line) lines;
	GEN_ARRAY(struct gen_bytes) raw;
	GEN_ARRAY(struct gen_poke) pokes;
};

void gen_trace_init(struct gen_trace *);
void gen_trace_free(struct gen_trace *);

/* Copies of bytes, and of a formatted string. */
struct gen_bytes gen_bytes_copy(const char *, size_t);
struct gen_bytes gen_bytes_format(const char *, ...)
    __attribute__((format(printf, 1, 2)));

/* Never return NULL. */
void *gen_alloc(size_t count, size_t size);
void *gen_realloc(void *, size_t count, size_t size);

/* Makes room for one more element and counts it; evaluates to its address. */
#define gen_grow(a)                                                                      \
	((a)->n < (a)->room                                                              \
		? &(a)->p[(a)->n++]                                                      \
		: ((a)->room = (a)->room ? 2 * (a)->room : 16,                           \
		      (a)->p = gen_realloc((a)->p, (a)->room, sizeof *(a)->p),           \
		      &(a)->p[(a)->n++]))
