/*
 * plain: records as they stand in the file, for the loop that counts them.
 *
 * The usual records have one size and few forms, and their ids are looked up in the
 * trace's maps; so the loop that counts can read them itself, which saves writing every
 * event to memory and reading it again.  They are read where the file is mapped: a file
 * that is cut meanwhile shows only afterwards (partition.h), and one that is written to may
 * give another value each time, so fields that are used twice are read once.
 */
#ifndef SLOWTOP_TRACE_PLAIN_H
#define SLOWTOP_TRACE_PLAIN_H

#include <stdint.h>

#include "base/bytes.h"
#include "base/pair64.h"
#include "trace/event.h"

/* Thread id, method word, one or two times in microseconds; named for the size. */
enum plain_form {
	PLAIN_NONE, /* the records have another form */
	PLAIN_9_CPU,
	PLAIN_9_WALL,
	PLAIN_10_CPU,
	PLAIN_10_WALL,
	PLAIN_14, /* CPU, then wall */
};

/* What was read: compilers must not read it again. */
static inline uint32_t
plain_once(uint32_t value)
{
	__asm__("" : "+r"(value));
	return value;
}

static inline uint32_t
plain_size(enum plain_form form)
{
	return form == PLAIN_14 ? 14 : form == PLAIN_9_CPU || form == PLAIN_9_WALL ? 9 : 10;
}

static inline uint32_t
plain_thread(enum plain_form form, const uint8_t *p)
{
	return plain_once(plain_size(form) == 9 ? p[0] : get_u16(p));
}

/* The method's id, with the action in its low two bits. */
static inline uint32_t
plain_word(enum plain_form form, const uint8_t *p)
{
	return plain_once(get_u32(p + (plain_size(form) == 9 ? 1 : 2)));
}

/* Nanoseconds by clock; 0 on one that the form lacks. */
static inline __attribute__((always_inline)) pair64
plain_times(enum plain_form form, const uint8_t *p)
{
	const uint8_t *first = p + (plain_size(form) == 9 ? 5 : 6);
	uint64_t one;

	if (form == PLAIN_14)
		return pair64_load_u32(first, 1000);
	one = (uint64_t)get_u32(first) * 1000;
	return form == PLAIN_9_CPU || form == PLAIN_10_CPU
	    ? pair64_of(one, 0)
	    : pair64_of(0, one);
}

#endif
