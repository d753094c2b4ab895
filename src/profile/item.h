/*
 * item: an event, or a record of one of the plain forms (plain.h), for the loops that take
 * either.
 *
 * The form is a constant there: each loop is compiled once for each (FORMS).  Private to
 * this folder; values, no memory of its own.
 */
#ifndef SLOWTOP_PROFILE_ITEM_H
#define SLOWTOP_PROFILE_ITEM_H

#include "base/idmap.h"
#include "trace/plain.h"

#define FORMS(each)                                                                        \
	each(PLAIN_NONE) each(PLAIN_9_CPU) each(PLAIN_9_WALL) each(PLAIN_10_CPU)           \
	each(PLAIN_10_WALL) each(PLAIN_14)

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

/* The index of the method in the item's word; IDMAP_NONE: method_unknown tells. */
static inline __attribute__((always_inline)) uint32_t
item_method(enum plain_form form, uint32_t word, const struct idmap *methods)
{
	return form == PLAIN_NONE ? word >> 2 : idmap_get(methods, word >> 2);
}

#endif
