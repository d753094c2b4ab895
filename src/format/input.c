// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/worker.h"
#include "format/archive.h"
#include "format/format.h"
#include "format/log/text.h"
#include "format/perfetto/perfetto.h"
#include "format/samples/samples.h"

/* Compressed data ------------------------------------------------------------------- */

enum {
	OUT_BYTES = 1 << 18,
	WINDOW_ZLIB = 15,       /* the largest window */
	WINDOW_GZIP = 15 + 16, /* and a gzip header is expected */
};

/* Compressed: gzip (RFC 1952), of one member or several, or a zlib stream (RFC 1950). */
static bool
gunzip_is(const uint8_t *p, size_t n)
{
	return n >= 2 && p[0] == 0x1f && p[1] == 0x8b;
}

/* Begins the next member at the end of one; false if none follows. */
static bool
member_next(z_stream *z, size_t *left, struct gunzipped *result)
{
	size_t rest = z->avail_in + *left;
	const uint8_t *p = z->next_in;

	if (gunzip_is(p, rest))
		return inflateReset(z) == Z_OK;
	/* Padding to a block of a tape is zeros. */
	while (rest > 0 && *p == 0) {
		p++;
		rest--;
	}
	result->stray = rest;
	return false;
}

/* Data to be decompressed. */
struct packed {
	const uint8_t *bytes;
	size_t size;
	int window;
	size_t before; /* bytes that were decompressed into the same file already */
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

		if (is_cancelled(how->cancel))
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
		if (!within_limit(from->before + from->size - left - z->avail_in, file->size, how,
			e))
			return false;
		if (status == Z_STREAM_END) {
			if (from->window != WINDOW_GZIP || !member_next(z, &left, result))
				return true;
		} else if (status == Z_MEM_ERROR) {
			return err_because(e, ENOMEM, "cannot decompress: out of memory");
		} else if (status != Z_OK) { /* data that are wrong, or no more of them */
			result->cut = true;
			return true;
		}
	}
}

/* An empty map, with `cut`, when nothing could be decompressed. */
static bool
unpack(const struct packed *from, struct filemap *map, struct gunzipped *result,
    const struct tempfile_how *how, struct err *e)
{
	z_stream z = {0};
	struct tempfile file;
	uint8_t *out;
	bool ok;

	*map = (struct filemap){0};
	if (inflateInit2(&z, from->window) != Z_OK)
		return err_because(e, ENOMEM, "cannot decompress: out of memory");
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

/* Packets of Perfetto's that hold compressed packets -------------------------------- */

static const struct archive_what in_zstd = {"zstd", false};

/* The next such packet that can be unpacked: where it begins, and what is compressed. */
static bool
compressed_find(const struct filemap *map, struct wire *file, const uint8_t **at,
    struct wire *data, bool *zstd)
{
	size_t passed = (size_t)(file->p - map->bytes);
	struct wire_field packet, f;

	for (*at = file->p; wire_next(file, &packet); *at = file->p) {
		struct wire content = wire_message(&packet);
		bool known;

		filemap_passed(map, &passed, (size_t)(*at - map->bytes));
		/* Such a packet has no other data. */
		do
			known = wire_next(&content, &f);
		while (known && f.type != WIRE_BYTES);
		*zstd = known && f.number == PACKET_ZSTD;
		if (known && (f.number == PACKET_ZLIB || (*zstd && archive_library() != NULL))) {
			*data = f.bytes;
			return true;
		}
	}
	return false;
}

static bool
packet_inflate(z_stream *z, const struct packed *packed, uint8_t *out, struct tempfile *file,
    struct gunzipped *result, const struct tempfile_how *how, struct err *e)
{
	*z = (z_stream){.state = z->state, .zalloc = z->zalloc, .zfree = z->zfree};
	return inflateReset(z) == Z_OK && inflate_all(z, packed, out, file, result, how, e);
}

static bool
packet_unzstd(const struct packed *packed, struct tempfile *file, struct gunzipped *result,
    const struct tempfile_how *how, struct err *e)
{
	struct archive_job j = {.packed = {(const char *)packed->bytes, packed->size}, .what = &in_zstd,
	    .before = packed->before, .within = within_limit, .how = how};
	bool good = archive_unpack(&j, file, e);

	result->cut |= j.cut;
	return good;
}

/* Copies a trace; what is in compressed packets takes their places. */
static bool
packets_copy(z_stream *z, const struct filemap *map, struct tempfile *file, uint8_t *out,
    struct gunzipped *result, const struct tempfile_how *how, struct err *e)
{
	const struct wire trace = {map->bytes, map->bytes + map->size};
	struct wire rest = trace, data;
	const uint8_t *from = trace.p, *at;
	bool zstd;

	while (compressed_find(map, &rest, &at, &data, &zstd)) {
		struct packed packed = {data.p, (size_t)(data.end - data.p), WINDOW_ZLIB,
		    (size_t)(data.p - trace.p)};

		if (!tempfile_write(file, from, (size_t)(at - from), e) ||
		    !(zstd ? packet_unzstd(&packed, file, result, how, e)
			   : packet_inflate(z, &packed, out, file, result, how, e)))
			return false;
		from = rest.p;
	}
	return tempfile_write(file, from, (size_t)(trace.end - from), e);
}

bool
input_take(struct input *in, struct tempfile *file, bool good, struct err *e)
{
	struct filemap plain;

	if (!good)
		tempfile_drop(file);
	if (!good || !tempfile_map(file, &plain, e))
		return false;
	filemap_close(&in->data);
	in->data = plain;
	return true;
}

bool
input_unpack(struct input *in, const struct tempfile_how *how, struct err *e)
{
	struct wire rest = {in->data.bytes, in->data.bytes + in->data.size}, data;
	struct tempfile file;
	z_stream z = {0};
	const uint8_t *at;
	uint8_t *out;
	bool ok, zstd;

	in->packed = false;
	in->unpacked = true;
	if (!compressed_find(&in->data, &rest, &at, &data, &zstd))
		return true;
	if (inflateInit2(&z, WINDOW_ZLIB) != Z_OK)
		return err_because(e, ENOMEM, "cannot decompress: out of memory");
	ok = tempfile_begin(&file, how, e);
	if (ok) {
		out = mem_alloc(OUT_BYTES);
		ok = packets_copy(&z, &in->data, &file, out, &in->gzip, how, e);
		mem_free(out);
		ok = input_take(in, &file, ok, e);
	}
	inflateEnd(&z);
	if (ok)
		in->compressed = zstd ? "zstd, in packets" : "zlib, in packets";
	return ok;
}

/* Opening --------------------------------------------------------------------------- */

enum {
	HEAD_BYTES = 1 << 18,
	LEVELS_MAX = 3, /* compressed data within compressed data */
};

/* Can this become a trace, compressed or not?  What cannot is not worth its space. */
static bool
head_promises(struct str head)
{
	static const struct str starts[] = {STR("*version"), STR("SLOW"), STR("\x1f\x8b")};
	struct archive_what what;

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (str_starts(head, starts[i]))
			return true;
	}
	return logtext_promises(head) || perfetto_is(head) || pprof_is(head) || simpleperf_is(head) ||
	    archive_find(head, &what);
}

/* Keeps a pipe's data; of what cannot be a trace only the beginning: enough to say what it is. */
static bool
pipe_keep(struct filemap *map, int fd, const struct tempfile_how *how, struct err *e)
{
	struct tempfile file;
	char *head;
	bool ok;

	if (!tempfile_begin(&file, how, e))
		return false;
	head = mem_alloc(HEAD_BYTES);
	ok = tempfile_copy(&file, fd, HEAD_BYTES, e);
	if (ok && head_promises((struct str){head, tempfile_head(&file, head, HEAD_BYTES)}))
		ok = tempfile_copy(&file, fd, UINT64_MAX, e);
	mem_free(head);
	if (ok)
		return tempfile_map(&file, map, e);
	tempfile_drop(&file);
	return false;
}

/* Maps a file; what cannot be mapped, but read to an end, is kept first. */
static bool
fd_open(struct filemap *map, int fd, const struct tempfile_how *how, struct err *e)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	if (fstat(fd, &st) != 0 || !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		return filemap_open_fd(map, fd, false, e);
	/* Wait for a slow writer at the pipe's other end. */
	if (flags >= 0 && (flags & O_NONBLOCK) != 0)
		(void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	return pipe_keep(map, fd, how, e);
}

static bool
stdin_open(struct filemap *map, const struct tempfile_how *how, struct err *e)
{
	if (isatty(STDIN_FILENO))
		return err_set(e, ERR_UNSUPPORTED,
		    "standard input is a terminal, expected a trace from a file or a pipe");
	return fd_open(map, STDIN_FILENO, how, e);
}

/* False with ERR_NONE when there is no such file. */
static bool
file_open(struct input *in, const char *path, const struct tempfile_how *how, struct err *e)
{
	/* Non-blocking, or opening a device could wait for ever. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	bool ok;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return false;
	if (fd < 0)
		return err_system(e, "cannot open");
	filemark_take(&in->file, fd, path);
	ok = fd_open(&in->data, fd, how, e);
	close(fd);
	return ok;
}

static bool
ends_with(struct str s, const char *suffix)
{
	return s.n > strlen(suffix) && str_ends(s, str_from(suffix));
}

static void
sibling_close(struct filemap *map, struct filemark *mark)
{
	filemap_close(map);
	filemark_release(mark);
}

/* The file STEM SUFFIX, if it is one with something in it. */
static bool
sibling_open(struct filemap *map, struct filemark *mark, struct str stem, const char *suffix)
{
	struct sbuf name = {0};
	struct err e = {.kind = ERR_NONE};
	bool there;

	sbuf_str(&name, stem);
	sbuf_text(&name, suffix);
	there = filemap_open(map, sbuf_cstr(&name), &e) && map->size > 0;
	if (there)
		filemark_take(mark, map->file - 1, sbuf_cstr(&name));
	else
		filemap_close(map);
	sbuf_release(&name);
	return there;
}

static bool
starts(const struct filemap *map, const char *text)
{
	return str_starts((struct str){(const char *)map->bytes, map->size}, str_from(text));
}

/* Old tools wrote calc.key and calc.data; Android 6 and 7 x.trace and x.trace.sec. */
static void
key_find(struct input *in, struct str path)
{
	static const char *const keys[] = { ".sec", ".key" };
	static const char *const suffixes[] = { "", ".gz", ".trace.gz", ".data.gz", ".trace",
		".data" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		struct str stem = {path.p, path.n - strlen(suffixes[i])};

		if (i > 0 && !ends_with(path, suffixes[i]))
			continue;
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
			if (!sibling_open(&in->key, &in->beside, stem, keys[k]))
				continue;
			if (starts(&in->key, "*version"))
				return;
			sibling_close(&in->key, &in->beside);
		}
	}
}

/* The text part was named: the data are beside it. */
static void
data_find(struct input *in, struct str path)
{
	static const struct {
		const char *key, *data;
	} pairs[] = { { ".sec", "" }, { ".key", ".data" }, { ".key", ".trace" } };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct filemap data;

		if (!ends_with(path, pairs[i].key) ||
		    !sibling_open(&data, &in->beside,
			(struct str){path.p, path.n - strlen(pairs[i].key)}, pairs[i].data))
			continue;
		if (starts(&data, "SLOW")) {
			in->key = in->data;
			in->data = data;
			return;
		}
		sibling_close(&data, &in->beside);
	}
}

/* Puts what is in an archive in its place.  False with no error: it is none. */
static bool
archive_once(struct input *in, const struct tempfile_how *how, struct err *e)
{
	struct archive_what what;
	struct archive_job j = {.packed = {(const char *)in->data.bytes, in->data.size}, .what = &what,
	    .member = in->member, .promises = format_knows, .within = within_limit, .how = how};
	struct tempfile file;
	bool good;

	if (!archive_find(j.packed, &what) || !tempfile_begin(&file, how, e))
		return false;
	good = archive_unpack(&j, &file, e);
	if (good && file.size == 0 && j.cut)
		good = err_set(e, ERR_MALFORMED, "is damaged: its %s data cannot be decompressed", what.name);
	good = input_take(in, &file, good, e);
	if (good) {
		in->gzip.cut |= j.cut;
		in->compressed = what.name;
		if (what.members) {
			mem_free(in->chosen);
			in->chosen = mem_dup(sbuf_cstr(&j.chosen), j.chosen.n + 1, 1);
			in->member = NULL;
		}
	}
	sbuf_release(&j.chosen);
	return good;
}

/* Puts the decompressed data in the file's place.  False with no error: it is not compressed. */
static bool
inflate_once(struct input *in, const struct tempfile_how *how, struct err *e)
{
	struct packed packed = {in->data.bytes, in->data.size, WINDOW_GZIP, 0};
	struct gunzipped result = {0};
	struct filemap plain;
	size_t begin;

	if (!gunzip_is(packed.bytes, packed.size)) {
		if (!logtext_is_zlib((struct str){(const char *)packed.bytes, packed.size}, &begin))
			return false;
		packed = (struct packed){packed.bytes + begin, packed.size - begin, WINDOW_ZLIB,
		    0};
	}
	if (!unpack(&packed, &plain, &result, how, e))
		return false;
	if (plain.size == 0 && result.cut)
		return packed.window == WINDOW_GZIP &&
		    err_set(e, ERR_MALFORMED,
			"is damaged: its gzip data cannot be decompressed");
	result.cut |= in->gzip.cut;
	in->gzip = result;
	filemap_close(&in->data);
	in->data = plain;
	in->compressed = packed.window == WINDOW_GZIP ? "gzip" : "zlib";
	return true;
}

bool
input_inflate(struct input *in, const struct tempfile_how *how, struct err *e)
{
	for (int level = 0; level < LEVELS_MAX; level++) {
		if (inflate_once(in, how, e) || (e->kind == ERR_NONE && archive_once(in, how, e)))
			continue;
		if (e->kind != ERR_NONE)
			return false;
		break;
	}
	if (in->member != NULL)
		return err_set(e, ERR_UNSUPPORTED, "is no archive that slowtop reads");
	return true;
}

/* ARCHIVE/MEMBER: what is before a slash is a file.  False with ERR_NONE: there is no such. */
static bool
member_open(struct input *in, const char *path, struct sbuf *name, const struct tempfile_how *how,
    struct err *e)
{
	for (const char *slash = strrchr(path, '/'); slash > path; slash--) {
		struct stat st;

		if (*slash != '/')
			continue;
		sbuf_clear(name);
		sbuf_str(name, (struct str){path, (size_t)(slash - path)});
		if (stat(sbuf_cstr(name), &st) != 0)
			continue;
		in->member = slash + 1;
		return S_ISREG(st.st_mode) && file_open(in, sbuf_cstr(name), how, e);
	}
	return false;
}

bool
input_folder_file(const char *path, struct sbuf *name)
{
	char begin[7];
	struct stat st;
	bool is;
	int fd;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return false;
	sbuf_clear(name);
	sbuf_printf(name, "%s/info", path);
	if (stat(sbuf_cstr(name), &st) != 0 || !S_ISREG(st.st_mode) ||
	    (fd = open(sbuf_cstr(name), O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	is = read(fd, begin, sizeof(begin)) == sizeof(begin) &&
	    memcmp(begin, "Ftrace!", sizeof(begin)) == 0;
	(void)close(fd);
	return is;
}

static bool
path_open(struct input *in, const char *path, struct sbuf *name, const struct tempfile_how *how,
    struct err *e)
{
	static const char *const suffixes[] = { "", ".trace", ".data", ".trace.gz" };

	if (input_folder_file(path, name))
		return file_open(in, sbuf_cstr(name), how, e) && uftrace_unpack(path, in, how, e);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		sbuf_clear(name);
		sbuf_text(name, path);
		sbuf_text(name, suffixes[i]);
		if (file_open(in, sbuf_cstr(name), how, e))
			return true;
		if (e->kind != ERR_NONE)
			return false;
	}
	if (member_open(in, path, name, how, e))
		return true;
	errno = ENOENT;
	return e->kind != ERR_NONE ? false : err_system(e, "cannot open");
}

/* Opens the followed file: the descriptor counts, the path is its name. */
static bool
from_open(struct input *in, const char *path, const struct tempfile_how *how, struct err *e)
{
	struct stat st;

	if (!filemap_open_fd(&in->data, how->from - 1, true, e))
		return false;
	/* Data from a pipe have no name. */
	if (fstat(how->from - 1, &st) == 0 && st.st_nlink > 0)
		filemark_take(&in->file, how->from - 1, path);
	in->file.grows = true;
	in->grows = !how->ended;
	return true;
}

const char *
input_name(const char *path)
{
	return path != NULL && strcmp(path, INPUT_STDIN) == 0 ? "(standard input)" : path;
}

bool
input_open(struct input *in, const char *path, const struct tempfile_how *how, struct err *e)
{
	struct sbuf name = {0};
	bool ok;

	*in = (struct input){.folder = how->folder, .sample_type = how->sample_type,
	    .detail = how->detail};
	if (how->from == 0 && strcmp(path, INPUT_STDIN) == 0)
		return stdin_open(&in->data, how, e) && input_inflate(in, how, e);
	if (how->from > 0) {
		sbuf_text(&name, path);
		ok = from_open(in, path, how, e);
	} else {
		ok = path_open(in, path, &name, how, e);
	}
	ok = ok && input_inflate(in, how, e);
	if (ok && starts(&in->data, "SLOW"))
		key_find(in, sbuf_view(&name));
	else if (ok && starts(&in->data, "*version"))
		data_find(in, sbuf_view(&name));
	sbuf_release(&name);
	return ok;
}

void
input_close(struct input *in)
{
	filemap_close(&in->data);
	filemap_close(&in->key);
	filemark_release(&in->file);
	filemark_release(&in->beside);
	mem_free(in->chosen);
	in->chosen = NULL;
}
