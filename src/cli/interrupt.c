#include <config.h>

#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "cli/interrupt.h"

static atomic_bool interrupted;

static void
interrupt_note(int sig)
{
	(void)sig;
	atomic_store(&interrupted, true);
}

static bool
interrupt_ignored(void)
{
	struct sigaction now;

	return sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

const atomic_bool *
interrupt_watch(void)
{
	struct sigaction action;

	if (interrupt_ignored())
		return &interrupted;
	memset(&action, 0, sizeof action);
	action.sa_handler = interrupt_note;
	sigemptyset(&action.sa_mask);
	action.sa_flags = (int)SA_RESETHAND;
	sigaction(SIGINT, &action, NULL);
	return &interrupted;
}

void
interrupt_forget(void)
{
	if (!interrupt_ignored())
		signal(SIGINT, SIG_DFL);
}
