// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/pty.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#include "base/compat.h"
#include "tap/tap.h"
#include "tui/pty_state.h"

enum {
	PATIENCE_MS = 20000,
	LOOK_MS = 20, /* between looks whether the job works */
};

/* What the session leader says about the job. */
struct news {
	enum { NEWS_STARTED, NEWS_STOPPED, NEWS_CONTINUED, NEWS_ENDED } kind;
	int value; /* process, signal or wait status */
};

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

_Noreturn void
pty_bail(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static int
on_property(VTermProp property, VTermValue *value, void *context)
{
	struct pty *p = context;

	if (property == VTERM_PROP_ALTSCREEN)
		p->alternate = value->boolean;
	if (property == VTERM_PROP_CURSORVISIBLE)
		p->cursor_visible = value->boolean;
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

static void
start_vterm(struct pty *p, bool utf8)
{
	p->vterm = vterm_new(p->rows, p->columns);
	vterm_set_utf8(p->vterm, utf8);
	p->screen = vterm_obtain_screen(p->vterm);
	p->cursor_visible = true;
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
}

/* With a point and the process: what a sanitizer says, which the terminal would swallow. */
#define SANITIZER_LOG "sanitizer"

static void
show_sanitizer_log(pid_t job)
{
	char name[40], line[1024];
	FILE *f;

	snprintf(name, sizeof(name), SANITIZER_LOG ".%d", (int)job);
	f = fopen(name, "r");
	if (f == NULL)
		return;
	while (fgets(line, sizeof(line), f) != NULL)
		diag("%.*s", (int)strcspn(line, "\n"), line);
	fclose(f);
	unlink(name);
}

/* In the job: becomes the program. */
static _Noreturn void
become(const struct pty_options *o, const char *const *argv, int rows, int columns)
{
	static const char *const drop[] = {"NO_COLOR", "COLORTERM", "LINES", "COLUMNS",
	    "LANG", "LC_CTYPE",
	    /* Nothing is kept in a home. */
	    "HOME", "XDG_STATE_HOME"};
	char size[2][16];

	for (size_t i = 0; i < sizeof(drop) / sizeof(drop[0]); i++)
		unsetenv(drop[i]);
	snprintf(size[0], sizeof(size[0]), "%d", rows);
	snprintf(size[1], sizeof(size[1]), "%d", columns);
	setenv("TERM", o->term != NULL ? o->term : "xterm-256color", 1);
	setenv("ASAN_OPTIONS", "handle_sigill=1:log_path=" SANITIZER_LOG, 1);
	setenv("LC_ALL", o->locale != NULL ? o->locale : "C.UTF-8", 1);
	for (size_t i = 0; o->env != NULL && o->env[i] != NULL; i++)
		putenv((char *)(uintptr_t)o->env[i]);
	if (o->input != NULL) {
		int fd = open(o->input, O_RDONLY);

		if (fd < 0)
			_exit(126);
		dup2(fd, STDIN_FILENO);
		close(fd);
	}
	execv(argv[0], (char *const *)(uintptr_t)argv);
	fprintf(stderr, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static void
tell(int fd, int kind, int value)
{
	struct news news = {.value = value};

	memset(&news, 0, sizeof(news));
	news.kind = (unsigned)kind;
	news.value = value;
	if (write(fd, &news, sizeof(news)) != sizeof(news))
		_exit(1);
}

/* The session leader: starts the job in the foreground and tells what becomes of it. */
static _Noreturn void
lead(struct pty *p, int news_fd, const struct pty_options *o, const char *const *argv)
{
	sigset_t none;
	pid_t job;
	int status;

	signal(SIGHUP, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	if (login_tty(p->slave) != 0)
		_exit(125);
	job = fork();
	if (job < 0)
		_exit(125);
	setpgid(job, job);
	if (job == 0) {
		tcsetpgrp(STDIN_FILENO, getpid());
		close(news_fd);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		for (int s = 1; s < 32; s++)
			signal(s, SIG_DFL);
		become(o, argv, p->rows, p->columns);
	}
	tell(news_fd, NEWS_STARTED, job);
	while (waitpid(job, &status, WUNTRACED | WCONTINUED) == job) {
		if (WIFSTOPPED(status))
			tell(news_fd, NEWS_STOPPED, WSTOPSIG(status));
		else if (WIFCONTINUED(status))
			tell(news_fd, NEWS_CONTINUED, 0);
		else
			break;
	}
	tell(news_fd, NEWS_ENDED, status);
	/* Stays, with the terminal, until the test looked at it. */
	for (;;)
		pause();
}

struct pty *
pty_start(const struct pty_options *o, const char *const *argv)
{
	struct pty *p = calloc(1, sizeof(*p));
	struct winsize size;
	int news[2];

	if (p == NULL)
		pty_bail("calloc");
	p->rows = o->rows > 0 ? o->rows : 24;
	p->columns = o->columns > 0 ? o->columns : 80;
	size = (struct winsize){
	    .ws_row = (unsigned short)p->rows, .ws_col = (unsigned short)p->columns};
	if (openpty(&p->master, &p->slave, NULL, NULL, &size) != 0 || pipe(news) != 0)
		pty_bail("openpty");
	fcntl(p->master, F_SETFD, FD_CLOEXEC);
	fcntl(news[0], F_SETFD, FD_CLOEXEC);
	fcntl(news[1], F_SETFD, FD_CLOEXEC);
	tcgetattr(p->slave, &p->before);
	start_vterm(p, o->locale == NULL || strstr(o->locale, "UTF-8") != NULL);
	fflush(stdout);
	p->leader = fork();
	if (p->leader < 0)
		pty_bail("fork");
	if (p->leader == 0) {
		close(p->master);
		lead(p, news[1], o, argv);
	}
	close(news[1]);
	fcntl(p->slave, F_SETFD, FD_CLOEXEC);
	p->news_fd = news[0];
	return p;
}

static void
hear(struct pty *p)
{
	struct news news;
	ssize_t n = read(p->news_fd, &news, sizeof(news));

	if (n != (ssize_t)sizeof(news)) {
		p->ended = true;
		return;
	}
	switch (news.kind) {
	case NEWS_STARTED:
		p->job = news.value;
		break;
	case NEWS_STOPPED:
		p->stopped = true;
		break;
	case NEWS_CONTINUED:
		p->stopped = false;
		break;
	case NEWS_ENDED:
		p->ended = true;
		p->status = news.value;
		break;
	}
}

/* Takes what is there, waiting at most `ms`; the bytes that came. */
static size_t
pump(struct pty *p, int ms)
{
	struct pollfd fds[2] = {{.fd = p->master, .events = POLLIN},
	    {.fd = p->ended ? -1 : p->news_fd, .events = POLLIN}};
	char bytes[4096];
	ssize_t n = 0;

	if (poll(fds, 2, ms) <= 0)
		return 0;
	if (fds[1].revents != 0)
		hear(p);
	if (p->master >= 0 && (fds[0].revents & POLLIN) != 0) {
		n = read(p->master, bytes, sizeof(bytes));
		if (n > 0) {
			vterm_input_write(p->vterm, bytes, (size_t)n);
			if (p->total + (size_t)n > p->log_room) {
				p->log_room = (p->total + (size_t)n) * 2;
				p->log = realloc(p->log, p->log_room);
				if (p->log == NULL)
					pty_bail("realloc");
			}
			memcpy(p->log + p->total, bytes, (size_t)n);
			p->total += (size_t)n;
		}
	}
	return n > 0 ? (size_t)n : 0;
}

/*
 * True while a thread of the job runs, or would if the machine had time for it: the state after
 * the name in /proc/PID/task/TID/stat.  False where there is no such file.
 */
static bool
works(const struct pty *p)
{
	char name[300], line[300];
	const struct dirent *entry;
	bool any = false;
	DIR *tasks;

	snprintf(name, sizeof(name), "/proc/%d/task", (int)p->job);
	tasks = p->job > 0 && !p->ended ? opendir(name) : NULL;
	while (tasks != NULL && !any && (entry = readdir(tasks)) != NULL) {
		const char *state = NULL;
		FILE *f;

		snprintf(name, sizeof(name), "/proc/%d/task/%s/stat", (int)p->job, entry->d_name);
		f = *entry->d_name != '.' ? fopen(name, "r") : NULL;
		if (f != NULL && fgets(line, sizeof(line), f) != NULL)
			state = strrchr(line, ')');
		any = state != NULL && (strncmp(state, ") R", 3) == 0 || strncmp(state, ") D", 3) == 0);
		if (f != NULL)
			fclose(f);
	}
	if (tasks != NULL)
		closedir(tasks);
	return any;
}

size_t
pty_settle(struct pty *p, int quiet_ms)
{
	size_t start = p->total;
	int64_t last = now_ms(), limit = last + PATIENCE_MS;

	while (now_ms() < limit) {
		int64_t left = last + quiet_ms - now_ms();

		if (left <= 0)
			break;
		if (pump(p, left < LOOK_MS ? (int)left : LOOK_MS) > 0 || works(p))
			last = now_ms();
	}
	return p->total - start;
}

static bool
until(struct pty *p, bool (*holds)(struct pty *, const void *), const void *what)
{
	int64_t limit = now_ms() + PATIENCE_MS;

	for (;;) {
		if (holds(p, what))
			return true;
		if (now_ms() > limit || (p->ended && pump(p, 20) == 0 && !holds(p, what)))
			break;
		pump(p, 50);
	}
	diag("waited in vain; the screen is\n%s", pty_screen(p));
	return false;
}

static bool
shows(struct pty *p, const void *what)
{
	return pty_shows(p, what);
}

static bool
hides(struct pty *p, const void *what)
{
	return !pty_shows(p, what);
}

static bool
is_screen(struct pty *p, const void *what)
{
	return strcmp(pty_screen(p), what) == 0;
}

static bool
has_stopped(struct pty *p, const void *what)
{
	(void)what;
	return p->stopped;
}

bool
pty_expect(struct pty *p, const char *text)
{
	return until(p, shows, text);
}

bool
pty_expect_gone(struct pty *p, const char *text)
{
	return until(p, hides, text);
}

void
pty_compare(struct pty *p, const char *want)
{
	const char *got = pty_screen(p);

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
pty_expect_screen(struct pty *p, const char *lines)
{
	bool is = until(p, is_screen, lines);

	if (!is)
		pty_compare(p, lines);
	return is;
}

bool
pty_stopped(struct pty *p)
{
	return until(p, has_stopped, NULL);
}

bool
pty_ended(struct pty *p, int *status)
{
	int64_t limit = now_ms() + PATIENCE_MS;

	while (!p->ended && now_ms() < limit)
		pump(p, 50);
	while (p->master >= 0 && pump(p, 20) > 0)
		;
	*status = p->status;
	return p->ended;
}

bool
pty_ended_unread(struct pty *p, int *status)
{
	struct pollfd news = {.fd = p->news_fd, .events = POLLIN};
	int64_t limit = now_ms() + PATIENCE_MS;

	while (!p->ended && now_ms() < limit)
		if (poll(&news, 1, 50) > 0)
			hear(p);
	*status = p->status;
	return p->ended;
}

void
pty_fill(struct pty *p)
{
	struct pollfd out = {.fd = p->slave, .events = POLLOUT};

	while (p->job == 0 && !p->ended)
		hear(p);
	while (poll(&out, 1, 0) > 0)
		poll(NULL, 0, 10);
}

size_t
pty_total(struct pty *p)
{
	return p->total;
}

bool
pty_wrote(struct pty *p, const char *text)
{
	return p->total > 0 && memmem(p->log, p->total, text, strlen(text)) != NULL;
}

void
pty_resize(struct pty *p, int rows, int columns)
{
	struct winsize size = {
	    .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

	p->rows = rows;
	p->columns = columns;
	vterm_set_size(p->vterm, rows, columns);
	ioctl(p->master, TIOCSWINSZ, &size);
}

void
pty_signal(struct pty *p, int signal)
{
	while (p->job == 0 && !p->ended)
		pump(p, 50);
	kill(p->job, signal);
}

void
pty_continue(struct pty *p)
{
	kill(-p->job, SIGCONT);
}

void
pty_hangup(struct pty *p)
{
	close(p->master);
	close(p->slave);
	p->master = p->slave = -1;
}

bool
pty_restored(struct pty *p)
{
	struct termios now;

	return tcgetattr(p->slave, &now) == 0 && now.c_iflag == p->before.c_iflag &&
	       now.c_oflag == p->before.c_oflag && now.c_cflag == p->before.c_cflag &&
	       now.c_lflag == p->before.c_lflag &&
	       memcmp(now.c_cc, p->before.c_cc, sizeof(now.c_cc)) == 0;
}

void
pty_free(struct pty *p)
{
	if (p == NULL)
		return;
	if (!p->ended && p->job > 0)
		kill(-p->job, SIGKILL);
	kill(p->leader, SIGKILL);
	while (waitpid(p->leader, NULL, 0) < 0 && errno == EINTR)
		;
	if (p->master >= 0)
		close(p->master);
	if (p->slave >= 0)
		close(p->slave);
	close(p->news_fd);
	vterm_free(p->vterm);
	free(p->text);
	free(p->log);
	if (p->job > 0)
		show_sanitizer_log(p->job);
	free(p);
}
