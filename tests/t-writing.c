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
#include "tui/draw.h"
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
some_stack(const struct sheet *s, struct sheet_stacks *stacks, size_t i, struct sbuf *out)
{
	(void)s;
	(void)stacks;
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

	sheet_writer_begin(&w, sheet, format);
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

			some_sheet(&sheet, &s.app.display.figures, rows);
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
	some_sheet(&sheet, &s.app.display.figures, SIZE_MAX / 2);
	if (!ok(writing_begin(&s.app, &sheet, SHEET_AS_FOLDED, path, OUTFILE_REPLACE, &e),
		"begun"))
		diag("%s", e.what);
	ok(s.app.writing.active && s.app.writing.bytes > 0, "it goes on");
	writing_text(&s.app, text, sizeof(text));
	is_str(text, "writing t-writing.folded: 0% (^C stops it, other keys wait)", "and tells how far it is");
	before = methods_method(&s.app.methods);
	press(&s.app, "j");
	ok(s.app.writing.active && methods_method(&s.app.methods) == before,
	    "meanwhile the screen stays unchanged");
	ok(!app_take(&s.app), "and nothing that the engine has takes its place");
	press(&s.app, "<C-c>");
	ok(!s.app.writing.active && !outfile_exists(path), "^C: nothing is left of it");
	some_sheet(&sheet, &s.app.display.figures, SIZE_MAX / 2);
	ok(writing_begin(&s.app, &sheet, SHEET_AS_TEXT, path, OUTFILE_REPLACE, &e), "begun again");
	scene_close(&s);
	ok(!outfile_exists(path), "nor when the program ends");
}

/* As text, and as stacks where the view has them. */
static char *
written(const struct sheet *sheet)
{
	struct sbuf out = {0};

	sheet_write(sheet, SHEET_AS_TEXT, SIZE_MAX, &out);
	if (sheet_can(sheet, SHEET_AS_FOLDED))
		sheet_write(sheet, SHEET_AS_FOLDED, SIZE_MAX, &out);
	sbuf_cstr(&out);
	return out.p;
}

static void
calls_come(struct scene *s)
{
	struct calls_query q = {.range = RANGE_ALL, .method = fixture_method(M_FACT)};

	calls_follow(&s->app, q.method);
	calls_list_set(&s->app.calls, calls_find(s->fixture.profile, &q, NULL, NULL));
}

/* Another order, width, fold, and tree; and no calls. */
static void
change_all(struct scene *s)
{
	app_layout(&s->app, 12, 40);
	(void)draw_app(&s->app);
	list_sort(&s->app.methods.list, COLUMN_CALLS, true);
	list_sort(&s->app.tree.list, COLUMN_CALLS, true);
	calltree_open_all(&s->app.callers, 100);
	list_sort(&s->app.calls.list, CALLS_START, true);
	calls_list_clear(&s->app.calls);
	trees_come(s);
	display_set_fold(&s->app.display, fixture_fold(&s->fixture));
	methods_follow(&s->app.methods);
	app_layout(&s->app, 12, 40);
	(void)draw_app(&s->app);
}

static void
test_kept(void)
{
	static const enum screen_view views[] = {
	    VIEW_PROFILE, VIEW_TREE, VIEW_CALLERS, VIEW_FLAME, VIEW_CALLS};

	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		struct scene s = {0};
		struct sbuf scratch = {0};
		struct sheet sheet;
		char *before, *after;

		scene_open(&s);
		trees_come(&s);
		app_view(&s.app, views[i]);
		calls_come(&s);
		app_layout(&s.app, 24, 80);
		calltree_open_all(&s.app.tree, 100);
		(void)draw_app(&s.app);
		if (ok(export_sheet(&s.app, &sheet, &scratch) && sheet.rows > 1,
			"view %d has rows", (int)views[i])) {
			before = written(&sheet);
			sheet.keep(&sheet);
			change_all(&s);
			after = written(&sheet);
			is_str(after, before, "what was kept of it stays");
			sheet.drop(&sheet);
			mem_free(before);
			mem_free(after);
		}
		sbuf_release(&scratch);
		scene_close(&s);
	}
}

/* Keys work while a view is written from what it was. */
static void
test_kept_keys(void)
{
	const char *build = getenv("BUILDDIR");
	char path[4096];
	struct scene s = {0};
	struct err e = {0};
	struct sheet sheet;
	struct sbuf scratch = {0};
	uint32_t before;

	if (build == NULL) {
		skip("no folder to write in");
		return;
	}
	snprintf(path, sizeof(path), "%s/tests/t-writing-kept.folded", build);
	scene_open(&s);
	ok(export_sheet(&s.app, &sheet, &scratch), "a sheet");
	/* Of the same rows, again and again. */
	sheet.stack = some_stack;
	sheet.stacks = SIZE_MAX / 2;
	ok(writing_begin(&s.app, &sheet, SHEET_AS_FOLDED, path, OUTFILE_REPLACE, &e) &&
		s.app.writing.active && !writing_alone(&s.app),
	    "written in the background");
	before = methods_method(&s.app.methods);
	press(&s.app, "j");
	ok(methods_method(&s.app.methods) != before, "the cursor moves");
	press(&s.app, "4");
	is_int(s.app.view, VIEW_FLAME, "another view");
	ok(!writing_begin(&s.app, &sheet, SHEET_AS_FOLDED, path, OUTFILE_REPLACE, &e),
	    "one at a time: %s", e.what);
	writing_step(&s.app);
	ok(s.app.writing.active, "it goes on");
	press(&s.app, "<C-c>");
	ok(!s.app.writing.active && !outfile_exists(path), "^C: nothing is left of it");
	sbuf_release(&scratch);
	scene_close(&s);
}

int
main(void)
{
	test_writer();
	test_written_in_background();
	test_kept();
	test_kept_keys();
	return tap_done();
}
