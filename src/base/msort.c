#include <config.h>

#include "base/msort.h"

#include <string.h>

#include "base/mem.h"

static void
halves_merge(void **items, size_t n, msort_order *order, const void *context, void **spare)
{
	size_t half = n / 2, a = 0, b = half, to = 0;

	if (n < 2)
		return;
	halves_merge(items, half, order, context, spare);
	halves_merge(items + half, n - half, order, context, spare);
	while (a < half && b < n)
		spare[to++] = order(items[a], items[b], context) <= 0 ? items[a++] : items[b++];
	/* What is left of the second half is in its place already. */
	memcpy(spare + to, items + a, (half - a) * sizeof(*items));
	memcpy(items, spare, b * sizeof(*items));
}

void
msort(void **items, size_t n, msort_order *order, const void *context)
{
	void **spare = mem_alloc((n + 1) * sizeof(*spare));

	halves_merge(items, n, order, context, spare);
	mem_free(spare);
}
