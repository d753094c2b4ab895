// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "cli/say.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "base/utf8.h"
#include "serve/serve.h"

__attribute__((format(printf, 2, 0))) static void
say_line(const char *subject, const char *format, va_list ap)
{
	struct sbuf line = {0}, shown = {0};

	sbuf_text(&line, PACKAGE_NAME ": ");
	if (subject != NULL) {
		sbuf_text(&line, subject);
		sbuf_text(&line, ": ");
	}
	sbuf_vprintf(&line, format, ap);
	clean_append(&shown, sbuf_view(&line), utf8_locale() ? 0 : CLEAN_ASCII);
	sbuf_char(&shown, '\n');
	fputs(sbuf_cstr(&shown), stderr);
	sbuf_release(&line);
	sbuf_release(&shown);
}

int
say_trouble(const char *subject, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say_line(subject, format, ap);
	va_end(ap);
	return STATUS_TROUBLE;
}

int
terminal_columns(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void
say_hint(const char *command)
{
	fprintf(stderr, "Try '" PACKAGE_NAME "%s%s --help' for more information.\n",
	    command != NULL ? " " : "", command != NULL ? command : "");
}

int
say_usage(const char *command, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say_line(NULL, format, ap);
	va_end(ap);
	say_hint(command);
	return STATUS_TROUBLE;
}

int
say_status(int error)
{
	if (error == 0 || getenv(SERVE_JOB) == NULL)
		return STATUS_TROUBLE;
	switch (error) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return SERVE_FULL;
	case EMFILE:
	case ENFILE:
	case EAGAIN:
		return SERVE_BUSY;
	case ENOMEM:
		return SERVE_MEMORY;
	case ENOENT:
		return SERVE_GONE;
	default:
		return SERVE_FAILED;
	}
}

/* Signals to end ------------------------------------------------------------------ */

static atomic_bool interrupted;
static atomic_int interrupted_by, interrupts;

static void
interrupt_note(int sig)
{
	atomic_store(&interrupted_by, sig);
	atomic_store(&interrupted, true);
}

static void
interrupt_add(int sig)
{
	atomic_store(&interrupted_by, sig);
	atomic_fetch_add(&interrupts, 1);
}

static void
interrupt_nothing(int sig)
{
}

static void
signal_take(int sig, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, now;

	sigemptyset(&action.sa_mask);
	if (sigaction(sig, NULL, &now) != 0 || now.sa_handler != SIG_IGN)
		sigaction(sig, &action, NULL);
}

/* A handler, not SIG_IGN: programs that we start would inherit that. */
void
interrupt_limits(void)
{
	signal_take(SIGXFSZ, interrupt_nothing, 0);
}

static void
signals_watch(void (*handler)(int), int flags)
{
	static const int watched[] = {SIGINT, SIGTERM, SIGHUP};

	for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++)
		signal_take(watched[i], handler, flags);
}

const atomic_bool *
interrupt_watch(void)
{
	signals_watch(interrupt_note, (int)SA_RESETHAND);
	return &interrupted;
}

const atomic_int *
interrupt_count(void)
{
	signals_watch(interrupt_add, 0);
	return &interrupts;
}

bool
interrupt_was_key(void)
{
	return atomic_load(&interrupted_by) == SIGINT;
}

void
interrupt_forget(void)
{
	signals_watch(SIG_DFL, 0);
	atomic_store(&interrupts, 0);
	atomic_store(&interrupted_by, 0);
}

int
interrupt_status(int status)
{
	int sig = atomic_load(&interrupted_by);

	/* A shell ends its script when it sees that the signal is what ended us. */
	if (status == STATUS_INTERRUPTED && sig != SIGINT && sig != 0) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
	return status;
}
