// SPDX-License-Identifier: Apache-2.0
/*
 * store: the traces of a folder, which is the working directory.
 *
 * ID.trace is an upload, ID.name what its sender called it (text, never a path), ID.line what
 * `slowtop triage` says of it in a line; cache/ has reports, tmp/ uploads that are not whole yet.  An ID is the first half of the upload's SHA-256, as 32
 * hexadecimal digits.  A file marks the folder as a server's; files with other names are never
 * changed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "base/sha256.h"

/* Begins names of results of more than two traces, in place of their ids: they go with any trace. */
#define STORE_MANY "ffffffffffffffffffffffffffffffff"

enum { ID_SIZE = 33, PATH_SIZE = ID_SIZE + 8, NAME_MAX_BYTES = 4096 };

/* Beginning of the paths of files that are not whole yet, also of slowtop's own. */
#define STORE_PART "tmp/.slowtop."

/*
 * Makes the folder what it is to be, and locks it; the lock's descriptor, -1 on failure.  One
 * with files of others is taken when none could be a server's: `foreign`.
 */
int store_open(const char *folder, bool *foreign, struct err *);
/* A foreign folder has no traces: leaves it as it was.  False, with the error. */
bool store_refuse(struct err *);

/* An ID in the first digits of a text; false: there is none. */
bool id_take(struct str text, char id[static ID_SIZE]);
/* Hexadecimal digits of half of a hash. */
void id_make(struct sha256 *, char id[static ID_SIZE]);
/* "ID.SUFFIX" in `out`, which is returned. */
const char *store_path(char out[static PATH_SIZE], const char *id, const char *suffix);
bool store_has(const char *id);
/* Appends a file's content, up to `most` bytes, nothing if there is none; false: see errno. */
bool store_read(const char *path, size_t most, struct sbuf *out);
/* Like store_read, from an open file. */
bool store_take(int fd, size_t most, struct sbuf *out);
void store_remove(const char *id);
/* Removes traces older than `days` (0: none), then the oldest until `most` bytes are left. */
void store_retain(unsigned days, uint64_t most);
/* Removes reports, the oldest first, until they take so many bytes. */
void store_trim(uint64_t most);
/* Bytes of the disk that may be used; other programs need some, too. */
uint64_t store_space(void);

struct upload {
	int fd; /* -1: none */
	struct sbuf path;
	struct sha256 hash;
	uint64_t bytes;
};

bool upload_open(struct upload *);
/* False: errno says why. */
bool upload_add(struct upload *, const void *, size_t n);
/* All has come: closed and on the disk, but without a name. */
bool upload_end(struct upload *, char id[static ID_SIZE]);
/*
 * Gives a whole upload its name and its line: a file, which is renamed.  False: see errno; nothing
 * is left of it then.
 */
bool upload_keep(struct upload *, const char *id, struct str name, const char *line);
/*
 * Instead of these, for a file of the folder: a link to it is the upload, or a copy where that
 * cannot be.
 */
bool upload_link(struct upload *, const char *file, char id[static ID_SIZE]);
/* In all cases; what has no name is gone. */
void upload_release(struct upload *);

struct stored {
	char id[ID_SIZE]; /* of a trace */
	char name[128];   /* of the file */
	uint64_t bytes, space; /* space: on the disk */
	uint64_t inode;
	time_t when;
};

/* Newest first; mem_free.  SIZE_MAX of them: see errno. */
struct stored *store_list(size_t *count);
