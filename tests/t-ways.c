// SPDX-License-Identifier: Apache-2.0
/*
 * The way into the terminal program and out of it, and what holds in between: stopped and
 * continued, at any size, silent, and the same when all is drawn again.
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
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/desk.h"
#include "tui/pty_state.h"

static void
ways_out(void)
{
	static const struct {
		const char *keys;
		int signal, status;
	} table[] = {
	    {"q", 0, 0},
	    {"Q", 0, 0},
	    {"<F10>", 0, 0},
	    {"<C-c><C-c>", 0, 130},
	    {"/abcQq<Escape>", SIGTERM, -SIGTERM},
	    {"?", SIGHUP, -SIGHUP},
	    {"7", SIGINT, -SIGINT},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct pty_options o = {0};
		struct pty *p = desk_start(&o, "sample.trace");
		int status = 0, got;

		pty_expect(p, "help");
		pty_keys(p, table[i].keys);
		if (table[i].signal != 0) {
			pty_settle(p, 100);
			pty_signal(p, table[i].signal);
		}
		ok(pty_ended(p, &status), "%s, signal %d: ends", table[i].keys,
		    table[i].signal);
		got = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
		is_int(got, table[i].status, "%s, signal %d: status", table[i].keys,
		    table[i].signal);
		ok(pty_restored(p) && !pty_alternate(p) && pty_cursor_visible(p),
		    "%s, signal %d: terminal as it was", table[i].keys, table[i].signal);
		pty_free(p);
	}
}

#define SCREEN "\033[?1049h"
#define COLOUR "\033[38;5;"
#define BLOCK  "\342\226" /* of the timeline, in UTF-8 */

/* What options and the environment make of the start; ended by Q. */
static void
ways_in(void)
{
	static const char *const no_color[] = {"NO_COLOR=1", NULL};
	static const struct {
		const char *words;
		const char *const *env;
		int status;
		const char *has, *lacks; /* what is written */
	} table[] = {
	    {"sample.trace", NULL, 0, SCREEN, NULL},
	    {"sample.trace", NULL, 0, COLOUR, NULL},
	    {"--color=never sample.trace", NULL, 0, SCREEN, COLOUR},
	    {"sample.trace", no_color, 0, SCREEN, COLOUR},
	    {"--color=always sample.trace", no_color, 0, COLOUR, NULL},
	    {"sample.trace", NULL, 0, BLOCK, NULL},
	    {"--ascii sample.trace", NULL, 0, SCREEN, BLOCK},
	    {"--strict many.trace", NULL, 0, SCREEN, NULL},
	    {"--strict sample.trace", NULL, 3, "slowtop: sample.trace: ", NULL},
	    {"--format=csv sample.trace", NULL, 0, "id,class,", SCREEN},
	    {"none.trace", NULL, 2, "slowtop: none.trace: ", SCREEN},
	    {"--sort=x sample.trace", NULL, 2, "invalid value 'x'", SCREEN},
	    {"--sort=over sample.trace", NULL, 0, "this has no column 'over'", NULL},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct pty_options o = {.env = table[i].env};
		struct pty *p = desk_start(&o, table[i].words);
		int status = -1;

		if (table[i].lacks == NULL || strcmp(table[i].lacks, SCREEN) != 0)
			pty_expect(p, "help");
		pty_settle(p, 100);
		pty_bytes(p, "Q", 1);
		ok(pty_ended(p, &status) && WEXITSTATUS(status) == table[i].status, "%s: status %d",
		    table[i].words, table[i].status);
		ok(pty_wrote(p, table[i].has), "%s: what is there", table[i].words);
		ok(table[i].lacks == NULL || !pty_wrote(p, table[i].lacks), "%s: what is not",
		    table[i].words);
		pty_free(p);
	}
}

/* No text of the last line is left beside the prompt that follows. */
static void
no_other_screen(void)
{
	struct pty_options o = {.term = "vt100"};
	struct pty *p = desk_start(&o, "sample.trace");
	int status;

	ok(pty_expect(p, "help") && pty_row(p, 23)[0] != '\0', "vt100: a last line");
	pty_bytes(p, "Q", 1);
	ok(pty_ended(p, &status), "vt100: ends");
	is_str(pty_row(p, 23), "", "vt100: and the line is free");
	pty_free(p);
}

static void
hang_up(void)
{
	struct pty_options o = {0};
	struct pty *p = desk_start(&o, "sample.trace");
	int status;

	pty_expect(p, "help");
	pty_hangup(p);
	ok(pty_ended(p, &status), "a hang-up ends it");
	pty_free(p);
}

static void
suspend_and_resize(void)
{
	static const int sizes[][2] = {{50, 160}, {1, 1}, {2, 200}, {100, 300}, {7, 40},
	    {8, 40}, {16, 60}, {300, 20}, {24, 80}};
	struct pty_options o = {0};
	struct pty *p = desk_start(&o, "sample.trace");
	char *before;

	pty_expect(p, "help");
	pty_settle(p, 100);
	before = strdup(pty_screen(p));
	pty_keys(p, "<C-z>");
	ok(pty_stopped(p), "^Z stops it");
	pty_settle(p, 50);
	ok(pty_restored(p) && !pty_alternate(p) && pty_cursor_visible(p),
	    "stopped: terminal as it was");
	pty_continue(p);
	ok(pty_expect_screen(p, before), "goes on with the same screen");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		pty_resize(p, sizes[i][0], sizes[i][1]);
		/* Where too little room is, keys do nothing: all of them, or none. */
		pty_settle(p, 150);
		pty_keys(p, "jk<Tab>w?j");
		pty_keys(p, "\033<Tab>S");
		pty_settle(p, 30);
		if (sizes[i][0] >= 8 && sizes[i][1] >= 40)
			ok(pty_expect(p, "thread"), "%d rows, %d columns",
			    sizes[i][0], sizes[i][1]);
	}
	pty_keys(p, "jjg");
	ok(pty_expect_screen(p, before), "and back to the same screen");
	free(before);
	desk_quit(p, "\033Q", "resized");
}

static void
no_bytes_when_idle(void)
{
	struct pty_options o = {0};
	struct pty *p = desk_start(&o, "sample.trace");

	pty_expect(p, "help");
	pty_settle(p, 300);
	is_int((int64_t)pty_settle(p, 1000), 0, "a second of nothing sends nothing");
	pty_keys(p, "<Tab>");
	pty_settle(p, 300);
	is_int((int64_t)pty_settle(p, 1000), 0, "nor with the timeline focused");
	desk_quit(p, "\033Q", "idle");
}

static void
redraw_changes_nothing(void)
{
	static const char *const where[] = {
	    "", "jj<Enter>", "<Tab>ll", "0", "?", "t", "/ab", "&("};

	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		struct pty_options o = {0};
		struct pty *p = desk_start(&o, "sample.trace");
		char *before;

		pty_expect(p, "help");
		pty_keys(p, where[i]);
		pty_settle(p, 200);
		before = strdup(pty_screen(p));
		pty_keys(p, "<C-l>");
		ok(pty_settle(p, 200) > 500, "'%s' ^L: all is sent again", where[i]);
		ok(pty_expect_screen(p, before), "'%s' ^L: the same screen", where[i]);
		free(before);
		pty_free(p);
	}
}

static void
paste_is_no_command(void)
{
	struct pty_options o = {0};
	struct pty *p = desk_start(&o, "sample.trace");
	char *before;

	pty_expect(p, "help");
	/* The last line's own message goes with the next key. */
	pty_keys(p, "j");
	pty_settle(p, 200);
	before = strdup(pty_screen(p));
	pty_keys(p, "\033[200~qQ\rxx\003\032\033[201~");
	ok(pty_expect(p, "pasted text is not a command"), "a paste outside of a prompt is told");
	pty_keys(p, "<C-l><Escape>");
	ok(pty_expect_screen(p, before), "and does nothing");
	pty_keys(p, "/\033[200~js\ron\033[201~");
	ok(pty_expect(p, "/json"), "in a prompt it is text");
	free(before);
	desk_quit(p, "\033Q", "pasted");
}

/* Waits until the program blocks in writing: then it leaves keys alone. */
static bool
write_blocks(struct pty *p)
{
	for (int i = 0; i < 200; i++) {
		int left = 1;

		pty_keys(p, "<C-l>");
		for (int k = 0; k < 60 && left > 0; k++) {
			usleep(5000);
			ioctl(p->slave, FIONREAD, &left);
		}
		if (left > 0)
			return true;
	}
	return false;
}

/*
 * The key that sends many rows to the pager, and then another size: the latter is noticed
 * only when the key has been read, since signals wait while there is input.
 */
static void
resized_while_written(void)
{
	static const char *const env[] = {"PAGER=true", NULL};
	struct pty_options o = {.env = env, .rows = 50, .columns = 160};
	struct pty *p = desk_start(&o, "many.trace");

	pty_expect(p, "help");
	pty_settle(p, 100);
	if (!ok(write_blocks(p), "it waits to be read from"))
		return;
	pty_keys(p, "|");
	pty_resize(p, 30, 100);
	for (int i = 0; i < 100 && strstr(pty_row(p, 29), "filter") == NULL; i++)
		pty_settle(p, 50);
	if (!ok(strstr(pty_row(p, 29), "filter") != NULL, "written to the pager at another size"))
		diag("%s", pty_screen(p));
	desk_quit(p, "Q", "resized while written");
}

static void (*const parts[])(void) = {
    ways_in,
    ways_out,
    no_other_screen,
    hang_up,
    suspend_and_resize,
    resized_while_written,
    no_bytes_when_idle,
    redraw_changes_nothing,
    paste_is_no_command,
};

static void
part(int i)
{
	parts[i]();
}

int
main(void)
{
	desk_begin("t-ways");
	desk_sample("sample.trace", "sample.trace.txt");
	desk_trace("many.trace", "--records=60k --methods=20k --threads=3");
	tap_each(sizeof(parts) / sizeof(parts[0]), DESK_AT_ONCE, part);
	return desk_end();
}
#endif
