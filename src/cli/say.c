#include <config.h>

#include "cli/say.h"

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

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

/* Signals to end ------------------------------------------------------------------ */

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};

enum { WATCHED = sizeof(watched) / sizeof(watched[0]) };

static atomic_bool interrupted;
static atomic_int interrupted_by;

static void
interrupt_note(int sig)
{
	atomic_store(&interrupted_by, sig);
	atomic_store(&interrupted, true);
}

static bool
interrupt_ignored(int sig)
{
	struct sigaction now;

	return sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void
interrupt_nothing(int sig)
{
	(void)sig;
}

/* A handler, not SIG_IGN: programs that we start would inherit that. */
void
interrupt_limits(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_handler = interrupt_nothing;
	sigemptyset(&action.sa_mask);
	if (!interrupt_ignored(SIGXFSZ))
		sigaction(SIGXFSZ, &action, NULL);
}

const atomic_bool *
interrupt_watch(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_handler = interrupt_note;
	sigemptyset(&action.sa_mask);
	action.sa_flags = (int)SA_RESETHAND;
	for (int i = 0; i < WATCHED; i++)
		if (!interrupt_ignored(watched[i]))
			sigaction(watched[i], &action, NULL);
	return &interrupted;
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
