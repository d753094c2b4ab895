// SPDX-License-Identifier: Apache-2.0
/*
 * store: the traces of a folder, which is the working directory.
 *
 * ID.trace is an upload, ID.name what its sender called it (text, never a path), ID.json what
 * `slowtop info` says of it; cache/ has reports, tmp/ uploads that are not whole yet.  An ID
 * is the first half of the upload's SHA-256, as 32 hexadecimal digits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/err.h"
#include "base/sbuf.h"
#include "base/sha256.h"

enum { ID_SIZE = 33, PATH_SIZE = ID_SIZE + 8, NAME_MAX_BYTES = 200 };

/* Makes the folder what it is to be, and locks it; the lock's descriptor, -1 on failure. */
int store_open(const char *folder, struct err *);

/* An ID in the first digits of a text; false: there is none. */
bool id_take(struct str text, char id[static ID_SIZE]);
/* Hexadecimal digits of half of a hash. */
void id_make(struct sha256 *, char id[static ID_SIZE]);
/* "ID.SUFFIX" in `out`, which is returned. */
const char *store_path(char out[static PATH_SIZE], const char *id, const char *suffix);
bool store_has(const char *id);
/* A file's content, up to `most` bytes; empty when it cannot be read. */
void store_read(const char *path, size_t most, struct sbuf *out);
void store_remove(const char *id);
/* Removes what is older than `days` (0: nothing), then the oldest until `most` bytes are left. */
void store_retain(unsigned days, uint64_t most);

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
/* Now it has a name, and what is said of it; `info`: the file with that, renamed. */
bool upload_keep(struct upload *, const char *id, struct str name, const char *info);
/* In all cases; what has no name is gone. */
void upload_release(struct upload *);

struct entry {
	char id[ID_SIZE]; /* of a trace */
	char name[128];   /* of the file */
	uint64_t bytes;
	time_t when;
};

/* Newest first; mem_free. */
struct entry *store_list(size_t *count);
