#include <config.h>

#include "format/v2-packet.h"

#include <string.h>

enum { SUMMARY_HEAD = 3 };

enum v2_fit
v2_packet_read(struct v2_packet *k, const uint8_t *p, uint64_t left)
{
	static const uint8_t heads[] = {
		[V2_THREAD] = 7, [V2_METHOD] = 11, [V2_BLOCK] = 12, [V2_SUMMARY] = SUMMARY_HEAD};
	uint64_t head, body;

	*k = (struct v2_packet){.size = left};
	if (left == 0)
		return V2_CUT;
	if (p[0] > V2_SUMMARY)
		return V2_BAD;
	k->tag = (enum v2_tag)p[0];
	head = heads[k->tag];
	if (left < head)
		return V2_CUT;
	if (k->tag == V2_METHOD)
		k->id = get_u64(p + 1);
	else if (k->tag != V2_SUMMARY)
		k->id = get_u32(p + 1);
	body = k->tag == V2_BLOCK ? get_u32(p + head - 4) : get_u16(p + head - 2);
	k->body = (struct str){(const char *)p + head, body < left - head ? body : left - head};
	if (left - head < body)
		return V2_CUT;
	k->size = head + body;
	return V2_WHOLE;
}

uint64_t
v2_find_summary(struct v2_packet *k, const uint8_t *p, uint64_t size)
{
	static const char line[] = "*version\n";
	uint64_t most = SUMMARY_HEAD + UINT16_MAX;
	uint64_t at = size > most ? size - most : 0;

	for (; size - at >= SUMMARY_HEAD + sizeof(line) - 1; at++) {
		if (p[at] == V2_SUMMARY && get_u16(p + at + 1) + (uint64_t)SUMMARY_HEAD == size - at &&
		    memcmp(p + at + SUMMARY_HEAD, line, sizeof(line) - 1) == 0 &&
		    v2_packet_read(k, p + at, size - at) == V2_WHOLE)
			return at;
	}
	return UINT64_MAX;
}
