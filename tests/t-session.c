/*
 * A session in a terminal: settings from a file and back into it, and what leaves the
 * program: copies, files, an editor, a pager.
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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/pty.h"

enum { PATH = 4096 };

static char program[PATH], sample[PATH], folder[PATH];

/* The name of a file in the test's folder; valid until the fifth call from then. */
static const char *
in_folder(const char *name)
{
	static char names[5][2 * PATH];
	static int next;

	next = (next + 1) % 5;
	snprintf(names[next], sizeof(names[next]), "%s/%s", folder, name);
	return names[next];
}

static void
write_file(const char *name, const char *text)
{
	FILE *out = fopen(in_folder(name), "w");

	if (out == NULL || fputs(text, out) == EOF || fclose(out) != 0) {
		printf("Bail out! cannot write %s\n", name);
		exit(1);
	}
}

static const char *
read_file(const char *name)
{
	static char text[1 << 16];
	FILE *in = fopen(in_folder(name), "r");
	size_t n = in != NULL ? fread(text, 1, sizeof(text) - 1, in) : 0;

	text[n] = '\0';
	if (in != NULL)
		fclose(in);
	return text;
}

/* Waits for what another process writes. */
static bool
file_has(const char *name, const char *text)
{
	for (int i = 0; i < 300; i++) {
		if (strstr(read_file(name), text) != NULL)
			return true;
		usleep(20000);
	}
	diag("%s: %s", name, read_file(name));
	return false;
}

static struct pty *
start(const char *const *env, const char *option)
{
	const char *argv[] = {program, option != NULL ? option : sample,
	    option != NULL ? sample : NULL, NULL};
	struct pty_options o = {.env = env};
	struct pty *p = pty_start(&o, argv);

	pty_expect(p, "!2");
	return p;
}

static void
quits(struct pty *p, const char *what)
{
	int status = -1;

	pty_bytes(p, "\033:q\r", 4);
	ok(pty_ended(p, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0,
	    "%s: :q quits", what);
	ok(pty_restored(p) && !pty_alternate(p), "%s: terminal as it was", what);
	pty_free(p);
}

/* Settings ---------------------------------------------------------------------- */

static void
settings(void)
{
	char variable[2 * PATH];
	const char *env[] = {variable, NULL};
	struct pty *p;

	snprintf(variable, sizeof(variable), "SLOWTOP_CONFIG=%s", in_folder("config"));
	write_file("config", "# mine\n"
			     "theme = dark\n"
			     "sort = calls\n"
			     "[keys]\n"
			     "down = x\n"
			     "[columns]\n"
			     "excl% = off\n"
			     "class = on 12\n");
	p = start(env, NULL);
	ok(pty_expect(p, "Callsv"), "the order of the file");
	ok(!pty_shows(p, "Excl%"), "a column is gone");
	ok(pty_shows(p, "Class"), "another one is there");
	pty_keys(p, "?");
	ok(pty_expect(p, "*x "), "the help marks a changed key");
	pty_keys(p, "q:set units=auto<Enter>");
	ok(pty_expect(p, "units=auto (:save keeps it)"), "a setting is changed");
	pty_keys(p, "c:set clock?<Enter>");
	ok(pty_expect(p, "clock=cpu"), "so is one by its key");
	pty_keys(p, ":save<Enter>");
	ok(pty_expect(p, "2 settings saved in"), "saved");
	is_str(read_file("config"),
	    "# mine\ntheme = dark\nsort = calls\nunits = auto\nclock = cpu\n[keys]\n"
	    "down = x\n[columns]\nexcl% = off\nclass = on 12\n",
	    "into the file, beside what was there");
	pty_keys(p, ":save<Enter>");
	ok(pty_expect(p, "nothing was changed"), "and only once");
	quits(p, "settings");

	p = start(env, "--color=never");
	pty_keys(p, ":save<Enter>");
	ok(pty_expect(p, "nothing was changed"), "an option is not saved");
	ok(!pty_any_colour(p), "but holds");
	quits(p, "an option");
}

/* Keys of lists and of prompts are given as those of views are. */
static void
keys(void)
{
	char variable[2 * PATH];
	const char *env[] = {variable, NULL};
	struct pty *p;
	int status = -1;

	snprintf(variable, sizeof(variable), "SLOWTOP_CONFIG=%s", in_folder("config"));
	write_file("config", "[keys]\n"
			     "list-down = n\n"
			     "list-choose = l\n"
			     "list-close = <F2>\n"
			     "type-accept = <C-x>\n"
			     "type-erase-line = <M-k>\n");
	p = start(env, NULL);
	pty_keys(p, "o");
	ok(pty_expect(p, "l sort / find F2 close"), "a list shows its keys");
	pty_keys(p, "<Home>n");
	ok(pty_expect(p, " 2/"), "one of them moves");
	pty_keys(p, "j");
	ok(pty_expect(p, "j does nothing in this list (F2 closes it)"), "another no more");
	pty_keys(p, "l");
	ok(pty_expect_gone(p, "F2 close"), "one chooses");
	pty_keys(p, "&nothing\033kjson<Enter><C-x>");
	ok(pty_expect(p, "filter json"), "so it is in prompts, with Meta, too");
	pty_keys(p, "?/while typing<C-x>");
	ok(pty_expect(p, "*^X "), "the help has them, and marks them");
	ok(pty_shows(p, "*M-k "), "under their heading, which is found");
	pty_keys(p, "<F2>");
	ok(pty_expect_gone(p, "while typing"), "and is closed");
	pty_keys(p, ":list-down<C-x>");
	ok(pty_expect(p, "there is no action 'list-down'"), "none of them can be told by name");
	pty_keys(p, "<Escape>");
	pty_settle(p, 100);
	pty_keys(p, "Q");
	ok(pty_ended(p, &status) && status == 0, "Q quits");
	pty_free(p);
}

static void
faults(void)
{
	char variable[2 * PATH];
	const char *env[] = {variable, NULL};
	const char *const none[] = {"SLOWTOP_CONFIG=/dev/null/no/file", NULL};
	struct pty *p;

	snprintf(variable, sizeof(variable), "SLOWTOP_CONFIG=%s", in_folder("config"));
	write_file("config", "# mine\ntheme = pink\nfoo = 1\nsort = calls\n");
	p = start(env, NULL);
	ok(pty_expect(p, "configuration, line 2: theme: want one of: "),
	    "a fault is told with its line");
	ok(pty_shows(p, "Callsv"), "the rest holds");
	ok(pty_wrote(p, "config: line 3: there is no setting 'foo'"),
	    "all of them on standard error");
	quits(p, "faults");
	p = start(none, NULL);
	ok(pty_expect(p, "Incl%v"), "no file is needed");
	pty_keys(p, ":set theme=mono<Enter>:save<Enter>");
	ok(pty_expect(p, "Not a directory"), "one that cannot be saved is told");
	quits(p, "no file");
}

/* Out ----------------------------------------------------------------------------- */

static void
copies(void)
{
	char variable[2 * PATH], command[2 * PATH];
	const char *env[] = {variable, NULL};
	struct pty *p = start(NULL, NULL);

	pty_keys(p, "gjy");
	ok(pty_expect(p, "copied: "), "a name is copied");
	ok(pty_wrote(p, "\033]52;c;"), "by the terminal");
	pty_keys(p, "Y");
	ok(pty_expect(p, "copied, 2 lines: Incl%"), "a row with its stack");
	pty_keys(p, ":set clipboard=off<Enter>y");
	ok(pty_expect(p, "not copied: the setting clipboard is off"), "or not at all");
	quits(p, "copies");

	write_file("clip", "#! /bin/sh\ncat >\"$1\"\n");
	chmod(in_folder("clip"), 0755);
	snprintf(command, sizeof(command), "clipboard = cmd:%s %s\n", in_folder("clip"),
	    in_folder("clipped"));
	write_file("config", command);
	snprintf(variable, sizeof(variable), "SLOWTOP_CONFIG=%s", in_folder("config"));
	p = start(env, NULL);
	pty_keys(p, "gjy");
	ok(pty_expect(p, "copied: "), "a program gets it");
	ok(file_has("clipped", "com.example.feed.Prefetch.run()V"), "as it is");
	pty_keys(p, ":set clipboard=cmd:/nowhere/at/all<Enter>y");
	ok(pty_expect(p, "not copied: cannot run"), "one that is not there is told");
	pty_keys(p, ":set clipboard=cmd:false<Enter>y");
	ok(pty_expect(p, "not copied: false ended with status 1"), "so is one that fails");
	quits(p, "a program");
}

/* What `view` shows, after `keys`, is written and holds `text`. */
static void
view_written(struct pty *p, const char *keys, const char *expect, const char *view,
    const char *name, const char *text)
{
	char command[3 * PATH];

	pty_keys(p, keys);
	pty_expect(p, expect);
	pty_keys(p, view);
	pty_settle(p, 200);
	snprintf(command, sizeof(command), ":write %s<Enter>", in_folder(name));
	pty_keys(p, command);
	snprintf(command, sizeof(command), "%s written as", name);
	ok(pty_expect(p, command), "%s is written", name);
	if (!ok(strstr(read_file(name), text) != NULL, "%s: %s", name, text))
		diag("%.300s", read_file(name));
}

static void
exports(void)
{
	struct pty *p = start(NULL, NULL);
	char keys[3 * PATH];

	snprintf(keys, sizeof(keys), ":write %s<Enter>", in_folder("out.csv"));
	pty_keys(p, keys);
	ok(pty_expect(p, "written as csv"), "a file is written");
	ok(strncmp(read_file("out.csv"), "incl_percent,excl_percent,incl_ns,", 34) == 0,
	    "its first line");
	pty_keys(p, keys);
	ok(pty_expect(p, "the file is there; write! writes over it"), "but not twice");
	pty_keys(p, "<C-c>");
	snprintf(keys, sizeof(keys), "E%s<Enter>", in_folder("out.csv"));
	pty_keys(p, keys);
	if (!ok(pty_expect(p, "Enter again writes over it"), "E asks"))
		diag("%s", pty_row(p, 23));
	pty_keys(p, "<Enter>");
	ok(pty_expect(p, "written as csv"), "and then does it");
	snprintf(keys, sizeof(keys), "jj<Enter>:write %s<Enter>", in_folder("out.json"));
	pty_keys(p, keys);
	ok(pty_expect(p, "written as json"), "JSON");
	ok(strstr(read_file("out.json"), "\"row\":\"child\"") != NULL,
	    "with the rows that are open");
	pty_keys(p, "2");
	ok(pty_expect(p, "[4100 main]"), "the call tree is there");
	snprintf(keys, sizeof(keys), ":write %s<Enter>", in_folder("out.folded"));
	pty_keys(p, keys);
	ok(pty_expect(p, "written as folded"), "stacks of the call tree");
	ok(strstr(read_file("out.folded"),
	       "main;com.example.feed.FeedActivity.onCreate(Landroid/os/Bundle:)V;") != NULL,
	    "with the thread first, and no ; in names");
	pty_keys(p, "3");
	ok(pty_expect(p, "called by"), "callers are there");
	snprintf(keys, sizeof(keys), ":write %s<Enter>", in_folder("up.csv"));
	pty_keys(p, keys);
	ok(pty_expect(p, "written as csv"), "callers");
	pty_keys(p, "1gj5");
	ok(pty_expect(p, "2 calls"), "calls are there");
	snprintf(keys, sizeof(keys), ":write %s<Enter>", in_folder("calls.csv"));
	pty_keys(p, keys);
	ok(pty_expect(p, "calls.csv written as csv"), "calls");
	ok(strncmp(read_file("calls.csv"), "number,start_ns,", 16) == 0, "each with its start");
	snprintf(keys, sizeof(keys), "0:write %s<Enter>", in_folder("out"));
	pty_keys(p, keys);
	ok(pty_expect(p, "out written as text"), "trace information as text");
	ok(strstr(read_file("out"), "\n HEADER\n") != NULL, "all of it");
	snprintf(keys, sizeof(keys), ":write %s<Enter>", in_folder("info.csv"));
	pty_keys(p, keys);
	ok(pty_expect(p, "info.csv written as csv"), "and its rows");
	ok(strstr(read_file("info.csv"), "\r\nCOUNTS,records,") != NULL, "by section");
	snprintf(keys, sizeof(keys), ":write %s<Enter>", in_folder("info.folded"));
	pty_keys(p, keys);
	ok(pty_expect(p, "this view has no stacks"), "but no stacks");
	ok(access(in_folder("info.folded"), F_OK) != 0, "no file is left then");
	view_written(p, "<Escape>1gj", "Method", "i", "details.json", "\"name\":\"signature\"");
	view_written(p, "<Escape>1", "Method", "6", "threads.csv",
	    "tid,cpu_ns,wall_ns,busy_percent,calls,depth,open,name\r\n");
	view_written(p, "<Escape>1", "Method", "7", "cells.csv",
	    "tid,from_ns,to_ns,busy_percent,asleep_percent,thread,method\r\n");
	view_written(p, "<Escape>1", "Method", "4", "flame.txt", "ImageCache.decode");
	view_written(p, "<Escape>1", "Method", "4", "flame.folded",
	    "worker-1;com.example.feed.Prefetch.run()V ");
	ok(strstr(read_file("flame.folded"), "main;") == NULL, "of what is zoomed only");
	quits(p, "exports");
}

static void
programs(void)
{
	char editor[2 * PATH], pager[2 * PATH], keys[2 * PATH];
	const char *env[] = {editor, pager, NULL};
	struct pty *p;
	char *before;

	write_file("edit", "#! /bin/sh\nfor a; do echo \"arg $a\"; done >>\"${0%/*}/edited\"\n"
			   "echo edited by >/dev/tty\nstty -a >>\"${0%/*}/edited\"\n");
	write_file("page", "#! /bin/sh\ncat >\"${0%/*}/paged\"\n");
	chmod(in_folder("edit"), 0755);
	chmod(in_folder("page"), 0755);
	mkdir(in_folder("src"), 0777);
	mkdir(in_folder("src/feed"), 0777);
	write_file("src/feed/Prefetch.java", "\n");
	snprintf(editor, sizeof(editor), "EDITOR=%s -w", in_folder("edit"));
	snprintf(pager, sizeof(pager), "PAGER=%s", in_folder("page"));
	p = start(env, NULL);
	pty_keys(p, "gj");
	pty_settle(p, 100);
	before = strdup(pty_screen(p));
	pty_keys(p, "e");
	ok(pty_expect(p, "no source folders"), "without folders nothing is edited");
	snprintf(keys, sizeof(keys), ":set sources=%s<Enter>e", in_folder("src"));
	pty_keys(p, keys);
	ok(file_has("edited", "arg -w\narg +9\n"), "the editor has its own arguments");
	ok(file_has("edited", "src/feed/Prefetch.java"), "the line and the file");
	ok(file_has("edited", " icanon"), "the terminal is as programs expect it");
	ok(pty_expect(p, "edited "), "and ours again after");
	pty_keys(p, "|");
	ok(file_has("paged", "Prefetch.run()V\n"), "the pager gets all rows");
	pty_keys(p, "j");
	pty_settle(p, 100);
	pty_keys(p, "k");
	ok(pty_expect_screen(p, before), "the screen is as before");
	free(before);
	quits(p, "programs");
}

/* A press and its release, at row and column from 1; 0: the left button, 64: the wheel. */
static void
report(struct pty *p, int button, int row, int column)
{
	char bytes[80];
	int n = snprintf(bytes, sizeof(bytes), "\033[<%d;%d;%dM", button, column, row);

	if (button == 0)
		n += snprintf(bytes + n, sizeof(bytes) - (size_t)n, "\033[<%d;%d;%dm",
		    button, column, row);
	pty_bytes(p, bytes, (size_t)n);
}

static void
mouse(void)
{
	struct pty *p = start(NULL, NULL);

	report(p, 0, 10, 20);
	pty_settle(p, 100);
	ok(!pty_wrote(p, "\033[?1000h"), "the mouse is the terminal's");
	ok(pty_look_of(p, "com.example.feed.Prefetch.run") & PTY_REVERSE,
	    "reports do nothing");
	pty_keys(p, "M");
	ok(pty_expect(p, "mouse on"), "M turns it on");
	ok(pty_wrote(p, "\033[?1000h"), "the terminal is told");
	/* The rows start below title, timeline and header: (toplevel) is the eighth. */
	report(p, 0, 12, 20);
	ok(pty_expect(p, "4/8 50%"), "a click goes to a row");
	report(p, 64, 11, 20);
	ok(pty_expect(p, "1/8 12%"), "the wheel goes three up");
	report(p, 0, 9, 20);
	ok(pty_expect(p, "= self"), "a click on the cursor opens");
	report(p, 0, 3, 20);
	ok(pty_expect(p, "l time"), "one on the timeline goes there");
	pty_keys(p, "<Tab>");
	report(p, 0, 7, 36);
	ok(pty_expect(p, "Callsv"), "one on a title sorts");
	pty_keys(p, "<C-z>");
	ok(pty_stopped(p), "stopped");
	ok(pty_wrote(p, "\033[?1000l"), "the mouse is given back");
	pty_continue(p);
	pty_expect(p, "Callsv");
	quits(p, "mouse");
}

int
main(void)
{
	const char *source = getenv("SRCDIR"), *build = getenv("BUILDDIR");
	char command[4 * PATH];

	if (source == NULL || build == NULL)
		skip_all("run by make check");
	snprintf(program, sizeof(program), "%s/slowtop", build);
	snprintf(folder, sizeof(folder), "%s/t-session.XXXXXX", build);
	if (mkdtemp(folder) == NULL)
		skip_all("no folder to work in");
	snprintf(sample, sizeof(sample), "%s", in_folder("sample.trace"));
	snprintf(command, sizeof(command),
	    "'%s/tests/gen/tracegen' --output='%s' '%s/tests/tui/sample.trace.txt'", build,
	    sample, source);
	if (!ok(system(command) == 0, "a trace"))
		return tap_done();
	settings();
	keys();
	faults();
	copies();
	exports();
	programs();
	mouse();
	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	ok(system(command) == 0, "removed");
	return tap_done();
}
#endif
