/*
 * synthetic: names that compilers make up, without what differs from build to build.
 *
 * javac, Kotlin, D8 and R8, and the virtual machines name what has no name in the source:
 * lambdas, outlines, accessors, anonymous classes, proxies.  They count them, or take a
 * hash, so the same code may get another name in the next build.  Each such number or hash
 * becomes a '#'; doc/accounting.md lists the forms.
 */
#ifndef SLOWTOP_PROFILE_SYNTHETIC_H
#define SLOWTOP_PROFILE_SYNTHETIC_H

#include "base/sbuf.h"

enum synthetic {
	SYNTHETIC_NOT = 0,
	SYNTHETIC_COUNTED = 1 << 0, /* numbers follow the order in the source */
	SYNTHETIC_HASHED = 1 << 1,  /* hashes follow nothing */
};

/* Appends a class, a name or a signature; tells what of it was made up (enum synthetic). */
unsigned synthetic_put(struct sbuf *out, struct str name);

/* As strcmp, but numbers in them by their value. */
int synthetic_order(struct str a, struct str b);

#endif
