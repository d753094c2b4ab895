#include <config.h>

#include "view/palette.h"

const unsigned char palette_hues[HUES] = {
    75, 214, 150, 205, 80, 202, 176, 71, 210, 43, 208, 37, 146, 109, 138, 145,
};

/* 16 to 231 are a cube of 6 levels each, 232 to 255 greys. */
unsigned
palette_rgb(int colour)
{
	enum { CUBE = 16, GREYS = 232 };
	static const unsigned basic[CUBE] = {
	    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};
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
