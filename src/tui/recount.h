/*
 * recount: figures that are being made anew after a change of window, threads or
 * transforms, while those of before are still on the screen.
 *
 * Keeps (owns) what the figures on the screen are of, so that the wait can be given up.
 */
#ifndef SLOWTOP_TUI_RECOUNT_H
#define SLOWTOP_TUI_RECOUNT_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/range.h"
#include "profile/scope.h"
#include "profile/transform.h"

struct app;

struct recount {
	bool known; /* there were figures of all that was read */
	struct transforms transforms;
	struct scope *scope;
	struct range window;
};

void recount_release(struct recount *);
/* After news: are the figures those that are wanted? */
void recount_take(struct app *);
/* What is on the screen is of before: it has to be told. */
bool recount_pending(const struct app *);
/* It takes so long that the user should be told how far it is. */
bool recount_slow(const struct app *);
/* "counting 1.200-1.260 s: 43% (^C keeps what is shown)" */
void recount_text(const struct app *, char *out, size_t size);
/* Goes back to what the figures are of; false when nothing is waited for. */
bool recount_interrupt(struct app *);

#endif
