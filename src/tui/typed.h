/*
 * typed: keys in the order in which they were typed, as fast as that was.
 *
 * A command that acts on what the engine has not answered yet (enum command_need) is held
 * until it has, with all keys behind it, so that what keys do depends on nobody's speed.
 * The loop goes on meanwhile: the screen is drawn, progress is shown.  ^C drops what is
 * held; so does Esc, once the last line says that keys wait.
 */
#ifndef SLOWTOP_TUI_TYPED_H
#define SLOWTOP_TUI_TYPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/key.h"

enum { TYPED_MAX = 4096 }; /* keys beyond are lost, and that is said */

struct typed {
	struct key keys[TYPED_MAX]; /* a ring: */
	size_t first, count;
	int64_t since_ms; /* when the first of them began to wait */
};

struct app;

/* A key: does what it does, at once or when it can. */
void typed_key(struct app *, const struct key *);
/* Goes on with what was held as far as it can; returns whether any key did something. */
bool typed_resume(struct app *);
bool typed_waits(const struct app *);
/* The keys have waited so long that the user should be told; NULL: they have not. */
const char *typed_text(const struct app *, char *out, size_t size);

#endif
