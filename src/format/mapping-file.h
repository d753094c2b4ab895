/*
 * mapping-file: what a mapping file says, as a table; for the files of mapping only.
 *
 * Strings point into the file's bytes, which the table owns.  Zero-initialise.
 */
#ifndef SLOWTOP_FORMAT_MAPPING_FILE_H
#define SLOWTOP_FORMAT_MAPPING_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct mapping_class {
	struct str now, was; /* in the trace, in the source */
	struct str file;     /* of the source; may be empty */
	size_t first, count; /* its methods */
};

struct mapping_method {
	size_t of;           /* its class, while the file is read */
	size_t line;         /* which member line of the file it is: their order */
	struct str now, was;
	struct str holder;   /* class that it was in, if another one; else empty */
	struct str arguments; /* types with commas between, as in the source */
	struct str residual; /* signature that it has in the trace; may be empty */
	uint64_t from, to;   /* lines in the trace's program; 0, 0: not told */
	uint64_t source;     /* line in the source; 0: not told */
};

struct mapping_file {
	char *bytes;
	struct mapping_class *classes; /* by `now` */
	size_t class_count, class_room;
	struct mapping_method *methods; /* by class, `now` and line */
	size_t method_count, method_room;
	bool at_method; /* while it is read: the last line but comments is the last method's */
};

bool mapping_file_read(struct mapping_file *, const char *path, struct err *e);
void mapping_file_release(struct mapping_file *);

/* NULL when the file does not name it. */
const struct mapping_class *mapping_class_find(const struct mapping_file *, struct str now);
/* Those of that name, next to each other; `*count` may be 0. */
const struct mapping_method *mapping_methods_find(const struct mapping_file *,
    const struct mapping_class *, struct str now, size_t *count);

#endif
