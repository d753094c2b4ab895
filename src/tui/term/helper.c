// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/term/helper.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/program.h"
#include "base/sbuf.h"

enum { FEED_MS = 3000 };

void
helper_add(struct helper *h, struct str argument)
{
	MEM_GROW(h->argv, h->room, h->count + 2);
	h->argv[h->count++] = mem_text(argument);
	h->argv[h->count] = NULL;
}

void
helper_release(struct helper *h)
{
	for (size_t i = 0; i < h->count; i++)
		mem_free(h->argv[i]);
	mem_free(h->argv);
	*h = (struct helper){0};
}

bool
helper_split(struct helper *h, struct str command, struct err *e)
{
	struct sbuf word = {0};
	bool inside = false;
	char quote = '\0';

	for (size_t i = 0; i < command.n; i++) {
		char c = command.p[i];

		if (c == '\\' && quote != '\'' && i + 1 < command.n) {
			sbuf_char(&word, command.p[++i]);
			inside = true;
		} else if (quote != '\0' ? c == quote : c == '\'' || c == '"') {
			quote = quote != '\0' ? '\0' : c;
			inside = true;
		} else if (quote == '\0' && (c == ' ' || c == '\t')) {
			if (inside)
				helper_add(h, sbuf_view(&word));
			sbuf_clear(&word);
			inside = false;
		} else {
			sbuf_char(&word, c);
			inside = true;
		}
	}
	if (inside)
		helper_add(h, sbuf_view(&word));
	sbuf_release(&word);
	if (quote != '\0')
		return err_set(e, ERR_MALFORMED, "a quote has no end");
	if (h->count == 0)
		return err_set(e, ERR_MALFORMED, "no program is named");
	return true;
}

/* Starts it, with signals as they were before ours; 0 or an errno. */
static int
start(const struct helper *h, const struct signals *s, int in, pid_t *child)
{
	sigset_t usual;

	sigemptyset(&usual);
	for (int i = 1; i < NSIG; i++)
		if (s->taken[i] && s->old[i].sa_handler != SIG_IGN)
			sigaddset(&usual, i);
	return program_spawn((const char *const *)h->argv, (int[]){in, -1, -1}, &s->mask, &usual,
	    false, child);
}

/* `status` as a shell has it. */
static bool
judge(const struct helper *h, int status, struct err *e)
{
	if (status > 128)
		return err_set(e, ERR_SYSTEM, "%.60s was ended by a signal", h->argv[0]);
	return status == 0 ||
	    err_set(e, ERR_SYSTEM, "%.60s ended with status %d", h->argv[0], status);
}

bool
helper_run(const struct helper *h, const struct signals *s, int in, struct err *e)
{
	struct signals_lent lent;
	pid_t child, ended;
	int status = 0, error;

	signals_lend(&lent);
	error = start(h, s, in, &child);
	if (error == 0)
		do {
			ended = waitpid(child, &status, 0);
			/* The program must not stay on the terminal without us. */
			if (ended < 0 && signals_ended_by() != 0)
				kill(child, signals_ended_by());
		} while (ended < 0 && errno == EINTR);
	signals_take_back(&lent);
	if (error != 0)
		return err_set(e, ERR_SYSTEM, "cannot run %.60s: %s", h->argv[0], strerror(error));
	return judge(h, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), e);
}

static bool
go_on(void *context)
{
	return signals_ended_by() == 0;
}

bool
helper_feed(const struct helper *h, struct str text, struct err *e)
{
	const struct program program = {.argv = (const char *const *)h->argv, .input = text,
	    .limit = FEED_MS, .go_on = go_on};
	struct program_result r = {.status = 0};
	bool good = false;

	program_run(&program, &r, e);
	if (r.end == PROGRAM_LATE)
		err_set(e, ERR_SYSTEM, "%.60s did not end", h->argv[0]);
	else if (r.end == PROGRAM_ENDED)
		good = judge(h, r.status, e);
	program_release(&r);
	return good;
}
