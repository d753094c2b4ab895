// SPDX-License-Identifier: Apache-2.0
/*
 * Views of the terminal program without a terminal: what they go to when what they show
 * comes later than the key, as while a large trace is read, and what the title says of
 * figures that are not those asked for.
 */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "tap/tap.h"
#include "tui/keys/commands.h"
#include "view/scene.h"

static const enum view tree_views[] = {VIEW_TREE, VIEW_CALLERS, VIEW_FLAME};

/* What the view has of its own accord. */
static uint32_t
method_at_first(enum view view)
{
	struct scene s = {0};
	uint32_t method;

	scene_open(&s);
	s.app.view = view;
	app_layout(&s.app, 24, 80);
	trees_come(&s);
	method = screens_method(&s.app);
	scene_close(&s);
	return method;
}

static void
test_entered_early(void)
{
	for (size_t i = 0; i < sizeof(tree_views) / sizeof(tree_views[0]); i++) {
		enum view view = tree_views[i];
		uint32_t first = method_at_first(view), chosen;
		struct scene s = {0};

		scene_open(&s);
		ok(methods_method(&s.app.s->methods) != METHOD_TOPLEVEL &&
			!s.app.s->methods.list.settled,
		    "view %d: the table begins with a method that was not chosen", (int)view);
		app_view(&s.app, view);
		app_layout(&s.app, 24, 80);
		trees_come(&s);
		is_int(screens_method(&s.app), first, "view %d: nor does it go there", (int)view);
		scene_close(&s);

		s = (struct scene){0};
		scene_open(&s);
		list_move(&s.app.s->methods.list, 1);
		chosen = methods_method(&s.app.s->methods);
		app_view(&s.app, view);
		app_layout(&s.app, 24, 80);
		trees_come(&s);
		is_int(screens_method(&s.app), chosen, "view %d: a method that was gone to it does",
		    (int)view);
		scene_close(&s);
	}
}

/* What was chosen in the table is marked in the flame graph, whose zoom stays. */
static void
test_flame_selection(void)
{
	struct scene s = {0};
	struct icicle *f;
	uint32_t chosen;

	scene_open(&s);
	f = &s.app.s->flame;
	trees_come(&s);
	for (int i = 0; i < 2; i++) {
		uint32_t zoom = f->zoom;

		app_view(&s.app, VIEW_PROFILE);
		methods_select(&s.app.s->methods, fixture_method(i == 0 ? M_LOAD : M_FACT));
		s.app.s->methods.list.settled = true;
		chosen = methods_method(&s.app.s->methods);
		app_view(&s.app, VIEW_FLAME);
		app_layout(&s.app, 24, 80);
		ok(i == 0 ? f->zoom < f->tree->paths->roots : f->zoom == zoom,
		    i == 0 ? "the whole thread at first" : "the zoom of before later");
		is_int(f->marked, chosen, "what the table selected is marked");
		is_int(icicle_method(f), chosen, "and has the cursor");
		app_view(&s.app, VIEW_PROFILE);
		is_int(s.app.s->selected.method, chosen, "and is still selected after it");
	}
	scene_close(&s);
}

static bool
title_says(struct app *app, const char *text)
{
	char *row;
	bool says;

	(void)draw_app(app);
	row = canvas_row(&app->canvas, app->layout.title);
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
	s.app.s->shown.range = RANGE_ALL;
	ok(!title_says(&s.app, "counting"), "figures of what is wanted");
	ok(!app_recounting_stop(&s.app), "nothing to give up");
	app_note(&s.app);
	transforms_add_text(&s.app.s->subset.transforms, TRANSFORM_EXCLUDE, STR("x"), &e);
	s.app.s->work.open = 1u << QUERY_METHODS;
	ok(title_says(&s.app, "counting"), "new transforms over old figures: the title tells");
	s.app.s->work.counted = 0.43;
	ok(title_says(&s.app, "counting 43%"), "and how far it is, when that is known");
	ok(app_recounting_stop(&s.app), "given up");
	is_int((int64_t)s.app.s->subset.transforms.count, 0,
	    "the transforms are those of the figures");
	s.app.s->work.open = 0;
	ok(!title_says(&s.app, "counting"), "and all is well");
	cmd_undo(&s.app, -1);
	is_int((int64_t)s.app.s->subset.transforms.count, 1, "u asks again");
	app_view(&s.app, VIEW_TREE);
	trees_come(&s);
	s.app.s->work.open = 1u << QUERY_PATHS;
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
	methods_select(&s.app.s->methods, fixture_method(M_FACT));
	transform_begin(&s.app, TRANSFORM_COLLAPSE_PACKAGE);
	if (ok(s.app.s->subset.transforms.count == 1, "is collapsed")) {
		is_int(s.app.s->subset.transforms.list[0].id, TRANSFORM_COLLAPSE_MATCHES,
		    "as what matches");
		ok(str_equal(s.app.s->subset.transforms.list[0].text,
		    STR("^(?:app|org\\.a\\+b)[.$]")),
		    "its packages");
	}
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
		struct str hints, word;
		bool good = true;

		app_view(&s.app, (enum view)view);
		app_layout(&s.app, 24, 80);
		hints = str_from(context_find(app_context(&s.app))->hints);
		while ((word = str_word(&hints)).n > 0) {
			char *name = mem_text(word);
			const struct command *c = commands_find(name);

			good &= c != NULL && c->hint != NULL;
			mem_free(name);
		}
		ok(good, "view %d: hints are commands that have words for it", view);
		(void)draw_app(&s.app);
	}
	scene_close(&s);
}

/* A search that has found no call yet. */
static void
test_no_call_yet(void)
{
	struct calls_query q = {.range = RANGE_ALL, .method = fixture_method(M_FACT)};
	struct scene s = {0};
	struct calls *found;

	scene_open(&s);
	s.app.s->now.state = LOAD_DONE;
	app_view(&s.app, VIEW_CALLS);
	calls_follow(&s.app, q.method);
	found = calls_find(s.fixture.profile, &q, NULL, NULL);
	found->count = found->row_count = 0;
	found->whole = false;
	calls_list_set(&s.app.s->calls, found);
	app_layout(&s.app, 24, 80);
	(void)draw_app(&s.app);
	ok(list_row(&s.app.s->calls.list) == NULL, "no call yet: an empty list");
	scene_close(&s);
}

/* The first frame's method is selected once the user has moved there. */
static void
test_frames_left(void)
{
	struct jank *jank = mem_zero(1, sizeof(*jank));
	struct scene s = {0};

	scene_open(&s);
	jank->frames = mem_zero(1, sizeof(*jank->frames));
	jank->frames[0].heaviest = fixture_method(M_LOAD);
	jank->count = 1;
	jank->total = 1;
	app_take_answer(&s.app, QUERY_FRAMES, &(struct answer){.value = jank});
	for (int moved = 0; moved < 2; moved++) {
		app_view(&s.app, VIEW_FRAMES);
		if (moved)
			list_settle(&s.app.s->frames.list);
		app_view(&s.app, VIEW_TREE);
		ok(s.app.s->selected.idle == !moved, moved ? "a frame that was gone to is chosen"
							   : "the first frame is not");
	}
	scene_close(&s);
}

int
main(void)
{
	test_frames_left();
	test_entered_early();
	test_flame_selection();
	test_counting();
	test_hints();
	test_group_collapsed();
	test_no_call_yet();
	return tap_done();
}
