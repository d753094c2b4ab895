#include <config.h>

#include "format/format.h"

#include <string.h>

#include "format/foreign.h"
#include "format/input.h"
#include "format/log/reader.h"
#include "format/method/classic.h"
#include "format/method/header.h"
#include "format/method/streaming.h"
#include "format/method/v2.h"

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

static bool
input_probe(struct trace *t, struct input *in, struct err *e)
{
	struct str head = {(const char *)in->data.bytes, in->data.size};

	if (head.n == 0)
		return err_set(e, ERR_TRUNCATED, "is empty, expected a method trace");
	if (str_starts(head, STR("*version")))
		return classic_open(t, in, e);
	if (str_starts(head, STR("SLOW")))
		return data_open(t, in, e);
	if (!foreign_holds_log(head) && ftrace_open(t, in, in->folder, e))
		return true;
	return foreign_refuse(head, e);
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
		return open_from(input_name(path), &in, e);
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
