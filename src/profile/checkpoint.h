/*
 * checkpoint: where decoding can start again with the stacks known.
 *
 * Taken by profile_load every `checkpoint_every` records.  When they take too much
 * memory every other one is dropped and the distance doubled, so the memory is bounded
 * whatever the number of records.
 */
#ifndef SLOWTOP_PROFILE_CHECKPOINT_H
#define SLOWTOP_PROFILE_CHECKPOINT_H

#include "profile/profile.h"

/* What is needed of a stack (see there) to go on from here. */
struct stack_mark {
	uint32_t node;
	uint32_t low; /* shallowest frame since the checkpoint before */
	uint64_t raw[CLOCKS];
	nsec time[CLOCKS];
	uint32_t wraps[CLOCKS];
	uint64_t inside;
	uint32_t records; /* low bits: tells whether anything happened between two */
};

struct checkpoint {
	struct cursor at;
	uint32_t stack_count; /* stacks known then; later ones had not started */
	struct stack_mark *stacks;
};

/* A stack as it stands. */
struct stack_mark checkpoint_mark(const struct stack *);
/*
 * Of a profile that nothing is asked of which decodes records again, before they are read:
 * only the first is kept.  What decodes nevertheless takes as long as loading.
 */
void checkpoint_first_only(struct profile *);
/* Drops checkpoints until their memory is within bounds. */
void checkpoint_bound(struct profile *);
/*
 * One more, at a place so many records from the start, for whoever says how each stack stands
 * there: all stacks that there are, each when it comes to the place.
 */
struct checkpoint *checkpoint_add(struct profile *, struct cursor at, uint64_t records);
void checkpoint_stack(const struct checkpoint *, uint32_t thread, struct stack *);
/* Takes one at the profile's place if it is due. */
void checkpoint_take(struct profile *);
void checkpoint_release(struct profile *);

/* Of two frames on one stack the one nearer to the root. */
uint32_t checkpoint_lower(const struct tree *, uint32_t a, uint32_t b);

#endif
