// SPDX-License-Identifier: Apache-2.0
/*
 * embedded.c: traces within other texts: JSON in pages that trace2html and systrace made, a log of
 * ftrace in Chrome's JSON, and folded stacks in UTF-16 (forms.h).
 *
 * Source: catapult's trace2html and the Trace Event Format.  What is found is written to a temporary
 * file, which takes the place of the data.
 */
#include <config.h>

#include <strings.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "format/json/forms.h"
#include "format/json/scan.h"
#include "format/log/reader.h"
#include "format/log/text.h"
#include "format/samples/samples.h"

enum { PIECE_BYTES = 1 << 20, ESCAPE_BYTES = 6, LOOK_BYTES = 4096 };

/* Readers are given something. */
static bool
not_empty(const struct input *in, struct err *e)
{
	return in->data.size > 0 || err_set(e, ERR_MALFORMED, "has an empty trace in it");
}

/* Puts what `write` writes of a text in the place of the data. */
static bool
data_replace(struct input *in, struct str text,
    bool (*write)(struct tempfile *, struct str, struct err *), struct err *e)
{
	const struct tempfile_how how = {.folder = in->folder};
	struct tempfile file;

	return tempfile_begin(&file, &how, e) && input_take(in, &file, write(&file, text, e), e) &&
	    not_empty(in, e);
}

/* A log in JSON ------------------------------------------------------------------------- */

/* Writes a JSON string without its escapes, none of which is cut. */
static bool
string_write(struct tempfile *file, struct str text, struct err *e)
{
	struct sbuf out = {0};
	bool good = true;

	while (text.n > 0 && good) {
		size_t n = text.n < PIECE_BYTES ? text.n : PIECE_BYTES, from = n < text.n ? n - ESCAPE_BYTES : n;

		/* Before the first escape of the last bytes. */
		for (; from < n && text.p[from] != '\\'; from++)
			continue;
		while (from < n && from > 0 && text.p[from - 1] == '\\')
			from--;
		/* Two that are one character stay together. */
		while (from < n && from >= ESCAPE_BYTES && text.p[from - ESCAPE_BYTES] == '\\')
			from -= ESCAPE_BYTES;
		n = from > 0 ? from : n;
		sbuf_clear(&out);
		jscan_unescape(&out, (struct str){text.p, n});
		good = tempfile_write(file, out.p, out.n, e);
		text = (struct str){text.p + n, text.n - n};
	}
	sbuf_release(&out);
	return good;
}

bool
system_events_open(struct trace *t, struct input *in, struct str text, struct err *e)
{
	struct jscan_value log = jscan_find(text, "systemTraceEvents");

	if (log.kind != '"' || log.text.n == 0 || !data_replace(in, log.text, string_write, e))
		return false;
	t->compressed = "JSON (systemTraceEvents)";
	return ftrace_open(t, in, e);
}

/* JSON in pages -------------------------------------------------------------------------- */

static bool
text_write(struct tempfile *file, struct str text, struct err *e)
{
	return tempfile_write(file, text.p, text.n, e);
}

static int
base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (is_digit(c))
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Writes what a text in Base64 stands for; blanks and padding are passed over. */
static bool
base64_write(struct tempfile *file, struct str text, struct err *e)
{
	char *out = mem_alloc(PIECE_BYTES);
	uint32_t bits = 0;
	int have = 0;
	size_t n = 0;
	bool good = true;

	for (size_t i = 0; i < text.n && good; i++) {
		int digit = base64_digit(text.p[i]);

		if (digit < 0)
			continue;
		bits = bits << 6 | (uint32_t)digit;
		have += 6;
		if (have < 8)
			continue;
		have -= 8;
		out[n++] = (char)(bits >> have);
		if (n == PIECE_BYTES) {
			good = tempfile_write(file, out, n, e);
			n = 0;
		}
	}
	good = good && tempfile_write(file, out, n, e);
	mem_free(out);
	return good;
}

/* The next script of a page: its tag and what is in it; false when there is none. */
static bool
script_next(struct str *page, struct str *tag, struct str *content)
{
	static const char begin[] = "<script", end[] = "</script>";
	const char *at = page->n > 0 ? memmem(page->p, page->n, begin, sizeof(begin) - 1) : NULL, *stop;
	struct str rest;

	if (at == NULL)
		return false;
	rest = (struct str){at, (size_t)(page->p + page->n - at)};
	*tag = str_cut(&rest, '>');
	if (rest.p == NULL)
		return false;
	stop = memmem(rest.p, rest.n, end, sizeof(end) - 1);
	*content = (struct str){rest.p, stop != NULL ? (size_t)(stop - rest.p) : rest.n};
	*page = stop != NULL ? (struct str){stop, (size_t)(rest.p + rest.n - stop)} : (struct str){rest.p, 0};
	return true;
}

static bool
tag_has(struct str tag, const char *words)
{
	return tag.n < LOOK_BYTES && memmem(tag.p, tag.n, words, strlen(words)) != NULL;
}

/* The next section of a page of systrace's, from its first bracket or line of a log on. */
static bool
section_next(struct str *page, struct str *text)
{
	struct str tag, content;

	while (script_next(page, &tag, &content)) {
		*text = logtext_start(content);
		if (tag_has(tag, "class=\"trace-data\"") && text->n > 0)
			return true;
	}
	return false;
}

/* Writes the objects of an array, from after its bracket on, each with a comma. */
static bool
events_write(struct tempfile *file, struct jscan j, struct err *e)
{
	struct jscan_value v;

	while (jscan_value(&j, &v) == JSCAN_TAKEN) {
		if (v.kind == '{' &&
		    (!tempfile_write(file, v.text.p, v.text.n, e) || !tempfile_write(file, ",", 1, e)))
			return false;
	}
	return true;
}

/* Writes the events of a section, or what it has beside them, each with a comma. */
static bool
section_write(struct tempfile *file, struct str text, bool events, struct err *e)
{
	struct jscan j = jscan_inside(text);
	const char *from;
	struct jscan_value v;
	bool good = true;
	struct str key;

	if (*text.p == '[')
		return !events || events_write(file, j, e);
	for (from = j.at; good && jscan_key(&j, &key) == JSCAN_TAKEN; from = j.at) {
		bool told = str_equal(key, STR("traceEvents"));

		if (told && events && jscan_peek(&j) == '[')
			good = events_write(file, (struct jscan){j.at + 1, j.end}, e);
		if (jscan_value(&j, &v) != JSCAN_TAKEN)
			break;
		if (!told && !events)
			good = tempfile_write(file, from, (size_t)(j.at - from), e) &&
			    tempfile_write(file, ",", 1, e);
	}
	return good;
}

/* Writes a page's sections as one object. */
static bool
sections_write(struct tempfile *file, struct str page, struct err *e)
{
	static const char *const begin[] = {"{", "\"traceEvents\":["};
	bool good = true;

	for (int events = 0; events < 2 && good; events++) {
		struct str rest = page, text;

		good = tempfile_write(file, begin[events], strlen(begin[events]), e);
		while (good && section_next(&rest, &text))
			good = section_write(file, text, events > 0, e);
	}
	return good && tempfile_write(file, "]}", 2, e);
}

/*
 * The data of a page in JSON, or the first of several sections; empty where it has a log, beside
 * which JSON says little.
 */
static struct str
page_find(struct str page, bool *json, uint32_t *sections)
{
	struct str tag, content, found = {"", 0};

	while (script_next(&page, &tag, &content)) {
		struct str text = logtext_start(content);
		bool brackets = text.n > 0 && (*text.p == '{' || *text.p == '[');

		if (tag_has(tag, "id=\"viewer-data\"")) {
			*json = brackets;
			return text;
		}
		if (!tag_has(tag, "class=\"trace-data\"") || text.n == 0)
			continue;
		if (!brackets)
			return (struct str){"", 0};
		if (found.n == 0)
			found = text;
		++*sections;
		*json = true;
	}
	return found;
}

bool
page_open(struct trace *t, struct input *in, struct err *e)
{
	struct str page = logtext_start((struct str){(const char *)in->data.bytes, in->data.size}), text;
	const struct tempfile_how how = {.folder = in->folder};
	uint32_t sections = 0;
	bool json = false, good;

	if (page.n < 15 || (strncasecmp(page.p, "<!doctype html", 14) != 0 &&
		strncasecmp(page.p, "<html", 5) != 0))
		return false;
	text = page_find(page, &json, &sections);
	if (text.n > 0) {
		good = sections > 1 ? data_replace(in, page, sections_write, e)
				    : data_replace(in, text, json ? text_write : base64_write, e);
		if (!good || !input_inflate(in, &how, e) || !not_empty(in, e))
			return false;
		t->compressed = "a page";
		return json_open(t, in, e) || (e->kind == ERR_NONE && ftrace_open(t, in, e));
	}
	return false;
}

/* UTF-16 ----------------------------------------------------------------------------------- */

/* Writes UTF-16, whose order of bytes its first character tells, as UTF-8. */
static bool
utf16_write(struct tempfile *file, struct str text, struct err *e)
{
	const uint8_t *p = (const uint8_t *)text.p;
	const bool big = p[0] == 0xfe;
	struct sbuf out = {0};
	uint32_t high = 0;
	bool good = true;
	char bytes[4];

	for (size_t i = 2; i + 1 < text.n && good; i += 2) {
		uint32_t c = (uint32_t)p[i + !big] << 8 | p[i + big];

		if (c >> 10 == 0xd800 >> 10) {
			high = c;
			continue;
		}
		if (c >> 10 == 0xdc00 >> 10)
			c = high != 0 ? 0x10000 + ((high & 0x3ff) << 10) + (c & 0x3ff) : 0xfffd;
		high = 0;
		sbuf_bytes(&out, bytes, utf8_put(bytes, c));
		if (out.n < PIECE_BYTES)
			continue;
		good = tempfile_write(file, out.p, out.n, e);
		sbuf_clear(&out);
	}
	good = good && tempfile_write(file, out.p, out.n, e);
	sbuf_release(&out);
	return good;
}

bool
utf16_open(struct trace *t, struct input *in, struct err *e)
{
	struct str text = {(const char *)in->data.bytes, in->data.size};

	if (!str_starts(text, STR("\xff\xfe")) && !str_starts(text, STR("\xfe\xff")))
		return false;
	if (!data_replace(in, text, utf16_write, e))
		return false;
	t->compressed = "UTF-16";
	return folded_open(t, in, e);
}
