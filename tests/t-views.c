/*
 * Views of the terminal program without a terminal: what they go to when what they show
 * comes later than the key, as while a large trace is read, and what the title says of
 * figures that are not those asked for.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tap/tap.h"
#include "tui/app.h"
#include "tui/bindings.h"
#include "tui/commands.h"
#include "tui/draw.h"
#include "tui/export.h"
#include "view/fixture.h"

struct scene {
	struct fixture fixture;
	struct settings settings;
	struct app app;
};

/* The table is there, the trees are not yet. */
static void
scene_open(struct scene *s)
{
	fixture_worked(&s->fixture, true);
	settings_init(&s->settings);
	app_init(&s->app, s->fixture.trace, &s->settings, true);
	s->app.now.state = LOAD_DONE;
	/* Another method than (toplevel) is the first. */
	table_sort_by(&s->app.table, COLUMN_EXCL);
	app_layout(&s->app, 24, 80);
	table_set_fold(&s->app.table, fixture_fold(&s->fixture));
}

static void
scene_close(struct scene *s)
{
	app_release(&s->app);
	settings_release(&s->settings);
	fixture_close(&s->fixture);
}

static void
trees_come(struct scene *s)
{
	struct engine_paths *made = mem_zero(1, sizeof(*made));

	made->paths = paths_new(s->fixture.profile, NULL, NULL, false, NULL);
	made->callers = callers_new(made->paths, METHOD_NONE);
	made->range = RANGE_ALL;
	trees_take(&s->app, made);
}

static const enum screen_view tree_views[] = {VIEW_TREE, VIEW_CALLERS, VIEW_FLAME};

/* What the view has of its own accord. */
static uint32_t
method_at_first(enum screen_view view)
{
	struct scene s = {0};
	uint32_t method;

	scene_open(&s);
	s.app.view = view;
	app_layout(&s.app, 24, 80);
	trees_come(&s);
	method = views_method(&s.app);
	scene_close(&s);
	return method;
}

static void
test_entered_early(void)
{
	for (size_t i = 0; i < sizeof(tree_views) / sizeof(tree_views[0]); i++) {
		enum screen_view view = tree_views[i];
		uint32_t first = method_at_first(view), chosen;
		struct scene s = {0};

		scene_open(&s);
		ok(table_method(&s.app.table) != METHOD_TOPLEVEL && !s.app.table.settled,
		    "view %d: the table begins with a method that nobody chose", (int)view);
		app_view(&s.app, view);
		app_layout(&s.app, 24, 80);
		trees_come(&s);
		is_int(views_method(&s.app), first, "view %d: nor does it go there", (int)view);
		scene_close(&s);

		s = (struct scene){0};
		scene_open(&s);
		table_move(&s.app.table, 1);
		chosen = table_method(&s.app.table);
		app_view(&s.app, view);
		app_layout(&s.app, 24, 80);
		trees_come(&s);
		is_int(views_method(&s.app), chosen, "view %d: a method that was gone to it does",
		    (int)view);
		scene_close(&s);
	}
}

static bool
title_says(struct app *app, const char *text)
{
	char *row;
	bool says;

	(void)draw_app(app);
	row = canvas_row(&app->canvas, 0);
	says = strstr(row, text) != NULL;
	mem_free(row);
	return says;
}

static void
test_counting(void)
{
	struct scene s = {0};
	struct err e = {0};

	scene_open(&s);
	recount_take(&s.app);
	ok(!title_says(&s.app, "counting"), "figures of what is wanted");
	ok(!recount_interrupt(&s.app), "nothing to give up");
	app_note(&s.app);
	transforms_add_text(&s.app.transforms, TRANSFORM_EXCLUDE, STR("x"), 0, &e);
	s.app.now.counting = true;
	ok(title_says(&s.app, "counting"), "new transforms over old figures: the title tells");
	s.app.now.counted = 0.43;
	ok(title_says(&s.app, "counting 43%"), "and how far it is, when that is known");
	ok(recount_interrupt(&s.app), "given up");
	is_int((int64_t)s.app.transforms.count, 0, "the transforms are those of the figures");
	s.app.now.counting = false;
	recount_take(&s.app);
	ok(!title_says(&s.app, "counting"), "and all is well");
	views_run(&s.app, cmd_undo, UNDO_BACK);
	is_int((int64_t)s.app.transforms.count, 1, "u asks again");
	app_view(&s.app, VIEW_TREE);
	trees_come(&s);
	s.app.now.summing = true;
	ok(title_says(&s.app, "counting"), "trees of before, too");
	app_view(&s.app, VIEW_THREADS);
	ok(!title_says(&s.app, "counting"), "which other views do not show");
	scene_close(&s);
}

/* A package of a group collapses with the others of it. */
static void
test_group_collapsed(void)
{
	struct scene s = {0};
	struct err e = {0};

	scene_open(&s);
	ok(groups_set(&s.settings.groups, STR("app"), STR("app org.a+b"), &e), "a group");
	table_select(&s.app.table, fixture_method(M_FACT));
	transform_begin(&s.app, TRANSFORM_COLLAPSE_PACKAGE);
	if (ok(s.app.transforms.count == 1, "is collapsed")) {
		is_int(s.app.transforms.list[0].id, TRANSFORM_COLLAPSE_MATCHES, "as what matches");
		ok(str_equal(s.app.transforms.list[0].text, STR("^(?:app|org\\.a\\+b)[.$]")),
		    "its packages");
	}
	scene_close(&s);
}

/* Writing ------------------------------------------------------------------------- */

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
	sheet_add(s, "n", "N", SHEET_COUNT);
	sheet_add(s, "name", "Name", SHEET_TEXT);
}

static void
test_writer(void)
{
	struct scene s = {0};

	scene_open(&s);
	for (size_t rows = 0; rows < 4; rows++) {
		for (int format = 0; format < SHEET_FORMATS; format++) {
			struct sbuf whole = {0}, steps = {0};
			struct sheet_writer w;
			struct sheet sheet;

			some_sheet(&sheet, &s.app.table.figures, rows);
			sheet_write(&sheet, (enum sheet_format)format, &whole);
			sheet_writer_begin(&w, &sheet, (enum sheet_format)format);
			while (sheet_writer_step(&w, 1, &steps))
				;
			sheet_writer_release(&w);
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
	app_key(app, &key);
}

/* More than can be written while anybody waits. */
static void
test_written_behind(void)
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
	snprintf(path, sizeof(path), "%s/tests/t-views.folded", build);
	scene_open(&s);
	some_sheet(&sheet, &s.app.table.figures, SIZE_MAX / 2);
	if (!ok(writing_to_file(&s.app, &sheet, SHEET_AS_FOLDED, path, OUTFILE_REPLACE, &e),
		"begun"))
		diag("%s", e.what);
	ok(s.app.writing.active && s.app.writing.bytes > 0, "it goes on");
	writing_text(&s.app, text, sizeof(text));
	is_str(text, "writing t-views.folded: 0% (^C stops it, other keys wait)", "and tells how far it is");
	before = table_method(&s.app.table);
	press(&s.app, "j");
	ok(s.app.writing.active && table_method(&s.app.table) == before,
	    "meanwhile what is shown stays as it is");
	press(&s.app, "<C-c>");
	ok(!s.app.writing.active && !outfile_exists(path), "^C: nothing is left of it");
	some_sheet(&sheet, &s.app.table.figures, SIZE_MAX / 2);
	ok(writing_to_file(&s.app, &sheet, SHEET_AS_TEXT, path, OUTFILE_REPLACE, &e), "begun again");
	scene_close(&s);
	ok(!outfile_exists(path), "nor when the program ends");
}

/* As text, and as stacks where the view has them. */
static char *
written(const struct sheet *sheet)
{
	struct sbuf out = {0};

	sheet_write(sheet, SHEET_AS_TEXT, &out);
	if (sheet_can(sheet, SHEET_AS_FOLDED))
		sheet_write(sheet, SHEET_AS_FOLDED, &out);
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
	table_sort(&s->app.table, COLUMN_CALLS, true);
	calltree_sort(&s->app.tree, COLUMN_CALLS, true);
	calltree_open_all(&s->app.callers, 100);
	calls_list_sort(&s->app.calls, CALLS_START, true);
	calls_list_clear(&s->app.calls);
	trees_come(s);
	table_set_fold(&s->app.table, fixture_fold(&s->fixture));
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
	snprintf(path, sizeof(path), "%s/tests/t-views-kept.folded", build);
	scene_open(&s);
	ok(export_sheet(&s.app, &sheet, &scratch), "a sheet");
	/* Of the same rows, again and again. */
	sheet.stack = some_stack;
	sheet.stacks = SIZE_MAX / 2;
	ok(writing_to_file(&s.app, &sheet, SHEET_AS_FOLDED, path, OUTFILE_REPLACE, &e) &&
		s.app.writing.active && !writing_alone(&s.app),
	    "written behind the screen");
	before = table_method(&s.app.table);
	press(&s.app, "j");
	ok(table_method(&s.app.table) != before, "the cursor moves");
	press(&s.app, "4");
	is_int(s.app.view, VIEW_FLAME, "another view");
	ok(!writing_to_file(&s.app, &sheet, SHEET_AS_FOLDED, path, OUTFILE_REPLACE, &e),
	    "one at a time: %s", e.what);
	writing_step(&s.app);
	ok(s.app.writing.active, "it goes on");
	press(&s.app, "<C-c>");
	ok(!s.app.writing.active && !outfile_exists(path), "^C: nothing is left of it");
	sbuf_release(&scratch);
	scene_close(&s);
}

/* The last line takes its words from the table of commands. */
static void
test_hints(void)
{
	struct scene s = {0};

	scene_open(&s);
	trees_come(&s);
	for (int view = 0; view < VIEWS; view++) {
		const char *const *hint;
		bool good = true;

		app_view(&s.app, (enum screen_view)view);
		app_layout(&s.app, 24, 80);
		hint = context_find(app_context(&s.app))->hints;
		for (; *hint != NULL; hint++) {
			const struct command *c = commands_find(*hint);

			good &= c != NULL && c->hint != NULL;
		}
		ok(good, "view %d: hints are commands that have words for it", view);
		(void)draw_app(&s.app);
	}
	scene_close(&s);
}

int
main(void)
{
	test_entered_early();
	test_counting();
	test_hints();
	test_group_collapsed();
	test_writer();
	test_written_behind();
	test_kept();
	test_kept_keys();
	return tap_done();
}
