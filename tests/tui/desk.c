// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/desk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap/tap.h"

enum { WORDS_MAX = 20, TEXT_MAX = 1 << 16 };

static char folder[DESK_PATH];

_Noreturn static void
bail(const char *what, const char *name)
{
	printf("Bail out! cannot %s %s: %s\n", what, name, strerror(errno));
	exit(1);
}

void
desk_begin(const char *test)
{
	const char *build = getenv("BUILDDIR");

	if (build == NULL || getenv("SRCDIR") == NULL)
		skip_all("run by make check");
	snprintf(folder, sizeof(folder), "%s/%s.XXXXXX", build, test);
	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		bail("make", folder);
}

int
desk_end(void)
{
	char command[DESK_PATH + 20];

	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	if (chdir("/") != 0 || system(command) != 0)
		diag("%s is left", folder);
	return tap_done();
}

void
desk_source(char out[static DESK_PATH], const char *name)
{
	snprintf(out, DESK_PATH, "%s/%s", getenv("SRCDIR"), name);
}

static void
generate(const char *generator, const char *name, const char *options)
{
	char command[3 * DESK_PATH];

	snprintf(command, sizeof(command), "'%s/tests/gen/%s' --output='%s' %s",
	    getenv("BUILDDIR"), generator, name, options);
	fflush(stdout);
	if (system(command) != 0)
		bail("make", name);
}

void
desk_trace(const char *name, const char *options)
{
	generate("tracegen", name, options);
}

void
desk_log(const char *name, const char *options)
{
	generate("loggen", name, options);
}

void
desk_convert(const char *name, const char *from, const char *options)
{
	char command[4 * DESK_PATH];

	snprintf(command, sizeof(command), "'%s/slowtop' convert %s --output='%s' '%s'",
	    getenv("BUILDDIR"), options, name, from);
	fflush(stdout);
	if (system(command) != 0)
		bail("convert", from);
}

void
desk_sample(const char *name, const char *description)
{
	char path[DESK_PATH], quoted[DESK_PATH + 2];

	desk_source(path, "tests/tui/");
	snprintf(quoted, sizeof(quoted), "'%s%s'", path, description);
	desk_trace(name, quoted);
}

char *
desk_read(const char *name)
{
	char *text = calloc(1, TEXT_MAX + 1);
	FILE *in = fopen(name, "r");

	if (text == NULL)
		bail("read", name);
	if (in != NULL) {
		text[fread(text, 1, TEXT_MAX, in)] = '\0';
		fclose(in);
	}
	return text;
}

void
desk_write(const char *name, const char *text)
{
	FILE *out = fopen(name, "w");

	if (out == NULL || fputs(text, out) == EOF || fclose(out) != 0)
		bail("write", name);
}

void
desk_copy(const char *name, const char *file)
{
	char path[DESK_PATH], *text;

	desk_source(path, "tests/tui/");
	snprintf(path + strlen(path), sizeof(path) - strlen(path), "%s", file);
	text = desk_read(path);
	desk_write(name, text);
	free(text);
}

struct pty *
desk_start(const struct pty_options *o, const char *words)
{
	static const struct pty_options usual;
	char program[DESK_PATH], copy[1000];
	const char *argv[WORDS_MAX] = {program};
	int n = 1;

	snprintf(program, sizeof(program), "%s/slowtop", getenv("BUILDDIR"));
	snprintf(copy, sizeof(copy), "%s", words);
	for (char *word = strtok(copy, " "); word != NULL && n < WORDS_MAX - 1;
	     word = strtok(NULL, " "))
		argv[n++] = word;
	return pty_start(o != NULL ? o : &usual, argv);
}

bool
desk_quit(struct pty *p, const char *keys, const char *name)
{
	int status = -1;
	bool good;

	pty_bytes(p, keys, strlen(keys));
	good = ok(pty_ended(p, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0,
	    "%s: quits", name);
	if (!good)
		diag("status 0x%x; the screen is\n%s", (unsigned)status, pty_screen(p));
	good &= ok(pty_restored(p) && !pty_alternate(p) && pty_cursor_visible(p),
	    "%s: terminal as it was", name);
	pty_free(p);
	return good;
}
