// SPDX-License-Identifier: Apache-2.0
/*
 * A trace file from anywhere, reported: each form is well formed, whatever names the trace
 * holds.  The file's size chooses the form, for a report of all of them takes ten times as
 * long as reading the file.
 */
#include <config.h>

#include <string.h>

#include "base/utf8.h"
#include "format/format.h"
#include "fuzz/fuzz.h"
#include "report/report.h"

/* No control characters but line feeds, strict UTF-8. */
static void
check_text(struct str text)
{
	while (text.n > 0) {
		uint32_t c = utf8_next(&text);

		fuzz_check(c != UTF8_MALFORMED);
		fuzz_check(
		    (c >= 0x20 && c != 0x7f && (c < 0x80 || c > 0x9f)) || c == '\n');
	}
}

/* Fields of one record (RFC 4180), which ends in CR LF. */
static size_t
csv_record(struct str *rest)
{
	size_t fields = 1;
	bool quoted = false;

	for (;;) {
		char c;

		fuzz_check(rest->n > 0);
		c = *rest->p++;
		rest->n--;
		if (c == '"')
			quoted = !quoted;
		if (quoted)
			continue;
		fields += c == ',';
		fuzz_check(c != '\n');
		if (c != '\r')
			continue;
		fuzz_check(rest->n > 0 && *rest->p == '\n');
		rest->p++;
		rest->n--;
		return fields;
	}
}

static void
check_csv(struct str text)
{
	size_t header = csv_record(&text);

	while (text.n > 0)
		fuzz_check(csv_record(&text) == header);
}

static char
json_peek(struct str *in)
{
	while (in->n > 0 && (*in->p == ' ' || *in->p == '\n')) {
		in->p++;
		in->n--;
	}
	fuzz_check(in->n > 0);
	return *in->p;
}

static void
json_take(struct str *in, const char *any_of)
{
	char c = json_peek(in);

	fuzz_check(c != '\0' && strchr(any_of, c) != NULL);
	in->p++;
	in->n--;
}

static void
json_string(struct str *in)
{
	json_take(in, "\"");
	for (;;) {
		fuzz_check(in->n > 1);
		if (*in->p == '"')
			break;
		if (*in->p == '\\') {
			size_t n = in->p[1] == 'u' ? 6 : 2;

			fuzz_check(in->n > n && strchr("\"\\/bfnrtu", in->p[1]) != NULL);
			fuzz_check(n == 2 || strspn(in->p + 2, "0123456789abcdef") >= 4);
			in->p += n;
			in->n -= n;
			continue;
		}
		in->p++;
		in->n--;
	}
	json_take(in, "\"");
}

static void
json_value(struct str *in, int depth)
{
	char open = json_peek(in), close = open == '{' ? '}' : ']';

	fuzz_check(depth < 10);
	if (open == '"') {
		json_string(in);
	} else if (open == '{' || open == '[') {
		json_take(in, "{[");
		while (json_peek(in) != close) {
			if (open == '{') {
				json_string(in);
				json_take(in, ":");
			}
			json_value(in, depth + 1);
			if (json_peek(in) == close)
				break;
			json_take(in, ",");
			fuzz_check(json_peek(in) != close);
		}
		json_take(in, "}]");
	} else if (open == 'n') {
		fuzz_check(in->n >= 4 && memcmp(in->p, "null", 4) == 0);
		in->p += 4;
		in->n -= 4;
	} else {
		json_take(in, "-0123456789");
		while (in->n > 0 && strchr(".0123456789", *in->p) != NULL)
			json_take(in, ".0123456789");
	}
}

static void
check_json(struct str text)
{
	check_text(text);
	json_value(&text, 0);
	fuzz_check(str_equal(text, STR("\n")));
}

static void
report_check(const struct profile *p, const struct report_options *o)
{
	struct report r;
	struct err e = {.kind = ERR_NONE};
	char *text = NULL;
	size_t size = 0;
	FILE *out;

	fuzz_check(report_make(&r, p, o, NULL, &e));
	out = open_memstream(&text, &size);
	fuzz_check(report_write(&r, out, NULL) == 0);
	fclose(out);
	if (strcmp(o->format->name, "csv") == 0)
		check_csv((struct str){text, size});
	else if (strcmp(o->format->name, "json") == 0)
		check_json((struct str){text, size});
	else
		check_text((struct str){text, size});
	free(text);
	report_release(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct err e = {.kind = ERR_NONE};
	struct trace *t = format_open_memory(bytes, size, "fuzz\x1b\xff", &e);
	struct report_options o;
	struct profile *p;

	if (t == NULL)
		return 0;
	p = profile_new(t);
	while (profile_load(p, 10000, &e) == LOAD_MORE)
		continue;
	report_options_init(&o);
	o.format = &report_formats[size % report_format_count];
	o.relations = size / report_format_count % 2 != 0;
	report_check(p, &o);
	report_options_release(&o);
	profile_free(p);
	trace_free(t);
	return 0;
}
