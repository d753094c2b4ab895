// SPDX-License-Identifier: Apache-2.0
/* What the sinks for hostile names promise: clean, JSON, CSV and cutting to a width. */
#include <config.h>

#include "fuzz/fuzz.h"

#include <locale.h>
#include <stdbool.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/utf8.h"

static void
check_visible(struct str s)
{
	while (s.n > 0) {
		uint32_t c = utf8_next(&s);

		fuzz_check(c != UTF8_MALFORMED && !utf8_hidden(c));
		fuzz_check(utf8_char_width(c) >= 0);
	}
}

static void
check_clean(struct str in, unsigned flags)
{
	struct sbuf once = {0}, twice = {0};

	clean_append(&once, in, flags);
	fuzz_check(once.n <= 3 * in.n);
	check_visible(sbuf_view(&once));
	for (size_t i = 0; (flags & CLEAN_ASCII) != 0 && i < once.n; i++)
		fuzz_check(once.p[i] >= ' ' && once.p[i] <= '~');
	clean_append(&twice, sbuf_view(&once), flags);
	fuzz_check(str_equal(sbuf_view(&once), sbuf_view(&twice)));
	sbuf_release(&once);
	sbuf_release(&twice);
}

static void
check_cut(struct str in, size_t columns)
{
	size_t head_used, tail_used, width = utf8_width(in);
	struct str head = utf8_head(in, columns, &head_used);
	struct str tail = utf8_tail(in, columns, &tail_used);

	fuzz_check(head.p == in.p && head.n <= in.n && utf8_width(head) == head_used);
	fuzz_check(tail.p + tail.n == in.p + in.n && utf8_width(tail) == tail_used);
	fuzz_check(head_used <= columns && tail_used <= columns);
	/* At most the half of a wide character is lost. */
	fuzz_check(columns >= width
		       ? head.n == in.n && tail.n == in.n
		       : head_used + 1 >= columns && tail_used + 1 >= columns);
}

static void
check_json(struct str in)
{
	struct sbuf text = {0};
	struct json j;
	struct str out;

	json_init(&j, &text, 0);
	json_str(&j, in);
	out = sbuf_view(&text);
	fuzz_check(out.n >= 2 && out.p[0] == '"' && out.p[out.n - 1] == '"');
	out = (struct str){out.p + 1, out.n - 2};
	while (out.n > 0) {
		uint32_t c = utf8_next(&out);

		fuzz_check(c != '"' && c != UTF8_MALFORMED && !utf8_hidden(c));
		if (c == '\\') {
			fuzz_check(out.n > 0 && strchr("\"\\bfnrtu", out.p[0]) != NULL);
			utf8_next(&out);
		}
	}
	sbuf_release(&text);
}

/* Reading the field back gives what went in, or an apostrophe and that. */
static void
check_csv(struct str in)
{
	struct sbuf out = {0}, back = {0};
	bool quoted;

	csv_field(&out, in);
	quoted = out.n > 0 && out.p[0] == '"';
	for (size_t i = quoted; i + quoted < out.n; i++) {
		if (quoted && out.p[i] == '"')
			fuzz_check(out.p[++i] == '"');
		else
			fuzz_check(quoted || strchr(",\"\r\n", out.p[i]) == NULL ||
				   out.p[i] == '\0');
		sbuf_char(&back, out.p[i]);
	}
	fuzz_check(!quoted || (out.n >= 2 && out.p[out.n - 1] == '"'));
	fuzz_check(back.n == 0 || strchr("=@\t\r\n", back.p[0]) == NULL || back.p[0] == '\0');
	if (back.n == in.n + 1 && back.p[0] == '\'')
		fuzz_check(memcmp(back.p + 1, in.p, in.n) == 0);
	else
		fuzz_check(str_equal(sbuf_view(&back), in));
	sbuf_release(&out);
	sbuf_release(&back);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	setlocale(LC_ALL, "C.UTF-8"); /* where there is none, our own table is tried */
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct str in = {(const char *)bytes, size};

	check_clean(in, 0);
	check_clean(in, CLEAN_ASCII);
	check_clean(in, CLEAN_MUTF8);
	check_clean(in, CLEAN_MUTF8 | CLEAN_ASCII);
	check_cut(in, 0);
	check_cut(in, 1);
	check_cut(in, size / 2);
	check_cut(in, size);
	check_json(in);
	check_csv(in);
	return 0;
}
