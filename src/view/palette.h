/*
 * palette: the 256 colours that terminals have by number, and those of methods among them.
 */
#pragma once

#include "view/canvas.h"

/* The hues of methods on a dark ground: as text, or as areas under black text. */
extern const unsigned char palette_hues[HUES];

/* Of a number below 256: 0xRRGGBB.  The first 16 are xterm's; others differ, but not in names. */
unsigned palette_rgb(int colour);
