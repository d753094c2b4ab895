// SPDX-License-Identifier: Apache-2.0
/*
 * picture: drives a program in a terminal of its own and tells what the screen shows, as
 * text or as SVG, for the documents (contrib/screens).
 *
 *	picture [--size=COLUMNSxROWS] [--svg] [--text=FILE] [--until=FILE] [--expect=TEXT]
 *		[--gone=TEXT] [--keys=KEYS]... -- PROGRAM...
 *
 * Keys, and what is waited for, are worked off in their order; keys are named as in pty.h.  --text
 * writes the text beside an SVG.  The picture is taken when the program is quiet; with --until
 * when the screen is the text in that file, or after some seconds as it is then.
 */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/pty.h"

enum {
	CELL_WIDTH = 8, CELL_HEIGHT = 17, BASELINE = 13, EDGE = 8, STEPS = 40, QUIET_MS = 400,
	UNTIL_TIMES = 200, /* of 100 ms */
};
enum { TEXT_MAX = 1 << 16 };

#define GROUND "#1c1c1c"
#define TEXT   "#d0d0d0"

struct step {
	enum { STEP_KEYS, STEP_EXPECT, STEP_GONE } kind;
	const char *text;
};

static void
put_escaped(const char *text)
{
	for (; *text != '\0'; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", stdout);
			break;
		case '<':
			fputs("&lt;", stdout);
			break;
		case '>':
			fputs("&gt;", stdout);
			break;
		default:
			putchar(*text);
		}
	}
}

static const char *
colour(int rgb, const char *otherwise, char out[static 8])
{
	if (rgb < 0)
		return otherwise;
	snprintf(out, 8, "#%06x", (unsigned)rgb & 0xffffff);
	return out;
}

/* Heights of one eighth each; drawn, since fonts leave gaps between them. */
static int
block_eighths(const char *text)
{
	const unsigned char *u = (const unsigned char *)text;

	return u[0] == 0xe2 && u[1] == 0x96 && u[2] >= 0x81 && u[2] <= 0x88 && u[3] == 0
		   ? u[2] - 0x80
		   : 0;
}

static void
put_rectangle(int x, int y, int width, int height, const char *fill)
{
	printf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", x, y,
	    width, height, fill);
}

static bool
is_blank(const struct pty_cell *c)
{
	return strcmp(c->text, " ") == 0;
}

static bool
same_look(const struct pty_cell *a, const struct pty_cell *b)
{
	return a->look == b->look && a->colour == b->colour;
}

/*
 * Each word is an element of its own: whether blanks count is a thing that browsers and
 * libraries do not agree about.
 */
static void
put_words(const struct pty_cell *cells, int from, int to, int row, const char *fill)
{
	unsigned look = cells[from].look;

	for (int i = from, end; i < to; i = end) {
		end = i + 1;
		if (is_blank(&cells[i]))
			continue;
		while (end < to && !is_blank(&cells[end]))
			end++;
		printf("<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"%s\"%s%s>",
		    EDGE + i * CELL_WIDTH, EDGE + row * CELL_HEIGHT + BASELINE,
		    (end - i) * CELL_WIDTH, fill, look & PTY_BOLD ? " font-weight=\"bold\"" : "",
		    look & PTY_UNDERLINE ? " text-decoration=\"underline\"" : "");
		for (; i < end; i++)
			put_escaped(cells[i].text);
		puts("</text>");
	}
}

/* Cells from `from` on that look alike: returns where they end. */
static int
put_run(const struct pty_cell *cells, int from, int columns, int row)
{
	const struct pty_cell *first = &cells[from];
	bool reverse = first->look & PTY_REVERSE;
	int to = from, x = EDGE + from * CELL_WIDTH, y = EDGE + row * CELL_HEIGHT;
	int eighths = block_eighths(first->text);
	char buffer[8];
	const char *ink = colour(first->colour, TEXT, buffer);

	while (to < columns && same_look(first, &cells[to]) &&
	       block_eighths(cells[to].text) == eighths)
		to++;
	if (reverse)
		put_rectangle(x, y, (to - from) * CELL_WIDTH, CELL_HEIGHT, ink);
	if (eighths > 0) {
		int height = CELL_HEIGHT * eighths / 8;

		put_rectangle(x, y + CELL_HEIGHT - height, (to - from) * CELL_WIDTH, height,
		    reverse ? GROUND : ink);
		return to;
	}
	put_words(cells, from, to, row, reverse ? GROUND : ink);
	return to;
}

static void
put_svg(struct pty *p, int rows, int columns)
{
	struct pty_cell *cells = calloc((size_t)columns, sizeof(*cells));
	int width = columns * CELL_WIDTH + 2 * EDGE, height = rows * CELL_HEIGHT + 2 * EDGE;

	if (cells == NULL)
		exit(1);
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
	       "viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"13\">\n",
	    width, height, width, height);
	put_rectangle(0, 0, width, height, GROUND);
	for (int row = 0; row < rows; row++) {
		for (int i = 0; i < columns; i++)
			pty_cell(p, row, i, &cells[i]);
		for (int at = 0; at < columns;)
			at = put_run(cells, at, columns, row);
	}
	puts("</svg>");
	free(cells);
}

/* Ends the program when there is nothing to read. */
static char *
read_text(const char *name)
{
	FILE *in = fopen(name, "r");
	char *text = calloc(1, TEXT_MAX);

	if (in == NULL || text == NULL || fread(text, 1, TEXT_MAX - 1, in) == 0) {
		fprintf(stderr, "picture: cannot read %s\n", name);
		exit(1);
	}
	fclose(in);
	return text;
}

static void
write_text(const char *name, const char *text)
{
	FILE *out = fopen(name, "w");

	if (out == NULL || fputs(text, out) == EOF || fclose(out) != 0) {
		fprintf(stderr, "picture: cannot write %s\n", name);
		exit(1);
	}
}

static int
usage(void)
{
	fputs("usage: picture [--size=COLUMNSxROWS] [--svg] [--text=FILE] [--until=FILE] "
	      "[--expect=TEXT] [--gone=TEXT] [--keys=KEYS]... -- PROGRAM...\n",
	    stderr);
	return 2;
}

int
main(int argc, char **argv)
{
	struct pty_options options = {.rows = 24, .columns = 80};
	struct step steps[STEPS];
	int count = 0, i = 1, status;
	bool svg = false, ended;
	const char *text = NULL;
	char *until = NULL;
	struct pty *p;

	for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (sscanf(argv[i], "--size=%dx%d", &options.columns, &options.rows) == 2)
			continue;
		if (strcmp(argv[i], "--svg") == 0)
			svg = true;
		else if (strncmp(argv[i], "--text=", 7) == 0)
			text = argv[i] + 7;
		else if (strncmp(argv[i], "--until=", 8) == 0 && until == NULL)
			until = read_text(argv[i] + 8);
		else if (strncmp(argv[i], "--keys=", 7) == 0 && count < STEPS)
			steps[count++] = (struct step){STEP_KEYS, argv[i] + 7};
		else if (strncmp(argv[i], "--expect=", 9) == 0 && count < STEPS)
			steps[count++] = (struct step){STEP_EXPECT, argv[i] + 9};
		else if (strncmp(argv[i], "--gone=", 7) == 0 && count < STEPS)
			steps[count++] = (struct step){STEP_GONE, argv[i] + 7};
		else
			return usage();
	}
	if (i + 1 >= argc || options.rows < 1 || options.columns < 1)
		return usage();
	p = pty_start(&options, (const char *const *)&argv[i + 1]);
	if (until == NULL)
		pty_settle(p, QUIET_MS);
	for (int s = 0; s < count; s++) {
		if (steps[s].kind == STEP_KEYS) {
			pty_keys(p, steps[s].text);
			if (until == NULL)
				pty_settle(p, QUIET_MS);
		} else if (!(steps[s].kind == STEP_EXPECT ? pty_expect : pty_expect_gone)(
			       p, steps[s].text)) {
			fprintf(stderr, "picture: '%s' is %s the screen:\n%s", steps[s].text,
			    steps[s].kind == STEP_EXPECT ? "not on" : "still on", pty_screen(p));
			return 1;
		}
	}
	if (until == NULL)
		pty_settle(p, QUIET_MS);
	/* That it is another one now is seen in the picture. */
	for (int s = 0; until != NULL && s < UNTIL_TIMES && strcmp(pty_screen(p), until) != 0; s++)
		pty_settle(p, 100);
	free(until);
	if (text != NULL)
		write_text(text, pty_screen(p));
	if (svg)
		put_svg(p, options.rows, options.columns);
	else
		fputs(pty_screen(p), stdout);
	/* Out of whatever is open. */
	pty_bytes(p, "\033\033Q", 3);
	ended = pty_ended(p, &status) && status == 0;
	if (!ended)
		fputs("picture: the program did not end well\n", stderr);
	pty_free(p);
	return !ended;
}
