// SPDX-License-Identifier: Apache-2.0
/*
 * looks: the colour of a method: the hue of the packages that it belongs to, or dim where a
 * thread only waits in it.
 *
 * Packages belong together by their first two or three words (com.example.feed), or as the
 * configuration groups them; slices by the first word of their names.  The groups with the
 * most time get hues of their own, once and for all; others share them.  The platform
 * (android, java, kotlin...) has muted ones.
 *
 * Borrows names, trace and groups; for one thread.
 */
#pragma once

#include "profile/sum/fold.h"
#include "profile/sum/idle.h"
#include "view/canvas.h"
#include "view/names/names.h"

struct looks;

struct looks *looks_new(struct names *);
void looks_free(struct looks *);
/* By the exclusive times of the fold. */
void looks_learn(struct looks *, const struct fold *, enum clock_id);
/* Methods that these rules match are idle. */
void looks_set_idle(struct looks *, const struct idle_rules *);
/* The groups of names have changed: all is looked at anew. */
void looks_forget(struct looks *);

/* ROLE_IDLE, or ROLE_HUE and a number. */
look looks_method(struct looks *, uint32_t method);

/* The hues, of the 256 colours that terminals have: on a dark ground, or under black text. */
extern const unsigned char looks_hues[HUES];
/*
 * 0xRRGGBB of one of the 256.  The first 16 are xterm's; those of others differ, but not in
 * their names.
 */
unsigned palette_rgb(int colour);
/* Returns the group whose colour it has: "com.example.feed", "idle".  Lives until looks_forget. */
struct str looks_group(struct looks *, uint32_t method);
