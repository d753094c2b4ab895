#include <config.h>

#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/say.h"

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

/* Not ignored: that would be inherited by the programs that we start. */
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
