#include <config.h>

#include "tui/golden_screens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tap/tap.h"
#include "tui/desk.h"

/* As in the titles. */
static const char sample[] = "tests/tui/sample.trace", earlier[] = "tests/tui/before.trace",
		  sample_log[] = "tests/tui/sample.ftrace";

void
golden_begin(const char *test)
{
	char path[DESK_PATH], *text;

	desk_begin(test);
	mkdir("tests", 0777);
	mkdir("tests/tui", 0777);
	desk_sample(sample, "sample.trace.txt");
	desk_sample(earlier, "before.trace.txt");
	desk_source(path, "tests/tui/sample.ftrace.txt");
	text = desk_read(path);
	desk_write(sample_log, text);
	free(text);
}

static bool
is_named(const struct screen *s, char **words)
{
	if (*words == NULL)
		return true;
	for (; *words != NULL; words++)
		if (strstr(s->name, *words) != NULL)
			return true;
	return false;
}

void
golden_each(char **words,
    void (*check)(const struct screen *, const char *start, const char *badge))
{
	const struct {
		const struct screen *screens;
		size_t count;
		const char *trace, *badge;
	} sets[] = {
	    {screens, screen_count, sample, "!2"},
	    {log_screens, log_screen_count, sample_log, "!1"},
	};

	for (size_t k = 0; k < sizeof(sets) / sizeof(sets[0]); k++) {
		for (size_t i = 0; i < sets[k].count; i++) {
			const struct screen *s = &sets[k].screens[i];
			char start[500];

			if (!is_named(s, words))
				continue;
			snprintf(start, sizeof(start), "%s %s", s->option != NULL ? s->option : "",
			    sets[k].trace);
			check(s, start, sets[k].badge);
		}
	}
}

static void
golden_path(char out[static DESK_PATH], const char *name)
{
	char file[200];

	snprintf(file, sizeof(file), "tests/tui/golden/%s.txt", name);
	desk_source(out, file);
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

bool
golden_is(struct pty *p, const char *name, const char *what)
{
	char path[DESK_PATH], *want;
	bool good;

	golden_path(path, name);
	want = desk_read(path);
	if (*want == '\0')
		good = ok(false, "%s: no such file", path);
	else if (!(good = ok(pty_expect_screen(p, want), "%s: %s", name, what)))
		show_difference(pty_screen(p), want);
	free(want);
	return good;
}

void
golden_accept(struct pty *p, const char *name)
{
	char path[DESK_PATH];

	golden_path(path, name);
	pty_settle(p, 400);
	desk_write(path, pty_screen(p));
}
