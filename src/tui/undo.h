/*
 * undo: filters, transforms, threads, time windows and choices of slices as they were, to go
 * back to and forth again.
 */
#ifndef SLOWTOP_TUI_UNDO_H
#define SLOWTOP_TUI_UNDO_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/range.h"
#include "profile/scope.h"
#include "profile/transform.h"
#include "trace/log.h"
#include "view/filters.h"

enum { UNDO_MAX = 100 };

struct undo_state {
	struct filters filters;
	struct transforms transforms;
	struct scope *scope;
	struct range window;
	struct log_choice choice;
};

/* What is in force; the scope may be NULL. */
struct undo_now {
	const struct filters *filters;
	const struct transforms *transforms;
	const struct scope *scope;
	const struct range *window;
	const struct log_choice *choice;
};

struct undo {
	struct undo_state *states[2]; /* to go back to, and forth */
	size_t count[2];
};

enum undo_direction { UNDO_BACK, UNDO_FORTH };

void undo_init(struct undo *);
void undo_release(struct undo *);
/* Before a change: remembers these (copied) and forgets what was undone. */
void undo_note(struct undo *, const struct undo_now *);
/*
 * One step: swaps what is in force with what was.  False when there is none.  The
 * scope is taken and given; the others change in place.
 */
bool undo_step(struct undo *, enum undo_direction, struct filters *, struct transforms *,
    struct scope **, struct range *window, struct log_choice *);

#endif
