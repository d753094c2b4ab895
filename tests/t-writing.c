// SPDX-License-Identifier: Apache-2.0
/*
 * What a view shows, written to a file without a terminal: in steps as at once, in the
 * background, cancelled, and with the content of the moment of the request.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tap/tap.h"
#include "tui/writing.h"
#include "view/scene.h"

static struct value
some_cell(const struct sheet *s, size_t row, int column, bool raw)
{
	(void)s;
	(void)raw;
	return column == 0 ? (struct value){.kind = VALUE_COUNT, .a = (int64_t)row}
			   : (struct value){.kind = VALUE_TEXT, .text = STR("a \"name\", long")};
}

static void
some_stack(const struct sheet *s, struct folded *folded, size_t i, struct sbuf *out)
{
	(void)s;
	(void)folded;
	sbuf_printf(out, "a;b %zu\n", i);
}

static void
some_sheet(struct sheet *s, const struct figures *f, size_t rows)
{
	*s = (struct sheet){.view = "some", .rows = rows, .figures = f, .cell = some_cell,
	    .stack = some_stack, .stacks = rows};
	sheet_add(s, "n", "N", VALUE_COUNT);
	sheet_add(s, "name", "Name", VALUE_TEXT);
}

static void
sheet_write(const struct sheet *sheet, enum sheet_format format, size_t rows, struct sbuf *out)
{
	struct sheet_writer w;

	sheet_writer_begin(&w, sheet, format, NULL);
	while (sheet_writer_step(&w, rows, out))
		;
	sheet_writer_release(&w);
}

static void
test_writer(void)
{
	struct scene s = {0};

	scene_open(&s);
	for (size_t rows = 0; rows < 4; rows++) {
		for (int format = 0; format < SHEET_FORMATS; format++) {
			struct sbuf whole = {0}, steps = {0};
			struct sheet sheet;

			some_sheet(&sheet, &s.app.s->display.figures, rows);
			sheet_write(&sheet, (enum sheet_format)format, SIZE_MAX, &whole);
			sheet_write(&sheet, (enum sheet_format)format, 1, &steps);
			is_str(sbuf_cstr(&steps), sbuf_cstr(&whole), "%zu rows as %s: in steps as at once",
			    rows, sheet_formats[format].name);
			sbuf_release(&whole);
			sbuf_release(&steps);
		}
	}
	scene_close(&s);
}

static void
press(struct app *app, const char *name)
{
	struct key key = {0};

	snprintf(key.name, sizeof(key.name), "%s", name);
	queue_do(app, &key);
}

/* Too much to be written at once. */
static void
test_written_in_background(void)
{
	const char *build = getenv("BUILDDIR");
	char path[4096], text[200];
	struct scene s = {0};
	struct err e = {0};
	struct sheet sheet;
	uint32_t before;

	if (build == NULL) {
		skip("no folder to write in");
		return;
	}
	snprintf(path, sizeof(path), "%s/tests/t-writing.folded", build);
	scene_open(&s);
	some_sheet(&sheet, &s.app.s->display.figures, SIZE_MAX / 2);
	if (!ok(writing_begin(&s.app, &sheet, SHEET_AS_FOLDED, path, OUTFILE_REPLACE, &e),
		"begun"))
		diag("%s", e.what);
	ok(s.app.writing.active && s.app.writing.bytes > 0, "it goes on");
	writing_text(&s.app, text, sizeof(text));
	is_str(text, "writing t-writing.folded: 0% (^C stops it, other keys wait)", "and tells how far it is");
	before = methods_method(&s.app.s->methods);
	press(&s.app, "j");
	ok(s.app.writing.active && methods_method(&s.app.s->methods) == before,
	    "meanwhile the screen stays unchanged");
	ok(!app_take(&s.app), "and nothing that the engine has takes its place");
	press(&s.app, "<C-c>");
	ok(!s.app.writing.active && !outfile_exists(path), "^C: nothing is left of it");
	some_sheet(&sheet, &s.app.s->display.figures, SIZE_MAX / 2);
	ok(writing_begin(&s.app, &sheet, SHEET_AS_TEXT, path, OUTFILE_REPLACE, &e), "begun again");
	scene_close(&s);
	ok(!outfile_exists(path), "nor when the program ends");
}

int
main(void)
{
	test_writer();
	test_written_in_background();
	return tap_done();
}
