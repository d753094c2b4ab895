/*
 * pen: draws records into the strips of their threads: the inner loop of narrow windows,
 * and of the overview.
 *
 * It does what a visitor of replay with strip_step would, without a call or two and a
 * structure for each record.
 */
#ifndef SLOWTOP_PROFILE_PEN_H
#define SLOWTOP_PROFILE_PEN_H

#include <stdbool.h>

#include "profile/index/blocks.h"
#include "profile/strip.h"
#include "profile/walk.h"

/* What a thread is drawn with. */
struct pen {
	struct strip *strip;
	nsec until; /* when nothing more of it is wanted */
	bool down;  /* it is drawn; else its records are skipped */
};

struct pens {
	struct pen *items; /* by thread */
	uint32_t count;
	uint32_t down; /* how many are */
};

/* Until no pen is down any more. */
void pens_draw(struct pens *, struct walk *, const struct batch *);

#endif
