// SPDX-License-Identifier: Apache-2.0
/*
 * picture: frames in rows as a self-contained, interactive SVG picture.
 *
 * It shows all without its script, so any program that draws SVG can draw it.  The script
 * adds zooming, search and keys; nothing is fetched, names are only ever text.  In an
 * HTML page the style and script come once, from picture_style and picture_script, and it is as
 * wide as there is room.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/sbuf.h"
#include "base/str.h"
#include "view/names/names.h"

/* Pixels. */
enum {
	PICTURE_WIDTH = 1200,
	PICTURE_ROW = 17,   /* from a row to the next */
	PICTURE_TOP = 64,   /* above the first; */
	PICTURE_BELOW = 44, /* below the last: the details, the keys; not in pages */
};

struct picture {
	struct sbuf *out;
	struct str title, subtitle;
	uint32_t rows;
	bool inside;     /* part of an HTML page */
	bool switched;   /* in a page: its reader chooses what widths are of; frames have `sides` */
};

struct picture_frame {
	double x, width;
	uint32_t row;     /* from the top */
	struct str name;  /* whole */
	struct str label; /* what fits: picture_columns */
	struct str info;  /* what is told of it beside the name */
	uint32_t colour;
	bool plain;       /* no method: its label is its name's beginning */
	bool dashed;      /* its border is */
	const char *mark; /* a word that its label begins with; NULL: none */
	struct str sides; /* in a picture that is switched: widths of A, of B and of the change, as numbers */
	uint32_t above;   /* there: the frame that it is in, by the order of drawing; UINT32_MAX: none */
};

void picture_begin(const struct picture *);
void picture_frame(const struct picture *, const struct picture_frame *);
/* `note`: a line about what is left out; may be empty. */
void picture_end(const struct picture *, struct str note);

/* Characters that fit into a frame. */
int picture_columns(double width);

enum { PICTURE_LABEL = 256 };
/* A method's name in so many characters, 0: none; `out` may hold it. */
struct str picture_label(struct names *, uint32_t method, int columns,
    char out[static PICTURE_LABEL]);

extern const char picture_style[], picture_script[];

/* The colour of a method, 0xRRGGBB, light enough for black text; the name gives the shade. */
uint32_t picture_colour(struct names *, uint32_t method);
/* Colour of threads and idle calls, which the style makes quiet. */
enum { PICTURE_MUTED = 0xc6c9ce };
