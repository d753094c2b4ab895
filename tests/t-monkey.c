// SPDX-License-Identifier: Apache-2.0
/*
 * Random keys, pasted text, broken bytes and changes of the size: the program goes on,
 * what it shows is what it would draw anew, it falls silent, and it gives the terminal
 * back.  SLOWTOP_MONKEY=N presses N keys a run (default 200), SLOWTOP_MONKEY_SEED=N
 * begins with another seed.
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

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/desk.h"
#include "tui/keys/commands.h"
#include "tui/keys/key.h"

enum { EVERY = 20, TRIES = 5, LAST = 30 };

static uint64_t state;

static unsigned
draw(unsigned limit)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % limit;
}

/* What people type and terminals send besides single keys. */
static const char *const phrases[] = {
    "/a<Enter>",
    "/.*<Enter>",
    "/[(<Enter>",
    "/<Tab><Tab>",
    "&o<Enter>",
    "&!a<Enter>",
    "&<C-u><Enter>",
    "<Escape>",
    "<Escape>",
    "\033j",
    ":5<Enter>",
    ":99999<Enter>",
    ":0.01s<Enter>",
    ":set theme=light<Enter>",
    ":set units=auto<Enter>",
    ":set keys.down=x j<Enter>",
    ":s<Tab><Tab><Tab>",
    ":set columns.class=on<Enter>",
    ":save<Enter>",
    ":nonsense<Enter>",
    "\033[200~pasted\rtext\003\033[201~",
    "\033[<0;10;10M",
    "\033[<64;10;10M",
    "\033[",
    "\033O",
    "\xff\xc3",
    "\033]11;rgb:0/0/0\a",
    "\xc3\xa9",
    "\xe6\x97\xa5",
    "~",
    "xf",
    "xx",
    /* Where two traces are compared: */
    ":diff other.trace<Enter>",
    ":diff other.trace<Enter>8",
    ":diff<Enter>",
};

enum { PHRASES = sizeof(phrases) / sizeof(phrases[0]), OF_TWO = 3 };

/* Keys that end or stop the program, or are other programs'. */
static bool
is_tame(const struct command *b)
{
	static const char *const wild[] = {"close", "quit", "suspend", "interrupt"};

	for (size_t i = 0; i < sizeof(wild) / sizeof(wild[0]); i++)
		if (strcmp(b->name, wild[i]) == 0)
			return false;
	/* What closes a list or a prompt ends the program where none is open. */
	return !keys_have(b->keys, "<C-c>") && !keys_have(b->keys, "<F10>");
}

/* One of a list of names. */
static void
pick(const char *keys, char out[static 40])
{
	unsigned count = 1;
	const char *at = keys;

	for (const char *p = keys; *p != '\0'; p++)
		count += *p == ' ';
	for (unsigned i = draw(count); i > 0; i--)
		at = strchr(at, ' ') + 1;
	snprintf(out, 40, "%.*s", (int)strcspn(at, " "), at);
	if (strcmp(out, "<") == 0)
		strcpy(out, "<lt>");
}

struct run {
	struct pty *p;
	char last[LAST][40]; /* what was pressed, for the report of a failure */
	int pressed;
	bool compared; /* with a second trace */
};

static void
press(struct run *run)
{
	static const int sizes[][2] = {{24, 80}, {50, 160}, {8, 40}, {10, 45}, {1, 1},
	    {16, 60}, {7, 100}, {100, 300}, {24, 80}};
	char *key = run->last[run->pressed++ % LAST];
	unsigned kind = draw(100);

	if (kind < 3) {
		unsigned i = draw(sizeof(sizes) / sizeof(sizes[0]));

		snprintf(key, 40, "(%dx%d)", sizes[i][1], sizes[i][0]);
		pty_resize(run->p, sizes[i][0], sizes[i][1]);
	} else if (kind < 15) {
		snprintf(key, 40, "%s", phrases[draw(PHRASES - (run->compared ? 0 : OF_TWO))]);
		pty_keys(run->p, key);
	} else {
		const struct command *b;

		do
			b = &tui_commands[draw((unsigned)tui_command_count)];
		while (!is_tame(b));
		pick(b->keys, key);
		pty_keys(run->p, key);
	}
	pty_settle(run->p, 2);
}

static void
tell(const struct run *run)
{
	for (int i = run->pressed > LAST ? run->pressed - LAST : 0; i < run->pressed; i++)
		diag("pressed %s", run->last[i % LAST]);
}

/* Drawn anew the screen is the same, once all answers have come. */
static bool
is_settled(struct run *run)
{
	for (int i = 0; i < TRIES; i++) {
		char *before;
		bool same;

		pty_settle(run->p, 250);
		before = strdup(pty_screen(run->p));
		pty_keys(run->p, "<C-l>");
		pty_settle(run->p, 250);
		same = strcmp(before, pty_screen(run->p)) == 0;
		if (!same && i == TRIES - 1) {
			diag("before:");
			for (char *line = strtok(before, "\n"); line != NULL;
			     line = strtok(NULL, "\n"))
				diag("|%s|", line);
			diag("after:");
			for (int row = 0; row < 24; row++)
				diag("|%s|", pty_row(run->p, row));
		}
		free(before);
		if (same)
			return true;
	}
	return false;
}

static void
one_run(const struct pty_options *o, bool compared, unsigned seed, int count)
{
	struct run run = {.compared = compared};
	bool good = true;
	char name[40];

	state = seed;
	run.p = desk_start(o, compared ? "diff other.trace monkey.trace" : "monkey.trace");
	pty_expect(run.p, compared ? "MORE TIME" : "help");
	while (good && run.pressed < count) {
		for (int i = 0; i < EVERY; i++)
			press(&run);
		good = is_settled(&run);
	}
	if (!ok(good, "seed %u, %s, %d keys: the screen is what would be drawn", seed,
		o->term != NULL ? o->term : "xterm-256color", run.pressed))
		tell(&run);
	pty_resize(run.p, 24, 80);
	pty_keys(run.p, "\033");
	pty_settle(run.p, 100);
	pty_keys(run.p, "\0331S");
	if (!ok(pty_expect(run.p, "monkey.tra"), "seed %u: the profile is there", seed)) {
		tell(&run);
		for (int row = 0; row < 24; row++)
			diag("|%s|", pty_row(run.p, row));
	}
	pty_settle(run.p, 400);
	is_int((int64_t)pty_settle(run.p, 500), 0, "seed %u: silent when idle", seed);
	snprintf(name, sizeof(name), "seed %u", seed);
	if (!desk_quit(run.p, "\033Q", name))
		tell(&run);
}

static int
number(const char *variable, int otherwise)
{
	const char *value = getenv(variable);

	return value != NULL && *value != '\0' ? atoi(value) : otherwise;
}

static const char *const env[] = {"PAGER=true", "VISUAL=true", NULL};
static const struct pty_options runs[] = {
    {.env = env},
    {.env = env, .rows = 50, .columns = 160},
    {.env = env, .term = "vt100", .locale = "C"},
    {.env = env, .term = "screen-256color", .rows = 30, .columns = 100},
    {.env = env}, /* begins with the comparison */
};
enum { RUNS = sizeof(runs) / sizeof(runs[0]) };

static void
run(int i)
{
	one_run(&runs[i], i + 1 == RUNS, (unsigned)(number("SLOWTOP_MONKEY_SEED", 1) + i),
	    number("SLOWTOP_MONKEY", 200));
}

int
main(void)
{
	desk_begin("t-monkey");
	desk_trace("monkey.trace", "--records=20k --threads=7 --methods=300 --seed=5");
	desk_trace("other.trace", "--records=20k --threads=7 --methods=300 --seed=6");
	tap_each(RUNS, DESK_AT_ONCE, run);
	return desk_end();
}
#endif
