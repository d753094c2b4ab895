// SPDX-License-Identifier: Apache-2.0
/*
 * Enter on a finding, or on a slow frame, leads to its cause: the method or slice that the finding
 * names is under the cursor, with the share that it says, and one q gives back the screen of
 * before, to the letter.  On the project's own traces, and on real ones where there are some.
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

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/desk.h"

enum { LINE = 1 << 16, NAME = 400, FILES = 100 };

static char files[FILES][DESK_PATH];
static int file_count;

/* What a finding says, of its line in JSON. */
struct said {
	char kind[40], name[NAME]; /* name: of a method without class and types, or of a slice */
	double share;              /* percent of its place; negative: it says none */
	bool place;
};

/* The text of a member, up to its end or the room; false: it is not there, or null. */
static bool
text_of(const char *line, const char *key, char out[static NAME])
{
	const char *at = line != NULL ? strstr(line, key) : NULL, *end;

	if (at == NULL || at[strlen(key)] != '"')
		return false;
	at += strlen(key) + 1;
	end = strchr(at, '"');
	snprintf(out, NAME, "%.*s", end != NULL ? (int)(end - at) : 0, at);
	return out[0] != '\0';
}

static double
number_of(const char *line, const char *key)
{
	const char *at = line != NULL ? strstr(line, key) : NULL;

	return at != NULL ? atof(at + strlen(key)) : -1;
}

static bool
said_read(const char *line, struct said *s)
{
	const char *place = strstr(line, "\"place\":{"), *cause = strstr(line, "\"cause\":{");
	char kind[NAME], whole[NAME], named[NAME];
	double length = number_of(place, "\"time_us\":"), time = number_of(cause, "\"name_us\":");

	if (strncmp(line, "  {\"rank\":", 10) != 0 || !text_of(line, "\"kind\":", kind))
		return false;
	*s = (struct said){.share = -1, .place = length > 0};
	snprintf(s->kind, sizeof(s->kind), "%.39s", kind);
	if (text_of(place, "\"method\":", whole)) {
		char *types = strchr(whole, '('), *dot;

		if (types != NULL)
			*types = '\0';
		dot = strrchr(whole, '.');
		snprintf(s->name, sizeof(s->name), "%s", dot != NULL ? dot + 1 : whole);
	} else if (text_of(place, "\"slice\":", whole)) {
		snprintf(s->name, sizeof(s->name), "%s", whole);
	}
	if (s->name[0] != '\0' && text_of(cause, "\"name\":", named) && strstr(named, s->name) != NULL &&
	    length > 0 && time >= 0)
		s->share = 100 * time / length;
	return true;
}

/* The cursor's row. */
static const char *
cursor_row(struct pty *p)
{
	for (int i = 3; i < 50; i++)
		if (pty_row(p, i)[0] == '>')
			return pty_row(p, i);
	return "";
}

/* A name may be cut, in front or in its midst: its longest word is not. */
static bool
names(const char *row, const char *name)
{
	char word[40] = "";

	for (const char *at = name; *at != '\0';) {
		size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

		if (n > strlen(word))
			snprintf(word, sizeof(word), "%.*s", (int)n, at);
		at += n > 0 ? n : 1;
	}
	return word[0] != '\0' && strstr(row, word) != NULL;
}

/* Has the cursor's row a figure that rounds to the share, or the last line, of more paths? */
static bool
has_share(struct pty *p, double share)
{
	const char *row;
	char all[60];

	snprintf(all, sizeof(all), ", %.0f %% in all its calls (q", share);
	if (pty_shows(p, all))
		return true;
	row = cursor_row(p);
	for (const char *at = row; *at != '\0'; at++) {
		char *end;
		double figure;

		if (*at < '0' || *at > '9' || (at > row && at[-1] != ' '))
			continue;
		figure = strtod(at, &end);
		if (fabs(figure - share) <= 0.6)
			return true;
		at = end - 1;
	}
	return false;
}

/*
 * The cursor's row once it has the name, and the share where one is said (negative: none): calls
 * are counted again, for a while where the machine is busy.
 */
static const char *
row_led_to(struct pty *p, const char *name, double share)
{
	for (int i = 0; i < 40; i++) {
		pty_settle(p, 300);
		if (names(cursor_row(p), name) && (share < 0 || has_share(p, share)))
			break;
	}
	return cursor_row(p);
}

/* The worst frame, and the next ones that are over the budget. */
static void
lead_frames(struct pty *p, const char *name)
{
	enum { MOST = 4 };

	pty_keys(p, "<F7>");
	pty_settle(p, 300);
	if (!pty_shows(p, "F7 Frames]"))
		return;
	for (int i = 0; i < MOST; i++) {
		char *before = strdup(pty_screen(p)), what[NAME] = "";
		const char *row = cursor_row(p), *mark = strstr(row, "▌ ");

		if (mark != NULL)
			snprintf(what, sizeof(what), "%.*s", (int)strcspn(mark + strlen("▌ "), "( "),
			    mark + strlen("▌ "));
		if (what[0] != '\0') {
			char *dot = strrchr(what, '.');

			pty_keys(p, "<Enter>");
			ok(pty_expect(p, "[2 Tree]"), "%s, frame %d: Enter goes there", name, i);
			row = row_led_to(p, dot != NULL ? dot : what, -1);
			if (!ok(names(row, dot != NULL ? dot : what), "%s, frame %d: on %s", name, i, what))
				diag("%s", row);
			pty_keys(p, "q");
			ok(pty_expect_screen(p, before), "%s, frame %d: q gives back the list", name, i);
		}
		free(before);
		pty_keys(p, "]");
		pty_settle(p, 400);
		if (pty_shows(p, "no later slow frame"))
			break;
	}
}

static void
lead(int index)
{
	struct pty_options o = {.rows = 50, .columns = 160};
	const char *path = files[index], *name = strrchr(path, '/');
	char command[DESK_PATH + 100], words[DESK_PATH + 4], *line = malloc(LINE), finding[40];
	struct pty *p = NULL;
	FILE *from;
	int rank = 0;

	name = name != NULL ? name + 1 : path;
	snprintf(command, sizeof(command), "\"$SLOWTOP\" triage --format=json '%s' 2>/dev/null", path);
	from = popen(command, "r");
	while (from != NULL && line != NULL && fgets(line, LINE, from) != NULL) {
		struct said s;
		char *before;
		const char *row;

		if (!said_read(line, &s))
			continue;
		if (rank++ == 0) {
			snprintf(words, sizeof(words), "%s", path);
			p = desk_start(&o, words);
			pty_keys(p, "!");
			pty_expect(p, "Kind     Finding");
			pty_expect_gone(p, "looking for what");
			pty_expect_gone(p, "partial");
			pty_expect_gone(p, "counting");
		} else {
			pty_keys(p, "]");
		}
		pty_settle(p, 400);
		/* Others have no place in a thread's time. */
		if (!s.place || s.name[0] == '\0' || strcmp(s.kind, "process") == 0 ||
		    strcmp(s.kind, "thread") == 0)
			continue;
		before = strdup(pty_screen(p));
		pty_keys(p, "<Enter>");
		snprintf(finding, sizeof(finding), "finding %d of", rank);
		ok(pty_expect(p, finding), "%s, %d %s: Enter goes there", name, rank, s.kind);
		row = row_led_to(p, s.name, s.share);
		if (!ok(names(row, s.name), "%s, %d %s: on %s", name, rank, s.kind, s.name))
			diag("%s", row);
		if (s.share >= 0 && !ok(has_share(p, s.share), "%s, %d %s: with %.1f %%", name, rank, s.kind,
				s.share))
			diag("%s", cursor_row(p));
		pty_keys(p, "q");
		ok(pty_expect_screen(p, before), "%s, %d %s: q gives back the list", name, rank, s.kind);
		free(before);
	}
	if (from != NULL)
		(void)pclose(from);
	if (p != NULL) {
		lead_frames(p, name);
		desk_quit(p, "Q", name);
	} else {
		skip("%s: no findings", name);
	}
	free(line);
}

static void
add(const char *path)
{
	if (file_count < FILES && strstr(path, ".expected.") == NULL)
		snprintf(files[file_count++], DESK_PATH, "%s", path);
}

int
main(void)
{
	static const char *const folders[] = {"art", "ftrace", "perfetto"};
	const char *shared = getenv("SLOWTOP_SHARED");

	desk_begin("t-causes");
	desk_trace("demo.trace", "--demo");
	desk_sample("sample.trace", "sample.trace.txt");
	add("demo.trace");
	add("sample.trace");
	for (size_t i = 0; shared != NULL && i < sizeof(folders) / sizeof(folders[0]); i++) {
		char folder[DESK_PATH], path[2 * DESK_PATH];
		struct dirent **entries;
		int n;

		snprintf(folder, sizeof(folder), "%s/samples/%s", shared, folders[i]);
		n = scandir(folder, &entries, NULL, alphasort);
		for (int k = 0; k < n; k++) {
			snprintf(path, sizeof(path), "%s/%s", folder, entries[k]->d_name);
			if (entries[k]->d_name[0] != '.')
				add(path);
			free(entries[k]);
		}
		if (n >= 0)
			free(entries);
		else
			skip("no samples of %s", folders[i]);
	}
	tap_each(file_count, DESK_AT_ONCE, lead);
	return desk_end();
}
#endif
