// SPDX-License-Identifier: Apache-2.0
/* wide: the portable way computes what the compiler's own 128 bits do. */
#define WIDE_PORTABLE
#include <config.h>

#include "base/wide.h"
#include "gen/rng.h"
#include "tap/tap.h"

/* Numbers of all lengths, and those beside powers of 2. */
static uint64_t
any(struct rng *rng)
{
	uint64_t n = rng_next(rng) >> (rng_next(rng) & 63);

	return (rng_next(rng) & 3) != 0 ? n : (UINT64_C(1) << (n & 63)) - (n >> 7 & 1);
}

int
main(void)
{
	enum { TRIES = 300000 };
	struct rng rng = {1};
	struct wide most = wide_mul(UINT64_MAX, UINT64_MAX);
	uint32_t products = 0, quotients = 0, exact = 0;

	ok(most.high == UINT64_MAX - 1 && most.low == 1, "the largest product");
	ok(wide_div(most, UINT64_MAX) == UINT64_MAX && wide_div(most, 2) == UINT64_MAX, "saturated");
	ok(wide_less(wide_mul(UINT32_MAX, UINT32_MAX), wide_add(wide_mul(1, 0), UINT64_MAX)) &&
	       wide_less(wide_add(wide_mul(1, UINT64_MAX), 0), wide_mul(2, UINT64_MAX)) &&
	       !wide_less(most, most),
	    "compared");
	for (int i = 0; i < TRIES; i++) {
		uint64_t a = any(&rng), b = any(&rng);
		struct wide product = wide_mul(a, b);

		if (b > 0)
			exact += wide_div(wide_add(product, rng_next(&rng) % b), b) != a;
#ifdef __SIZEOF_INT128__
		{
			__extension__ typedef unsigned __int128 native;
			native want = (native)a * b, parts;
			uint64_t by = any(&rng);

			products += product.high != (uint64_t)(want >> 64) ||
				    product.low != (uint64_t)want;
			if (by == 0)
				continue;
			parts = want / by;
			quotients += wide_div(product, by) !=
				     (parts > UINT64_MAX ? UINT64_MAX : (uint64_t)parts);
		}
#endif
	}
	is_int(exact, 0, "a product divided by a factor is the other");
	is_int(products, 0, "products");
	is_int(quotients, 0, "quotients");
	return tap_done();
}
