// SPDX-License-Identifier: Apache-2.0
/*
 * record: `slowtop record`: what is recorded and where from, by options or by menus in the
 * terminal; progress and the key that ends it; what is done with the file then.
 */
#include <config.h>

#include "record/record.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/number.h"
#include "base/outfile.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
#include "tui/settings/settings.h"
#include "tui/term/signals.h"

enum {
	DRAW_MS = 250, /* between two updates of the line */
	MENU_MOST = 40, /* rows shown */
	LINE_MOST = 200,
};

/* The user --------------------------------------------------------------------------- */

struct user {
	bool terminal;           /* both ways */
	const atomic_int *stops; /* signals */
	struct termios before;
	bool changed;            /* the terminal's modes */
	int64_t drawn;           /* ms */
	size_t shown;            /* columns of the line on the screen */
	enum record_phase phase;
	bool gone;               /* the terminal, while slowtop goes on */
};

static void
put_clean(struct sbuf *out, struct str text)
{
	clean_append(out, text, utf8_locale() ? 0 : CLEAN_ASCII);
}

static const char *
device_name(const struct device *d)
{
	return *d->model != '\0' ? d->model : d->serial;
}

/* Rewrites the line; empty: removes it. */
static void
line_draw(struct user *u, const char *text)
{
	struct sbuf line = {0}, clean = {0};
	size_t used = 0, columns = (size_t)terminal_columns(STDERR_FILENO);

	if (!u->terminal || (*text == '\0' && u->shown == 0))
		return;
	put_clean(&clean, str_from(text));
	sbuf_char(&line, '\r');
	sbuf_str(&line, utf8_head(sbuf_view(&clean), columns > 1 ? columns - 1 : 79, &used));
	for (size_t i = used; i < u->shown; i++)
		sbuf_char(&line, ' ');
	if (*text == '\0')
		sbuf_char(&line, '\r');
	fwrite(line.p, 1, line.n, stderr);
	fflush(stderr);
	u->shown = used;
	sbuf_release(&line);
	sbuf_release(&clean);
}

static void
user_say(void *context, const char *what, const char *help)
{
	line_draw(context, "");
	say_trouble(NULL, "%s", what);
	if (help != NULL)
		say_trouble(NULL, "%s", help);
}

static void
line_text(const struct record *r, struct sbuf *out)
{
	static const char *const words[] = {
	    [RECORD_PREPARING] = "asking the device",
	    [RECORD_RUNNING] = "recording",
	    [RECORD_STOPPING] = "waiting for the file",
	    [RECORD_COPYING] = "copying",
	    [RECORD_UNDOING] = "cleaning up",
	};
	unsigned seconds = (unsigned)(r->ms / 1000);

	sbuf_printf(out, "%s %u:%02u  %s  %s  %s", words[r->phase], seconds / 60, seconds % 60,
	    r->what.app != NULL ? r->what.app : "", device_name(r->device), r->what.mode->word);
	if (r->bytes > 0)
		sbuf_printf(out, "  %s", fmt_bytes(FMT_BUF, r->bytes));
	if (r->total > 0)
		sbuf_printf(out, " of %s", fmt_bytes(FMT_BUF, r->total));
	if (r->phase == RECORD_RUNNING)
		sbuf_text(out, "  any key stops");
}

static bool
user_look(void *context, const struct record *r, int ms)
{
	struct user *u = context;
	struct pollfd input = {STDIN_FILENO, POLLIN, 0};
	struct sbuf line = {0};
	char keys[64];
	ssize_t got;

	if (u->terminal && !u->gone && (r->phase != u->phase || clock_ms() - u->drawn >= DRAW_MS)) {
		line_text(r, &line);
		line_draw(u, sbuf_cstr(&line));
		u->drawn = clock_ms();
	}
	sbuf_release(&line);
	u->phase = r->phase;
	if (poll(&input, u->terminal && !u->gone ? 1 : 0, ms) <= 0)
		return u->gone;
	got = read(STDIN_FILENO, keys, sizeof(keys));
	/* Without the terminal no key could stop it any more. */
	u->gone = got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
	return got != -1 || u->gone;
}

static int
user_stops(void *context)
{
	return atomic_load(((struct user *)context)->stops);
}

/* Keys come one by one and are not shown; ^C signals as ever. */
static void
terminal_take(struct user *u)
{
	struct termios now;

	if (!u->terminal || tcgetattr(STDIN_FILENO, &u->before) != 0)
		return;
	now = u->before;
	now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	now.c_cc[VMIN] = 1;
	now.c_cc[VTIME] = 0;
	now.c_cc[VQUIT] = now.c_cc[VSUSP] = _POSIX_VDISABLE;
	signals_on_crash(STDIN_FILENO, &u->before, "", 0);
	u->changed = tcsetattr(STDIN_FILENO, TCSADRAIN, &now) == 0;
}

static void
terminal_give_back(struct user *u)
{
	line_draw(u, "");
	if (u->changed)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &u->before);
	signals_on_crash(-1, NULL, NULL, 0);
	u->changed = false;
}

/* Menus ------------------------------------------------------------------------------ */

/* A line of the terminal's, without its end; false at the end of the input or when stopped. */
static bool
line_read(const struct user *u, char line[static LINE_MOST])
{
	struct pollfd input = {STDIN_FILENO, POLLIN, 0};
	size_t n = 0;
	char c = '\0';

	while (c != '\n' && atomic_load(u->stops) == 0) {
		/* A signal just before the poll is noticed after it. */
		if (poll(&input, 1, DRAW_MS) <= 0)
			continue;
		if (read(STDIN_FILENO, &c, 1) != 1)
			break;
		if (c != '\n' && n < LINE_MOST - 1)
			line[n++] = c;
	}
	line[n] = '\0';
	return c == '\n' && atomic_load(u->stops) == 0;
}

/* The next row that has the part; empty: none. */
static struct str
menu_next(struct str *rows, const char *part)
{
	struct str row;

	while (rows->p != NULL)
		if ((row = str_cut(rows, '\n')).n > 0 && memmem(row.p, row.n, part, strlen(part)) != NULL)
			return row;
	return (struct str){NULL, 0};
}

/* Prints the rows that have the part; how many they are. */
static size_t
menu_show(const char *title, struct str rows, const char *part)
{
	struct sbuf text = {0};
	struct str row;
	size_t count = 0;

	sbuf_printf(&text, "%s:\n", title);
	while ((row = menu_next(&rows, part)).n > 0) {
		if (++count > MENU_MOST)
			continue;
		sbuf_number(&text, (int64_t)count, 4);
		sbuf_char(&text, ' ');
		put_clean(&text, row);
		sbuf_char(&text, '\n');
	}
	if (count > MENU_MOST)
		sbuf_printf(&text, "     and %zu more\n", count - MENU_MOST);
	sbuf_text(&text, count > 0 ? "Number or part of a name: " : "None has that.\n");
	fwrite(text.p, 1, text.n, stderr);
	sbuf_release(&text);
	return count;
}

static bool
user_choose(void *context, const char *title, struct str rows, struct str *chosen)
{
	char part[LINE_MOST] = "", answer[LINE_MOST] = "";
	size_t count = menu_show(title, rows, part);

	while (line_read(context, answer)) {
		uint64_t number = 0;
		const char *end = answer + strlen(answer);
		struct str rest = rows;

		if (digits_take(answer, end, 9, &number) != end || number == 0 || number > count) {
			number = 0;
			memcpy(part, answer, sizeof(part));
			count = menu_show(title, rows, part);
			if (count == 0) {
				*part = '\0';
				count = menu_show(title, rows, part);
			} else if (count == 1 && *part != '\0') {
				number = 1;
			}
		}
		for (uint64_t i = 0; i < number; i++)
			*chosen = menu_next(&rest, part);
		if (number > 0)
			return true;
	}
	fputs("\n", stderr);
	return false;
}

/* The recording ------------------------------------------------------------------------ */

static int
lists_print(const struct options *o, struct record *r, const char *serial)
{
	bool good = !o->list_apps || (record_choose_device(r, serial) && record_apps(r, false));
	struct sbuf lines = {0};
	struct str rest, line;

	if (o->list_devices)
		record_devices_text(r, &lines);
	if (o->list_apps && good)
		sbuf_str(&lines, reply_out(&r->reply));
	for (rest = sbuf_view(&lines); (line = menu_next(&rest, "")).n > 0;) {
		struct sbuf clean = {0};

		put_clean(&clean, line);
		puts(sbuf_cstr(&clean));
		sbuf_release(&clean);
	}
	sbuf_release(&lines);
	return good ? output_end(stdout, 0) : STATUS_TROUBLE;
}

/* Shows the recorded file: compared, as a report, or in the browser. */
static int
show(const struct options *o, const char *path, const char *before, bool terminal)
{
	if (before != NULL)
		return diff_files(o, before, path);
	if (o->report_after)
		return print_report(o, path);
	if (terminal && !o->no_open && isatty(STDOUT_FILENO))
		return browse(o, path);
	puts(path);
	return output_end(stdout, 0);
}

/* Records into a file; its path is appended. */
static int
record_into(struct user *u, struct record *r, struct sbuf *path)
{
	enum wholeness whole;
	bool stopped, good;

	terminal_take(u);
	whole = record_run(r, path);
	terminal_give_back(u);
	stopped = user_stops(u) > 0;
	good = whole == WHOLE || whole == WHOLE_OVERFLOW;
	if (whole != WHOLE_NOTHING && (!good || stopped))
		say_trouble(NULL, "kept as %s", sbuf_cstr(path));
	if (!good)
		return whole == WHOLE_NOTHING ? STATUS_TROUBLE : STATUS_DAMAGED;
	/* By ^C a user at a terminal only stopped the recording. */
	return stopped && !(u->terminal && interrupt_was_key()) ? STATUS_INTERRUPTED : STATUS_OK;
}

/* Shows a recording while it is made, as a trace that is followed, and keeps it; its path is appended. */
static int
record_live(const struct options *o, struct user *u, struct record *r, struct sbuf *path)
{
	struct options followed = *o;
	struct sbuf name = {0};
	enum wholeness whole;
	int pipe = -1, status;
	bool begun;

	terminal_take(u);
	begun = record_live_begin(r, &pipe);
	terminal_give_back(u);
	if (!begun)
		return STATUS_TROUBLE;
	interrupt_forget();
	sbuf_printf(&name, "%s%s", sbuf_cstr(&r->keep->stem), sbuf_cstr(&r->keep->suffix));
	status = follow_pipe(&followed, sbuf_cstr(&name), pipe);
	if (status == STATUS_OK)
		status = browse(&followed, sbuf_cstr(&name));
	interrupt_forget();
	terminal_take(u);
	whole = record_live_end(r, followed.watch, path);
	terminal_give_back(u);
	follow_end(&followed);
	close(pipe);
	sbuf_release(&name);
	if (whole == WHOLE_NOTHING)
		return status == STATUS_OK ? STATUS_TROUBLE : status;
	say_trouble(NULL, "kept as %s", sbuf_cstr(path));
	return status == STATUS_OK && whole != WHOLE && whole != WHOLE_OVERFLOW ? STATUS_DAMAGED : status;
}

/* Makes the recordings one after the other; `path` becomes that of the last. */
static int
record_runs(const struct options *o, struct user *u, struct record *r, struct sbuf *path)
{
	unsigned count = o->record_count > 0 ? o->record_count : 1;
	int status = STATUS_OK;

	for (unsigned run = 1; run <= count && status == STATUS_OK; run++) {
		struct err e = {.kind = ERR_NONE};

		if (run > 1 && user_stops(u) > 0)
			break;
		sbuf_clear(path);
		keep_name(r->keep, r->what.app, device_name(r->device), r->what.mode->word,
		    r->what.mode->suffix);
		if (!keep_part(r->keep, r->host.nonce, &e))
			status = say_trouble(sbuf_cstr(&r->keep->folder), "%s", e.what);
		else if (r->what.live)
			status = record_live(o, u, r, path);
		else
			status = record_into(u, r, path);
		if (status != STATUS_OK && status != STATUS_INTERRUPTED && count > 1)
			say_trouble(NULL, "run %u of %u failed", run, count);
		else if (status == STATUS_OK && run < count)
			say_trouble(NULL, "run %u of %u: %s", run, count, sbuf_cstr(path));
	}
	return status;
}

/* Finds what there is to compare with, then records, then shows the result. */
static int
record_kept(const struct options *o, struct user *u, struct record *r)
{
	struct sbuf path = {0}, before = {0};
	bool last = o->diff_with != NULL && strcmp(o->diff_with, "LAST") == 0;
	int status;

	keep_name(r->keep, r->what.app, device_name(r->device), r->what.mode->word,
	    r->what.mode->suffix);
	if (o->diff_with != NULL && !last)
		sbuf_text(&before, o->diff_with);
	if (last && !keep_last(r->keep, &before))
		status = say_trouble(sbuf_cstr(&r->keep->folder),
		    "no earlier recording like this to compare with");
	else
		status = record_runs(o, u, r, &path);
	if (status == STATUS_OK && !r->what.live) {
		interrupt_forget();
		status = show(o, sbuf_cstr(&path), before.n > 0 ? sbuf_cstr(&before) : NULL, u->terminal);
	}
	sbuf_release(&path);
	sbuf_release(&before);
	return status;
}

/* The configuration that was named, in place of its name. */
static bool
config_read(struct recording *what, struct sbuf *text, struct err *e)
{
	if (what->config == NULL)
		return true;
	if (access(what->config, R_OK) != 0)
		return err_system(e, "cannot read it");
	if (!textfile_read(what->config, text, e))
		return false;
	what->config = sbuf_cstr(text);
	return true;
}

static int
record_on(const struct options *o, struct user *u, struct record *r)
{
	struct sbuf usual = {0}, config = {0};
	struct err e = {.kind = ERR_NONE};
	struct keep keep = {.named = false};
	int status = STATUS_TROUBLE;

	if (!state_folder(&usual, "XDG_DATA_HOME", ".local/share"))
		sbuf_text(&usual, ".");
	r->keep = &keep;
	if ((r->what.mode->takes & TAKES_APP) != 0 && r->what.app == NULL && !record_choose_app(r))
		; /* said */
	else if (!record_check(r))
		; /* said */
	else if (!config_read(&r->what, &config, &e))
		say_trouble(o->record.config, "%s", e.what);
	else if (!keep_begin(&keep, o->record_output, sbuf_cstr(&usual), o->force, &e))
		say_trouble(o->record_output != NULL ? o->record_output : sbuf_cstr(&usual), "%s", e.what);
	else
		status = record_kept(o, u, r);
	keep_release(&keep);
	sbuf_release(&usual);
	sbuf_release(&config);
	return status;
}

/* The command line, as a shell would take it. */
static void
words_keep(struct record *r, char *const *words)
{
	struct sbuf text = {0};

	for (; *words != NULL; words++) {
		struct str word = str_from(*words);

		(record_is_word(word, "-_./=:,+") ? sbuf_str : shell_word)(&text, word);
		sbuf_char(&text, ' ');
	}
	blanks_set(&r->blanks, "words", str_trim(sbuf_view(&text)));
	sbuf_release(&text);
}

int
record(const struct options *o, const char *app)
{
	struct user u = {.terminal = isatty(STDIN_FILENO) && isatty(STDERR_FILENO),
	    .stops = interrupt_count()};
	struct record r = {.what = o->record,
	    .host = {.program = {options_given(o->adb, "SLOWTOP_ADB", "adb"),
			 options_given(o->hdc, "SLOWTOP_HDC", "hdc")},
		.limit = o->wait / 1000000},
	    .ui = {&u, user_say, u.terminal ? user_choose : NULL, user_look, user_stops}};
	const char *serial = options_given(o->device, "ANDROID_SERIAL", NULL);
	bool lists = o->list_devices || o->list_apps;
	struct err e = {.kind = ERR_NONE};
	int status = STATUS_TROUBLE;

	r.what.app = app;
	words_keep(&r, o->words);
	if (!record_check(&r))
		; /* said */
	else if (!lists && o->record.live && (!u.terminal || !isatty(STDOUT_FILENO)))
		say_usage("record", "--live needs a terminal");
	else if (!lists && o->record.live && (o->record.time > 0 || o->record_count > 1 || o->no_open ||
	    o->report_after || o->diff_with != NULL))
		say_usage("record", "--live ends with the browser, without --time, --count and what is done after");
	else if (!lists && o->record.time == 0 && !u.terminal)
		say_usage("record", "without a terminal, --time=TIME is required");
	else if (!record_begin(&r, &e))
		say_trouble(NULL, "%s", e.what);
	else if (record_devices(&r) && (lists || record_choose_device(&r, serial)))
		status = lists ? lists_print(o, &r, serial) : record_on(o, &u, &r);
	if (status == STATUS_TROUBLE && user_stops(&u) > 0)
		status = STATUS_INTERRUPTED;
	record_release(&r);
	return status;
}
