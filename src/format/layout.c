#include <config.h>

#include "format/layout.h"

#include "base/mem.h"
#include "format/packet.h"

struct trial {
	struct layout layout;
	uint64_t records;
	uint64_t reached; /* bytes that could be read */
	uint64_t odd;     /* records that no recorder writes */
	bool clean;       /* up to the end */
};

enum { THREADS = 1 << 16, NAMED = 1, SEEN = 2 };

static void
record_try(struct trial *r, uint8_t *threads, const uint8_t *p)
{
	uint32_t id = get_u16(p);

	r->records++;
	r->odd += (get_u32(p + 2) & 3) == 3 || (threads[id] & NAMED) == 0;
	if ((threads[id] & SEEN) == 0 && get_u32(p + 6) != 0)
		r->layout.starts_at_zero = false;
	threads[id] |= SEEN;
}

static struct trial
layout_try(const uint8_t *p, uint64_t size, uint32_t record)
{
	struct trial r = {.layout = {record, true}};
	uint8_t *threads = mem_zero(THREADS, 1);
	uint64_t at = 0;

	while (size - at >= 2) {
		struct packet k;

		if (get_u16(p + at) != 0) {
			if (size - at < record)
				break;
			record_try(&r, threads, p + at);
			at += record;
			continue;
		}
		if (packet_read(&k, p + at, size - at) != PACKET_WHOLE)
			break;
		if (k.kind == PACKET_THREAD)
			threads[k.thread] |= NAMED;
		at += k.size;
	}
	mem_free(threads);
	r.reached = at;
	r.clean = at == size;
	return r;
}

struct layout
layout_find(const uint8_t *p, uint64_t left)
{
	struct trial ten = layout_try(p, left, 10);
	struct trial fourteen = layout_try(p, left, 14);
	uint64_t sense_ten = (ten.records - ten.odd) * 10;
	uint64_t sense_fourteen = (fourteen.records - fourteen.odd) * 14;
	bool better;

	if (sense_ten != sense_fourteen)
		better = sense_fourteen > sense_ten;
	else if (ten.clean != fourteen.clean)
		better = fourteen.clean;
	else
		better = fourteen.reached > ten.reached;
	return better ? fourteen.layout : ten.layout;
}
