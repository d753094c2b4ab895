#include <config.h>

#include "format/gunzip.h"

#include <limits.h>
#include <zlib.h>

#include "base/mem.h"

enum {
	OUT_BYTES = 1 << 18,
	WINDOW_ZLIB = 15,       /* the largest window */
	WINDOW_GZIP = 15 + 16, /* and a gzip header is expected */
};

bool
gunzip_is(const struct filemap *map)
{
	return map->size >= 2 && map->bytes[0] == 0x1f && map->bytes[1] == 0x8b;
}

/* Behind the end of a member: whether another one follows. */
static bool
member_next(z_stream *z, size_t *left, struct gunzipped *result)
{
	size_t rest = z->avail_in + *left;
	const uint8_t *p = z->next_in;

	if (rest >= 2 && p[0] == 0x1f && p[1] == 0x8b)
		return inflateReset(z) == Z_OK;
	/* Padding to a block of a tape is zeros. */
	while (rest > 0 && *p == 0) {
		p++;
		rest--;
	}
	result->stray = rest;
	return false;
}

/* What is to be decompressed. */
struct packed {
	const uint8_t *bytes;
	size_t size;
	int window;
};

static bool
within_limit(size_t taken, uint64_t size, const struct tempfile_how *how, struct err *e)
{
	if (how->unpack_most > 0 && size > how->unpack_most)
		return err_set(e, ERR_LIMIT,
		    "decompressed it is larger than --unpack-limit allows");
	if (how->unpack_most == 0 && size > GUNZIP_PLAIN && size / GUNZIP_RATIO > taken)
		return err_set(e, ERR_LIMIT,
		    "decompressed it is more than %d times as large; no trace is like that"
		    " (--unpack-limit=SIZE opens it)",
		    GUNZIP_RATIO);
	return true;
}

static bool
inflate_all(z_stream *z, const struct packed *from, uint8_t *out, struct tempfile *file,
    struct gunzipped *result, const struct tempfile_how *how, struct err *e)
{
	size_t left = from->size;

	z->next_in = (uint8_t *)(uintptr_t)from->bytes;
	for (;;) {
		int status;

		if (tempfile_cancelled(how))
			return err_set(e, ERR_CANCELLED, "interrupted while decompressing");
		if (z->avail_in == 0) {
			z->avail_in = left > UINT_MAX ? UINT_MAX : (uInt)left;
			left -= z->avail_in;
		}
		z->next_out = out;
		z->avail_out = OUT_BYTES;
		status = inflate(z, Z_NO_FLUSH);
		if (!tempfile_write(file, out, OUT_BYTES - z->avail_out, e))
			return false;
		if (!within_limit(from->size - left - z->avail_in, file->size, how, e))
			return false;
		if (status == Z_STREAM_END) {
			if (from->window != WINDOW_GZIP || !member_next(z, &left, result))
				return true;
		} else if (status == Z_MEM_ERROR) {
			return err_set(e, ERR_SYSTEM, "cannot decompress: out of memory");
		} else if (status != Z_OK) { /* data that are wrong, or no more of them */
			result->cut = true;
			return true;
		}
	}
}

/* An empty map, with `cut`, when nothing could be had. */
static bool
unpack(const struct packed *from, struct filemap *map, struct gunzipped *result,
    const struct tempfile_how *how, struct err *e)
{
	z_stream z = {0};
	struct tempfile file;
	uint8_t *out;
	bool ok;

	*result = (struct gunzipped){0};
	*map = (struct filemap){0};
	if (inflateInit2(&z, from->window) != Z_OK)
		return err_set(e, ERR_SYSTEM, "cannot decompress: out of memory");
	if (!tempfile_begin(&file, how, e)) {
		inflateEnd(&z);
		return false;
	}
	out = mem_alloc(OUT_BYTES);
	ok = inflate_all(&z, from, out, &file, result, how, e);
	mem_free(out);
	inflateEnd(&z);
	if (ok && (file.size > 0 || !result->cut))
		return tempfile_map(&file, map, e);
	tempfile_drop(&file);
	return ok;
}

bool
gunzip(const struct filemap *from, struct filemap *map, struct gunzipped *result,
    const struct tempfile_how *how, struct err *e)
{
	const struct packed packed = {from->bytes, from->size, WINDOW_GZIP};

	if (!unpack(&packed, map, result, how, e))
		return false;
	if (map->size == 0 && result->cut)
		return err_set(e, ERR_MALFORMED, "is damaged: its gzip data cannot be decompressed");
	return true;
}

bool
unzlib(const struct filemap *from, size_t offset, struct filemap *map,
    struct gunzipped *result, const struct tempfile_how *how, struct err *e)
{
	const struct packed packed = {from->bytes + offset, from->size - offset, WINDOW_ZLIB};

	return unpack(&packed, map, result, how, e) && (map->size > 0 || !result->cut);
}
