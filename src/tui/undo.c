#include <config.h>

#include "tui/undo.h"

#include <string.h>

#include "base/mem.h"

static void
state_release(struct undo_state *s)
{
	filters_release(&s->filters);
	transforms_release(&s->transforms);
	scope_free(s->scope);
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
push(struct undo *u, enum undo_direction side, const struct undo_now *now)
{
	struct undo_state *states = u->states[side];

	if (u->count[side] == UNDO_MAX) {
		state_release(&states[0]);
		memmove(&states[0], &states[1], (UNDO_MAX - 1) * sizeof(states[0]));
		u->count[side]--;
	}
	states += u->count[side]++;
	filters_init(&states->filters);
	filters_copy(&states->filters, now->filters);
	states->transforms = (struct transforms){0};
	transforms_copy(&states->transforms, now->transforms);
	states->scope = scope_copy(now->scope);
	states->window = *now->window;
	states->choice = *now->choice;
}

void
undo_note(struct undo *u, const struct undo_now *now)
{
	push(u, UNDO_BACK, now);
	forget(u, UNDO_FORTH);
}

bool
undo_step(struct undo *u, enum undo_direction side, struct filters *f,
    struct transforms *t, struct scope **s, struct range *window, struct log_choice *choice)
{
	struct undo_state *was;

	if (u->count[side] == 0)
		return false;
	push(u, side == UNDO_BACK ? UNDO_FORTH : UNDO_BACK,
	    &(struct undo_now){f, t, *s, window, choice});
	was = &u->states[side][--u->count[side]];
	filters_copy(f, &was->filters);
	filters_release(&was->filters);
	transforms_copy(t, &was->transforms);
	transforms_release(&was->transforms);
	scope_free(*s);
	*s = was->scope;
	*window = was->window;
	*choice = was->choice;
	was->scope = NULL;
	return true;
}
