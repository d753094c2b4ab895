/* One colour for terminals with different numbers of them. */
#include <config.h>

#include <limits.h>

#include "tui/theme.h"

/* The sixteen as xterm has them; others differ, but not in their names. */
static const unsigned basic[16] = {
    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

enum { CUBE = 16, GREYS = 232, PALETTE = 256, DIRECT_MIN = 8 };

/* 16 to 231 are a cube of 6 levels each, 232 to 255 greys. */
static unsigned
palette_rgb(int colour)
{
	static const unsigned levels[6] = {0, 95, 135, 175, 215, 255};
	unsigned grey;

	if (colour < CUBE)
		return basic[colour];
	if (colour < GREYS) {
		colour -= CUBE;
		return levels[colour / 36] << 16 | levels[colour / 6 % 6] << 8 |
		       levels[colour % 6];
	}
	grey = 8 + 10 * (unsigned)(colour - GREYS);
	return grey << 16 | grey << 8 | grey;
}

static int
distance(unsigned a, unsigned b)
{
	int red = (int)(a >> 16 & 0xff) - (int)(b >> 16 & 0xff);
	int green = (int)(a >> 8 & 0xff) - (int)(b >> 8 & 0xff);
	int blue = (int)(a & 0xff) - (int)(b & 0xff);

	/* The eye tells greens apart best. */
	return 3 * red * red + 6 * green * green + blue * blue;
}

static int
nearest(unsigned rgb, int from, int to)
{
	int best = from, least = INT_MAX;

	for (int i = from; i < to; i++) {
		int d = distance(rgb, palette_rgb(i));

		if (d < least) {
			least = d;
			best = i;
		}
	}
	return best;
}

/* Small numbers of a terminal with direct colours are those of the palette. */
static int
direct(unsigned rgb)
{
	return rgb >= DIRECT_MIN ? (int)rgb : DIRECT_MIN;
}

void
theme_paint_palette(struct paint *p, int colour)
{
	unsigned rgb = palette_rgb(colour);

	p->colour[COLOUR_NONE] = -1;
	p->colour[COLOUR_256] = colour;
	p->colour[COLOUR_16] = colour < CUBE ? colour : nearest(rgb, 0, CUBE);
	p->colour[COLOUR_8] = p->colour[COLOUR_16] % 8;
	p->colour[COLOUR_DIRECT] = colour < DIRECT_MIN ? colour : direct(rgb);
}

void
theme_paint_direct(struct paint *p, unsigned rgb)
{
	theme_paint_palette(p, nearest(rgb, CUBE, PALETTE));
	p->colour[COLOUR_DIRECT] = direct(rgb);
}
