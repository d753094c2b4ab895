/*
 * undo: filters, transforms, threads, time windows and choices of slices as they were, to go
 * back to and forth again.
 */
#ifndef SLOWTOP_TUI_UNDO_H
#define SLOWTOP_TUI_UNDO_H

#include <stdbool.h>
#include <stddef.h>

#include "view/filters.h"
#include "view/query/query.h"

enum { UNDO_MAX = 100 };

struct undo_state {
	struct filters filters;
	struct subset subset;
	struct log_choice choice;
};

struct undo {
	struct undo_state *states[2]; /* to go back to, and forth */
	size_t count[2];
};

enum undo_direction { UNDO_BACK, UNDO_FORTH };

void undo_init(struct undo *);
void undo_release(struct undo *);
/* Before a change: remembers these (copied) and forgets what was undone. */
void undo_note(struct undo *, const struct filters *, const struct subset *,
    const struct log_choice *);
/* One step: swaps what is in force with what was.  False when there is none. */
bool undo_step(struct undo *, enum undo_direction, struct filters *, struct subset *,
    struct log_choice *);

#endif
