#include <config.h>

#include "format/format.h"

#include <string.h>

#include "format/classic.h"
#include "format/ftrace.h"
#include "format/header.h"
#include "format/input.h"
#include "format/logtext.h"
#include "format/lowoverhead.h"
#include "format/streaming.h"
#include "format/v2.h"

typedef bool (*open_function)(struct trace *, struct input *, struct err *);

/* Behind the letters SLOW, by the version word. */
static const struct {
	unsigned word;
	open_function open;
	const char *refusal; /* when `open` is NULL */
} versions[] = {
	{ 1, classic_open, NULL },
	{ 2, classic_open, NULL },
	{ 3, classic_open, NULL },
	{ 4, v2_open, NULL },
	{ 5, v2_open, NULL },
	{ 0xf1, NULL, "is a streaming trace of version 1, which no Android writes" },
	{ 0xf2, streaming_open, NULL },
	{ 0xf3, streaming_open, NULL },
	{ 0xf4, v2_open, NULL },
	{ 0xf5, v2_open, NULL },
	{ 0xf6, NULL,
	    "holds the long-running methods of a Perfetto trace; "
	    "open the Perfetto trace at ui.perfetto.dev" },
};

static bool
data_open(struct trace *t, struct input *in, struct err *e)
{
	unsigned word;

	if (in->data.size < 6)
		return err_at(e, ERR_TRUNCATED, in->data.size, "the file ends inside the data header");
	word = get_u16(in->data.bytes + 4);
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		if (versions[i].word != word)
			continue;
		if (versions[i].open == NULL)
			return err_set(e, ERR_UNSUPPORTED, "%s", versions[i].refusal);
		if (versions[i].open == classic_open && in->key.size == 0)
			return err_set(e, ERR_UNSUPPORTED,
			    "is the data part of a trace; its text part (FILE.key) must stand "
			    "beside it");
		return versions[i].open(t, in, e);
	}
	if (header_text_converted(in->data.bytes, in->data.size))
		return header_text_refuse(0, e);
	return err_at(e, ERR_UNSUPPORTED, 4,
	    "data version %u is not known (expected 1 to 5, or a streaming version)", word);
}

/* What a file starts with, in the order of trying. */
static const struct probe {
	struct str magic;
	open_function open;
	const char *refusal; /* when `open` is NULL */
} probes[] = {
	{ STR("*version"), classic_open, NULL },
	{ STR("SLOW"), data_open, NULL },
	{ STR("PK\x03\x04"), NULL,
	    "is a ZIP archive, expected a method trace; extract the trace first" },
	{ STR("JAVA PROFILE"), NULL,
	    "is a heap dump (hprof), expected a method trace; open it in Android Studio or "
	    "Eclipse MAT" },
	{ STR("SIMPLEPERF"), NULL, "is a simpleperf trace; read it with simpleperf report" },
	{ STR("PERFILE2"), NULL,
	    "is a perf or simpleperf recording; read it with simpleperf report or perf report" },
	{ STR("\x28\xb5\x2f\xfd"), NULL, "is compressed with zstd; decompress it first" },
	{ STR("\xfd" "7zXZ"), NULL, "is compressed with xz; decompress it first" },
	{ STR("BZh"), NULL, "is compressed with bzip2; decompress it first" },
	{ STR("\x7f" "ELF"), NULL, "is a program, expected a method trace" },
	{ STR("OHOSPROF"), NULL, "is a binary trace (htrace); record with hitrace --text" },
	{ STR("\x49\xdf"), NULL, "is a binary trace (HiTrace's raw form); record with hitrace --text" },
};

/* A Perfetto trace is a sequence of packets, field 1 of a protocol buffer. */
static bool
is_perfetto(const uint8_t *p, size_t n)
{
	int packets = 0;

	while (n > 2 && p[0] == 0x0a && packets < 3) {
		uint64_t size = 0;
		size_t head = 1;
		int shift = 0;

		for (; head < n && head < 6; shift += 7) {
			size |= (uint64_t)(p[head] & 0x7f) << shift;
			if ((p[head++] & 0x80) == 0)
				break;
		}
		if (size == 0 || size > n - head || (p[head] & 7) > 5)
			return false;
		p += head + size;
		n -= head + size;
		packets++;
	}
	return packets == 3 || (packets > 0 && n == 0);
}

/* Room that was made for a file and never written. */
static bool
is_blank(const uint8_t *p, size_t n)
{
	size_t most = n < 512 ? n : 512;

	for (size_t i = 0; i < most; i++)
		if (p[i] != 0)
			return false;
	return true;
}

static bool
input_refuse(const struct str head, struct err *e)
{
	const uint8_t *p = (const uint8_t *)head.p;

	if (lowoverhead_is(p, head.n))
		return err_set(e, ERR_UNSUPPORTED,
		    "is a low-overhead dump of method entries, which has no times of its own; "
		    "record a method trace (am profile start)");
	if (is_perfetto(p, head.n))
		return err_set(e, ERR_UNSUPPORTED, "is a Perfetto trace; open it at ui.perfetto.dev "
						   "or with trace_processor");
	if (is_blank(p, head.n))
		return err_set(e, ERR_TRUNCATED,
		    "has only zero bytes at its start; a recorder that was killed leaves such files");
	if (!logtext_is_text(head))
		return err_set(e, ERR_UNSUPPORTED,
		    "is not a method trace (expected *version or SLOW at its start); if it is "
		    "HiTrace's binary form, record with hitrace --text");
	return err_set(e, ERR_MALFORMED,
	    "is not a method trace (expected *version or SLOW at its start), nor a text log of HiTrace "
	    "or ftrace");
}

static bool
input_probe(struct trace *t, struct input *in, struct err *e)
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
	if (ftrace_open(t, in, in->folder, e))
		return true;
	return input_refuse(head, e);
}

/* What was wrong with the compressed form of an opened trace. */
static void
gzip_told(struct trace *t, const struct gunzipped *gzip, uint64_t size)
{
	if (gzip->cut) {
		trace_note(t, "the gzip data end too early or are damaged; "
			      "what came before is shown");
		if (t->damage.kind[DAMAGE_TRUNCATED_FILE].count == 0)
			damage_add(&t->damage, DAMAGE_TRUNCATED_FILE, 1, size);
	}
	if (gzip->stray > 0)
		trace_note(t, "bytes behind the gzip data were ignored");
}

static struct trace *
open_from(const char *name, struct input *in, struct err *e)
{
	struct trace *t = trace_new(name);
	uint64_t size = in->data.size;

	t->compressed = in->compressed;
	t->files[0] = in->file;
	t->files[1] = in->beside;
	in->file = in->beside = (struct filemark){0};
	if (input_probe(t, in, e)) {
		gzip_told(t, &in->gzip, size);
		return t;
	}
	trace_free(t);
	input_close(in);
	return NULL;
}

struct trace *
format_open(const char *path, const struct tempfile_how *how, struct err *e)
{
	struct input in = {0};

	if (input_open(&in, path, how, e))
		return open_from(path, &in, e);
	input_close(&in);
	return NULL;
}

struct trace *
format_open_memory(const void *bytes, size_t size, const char *name, struct err *e)
{
	struct input in = {
		.data = {.bytes = size > 0 ? bytes : NULL, .size = size, .borrowed = true},
	};

	static const struct tempfile_how how = {.folder = NULL};

	return input_inflate(&in, &how, e) ? open_from(name, &in, e) : NULL;
}
