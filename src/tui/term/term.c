// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/term/term.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/worker.h"
#include "tui/term/capability.h"
#include "tui/term/outbox.h"
#include "tui/term/reader.h"
#include "tui/term/screen.h"
#include "tui/term/signals.h"

/*
 * The largest size that a terminal may claim, and that we fill.  Drawing costs cells, and
 * no real screen has more.
 */
enum { ROWS_MAX = 500, COLUMNS_MAX = 1000 };

#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
/* Presses, releases and the wheel, with coordinates as numbers (SGR). */
#define MOUSE_ON  "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"
/* CAN: ends one of which only a part was sent. */
#define SEQUENCE_END "\030"

struct term {
	FILE *in; /* /dev/tty, when standard input is no terminal; else NULL */
	int in_fd, out_fd;
	struct termios settings; /* before us */
	struct termios ours;
	struct signals signals;
	bool signals_taken;
	struct key_reader *reader;
	struct outbox outbox; /* of curses */
	SCREEN *curses;
	struct term_screen *screen;
	const char *taken_for; /* the terminal is not known here: */
	char name[64];
	bool utf8;
	bool modes; /* they are on */
	bool mouse; /* wanted */
	bool gone;  /* the terminal */
};

/* Modes that ncurses does not know; it has nothing in its buffer outside of a draw. */
static void
modes_on(struct term *t)
{
	reader_start(t->reader);
	outbox_write(t->out_fd, PASTE_ON, strlen(PASTE_ON));
	if (t->mouse)
		outbox_write(t->out_fd, MOUSE_ON, strlen(MOUSE_ON));
	t->modes = true;
}

static void
modes_off(struct term *t)
{
	if (!t->modes)
		return;
	if (t->mouse)
		outbox_write(t->out_fd, MOUSE_OFF, strlen(MOUSE_OFF));
	outbox_write(t->out_fd, PASTE_OFF, strlen(PASTE_OFF));
	reader_stop(t->reader);
	t->modes = false;
}

/*
 * Gives the screen back.  The cursor is shown again once more: some terminals remember
 * with the other screen that it was hidden.
 */
static void
leave(const struct term *t)
{
	char shown[64];
	size_t n = capability_append(shown, 0, sizeof(shown), "cnorm");

	/* Where no other screen comes back, a prompt follows on the last line. */
	if (capability_append(shown, n, sizeof(shown), "rmcup") == n)
		n = capability_append(shown, n, sizeof(shown), "el");
	endwin();
	outbox_write(t->out_fd, shown, n);
}

/* Prepares the bytes that end our modes after a crash, when curses cannot be called. */
static void
arm_crash(const struct term *t)
{
	static const char *const names[] = {"rmkx", "sgr0", "rmcup", "cnorm"};
	char bytes[255];
	size_t n = strlen(PASTE_OFF MOUSE_OFF);

	/* A mouse that is off already stays off. */
	memcpy(bytes, PASTE_OFF MOUSE_OFF, n);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		n = capability_append(bytes, n, sizeof(bytes), names[i]);
	signals_on_crash(t->out_fd, &t->settings, bytes, n);
}

void
tui_emergency_restore(void)
{
	signals_crash_now();
}

static int
limit(int value, int most)
{
	return value < 1 ? 1 : value > most ? most : value;
}

static void
ask_size(struct term *t)
{
	struct winsize size;

	if (ioctl(t->out_fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 ||
	    size.ws_col == 0)
		return;
	if (size.ws_row != LINES || size.ws_col != COLS)
		resizeterm(limit(size.ws_row, ROWS_MAX), limit(size.ws_col, COLUMNS_MAX));
}

static bool
open_screen(struct term *t, const struct settings *settings, struct err *e)
{
	struct theme theme;

	if (outbox_open(&t->outbox, t->out_fd))
		t->curses = newterm(NULL, t->outbox.curses, t->in != NULL ? t->in : stdin);
	if (t->curses == NULL)
		return err_set(e, ERR_SYSTEM, "cannot use this terminal");
	arm_crash(t);
	raw(); /* ^S, ^Q and ^Z are keys */
	noecho();
	nonl();
	keypad(stdscr, FALSE);
	typeahead(-1); /* never look at the input: it is not curses' to read */
	idlok(stdscr, TRUE);
	tcgetattr(t->out_fd, &t->ours);
	ask_size(t); /* newterm believes LINES and COLUMNS of the environment */
	settings_theme(settings, &theme);
	t->screen = screen_new((enum tui_colour)settings->color, &theme, t->utf8);
	return true;
}

const char *
term_libraries(char out[static TERM_LIBRARIES])
{
	snprintf(out, TERM_LIBRARIES, "%s, %s", curses_version(), reader_library);
	return out;
}

struct term *
term_open(const struct settings *settings, struct err *e)
{
	struct term *t = mem_zero(1, sizeof(*t));
	const char *name = getenv("TERM");

	snprintf(t->name, sizeof(t->name), "%s", name != NULL ? name : "");
	t->in_fd = STDIN_FILENO;
	t->out_fd = STDOUT_FILENO;
	t->utf8 = utf8_locale();
	if (!isatty(t->in_fd)) {
		t->in = fopen("/dev/tty", "r+e");
		if (t->in == NULL) {
			err_set(e, ERR_SYSTEM, "no terminal to read keys from");
			goto fail;
		}
		t->in_fd = fileno(t->in);
	}
	if (!isatty(t->out_fd) || tcgetattr(t->out_fd, &t->settings) != 0) {
		err_set(e, ERR_SYSTEM, "standard output is not a terminal");
		goto fail;
	}
	if (!capability_check(t->out_fd, &t->taken_for, e))
		goto fail;
	fflush(stdout);
	signals_install(&t->signals);
	t->signals_taken = true;
	t->mouse = settings->mouse;
	t->reader = reader_new(t->in_fd, settings->escape_time, e);
	if (t->reader == NULL || !open_screen(t, settings, e))
		goto fail;
	modes_on(t);
	return t;
fail:
	term_close(t);
	return NULL;
}

/* A terminal that takes nothing loses what it was sent before, so that it gets the rest. */
static void
make_room(const struct term *t)
{
	struct pollfd out = {.fd = t->out_fd, .events = POLLOUT};

	if (poll(&out, 1, 0) != 0)
		return;
	tcflush(t->out_fd, TCOFLUSH);
	outbox_write(t->out_fd, SEQUENCE_END, strlen(SEQUENCE_END));
}

void
term_close(struct term *t)
{
	if (t == NULL)
		return;
	if (signals_ended_by() != 0)
		make_room(t);
	if (t->reader != NULL)
		modes_off(t);
	if (t->curses != NULL) {
		leave(t);
		screen_free(t->screen);
		delscreen(t->curses);
		/* Once more, by the settings that were there before curses looked. */
		tcsetattr(t->out_fd, TCSANOW, &t->settings);
	}
	outbox_close(&t->outbox);
	signals_on_crash(-1, NULL, NULL, 0);
	reader_free(t->reader);
	if (t->in != NULL)
		fclose(t->in);
	if (t->signals_taken)
		signals_restore(&t->signals);
	mem_free(t);
}

bool
term_utf8(const struct term *t)
{
	return t->utf8;
}

const char *
term_taken_for(const struct term *t, const char **name)
{
	*name = t->name;
	return t->taken_for;
}

void
term_size(const struct term *t, int *rows, int *columns)
{
	*rows = limit(LINES, ROWS_MAX);
	*columns = limit(COLS, COLUMNS_MAX);
}

/*
 * Another program had the terminal; takes it back at the next draw.  Keys are ours at
 * once; ncurses does the rest when it draws, and would do it twice if told to now.
 */
static void
take_back(struct term *t)
{
	tcsetattr(t->out_fd, TCSADRAIN, &t->ours);
	modes_on(t);
	ask_size(t);
	screen_spoil(t->screen);
}

void
term_suspend(struct term *t)
{
	modes_off(t);
	leave(t);
	signals_stop_job(&t->signals);
	take_back(t);
}

bool
term_run(struct term *t, const struct helper *program, int input, struct err *e)
{
	bool good;

	modes_off(t);
	leave(t);
	signals_on_crash(-1, NULL, NULL, 0);
	good = helper_run(program, &t->signals, input >= 0 ? input : t->in_fd, e);
	arm_crash(t);
	take_back(t);
	return good;
}

void
term_send(struct term *t, struct str bytes)
{
	outbox_write(t->out_fd, bytes.p, bytes.n);
}

static unsigned
handle_signals(struct term *t)
{
	unsigned happened = signals_take(), events = 0;

	if (happened & SIGNAL_END)
		return TERM_END;
	if (happened & SIGNAL_SUSPEND) {
		term_suspend(t);
		events |= TERM_REDRAW;
	} else if (happened & SIGNAL_CONTINUE) {
		/* Stopped without being asked: the terminal's state is unknown. */
		modes_off(t);
		leave(t);
		take_back(t);
		events |= TERM_REDRAW;
	}
	if (happened & SIGNAL_RESIZE) {
		ask_size(t);
		screen_spoil(t->screen);
		events |= TERM_REDRAW;
	}
	return events;
}

unsigned
term_wait(struct term *t, int fd, int timeout_ms)
{
	struct pollfd fds[2] = {
	    {.fd = t->in_fd, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
	int key_ms = reader_wait_ms(t->reader);
	bool cut = key_ms >= 0 && (timeout_ms < 0 || timeout_ms > key_ms);
	unsigned events = 0;
	int n;

	if (t->gone)
		return TERM_END;
	n = signals_wait(&t->signals, fds, 2, cut ? key_ms : timeout_ms);
	if (n < 0 && errno != EINTR) {
		t->gone = true;
		return TERM_END;
	}
	events |= handle_signals(t);
	if (n == 0 && cut) {
		reader_no_more(t->reader);
		events |= TERM_INPUT;
	}
	if (n > 0 && fds[1].revents != 0)
		events |= TERM_FD;
	if (n > 0 && fds[0].revents != 0) {
		t->gone = !reader_fill(t->reader, clock_ms());
		events |= t->gone ? TERM_END : TERM_INPUT;
	}
	return events;
}

void
term_set_key_wait(struct term *t, int ms)
{
	reader_set_wait(t->reader, ms);
}

void
term_set_mouse(struct term *t, bool on)
{
	if (t->modes && on != t->mouse)
		outbox_write(t->out_fd, on ? MOUSE_ON : MOUSE_OFF,
		    strlen(on ? MOUSE_ON : MOUSE_OFF));
	t->mouse = on;
}

void
term_set_theme(struct term *t, enum tui_colour colour, const struct theme *theme)
{
	screen_set_theme(t->screen, colour, theme);
}

bool
term_colours(const struct term *t)
{
	return screen_colours(t->screen);
}

int
term_ended_by(const struct term *t)
{
	return signals_ended_by();
}

bool
term_key(struct term *t, struct key *key)
{
	return reader_next(t->reader, key);
}

void
term_draw(struct term *t, const struct canvas *c, int row, int column, bool visible)
{
	/* The first output, which takes the terminal back, must reach it at once. */
	if (!isendwin())
		outbox_begin(&t->outbox);
	screen_draw(t->screen, c, row, column, visible);
}

void
term_show(struct term *t)
{
	outbox_send(&t->outbox);
}

void
term_spoil(struct term *t)
{
	screen_spoil(t->screen);
}
