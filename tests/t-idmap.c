// SPDX-License-Identifier: Apache-2.0
/*
 * idmap: what was put in is found, in the window and outside, and keys chosen to
 * collide cost no more than others.
 */
#include <config.h>

#include <stdint.h>
#include <unistd.h>

#include "base/map.h"
#include "tap/tap.h"

static void
finds(void)
{
	static const uint64_t keys[] = {0, 1, 99, 100, 163, 164, UINT32_MAX, 1ull << 32,
	    UINT64_MAX - 1};
	struct idmap m = {0};
	int wrong = 0, count = (int)(sizeof(keys) / sizeof(keys[0]));

	is_int(idmap_get(&m, 7), IDMAP_NONE, "nothing in an empty one");
	idmap_window(&m, 100, 64);
	for (int i = 0; i < count; i++)
		wrong += idmap_get(&m, keys[i]) != IDMAP_NONE;
	for (int i = 0; i < count; i++)
		idmap_put(&m, keys[i], (uint32_t)i);
	for (int i = 0; i < count; i++)
		wrong += idmap_get(&m, keys[i]) != (uint32_t)i;
	idmap_put(&m, 99, 1000);
	idmap_put(&m, 100, 1001);
	is_int(wrong, 0, "in the window, beside it and far away");
	is_int(idmap_get(&m, 99), 1000, "replaced outside of the window");
	is_int(idmap_get(&m, 100), 1001, "replaced in it");
	is_int(idmap_get(&m, 101), IDMAP_NONE, "its neighbour is not there");
	idmap_expect(&m, 1000);
	wrong = (int)m.slot_count;
	is_int(idmap_get(&m, 99), 1000, "stays when there is more room");
	for (uint32_t i = 0; i < 1000 - 8; i++)
		idmap_put(&m, 1000 + i, i);
	is_int(m.slot_count, wrong, "as many as were expected need no more");
	is_int(idmap_get(&m, 1500), 500, "and are found");
	idmap_release(&m);
}

/* The x with x * odd == 1. */
static uint64_t
inverse(uint64_t odd)
{
	uint64_t x = odd;

	for (int i = 0; i < 5; i++)
		x *= 2 - odd * x;
	return x;
}

/*
 * Keys that a product with the usual constant brings together in all its high bits.
 * Were that their place, this would take minutes; it is ended before.
 */
static void
floods(void)
{
	enum { KEYS = 500000 };
	uint64_t step = inverse(0x9e3779b97f4a7c15u);
	struct idmap m = {0};
	int wrong = 0;

	alarm(60);
	for (uint32_t i = 0; i < KEYS; i++) {
		uint64_t mixed = i * step;

		idmap_put(&m, mixed ^ mixed >> 32, i);
		idmap_put(&m, mixed, i);
	}
	for (uint32_t i = 0; i < KEYS; i++)
		wrong += idmap_get(&m, i * step) != i;
	alarm(0);
	is_int(wrong, 0, "%d keys that want one place", KEYS);
	idmap_release(&m);
}

int
main(void)
{
	finds();
	floods();
	return tap_done();
}
