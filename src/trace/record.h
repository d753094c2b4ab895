// SPDX-License-Identifier: Apache-2.0
/*
 * record: where the fields of fixed records are, and what they say.
 *
 * A record has a thread's id, a method's word and one or two times; the rest is ignored.
 * Fields are read from the mapped file: while the file is written to, each read may give
 * another value, so a field that is used twice is read once.  Events are records, too,
 * for loops that take either.  Such loops are compiled for each constant layout and for
 * any other.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/map.h"
#include "base/wide.h"
#include "trace/event.h"

struct record_layout {
	uint8_t size;         /* bytes of a record; 0: there are none */
	uint8_t thread_bytes; /* of the id, 1 or 2, which comes first; 0: an event */
	uint8_t clocks;       /* the times it has, a mask: CPU before wall, in microseconds */
};

/* Layouts that loops are compiled for: an event, and the usual record of two clocks. */
static const struct record_layout record_event = {sizeof(struct event), 0, HAS_BOTH};
static const struct record_layout record_dual = {14, 2, HAS_BOTH};

/* Makes the compiler read the value only once. */
static inline uint32_t
record_once(uint32_t value)
{
	__asm__("" : "+r"(value));
	return value;
}

static inline __attribute__((always_inline)) bool
record_is_event(const struct record_layout *l)
{
	return l->thread_bytes == 0;
}

static inline bool
record_is_dual(const struct record_layout *l)
{
	return l->size == record_dual.size && l->clocks == HAS_BOTH;
}

/* An id; of an event the thread's index. */
static inline __attribute__((always_inline)) uint32_t
record_thread(const struct record_layout *l, const uint8_t *p)
{
	if (record_is_event(l))
		return ((const struct event *)(const void *)p)->thread;
	return record_once(l->thread_bytes == 1 ? p[0] : get_u16(p));
}

/* The method's id, of an event its index, with the action in its low two bits. */
static inline __attribute__((always_inline)) uint32_t
record_word(const struct record_layout *l, const uint8_t *p)
{
	if (record_is_event(l))
		return ((const struct event *)(const void *)p)->word;
	return record_once(get_u32(p + l->thread_bytes));
}

/* The index of the method in a word; IDMAP_NONE: the source's method_unknown tells. */
static inline __attribute__((always_inline)) uint32_t
record_method(const struct record_layout *l, uint32_t word, const struct idmap *methods)
{
	return record_is_event(l) ? word >> 2 : idmap_get(methods, word >> 2);
}

/* Nanoseconds by clock; 0 on one that it lacks. */
static inline __attribute__((always_inline)) pair64
record_times(const struct record_layout *l, const uint8_t *p)
{
	const uint8_t *first = p + l->thread_bytes + sizeof(uint32_t);
	uint64_t one;

	if (record_is_event(l))
		return pair64_load(((const struct event *)(const void *)p)->time);
	if (l->clocks == HAS_BOTH)
		return pair64_load_u32(first, 1000);
	one = (uint64_t)get_u32(first) * 1000;
	return l->clocks == HAS_CPU ? (pair64){one, 0} : (pair64){0, one};
}

struct damage;
struct trace;

/*
 * Fills in the batch's events from so many records, which begin at its offset.  Rows for
 * ids that the trace lacks come from its source.
 */
void records_decode(const struct trace *, const struct record_layout *, const uint8_t *records,
    struct batch *, struct damage *);
