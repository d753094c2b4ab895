/*
 * elide: a method's name made to fit, as a pure function of its parts.
 *
 * The rules are those of names_fit (names.h).  Owns the two buffers of its result,
 * which stay valid until the next call.
 */
#ifndef SLOWTOP_VIEW_NAMES_ELIDE_H
#define SLOWTOP_VIEW_NAMES_ELIDE_H

#include "base/sbuf.h"
#include "view/names/names.h"

struct name_parts {
	struct str full;   /* clean: class, dot, name, signature */
	uint32_t name_at;  /* where the method's own name starts; 0 without class */
	uint32_t name_end; /* and ends */
	uint32_t ordinal;  /* among those of the same class and name; 0: the only one */
	/* May replace the first `group_end` bytes, a package; empty: nothing does. */
	struct str group;
	uint32_t group_end;
};

struct elide {
	const char *mark; /* of a cut, one column */
	struct sbuf text;
	uint32_t *source;
	size_t source_room;
};

void elide_release(struct elide *);
struct name_fit elide_fit(
    struct elide *, const struct name_parts *, int columns, enum elision);
struct name_fit elide_part(struct elide *, struct str full, int skip, int columns);
struct str elide_head(struct elide *, struct str text, int columns);

#endif
