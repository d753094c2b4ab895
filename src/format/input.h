// SPDX-License-Identifier: Apache-2.0
/*
 * input: the bytes that a trace is made of.
 *
 * Mostly one mapped file; some traces have their text part in a second one beside it.
 * Pipes are kept in a temporary file, gzip data are decompressed into one.  A format's
 * open function takes the maps over when it succeeds (its source closes them); otherwise
 * they stay the caller's.  Strings of the trace may point into both.
 */
#pragma once

#include "base/filemap.h"
#include "base/sbuf.h"
#include "base/spool.h"

/*
 * Unless how->unpack_most says otherwise: data that become more than GUNZIP_PLAIN bytes must
 * not be more than GUNZIP_RATIO times what they were.  Traces become 3 to 30 times as much;
 * what is made to fill disks, a thousand times.
 */
#define GUNZIP_PLAIN ((uint64_t)64 << 20)
#define GUNZIP_RATIO 200

struct gunzipped {
	bool cut;       /* the data end too early, or are damaged: `map` has what came before */
	uint64_t stray; /* bytes after the end that are no gzip data */
};

struct input {
	struct filemap data; /* the file itself */
	struct filemap key;  /* text beside it; empty when there is none */
	struct filemark file, beside; /* both as they were, for trace_file_now */
	bool grows; /* more may come, and what is cut at the end become whole */
	const char *compressed; /* how the file was, as "gzip"; `data` is what it held */
	/*
	 * Perfetto's packets may be compressed one by one, anywhere in a file.  Its reader says `packed`
	 * when it meets the first: input_unpack, then the trace is to be opened again.
	 */
	bool packed, unpacked;
	struct gunzipped gzip; /* what was wrong with the compressed form */
	const char *member;    /* of an archive, the file that is wanted; borrowed; NULL: see archive.h */
	char *chosen;          /* the file of an archive that `data` is; NULL: of none */
	const char *folder;    /* for temporary files; NULL: /tmp */
	const char *sample_type; /* as --sample-type; NULL: the default */
	const char *detail;      /* as --detail; NULL: none */
};

/* The path that means standard input. */
#define INPUT_STDIN "-"

/* The path in messages and titles: "(standard input)" for standard input.  May be NULL. */
const char *input_name(const char *path);

/* True for a folder that is one recording, as uftrace's; `name` is the file of it that is opened. */
bool input_folder_file(const char *path, struct sbuf *name);
/*
 * Opens what `path` means: a file; INPUT_STDIN; or, when there is no such file,
 * PATH.trace, or PATH.data with PATH.key; or ARCHIVE/MEMBER.  The text part beside a file without one is
 * looked for, and so is the data beside a text part.
 */
bool input_open(struct input *, const char *path, const struct tempfile_how *how, struct err *);
/* Puts what was written in the place of the data; drops it unless it is good. */
bool input_take(struct input *, struct tempfile *, bool good, struct err *);
/* Decompresses the data if they are compressed, or in an archive. */
bool input_inflate(struct input *, const struct tempfile_how *how, struct err *);
/* Unpacks the packets that are compressed, once. */
bool input_unpack(struct input *, const struct tempfile_how *how, struct err *);
void input_close(struct input *);
