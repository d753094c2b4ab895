// SPDX-License-Identifier: Apache-2.0
/*
 * identity: which method, thread, process, path or call a row is about, as numbers that are the
 * same in every answer about a trace and, where names and ids agree, in another trace.
 *
 * A number is a hash of 61 bits; its lower three are 0 and free for what kind of row it is.  Two
 * rows of a list with one number are one to cursor and marks, which among a million rows has a
 * chance of 1 in 5 million.  Of methods that have the same name, class and signature the second
 * and later ones also take their place among these.  A number is made when the row of the trace
 * is first seen and kept: it changes neither when a name comes later nor when the file under the
 * map is overwritten.  What was kept of a method that was named late is not found in the trace
 * loaded again.
 *
 * Functions of `struct identities` are for one thread.  24 to 72 bytes a method and a thread.
 * Without one (NULL) numbers are those of one answer.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "trace/trace.h"

struct identities;

enum { IDENTITY_KINDS = 8 };

struct identities *identities_new(const struct trace *);
void identities_free(struct identities *);

/* Takes in what the trace has got since, some 50 ns a method; the functions below do so, too. */
void identities_follow(struct identities *);
/* NONE: 0. */
uint64_t identity_method(struct identities *, uint32_t method);
uint64_t identity_thread(struct identities *, uint32_t thread);
/* As thread.process counts; of 0, too. */
uint64_t identity_process(struct identities *, uint32_t process);
/* Back; NONE (UINT32_MAX) when the trace has none of it. */
uint32_t identity_to_method(struct identities *, uint64_t);
uint32_t identity_to_thread(struct identities *, uint64_t);
uint32_t identity_to_process(struct identities *, uint64_t);

/* Make identities: a path's, from that of the path above or its thread's; a call's; a text's. */
uint64_t identity_below(uint64_t above, uint64_t method);
uint64_t identity_call(uint64_t method, uint64_t thread, nsec start);
uint64_t identity_text(struct str);

/*
 * The step from a path to the one above it, kept of each path that has been a row.  It outlives the
 * trace: a path can be named when the newest answer does not have it.  32 to 80 bytes each.
 */
struct identity_step {
	uint64_t above;  /* 0: nothing */
	uint64_t method; /* the path's; of roots what they are of */
};

void identities_keep(struct identities *, uint64_t path, struct identity_step);
/* False: it was not kept. */
bool identity_step(const struct identities *, uint64_t path, struct identity_step *);
/* Takes over the steps that were kept for the trace before. */
void identities_take(struct identities *, struct identities *before);
