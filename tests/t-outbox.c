// SPDX-License-Identifier: Apache-2.0
/* outbox: however often ncurses writes in an update, the terminal gets it as one piece. */
#include <config.h>

#include "tui/term/outbox.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/worker.h"
#include "tap/tap.h"

enum { PIECES = 2000, LONG = 60000, MANY = 1 << 22 };

struct slow {
	int fd;
	int64_t count;
};

/* As ncurses does. */
static void
put(const struct outbox *o, const char *bytes)
{
	if (write(fileno(o->curses), bytes, strlen(bytes)) < 0)
		diag("a write failed");
}

/* The next message, each of which was one write; empty when there is none. */
static const char *
next(int fd)
{
	static char message[LONG];
	ssize_t n = recv(fd, message, sizeof(message) - 1, MSG_DONTWAIT);

	message[n > 0 ? n : 0] = '\0';
	return message;
}

static void
updates(struct outbox *o, int screen)
{
	put(o, "a");
	put(o, "b");
	is_str(next(screen), "a", "outside of an update everything is sent as it comes");
	is_str(next(screen), "b", "piece by piece");
	outbox_begin(o);
	put(o, "one ");
	put(o, "update");
	is_str(next(screen), "", "in an update nothing is");
	outbox_send(o);
	is_str(next(screen), "one update", "but all of it when it is over");
	is_str(next(screen), "", "and only once");
	outbox_begin(o);
	put(o, "less");
	outbox_send(o);
	is_str(next(screen), "less", "nothing of a longer one before");
	outbox_begin(o);
	outbox_send(o);
	is_str(next(screen), "", "nothing is nothing");
	put(o, "c");
	is_str(next(screen), "c", "and afterwards the terminal is ncurses' again");
	outbox_begin(o);
	for (int i = 0; i < PIECES; i++)
		put(o, "0123456789");
	outbox_send(o);
	is_int((int64_t)strlen(next(screen)), PIECES * 10, "a large update is one piece");
}

/* Reads all there is, from when the other end is stuck. */
static void
reader_run(unsigned index, void *arg)
{
	struct slow *slow = arg;
	char bytes[4096];
	ssize_t n;

	(void)index;
	while ((n = read(slow->fd, bytes, sizeof(bytes))) > 0)
		slow->count += n;
}

/* A terminal that does not wait, and does not take everything at once. */
static void
slow_terminal(void)
{
	struct worker_pool *pool;
	struct slow slow = {.count = 0};
	char *bytes = mem_zero(1, MANY);
	int ends[2];

	if (!ok(pipe(ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0, "a pipe"))
		return;
	slow.fd = ends[0];
	if (ok(worker_start(&pool, 1, reader_run, &slow, NULL, NULL), "its reader")) {
		outbox_write(ends[1], bytes, MANY);
		close(ends[1]);
		worker_join(pool);
		is_int(slow.count, MANY, "a terminal that is not ready is waited for");
	}
	close(ends[0]);
	mem_free(bytes);
}

/* Where files may not grow, each write goes to the terminal. */
static void
small_files(int terminal, int screen)
{
	struct rlimit before, small;
	struct outbox o;
	bool open;

	if (!ok(getrlimit(RLIMIT_FSIZE, &before) == 0, "how long files may be"))
		return;
	small = before;
	small.rlim_cur = 1;
	open = setrlimit(RLIMIT_FSIZE, &small) == 0 && outbox_open(&o, terminal);
	(void)setrlimit(RLIMIT_FSIZE, &before);
	if (!ok(open, "opens where files may not grow"))
		return;
	outbox_begin(&o);
	put(&o, "as it ");
	is_str(next(screen), "as it ", "without room for an update nothing is kept back");
	outbox_send(&o);
	outbox_close(&o);
}

int
main(void)
{
	struct outbox o = {.curses = NULL};
	int ends[2];

	outbox_close(&o);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0)
		skip_all("no sockets");
	if (!outbox_open(&o, ends[0]))
		skip_all("no descriptors");
	if (o.memory < 0)
		skip_all("no files in memory");
	updates(&o, ends[1]);
	outbox_close(&o);
	ok(o.curses == NULL && fcntl(ends[0], F_GETFD) >= 0, "the terminal itself stays open");
	small_files(ends[0], ends[1]);
	slow_terminal();
	close(ends[0]);
	close(ends[1]);
	return tap_done();
}
