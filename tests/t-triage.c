// SPDX-License-Identifier: Apache-2.0
/*
 * A log triaged by keyboard alone, in one session each: from "which thread was busy" to
 * one slow slice with its arguments, what its thread waited for, and what ended the wait.
 * On the project's own log, and on a real one where there is one.  And the questions that a
 * trace is opened for, each with as many keys as it may take.
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
#include <unistd.h>

#include "tui/desk.h"

/* Keys, and what is on the screen when they did their work; then what else must be there. */
struct step {
	const char *name, *keys, *expect, *also[6];
};

static const struct step own[] = {
	{ "how busy the cores were", "9", "CPU by process", {"all cores 92.00%", "200 system"} },
	{ "which thread was busy", "9", "CPU by thread", {"79.600", "100 main", "12.200"} },
	{ "the main thread's row", "jj", "3/4 75%", {NULL} },
	{ "where it ran longest", "<Enter>", "(Backspace returns)",
	    {"100 main at 75.000 ms", "state", "pending"} },
	{ "its slices", "1/Vsync<Enter>", "match 1 of 1", {"43.700", "ReceiveVsync"} },
	{ "one by one, the slowest first", "5", "slices sum", {"15.200", "max 15.200"} },
	{ "all about it", "i", "SLICE AT THE TIME CURSOR",
	    {"argument                    frame=3", "level                       info", "62 app",
	    "waited 7.000 ms", "depth                       1"} },
	{ "what it waited for", "", "ITS THREAD MEANWHILE",
	    {"Uninterruptible sleep, I/O  6.000 ms", "io_schedule+0x1c/0x40",
	    "Runnable                    1.000 ms",
	    "200 system at 64.000 ms, on cpu0 1.000 ms later"} },
	{ "what ended that", "<Enter>", "THREAD AT THE TIME CURSOR",
	    {"200 system", "64.000 ms", "Running on cpu1"} },
	{ "back", "<Backspace>", "SLICE AT THE TIME CURSOR", {"frame=3"} },
	{ "where its time went", "L", " ms of 100 main: ", {"blocked, I/O: io_schedule"} },
	{ "why it waited", "<Enter>", "Longest wait of 100 main", {"200 system", "io_schedule"} },
	{ "its waker meanwhile", "j<Enter>", "(Backspace returns)", {"200 system at 58.000 ms"} },
	{ "where threads were blocked", "9v/Blocked<Enter><Enter>", "Blocked, ",
	    {"io_schedule+0x1c/0x40", "6.000"} },
	{ "each time", "<Enter>", "Intervals of 100 main", {"58.000", "io_schedule"} },
	{ "on the timeline", "<Enter>", "(Backspace returns)",
	    {"100 main at 58.000 ms", "Uninterruptible"} },
	{ "the counters", "9v/Counters<Enter><Enter>", "Counters, ", {"pending"} },
	{ "when one was largest", "<Enter>", "at 83.400 ms", {NULL} },
	{ "asynchronous slices", "1/loadImage<Enter>", "match 1 of 1", {"94.000"} },
	{ "the longest of them", "5", "slices sum 94.000", {"36.100"} },
	{ "its id, category and arguments", "i", "SLICE AT THE TIME CURSOR",
	    {"asynchronous", "images", "size=64", "101 worker"} },
	{ "a chain over threads", "q9v/Flows<Enter><Enter>", "Flows, ", {"c0ffee"} },
	{ "its slices below each other", "<Enter>", "Chain c0ffee", {"ReceiveVsync", "decode"} },
	{ "only slices with a tag", "1:tag graphic<Enter>", "no slices of this level", {"tags graphic"} },
	{ "all of them again", "u", "undone", {NULL} },
	{ "one process of a list", "@/200<Enter><Space>", "[x] process    200 system", {NULL} },
	{ "only that", "<Enter>", "process 200 system", {"schedule", " 4 slices"} },
};

/* On the row of a core keys are about the thread that runs there. */
static const struct step core[] = {
	{ "the cores", "7g+", "cpu1", {"main 100"} },
	{ "what one of them ran", "jhhhhhhhh", "101 worker ran ", {NULL} },
	{ "what woke that thread", "L", "Wait of 101 worker", {NULL} },
	{ "back", "7", "101 worker ran ", {NULL} },
	{ "all about it", "i", "AT THE TIME CURSOR", {"thread   101 worker"} },
};

/* The slow frames. */
static const struct step frames[] = {
	{ "the frames", "!!", "What took most of it",
	    {"Layout", "1/4 25%", "0 of 4 frames of main late (budget 16.700 ms: no VSYNC", "longest 15.2 ms at 0.050 s"} },
	{ "over a budget", ":set frame-budget=10ms<Enter>", "5.200", {"1.000"} },
	{ "the cursor is on the worst", "", "3/4", {"Layout", "2 of 4 frames of main late (budget 10.000 ms, as set), longest 15.2 ms"} },
	{ "all about it", "i", "deadline",
	    {"FRAME", "hitrace", "60.200 ms", "5.200 ms", "UI thread", "50.200 to 65.400 ms"} },
	{ "and back to it", "q", "3/4", {NULL} },
	{ "no slow one before", "[", "no earlier slow frame", {NULL} },
	{ "what happened in it", "<Enter>", "1 of 6 threads", {"0.0502-0.0654 s"} },
	{ "where the time went", "L", "15.200 ms of 100 main: ", {"running", "blocked, I/O: io_schedule"} },
	{ "back to what happened", "q", "1 of 6 threads", {"Layout"} },
	{ "back to the list", "q", "3/4", {NULL} },
	{ "the last slow one", "]]", "no later slow frame", {"4/4"} },
	{ "the longest first", ">>", "by Over ms, descending", {NULL} },
	{ "other slices as frames", ":set frames=^Layout$<Enter>", "2/4 50%", {"7.200", "measure"} },
	{ "none", ":set frames=nothing<Enter>", "no frames here", {NULL} },
	{ "a bad name", ":set frames=(<Enter>", "missing closing parenthesis", {NULL} },
	{ "an idle rule", ":set idle.mine=Layout<Enter>1_", "idle time is hidden", {"idle hidden"} },
	{ "the rules", "\"", "[x] mine", {"[ ] network", "[x] looper"} },
	{ "off", "G<Space>", "[ ] mine", {NULL} },
	{ "its time is back", "<Enter>/Layout<Enter>", "match 1 of 1", {"idle hidden"} },
	{ "nothing hidden", "_", "idle time counts again", {NULL} },
};

/* A real log of 3 s; the figures were found without this program. */
static const struct step real[] = {
	{ "which thread was busy", "99", "CPU by thread", {"690 RenderThread"} },
	{ "where it ran longest", "/3690 Render<Enter><Enter>", "(Backspace returns)",
	    {"3690 RenderThread at"} },
	{ "its slices", "1T/^DrawFrame$<Enter>", "match 1 of 1", {"698.760"} },
	{ "one by one, the slowest first", "5", "slices sum 698.760", {"111 slices"} },
	{ "all about it, and what it waited for", "i", "ITS THREAD MEANWHILE",
	    {"DrawFrame, synchronous", "Running", "woken by"} },
	{ "what ended the longest wait", "<Enter>", "THREAD AT THE TIME CURSOR", {NULL} },
};

struct question {
	const char *name, *words, *loaded;
	unsigned keys; /* at most */
	struct step steps[8];
};

static const struct question questions[] = {
	{ "the worst busy method of the main thread, its callers, its longest call", "demo.trace",
	    "300,035 calls", 5, {
	    { "only the main thread", "6<Enter>", "1 of 22 threads", {NULL} },
	    { "without idle time", "_", "idle hidden", {NULL} },
	    { "the worst", "3", "Method, called by", {"> 22.88", "nativeDecodeStream"} },
	    { "its calls, the longest first", "5", "max 112.386",
		{">    2 0.756643  112.386!", "BitmapFactory.decodeStream"} } } },
	{ "why a stretch was slow", "demo.trace", "300,035 calls", 8, {
	    { "the frames, the worst first", "!!>>", "by Over ms, descending", {"752.536  116.551"} },
	    { "that one", "<Enter>", "0.752536-0.869087 s of 5.000 s", {NULL} },
	    { "where its time went", "4H", "112.386 ms",
		{"Choreographer.doFrame", "FeedAdapter.onBindViewHolder", "nativeDecodeStream"} } } },
	{ "the share of a package by thread", "demo.trace", "300,035 calls", 3, {
	    { "packages", "v", "Package", {"java.lang"} },
	    { "only one", ";", "filter", {NULL} },
	    { "by thread", "6", "Filter ms", {"Filter%", "main"} } } },
	{ "what takes more time", "diff before.trace sample.trace", "MORE TIME 4", 1, {
	    { "the worst", "", "+17.600", {"ImageCache.decode", "from 3 more calls"} },
	    { "who calls it", "<Enter>", "FeedAdapter.onBindViewHolder", {"11.500"} } } },
	{ "who waited longest for a core, behind whom, woken by what", "own", "(T: all)", 5, {
	    { "the longest waits", "999", "Scheduling latency", {"Then woken by"} },
	    { "why", "L", " ms of 100 main: runnable", {"101 worker", "had the core"} } } },
};

/* What a trace is opened for first, as it opens; a text that is typed is as many keys as it has. */
static const struct question first[] = {
	{ "what makes main slow", "demo.trace", "300,035 calls", 1, {
	    { "the findings", "!", "main decodes and parses for 363.1 ms (85 % of late messages)",
		{"> 1 ", "BitmapFactory.decodeStream, called by ImageCache.get", "6 of 136 frames late"} } } },
	{ "why the worst frame was slow", "demo.trace", "300,035 calls", 2, {
	    { "the frames, the cursor on the worst", "<F7>", ">  38   752.536  116.551", {NULL} },
	    { "what took its time", "<Enter>", ">  112.386  96.43",
		{"nativeDecodeStream", "1 of 22 threads", "% of the range"} } } },
	{ "what main did meanwhile, in order", "demo.trace", "300,035 calls", 2, {
	    { "the frames", "<F7>", ">  38   752.536  116.551", {NULL} },
	    { "its calls in order", "<F8>", "in android.app.ActivityThread.main",
		{"752.599    3.640", "756.584  112.473", "756.643  112.386", "nativeDecodeStream"} } } },
	{ "which calls of a method were slow, and why", "demo.trace", "300,035 calls", 17, {
	    { "its calls, the slowest first", "/nativeDecode<Enter>5", "over 16.7 ms: 5",
		{">    2 0.756643  112.386!"} },
	    { "who called that", "<Enter>", "stack of the call",
		{"com.example.feed.image.ImageCache.get()", "FeedAdapter.onBindViewHolder"} } } },
	{ "by rules of one's own", "demo.trace", "300,035 calls", 60, {
	    { "a class is none", "!:set findings.decode=off<Enter>", "> 1   130.778",
		{"6 of 136 frames late"} },
	    { "and it is again", ":set findings.decode=on<Enter>", "main decodes and parses", {NULL} } } },
	{ "who builds strings", "demo.trace", "300,035 calls", 9, {
	    { "methods of strings", "&String<Enter>", "filter (124 of 1221 methods, 15.20 % self) String", {NULL} },
	    { "their callers as one", "3", "[124 methods that match]",
		{"865.745", "HttpObjectProxy.encodeCanvas"} } } },
};

/* 3,400 threads in 700 processes, on the smallest usual screen. */
static const struct question crowd = {
	"a thread among thousands", "crowd.pftrace", "2823 threads", 40, {
	{ "the app in front is open, its main thread first", "T6", ">[x]   3425   Jit pool 5",
	    {"-com.app.p3425", "+com.app.p3615"} },
	{ "what did nothing is one row", "G", ">[x]        +",
	    {" processes, ", " threads without slices or running time"} },
	{ "that opens", "+", ">[x]        -", {NULL} },
	{ "a thread of a closed process is found", "/pid=3<Enter>nn", ">[x]", {"match 3 of "} },
	{ "a process by its name, and closed", "/p2430<Enter>+j", " 2430   [GT]Handler-0",
	    {"+2 threads without slices or running time"} },
	{ "from inside", "-", ">[x]   2430 +com.app.p2430", {NULL} },
	{ "only its threads", "<Enter>", "only these threads", {"3 of 2823 threads"} } }
};

static const struct question crowd_picked = {
	"a thread among thousands, picked", "crowd.pftrace", "2823 threads", 40, {
	{ "the app in front is open", "t", "-com.app.p3425", {"3425   Jit pool 5"} },
	{ "what is closed is found, below its process", "/GT]Handler-0", "/GT]Handler-0 ",
	    {"-com.app.p4090", "4090   [GT]Handler-0"} },
	{ "only that", "<Enter><Enter>", "1 of 2823 threads", {NULL} },
	{ "processes: the one in front is first, and the others that did something", "@jjjjjj",
	    "process   3425 com.app.p3425", {"[ ] process   3615 com.app.p3615"} },
	{ "what did nothing is one row", "G", "> +  ", {" processes, ", " threads without slices"} },
	{ "that opens", "+", "> -  ", {NULL} },
	{ "one of it is found", "/p2430<Enter><Space>", "[x] process   2430 com.app.p2430", {NULL} } }
};

/* The same question as of a real trace below, of the project's own: doc/screens.md shows it. */
static const struct question own_startup = {
	"why an app took 1.2 s to start", "--sort=excl% startup.perfetto-trace", "(T: all)", 10, {
	{ "the app in front is first", "6", ">[x]    100   om.example.shop", {"-om.example.shop"} },
	{ "only its main thread", "<Enter>", "1 of 10 threads", {NULL} },
	{ "what took its own time", "1", "297.000",
	    {NULL} },
	{ "the longest that only waited", "j5", "1 slice sum 168.200", {NULL} },
	{ "its states", "i", "ITS THREAD MEANWHILE",
	    {"Running                    0.800 ms", "Sleeping                   167.000 ms",
		"111 DefaultDispatch"} },
	{ "what it waited for", "L", " ms of 100 om.example.shop: ",
	    {"lock, owner DefaultDisp", "111 DefaultDispatch"} } },
};

/* The first table is about the app in front; others are of all. */
static const struct question own_front = {
	"whose slices the first table has", "startup.perfetto-trace", "only 100 om.example.shop, 3 threads (T: all)", 20, {
	{ "tables of the cores have all processes", "9", "CPU by process", {"300 system_server", "10 threads, % of"} },
	{ "all threads", "1T", "10 threads, 47 slices", {NULL} },
	{ "undone: those in front", "u", "only 100 om.example.shop", {"3 of 10 threads, 39 slices"} },
	{ "undone: all", "u", "10 threads, 47 slices", {"undone"} },
	{ "names without numbers", "/DrawFrames<Enter>", "match 1 of", {"DrawFrames #"} },
	{ "as they are", "<F9>", "names of slices as they are", {"DrawFrames 1"} },
	{ "and folded again, the cursor on it", "<F9>i", "NAMES IN IT", {"DrawFrames 1, 1 slice"} } },
};

/* A real trace of Perfetto's; the figures are those of Perfetto's engine. */
static const struct question startup = {
	"why an app took long to start", "startup.pftrace", "(T: all)", 10, {
	{ "the app in front is first", "6", "enchmark.target", {">[x]   7663"} },
	{ "only its main thread", "<Enter>", "1 of 390 threads", {NULL} },
	{ "what took its time", "1", "activityResume", {"106.506", "100.171 "} },
	{ "the longest", "jj5", "max 100.171", {"7663 enchmark.target"} },
	{ "its states", "i", "ITS THREAD MEANWHILE",
	    {"Running                    0.080 ms", "Sleeping                   100.074 ms"} },
	{ "what it waited for", "L", " ms of 7663 enchmark.target: ",
	    {"sleeping, woken by IRQ"} } },
};

/* Another, without the scheduler's events: rows of frames are long and do nothing. */
static const struct question frame_rows = {
	"which thread did something", "frames.pftrace", "3,123 slices", 6, {
	{ "the app's main thread", "6", "Busy%▼", {">[x]   9305   thread 9305", "15.76"} },
	{ "the next one is no row of frames", "j", ">[x]   9432   thread 9432", {"12.30"} },
	{ "which come after all threads that did", "jjjj", ">[x]   9305   async: Expected Timeline",
	    {NULL} } },
};

/* "<Enter>" is one. */
static unsigned
keys_count(const char *keys)
{
	unsigned count = 0;

	for (; *keys != '\0'; keys++, count++) {
		if (*keys == '<')
			keys = strchr(keys, '>');
	}
	return count;
}

static void
steps_go(struct pty *p, const char *name, const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count && steps[i].name != NULL; i++) {
		const struct step *s = &steps[i];
		bool good;

		pty_keys(p, s->keys);
		good = pty_expect(p, s->expect);
		for (size_t k = 0; good && k < sizeof(s->also) / sizeof(s->also[0]); k++)
			good = s->also[k] == NULL || pty_expect(p, s->also[k]);
		if (!ok(good, "%s: %s", name, s->name))
			diag("%s", pty_screen(p));
	}
}

/* The older questions are about the clock of the axis, and begin with inclusive time. */
static struct pty *
begin(const struct pty_options *o, const char *file, bool wall)
{
	char words[DESK_PATH + 40];

	if (!wall)
		return desk_start(o, file);
	if (strncmp(file, "diff ", 5) == 0)
		snprintf(words, sizeof(words), "diff --clock=wall %s", file + 5);
	else
		snprintf(words, sizeof(words), "--clock=wall --sort=incl%% %s", file);
	return desk_start(o, words);
}

static void
triage(const char *name, const char *log, const char *loaded, const struct step *steps,
    size_t count)
{
	struct pty_options o = {.rows = 50, .columns = 120};
	struct pty *p;

	ok(symlink(log, name) == 0, "%s: a log", name);
	p = begin(&o, name, true);
	ok(pty_expect(p, loaded), "%s: all is read", name);
	steps_go(p, name, steps, count);
	desk_quit(p, "\033Q", name);
}

static void
question_ask(const struct question *q, int columns, int rows, bool wall)
{
	struct pty_options o = {.rows = rows, .columns = columns};
	struct pty *p = begin(&o, q->words, wall);
	unsigned keys = 0;

	ok(pty_expect(p, q->loaded), "%s: all is read", q->name);
	for (size_t i = 0; i < sizeof(q->steps) / sizeof(q->steps[0]) && q->steps[i].name; i++)
		keys += keys_count(q->steps[i].keys);
	ok(keys <= q->keys, "%s: %u keys", q->name, keys);
	steps_go(p, q->name, q->steps, sizeof(q->steps) / sizeof(q->steps[0]));
	desk_quit(p, "\033Q", q->name);
}

int
main(void)
{
	const char *shared = getenv("SLOWTOP_SHARED");
	char path[DESK_PATH];

	desk_begin("t-triage");
	desk_source(path, "tests/tui/sample.ftrace.txt");
	triage("own", path, "(T: all)", own, sizeof(own) / sizeof(own[0]));
	triage("core", path, "(T: all)", core, sizeof(core) / sizeof(core[0]));
	triage("frames", path, "(T: all)", frames, sizeof(frames) / sizeof(frames[0]));
	snprintf(path, sizeof(path), "%s/samples/ftrace/gracker_xiaomi_launcher_scroll.html.gz",
	    shared != NULL ? shared : ".");
	if (access(path, R_OK) == 0)
		triage("real", path, "(T: all)", real, sizeof(real) / sizeof(real[0]));
	else
		skip("the sample log is not here");
	snprintf(path, sizeof(path), "%s/samples/perfetto/api32_startup_warm.perfetto-trace",
	    shared != NULL ? shared : ".");
	if (access(path, R_OK) == 0 && symlink(path, startup.words) == 0)
		question_ask(&startup, 100, 30, true);
	else
		skip("the sample of a startup is not here");
	snprintf(path, sizeof(path), "%s/samples/perfetto/nowinandroid.perfetto-trace",
	    shared != NULL ? shared : ".");
	if (access(path, R_OK) == 0 && symlink(path, frame_rows.words) == 0)
		question_ask(&frame_rows, 100, 30, true);
	else
		skip("the sample with frames is not here");
	desk_source(path, "tests/tui/startup.ftrace.txt");
	desk_convert("startup.perfetto-trace", path, "--to=perfetto");
	question_ask(&own_startup, 100, 30, true);
	question_ask(&own_front, 100, 30, true);
	desk_log("crowd.pftrace",
	    "--lines=bundles --processes=700 --threads=3400 --events=20k");
	question_ask(&crowd, 80, 24, true);
	question_ask(&crowd_picked, 80, 24, true);
	desk_trace("demo.trace", "--demo");
	desk_sample("sample.trace", "sample.trace.txt");
	desk_sample("before.trace", "before.trace.txt");
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
		question_ask(&questions[i], 100, 30, true);
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		question_ask(&first[i], 100, 30, false);
	return desk_end();
}
#endif
