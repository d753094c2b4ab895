// SPDX-License-Identifier: Apache-2.0
/*
 * scene: the terminal program over the fixture's worked example, without a terminal.
 *
 * Zero-initialise, scene_open, scene_close.
 */
#pragma once

#include "tui/layout.h"
#include "tui/app.h"
#include "view/fixture.h"

struct scene {
	struct fixture fixture;
	struct settings settings;
	struct app app;
};

/* The table is there, the trees are not yet. */
void scene_open(struct scene *);
void scene_close(struct scene *);
/* The trees of the whole are there, too. */
void trees_come(struct scene *);
