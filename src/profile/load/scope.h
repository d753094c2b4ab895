/*
 * scope: which threads a query is about.
 *
 * A set of thread indexes, by value of its flags; NULL instead of a scope means all.
 * Owned by its maker; scope_copy for another thread's use.
 */
#ifndef SLOWTOP_PROFILE_LOAD_SCOPE_H
#define SLOWTOP_PROFILE_LOAD_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scope {
	uint32_t count;   /* threads covered by `in`; higher indexes are out */
	uint8_t in[];     /* 1: chosen */
};

struct scope *scope_new(uint32_t count, bool in);
struct scope *scope_copy(const struct scope *); /* NULL stays NULL */
void scope_free(struct scope *);
bool scope_equal(const struct scope *, const struct scope *);
/* How many are chosen. */
uint32_t scope_size(const struct scope *);

static inline bool
scope_has(const struct scope *s, uint32_t thread)
{
	return s == NULL || (thread < s->count && s->in[thread] != 0);
}

#endif
