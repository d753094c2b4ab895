// SPDX-License-Identifier: Apache-2.0
/*
 * The keys in a terminal: the help shows the whole table of keys, every key is harmless
 * in every view, and each has a visible effect.
 */
#include <config.h>

#include "tap/tap.h"

#ifndef HAVE_VTERM
int
main(void)
{
	skip_all("built without libvterm");
}
#else

#include <stdlib.h>
#include <unistd.h>

#include "tui/desk.h"
#include "tui/each_key.h"
#include "tui/keys/commands.h"
#include "tui/keys/key.h"
#include "tui/keys/keymap.h"

/* The comparison needs a second trace from the start. */
static struct pty *
start(unsigned context)
{
	/* Other programs would take the keys. */
	static const char *const env[] = {"PAGER=true", "VISUAL=true", NULL};
	bool compared = context == IN_DIFF;
	struct pty_options o = {.env = env};
	struct pty *p = desk_start(&o, compared ? "diff before.trace sample.trace" : "sample.trace");

	pty_expect(p, compared ? "MORE TIME" : "help");
	return p;
}

enum { HELPED = 5 }; /* of the first the help is read */

static const struct {
	const char *name, *keys; /* how to get there from the start */
	unsigned context;        /* 0: a popup or a prompt */
} views[] = {
    {"table", "", IN_TABLE},
    {"timeline", "<Tab>", IN_TIMELINE},
    {"timeline alone", "7", IN_TIMELINE},
    {"information", "0", IN_INFO},
    {"comparison", "", IN_DIFF},
    {"details", "i", IN_INFO},
    {"call tree", "2", IN_TREE},
    {"callers", "3", IN_TREE},
    {"flame graph", "4", IN_FLAME},
    {"threads", "6", IN_THREADS},
    {"expanded method", "jj<Enter>j", IN_TABLE},
    {"filtered to nothing", "&no such name<Enter>", IN_TABLE},
    {"help", "?", 0},
    {"threads", "t", 0},
    {"sort picker", "o", 0},
    {"column picker", "C", 0},
    {"filter list", "&com<Enter>X", 0},
    {"search prompt", "/ab", 0},
    {"filter prompt", "&ab", 0},
    {"command line", ":set th<Tab>", 0},
};

/* Whether a title like "136/136" tells that the last row is shown. */
static bool
at_end(const char *title)
{
	const char *slash = strrchr(title, '/');
	const char *first = slash;

	while (first != NULL && first > title && first[-1] >= '0' && first[-1] <= '9')
		first--;
	return slash == NULL || atoi(first) == atoi(slash + 1);
}

/* All pages of the help, one after the other; the title counts them. */
static char *
read_help(struct pty *p)
{
	char *all = calloc(1, 1 << 20);
	char last[256] = "";

	pty_keys(p, "?");
	pty_expect(p, "help: ");
	for (int page = 0; page < 50 && all != NULL; page++) {
		for (int i = 0; i < 200 && strcmp(last, pty_row(p, 2)) == 0; i++)
			pty_settle(p, 30);
		pty_settle(p, 60);
		strcat(all, pty_screen(p));
		snprintf(last, sizeof(last), "%s", pty_row(p, 2));
		if (at_end(last))
			break;
		pty_keys(p, "<PageDown>");
	}
	return all;
}

static void
help_is_the_table(int v)
{
	struct keymap *map = keymap_new();
	struct pty *p = start(views[v].context);
	unsigned lacks = OF_LOG | OF_FRAMES | (views[v].context == IN_DIFF ? 0 : OF_DIFF);
	char *help;

	pty_keys(p, views[v].keys);
	pty_settle(p, 100);
	help = read_help(p);
	for (size_t i = 0; i < tui_command_count; i++) {
		const struct command *c = &tui_commands[i];
		const char *words = commands_find(c->name)->help;
		char keys[80], line[200], out[32];

		if ((c->flags & lacks) == 0 &&
		    (c->contexts & (views[v].context | IN_LIST | IN_PROMPT)) != 0) {
			snprintf(keys, sizeof(keys), ":%s", c->usage != NULL ? c->usage : "");
			if (c->usage == NULL)
				keys_label(c->keys, keys, sizeof(keys));
			snprintf(line, sizeof(line), "%-21s %.40s", keys, words);
			ok(strstr(help, line) != NULL, "%s: help has %s", views[v].name, line);
		}
		/* And nothing that does not work here. */
		if (command_in_views(c) &&
		    ((c->flags & lacks) != 0 || (c->usage == NULL &&
		    keymap_key(map, views[v].context, c->name, false, out)[0] == '\0'))) {
			/* Only after keys: another line may end with the same words. */
			snprintf(line, sizeof(line), "  %s", words);
			ok(strstr(help, line) == NULL, "%s: help is without %s", views[v].name,
			    c->name);
		}
	}
	free(help);
	pty_free(p);
	keymap_free(map);
}

struct pressing {
	struct pty *p;
	const char *view;
	int pressed;
};

static void
press(const char *key, void *context)
{
	struct pressing *pressing = context;

	/* What ends or stops the program has tests of its own. */
	if (keys_have("q Q <F10> <C-z> <C-c> <Escape>", key))
		return;
	pty_keys(pressing->p, strcmp(key, "<") == 0 ? "<lt>" : key);
	/* Out of whatever that opened, back to the start, and here again. */
	pty_keys(pressing->p, "\0331");
	pty_keys(pressing->p, pressing->view);
	pressing->pressed++;
}

static void
every_key_is_harmless(int v)
{
	struct pressing pressing = {start(views[v].context), views[v].keys, 0};

	pty_keys(pressing.p, views[v].keys);
	for (size_t i = 0; i < tui_command_count; i++) {
		each_key(tui_commands[i].keys, press, &pressing);
		pty_settle(pressing.p, 2);
	}
	ok(pressing.pressed > 80, "%s: all keys pressed", views[v].name);
	/* Esc and F10 in one go: closes what is open, then quits or goes back. */
	pty_keys(pressing.p, "\0331");
	ok(pty_expect(pressing.p, "sample.tra"), "%s: still there", views[v].name);
	desk_quit(pressing.p, "\033Q", views[v].name);
}

struct telling {
	struct pty *p;
	const char *back; /* the keys to the view */
	const char *name, *command;
};

/* Whether the key changes the screen within `patience` ms. */
static bool
answered(const struct telling *t, const char *key, int patience)
{
	size_t bytes = 0;

	pty_settle(t->p, 40);
	pty_keys(t->p, strcmp(key, "<") == 0 ? "<lt>" : key);
	for (int i = 0; i < patience && bytes == 0; i += 10)
		bytes = pty_settle(t->p, 10);
	return bytes > 0;
}

static void
press_and_see(const char *key, void *context)
{
	enum { SOON_MS = 40, LONG_MS = 8000 };
	const struct telling *t = context;
	/* The first groups go and move. */
	bool moves = commands_find(t->command) < commands_find("open"), told = false;

	if (keys_have("q Q <F10> <C-z> <C-c> <Escape> <C-l>", key))
		return;
	/* There is no way up from the top, nor down from the end: from where is there one? */
	for (int patience = moves ? SOON_MS : LONG_MS; !told && patience <= LONG_MS;
	     patience *= 5) {
		pty_keys(t->p, "\033\0331");
		pty_keys(t->p, t->back);
		told = answered(t, key, patience);
		for (int i = 0; i < 2 && !told && moves; i++) {
			pty_keys(t->p, i == 0 ? "G" : "g");
			told = answered(t, key, patience);
		}
	}
	ok(told, "%s: %s (%s) does something, or says why not", t->name, key, t->command);
	/* The next keys may be about the other pane. */
	if (strcmp(t->command, "maximise") == 0)
		pty_keys(t->p, key);
}

static const struct {
	const char *name, *keys;
	unsigned context;
} telling[] = {
    {"table", "gjj", IN_TABLE},
    {"timeline", "7:0.01s<Enter>", IN_TIMELINE},
    {"information", "0g", IN_INFO},
    {"call tree", "2gj", IN_TREE},
    {"calls", "/ImageCache<Enter>5gj", IN_CALLS},
    {"flame graph", "4gj", IN_FLAME},
    {"threads", "6gj", IN_THREADS},
    {"comparison", "8gj", IN_DIFF},
};

/* Each key that the help shows in a view: the screen is another one then. */
static void
no_key_is_silent(int v)
{
	struct telling t = {start(telling[v].context), telling[v].keys, telling[v].name, NULL};

	for (size_t i = 0; i < tui_command_count; i++) {
		t.command = tui_commands[i].name;
		if ((tui_commands[i].contexts & telling[v].context) != 0)
			each_key(tui_commands[i].keys, press_and_see, &t);
	}
	pty_free(t.p);
}

/* Does it open a list to choose from, or the help? */
static bool
opens_list(const struct command *c)
{
	return c->opens != NULL || keys_have("choose-threads thread-order sort-pick columns help", c->name);
}

/* A list over a view is drawn within its frame and the last line: the view is as it was. */
static void
no_list_strays(int v)
{
	static const int sizes[][2] = {{24, 80}, {20, 60}};
	unsigned lacks = OF_LOG | OF_FRAMES | (telling[v].context == IN_DIFF ? 0 : OF_DIFF);
	struct pty *p = start(telling[v].context);

	for (int size = 0; size < 2; size++) {
		char *before;

		pty_resize(p, sizes[size][0], sizes[size][1]);
		pty_keys(p, telling[v].keys);
		pty_settle(p, 200);
		pty_keys(p, "?<Escape>"); /* nothing on the last line any more */
		pty_settle(p, 200);
		before = strdup(pty_screen(p));
		for (const struct command *c = tui_commands; c < tui_commands + tui_command_count; c++) {
			char key[40];

			if (!opens_list(c) || (c->contexts & telling[v].context) == 0 ||
			    (c->flags & lacks) != 0 || c->keys[0] == '\0')
				continue;
			snprintf(key, sizeof(key), "%.*s", (int)strcspn(c->keys, " "), c->keys);
			pty_keys(p, key);
			ok(pty_expect(p, "┌"), "%s: %s opens %s", telling[v].name, key, c->name);
			pty_keys(p, "<Escape>");
			ok(pty_expect_screen(p, before), "%s: nothing is left of %s, %d columns",
			    telling[v].name, c->name, sizes[size][1]);
		}
		free(before);
	}
	pty_free(p);
}

/* Keys that lead somewhere and close one thing after the other. */
enum opened { SAMPLE, COMPARED, LOG };
static const struct {
	enum opened opened;
	const char *keys, *shows; /* in the bar of views; NULL: the program has ended */
} ways[] = {
    {SAMPLE, "q", NULL},
    {SAMPLE, "?q", "[1"},
    {SAMPLE, "?qq", NULL},
    {SAMPLE, "tq", "[1"},
    {SAMPLE, "/q\033\033", "[1"},
    {SAMPLE, "\033\033\033", "[1"},
    {SAMPLE, "?Q", NULL},
    /* By digits and other keys of views: each is a step. */
    {SAMPLE, "0q", "[1"},
    {SAMPLE, "0qq", NULL},
    {SAMPLE, "7q", "[1"},
    {SAMPLE, "7<Tab>q", "[7"},
    {SAMPLE, "iq", "[1"},
    {SAMPLE, "23q", "[2"},
    {SAMPLE, "23<F10>q", "[1"},
    {SAMPLE, "23qqq", NULL},
    {SAMPLE, "2324q", "[2"},
    {SAMPLE, "234q", "[3"},
    {SAMPLE, "2342q", "[4"},
    {SAMPLE, "22q", "[1"},
    {SAMPLE, "3iq", "[3"},
    {SAMPLE, "3iqq", "[1"},
    {SAMPLE, "31q", "[3"},
    {SAMPLE, "31qqq", NULL},
    {SAMPLE, "234Q", NULL},
    /* By rows. */
    {SAMPLE, "v+j<Enter>q", "[v"},
    {SAMPLE, "v+j<Enter>qqq", NULL},
    {SAMPLE, "/ImageCache<Enter>5Wq", "[5"},
    {SAMPLE, "/ImageCache<Enter>2j5<Enter><Enter>q", "[5"},
    {SAMPLE, "/ImageCache<Enter>2j5<Enter><Enter>qq", "[2"},
    {SAMPLE, ":diff before.trace<Enter>8<Enter>q", "[8"},
    /* Within a view. */
    {SAMPLE, "2/load<Enter>q", "[1"},
    {SAMPLE, "jj<Enter>j<Enter>q", "[1"},
    {SAMPLE, "jj<Enter>j<Enter>qq", NULL},
    {SAMPLE, "4j<Enter>q", "[4"},
    {SAMPLE, "2ma3'aq", "[3"},
    /* Backspace is the same, and q leaves when no step is left. */
    {SAMPLE, "23<Backspace>q", "[1"},
    {SAMPLE, "23<Backspace>qq", NULL},
    {SAMPLE, "23<Backspace>Bq", "[2"},
    {SAMPLE, "23q<Backspace>q", NULL},
    {SAMPLE, ":diff before.trace<Enter>8<Enter><Backspace>q", "[1"},
    /* What was begun with is the last. */
    {COMPARED, "q", NULL},
    {COMPARED, "<Enter>q", "[8"},
    {COMPARED, "<Enter>2q<F10>", "[8"},
    {COMPARED, "<Enter>:diff<Enter>q", NULL},
    {LOG, "9<S-Tab><Tab><Tab>q", "[1"},
    {LOG, "9999<Enter><Enter>q", "[9"},
    {LOG, "9999<Enter><Enter>qqq", "[1"},
    {LOG, "Lq", "[1"},
    {LOG, "2jiLq", "[i"},
    {LOG, "2jiLqq", "[2"},
};

static const char *const opened_words[] = {
    [SAMPLE] = "sample.trace", [COMPARED] = "diff before.trace sample.trace",
    [LOG] = "sample.ftrace"};
/* What shows that it is read, and the app in front of a log chosen. */
static const char *const opened_read[] = {
    [SAMPLE] = "!2", [COMPARED] = "MORE TIME", [LOG] = "T: all)"};

static void
way_back(int i)
{
	struct pty_options o = {0};
	struct pty *p = desk_start(&o, opened_words[ways[i].opened]);
	int status;

	pty_expect(p, opened_read[ways[i].opened]);
	pty_keys(p, ways[i].keys);
	if (ways[i].shows == NULL) {
		ok(pty_ended(p, &status) && status == 0, "%s ends it", ways[i].keys);
	} else {
		pty_settle(p, 120);
		ok(pty_expect(p, ways[i].shows), "%s: %s", ways[i].keys, ways[i].shows);
	}
	pty_free(p);
}

/* Jumps, and keys that take them back: the screen is that of before to the letter. */
static const struct {
	enum opened opened;
	const char *before, *jump, *back;
} jumps[] = {
    {LOG, "", "!<F7>", "qq"},
    {LOG, "!j", "<F7>", "<Backspace>"},
    {LOG, "!j", "<Enter>", "q"},
    {LOG, "!j", "<Enter>", "<Backspace>"},
    {LOG, "!j+", "<Enter>1", "qq"},
    {LOG, "!<F7>jjj", "<Enter>", "q"},
    {LOG, "!<F7>jjj", "<Enter>", "<Backspace>"},
    {LOG, "!<F7>jjj", "<Enter>4", "qq"},
    {LOG, "<F7>jjj>", "L", "q"},
    {LOG, "jj", "L", "<Backspace>"},
    {LOG, "999j", "<Enter>", "q"},
    {LOG, "999j", "<Enter><Enter>1", "qqq"},
    {LOG, "6j", "<Enter>", "q"},
    {SAMPLE, "jj<Enter>j", "2", "q"},
    {SAMPLE, "jj<Enter>j", "<Enter>", "q"},
    {SAMPLE, "2jj+", "1", "q"},
    {SAMPLE, "2*jjj", "3j4", "qq"},
    {SAMPLE, "3jj+", "0", "<Backspace>"},
    {SAMPLE, "4jl", "<Enter>", "q"},
    {SAMPLE, "4jl<Enter>", "1", "q"},
    {SAMPLE, "jj5j", "i", "q"},
    {SAMPLE, "6j", "<F8>", "q"},
    {SAMPLE, "6j<F8>j+", "1", "q"},
    {SAMPLE, "7ll", "1", "q"},
    {SAMPLE, "<Tab>llrlllr", "R2", "qq"},
    {SAMPLE, "0jjj", "1", "q"},
    {SAMPLE, "v+j", "<Enter>", "q"},
    {SAMPLE, "!j", "<Enter>", "q"},
    {COMPARED, "j", "<Enter>", "q"},
    {COMPARED, "<Tab>jj", "1", "q"},
    /* Lists over a view. */
    {SAMPLE, "jj", "?", "<Backspace>"},
    {SAMPLE, "jj", "t", "<Backspace>"},
    {SAMPLE, "jj", "o", "<Backspace>"},
    {LOG, "jj", "@", "<Backspace>"},
};

static void
jump_back(int i)
{
	struct pty_options o = {0};
	struct pty *p = desk_start(&o, opened_words[jumps[i].opened]);
	char *before;

	pty_expect(p, opened_read[jumps[i].opened]);
	pty_keys(p, jumps[i].before);
	/* Nothing on the last line any more. */
	pty_keys(p, "?");
	pty_settle(p, 150);
	pty_keys(p, "<Escape>");
	pty_settle(p, 250);
	before = strdup(pty_screen(p));
	pty_keys(p, jumps[i].jump);
	pty_settle(p, 150);
	ok(strcmp(pty_screen(p), before) != 0, "%s: %s leads elsewhere", jumps[i].before,
	    jumps[i].jump);
	pty_keys(p, jumps[i].back);
	ok(pty_expect_screen(p, before), "%s: %s %s gives back the screen", jumps[i].before,
	    jumps[i].jump, jumps[i].back);
	free(before);
	pty_free(p);
}

/* Words of the command line that are names on the screen, and what they show. */
static const struct {
	enum opened opened;
	const char *line, *shows;
} worded[] = {
    {SAMPLE, "2:profile", "[1 Profile"},
    {SAMPLE, "tree", "[2 Tree"},
    {SAMPLE, "callers", "[3 Callers"},
    {SAMPLE, "bottom-up", "[3 Callers"},
    {SAMPLE, "flame", "[4 Flame"},
    {SAMPLE, "calls", "[5 Calls"},
    {SAMPLE, "threads", "[6 Threads"},
    {SAMPLE, "timeline", "[7 Time"},
    {SAMPLE, "info", "[0 Info"},
    {SAMPLE, "slow", "[! Slow"},
    {SAMPLE, "findings", "[! Slow"},
    {SAMPLE, "order", "[F8 Order"},
    {SAMPLE, "sequence", "[F8 Order"},
    {SAMPLE, "packages", "[v Packages"},
    {SAMPLE, "0:order", "[F8 Order"},
    {SAMPLE, "2:packages", "[v Packages"},
    {SAMPLE, "details", "[i Details"},
    {SAMPLE, "view-tree", "[2 Tree"},
    {SAMPLE, "diff", "expected the earlier trace"},
    {SAMPLE, "frames", "frames: the trace has no frames of the display"},
    {SAMPLE, "cpu", "tags need a system trace"},
    {SAMPLE, "choose-threads", "in/out"},
    {SAMPLE, "sort incl", "sorted by Incl ms, descending"},
    {SAMPLE, "sort +calls", "sorted by Calls, ascending"},
    {SAMPLE, "sort", "sort by"},
    {SAMPLE, "sort nothing", "no column 'nothing' here"},
    {SAMPLE, "7:sort calls", "sort does nothing in this view"},
    {SAMPLE, "6:sort name", "sorted by"},
    {SAMPLE, "thread main", "only this thread"},
    {SAMPLE, "thread 4111", "only this thread"},
    {SAMPLE, "thread nobody", "no thread 'nobody'"},
    {SAMPLE, "thread main<Enter>:thread all<Enter>", "all threads"},
    {LOG, "frames", "[F7 Frames"},
    {LOG, "slices", "[5 Slices"},
    {LOG, "parents", "[3 Parents"},
    {LOG, "cpu", "[9 CPU"},
    {LOG, "log", "[9 CPU"},
    {LOG, "process 200", "only its threads"},
    /* Completed. */
    {SAMPLE, "flam<Tab>", "[4 Flame"},
    {SAMPLE, "sort inc<Tab><Tab>", "sorted by Incl"},
    {SAMPLE, "thread ma<Tab>", "only this thread"},
    /* Next and previous of what the list is about: a finding, not its evidence; a thread. */
    {SAMPLE, "slow<Enter>+]", "2/"},
    {SAMPLE, "threads<Enter>]", "2/"},
    {SAMPLE, "threads<Enter>[", "this is the first one"},
};

static void
word_shows(int i)
{
	struct pty_options o = {.columns = 120};
	struct pty *p = desk_start(&o, opened_words[worded[i].opened]);
	const char *line = worded[i].line, *colon = strchr(line, ':');

	pty_expect(p, "help");
	/* From a view, whose key is before it. */
	if (colon == NULL || colon != line + 1)
		pty_keys(p, ":");
	pty_keys(p, line);
	if (strstr(line, "<Enter>") == NULL)
		pty_keys(p, "<Enter>");
	if (!ok(pty_expect(p, worded[i].shows), ":%s: %s", line, worded[i].shows))
		diag("%s", pty_screen(p));
	pty_free(p);
}

/* Keys that can do nothing for the trace say why, and the view stays. */
static const struct {
	enum opened opened;
	const char *keys, *says, *shows;
} refused[] = {
    {SAMPLE, "8", "no comparison (:diff FILE)", "[1"},
    {SAMPLE, "9", "need a system trace", "[1"},
    {SAMPLE, "@", "need a system trace", "[1"},
    {SAMPLE, "L", "need a system trace", "[1"},
    {SAMPLE, "7F", "need a system trace", "[7"},
    {SAMPLE, "<F7>", "no frames of the display", "[1"},
    {SAMPLE, "!!", "no frames of the display", "[!"},
    {LOG, "8", "no comparison (:diff FILE)", "[1"},
    {LOG, "2F", "no slice", "[2"},
};

static void
says_why(int i)
{
	struct pty_options o = {0};
	struct pty *p = desk_start(&o, opened_words[refused[i].opened]);

	pty_expect(p, "help");
	pty_keys(p, refused[i].keys);
	ok(pty_expect(p, refused[i].says), "%s: %s", refused[i].keys, refused[i].says);
	ok(pty_shows(p, refused[i].shows), "%s: %s", refused[i].keys, refused[i].shows);
	pty_free(p);
}

int
main(void)
{
	desk_begin("t-keys");
	desk_sample("sample.trace", "sample.trace.txt");
	desk_sample("before.trace", "before.trace.txt");
	desk_copy("sample.ftrace", "sample.ftrace.txt");
		tap_each(sizeof(telling) / sizeof(telling[0]), DESK_AT_ONCE, no_key_is_silent);
		tap_each(sizeof(telling) / sizeof(telling[0]), DESK_AT_ONCE, no_list_strays);
		tap_each(HELPED, DESK_AT_ONCE, help_is_the_table);
		tap_each(sizeof(views) / sizeof(views[0]), DESK_AT_ONCE, every_key_is_harmless);
	tap_each(sizeof(ways) / sizeof(ways[0]), DESK_AT_ONCE, way_back);
	tap_each(sizeof(jumps) / sizeof(jumps[0]), DESK_AT_ONCE, jump_back);
	tap_each(sizeof(worded) / sizeof(worded[0]), DESK_AT_ONCE, word_shows);
	tap_each(sizeof(refused) / sizeof(refused[0]), DESK_AT_ONCE, says_why);
	return desk_end();
}
#endif
