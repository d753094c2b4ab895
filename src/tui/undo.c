#include <config.h>

#include "tui/undo.h"

#include <string.h>

#include "base/mem.h"

static void
state_release(struct undo_state *s)
{
	filters_release(&s->filters);
	subset_release(&s->subset);
}

static void
forget(struct undo *u, enum undo_direction side)
{
	for (size_t i = 0; i < u->count[side]; i++)
		state_release(&u->states[side][i]);
	u->count[side] = 0;
}

void
undo_init(struct undo *u)
{
	for (int side = 0; side < 2; side++) {
		u->states[side] = mem_zero(UNDO_MAX, sizeof(*u->states[side]));
		u->count[side] = 0;
	}
}

void
undo_release(struct undo *u)
{
	for (int side = 0; side < 2; side++) {
		forget(u, (enum undo_direction)side);
		mem_free(u->states[side]);
		u->states[side] = NULL;
	}
}

static void
push(struct undo *u, enum undo_direction side, const struct filters *f,
    const struct subset *subset, const struct log_choice *choice)
{
	struct undo_state *states = u->states[side];

	if (u->count[side] == UNDO_MAX) {
		state_release(&states[0]);
		memmove(&states[0], &states[1], (UNDO_MAX - 1) * sizeof(states[0]));
		u->count[side]--;
	}
	states += u->count[side]++;
	filters_init(&states->filters);
	filters_copy(&states->filters, f);
	states->subset = subset_copy(subset);
	states->choice = *choice;
}

void
undo_note(struct undo *u, const struct filters *f, const struct subset *subset,
    const struct log_choice *choice)
{
	push(u, UNDO_BACK, f, subset, choice);
	forget(u, UNDO_FORTH);
}

bool
undo_step(struct undo *u, enum undo_direction side, struct filters *f, struct subset *subset,
    struct log_choice *choice)
{
	struct undo_state *was;

	if (u->count[side] == 0)
		return false;
	push(u, side == UNDO_BACK ? UNDO_FORTH : UNDO_BACK, f, subset, choice);
	was = &u->states[side][--u->count[side]];
	filters_copy(f, &was->filters);
	filters_release(&was->filters);
	subset_release(subset);
	*subset = was->subset;
	*choice = was->choice;
	return true;
}
