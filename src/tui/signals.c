#include <config.h>

#include "tui/signals.h"

#include <errno.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t seen[NSIG];
static volatile sig_atomic_t ended_by;

/* What a fault handler needs at hand; `armed` is set last and cleared first. */
static struct {
	volatile sig_atomic_t armed;
	int fd;
	struct termios settings;
	char bytes[255];
	size_t count;
} crash;

static const struct {
	int signal;
	enum signal_event event;
} watched[] = {
    {SIGWINCH, SIGNAL_RESIZE},
    {SIGTSTP, SIGNAL_SUSPEND},
    {SIGCONT, SIGNAL_CONTINUE},
    {SIGTERM, SIGNAL_END},
    {SIGHUP, SIGNAL_END},
    {SIGINT, SIGNAL_END},
    {SIGQUIT, SIGNAL_END},
};

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

enum {
	WATCHED = sizeof(watched) / sizeof(watched[0]),
	FAULTS = sizeof(faults) / sizeof(faults[0])
};

static void
note(int signal)
{
	seen[signal] = 1;
}

static void
note_end(int signal)
{
	ended_by = signal;
}

/* SA_RESETHAND: the fault happens again on return and then ends us as it should. */
static void
fault(int signal)
{
	signals_crash_now();
	raise(signal);
}

static void
take(struct signals *s, int signal, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, &s->old[signal]);
	s->taken[signal] = true;
}

static bool
is_default(int signal)
{
	struct sigaction now;

	return sigaction(signal, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
	       now.sa_handler == SIG_DFL;
}

static bool
is_ignored(int signal)
{
	struct sigaction now;

	return sigaction(signal, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
	       now.sa_handler == SIG_IGN;
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
	for (int i = 0; i < WATCHED; i++)
		sigaddset(&block, watched[i].signal);
	pthread_sigmask(SIG_BLOCK, &block, &s->mask);
	for (int i = 0; i < WATCHED; i++) {
		int signal = watched[i].signal;
		bool end = watched[i].event == SIGNAL_END;

		/* nohup and shells that start us in the background mean it. */
		if (end && signal != SIGTERM && is_ignored(signal))
			continue;
		take(s, signal, end ? note_end : note, 0);
	}
	/* Sanitizers and guards of mapped memory have theirs, and keep them. */
	for (int i = 0; i < FAULTS; i++)
		if (is_default(faults[i]))
			take(s, faults[i], fault, (int)SA_RESETHAND | SA_NODEFER);
}

void
signals_restore(const struct signals *s)
{
	for (int i = 1; i < NSIG; i++)
		if (s->taken[i])
			sigaction(i, &s->old[i], NULL);
	pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
}

int
signals_wait(const struct signals *s, struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct timespec limit = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};

	return ppoll(fds, count, timeout_ms < 0 ? NULL : &limit, &s->mask);
}

unsigned
signals_take(void)
{
	unsigned events = 0;

	for (int i = 0; i < WATCHED; i++) {
		if (!seen[watched[i].signal])
			continue;
		seen[watched[i].signal] = 0;
		events |= watched[i].event;
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
	/* A parent without job control has it ignored: then there is nobody to wake us.
	 */
	if (s->taken[SIGTSTP] && (s->old[SIGTSTP].sa_flags & SA_SIGINFO) == 0 &&
	    s->old[SIGTSTP].sa_handler == SIG_IGN)
		return;
	sigaction(SIGTSTP, &normal, &ours);
	kill(0, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, &before);
	/* Stopped here. */
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGTSTP, &ours, NULL);
	/* Whoever called us knows that we were stopped: ignoring it drops the pending
	 * one. */
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
signals_in_child(const struct signals *s)
{
	for (int i = 1; i < NSIG; i++)
		if (s->taken[i])
			sigaction(i, &s->old[i], NULL);
	pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
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

void
signals_crash_now(void)
{
	if (!crash.armed)
		return;
	crash.armed = 0;
	if (write(crash.fd, crash.bytes, crash.count) < 0) {
		/* Nothing else can be done about it. */
	}
	tcsetattr(crash.fd, TCSANOW, &crash.settings);
}
