/*
 * item: an event, or a record of one of the plain forms (plain.h), for the loops that take
 * either.
 *
 * The form is a constant there: each loop is compiled once for each (FORMS).  Private to
 * this folder; values, no memory of its own.
 */
#ifndef SLOWTOP_PROFILE_ITEM_H
#define SLOWTOP_PROFILE_ITEM_H

#include "profile/count.h"

/* The plain ones. */
#define FORMS(each)                                                                        \
	each(PLAIN_9_CPU) each(PLAIN_9_WALL) each(PLAIN_10_CPU) each(PLAIN_10_WALL)        \
	each(PLAIN_14) each(PLAIN_14_CPU) each(PLAIN_14_WALL)

static inline __attribute__((always_inline)) uint32_t
item_size(enum plain_form form)
{
	return form == PLAIN_NONE ? (uint32_t)sizeof(struct event) : plain_size(form);
}

static inline __attribute__((always_inline)) uint32_t
item_thread(enum plain_form form, const uint8_t *p)
{
	return form == PLAIN_NONE ? ((const struct event *)(const void *)p)->thread
				  : plain_thread(form, p);
}

static inline __attribute__((always_inline)) uint32_t
item_word(enum plain_form form, const uint8_t *p)
{
	return form == PLAIN_NONE ? ((const struct event *)(const void *)p)->word
				  : plain_word(form, p);
}

/* By clock. */
static inline __attribute__((always_inline)) pair64
item_times(enum plain_form form, const uint8_t *p)
{
	return form == PLAIN_NONE ? pair64_load(((const struct event *)(const void *)p)->time)
				  : plain_times(form, p);
}

/* Where the item stands in the file. */
static inline __attribute__((always_inline)) uint64_t
item_offset(const struct records *r, enum plain_form form, const uint8_t *p)
{
	size_t at;

	if (form == PLAIN_NONE)
		return batch_offset(&r->batch,
		    (uint32_t)((const struct event *)(const void *)p - r->batch.ev));
	at = (size_t)(p - r->plain.bytes);
	if (__builtin_expect(r->plain.gap_count == 0, 1))
		return r->plain.offset + at;
	return plain_offset(&r->plain, form, (uint32_t)(at / plain_size(form)));
}

#endif
