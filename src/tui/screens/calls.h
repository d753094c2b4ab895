// SPDX-License-Identifier: Apache-2.0
/*
 * calls: the calls of one method with their figures and histogram: the method, the
 * selected call, and the search that is under way.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "view/query/engine.h"

struct app;

/* True if the time cursor is at the start of the call that was stepped to, on its thread. */
bool picked_here(const struct app *);
/* The time of the selected call, and its place; false when none is selected. */
bool picked_span(const struct app *, struct range *, struct call_place *);

/* The list of calls is this method's from now on, for the view or for its figures. */
void calls_follow(struct app *, uint32_t method);
void calls_ask(struct app *, struct asked *);
/* Returns the method's calls in the window on the screen; NULL: not known. */
const struct calls *calls_found(const struct app *, uint32_t method);
/* Goes to the next call that was found. */
void calls_take_near(struct app *, const struct answer *);
/* Gives up what is being searched for; false when nothing is. */
bool calls_interrupt(struct app *);
