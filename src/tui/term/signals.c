// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/term/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"

enum { GRACE_SECONDS = 1 }; /* for the program to end by itself */

static volatile sig_atomic_t seen[NSIG];
static volatile sig_atomic_t ended_by;

/* State of the fault handler; `armed` is set last and cleared first. */
static struct {
	volatile sig_atomic_t armed;
	int fd;
	struct termios settings;
	char bytes[255];
	size_t count;
} crash;

static void
note(int signal)
{
	seen[signal] = 1;
}

/* The loop sees it and ends; unless it is held up, as by a terminal that takes nothing. */
static void
note_end(int signal)
{
	ended_by = signal;
	alarm(GRACE_SECONDS);
}

/* Ends the program by that signal, with the terminal restored. */
static void
end_by(int signal)
{
	struct sigaction normal = {.sa_handler = SIG_DFL};
	sigset_t open;

	signals_crash_now();
	sigemptyset(&normal.sa_mask);
	sigaction(signal, &normal, NULL);
	sigemptyset(&open);
	sigaddset(&open, signal);
	raise(signal);
	pthread_sigmask(SIG_UNBLOCK, &open, NULL);
}

static void
overdue(int signal)
{
	end_by(ended_by != 0 ? ended_by : signal);
}

/*
 * Signals with handlers of their own.  Any other with its default action, which ends a program,
 * has the terminal restored first (end_by).
 */
static const struct {
	int signal;
	void (*handler)(int); /* NULL: left unchanged */
	enum signal_event event;
} table[] = {
    {SIGWINCH, note, SIGNAL_RESIZE},
    {SIGTSTP, note, SIGNAL_SUSPEND},
    {SIGCONT, note, SIGNAL_CONTINUE},
    {SIGTERM, note_end, SIGNAL_END},
    {SIGHUP, note_end, SIGNAL_END},
    {SIGINT, note_end, SIGNAL_END},
    {SIGQUIT, note_end, SIGNAL_END},
    {SIGALRM, overdue, 0},
    {SIGCHLD, NULL, 0},
    {SIGURG, NULL, 0},
    {SIGTTIN, NULL, 0},
    {SIGTTOU, NULL, 0},
    {SIGSTOP, NULL, 0},
    {SIGKILL, NULL, 0},
};

enum { ROWS = sizeof(table) / sizeof(table[0]) };

static void
take(struct signals *s, int signal, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, &s->old[signal]);
	s->taken[signal] = true;
}

/* True if the signal's handler is this one: SIG_DFL, SIG_IGN. */
static bool
does(int signal, void (*handler)(int))
{
	struct sigaction now;

	return sigaction(signal, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
	       now.sa_handler == handler;
}

static bool
is_in_table(int signal)
{
	for (int i = 0; i < ROWS; i++)
		if (table[i].signal == signal)
			return true;
	return false;
}

void
signals_install(struct signals *s)
{
	sigset_t block;

	memset(s, 0, sizeof(*s));
	for (int i = 0; i < NSIG; i++)
		seen[i] = 0;
	ended_by = 0;
	sigemptyset(&block);
	for (int i = 0; i < ROWS; i++)
		if (table[i].handler == note)
			sigaddset(&block, table[i].signal);
	pthread_sigmask(SIG_BLOCK, &block, &s->mask);
	for (int i = 0; i < ROWS; i++) {
		int signal = table[i].signal;

		/* nohup and shells that start us in the background mean it. */
		if (table[i].handler == NULL || (table[i].handler == note_end &&
						    signal != SIGTERM && does(signal, SIG_IGN)))
			continue;
		take(s, signal, table[i].handler, 0);
	}
	/* Sanitizers and guards of mapped memory have theirs, and keep them. */
	for (int i = 1; i < NSIG; i++)
		if (!is_in_table(i) && does(i, SIG_DFL))
			take(s, i, end_by, SA_NODEFER);
}

void
signals_restore(const struct signals *s)
{
	alarm(0);
	for (int i = 1; i < NSIG; i++)
		if (s->taken[i])
			sigaction(i, &s->old[i], NULL);
	pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
}

/* Signals that end us come in at any time, but for that between the look at them and sleep. */
int
signals_wait(const struct signals *s, struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct timespec limit = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
	sigset_t ends, before;
	int n = -1, error = EINTR;

	sigemptyset(&ends);
	for (int i = 0; i < ROWS; i++)
		if (table[i].handler == note_end)
			sigaddset(&ends, table[i].signal);
	pthread_sigmask(SIG_BLOCK, &ends, &before);
	if (ended_by == 0) {
		n = ppoll(fds, count, timeout_ms < 0 ? NULL : &limit, &s->mask);
		error = errno;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return n;
}

unsigned
signals_take(void)
{
	unsigned events = 0;

	for (int i = 0; i < ROWS; i++) {
		if (!seen[table[i].signal])
			continue;
		seen[table[i].signal] = 0;
		events |= table[i].event;
	}
	return ended_by != 0 ? events | SIGNAL_END : events;
}

int
signals_ended_by(void)
{
	return ended_by;
}

void
signals_stop_job(const struct signals *s)
{
	struct sigaction normal = {.sa_handler = SIG_DFL}, ours;
	sigset_t stop, before;

	sigemptyset(&normal.sa_mask);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	/* A parent without job control has it ignored: then no parent would wake us. */
	if (s->taken[SIGTSTP] && (s->old[SIGTSTP].sa_flags & SA_SIGINFO) == 0 &&
	    s->old[SIGTSTP].sa_handler == SIG_IGN)
		return;
	sigaction(SIGTSTP, &normal, &ours);
	kill(0, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, &before);
	/* Stopped here. */
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGTSTP, &ours, NULL);
	/* The parent knows that we were stopped: ignoring the signal drops the pending one. */
	sigaction(SIGCONT, &(struct sigaction){.sa_handler = SIG_IGN}, &ours);
	sigaction(SIGCONT, &ours, NULL);
}

void
signals_lend(struct signals_lent *lent)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, normal = {.sa_handler = SIG_DFL};
	sigset_t stop;

	sigemptyset(&ignore.sa_mask);
	sigemptyset(&normal.sa_mask);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigaction(SIGINT, &ignore, &lent->interrupt);
	sigaction(SIGQUIT, &ignore, &lent->quit);
	sigaction(SIGTSTP, &normal, &lent->stop);
	pthread_sigmask(SIG_UNBLOCK, &stop, &lent->mask);
}

void
signals_take_back(const struct signals_lent *lent)
{
	pthread_sigmask(SIG_SETMASK, &lent->mask, NULL);
	sigaction(SIGINT, &lent->interrupt, NULL);
	sigaction(SIGQUIT, &lent->quit, NULL);
	sigaction(SIGTSTP, &lent->stop, NULL);
}

void
signals_on_crash(int fd, const struct termios *settings, const char *bytes, size_t count)
{
	crash.armed = 0;
	if (settings == NULL)
		return;
	crash.fd = fd;
	crash.settings = *settings;
	crash.count = count <= sizeof(crash.bytes) ? count : 0;
	memcpy(crash.bytes, bytes, crash.count);
	crash.armed = 1;
}

/* Waits for nothing: what a terminal that takes nothing was sent before is dropped. */
static void
send_now(int fd, const char *bytes, size_t count)
{
	static const char cancel = 0x18; /* ends a sequence of which only a part was sent */
	int flags = fcntl(fd, F_GETFL);

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	if (write(fd, bytes, count) != (ssize_t)count) {
		tcflush(fd, TCOFLUSH);
		if (write(fd, &cancel, 1) < 0 || write(fd, bytes, count) < 0) {
			/* Nothing else can be done about it. */
		}
	}
	fcntl(fd, F_SETFL, flags);
}

void
signals_crash_now(void)
{
	if (!crash.armed)
		return;
	crash.armed = 0;
	send_now(crash.fd, crash.bytes, crash.count);
	tcsetattr(crash.fd, TCSANOW, &crash.settings);
}
