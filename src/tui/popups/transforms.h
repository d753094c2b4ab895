/*
 * transforms: adds to the list of transforms of the call tree, and changes what is in it.
 */
#ifndef SLOWTOP_TUI_POPUPS_TRANSFORMS_H
#define SLOWTOP_TUI_POPUPS_TRANSFORMS_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/sum/transform.h"

struct app;

/* The transform that the prompt asks an argument for. */
struct transform_ask {
	enum transform_id id;
	size_t index; /* that is edited; beyond the list: a new one */
};

/* Does it with what is selected, or asks for what it takes. */
void transform_begin(struct app *, enum transform_id);

#endif
