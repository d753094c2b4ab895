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
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/outfile.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/say.h"
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
	struct sbuf title;       /* of the line */
	int64_t drawn;           /* ms */
	size_t shown;            /* columns of the line on the screen */
	enum record_phase phase;
	bool gone;               /* the terminal, while slowtop goes on */
};

static void
put_clean(struct sbuf *out, const char *text)
{
	clean_append(out, str_from(text), utf8_locale() ? 0 : CLEAN_ASCII);
}

static size_t
line_columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79;
}

/* Rewrites the line; NULL: removes it. */
static void
line_draw(struct user *u, const char *text)
{
	struct sbuf line = {0};
	struct str shown = str_from(text != NULL ? text : "");
	size_t used = 0;

	if (!u->terminal || (text == NULL && u->shown == 0))
		return;
	shown = utf8_head(shown, line_columns(), &used);
	sbuf_char(&line, '\r');
	sbuf_str(&line, shown);
	for (size_t i = used; i < u->shown; i++)
		sbuf_char(&line, ' ');
	if (text == NULL)
		sbuf_char(&line, '\r');
	fwrite(line.p, 1, line.n, stderr);
	fflush(stderr);
	u->shown = used;
	sbuf_release(&line);
}

static void
user_say(void *context, const char *what, const char *help)
{
	line_draw(context, NULL);
	say_trouble(NULL, "%s", what);
	if (help != NULL)
		say_trouble(NULL, "%s", help);
}

static void
line_text(const struct user *u, const struct record_progress *p, struct sbuf *out)
{
	static const char *const words[] = {
	    [RECORD_PREPARING] = "asking the device",
	    [RECORD_RUNNING] = "recording",
	    [RECORD_STOPPING] = "waiting for the file",
	    [RECORD_COPYING] = "copying",
	    [RECORD_UNDOING] = "cleaning up",
	};
	unsigned seconds = (unsigned)(p->ms / 1000);

	sbuf_printf(out, "%s %u:%02u", words[p->phase], seconds / 60, seconds % 60);
	sbuf_str(out, sbuf_view(&u->title));
	if (p->bytes > 0)
		sbuf_printf(out, "  %s", fmt_bytes(FMT_BUF, p->bytes));
	if (p->total > 0)
		sbuf_printf(out, " of %s", fmt_bytes(FMT_BUF, p->total));
	if (p->phase == RECORD_RUNNING)
		sbuf_text(out, "  any key stops");
}

static bool
user_look(void *context, const struct record_progress *p, int ms)
{
	struct user *u = context;
	struct pollfd input = {STDIN_FILENO, POLLIN, 0};
	struct sbuf line = {0};
	char keys[64];
	ssize_t got;

	if (u->terminal && !u->gone && (p->phase != u->phase || clock_ms() - u->drawn >= DRAW_MS)) {
		line_text(u, p, &line);
		line_draw(u, sbuf_cstr(&line));
		u->drawn = clock_ms();
	}
	sbuf_release(&line);
	u->phase = p->phase;
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
	line_draw(u, NULL);
	if (u->changed)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &u->before);
	signals_on_crash(-1, NULL, NULL, 0);
	u->changed = false;
}

/* Menus ------------------------------------------------------------------------------ */

/* Rows to choose from; `label` may say more than the name that is chosen. */
struct menu {
	const char *title;
	const char *const *labels;
	size_t count;
};

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

/* Prints the rows that have `part`; how many they are, and in `places` which. */
static size_t
menu_show(const struct menu *m, const char *part, size_t *places)
{
	struct sbuf text = {0};
	size_t count = 0;

	put_clean(&text, m->title);
	sbuf_text(&text, ":\n");
	for (size_t i = 0; i < m->count; i++) {
		if (strstr(m->labels[i], part) == NULL)
			continue;
		places[count++] = i;
		if (count > MENU_MOST)
			continue;
		sbuf_number(&text, (int64_t)count, 4);
		sbuf_char(&text, ' ');
		put_clean(&text, m->labels[i]);
		sbuf_char(&text, '\n');
	}
	if (count > MENU_MOST)
		sbuf_printf(&text, "     and %zu more\n", count - MENU_MOST);
	sbuf_text(&text, count > 0 ? "Number or part of a name: " : "None has that.\n");
	fwrite(text.p, 1, text.n, stderr);
	sbuf_release(&text);
	return count;
}

/* The row that the user chooses; -1: none. */
static int
menu_choose(const struct user *u, const struct menu *m)
{
	size_t *places = mem_zero(m->count + 1, sizeof(*places)), count;
	char line[LINE_MOST] = "";
	int chosen = -1;

	count = menu_show(m, "", places);
	while (chosen < 0 && line_read(u, line)) {
		uint64_t number;
		const char *end = line + strlen(line);

		if (*line != '\0' && digits_take(line, end, 9, &number) == end && number > 0 &&
		    number <= count) {
			chosen = (int)places[number - 1];
			break;
		}
		count = menu_show(m, line, places);
		if (count == 1 && *line != '\0')
			chosen = (int)places[0];
		else if (count == 0)
			count = menu_show(m, "", places);
	}
	fputs(chosen < 0 || *line == '\0' ? "\n" : "", stderr);
	mem_free(places);
	return chosen;
}

/* Devices and apps ---------------------------------------------------------------------- */

struct session {
	const struct options *options;
	struct user user;
	struct record_ui ui;
	struct host host;
	struct blanks blanks;
	struct reply reply;
	struct devices devices;
	struct sbuf list; /* of serials, as {devices} */
	char **apps;
	size_t app_count, app_room;
};

static int
fail(struct session *s, enum failure_id id)
{
	record_say(&s->ui, id, &s->blanks);
	return STATUS_TROUBLE;
}

/* Asks the programs that the mode, if one is chosen, is for. */
static bool
devices_ask(struct session *s)
{
	const struct mode *mode = s->options->record.mode;
	enum failure_id failure = FAILURES;
	int missing = 0;
	struct str line;

	for (int tool = 0; tool < TOOLS; tool++) {
		enum failure_id id;

		if (mode != NULL && (int)mode->tool != tool)
			continue;
		devices_read(&s->devices, &s->host, (enum device_tool)tool, &s->reply);
		if (failure_find(sbuf_view(&s->reply.text), &line) == FAILURE_OTHER &&
		    memmem(sbuf_cstr(&s->reply.text), s->reply.text.n,
			failures[FAILURE_OLD_SERVER].seen[0],
			strlen(failures[FAILURE_OLD_SERVER].seen[0])) != NULL) {
			blanks_set(&s->blanks, "tool", str_from(tool_names[tool]));
			fail(s, FAILURE_OLD_SERVER);
		}
		if (failure != FAILURES || (id = reply_failure(&s->reply, &s->blanks)) == FAILURES)
			continue;
		blanks_set(&s->blanks, "tool", str_from(tool_names[tool]));
		blanks_set(&s->blanks, "command", STR("list of devices"));
		blanks_set(&s->blanks, "device", str_from(tool_names[tool]));
		if (id == FAILURE_NO_PROGRAM) {
			missing++;
		} else {
			failure = id;
			fail(s, id);
		}
	}
	if (s->reply.end == REPLY_CANCELLED)
		return false;
	if (missing == (mode != NULL ? 1 : TOOLS)) {
		/* Adb is what most will miss. */
		blanks_set(&s->blanks, "tool", str_from(tool_names[mode != NULL ? mode->tool : TOOL_ADB]));
		fail(s, FAILURE_NO_PROGRAM);
		return false;
	}
	return failure == FAILURES || s->devices.count > 0;
}

static void
device_label(const struct device *d, struct sbuf *out)
{
	sbuf_text(out, d->serial);
	if (d->model[0] != '\0')
		sbuf_printf(out, "  %s", d->model);
	sbuf_printf(out, "  %s", d->state);
}

static const struct device *
device_menu(struct session *s)
{
	size_t count = s->devices.count;
	const char **labels = mem_zero(count + 1, sizeof(*labels));
	struct sbuf *texts = mem_zero(count + 1, sizeof(*texts));
	int chosen;

	for (size_t i = 0; i < count; i++) {
		device_label(&s->devices.list[i], &texts[i]);
		labels[i] = sbuf_cstr(&texts[i]);
	}
	chosen = menu_choose(&s->user, &(struct menu){"Devices", labels, count});
	for (size_t i = 0; i < count; i++)
		sbuf_release(&texts[i]);
	mem_free(texts);
	mem_free(labels);
	return chosen >= 0 ? &s->devices.list[chosen] : NULL;
}

/* The one that was named, the only usable one, or the one chosen from the menu; NULL: said. */
static const struct device *
device_choose(struct session *s)
{
	const char *serial = s->options->device;
	const struct device *found = NULL;
	enum failure_id trouble;
	size_t usable = 0;

	if (serial == NULL)
		serial = getenv("ANDROID_SERIAL");
	if (serial != NULL && *serial == '\0')
		serial = NULL;
	for (size_t i = 0; i < s->devices.count; i++) {
		const struct device *d = &s->devices.list[i];

		sbuf_printf(&s->list, "%s%s", i > 0 ? ", " : "", d->serial);
		if (serial != NULL ? strcmp(d->serial, serial) == 0
				   : device_trouble(d) == FAILURES || s->devices.count == 1) {
			found = d;
			usable++;
		}
	}
	blanks_set(&s->blanks, "devices", sbuf_view(&s->list));
	if (s->devices.count > 0 && found == NULL && serial == NULL)
		found = &s->devices.list[0]; /* to say why it cannot be used */
	if (usable > 1 && serial == NULL && s->user.terminal) {
		found = device_menu(s);
		if (found == NULL)
			return NULL;
	}
	if (found == NULL) {
		blanks_set(&s->blanks, "device", serial != NULL ? str_from(serial) : STR(""));
		fail(s, s->devices.count == 0 ? FAILURE_NO_DEVICE : FAILURE_NO_SUCH);
		return NULL;
	}
	if (usable > 1 && serial == NULL && !s->user.terminal) {
		fail(s, FAILURE_MANY);
		return NULL;
	}
	blanks_set(&s->blanks, "tool", str_from(tool_names[found->tool]));
	blanks_set(&s->blanks, "device", str_from(found->serial));
	blanks_set(&s->blanks, "state", str_from(found->state));
	trouble = device_trouble(found);
	if (trouble == FAILURES)
		return found;
	fail(s, trouble);
	return NULL;
}

static bool
apps_ask(struct session *s, const struct device *d)
{
	enum failure_id failure;
	struct str rest, line;

	device_apps(&s->host, d, false, &s->reply);
	blanks_set(&s->blanks, "command", STR("list of apps"));
	failure = reply_failure(&s->reply, &s->blanks);
	if (failure != FAILURES)
		fail(s, failure);
	rest = reply_out(&s->reply);
	while (rest.p != NULL) {
		line = str_cut(&rest, '\n');
		if (line.n == 0)
			continue;
		MEM_GROW(s->apps, s->app_room, s->app_count + 1);
		s->apps[s->app_count++] = mem_text(line);
	}
	return s->reply.end == REPLY_DONE;
}

/* From the menu; without a terminal it is said which there are. */
static const char *
app_choose(struct session *s, const struct device *d)
{
	struct sbuf names = {0};
	int chosen;

	if (!apps_ask(s, d))
		return NULL;
	if (s->user.terminal && s->app_count > 0) {
		chosen = menu_choose(&s->user, &(struct menu){
		    "Apps", (const char *const *)s->apps, s->app_count});
		return chosen >= 0 ? s->apps[chosen] : NULL;
	}
	for (size_t i = 0; i < s->app_count && i < MENU_MOST; i++)
		sbuf_printf(&names, "%s%s", i > 0 ? ", " : "", s->apps[i]);
	say_usage("record", "no app given; the device has: %s", sbuf_cstr(&names));
	sbuf_release(&names);
	return NULL;
}

static int
lists_print(struct session *s)
{
	const struct device *d;
	struct sbuf out = {0};

	if (s->options->list_devices)
		for (size_t i = 0; i < s->devices.count; i++) {
			struct sbuf label = {0};

			device_label(&s->devices.list[i], &label);
			put_clean(&out, sbuf_cstr(&label));
			sbuf_char(&out, '\n');
			sbuf_release(&label);
		}
	if (s->options->list_apps) {
		d = device_choose(s);
		if (d == NULL || !apps_ask(s, d))
			return STATUS_TROUBLE;
		for (size_t i = 0; i < s->app_count; i++) {
			put_clean(&out, s->apps[i]);
			sbuf_char(&out, '\n');
		}
	}
	fwrite(sbuf_cstr(&out), 1, out.n, stdout);
	sbuf_release(&out);
	return output_end(stdout, 0);
}

/* The recording ------------------------------------------------------------------------ */

/* "$XDG_DATA_HOME/slowtop", "~/.local/share/slowtop", else the current folder. */
static void
usual_folder(struct sbuf *out)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (data != NULL && *data == '/')
		sbuf_printf(out, "%s/slowtop", data);
	else if (home != NULL && *home == '/')
		sbuf_printf(out, "%s/.local/share/slowtop", home);
	else
		sbuf_text(out, ".");
}

/* What is done with the file. */
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

/* Records into a file of `keep`; its path is appended. */
static int
record_into(struct session *s, struct record *r, struct sbuf *path)
{
	static const int statuses[] = {
	    [RECORD_KEPT] = STATUS_OK,
	    [RECORD_EMPTY] = STATUS_DAMAGED,
	    [RECORD_INCOMPLETE] = STATUS_DAMAGED,
	    [RECORD_NOTHING] = STATUS_TROUBLE,
	};
	enum record_end end;

	sbuf_text(&s->user.title, "  ");
	if (r->what.app != NULL)
		put_clean(&s->user.title, r->what.app);
	sbuf_text(&s->user.title, "  ");
	put_clean(&s->user.title, r->device->model[0] != '\0' ? r->device->model : r->device->serial);
	sbuf_printf(&s->user.title, "  %s", r->what.mode->word);
	terminal_take(&s->user);
	end = record_run(r, path);
	terminal_give_back(&s->user);
	if (end != RECORD_NOTHING && (end != RECORD_KEPT || user_stops(&s->user) > 0))
		say_trouble(NULL, "kept as %s", sbuf_cstr(path));
	return end == RECORD_NOTHING && user_stops(&s->user) > 0 ? STATUS_INTERRUPTED : statuses[end];
}

/* `keep` is begun: what there is to compare with, then the recording, then what it shows. */
static int
record_kept(struct session *s, struct record *r)
{
	const struct options *o = s->options;
	struct sbuf path = {0}, before = {0};
	struct err e = {.kind = ERR_NONE};
	bool last = o->diff_with != NULL && strcmp(o->diff_with, "LAST") == 0;
	int status;

	keep_name(r->keep, r->what.app, r->device->model[0] != '\0' ? r->device->model
		: r->device->serial, r->what.mode->word, r->what.mode->suffix);
	if (o->diff_with != NULL && !last)
		sbuf_text(&before, o->diff_with);
	if (last && !keep_last(r->keep, &before))
		status = say_trouble(sbuf_cstr(&r->keep->folder),
		    "no earlier recording like this to compare with");
	else if (!keep_part(r->keep, r->host.nonce, &e))
		status = say_trouble(sbuf_cstr(&r->keep->folder), "%s", e.what);
	else
		status = record_into(s, r, &path);
	/* By ^C a user at a terminal only stopped the recording. */
	if (status == STATUS_OK && user_stops(&s->user) > 0 &&
	    !(s->user.terminal && interrupt_was_key()))
		status = STATUS_INTERRUPTED;
	if (status == STATUS_OK) {
		interrupt_forget();
		status = show(o, sbuf_cstr(&path), before.n > 0 ? sbuf_cstr(&before) : NULL,
		    s->user.terminal);
	}
	sbuf_release(&path);
	sbuf_release(&before);
	return status;
}

static int
record_on(struct session *s, const struct device *d, const char *app)
{
	const struct options *o = s->options;
	struct sbuf usual = {0}, config = {0};
	struct err e = {.kind = ERR_NONE};
	struct keep keep;
	struct record r = {.what = o->record, .host = s->host, .device = d, .keep = &keep, .ui = &s->ui};
	enum failure_id wrong;
	int status;

	if (r.what.mode == NULL)
		r.what.mode = mode_usual(d->tool);
	if (app == NULL && (r.what.mode->takes & TAKES_APP) != 0 && (app = app_choose(s, d)) == NULL)
		return user_stops(&s->user) > 0 ? STATUS_INTERRUPTED : STATUS_TROUBLE;
	r.what.app = app;
	if (r.what.config != NULL) {
		if (access(r.what.config, R_OK) != 0 || !textfile_read(r.what.config, &config, &e)) {
			status = say_trouble(r.what.config, "%s", e.kind != ERR_NONE ? e.what : strerror(errno));
			sbuf_release(&config);
			return status;
		}
		r.what.config = sbuf_cstr(&config);
	}
	usual_folder(&usual);
	if ((wrong = recording_check(&r.what, &s->blanks)) != FAILURES) {
		status = fail(s, wrong);
	} else {
		if (keep_begin(&keep, o->record_output, sbuf_cstr(&usual), o->force, &e))
			status = record_kept(s, &r);
		else
			status = say_trouble(o->record_output != NULL ? o->record_output
				: sbuf_cstr(&usual), "%s", e.what);
		keep_release(&keep);
	}
	sbuf_release(&usual);
	sbuf_release(&config);
	return status;
}

static const char *
program_of(const char *option, const char *variable, enum device_tool tool)
{
	const char *value = option != NULL ? option : getenv(variable);

	return value != NULL && *value != '\0' ? value : tool_names[tool];
}

static bool
session_goes_on(void *context)
{
	return user_stops(context) == 0;
}

int
record(const struct options *o, const char *app)
{
	struct session s = {.options = o,
	    .user = {.terminal = isatty(STDIN_FILENO) && isatty(STDERR_FILENO),
		.stops = interrupt_count()}};
	const struct device *d = NULL;
	struct recording what = o->record;
	struct err e = {.kind = ERR_NONE};
	enum failure_id wrong;
	int status = STATUS_TROUBLE;

	s.ui = (struct record_ui){&s.user, user_say, user_look, user_stops};
	s.host = (struct host){.program = {program_of(o->adb, "SLOWTOP_ADB", TOOL_ADB),
				   program_of(o->hdc, "SLOWTOP_HDC", TOOL_HDC)},
	    .limit = o->wait / 1000000, .go_on = session_goes_on, .context = &s.user};
	what.app = app;
	wrong = recording_check(&what, &s.blanks);
	if (wrong != FAILURES) {
		fail(&s, wrong);
	} else if (o->list_devices || o->list_apps || o->record.time > 0 || s.user.terminal) {
		if (!host_begin(&s.host, &e))
			say_trouble(NULL, "%s", e.what);
		else if (devices_ask(&s))
			status = o->list_devices || o->list_apps ? lists_print(&s)
			    : (d = device_choose(&s)) != NULL	     ? record_on(&s, d, app)
							     : STATUS_TROUBLE;
	} else {
		status = say_usage("record", "without a terminal, --time=TIME is required");
	}
	if (d == NULL && user_stops(&s.user) > 0)
		status = STATUS_INTERRUPTED;
	for (size_t i = 0; i < s.app_count; i++)
		mem_free(s.apps[i]);
	mem_free(s.apps);
	devices_release(&s.devices);
	reply_release(&s.reply);
	sbuf_release(&s.list);
	sbuf_release(&s.user.title);
	return status;
}
