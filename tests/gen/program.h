// SPDX-License-Identifier: Apache-2.0
/*
 * program: a made-up program whose execution gives a realistic method trace.
 *
 * Every method has a body: call sites with a chance and a repeat count, tried in order
 * whenever the method runs.  Methods are in levels and call mostly deeper ones, so call
 * paths form a tree that keeps growing as rare sites are met, as in real programs: about
 * 0.4 million distinct paths after 10 million records, over a million after 75 million.
 * Roles say what kinds of threads there are, which methods lead to their work and how
 * they wait.
 *
 * Plain read-only data once built; method indexes are those of the trace's list.
 */
#pragma once

#include "abstract.h"
#include "rng.h"

enum body_kind {
	BODY_PLAIN,
	BODY_LOOP,  /* starts over at its end */
	BODY_SLEEP, /* the thread sleeps between entry and exit */
};

struct site {
	uint32_t body;
	uint16_t chance; /* of 65 536 */
	uint16_t repeat; /* up to so many more calls in a row */
};

struct body {
	uint32_t method;
	uint32_t first_site;
	uint16_t sites;
	uint8_t kind;
	uint32_t cost_ns; /* mean time between two events while it runs */
};

enum { ROLE_CHAIN = 6, ROLE_ENTRIES = 8, ROLE_SLOTS = 20 };

/* A kind of thread. */
struct role {
	const char *name; /* of the thread; %u is its number among those of the role */
	unsigned count;   /* threads of this role before the roles start over */
	const char
	    *chain[ROLE_CHAIN]; /* methods from the bottom of the stack to the work */
	const char *entries[ROLE_ENTRIES]; /* what the last of the chain calls */
	const char *wait;   /* method in which it sleeps; NULL: with an empty stack */
	unsigned wait_us;   /* mean sleep */
	unsigned period_us; /* not 0: sleeps until the next multiple of this */
	bool chain_loops;   /* the last of the chain never returns, else the whole is
			       repeated */
	const char *rare[ROLE_CHAIN]; /* below the second entry, once in a while: the last is
					 slow, but only if the program is asked for it */
	const char
	    *activity; /* ROLE_SLOTS digits: how busy over the length of the trace */
};

extern const struct role roles[];
extern const size_t role_count;

/* Methods that many know, for the busiest places: called from the top of the work, in
 * the middle, at the leaves.  "class.name signature"; NULL-terminated. */
enum { STOCK_BANDS = 3 };
extern const char *const *const stock_names[STOCK_BANDS];

/* Bodies: one a method, by its index; then those of the roles' chains, where shared
 * methods such as Thread.run do something else in every role. */
struct program {
	struct body *bodies;
	size_t body_count;
	uint32_t
	    *role_body; /* below the stacks of a role's threads: no frame of a method */
	GEN_ARRAY(struct site) sites;
};

struct program_size {
	unsigned methods; /* at least; the roles' own come on top */
	unsigned levels;
	unsigned recursion; /* methods of 10 000 that call themselves or their callers */
	unsigned hidden;    /* methods of 10 000 without a line */
	bool dalvik;        /* names and ids as Dalvik wrote them */
	bool rare;          /* what roles do once in a while */
};

/* Adds the methods to the trace and builds their bodies. */
void program_build(
    struct program *, struct gen_trace *, const struct program_size *, struct rng *);
void program_free(struct program *);
