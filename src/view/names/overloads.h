// SPDX-License-Identifier: Apache-2.0
/*
 * overloads: how methods of one name in a class are told apart: by their parameters, as Java
 * writes them, `(String, int[])`.
 *
 * Types have no packages, but where two methods differ in nothing else; the return type is
 * added where only that differs, as in bridge methods, `(Object): String`.  What is no JVM
 * signature is shown as recorded, and so is all of what would still look the same.
 *
 * Once, all methods that the file names are put into buckets by a hash of their names, 50 ns
 * each; those of one name are found, and how they are told apart is decided, when one of them
 * is first asked for.
 */
#pragma once

#include <stdint.h>

#include "base/sbuf.h"
#include "trace/trace.h"

enum overload_style {
	OVERLOAD_KNOWN = 1, /* has been decided */
	OVERLOAD_TYPES = 2,
	OVERLOAD_PACKAGES = 4,
	OVERLOAD_RETURN = 8,
	OVERLOAD_RECORDED = 16 /* class and signature as in the file */
};

struct overload {
	uint32_t next; /* the next of its group, which is a ring; itself where it is the only one */
	uint32_t bucket_next; /* 0: the last */
	uint32_t hash; /* of class and name */
	uint8_t style; /* 0: not decided, and not in a group */
};

/* Zero-initialised, it knows no method. */
struct overloads {
	struct overload *of; /* by method */
	uint32_t *buckets;   /* the newest method of each; 0: none */
	uint32_t mask;       /* of hashes: their bucket */
	uint32_t count, renamed; /* of the trace, when they were found */
};

void overloads_release(struct overloads *);
/* Flags of overload_style; OVERLOAD_KNOWN alone: no types.  Of any method of the trace. */
unsigned overloads_style(struct overloads *, const struct trace *, uint32_t method);

/* The dots of a class's name: of its packages, and of inner classes: java.util.Map.Entry. */
void java_class_dots(char *name, size_t n);
/* Appends the types of a JVM signature in that style; as they are, when it is none. */
void java_types(struct sbuf *, struct str signature, unsigned style);
