// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/format.h"

#include <string.h>

#include "base/bytes.h"
#include "base/compat.h"
#include "format/input.h"
#include "format/log/reader.h"
#include "format/log/text.h"
#include "format/method/method.h"
#include "format/perfetto/perfetto.h"

/* Files that are no traces --------------------------------------------------------- */

/*
 * What a file is that slowtop does not read, and what does.  One table of kinds, tried in
 * order: most by their first bytes, profiles of other tools by their shape.  Names of files
 * do not matter.
 */

enum {
	HEAD_BYTES = 1 << 16,  /* where the shape of a file shows */
	JSON_BYTES = 16 << 20, /* keys may come after large values */
	HEAD_LINES = 20,
};

static bool
holds(struct str s, struct str word)
{
	return s.n >= word.n && memmem(s.p, s.n, word.p, word.n) != NULL;
}

static bool
head_holds(struct str file, struct str word)
{
	return holds(str_head(file, HEAD_BYTES), word);
}

/* JSON --------------------------------------------------------------------------- */

/* The string that begins at `*at`, which moves past it. */
static struct str
json_string(const char **at, const char *end)
{
	const char *from = ++*at, *p = from;

	while (p < end && *p != '"')
		p += *p == '\\' ? 2 : 1;
	if (p > end)
		p = end;
	*at = p < end ? p + 1 : end;
	return (struct str){from, (size_t)(p - from)};
}

/*
 * Has the outermost object this key, or in an array its first object?  In malformed or
 * incomplete JSON only keys before the fault count.
 */
static bool
json_has(struct str file, struct str key)
{
	struct str s = str_head(logtext_start(file), JSON_BYTES);
	const char *p = s.p, *end = s.p + s.n;
	int depth = 0, level;

	if (s.n == 0 || (*p != '{' && *p != '['))
		return false;
	level = *p == '[' ? 2 : 1;
	while (p < end) {
		if (*p == '"') {
			struct str word = json_string(&p, end);

			if (depth != level || !str_equal(word, key))
				continue;
			word = logtext_start((struct str){p, (size_t)(end - p)});
			if (word.n > 0 && *word.p == ':')
				return true;
			continue;
		}
		if (*p == '{' || *p == '[')
			depth++;
		else if ((*p == '}' || *p == ']') && --depth < level)
			return false;
		p++;
	}
	return false;
}

/* All of these words? */
static bool
json_has_all(struct str file, struct str keys)
{
	struct str key;

	while ((key = str_word(&keys)).n > 0)
		if (!json_has(file, key))
			return false;
	return true;
}

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
is_heapprofile(struct str file)
{
	return json_has(file, STR("head")) && head_holds(file, STR("\"selfSize\""));
}

/* Protocol buffers ---------------------------------------------------------------- */

/* A field of a message: its number and wire type.  The rest of the message moves past it. */
static bool
field_take(struct str *s, unsigned *number, unsigned *type)
{
	const uint8_t *p = (const uint8_t *)s->p, *end = p + s->n;
	uint64_t key, value;

	if (!leb_unsigned(&p, end, &key) || ((key & 7) != 0 && (key & 7) != 2) ||
	    !leb_unsigned(&p, end, &value))
		return false;
	*number = key >> 3 < 64 ? (unsigned)(key >> 3) : 64;
	*type = (unsigned)(key & 7);
	if (*type == 0)
		value = 0;
	*s = value > (uint64_t)(end - p) ? (struct str){NULL, 0}
					 : (struct str){(const char *)p + value,
					       (size_t)(end - p) - (size_t)value};
	return true;
}

/*
 * profile.proto: value types, samples, names and so on are messages, the rest are
 * numbers. A pipe's profile may be longer than what was kept of it.
 */
static bool
is_pprof(struct str file)
{
	static const unsigned numbers = 1u << 7 | 1u << 8 | 1u << 9 | 1u << 10 |
					1u << 12 | 1u << 13 | 1u << 14 | 1u << 15,
			      messages = 0x7e | 1u << 11 | 1u << 13;
	unsigned met = 0;
	struct str s = file;

	while (s.n > 0) {
		unsigned number, type;

		if (!field_take(&s, &number, &type) || number == 0 || number > 15 ||
		    ((type == 2 ? messages : numbers) >> number & 1) == 0)
			return false;
		met |= 1u << number;
	}
	return (met & 1u << 1) != 0 &&
	       (s.p != NULL ? (met & 1u << 6) : (met & 1u << 2)) != 0 &&
	       (s.p != NULL || file.n > HEAD_BYTES);
}

/* Text ---------------------------------------------------------------------------- */

/* The next line that is neither empty nor a remark. */
static bool
line_next(const char **at, const char *end, struct str *line)
{
	while (logtext_line(at, end, line))
		if (line->n > 0 && *line->p != '#')
			return true;
	return false;
}

/* ends in blank and number, which is cut off */
static bool
number_cut(struct str *line)
{
	size_t n = line->n;

	while (n > 0 && (is_digit(line->p[n - 1]) || line->p[n - 1] == '.'))
		n--;
	if (n == 0 || n == line->n || line->p[n - 1] != ' ')
		return false;
	line->n = n - 1;
	return true;
}

static bool
is_folded(struct str file)
{
	struct str s = str_head(logtext_start(file), HEAD_BYTES), line;
	const char *at = s.p, *end = s.p + s.n;
	int lines = 0, numbers = 0;
	bool stacks = false;

	if (s.n == 0)
		return false;
	for (; lines < HEAD_LINES && line_next(&at, end, &line); lines++) {
		if (!number_cut(&line))
			continue;
		numbers++;
		stacks |= memchr(line.p, ';', line.n) != NULL;
	}
	return stacks && numbers * 4 >= lines * 3;
}

/* "[cpu] 12.345678: [period] event:", or without a time "tid [period] event:". */
static bool
is_perf_header(struct str line)
{
	struct str rest = line, word, last = {NULL, 0};
	bool number = false;

	while (line.n > 0 && line.p[line.n - 1] == ' ')
		line.n--;
	while ((word = str_word(&rest)).n > 0) {
		if (word.n > 1 && word.p[word.n - 1] == ':') {
			/* A time, before it the thread. */
			if (is_digit(word.p[0]) && memchr(word.p, '.', word.n) != NULL)
				return last.n > 0 && (number || *last.p == '[');
			return number && (is_digit(*last.p)) &&
			       word.p + word.n == line.p + line.n && !is_digit(word.p[0]);
		}
		last = word;
		number = is_digit(word.p[0]) && is_digit(word.p[word.n - 1]);
	}
	return false;
}

static bool
is_perf_script(struct str file)
{
	struct str s = str_head(logtext_start(file), HEAD_BYTES), line;
	const char *at = s.p, *end = s.p + s.n;

	if (s.n == 0)
		return false;
	if (str_starts(s, STR("# ========\n")))
		return true;
	return line_next(&at, end, &line) && is_perf_header(line);
}

static bool
is_callgrind(struct str file)
{
	struct str head = str_head(file, HEAD_BYTES);

	return str_starts(logtext_start(file), STR("# callgrind format")) ||
	       (holds(head, STR("\nevents:")) &&
		   (holds(head, STR("\nfn=")) || holds(head, STR("\nfl="))));
}

static bool
is_uftrace_text(struct str file)
{
	return head_holds(file, STR("uftrace file header: magic")) ||
	       (str_starts(file, STR("reading ")) && head_holds(file, STR(".dat\n")));
}

static bool
is_bpftrace(struct str file)
{
	struct str s = logtext_start(file);

	return (str_starts(s, STR("@[")) || head_holds(s, STR("\n@["))) &&
	       head_holds(s, STR("]: "));
}

/* "com.example.Name -> a.b:" */
static bool
is_mapping(struct str file)
{
	struct str s = str_head(logtext_start(file), HEAD_BYTES), line;
	const char *at = s.p, *end = s.p + s.n;

	return s.n > 0 && line_next(&at, end, &line) && holds(line, STR(" -> ")) &&
	       line.p[line.n - 1] == ':';
}

static bool
is_picture(struct str file)
{
	struct str s = logtext_start(file);

	return str_starts(s, STR("<?xml")) && head_holds(s, STR("<svg"));
}

/* Bytes --------------------------------------------------------------------------- */

static bool
is_tar(struct str file)
{
	return file.n > 262 && memcmp(file.p + 257, "ustar", 5) == 0;
}

static bool
is_apk(struct str file)
{
	return str_starts(file, STR("PK\x03\x04")) &&
	       head_holds(file, STR("AndroidManifest.xml"));
}

/* The old profiles of gperftools: words 0 and 3, of 4 or 8 bytes. */
static bool
is_gperf(struct str file)
{
	static const char narrow[8] = {0, 0, 0, 0, 3},
			  wide[16] = {0, 0, 0, 0, 0, 0, 0, 0, 3};

	return (file.n > sizeof(narrow) && memcmp(file.p, narrow, sizeof(narrow)) == 0) ||
	       (file.n > sizeof(wide) && memcmp(file.p, wide, sizeof(wide)) == 0);
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

/* The table ----------------------------------------------------------------------- */

/* What a recording of Perfetto's is to have (TraceConfig), as bytes or as text. */
static bool
is_perfetto_config(struct str file)
{
	struct wire rest = {(const uint8_t *)file.p, (const uint8_t *)file.p + file.n}, inner;
	enum { CONFIG_SOURCES = 2, FIELD_MOST = 99 };
	struct wire_field f, config, name;
	bool sources = false;

	while (wire_next(&rest, &f) && f.number <= FIELD_MOST) {
		inner = wire_message(&f);
		if (f.number != CONFIG_SOURCES || !wire_next(&inner, &config))
			continue;
		inner = wire_message(&config);
		sources |= config.number == 1 && wire_next(&inner, &name) && name.number == 1 &&
		    name.type == WIRE_BYTES && name.value > 0;
	}
	return sources && rest.p == rest.end;
}

static bool
is_perfetto_config_text(struct str file)
{
	return logtext_is_text(file) && !is_json(file) &&
	    head_holds(file, STR("data_sources")) &&
	    (head_holds(file, STR("buffers")) || head_holds(file, STR("duration_ms")));
}

/* Any message: fields of legal types that fill the file, the first ones of low numbers. */
static bool
is_protobuf(struct str file)
{
	struct wire rest = {(const uint8_t *)file.p, (const uint8_t *)file.p + file.n};
	enum { FIELD_MOST = 999, FIELDS_LEAST = 3 };
	struct wire_field f;
	int fields = 0;

	while (wire_next(&rest, &f) && f.number <= FIELD_MOST)
		fields++;
	return fields >= FIELDS_LEAST && rest.p == rest.end;
}

static const struct foreign {
	struct str begins; /* with these bytes, or after a byte order mark and blanks; or: */
	bool (*recognise)(struct str file);
	const char *keys; /* of JSON, all of them; or: */
	const char *name, *advice;
} kinds[] = {
#define BYTES(text) STR(text), NULL, NULL
#define FUNCTION(name) {NULL, 0}, name, NULL
#define JSON(words) {NULL, 0}, NULL, words
    {FUNCTION(is_apk), "an Android package (APK)", "it holds no trace"},
    {BYTES("PK\x03\x04"), "a ZIP archive", "extract the trace first (unzip)"},
    {BYTES("PK\x05\x06"), "an empty ZIP archive", "it holds no trace"},
    {FUNCTION(is_tar), "a tar archive", "extract the trace first (tar xf)"},
    {BYTES("\x28\xb5\x2f\xfd"), "compressed with zstd",
	"decompress it first (zstd -dc FILE | slowtop)"},
    {BYTES("\xfd" "7zXZ"), "compressed with xz", "decompress it first (xz -dc FILE | slowtop)"},
    {BYTES("BZh"), "compressed with bzip2", "decompress it first (bzip2 -dc FILE | slowtop)"},
    {BYTES("\x04\x22\x4d\x18"), "compressed with lz4",
	"decompress it first (lz4 -dc FILE | slowtop)"},
    {BYTES("7z\xbc\xaf\x27\x1c"), "a 7z archive", "extract the trace first (7z x)"},
    {BYTES("JAVA PROFILE"), "a heap dump (hprof)", "open it in Android Studio or Eclipse MAT"},
    {BYTES("FLR\x00"), "a recording of Java's Flight Recorder (JFR)",
	"open it in JDK Mission Control, or read it with jfr print"},
    {BYTES("SIMPLEPERF"), "a simpleperf report-sample file (protobuf)",
	"open it in Android Studio or at profiler.firefox.com"},
    {BYTES("PERFILE2"), "a recording of perf or simpleperf (perf.data)",
	"read it with simpleperf report or perf report"},
    {BYTES("\x7f" "ELF"), "a program or library (ELF)", "it holds no trace"},
    {BYTES("dex\n"), "a program for Android (DEX)", "it holds no trace"},
    {BYTES("OHOSPROF"), "a recording of OpenHarmony's profiler (.htrace)",
	"open it in DevEco Studio or SmartPerf Host; hitrace --text records what slowtop reads"},
    {BYTES("\x49\xdf"), "HiTrace's raw form",
	"open it in SmartPerf Host; hitrace --text records what slowtop reads"},
    {BYTES("\x17\x08" "Dtracing"), "a recording of trace-cmd (trace.dat)",
	"trace-cmd report -i FILE | slowtop shows it"},
    {BYTES("Ftrace!\x00"), "a file of uftrace's", "read its folder with uftrace"},
    {BYTES("go 1."), "an execution trace of Go", "open it with go tool trace"},
    {BYTES("SQLite format 3\x00"), "a database (SQLite)", "open it with sqlite3"},
    {BYTES("version https://git-lfs"), "a pointer of Git LFS, not the file itself",
	"git lfs pull fetches that"},
    {FUNCTION(is_pprof), "a profile for pprof", "open it with go tool pprof or speedscope.app"},
#define AS_TEXT "a Perfetto trace as text", \
	"open the binary trace, or make one of the text with traceconv binary"
    {BYTES("packet {"), AS_TEXT},
    {BYTES("packet: {"), AS_TEXT},
    {BYTES("packet{"), AS_TEXT},
#undef AS_TEXT
#define CONFIG "a configuration of Perfetto's", "perfetto -c FILE -o TRACE records by it"
    {FUNCTION(is_perfetto_config), CONFIG},
    {FUNCTION(is_perfetto_config_text), CONFIG},
#undef CONFIG
    {BYTES("age-encryption.org/"), "encrypted with age", "decrypt it first (age -d)"},
    {BYTES("-----BEGIN AGE "), "encrypted with age", "decrypt it first (age -d)"},
    {BYTES("-----BEGIN PGP MESSAGE"), "encrypted with PGP", "decrypt it first (gpg -d)"},
    {BYTES("Salted__"), "encrypted with OpenSSL", "decrypt it first (openssl enc -d)"},
    {FUNCTION(is_gperf), "a CPU profile of gperftools", "open it with pprof"},
    {JSON("systemTraceEvents"), "a Chrome trace (JSON) with a text log in it",
	"jq -r .systemTraceEvents FILE | slowtop shows the log"},
    {JSON("traceEvents"), "a Chrome trace (JSON)", "open it at ui.perfetto.dev"},
    {JSON("ph"), "a Chrome trace (JSON)", "open it at ui.perfetto.dev"},
    {JSON("shared profiles"), "a profile of speedscope's (JSON)", "open it at speedscope.app"},
    {JSON("nodes startTime"), "a CPU profile of V8 (JSON)",
	"open it in Chrome's DevTools or at speedscope.app"},
    {JSON("head timestamps"), "a CPU profile of V8 (JSON)",
	"open it in Chrome's DevTools or at speedscope.app"},
    {FUNCTION(is_heapprofile), "a heap profile of V8 (JSON)", "open it in Chrome's DevTools"},
    {JSON("meta threads"), "a profile of the Firefox Profiler (JSON)",
	"open it at profiler.firefox.com"},
    {JSON("context benchmarks"), "a result of Macrobenchmark (JSON)",
	"open the traces that it names, which lie beside it"},
    {FUNCTION(is_json), "JSON, but no trace or profile that is known here", "jq shows it"},
    {FUNCTION(is_callgrind), "a call graph for callgrind",
	"open it with KCachegrind or callgrind_annotate"},
    {BYTES("heap profile:"), "an old text profile for pprof", "open it with pprof"},
    {BYTES("--- contention"), "an old text profile for pprof", "open it with pprof"},
    {BYTES("--- mutex"), "an old text profile for pprof", "open it with pprof"},
    {BYTES("goroutine profile:"), "an old text profile for pprof", "open it with pprof"},
    {FUNCTION(is_uftrace_text), "text of uftrace dump",
	"uftrace tui or uftrace report reads the recording"},
    {BYTES("--------- beginning of "), "a log of logcat, which has no times of slices",
	"record a log with atrace or hitrace"},
    {FUNCTION(is_mapping), "a mapping file of R8 or ProGuard",
	"give it with --mapping=, beside a trace"},
    {FUNCTION(is_bpftrace), "output of bpftrace",
	"stackcollapse-bpftrace.pl and flamegraph.pl draw it"},
    {FUNCTION(is_perf_script), "text of perf script",
	"open it at profiler.firefox.com or speedscope.app"},
    {FUNCTION(is_folded), "folded stacks", "flamegraph.pl draws them, speedscope.app opens them"},
    {BYTES("<svg"), "a picture (SVG)", "open it in a browser"},
    {FUNCTION(is_picture), "a picture (SVG)", "open it in a browser"},
    {BYTES("<!DOCTYPE"), "a web page without a log of systrace", "open it in a browser"},
    {BYTES("<!doctype"), "a web page without a log of systrace", "open it in a browser"},
    {BYTES("<html"), "a web page without a log of systrace", "open it in a browser"},
    {FUNCTION(logtext_is_text),
	"not a method trace, but text without a record of HiTrace or ftrace",
	"hitrace --text, atrace and systrace record what slowtop reads"},
    {FUNCTION(is_protobuf), "Protocol Buffers, but no Perfetto trace",
	"what wrote it tells what reads it"},
    {BYTES(""), "not a method trace (expected *version or SLOW at its start), nor a text log",
	"a log in a binary form must be recorded as text, for HiTrace with hitrace --text"},
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

		if (k->recognise != NULL      ? k->recognise(file)
			: k->keys != NULL     ? json_has_all(file, str_from(k->keys))
			: str_starts(file, k->begins) || str_starts(logtext_start(file), k->begins))
			return err_set(e, ERR_UNSUPPORTED, "is %s; %s", k->name, k->advice);
	}
	return false;
}

/* Traces -------------------------------------------------------------------------- */

typedef bool (*open_function)(struct trace *, struct input *, struct err *);

/* What follows the letters SLOW, by the version word. */
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
	struct err why = {0};

	if (head.n == 0)
		return err_set(e, ERR_TRUNCATED, "is empty, expected a method trace");
	if (str_starts(head, STR("*version")))
		return classic_open(t, in, e);
	if (str_starts(head, STR("SLOW")))
		return data_open(t, in, e);
	if (perfetto_open(t, in, in->folder, e))
		return true;
	if (!foreign_holds_log(head) && ftrace_open(t, in, in->folder, &why))
		return true;
	if (why.kind != ERR_NONE)
		return err_set(e, why.kind, "%s", why.what);
	return foreign_refuse(head, e);
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
	struct trace *trace;

	if (!input_open(&in, path, how, e)) {
		input_close(&in);
		return NULL;
	}
	trace = open_from(input_name(path), &in, e);
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

	return input_inflate(&in, &how, e) ? open_from(name, &in, e) : NULL;
}
