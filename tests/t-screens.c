// SPDX-License-Identifier: Apache-2.0
/*
 * Screens as text: what the panes draw at several sizes, in UTF-8 and in ASCII, with
 * the names that files can have.
 */
#include <config.h>

#include <locale.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "profile/timeline/timeline.h"
#include "tap/tap.h"
#include "tests/folded.h"
#include "view/fixture.h"
#include "view/names/looks.h"
#include "view/list/list.h"
#include "view/pages/info.h"
#include "view/threads.h"
#include "view/timeline/pane.h"
#include "view/title.h"

/* All that a screen is made of. */
struct screen {
	struct fixture fixture;
	struct canvas canvas;
	struct display display;
	struct methods methods;
	struct timeline_pane timeline;
	bool focused; /* the timeline */
	struct title title;
	struct scope *scope;
};

static void
screen_open(struct screen *s, int rows, int columns, bool utf8)
{
	const struct profile *p = s->fixture.profile;
	struct fold *fold = fold_new(p, s->scope, NULL, NULL);

	canvas_init(&s->canvas, utf8);
	canvas_resize(&s->canvas, rows, columns);
	display_init(&s->display, s->fixture.trace, s->fixture.names);
	methods_init(&s->methods, &s->display);
	timeline_pane_init(&s->timeline, s->fixture.trace, s->fixture.names);
	axis_set_whole(&s->timeline.axis, p->begin, p->end);
	timeline_pane_set_fold(&s->timeline, fold);
	display_set_fold(&s->display, fold);
	methods_follow(&s->methods);
	s->title = (struct title){
	    .path = STR("dir/test.trace"),
	    .clock = s->display.figures.clock,
	    .end = p->end - p->begin,
	    .threads_in = s->scope != NULL ? scope_size(s->scope) : fold->thread_count,
	    .threads = fold->thread_count,
	    .calls = fold->calls,
	};
}

static void
screen_close(struct screen *s)
{
	canvas_release(&s->canvas);
	methods_release(&s->methods);
	display_release(&s->display);
	timeline_pane_release(&s->timeline);
	scope_free(s->scope);
	fixture_close(&s->fixture);
}

/* What the engine would answer. */
static void
answer(struct screen *s)
{
	const struct profile *p = s->fixture.profile;
	struct asked asked = {0};
	struct query *q = &asked.queries[QUERY_TIMELINE];
	struct engine_timeline *cells = mem_zero(1, sizeof *cells);
	struct engine_marks *marks;

	timeline_pane_ask(&s->timeline, &asked, methods_method(&s->methods), s->focused);
	marks = mem_zero(1, sizeof *marks + q->columns);
	cells->window.from = q->window.from < q->window.to ? q->window.from : p->begin;
	cells->window.to = q->window.from < q->window.to ? q->window.to : p->end;
	cells->columns = q->columns;
	cells->rows = q->row_count;
	cells->threads = mem_zero(q->row_count, sizeof *cells->threads);
	for (uint32_t i = 0; i < q->row_count; i++)
		cells->threads[i] = q->rows[i].index;
	cells->cells = mem_zero((size_t)q->row_count * q->columns, sizeof *cells->cells);
	timeline_draw(p, NULL, cells->window.from, cells->window.to, q->columns, cells->threads,
	    q->row_count, cells->cells, NULL);
	marks->window.from = cells->window.from;
	marks->window.to = cells->window.to;
	marks->columns = q->columns;
	marks->method = asked.kinds & 1u << QUERY_MARKS ? asked.queries[QUERY_MARKS].method
							: METHOD_NONE;
	if (marks->method != METHOD_NONE)
		timeline_marks(p, s->scope, marks->window.from, marks->window.to, marks->columns,
		    marks->method, true, marks->marks, NULL);
	timeline_pane_take_cells(&s->timeline, cells);
	timeline_pane_take_marks(&s->timeline, marks);
	if (asked.kinds & 1u << QUERY_POINT) {
		struct engine_point point = {.at = asked.queries[QUERY_POINT].at,
		    .row = asked.queries[QUERY_POINT].point};

		timeline_call(p, point.row.index, point.at, 0, METHOD_NONE, &point.call, NULL);
		timeline_pane_take_point(&s->timeline, &point);
	}
}

static void
draw(struct screen *s, int timeline_rows)
{
	static const struct hint hints[] = {{"Enter", "open"}, {"&", "filter"},
	    {"/", "search"}, {"t", "threads"}, {"c", "clock"}, {"?", "help"}};
	struct footer footer = {
	    .hints = hints, .hint_count = sizeof hints / sizeof *hints};
	struct timeline_show show = {.focused = s->focused,
	    .fold = s->display.fold,
	    .scope = s->scope,
	    .elision = s->display.elision};
	struct canvas *c = &s->canvas;
	struct rect above = {1, 0, timeline_rows, c->columns};
	struct rect below = {
	    1 + timeline_rows, 0, c->rows - 2 - timeline_rows, c->columns};

	canvas_clear(c);
	s->methods.list.unfocused = s->focused;
	s->methods.none = "no calls in these threads";
	s->methods.no_match = "& edit";
	list_set_size(&s->methods.list, below.rows - 1, c->columns);
	timeline_pane_set_size(&s->timeline, above.rows, above.columns);
	if (timeline_rows > 0)
		answer(s);
	title_draw(c, 0, &s->title);
	show.method = methods_method(&s->methods);
	timeline_pane_draw(c, above, &s->timeline, &show);
	(void)list_draw(c, below, &s->methods.list);
	footer.rows = s->methods.list.at.count;
	footer.position = footer.rows > 0 ? s->methods.list.at.cursor + 1 : 0;
	footer_draw(c, c->rows - 1, &footer);
}

static void
test_sizes(void)
{
	static const struct {
		const char *name;
		int rows, columns, timeline;
		bool utf8;
	} cases[] = {
	    {"worked-80x24", 24, 80, 5, true},
	    {"worked-80x24-ascii", 24, 80, 5, false},
	    {"worked-40x8", 8, 40, 0, true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct screen s = {0};

		fixture_worked(&s.fixture, cases[i].utf8);
		screen_open(&s, cases[i].rows, cases[i].columns, cases[i].utf8);
		methods_select(&s.methods, fixture_method(M_ODD));
		ok(list_open(&s.methods.list), "odd is open");
		draw(&s, cases[i].timeline);
		screen_is(&s.canvas, cases[i].name);
		screen_close(&s);
	}
}

/* A busy trace: more threads than lines, sleep, depth, names from hell. */
static void
open_hostile(struct screen *s, bool utf8)
{
	static const struct fixture_method methods[] = {
	    {"com/example/feed/FeedAdapter", "onBindViewHolder", "(LVH;I)V"},
	    {"com.example.feed.ImageCache", "decode", "(I)V"},
	    {"com.example.feed.ImageCache", "decode", "(Ljava/lang/String;)V"},
	    {"android.graphics.BitmapFactory", "nativeDecodeStream", "([B)V"},
	    {"\344\270\255\346\226\207.\345\214\205.\347\261\273",
		"\346\226\271\346\263\225", "()V"},
	    {"evil.\033]0;owned\007Name", "\033[31mred\033[0m", "(\r\n)V"},
	    {"e\314\201t\314\201e\314\201.Zalgo",
		"z\314\201\314\202\314\203\314\204\314\205", ""},
	    {"a.\377\376.Broken", "\300\200x", "()V"},
	    {"com.example.feed.Outer$Inner$1", "<init>", "(I)V"},
	};
	enum { METHODS = sizeof methods / sizeof *methods, THREADS = 7, STEPS = 6 };
	struct fixture_event events[THREADS * STEPS * METHODS * 2];
	int count = 0;

	for (int thread = 1; thread <= THREADS; thread++) {
		unsigned cpu = 0, wall = (unsigned)thread * 1000;

		for (int step = 0; step < STEPS; step++) {
			int depth = (thread * 5 + step) % METHODS + 1;

			for (int i = 0; i < depth; i++) {
				events[count++] = (struct fixture_event){
				    thread, '>', (i + thread) % METHODS, cpu, wall};
				cpu += 200;
				wall += 200 + (i == 2 ? (unsigned)step * 900 : 0);
			}
			for (int i = depth; i-- > 0;) {
				cpu += 100 * (unsigned)thread;
				wall += 100 * (unsigned)thread;
				events[count++] = (struct fixture_event){
				    thread, '<', (i + thread) % METHODS, cpu, wall};
			}
			wall += 1500;
		}
	}
	fixture_open(&s->fixture, "dual",
	    "1\tmain\n2\tpool-1-thread-1\n3\tOkHttp "
	    "Dispatcher\n4\t\346\226\207\346\226\207\346\226\207\346\226\207\346\226\207"
	    "\346\226\207\n"
	    "5\t\033[7mevil\033[0m\n6\t"
	    "e\314\201\n",
	    methods, METHODS, events, count, utf8);
}

static void
test_hostile(void)
{
	struct screen s = {0};
	struct err e = {0};
	struct pattern *p = NULL;

	open_hostile(&s, true);
	screen_open(&s, 24, 80, true);
	draw(&s, 5);
	screen_is(&s.canvas, "hostile-80x24");
	methods_go(&s.methods, fixture_method(0));
	s.display.elision = ELISION_SHORT;
	s.focused = true;
	timeline_pane_move_thread(&s.timeline, 2);
	draw(&s, 5);
	screen_is(&s.canvas, "hostile-80x24-focused");
	screen_close(&s);

	s = (struct screen){0};
	open_hostile(&s, false);
	screen_open(&s, 30, 120, false);
	s.title.damage = 3;
	s.title.loading = true;
	s.title.progress = 0.64;
	list_show(&s.methods.list, COLUMN_RANK, SHOWN_YES);
	list_show(&s.methods.list, COLUMN_WAIT, SHOWN_YES);
	list_show(&s.methods.list, COLUMN_OTHER_INCL, SHOWN_YES);
	list_sort(&s.methods.list, COLUMN_METHOD, true);
	pattern_compile(STR("decode"), 0, &p, &e);
	display_search(&s.display, p);
	list_search_next(&s.methods.list, 1);
	draw(&s, 9);
	screen_is(&s.canvas, "hostile-120x30-ascii");
	screen_close(&s);
}

static int
count_look(const struct canvas *c, int row, look bits)
{
	int count = 0;

	for (int i = 0; i < c->columns; i++)
		count += (canvas_at(c, row, i)->look & bits) == bits;
	return count;
}

static void
test_looks(void)
{
	struct screen s = {0};
	struct pattern *p = NULL;
	int row;

	fixture_worked(&s.fixture, true);
	screen_open(&s, 24, 80, true);
	pattern_compile(STR("math.fa"), 0, &p, NULL);
	display_search(&s.display, p);
	list_search_next(&s.methods.list, 1);
	ids_add(&s.methods.list.open,
	    methods_id(&s.methods, fixture_method(M_ODD)));
	list_refilter(&s.methods.list);
	draw(&s, 5);
	row = 6 + 1 + (int)(s.methods.list.at.cursor - s.methods.list.at.top);
	is_int(count_look(&s.canvas, row, LOOK_SELECTED), 80, "the cursor line is whole");
	is_int(count_look(&s.canvas, row, LOOK_HIT), 7, "the hit is underlined");
	is_int(count_look(&s.canvas, row - 1, LOOK_HIT), 0, "others are not");
	is_int(count_look(&s.canvas, 6, LOOK_BOLD), 80, "header of the active pane");
	is_int(count_look(&s.canvas, 1, LOOK_BOLD), 0, "and of the other one");
	s.focused = true;
	draw(&s, 5);
	is_int(count_look(&s.canvas, 6, LOOK_BOLD), 0, "the other way round");
	is_int(count_look(&s.canvas, 1, LOOK_BOLD), 80, "with the timeline focused");
	is_int(count_look(&s.canvas, 2, LOOK_SELECTED), 11, "thread and time are marked");
	is_int(canvas_at(&s.canvas, 2, 20)->look,
	    looks_method(names_looks(s.display.figures.names), fixture_method(M_FACT)),
	    "fact has its colour on the timeline");
	ok(canvas_at(&s.canvas, 2, 20)->look >= ROLE_HUE, "a colour of a package");
	screen_close(&s);
}

static void
test_nothing(void)
{
	static const struct fixture_method methods[] = {{"a.B", "c", "()V"}};
	struct screen s = {0};
	char *line;

	fixture_open(&s.fixture, "wall", "1\tmain\n", methods, 1, NULL, 0, true);
	screen_open(&s, 24, 80, true);
	draw(&s, 5);
	screen_is(&s.canvas, "empty-80x24");
	screen_close(&s);

	s = (struct screen){0};
	fixture_worked(&s.fixture, true);
	screen_open(&s, 10, 80, true);
	filters_set(&s.display.filters, STR("no\\.such"), NULL);
	filters_set(&s.display.filters, STR("+!\033"), NULL);
	s.display.refilters++;
	methods_follow(&s.methods);
	draw(&s, 0);
	screen_is(&s.canvas, "no-match-80x10");
	filters_set(&s.display.filters, STR("!app"), NULL);
	s.display.refilters++;
	methods_follow(&s.methods);
	draw(&s, 0);
	line = canvas_row(&s.canvas, 3);
	is_str(line, " no method matches !app (& edit)", "below what is there");
	mem_free(line);
	screen_close(&s);
}

/* Every size, also the absurd ones: nothing crashes, cursor lines are where they are. */
static void
test_any_size(void)
{
	struct screen s = {0};
	struct rect none = {0, 0, 0, 0};
	struct info info = {0};
	struct threads threads;
	struct load_status status = {.state = LOAD_DONE};

	open_hostile(&s, true);
	screen_open(&s, 5, 5, true);
	methods_go(&s.methods, fixture_method(1));
	threads_init(&threads, &s.display, &s.scope);
	info_build_method(
	    &info, s.fixture.trace, s.fixture.names, s.display.fold, fixture_method(1), NULL, NULL);
	for (int rows = 3; rows < 40; rows += 1 + rows / 8) {
		for (int columns = 1; columns < 300; columns += 1 + columns / 7) {
			int timeline = rows > 8 ? rows / 4 : 0;

			canvas_resize(&s.canvas, rows, columns);
			s.focused = columns % 2;
			s.display.elision = (enum elision)(columns % 3);
			draw(&s, timeline);
			info_lay_out(&info, columns);
			info_draw(&s.canvas, (struct rect){0, 0, rows, columns}, &info,
			    (size_t)columns % 40);
			list_set_size(&threads.list, rows, columns);
			(void)list_draw(&s.canvas, (struct rect){0, 0, rows, columns},
			    &threads.list);
		}
	}
	(void)list_draw(&s.canvas, none, &s.methods.list);
	threads_release(&threads);
	ok(true, "all sizes drawn");
	info_build(&info, s.fixture.trace, s.fixture.names, &status, NULL, NULL);
	ok(info.count > 5, "information without a fold");
	info_release(&info);
	screen_close(&s);
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	test_sizes();
	test_hostile();
	test_looks();
	test_nothing();
	test_any_size();
	return tap_done();
}
