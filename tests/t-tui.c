/*
 * The terminal program, end to end: keys in, whole screens out.
 *
 * Screens that are right stand in tests/tui/golden.  After a change that is meant to
 * change them, SLOWTOP_ACCEPT=1 makes this test write them anew (t-tui WORD... those with a
 * word in their name); look at the difference before committing it.
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

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/pty.h"
#include "tui/screen_table.h"

enum { PATH = 4096 };

static char program[PATH], generator[PATH], sample[PATH], earlier[PATH], golden[PATH];
static const char sample_log[] = "tests/tui/sample.ftrace";

/* Made below the build directory, once. */
static void
make_trace(const char *name, char *path, const char *const *options)
{
	const char *argv[20] = {generator};
	int status, n = 1;
	char output[PATH + 20];
	pid_t child;

	snprintf(path, PATH, "tests/tui/%s", name);
	snprintf(output, sizeof(output), "--output=%s", path);
	argv[n++] = output;
	while (*options != NULL)
		argv[n++] = *options++;
	fflush(stdout);
	child = fork();
	if (child == 0) {
		execv(generator, (char *const *)argv);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
		printf("Bail out! cannot make %s\n", path);
		exit(1);
	}
}

/* `option`: any number of words with blanks between; NULL: none. */
static struct pty *
start(const struct pty_options *o, const char *trace, const char *option)
{
	const char *argv[20] = {program};
	char words[400];
	int n = 1;

	snprintf(words, sizeof(words), "%s", option != NULL ? option : "");
	for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
		argv[n++] = word;
	argv[n] = trace;
	return pty_start(o, argv);
}

/* Ends the program by its own key. */
static void
quits(struct pty *p, const char *name)
{
	int status = -1;

	/* Esc ends a prompt, if there is one. */
	pty_bytes(p, "\033Q", 2);
	ok(pty_ended(p, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0,
	    "%s: Q quits", name);
	ok(pty_restored(p) && !pty_alternate(p), "%s: terminal as it was", name);
	pty_free(p);
}

/* Screens ----------------------------------------------------------------- */

static char *
read_file(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = calloc(1, 1 << 16);

	if (in == NULL || text == NULL) {
		free(text);
		if (in != NULL)
			fclose(in);
		return NULL;
	}
	if (fread(text, 1, (1 << 16) - 1, in) == 0)
		diag("%s is empty", path);
	fclose(in);
	return text;
}

static void
write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	if (out == NULL || fputs(text, out) == EOF || fclose(out) != 0) {
		printf("Bail out! cannot write %s: %s\n", path, strerror(errno));
		exit(1);
	}
}

static void
show_difference(const char *got, const char *want)
{
	while (*got != '\0' || *want != '\0') {
		size_t g = strcspn(got, "\n"), w = strcspn(want, "\n");

		if (g != w || memcmp(got, want, g) != 0) {
			diag("got  |%.*s|", (int)g, got);
			diag("want |%.*s|", (int)w, want);
		}
		got += g + (got[g] != '\0');
		want += w + (want[w] != '\0');
	}
}

static void
screen_is_right(const struct screen *s, const char *trace, const char *badge)
{
	struct pty *p = start(&s->options, trace, s->option);
	char path[PATH + 100];
	char *want;

	pty_expect(p, s->options.columns == 39 ? "slowtop needs" : badge);
	for (int i = 0; i < STEPS_MAX && s->steps[i].keys != NULL; i++) {
		pty_keys(p, s->steps[i].keys);
		if (s->steps[i].expect != NULL)
			ok(pty_expect(p, s->steps[i].expect), "%s: %s", s->name,
			    s->steps[i].expect);
		else
			pty_settle(p, 40);
	}
	snprintf(path, sizeof(path), "%s/%s.txt", golden, s->name);
	if (getenv("SLOWTOP_ACCEPT") != NULL) {
		pty_settle(p, 400);
		write_file(path, pty_screen(p));
	}
	want = read_file(path);
	if (want == NULL)
		ok(false, "%s: no such file", path);
	else if (!ok(pty_expect_screen(p, want), "%s: the screen", s->name))
		show_difference(pty_screen(p), want);
	free(want);
	quits(p, s->name);
}

/*
 * The same screen with all keys in one piece: what they do depends on nobody's speed.
 * Esc before another key is a key of its own only when it comes alone.
 */
static void
screen_is_typed(const struct screen *s, const char *trace, const char *badge)
{
	char path[PATH + 100], keys[400] = "";
	struct pty *p;
	char *want;

	if (s->steps[1].keys == NULL && strlen(s->steps[0].keys) < 2)
		return;
	for (int i = 0; i < STEPS_MAX && s->steps[i].keys != NULL; i++)
		snprintf(keys + strlen(keys), sizeof(keys) - strlen(keys), "%s", s->steps[i].keys);
	if (strchr(keys, '\033') != NULL)
		return;
	p = start(&s->options, trace, s->option);
	pty_expect(p, badge);
	pty_keys(p, keys);
	snprintf(path, sizeof(path), "%s/%s.txt", golden, s->name);
	want = read_file(path);
	if (want == NULL)
		ok(false, "%s: no such file", path);
	else if (!ok(pty_expect_screen(p, want), "%s: typed at once", s->name))
		show_difference(pty_screen(p), want);
	free(want);
	pty_free(p);
}

static void
check(const struct screen *s, const char *trace, const char *badge)
{
	screen_is_right(s, trace, badge);
	if (getenv("SLOWTOP_ACCEPT") == NULL)
		screen_is_typed(s, trace, badge);
}

/* Any of the words is in its name. */
static bool
is_named(const struct screen *s, char **words)
{
	for (; *words != NULL; words++)
		if (strstr(s->name, *words) != NULL)
			return true;
	return false;
}

/* The way in and out ------------------------------------------------------ */

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
		struct pty *p = start(&o, sample, NULL);
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

/* Bookmarks outlive the program, by the trace's real name. */
static void
bookmarks_kept(void)
{
	char folder[PATH + 40], home[PATH + 60], file[PATH + 80], *text;
	const char *env[] = {home, NULL};
	struct pty_options o = {.env = env};
	struct pty *p;

	if (getcwd(folder, PATH) == NULL)
		return;
	strcat(folder, "/tests/tui/state");
	snprintf(home, sizeof(home), "XDG_STATE_HOME=%s", folder);
	snprintf(file, sizeof(file), "%s/slowtop/bookmarks", folder);
	unlink(file);
	p = start(&o, sample, NULL);
	pty_expect(p, "!2");
	pty_keys(p, "jjjmqgmz");
	ok(pty_expect(p, "bookmark z"), "bookmarks are set");
	quits(p, "bookmarks");
	text = read_file(file);
	ok(text != NULL && strstr(text, "/sample.trace\tq\t1\t") != NULL &&
		strstr(text, "nativeDecodeStream") != NULL,
	    "and kept");
	free(text);
	p = start(&o, sample, NULL);
	pty_expect(p, "!2");
	pty_keys(p, "'q");
	ok(pty_expect(p, "> 29.18"), "and gone to by the next one");
	pty_keys(p, "'y");
	ok(pty_expect(p, "no bookmark y"), "others are not there");
	quits(p, "bookmarks again");
	unlink(file);
}

/* What was typed is there for the next one, unless it should not be. */
static void
lines_kept(void)
{
	static const char *const notes[] = {"on", "off"};
	char folder[PATH + 40], home[PATH + 60], file[PATH + 80], config[PATH + 80], *text;
	const char *env[] = {home, NULL};
	struct pty_options o = {.env = env};
	struct stat st;
	struct pty *p;

	if (getcwd(folder, PATH) == NULL)
		return;
	strcat(folder, "/tests/tui/lines");
	snprintf(home, sizeof(home), "XDG_STATE_HOME=%s", folder);
	snprintf(file, sizeof(file), "%s/slowtop/history", folder);
	for (size_t i = 0; i < 2; i++) {
		unlink(file);
		write_file("tests/tui/history.conf",
		    i == 0 ? "history = on\n" : "history = off\n");
		snprintf(config, sizeof(config), "--config=tests/tui/history.conf");
		p = start(&o, sample, config);
		pty_expect(p, "!2");
		pty_keys(p, "/feed<Enter>&!j<C-r>.<Enter>:timeline-larger<Enter>");
		pty_settle(p, 100);
		quits(p, notes[i]);
		text = read_file(file);
		if (i == 1) {
			ok(text == NULL, "history off: nothing is written");
			free(text);
			break;
		}
		is_str(text != NULL ? text : "", "/feed\n&!j\\.\n:timeline-larger\n",
		    "history: the lines of each prompt");
		free(text);
		ok(stat(file, &st) == 0 && (st.st_mode & 0777) == 0600,
		    "history: for its owner alone");
		p = start(&o, sample, config);
		pty_expect(p, "!2");
		pty_keys(p, "/<Up>");
		ok(pty_expect(p, "/feed"), "history: there for the next one");
		quits(p, "history again");
	}
	unlink(file);
	unlink("tests/tui/history.conf");
}

/* What stood in the last line is not left beside the prompt that follows. */
static void
no_other_screen(void)
{
	struct pty_options o = {.term = "vt100"};
	struct pty *p = start(&o, sample, NULL);
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
	struct pty *p = start(&o, sample, NULL);
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
	struct pty *p = start(&o, sample, NULL);
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
			ok(pty_expect(p, "sample.tra"), "%d rows, %d columns",
			    sizes[i][0], sizes[i][1]);
	}
	pty_keys(p, "gj");
	ok(pty_expect_screen(p, before), "and back to the same screen");
	free(before);
	quits(p, "resized");
}

static void
no_bytes_when_idle(void)
{
	struct pty_options o = {0};
	struct pty *p = start(&o, sample, NULL);

	pty_expect(p, "help");
	pty_settle(p, 300);
	is_int((int64_t)pty_settle(p, 1000), 0, "a second of nothing sends nothing");
	pty_keys(p, "<Tab>");
	pty_settle(p, 300);
	is_int((int64_t)pty_settle(p, 1000), 0, "nor with the timeline focused");
	quits(p, "idle");
}

static void
redraw_changes_nothing(void)
{
	static const char *const where[] = {
	    "", "jj<Enter>", "<Tab>ll", "0", "?", "t", "/ab", "&("};

	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		struct pty_options o = {0};
		struct pty *p = start(&o, sample, NULL);
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
	struct pty *p = start(&o, sample, NULL);
	char *before;

	pty_expect(p, "help");
	/* The last line's own message goes with the next key. */
	pty_keys(p, "j");
	pty_settle(p, 200);
	before = strdup(pty_screen(p));
	pty_keys(p, "\033[200~qQ\rxx\003\032\033[201~");
	ok(pty_expect(p, "what is pasted is no command"), "a paste outside of a prompt is told");
	pty_keys(p, "<C-l><Escape>");
	ok(pty_expect_screen(p, before), "and does nothing");
	pty_keys(p, "/\033[200~js\ron\033[201~");
	ok(pty_expect(p, "/json"), "in a prompt it is text");
	free(before);
	quits(p, "pasted");
}

/* With names of screens only these. */
int
main(int argc, char **argv)
{
	static const char *options[] = {NULL, NULL};
	const char *source = getenv("SRCDIR"), *build = getenv("BUILDDIR");
	char text[PATH], *log_text;

	if (source == NULL || build == NULL || chdir(build) != 0)
		skip_all("run by make check");
	snprintf(program, sizeof(program), "%s/slowtop", build);
	snprintf(generator, sizeof(generator), "%s/tests/gen/tracegen", build);
	snprintf(golden, sizeof(golden), "%s/tests/tui/golden", source);
	snprintf(text, sizeof(text), "%s/tests/tui/sample.trace.txt", source);
	options[0] = text;
	make_trace("sample.trace", sample, options);
	snprintf(text, sizeof(text), "%s/tests/tui/before.trace.txt", source);
	make_trace("before.trace", earlier, options);
	snprintf(text, sizeof(text), "%s/tests/tui/sample.ftrace.txt", source);
	log_text = read_file(text);
	if (log_text != NULL)
		write_file(sample_log, log_text);
	free(log_text);
	for (size_t i = 0; i < screen_count; i++)
		if (argc < 2 || is_named(&screens[i], argv + 1))
			check(&screens[i], sample, "!2");
	for (size_t i = 0; i < log_screen_count; i++)
		if (argc < 2 || is_named(&log_screens[i], argv + 1))
			check(&log_screens[i], sample_log, "!1");
	if (argc > 1)
		return tap_done();
	ways_out();
	no_other_screen();
	hang_up();
	bookmarks_kept();
	lines_kept();
	suspend_and_resize();
	no_bytes_when_idle();
	redraw_changes_nothing();
	paste_is_no_command();
	unlink(sample);
	unlink(earlier);
	unlink(sample_log);
	return tap_done();
}
#endif
