// SPDX-License-Identifier: Apache-2.0
/*
 * queue: keys in their order, and what each does: in a prompt, in a list, or as a
 * command.
 *
 * A command that needs an answer of the engine (enum command_need) waits here until it
 * comes, with all keys after it, so that the effect of keys does not depend on speed.
 * The loop goes on meanwhile: the screen is drawn, progress is shown. ^C drops the keys
 * that wait; so does Esc, once the last line says that keys wait.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/keys/key.h"

enum { QUEUE_MAX = 4096 }; /* keys beyond are lost, and that is said */

struct key_queue {
	struct key keys[QUEUE_MAX]; /* a ring: */
	size_t first, count;
	int64_t since_ms; /* when the first of them began to wait */
};

struct app;

/* Takes a key and does its work, at once or when it can. */
void queue_key(struct app *, const struct key *);
/* Does the key's work, even if keys wait. */
void queue_do(struct app *, const struct key *);
/* Goes on with the keys that waited as far as it can; returns whether any did something. */
bool queue_run(struct app *);
bool queue_waits(const struct app *);
/* "2 keys wait", when they have waited so long that the user should be told; else false. */
bool queue_text(const struct app *, char *out, size_t size);
