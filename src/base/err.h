// SPDX-License-Identifier: Apache-2.0
/*
 * err: why something failed, and where in the file.
 *
 * Owned by the caller, holds no pointers.  A function that can fail on input
 * takes a `struct err *`, returns false and fills it; the first error wins.
 * `what` starts in lower case and has no full stop (it follows "FILE: ").
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum err_kind {
	ERR_NONE,
	ERR_SYSTEM,      /* a system call failed */
	ERR_TRUNCATED,   /* the file ends too early */
	ERR_MALFORMED,   /* bytes that the format does not allow */
	ERR_UNSUPPORTED, /* recognised, but not a format that is read here */
	ERR_LIMIT,       /* more than this program takes */
	ERR_CANCELLED,
};

struct err {
	enum err_kind kind;
	bool has_offset;
	uint64_t offset; /* bytes from the start of the file */
	int error;       /* of ERR_SYSTEM: the errno, where one says why; else 0 */
	char what[200];
};

/* All return false, so that `return err_set(...)` reads well.  `e` may be NULL. */
bool err_set(struct err *e, enum err_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool err_at(struct err *e, enum err_kind kind, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* ERR_SYSTEM because of an errno, which `format` need not tell. */
bool err_because(struct err *e, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "what: strerror(errno)" */
bool err_system(struct err *e, const char *what);

enum { ERR_SIZE = 256 };
/* A buffer for a text, good until the end of the block it is in. */
#define ERR_BUF ((char[ERR_SIZE]){""})

/* One line, "what" or "what at offset 0x1f40"; returns `out`. */
const char *err_text(const struct err *e, char out[static ERR_SIZE]);
