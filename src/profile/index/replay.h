// SPDX-License-Identifier: Apache-2.0
/*
 * replay: decode a part of the trace again, with the stacks known.
 *
 * The index (index/blocks.h) says where to start; the tree is not changed.  A visitor sees the
 * records of a block in file order, threads interleaved: the stretch of time since the thread's
 * last event, spent with `before` on top, and the frame on top after the record.
 *
 * Several replays of one profile may run at the same time, each on its own thread.
 */
#pragma once

#include <stdatomic.h>

#include "profile/index/blocks.h"
#include "profile/load/profile.h"
#include "profile/load/scope.h"
#include "profile/load/step.h"

/*
 * Visits at least all steps of the threads in scope that touch [from, to] on the axis
 * (profile.h); steps of theirs outside may be visited too.  False when cancelled or
 * stopped.  Costs the records of the blocks around the window.
 */
bool replay_window(const struct profile *, const struct scope *, nsec from, nsec to,
    visit_step, void *context, const atomic_bool *cancel);

struct cell_row;

/* Block by block: those of `list`, which may be read, in any order. */
struct replay;

struct replay *replay_new(const struct profile *, const struct scope *, nsec from, nsec to,
    const atomic_bool *cancel);
void replay_free(struct replay *);
const struct block_list *replay_list(const struct replay *);
/* An item of the list: all steps that its threads have in the block. */
bool replay_block(struct replay *, uint32_t item, visit_step, void *context);
/*
 * Draws an item up to a time on the axis, each thread into the one of `cell_rows` that is its, if
 * it has one.  False when cancelled.
 */
bool replay_draw(struct replay *, uint32_t item, struct cell_row *const *cell_rows, nsec to);
