// SPDX-License-Identifier: Apache-2.0
/*
 * The terminal layer in a pseudo-terminal: key names, modes on and off on every way
 * out, size, suspend, colours by TERM and NO_COLOR, UTF-8 and C locales.
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

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tui/pty.h"

#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

static char program[4096];

static struct pty *
start(const struct pty_options *o, const char *a, const char *b)
{
	const char *argv[] = {program, a, b, NULL};
	struct pty *p = pty_start(o, argv);

	pty_expect(p, o->columns == 1 ? "s" : "size ");
	return p;
}

static void
keys_have_names(void)
{
	static const struct {
		const char *bytes, *names;
	} table[] = {
	    {"j", "keys j\n"},
	    {"<", "keys <\n"},
	    {" ", "keys <Space>\n"},
	    {"\r", "keys <Enter>!\n"},
	    {"\t", "keys <Tab>!\n"},
	    {"\177", "keys <Backspace>!\n"},
	    {"\b", "keys <Backspace>!\n"},
	    {"\001", "keys <C-a>!\n"},
	    {"\003", "keys <C-c>!\n"},
	    {"\021\023", "keys <C-q>! <C-s>!\n"},
	    {"\033[A\033OA", "keys <Up>! <Up>!\n"},
	    {"\033OP\033[11~", "keys <F1>! <F1>!\n"},
	    {"\033[Z", "keys <S-Tab>!\n"},
	    {"\033[6~", "keys <PageDown>!\n"},
	    {"\033[1~\033[4~", "keys <Home>! <End>!\n"},
	    {"\033[3~", "keys <Delete>!\n"},
	    {"\033", "keys <Escape>!\n"},
	    {"\033j", "keys <M-j>!\n"},
	    {"\303\251", "keys \303\251\n"},
	    /* A paste is text, whatever is in it. */
	    {"\033[200~q\rx\033[201~y", "keys ~q ~<Enter>! ~x y\n"},
	    /* Unasked answers of a terminal. */
	    {"\033[?62;c\033[99~j", "keys j\n"},
	    /* Nor is there a key with marks, though its last byte is one's. */
	    {"\033[/R\033[ A\033[?Aj", "keys j\n"},
	    {"\033[/\tRj", "keys j\n"},
	};
	struct pty_options o = {0};
	struct pty *p = start(&o, "wait", "150");
	int status;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		pty_keys(p, "<C-l>");
		pty_expect(p, "\nkeys\n");
		pty_bytes(p, table[i].bytes, strlen(table[i].bytes));
		if (!ok(pty_expect(p, table[i].names), "%s", table[i].names))
			diag("screen: %s", pty_row(p, 1));
	}
	pty_keys(p, "q");
	ok(pty_ended(p, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0,
	    "q ends it");
	pty_free(p);
}

/* Garbage may say that a paste begins. */
static void
pastes_end(void)
{
	static const struct {
		const char *key, *names, *after;
	} table[] = {
	    {"<Escape>", "keys ~q ~<C-c>! ~x <Escape>!\n", "<Escape>! y\n"},
	    {"<C-c>", "keys ~q ~<C-c>! ~x <C-c>!\n", "<C-c>! y\n"},
	};
	struct pty_options o = {0};
	struct pty *p = start(&o, "wait", "150");
	int status;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		pty_keys(p, "<C-l>");
		pty_expect(p, "\nkeys\n");
		/* In the middle of a text it is no way out. */
		pty_bytes(p, "\033[200~q\003x", 9);
		pty_expect(p, "~x");
		pty_settle(p, 200);
		pty_keys(p, table[i].key);
		ok(pty_expect(p, table[i].names), "%s in a paste without end", table[i].key);
		pty_keys(p, "y");
		if (!ok(pty_expect(p, table[i].after), "ends it"))
			diag("screen: %s", pty_row(p, 1));
	}
	pty_keys(p, "q");
	ok(pty_ended(p, &status), "keys are keys again");
	pty_free(p);
}

static void
is_restored(struct pty *p, const char *how)
{
	ok(pty_restored(p), "%s: line settings as before", how);
	ok(!pty_alternate(p), "%s: main screen", how);
	ok(pty_cursor_visible(p), "%s: cursor visible", how);
	ok(pty_wrote(p, PASTE_OFF), "%s: paste mode off", how);
	ok(!pty_wrote(p, "\033[?1h") || pty_wrote(p, "\033[?1l"), "%s: keypad mode off",
	    how);
}

static void
ways_out(void)
{
	const struct {
		const char *how, *key;
		int signal;
		int status;
	} table[] = {
	    {"quit", "q", 0, 0},
	    {"SIGTERM", NULL, SIGTERM, -SIGTERM},
	    {"SIGHUP", NULL, SIGHUP, -SIGHUP},
	    {"SIGINT", NULL, SIGINT, -SIGINT},
	    {"fault", "C", 0, -SIGSEGV},
	    {"abort from outside", NULL, SIGABRT, -SIGABRT},
	    {"SIGQUIT", NULL, SIGQUIT, -SIGQUIT},
	    {"SIGXCPU", NULL, SIGXCPU, -SIGXCPU},
	    {"SIGUSR1", NULL, SIGUSR1, -SIGUSR1},
	    {"SIGUSR2", NULL, SIGUSR2, -SIGUSR2},
	    {"SIGALRM", NULL, SIGALRM, -SIGALRM},
	    {"SIGTRAP", NULL, SIGTRAP, -SIGTRAP},
	    {"SIGSYS", NULL, SIGSYS, -SIGSYS},
	    {"SIGPIPE", NULL, SIGPIPE, -SIGPIPE},
	    {"SIGVTALRM", NULL, SIGVTALRM, -SIGVTALRM},
	    {"SIGPROF", NULL, SIGPROF, -SIGPROF},
	    {"SIGIO", NULL, SIGIO, -SIGIO},
	    {"SIGPWR", NULL, SIGPWR, -SIGPWR},
	    {"SIGSTKFLT", NULL, SIGSTKFLT, -SIGSTKFLT},
	    {"a real-time signal", NULL, SIGRTMAX, -SIGRTMAX},
	    {"out of memory", "E", 0, 2},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct pty_options o = {0};
		struct pty *p = start(&o, NULL, NULL);
		int status = 0, got;

		if (i == 0) {
			ok(pty_alternate(p), "alternate screen while running");
			ok(!pty_cursor_visible(p), "no cursor while running");
			ok(pty_wrote(p, PASTE_ON), "paste mode on");
			ok(pty_wrote(p, "\033[?1000h"), "mouse on");
			ok(!pty_restored(p), "line settings are ours");
		}
		if (table[i].key != NULL)
			pty_keys(p, table[i].key);
		else
			pty_signal(p, table[i].signal);
		ok(pty_ended(p, &status), "%s: ends", table[i].how);
		got = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
#if defined(TAP_SANITIZED)
		if (table[i].key != NULL && *table[i].key == 'C')
			skip("the sanitizer takes the fault");
		else
#endif
		{
			is_int(got, table[i].status, "%s: status", table[i].how);
			is_restored(p, table[i].how);
		}
		pty_free(p);
	}
}

/* More is to be written than the terminal takes: it reads no more. */
static void
ways_out_of_a_full_terminal(void)
{
	static const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGUSR1, SIGALRM};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct pty_options o = {.rows = 200, .columns = 400};
		const char *argv[] = {program, "full", NULL};
		const char *name = strsignal(signals[i]);
		struct pty *p = pty_start(&o, argv);
		int status = 0;

		pty_fill(p);
		pty_signal(p, signals[i]);
		ok(pty_ended_unread(p, &status), "%s: ends while its output is not read", name);
		is_int(WIFSIGNALED(status) ? WTERMSIG(status) : 0, signals[i], "%s: by it", name);
		pty_settle(p, 100);
		is_restored(p, name);
		pty_free(p);
	}
}

static void
hangs_up(void)
{
	struct pty_options o = {0};
	struct pty *p = start(&o, NULL, NULL);
	int status;

	pty_hangup(p);
	ok(pty_ended(p, &status), "a hang-up ends it");
	pty_free(p);
}

static void
suspends(const char *term)
{
	struct pty_options o = {.term = term};
	struct pty *p = start(&o, NULL, NULL);
	int status;

	diag("suspending with TERM=%s", term);
	pty_keys(p, "a<C-z>");
	ok(pty_stopped(p), "^Z stops the job");
	pty_settle(p, 50);
	is_restored(p, "stopped");
	pty_resize(p, 30, 100);
	pty_continue(p);
	ok(pty_expect(p, "size 100x30"), "continued with a new size");
	ok(!pty_cursor_visible(p), "continued: modes are back");
	pty_keys(p, "b");
	ok(pty_expect(p, "keys a <C-z>! b\n"), "continued: keys arrive");

	pty_signal(p, SIGTSTP);
	ok(pty_stopped(p), "so does SIGTSTP");
	pty_continue(p);
	pty_keys(p, "c");
	ok(pty_expect(p, " b c\n"), "and it goes on again");

	/* Stopped without being asked. */
	pty_signal(p, SIGSTOP);
	ok(pty_stopped(p), "SIGSTOP stops it");
	pty_continue(p);
	pty_keys(p, "d");
	ok(pty_expect(p, " b c d\n"), "SIGCONT: goes on");
	pty_keys(p, "q");
	ok(pty_ended(p, &status) && WEXITSTATUS(status) == 0, "and quits");
	is_restored(p, "after all that");
	pty_free(p);
}

static void
sizes(void)
{
	static const int table[][2] = {
	    {50, 160}, {1, 1}, {2, 3}, {100, 300}, {8, 40}, {600, 1200}, {24, 80}};
	struct pty_options o = {0};
	struct pty *p = start(&o, NULL, NULL);
	int status;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char want[40];
		int rows = table[i][0], columns = table[i][1];

		pty_resize(p, rows, columns);
		snprintf(want, sizeof(want), "size %dx%d",
		    columns > 1000 ? 1000 : columns, rows > 500 ? 500 : rows);
		want[columns < (int)strlen(want) ? columns : (int)strlen(want)] = '\0';
		pty_settle(p, 60);
		ok(pty_expect(p, want), "%d columns, %d rows", columns, rows);
	}
	pty_keys(p, "q");
	ok(pty_ended(p, &status) && WEXITSTATUS(status) == 0, "still quits");
	pty_free(p);
}

/* The terminal knows its size; the environment may be wrong, or from elsewhere. */
static void
size_is_the_terminals(void)
{
	static const char *const env[] = {"LINES=77", "COLUMNS=7", NULL};
	struct pty_options o = {.env = env, .rows = 30, .columns = 90};
	struct pty *p = start(&o, NULL, NULL);

	ok(pty_expect(p, "size 90x30"), "LINES and COLUMNS are not believed");
	pty_free(p);
	o = (struct pty_options){.rows = 1, .columns = 1};
	p = start(&o, NULL, NULL);
	pty_resize(p, 24, 80);
	ok(pty_expect(p, "size 80x24"), "starts in one cell and grows");
	pty_free(p);
}

static void
looks(void)
{
	static const char *const no_color[] = {"NO_COLOR=1", NULL};
	static const char *const no_color_empty[] = {"NO_COLOR=", NULL};
	static const struct {
		const char *term, *locale;
		const char *const *env;
		const char *option;
		bool colour;
	} table[] = {
	    {"xterm-256color", "C.UTF-8", NULL, NULL, true},
	    {"xterm-256color", "C", NULL, NULL, true},
	    {"screen-256color", "C.UTF-8", NULL, NULL, true},
	    {"linux", "C.UTF-8", NULL, NULL, true},
	    {"vt100", "C.UTF-8", NULL, NULL, false},
	    {"vt100", "C", NULL, NULL, false},
	    {"xterm-256color", "C.UTF-8", no_color, NULL, false},
	    {"xterm-256color", "C.UTF-8", no_color_empty, NULL, true},
	    {"xterm-256color", "C.UTF-8", no_color, "always", true},
	    {"xterm-256color", "C.UTF-8", NULL, "never", false},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct pty_options o = {.term = table[i].term,
		    .locale = table[i].locale,
		    .env = table[i].env};
		struct pty *p = start(&o, table[i].option, NULL);
		char name[100];
		int status;

		snprintf(name, sizeof(name), "TERM=%s LC_ALL=%s %s %s", table[i].term,
		    table[i].locale, table[i].env != NULL ? *table[i].env : "",
		    table[i].option != NULL ? table[i].option : "");
		ok(pty_expect(p, "rank  cursor  hit\n"), "%s: text", name);
		if (strcmp(table[i].locale, "C.UTF-8") == 0)
			ok(pty_expect(p, "wide \xe6\x97\xa5\xe6\x9c\xac e\xcc\x81.\n"),
			    "%s: wide and combining", name);
		is_int(pty_any_colour(p), table[i].colour, "%s: colour", name);
		ok(pty_look_of(p, "cursor") & PTY_REVERSE, "%s: cursor line", name);
		ok(pty_look_of(p, "hit") & PTY_UNDERLINE, "%s: hit", name);
		ok(pty_look_of(p, "size") & PTY_BOLD, "%s: title", name);
		pty_keys(p, "q");
		ok(pty_ended(p, &status) && WEXITSTATUS(status) == 0, "%s: quits", name);
		pty_free(p);
	}
}

static void
refusals(void)
{
	static const struct {
		const char *term, *want;
	} table[] = {
	    {"dumb", "refused: terminal type 'dumb' cannot place its cursor"},
	};
	const char *argv[] = {program, NULL};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct pty_options o = {.term = table[i].term};
		struct pty *p = pty_start(&o, argv);
		int status;

		ok(pty_ended(p, &status) && WEXITSTATUS(status) == 2, "TERM=%s: status 2",
		    table[i].term);
		ok(pty_shows(p, table[i].want), "TERM=%s: says why", table[i].term);
		ok(pty_restored(p), "TERM=%s: terminal as it was", table[i].term);
		pty_free(p);
	}
}

/* As on a machine without ncurses-term: it is said, and names those that do the same. */
static void
unknown_terminals(void)
{
	static const struct {
		const char *term, *like;
	} table[] = {
	    {"xterm-slowtop-unknown", "taken for xterm-256color"},
	    {"no-such-terminal", "taken for xterm-256color"},
	    {"tmux-slowtop-unknown", "taken for screen-256color"},
	    {"screen.slowtop-unknown", "taken for screen-256color"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct pty_options o = {.term = table[i].term};
		struct pty *p = start(&o, NULL, NULL);
		int status;

		ok(pty_expect(p, table[i].like), "TERM=%s: %s", table[i].term, table[i].like);
		ok(pty_any_colour(p), "TERM=%s: has colours", table[i].term);
		pty_keys(p, "<Up><F1>");
		ok(pty_expect(p, "keys <Up>! <F1>!\n"), "TERM=%s: has keys", table[i].term);
		pty_keys(p, "q");
		ok(pty_ended(p, &status) && WEXITSTATUS(status) == 0, "TERM=%s: quits",
		    table[i].term);
		is_restored(p, table[i].term);
		pty_free(p);
	}
}

static void
input_from_elsewhere(void)
{
	struct pty_options o = {.input = "/dev/null"};
	struct pty *p = start(&o, NULL, NULL);
	int status;

	pty_keys(p, "x");
	ok(pty_expect(p, "keys x\n"), "keys come from /dev/tty");
	pty_keys(p, "q");
	ok(pty_ended(p, &status) && WEXITSTATUS(status) == 0, "and q quits");
	ok(pty_restored(p), "terminal as it was");
	pty_free(p);
}

int
main(void)
{
	const char *build = getenv("BUILDDIR");

	snprintf(program, sizeof(program), "%s/tests/tui/term-echo",
	    build != NULL ? build : ".");
	keys_have_names();
	pastes_end();
	ways_out();
	ways_out_of_a_full_terminal();
	hangs_up();
	suspends("xterm-256color");
	suspends("linux");
	suspends("screen-256color");
	sizes();
	size_is_the_terminals();
	looks();
	refusals();
	unknown_terminals();
	input_from_elsewhere();
	return tap_done();
}
#endif
