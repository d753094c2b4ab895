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

enum { STEPS_MAX = 8, PATH = 4096 };

static char program[PATH], generator[PATH], sample[PATH], golden[PATH];
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

struct step {
	const char *keys, *expect; /* to be seen before the next step; NULL: nothing */
};

struct screen {
	const char *name; /* of the file */
	struct pty_options options;
	const char *option; /* of the program */
	struct step steps[STEPS_MAX];
};

static const char *const no_color[] = {"NO_COLOR=1", NULL};

static const struct screen screens[] = {
    {"start-80x24", {0}, NULL, {{"", NULL}}},
    {"start-160x50", {.rows = 50, .columns = 160}, NULL, {{"", NULL}}},
    {"start-40x8", {.rows = 8, .columns = 40}, NULL, {{"", NULL}}},
    {"start-39x8", {.rows = 8, .columns = 39}, NULL, {{"", NULL}}},
    {"start-vt100-c", {.term = "vt100", .locale = "C"}, NULL, {{"", NULL}}},
    {"start-linux", {.term = "linux"}, NULL, {{"", NULL}}},
    {"start-screen", {.term = "screen-256color"}, NULL, {{"", NULL}}},
    {"start-80x24", {.env = no_color}, NULL, {{"", NULL}}},
    {"start-ascii", {0}, "--ascii", {{"", NULL}}},
    {"begin-profile", {0}, "--clock=cpu --sort=+calls --filter=!^java --filter=com", {{"", NULL}}},
    {"begin-range", {0}, "--from=5ms --to=0.02 --thread=4111 --thread=main", {{"", NULL}}},
    {"begin-range-open", {0}, "--from=15ms", {{"R", "win all"}}},
    {"begin-range-behind", {0}, "--from=9", {{"", "the trace ends at"}}},
    {"begin-no-thread", {0}, "--thread=4100 --thread=nobody", {{"", "no thread 'nobody'"}}},
    {"begin-tree", {0}, "--view=tree --together --sort=calls --transform=drop:Json", {{"", "Call tree"}}},
    {"begin-callers", {0}, "--view=bottom-up --method=decode", {{"", "called by"}}},
    {"begin-flame", {0}, "--view=flame --thread=main", {{"", "% of base"}}},
    {"begin-threads", {0}, "--view=threads", {{"", "Busy"}}},
    {"begin-info", {0}, "--view=info", {{"q", "Incl ms"}}},
    {"begin-timeline", {0}, "--view=timeline --until=10ms", {{"", NULL}}},
    {"begin-method", {0}, "--method=ImageCache --method=wait", {{"", "< com"}}},
    {"begin-method-none", {0}, "--method=nobody", {{"", "no method matches"}}},
    {"begin-calls", {0}, "--calls=imagecache --budget=5ms", {{"", "p50"}}},
    {"open-method", {0}, NULL, {{"jj<Enter>j", NULL}}},
    {"open-and-back", {0}, NULL, {{"jj<Enter>j<Enter>", NULL}, {"<Backspace>", NULL}}},
    {"sort-by-calls", {0}, NULL, {{">>>>I", NULL}}},
    {"sort-picker", {0}, NULL, {{"o", "sort by"}}},
    {"columns-picker", {0}, NULL, {{"C", "columns"}, {"j<Space>", NULL}}},
    {"cpu-clock", {0}, NULL, {{"c", NULL}}},
    {"search", {0}, NULL, {{"/json", NULL}, {"<Enter>", "hit "}}},
    {"search-literal", {0}, NULL, {{"/Json.<C-r>", "literal"}, {"<Enter>", "hit 1/1"}}},
    {"search-case", {0}, NULL, {{"/feed<C-t>", "exact case"}, {"<C-t>F<C-r>", "literal, any case"}}},
    {"search-literal-error", {0}, NULL, {{"/foo(<C-t>", "missing"}, {"<C-r>", NULL}}},
    {"search-error", {0}, NULL, {{"/foo(", NULL}}},
    {"filter", {0}, NULL, {{"&^com<Enter>", "filter"}}},
    {"filter-wide", {.rows = 50, .columns = 160}, NULL, {{"&!^java<Enter>", "!^java"}}},
    {"filter-none", {0}, NULL, {{"&nothing<Enter>", "no method matches"}}},
    {"filter-undone", {0}, NULL,
	{{"&nothing<Enter>", "no method matches"}, {"u", "undone"}}},
    {"timeline", {0}, NULL, {{"<Tab>llll", NULL}}},
    {"timeline-zoomed", {0}, NULL, {{"<Tab>llllww", NULL}}},
    {"timeline-alone", {0}, NULL, {{"7", NULL}}},
    {"timeline-40x8", {.rows = 8, .columns = 40}, NULL, {{"<Tab>", NULL}}},
    {"range-open", {0}, NULL, {{"<Tab>rllllllllll", "r takes it"}}},
    {"range", {0}, NULL, {{"<Tab>rllllllllllr", "win 0.0"}}},
    {"range-160x50", {.rows = 50, .columns = 160}, NULL, {{"<Tab>hhhhrllllr", "win 0.0"}}},
    {"range-40x8", {.rows = 8, .columns = 40}, NULL, {{"<Tab>rllllr", "win 0.0"}}},
    {"range-vt100-c", {.term = "vt100", .locale = "C"}, NULL, {{"<Tab>rllllr", "win 0.0"}}},
    {"range-table", {0}, NULL,
	{{"<Tab>rllllllllllr<Tab>", "win 0.0"}, {"jjj<Enter>", NULL}, {"%", "of the window"}}},
    {"range-cleared", {0}, NULL, {{"<Tab>rllllr", "win 0.0"}, {"R", "win all"}}},
    {"range-undone", {0}, NULL,
	{{"<Tab>rllllr", "win 0.0"}, {"u", "win all"}, {"<C-r>", "win 0.0"}}},
    {"range-dropped", {0}, NULL, {{"<Tab>rll", "r takes it"}, {"\033h", "help"}}},
    {"range-threads", {0}, NULL,
	{{"<Tab>rllllllllllr", "win 0.0"}, {"t", "Tid"}, {"j<Enter>", "thr 1/3"}}},
    {"range-call", {0}, NULL, {{"<Tab>lll", "wall "}, {"V", "win 0.0"}}},
    {"calls", {0}, NULL, {{"j5", "p50"}}},
    {"calls-160x50", {.rows = 50, .columns = 160}, NULL, {{"jjj5", "p50"}}},
    {"calls-40x8", {.rows = 8, .columns = 40}, NULL, {{"jjj5", "p50"}}},
    {"calls-vt100-c", {.term = "vt100", .locale = "C"}, NULL, {{"jjj5", "p50"}}},
    {"calls-recursive", {0}, NULL, {{"jjjjjj5", "p50"}, {"<<I", "falling"}, {"j", NULL}}},
    {"calls-cpu", {0}, NULL, {{"j5", "p50"}, {"c", "CPU time"}}},
    {"calls-stack", {0}, NULL, {{"jjj5", "p50"}, {"<Enter>", "stack of"}}},
    {"calls-stack-go", {0}, NULL, {{"jjj5", "p50"}, {"<Enter>", "stack of"}, {"j<Enter>", "Incl"}}},
    {"calls-zoom", {0}, NULL, {{"jjj5", "p50"}, {"jW", " d4 "}}},
    {"calls-range", {0}, NULL,
	{{"<Tab>hhhhhhhhrhhhhhhhhhhhhr<Tab>", "win 0.0"}, {"j5", "p50"}}},
    {"calls-sort", {0}, "--calls=ImageCache", {{"oG<Enter>", "Caller^"}, {">", "no column further"}}},
    {"calls-columns", {0}, "--calls=ImageCache", {{"C", "when it began"}, {"j<Space>jj<Space>", NULL}}},
    {"calls-search", {0}, "--calls=ImageCache", {{"/onBind<Enter>", "hit 1/2"}, {"n", "hit 2/2"}}},
    {"calls-search-thread", {0}, "--calls=ImageCache", {{"/worker<Enter>", "hit 1/1"}}},
    {"threads-sort", {0}, "--view=threads", {{"ogj<Enter>", "Name^"}, {"I", "sorted by Name, falling"}}},
    {"threads-columns", {0}, "--view=threads", {{"C", "name of the thread"}, {"<Space>", "always stays"}, {"jjjj<Space>q", NULL}}},
    {"info-search", {0}, "--view=info", {{"/main<Enter>", "hit 1/"}}},
    {"column-width", {0}, NULL, {{"C", "columns"}, {"jjj+++-q", NULL}}},
    {"tree-column-width", {0}, "--view=tree", {{"C", "columns"}, {"jj+++-q", NULL}}},
    {"view-none", {0}, NULL, {{"8", "one trace is open"}}},
    {"calls-none", {0}, NULL, {{"g5", "no method is selected"}}},
    {"calls-next", {0}, NULL, {{"j", NULL}, {"]", " ms on"}}},
    {"calls-previous", {0}, NULL, {{"j5", "p50"}, {"[", "0.002000 s"}, {"[", "no earlier"}}},
    {"tree", {0}, NULL, {{"2", "Call tree"}, {"H", NULL}}},
    {"tree-160x50", {.rows = 50, .columns = 160}, NULL, {{"2", "Call tree"}, {"H", NULL}}},
    {"tree-40x8", {.rows = 8, .columns = 40}, NULL, {{"2", "Call tree"}, {"H", NULL}}},
    {"tree-vt100-c", {.term = "vt100", .locale = "C"}, NULL,
	{{"2", "Call tree"}, {"*", NULL}}},
    {"tree-apart", {0}, NULL, {{"2", "Call tree"}, {"j+", NULL}}},
    {"tree-together", {0}, NULL, {{"2", "Call tree"}, {"O", "3 threads"}, {"*", NULL}}},
    {"tree-filter", {0}, NULL, {{"2", "Call tree"}, {"&!^java<Enter>", "filter"}, {"*", NULL}}},
    {"tree-filter-none", {0}, NULL,
	{{"2", "Call tree"}, {"&nothing<Enter>", "no method matches"}}},
    {"tree-search", {0}, NULL, {{"2", "Call tree"}, {"/json<Enter>", "hit 1/"}}},
    {"tree-range", {0}, NULL, {{"<Tab>rllllllllllr", "win 0.0"}, {"2", "Call tree"}}},
    {"callers", {0}, NULL, {{"3", "called by"}, {"*", NULL}}},
    {"callers-160x50", {.rows = 50, .columns = 160}, NULL, {{"3", "called by"}, {"H", NULL}}},
    {"flame", {0}, NULL, {{"4", "% of base"}, {"jl", NULL}}},
    {"flame-160x50", {.rows = 50, .columns = 160}, NULL, {{"4", "% of base"}, {"H", NULL}}},
    {"flame-40x8", {.rows = 8, .columns = 40}, NULL, {{"4", "zoom"}, {"jj", NULL}}},
    {"flame-vt100-c", {.term = "vt100", .locale = "C"}, NULL, {{"4", "% of base"}}},
    {"flame-zoomed", {0}, NULL, {{"4", "% of base"}, {"jl<Enter>", NULL}}},
    {"flame-all", {0}, NULL, {{"4", "% of base"}, {"<Backspace>", "100.00 % of base"}}},
    {"flame-search", {0}, NULL, {{"4", "% of base"}, {"/json<Enter>", "hit 1/"}}},
    {"flame-own", {0}, NULL, {{"4", "% of base"}, {"v", "widths: own"}}},
    {"flame-calls", {0}, NULL, {{"4", "% of base"}, {"vv", "widths: calls"}}},
    {"threads-view", {0}, NULL, {{"6", "Busy"}, {"j<Space>", "thr 2/3"}}},
    {"threads-160x50", {.rows = 50, .columns = 160}, NULL, {{"6", "Busy"}, {"/bind<Enter>", "hit"}}},
    {"threads-40x8", {.rows = 8, .columns = 40}, NULL, {{"6", "Tid"}, {"<", "sorted by"}}},
    {"marks", {0}, NULL, {{"j<Space>j<Space>", "*2 own"}}},
    {"marks-calls", {0}, NULL, {{"j5", "p50"}, {"<Space><Space>", "*2 own"}}},
    {"marks-gone", {0}, NULL, {{"<Space>", "*1 own"}, {"U", "help"}, {"<Space>U", "open"}}},
    {"bookmark", {0}, NULL,
	{{"<Tab>llllw<Tab>jj", NULL}, {"mk", "bookmark k"}, {"<Tab>S<Tab>gj", NULL},
	    {"'k", ".015s"}}},
    {"bookmark-back", {0}, NULL,
	{{"jjj", NULL}, {"ma", "bookmark a"}, {"g5", "no method"}, {"'a", "Incl"},
	    {"''", "no method"}}},
    {"bookmark-list", {0}, NULL,
	{{"jjma", "bookmark a"}, {"2mz", "bookmark z"}, {":marks<Enter>", "a  view 1"}}},
    {"bookmark-list-go", {0}, NULL,
	{{"jjma", "bookmark a"}, {"gjmc", "bookmark c"}, {"0:marks<Enter>", "a  view 1"},
	    {"d", "1/1"}, {"<Enter>", "Incl ms"}}},
    {"bookmark-list-none", {0}, NULL, {{":marks<Enter>", "no bookmarks in this trace"}}},
    {"bookmark-none", {0}, NULL, {{"'z", "no bookmark z"}}},
    {"bookmark-bad", {0}, NULL, {{"m1", "a to z"}}},
    {"threads", {0}, NULL, {{"t", "Tid"}}},
    {"threads-one", {0}, NULL, {{"t", "Tid"}, {"j<Enter>", NULL}}},
    {"threads-two", {0}, NULL, {{"t", "Tid"}, {"j<Space>", "thr 2/3"}, {"q", NULL}}},
    {"threads-undone", {0}, NULL,
	{{"t", "Tid"}, {"j<Enter>", "thr 1/3"}, {"u", "undone"}}},
    {"threads-find", {0}, NULL, {{"t", "Tid"}, {"/work<Enter>", NULL}}},
    {"thread-order", {0}, NULL, {{"<Tab>o", "threads by"}}},
    {"filters", {0}, NULL,
	{{"&com<Enter>", NULL}, {"&<C-u>+!json<Enter>", "5 of 8"}, {"X", "filters: all"}}},
    {"filter-removed", {0}, NULL,
	{{"&com<Enter>", NULL}, {"&<C-u>+!json<Enter>", "5 of 8"}, {"X", "filters: all"},
	    {"dq", NULL}}},
    {"filter-edited", {0}, NULL,
	{{"&com<Enter>", NULL}, {"&<C-u>+!json<Enter>", "5 of 8"}, {"&<C-u>", NULL},
	    {"<Enter>", "6 of 8"}}},
    {"transform-menu", {0}, NULL, {{"jjx", "transform"}}},
    {"transform-menu-40x8", {.rows = 8, .columns = 40}, NULL, {{"jjx", "transform"}, {"G", NULL}}},
    {"transform-focus", {0}, NULL, {{"jjxf", "focus com"}, {"%", "transforms leave"}}},
    {"transform-drop-tree", {0}, NULL, {{"jjjjxd", "drop "}, {"2", "[4120"}, {"j+", NULL}}},
    {"transform-package-tree", {.rows = 50, .columns = 160}, NULL,
	{{"jjjxC", "collapse-package "}, {"2", "[4120"}, {"H", NULL}}},
    {"transform-callers", {0}, NULL, {{"jjjjxc", "collapse "}, {"3", "called by"}}},
    {"transform-node", {0}, NULL, {{"2", "[4120"}, {"H", "nativeD"}, {"xM", "merge-node "}}},
    {"transform-below", {0}, NULL, {{"x%<C-u>10<Enter>", "below 10.0"}, {"2", "[4120"}, {"H", NULL}}},
    {"transform-list", {0}, NULL,
	{{"&!json<Enter>", "filter"}, {"jjjxd", "drop "}, {"x-com<Enter>", "exclude "},
	    {"X", "transforms"}, {"jj<Space>", "[ ] exclude"}}},
    {"transform-list-160x50", {.rows = 50, .columns = 160}, NULL,
	{{"&!json<Enter>", "filter"}, {"jjjxd", "drop "}, {"X", "transforms"}, {"j", NULL}}},
    {"transform-removed", {0}, NULL, {{"jjjxd", "drop "}, {"X", "transforms"}, {"d", NULL}}},
    {"transform-undone", {0}, NULL,
	{{"jjjxd", "drop "}, {"jjxf", "focus "}, {"u", "undone"}}},
    {"transform-redone", {0}, NULL,
	{{"jjjxd", "drop "}, {"u", "undone"}, {"<C-r>", "redone"}}},
    {"transform-edited", {0}, NULL,
	{{"x-json<Enter>", "exclude "}, {"Xe", "x - exclude json"}, {"<C-u>feed<Enter>", "/feed/"}}},
    {"transform-bad", {0}, NULL, {{"x+foo(<Enter>", "missing"}}},
    {"transform-nothing", {0}, NULL, {{"x+zzzz<Enter>", "nothing is left"}}},
    {"transform-nothing-tree", {0}, NULL, {{"x+zzzz<Enter>", "nothing is left"}, {"2", "[4120"}}},
    {"transform-no-method", {0}, NULL, {{"gxf", "needs a method"}}},
    {"transform-no-path", {0}, NULL, {{"jjxF", "needs a call path"}}},
    {"transform-range", {0}, NULL,
	{{"<Tab>rllllllllllr<Tab>", "win 0.0"}, {"jjjxm", "merge "}, {"R", "win all"}}},
    {"search-again", {0}, NULL, {{"/feed<Enter>", "hit 1/"}, {"nnN", "hit 2/"}}},
    {"search-wrapped", {0}, NULL, {{"/feed<Enter>", "hit 1/"}, {"N", "wrapped"}}},
    {"search-name", {0}, NULL, {{"jjj#", "hit "}}},
    {"search-missed", {0}, NULL, {{"/zzz<Enter>", "no hit"}}},
    {"search-left", {0}, NULL, {{"jj/zzz", NULL}, {"\033l", NULL}}},
    {"names-scrolled", {0}, NULL, {{"))", NULL}}},
    {"names-short", {0}, NULL, {{"pp", NULL}}},
    {"units", {0}, NULL, {{"=", NULL}}},
    {"maximised", {0}, NULL, {{"Z", NULL}}},
    {"larger", {0}, NULL, {{"}}}", NULL}}},
    {"information", {0}, NULL, {{"0", NULL}}},
    {"details", {0}, NULL, {{"i", NULL}}},
    {"details-thread", {0}, "--view=threads", {{"ji", "THREAD"}}},
    {"copy-stack", {0}, NULL, {{"jjjY", "copied, 5 lines"}}},
    {"copy-stack-tree", {0}, "--view=tree", {{"HY", "copied, 5 lines"}}},
    {"line-words", {0}, NULL, {{":s<Tab>", "save"}}},
    {"line-settings", {0}, NULL, {{":set th<Tab><Tab>", "thread-order"}}},
    {"line-row", {.rows = 50, .columns = 160}, NULL, {{":5<Enter>", "5/"}}},
    {"line-time", {0}, NULL, {{":0.02s<Enter>", "time cursor"}}},
    {"line-action", {0}, NULL, {{":filter ^com<Enter>", "of 8 methods"}}},
    {"line-error", {0}, NULL, {{":set theme=pink<Enter>", "want one of"}}},
    {"line-packages", {.rows = 50, .columns = 160}, NULL, {{"/<Tab>", "com"}}},
    {"help", {0}, NULL, {{"?", "help"}}},
    {"help-filtered", {0}, NULL, {{"?", "MOVE"}, {"/thread<Enter>", "table /thread"}}},
    {"help-timeline", {0}, NULL, {{"<Tab>?", "help"}}},
    {"help-40x8", {.rows = 8, .columns = 40}, NULL, {{"?", "MOVE"}}},
};

/* Of a text log with two cores. */
static const struct screen log_screens[] = {
    {"log-timeline", {0}, NULL, {{"7", NULL}}},
    {"log-timeline", {.env = no_color}, NULL, {{"7", NULL}}},
    {"log-timeline-160x50", {.rows = 50, .columns = 160}, NULL, {{"7", NULL}}},
    {"log-timeline-vt100-c", {.term = "vt100", .locale = "C"}, NULL, {{"7", NULL}}},
    {"log-timeline-split", {.rows = 50, .columns = 160}, NULL, {{"<Tab>+", NULL}}},
    {"log-timeline-40x8", {.rows = 8, .columns = 40}, NULL, {{"7", NULL}}},
    {"log-cores", {0}, NULL, {{"7g+", "cpu1"}, {"j+jj", " kHz"}}},
    {"log-core-go", {0}, NULL, {{"7g+", "cpu1"}, {"jhhhhhhhh", " ran "}, {"<Enter>", "Running"}}},
    {"log-state", {0}, NULL, {{"7jlllllll", " for I/O"}}},
    {"log-state-waker", {0}, NULL, {{"7jlllllll", " for I/O"}, {"<Enter>", "Running"}}},
    {"log-state-steps", {0}, NULL, {{"7jlllllll", " for I/O"}, {".", "Runnable"},
        {",", "0.064 s Unint"}, {",", "0.058 s Unint"}, {",", "0.058 s Running"}}},
    {"log-state-zoom", {0}, NULL, {{"7jlllllll", " for I/O"}, {"W", NULL}}},
    {"log-slice", {0}, NULL, {{"7", "[---]"}, {"jjlll", "d1 "}}},
    {"log-counter", {0}, NULL, {{"7Gkk", "pending 2,"}}},
    {"log-folded", {0}, NULL, {{"7k-", "+100"}, {"gj", "threads ran"}}},
    {"log-rows", {0}, NULL, {{"7C", "rows of the"}, {"jjjj<Space>", NULL}}},
    {"log-rows-set", {0}, NULL, {{"7:set timeline-rows=states,calls<Enter>", "timeline-rows="}}},
    {"log-choice", {0}, "--level=critical", {{"g", "level C and above"}}},
    {"usage", {0}, NULL, {{"9", "CPU by process"}}},
    {"usage-160x50", {.rows = 50, .columns = 160}, NULL, {{"99", "CPU by thread"}}},
    {"usage-vt100-c", {.term = "vt100", .locale = "C"}, NULL, {{"999", "CPU by core"}}},
    {"usage-40x8", {.rows = 8, .columns = 40}, NULL, {{"9999", "Thread states"}}},
    {"usage-sort", {0}, NULL, {{"99", "CPU by thread"}, {">>>I", "rising"}}},
    {"usage-filter", {0}, NULL, {{"9999", "Thread states"}, {"&!Sleep<Enter>", "8 of 11 rows"}}},
    {"usage-no-match", {0}, NULL, {{"9", "CPU by process"}, {"&xyz", "no row matches"}}},
    {"usage-search", {0}, NULL, {{"99", "CPU by thread"}, {"/work<Enter>", "hit 1/1"}}},
    {"usage-tables", {0}, NULL, {{"9v", "tables of the log"}}},
    {"usage-process", {0}, NULL, {{"9", "CPU by process"}, {"<Enter>", "only its threads"}}},
    {"usage-core", {0}, NULL, {{"999", "CPU by core"}, {"<Enter>", "Intervals on cpu0"}}},
    {"usage-switches", {0}, NULL, {{"99999", "Switches"}, {"jj<Enter>", "filter"}}},
    {"usage-top-160x50", {.rows = 50, .columns = 160}, NULL, {{"99999999999", "Top 20"}}},
    {"usage-chains", {0}, NULL, {{"999999999999", "c0ffee"}, {"<Enter>", "Chain c0ffee"}}},
    {"usage-summary", {0}, NULL, {{"9<S-Tab>", "Log summary"}}},
    /* From "which thread was busy" to one slow slice, its arguments, waits and wakers. */
    {"triage-thread", {0}, NULL, {{"99", "CPU by thread"}, {"j<Enter>", "Backspace returns"}}},
    {"triage-slice", {0}, NULL, {{"99", "CPU by thread"}, {"jj<Enter>", "Backspace returns"},
	{"1/Vsync<Enter>", "hit 1/1"}, {"5", "calls sum"}, {"i", "argument"}}},
    {"triage-slice-160x50", {.rows = 50, .columns = 160}, NULL,
	{{"99", "CPU by thread"}, {"jj<Enter>", "Backspace returns"},
	{"1/Vsync<Enter>", "hit 1/1"}, {"5", "calls sum"}, {"i", "argument"}}},
    {"triage-waker", {0}, NULL, {{"99", "CPU by thread"}, {"jj<Enter>", "Backspace returns"},
	{"i", "woken by"}, {"<Enter>", "200 system"}, {"<Backspace>", "200 system at"}}},
    {"triage-wakers", {0}, NULL, {{"99", "CPU by thread"}, {"jj<Enter>", "Backspace returns"},
	{"L", "Wakers of"}, {"<Enter>", "Backspace returns"}}},
};

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
	ok(pty_expect(p, ">29.18") || pty_expect(p, "> 29.18"), "and gone to by the next one");
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
	pty_settle(p, 200);
	before = strdup(pty_screen(p));
	pty_keys(p, "\033[200~qQ\rxx\003\032\033[201~");
	pty_settle(p, 200);
	ok(pty_expect_screen(p, before), "a paste outside of a prompt does nothing");
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
	snprintf(text, sizeof(text), "%s/tests/tui/sample.ftrace.txt", source);
	log_text = read_file(text);
	if (log_text != NULL)
		write_file(sample_log, log_text);
	free(log_text);
	for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++)
		if (argc < 2 || is_named(&screens[i], argv + 1))
			screen_is_right(&screens[i], sample, "!2");
	for (size_t i = 0; i < sizeof(log_screens) / sizeof(log_screens[0]); i++)
		if (argc < 2 || is_named(&log_screens[i], argv + 1))
			screen_is_right(&log_screens[i], sample_log, "!1");
	if (argc > 1)
		return tap_done();
	ways_out();
	hang_up();
	bookmarks_kept();
	lines_kept();
	suspend_and_resize();
	no_bytes_when_idle();
	redraw_changes_nothing();
	paste_is_no_command();
	unlink(sample);
	unlink(sample_log);
	return tap_done();
}
#endif
