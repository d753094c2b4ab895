#include <config.h>

#include "report/colour.h"

#include "profile/same.h"

enum {
	GREY = 0xc6c9ce, /* threads, and what the file does not name */
	HUES = 1536,     /* six sides of the colour wheel */
	SIDE = 256,
};

/* FNV-1a, with its high bits mixed down: short names differ there only. */
static uint32_t
hash(struct str s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)(s.p[i] == '/' ? '.' : s.p[i])) * 0x100000001b3u;
	return (uint32_t)(h >> 32 ^ h);
}

/* A corner of the wheel is full in one or two of red, green and blue. */
static uint32_t
wheel(uint32_t hue, uint32_t channel)
{
	uint32_t at = (hue + channel * (HUES / 3) + HUES / 6) % HUES;

	if (at < SIDE)
		return at;
	if (at < 3 * SIDE)
		return SIDE - 1;
	return at < 4 * SIDE ? 4 * SIDE - 1 - at : 0;
}

uint32_t
colour_of(const struct trace *t, uint32_t method)
{
	const struct method *m = trace_method(t, method);
	struct str family; /* what has a hue of its own */
	uint32_t hue, shade, colour = 0;

	if (!same_key(t, SAME_PACKAGE, method, &family) &&
	    !same_key(t, SAME_NAME, method, &family))
		return GREY;
	hue = hash(family) % HUES;
	shade = (hash(m->class_name) ^ hash(m->name)) % 48;
	for (uint32_t i = 0; i < 3; i++)
		colour = colour << 8 | (104 + shade + wheel(hue, (3 - i) % 3) * 103 / 255);
	return colour;
}
