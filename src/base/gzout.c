#include <config.h>

#include "base/gzout.h"

#include <errno.h>
#include <stdbool.h>
#include <zlib.h>

#include "base/mem.h"

enum {
	WINDOW = 15 + 16, /* the largest, and gzip's frame */
	MEMORY = 8,
};

struct gzout {
	FILE *to;
	z_stream deflate;
};

/* Compresses what there is; at the end, all that zlib has. */
static bool
pack(struct gzout *g, bool end)
{
	unsigned char packed[1 << 14];
	int status;

	do {
		size_t n;

		g->deflate.next_out = packed;
		g->deflate.avail_out = sizeof(packed);
		status = deflate(&g->deflate, end ? Z_FINISH : Z_NO_FLUSH);
		n = sizeof(packed) - g->deflate.avail_out;
		errno = 0;
		if (fwrite(packed, 1, n, g->to) != n) {
			errno = errno != 0 ? errno : EIO;
			return false;
		}
	} while (g->deflate.avail_out == 0 || (end && status == Z_OK));
	return true;
}

static ssize_t
write_packed(void *cookie, const char *bytes, size_t n)
{
	struct gzout *g = cookie;

	g->deflate.next_in = (unsigned char *)bytes;
	g->deflate.avail_in = (unsigned)n;
	return pack(g, false) ? (ssize_t)n : 0;
}

static int
close_packed(void *cookie)
{
	struct gzout *g = cookie;
	bool good = pack(g, true);

	deflateEnd(&g->deflate);
	mem_free(g);
	return good ? 0 : -1;
}

FILE *
gzout_open(FILE *to)
{
	static const cookie_io_functions_t functions = {
	    .write = write_packed, .close = close_packed};
	struct gzout *g = mem_zero(1, sizeof(*g));
	FILE *file = NULL;

	g->to = to;
	if (deflateInit2(&g->deflate, Z_BEST_SPEED, Z_DEFLATED, WINDOW, MEMORY,
		Z_DEFAULT_STRATEGY) == Z_OK)
		file = fopencookie(g, "w", functions);
	if (file == NULL) {
		deflateEnd(&g->deflate);
		mem_free(g);
	}
	return file;
}
