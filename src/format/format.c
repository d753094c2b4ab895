#include <config.h>

#include "format/format.h"

#include <string.h>

#include "base/filemap.h"
#include "format/classic.h"
#include "format/header.h"
#include "format/streaming.h"
#include "format/v2.h"

/* Without a text in front: by the version. */
static bool
data_open(struct trace *t, struct input *in, struct err *e)
{
	unsigned word = in->data.size >= 6 ? get_u16(in->data.bytes + 4) : 0;

	if (word == 0xf4 || word == 0xf5)
		return v2_open(t, in, e);
	if ((word & HEADER_STREAMING) == HEADER_STREAMING)
		return streaming_open(t, in, e);
	if (word == 4 || word == 5)
		return v2_open(t, in, e);
	return err_set(e, ERR_UNSUPPORTED, "is the data part of a trace");
}

/* What a file starts with, in the order of trying. */
static const struct probe {
	struct str magic;
	bool (*open)(struct trace *, struct input *, struct err *);
	const char *refusal; /* when `open` is NULL */
} probes[] = {
	{ STR("*version"), classic_open, NULL },
	{ STR("SLOW"), data_open, NULL },
	{ STR("\x1f\x8b"), NULL, "is compressed with gzip; decompress it first" },
	{ STR("PK\x03\x04"), NULL, "is a ZIP archive, expected a method trace" },
	{ STR("JAVA PROFILE"), NULL, "is a heap dump (hprof), expected a method trace" },
	{ STR("SIMPLEPERF"), NULL, "is a simpleperf trace; read it with simpleperf report" },
	{ STR("PERFILE2"), NULL, "is a perf recording; read it with perf or simpleperf report" },
	{ STR("\x7f"
	      "ELF"), NULL, "is a program, expected a method trace" },
};

static bool
map_open(struct trace *t, struct input *in, struct err *e)
{
	struct str head = {(const char *)in->data.bytes, in->data.size};

	if (head.n == 0)
		return err_set(e, ERR_TRUNCATED, "is empty, expected a method trace");
	for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++) {
		if (!str_starts(head, probes[i].magic))
			continue;
		if (probes[i].open == NULL)
			return err_set(e, ERR_UNSUPPORTED, "%s", probes[i].refusal);
		return probes[i].open(t, in, e);
	}
	return err_set(e, ERR_MALFORMED,
	    "is not a method trace (expected it to start with *version)");
}

static struct trace *
open_from(const char *name, struct input *in, struct err *e)
{
	struct trace *t = trace_new(name);

	if (map_open(t, in, e))
		return t;
	trace_free(t);
	input_close(in);
	return NULL;
}

struct trace *
format_open(const char *path, struct err *e)
{
	struct input in = {0};

	return filemap_open(&in.data, path, e) ? open_from(path, &in, e) : NULL;
}

struct trace *
format_open_memory(const void *bytes, size_t size, const char *name, struct err *e)
{
	struct input in = {
		.data = {.bytes = size > 0 ? bytes : NULL, .size = size, .borrowed = true},
	};

	return open_from(name, &in, e);
}
