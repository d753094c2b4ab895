#include <config.h>

#include "format/packet.h"

#include <string.h>

enum {
	SUMMARY_HEAD = 7,           /* bytes before its text */
	STRAY_MAX = 4096,           /* bytes behind the summary */
	SUMMARY_MAX = 64 << 20,     /* more methods than any app has */
};

enum packet_fit
packet_read(struct packet *k, const uint8_t *p, uint64_t left)
{
	static const uint8_t heads[] = {
		[PACKET_METHOD] = 5, [PACKET_THREAD] = 7, [PACKET_SUMMARY] = SUMMARY_HEAD};
	uint64_t head, text;

	if (left < 3)
		return PACKET_CUT;
	if (p[2] < PACKET_METHOD || p[2] > PACKET_SUMMARY)
		return PACKET_BAD;
	k->kind = (enum packet_kind)p[2];
	head = heads[k->kind];
	if (left < head)
		return PACKET_CUT;
	k->thread = k->kind == PACKET_THREAD ? get_u16(p + 3) : 0;
	text = k->kind == PACKET_SUMMARY ? get_u32(p + 3) : get_u16(p + head - 2);
	if (left - head < text)
		return PACKET_CUT;
	k->text = (struct str){(const char *)p + head, text};
	k->size = head + text;
	return PACKET_WHOLE;
}

/* Where the text's last line ends, from the end backwards; 0 when it is not there. */
static uint64_t
text_end(const uint8_t *p, uint64_t size)
{
	static const char line[] = "*end\n";
	uint64_t least = size > STRAY_MAX ? size - STRAY_MAX : 0;

	for (uint64_t end = size; end >= least + 5; end--) {
		if (memcmp(p + end - 5, line, 5) == 0)
			return end;
	}
	return 0;
}

uint64_t
packet_find_summary(struct packet *k, const uint8_t *p, uint64_t size)
{
	static const char line[] = "*version\n";
	uint64_t end = text_end(p, size);
	uint64_t least = end > SUMMARY_MAX ? end - SUMMARY_MAX : 0;
	const uint8_t *at = p + end;

	while (end > 0 && (at = memrchr(p + least, '*', (size_t)(at - p - least))) != NULL) {
		uint64_t begin = (uint64_t)(at - p);

		if (begin < SUMMARY_HEAD || end - begin < sizeof(line) - 1 ||
		    memcmp(at, line, sizeof(line) - 1) != 0)
			continue;
		if (packet_read(k, at - SUMMARY_HEAD, end - begin + SUMMARY_HEAD) ==
			PACKET_WHOLE &&
		    k->kind == PACKET_SUMMARY && k->text.n == end - begin &&
		    get_u16(at - SUMMARY_HEAD) == 0)
			return begin - SUMMARY_HEAD;
	}
	return UINT64_MAX;
}
