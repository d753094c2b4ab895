// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "record/whole.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "base/str.h"

enum {
	HEADER = 32, /* of a classic trace, from SLOW on: ART runtime/trace.cc */
	HEAD_MAX = 64 << 20, /* for the key text, which has all names */
};

static uint64_t
file_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

/* Up to `most` bytes from `at` on, into memory that is released with `text`. */
static void
read_part(int fd, uint64_t at, size_t most, struct sbuf *text)
{
	char part[65536];
	ssize_t n;

	while (text->n < most && (n = pread(fd, part,
	    most - text->n < sizeof(part) ? most - text->n : sizeof(part), (off_t)(at + text->n))) > 0)
		sbuf_bytes(text, part, (size_t)n);
}

static const char *
find(struct str in, const char *what)
{
	return in.n == 0 ? NULL : memmem(in.p, in.n, what, strlen(what));
}

static bool
ends_in(int fd, uint64_t size, const char *what)
{
	struct sbuf tail = {0};
	size_t n = strlen(what);
	bool same;

	if (size >= n)
		read_part(fd, size - n, n, &tail);
	same = str_equal(sbuf_view(&tail), str_from(what));
	sbuf_release(&tail);
	return same;
}

static unsigned
u16(const char *p)
{
	return (unsigned char)p[0] | (unsigned)(unsigned char)p[1] << 8;
}

/* Key text up to "*end", the header, and as many records as the text promises. */
static enum wholeness
classic(struct str head, uint64_t size)
{
	const char *end = find(head, "\n*end\n"), *calls;
	struct str key = {head.p, end != NULL ? (size_t)(end - head.p) : 0};
	uint64_t at = key.n + 6, record, data, count = 0;
	unsigned version;

	if (end == NULL || head.n - at < HEADER || memcmp(head.p + at, "SLOW", 4) != 0)
		return NOT_WHOLE;
	version = u16(head.p + at + 4);
	record = version == 1 ? 9 : version == 2 ? 10 : u16(head.p + at + 16);
	data = at + u16(head.p + at + 6);
	if (size < data || record == 0 || (size - data) % record != 0)
		return NOT_WHOLE;
	calls = find(key, "\nnum-method-calls=");
	if (calls != NULL) {
		digits_take(calls + 18, key.p + key.n, 18, &count);
		if (count != (size - data) / record)
			return NOT_WHOLE;
	}
	if (find(key, "\ndata-file-overflow=true") != NULL)
		return WHOLE_OVERFLOW;
	return size == data ? WHOLE_EMPTY : WHOLE;
}

/* All other versions end in a summary, the last line of which is "*end". */
enum wholeness
whole_method(int fd)
{
	uint64_t size = file_size(fd);
	struct sbuf head = {0};
	enum wholeness whole = NOT_WHOLE;

	read_part(fd, 0, 4, &head);
	if (str_equal(sbuf_view(&head), STR("SLOW"))) {
		whole = ends_in(fd, size, "\n*end\n") ? WHOLE : NOT_WHOLE;
	} else {
		read_part(fd, 0, size < HEAD_MAX ? (size_t)size : HEAD_MAX, &head);
		whole = classic(sbuf_view(&head), size);
	}
	sbuf_release(&head);
	return whole;
}

/* Is there a line that is no header? */
static bool
has_record(struct str text)
{
	while (text.p != NULL) {
		struct str line = str_trim(str_cut(&text, '\n'));

		if (line.n > 0 && *line.p != '#' && !str_equal(line, STR("TRACE:")))
			return true;
	}
	return false;
}

/* Text that begins as a log does and ends with its line; or compressed by atrace. */
enum wholeness
whole_log(int fd)
{
	uint64_t size = file_size(fd);
	struct sbuf head = {0};
	enum wholeness whole = NOT_WHOLE;

	read_part(fd, 0, 65536, &head);
	if (find(sbuf_view(&head), "# tracer:") != NULL && ends_in(fd, size, "\n"))
		whole = size > head.n || has_record(sbuf_view(&head)) ? WHOLE : WHOLE_EMPTY;
	sbuf_release(&head);
	return whole;
}

/* Another sign than the content tells that it is. */
enum wholeness
whole_any(int fd)
{
	return file_size(fd) > 0 ? WHOLE : NOT_WHOLE;
}
