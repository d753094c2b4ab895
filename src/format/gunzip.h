/*
 * gunzip: gzip data (RFC 1952), of one member or several, or a zlib stream (RFC 1950) into
 * a temporary file.
 */
#ifndef SLOWTOP_FORMAT_GUNZIP_H
#define SLOWTOP_FORMAT_GUNZIP_H

#include "base/filemap.h"
#include "base/tempfile.h"

bool gunzip_is(const struct filemap *);

/*
 * Unless how->unpack_most says otherwise: data that become more than GUNZIP_PLAIN bytes must
 * not be more than GUNZIP_RATIO times what they were.  Traces become 3 to 30 times as much;
 * what is made to fill disks, a thousand times.
 */
#define GUNZIP_PLAIN ((uint64_t)64 << 20)
#define GUNZIP_RATIO 200

struct gunzipped {
	bool cut;       /* the data end too early, or are damaged: `map` has what came before */
	uint64_t stray; /* bytes behind the end that are no gzip data */
};

/* Fails when nothing could be had. */
bool gunzip(const struct filemap *from, struct filemap *map, struct gunzipped *,
    const struct tempfile_how *, struct err *);

/* A zlib stream at an offset of the file; false with no error: it is none. */
bool unzlib(const struct filemap *from, size_t offset, struct filemap *map,
    struct gunzipped *, const struct tempfile_how *, struct err *);

#endif
