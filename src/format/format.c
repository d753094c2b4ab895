// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/format.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/archive.h"
#include "format/input.h"
#include "format/json/forms.h"
#include "format/log/reader.h"
#include "format/log/text.h"
#include "format/method/method.h"
#include "format/perfetto/perfetto.h"
#include "format/samples/samples.h"

/* Files that are no traces --------------------------------------------------------- */

/*
 * The kinds of files that lie beside traces on a server, by their first bytes, and what makes one
 * readable.  Names of files do not matter.  All others are told to be none that is read.
 */

static bool
is_json(struct str file)
{
	struct str s = logtext_start(file);
	char first = s.n > 0 ? *s.p : 0;

	if (first != '{' && first != '[')
		return false;
	s = logtext_start((struct str){s.p + 1, s.n - 1});
	/* A log may begin with a bracket, too, in the name of a thread. */
	return s.n == 0 || *s.p == '"' || *s.p == '{' ||
	       *s.p == (first == '{' ? '}' : ']');
}

static bool
is_tar(struct str file)
{
	return file.n > 262 && memcmp(file.p + 257, "ustar", 5) == 0;
}

/* Room that was made for a file and never written. */
static bool
is_zeros(struct str file)
{
	struct str head = str_head(file, 512);

	for (size_t i = 0; i < head.n; i++)
		if (head.p[i] != 0)
			return false;
	return true;
}

/* CPU profiles of gperftools: words of 32 or 64 bits, 0, 3, 0 or 1, a period, 0; and pprof's texts. */
static bool
is_pprof_legacy(struct str file)
{
	static const struct str begins[] = {STR("heap profile: "), STR("heap_v2/"), STR("heapz "),
	    STR("--- contention"), STR("--- heapz"), STR("--- growthz"), STR("--- mutex"),
	    STR("--- threadz"), STR("goroutine profile: "), STR("threadcreate profile: ")};
	const uint8_t *p = (const uint8_t *)file.p;

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		if (str_starts(file, begins[i]))
			return true;
	}
	if (file.n >= 20 && get_u32(p) == 0 && get_u32(p + 4) == 3)
		return get_u32(p + 8) <= 1 && get_u32(p + 16) == 0;
	return file.n >= 40 && get_u64(p) == 0 && get_u64(p + 8) == 3 && get_u64(p + 16) <= 1 &&
	    get_u64(p + 32) == 0;
}

static const struct foreign {
	struct str begins; /* with these bytes, or after a byte order mark and blanks; or: */
	bool (*recognise)(struct str file);
	const char *name, *advice;
} kinds[] = {
#define BYTES(text) STR(text), NULL
#define FUNCTION(name) {NULL, 0}, name
    {BYTES("PK\x03\x04"), "a ZIP archive", "extract the trace first (unzip)"},
    {FUNCTION(is_tar), "a tar archive", "extract the trace first (tar xf)"},
    {BYTES("\x28\xb5\x2f\xfd"), "compressed with zstd",
	"decompress it first (zstd -dc FILE | slowtop)"},
    {BYTES("\xfd" "7zXZ"), "compressed with xz", "decompress it first (xz -dc FILE | slowtop)"},
    {BYTES("BZh"), "compressed with bzip2", "decompress it first (bzip2 -dc FILE | slowtop)"},
    {BYTES("SIMPLEPERF"), "a simpleperf report of a version that is not known here",
	"simpleperf report-sample --protobuf writes version 1"},
    {FUNCTION(is_pprof_legacy), "a profile in pprof's old form",
	"pprof -proto FILE writes one that slowtop reads"},
    {FUNCTION(pprof_is), "a pprof profile that ends before its names", "nothing of it can be shown"},
    {BYTES("PERFILE2"), "a recording of perf or simpleperf (perf.data)",
	"read it with simpleperf report or perf report"},
    {BYTES("\x49\xdf"), "HiTrace's raw form",
	"open it in SmartPerf Host; hitrace --text records what slowtop reads"},
    {BYTES("\x17\x08" "Dtracing"), "a recording of trace-cmd (trace.dat)",
	"trace-cmd report -i FILE | slowtop shows it"},
    {BYTES("go 1."), "a trace of Go's runtime", "go tool trace shows it"},
    {BYTES("Ftrace!"), "a recording of uftrace",
	"open its folder, or uftrace dump -d FOLDER | slowtop shows it"},
    {BYTES("version https://git-lfs"), "a pointer of Git LFS, not the file itself",
	"git lfs pull fetches that"},
    {BYTES("packet"), "a Perfetto trace as text",
	"open the binary trace, or make one of the text with traceconv binary"},
    {FUNCTION(is_json), "JSON, but no trace that slowtop knows",
	"it opens events of Chrome's format"},
    {FUNCTION(logtext_is_text),
	"not a method trace, but text without a record of HiTrace or ftrace",
	"hitrace --text, atrace and systrace record what slowtop reads"},
    {BYTES(""), "not a method trace (expected *version or SLOW at its start), nor a text log",
	"the command file may know it"},
#undef BYTES
#undef FUNCTION
};

/* Is it of a kind that must be known before logs are looked for?  They may hold one. */
static bool
foreign_holds_log(struct str file)
{
	return is_json(file) || is_tar(file);
}

/* Always false, with a line that says what the file is, and what opens it. */
static bool
foreign_refuse(struct str file, struct err *e)
{
	if (is_zeros(file))
		return err_set(e, ERR_TRUNCATED,
		    "has only zero bytes at its start; a recorder that was killed leaves "
		    "such files");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct foreign *k = &kinds[i];

		if (k->recognise != NULL ? k->recognise(file)
			: str_starts(file, k->begins) || str_starts(logtext_start(file), k->begins))
			return err_set(e, ERR_UNSUPPORTED, "is %s; %s", k->name, k->advice);
	}
	return false;
}

/* Traces -------------------------------------------------------------------------- */

typedef bool (*open_function)(struct trace *, struct input *, struct err *);

/* Readers of files that begin with the letters SLOW, by the version word. */
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

/*
 * Readers of Protocol Buffers and JSON.  What pprof writes of heaps may begin as a Perfetto trace
 * does.
 */
static const open_function forms[] = {htrace_open, page_open, utf16_open, simpleperf_open, pprof_open,
    perfetto_open, json_open};

/* Readers of text that has no mark of its own, the surest first. */
static const open_function texts[] = {callgrind_open, uftrace_open, spreport_open, perf_open,
    funcgraph_open, functracer_open, ftrace_open, bpftrace_open, folded_open};

static bool
input_probe(struct trace *t, struct input *in, struct err *e)
{
	struct str head = {(const char *)in->data.bytes, in->data.size};
	struct err why = {0};

	if (head.n == 0)
		return err_set(e, ERR_TRUNCATED, "is empty, expected a method trace");
	if (str_starts(head, STR("*version")))
		return classic_open(t, in, e);
	if (str_starts(head, STR("SLOW")))
		return data_open(t, in, e);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (forms[i](t, in, e))
			return true;
		if (e->kind != ERR_NONE)
			return false;
	}
	/* Data that were found within the file may have taken its place. */
	head = (struct str){(const char *)in->data.bytes, in->data.size};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (why.kind == ERR_NONE && !foreign_holds_log(head) && texts[i](t, in, &why))
			return true;
	}
	if (why.kind != ERR_NONE)
		return err_set(e, why.kind, "%s", why.what);
	return foreign_refuse(head, e);
}

bool
format_knows(struct str head)
{
	struct input in = {.data = {.bytes = (const uint8_t *)head.p, .size = head.n, .borrowed = true}};
	struct err e = {.kind = ERR_NONE};
	struct archive_what what;
	struct trace *t;
	bool known;

	if (str_starts(head, STR("\x1f\x8b")) || (archive_find(head, &what) && !what.members))
		return true;
	t = trace_new("");
	known = input_probe(t, &in, &e) || e.kind == ERR_TRUNCATED || in.packed;
	trace_free(t);
	if (!known)
		input_close(&in);
	return known;
}

/* Notes the faults of the compressed form of an opened trace. */
static void
gzip_told(struct trace *t, const struct gunzipped *gzip, uint64_t size)
{
	if (gzip->cut) {
		trace_note(t, "the compressed data end too early or are damaged; "
			      "what came before is shown");
		if (t->damage.kind[DAMAGE_TRUNCATED_FILE].count == 0)
			damage_add(&t->damage, DAMAGE_TRUNCATED_FILE, 1, size);
	}
	if (gzip->stray > 0)
		trace_note(t, "bytes after the compressed data were ignored");
}

static struct trace *
open_from(const char *name, struct input *in, const struct tempfile_how *how, struct err *e)
{
	struct trace *t = trace_new(name);
	uint64_t size = in->data.size;
	char *chosen = in->chosen;

	t->compressed = in->compressed;
	t->files[0] = in->file;
	t->files[1] = in->beside;
	in->file = in->beside = (struct filemark){0};
	in->chosen = NULL;
	if (chosen != NULL)
		trace_property_add(t, STR("file in the archive"), arena_str(&t->arena, str_from(chosen)));
	if (input_probe(t, in, e)) {
		gzip_told(t, &in->gzip, size);
		mem_free(chosen);
		return t;
	}
	in->chosen = chosen;
	in->file = t->files[0];
	in->beside = t->files[1];
	t->files[0] = t->files[1] = (struct filemark){0};
	trace_free(t);
	if (in->packed) {
		*e = (struct err){.kind = ERR_NONE};
		if (input_unpack(in, how, e))
			return open_from(name, in, how, e);
	}
	input_close(in);
	return NULL;
}

struct trace *
format_open(const char *path, const struct tempfile_how *how, struct err *e)
{
	struct input in = {0};
	struct trace *trace;

	if (!input_open(&in, path, how, e)) {
		input_close(&in);
		return NULL;
	}
	trace = open_from(input_name(path), &in, how, e);
	if (trace != NULL && strcmp(path, INPUT_STDIN) != 0)
		trace_recorded_read(trace);
	return trace;
}

struct trace *
format_open_memory(const void *bytes, size_t size, const char *name, struct err *e)
{
	struct input in = {
		.data = {.bytes = size > 0 ? bytes : NULL, .size = size, .borrowed = true},
	};

	static const struct tempfile_how how = {.folder = NULL};

	return input_inflate(&in, &how, e) ? open_from(name, &in, &how, e) : NULL;
}
