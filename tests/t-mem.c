/* mem: tables are all zero, whatever their size and whatever the memory held before. */
#include <config.h>

#include "base/mem.h"
#include "tap/tap.h"

#include <string.h>

static bool
all_zero(const unsigned char *bytes, size_t size)
{
	return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

static void
test_tables(void)
{
	static const size_t sizes[] = {0, 1, 4096, (1 << 20) - 1, 1 << 20, (2 << 20) + 1, 5 << 20};

	for (int round = 0; round < 3; round++) {
		bool zero = true;

		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			unsigned char *table = mem_zero_table(sizes[i], 1);

			zero &= all_zero(table, sizes[i]);
			memset(table, 0xa5, sizes[i]);
			mem_free(table);
		}
		ok(zero, "tables of any size are zero, round %d", round);
	}
}

/* Items of later segments are in large tables. */
static void
test_seg(void)
{
	struct seg s = SEG_INIT(uint64_t[16]);
	bool zero = true, kept = true;

	for (uint32_t i = 0; i < 50000; i++) {
		uint64_t *item = seg_reserve(&s);

		zero &= all_zero((const unsigned char *)item, s.item);
		item[0] = item[15] = i;
		seg_commit(&s);
	}
	for (uint32_t i = 0; i < 50000; i++) {
		const uint64_t *item = seg_at(&s, i);

		kept &= item[0] == i && item[1] == 0 && item[15] == i;
	}
	ok(zero, "new items are zero");
	ok(kept, "and stay what they are");
	seg_release(&s);
}

int
main(void)
{
	test_tables();
	test_seg();
	return tap_done();
}
