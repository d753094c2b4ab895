// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/term/outbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/spool.h"
#include "tui/term/signals.h"

void
outbox_write(int fd, const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t n = write(fd, bytes, count);

		if (n < 0 && errno == EAGAIN)
			(void)poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
		else if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			bytes += n;
			count -= (size_t)n;
		}
		if (signals_ended_by() != 0)
			return;
	}
}

bool
outbox_open(struct outbox *o, int terminal)
{
	enum { UPDATE_MOST = 1 << 24 };
	int fd = fcntl(terminal, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	struct rlimit limit;

	*o = (struct outbox){.terminal = terminal, .memory = -1};
	if (fd < 0)
		return false;
	o->curses = fdopen(fd, "w");
	if (o->curses == NULL) {
		close(fd);
		return false;
	}
	/* The limit of file sizes holds for files in memory, too: a fatal signal follows. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= UPDATE_MOST)
		o->memory = memfile_make();
	return true;
}

void
outbox_close(struct outbox *o)
{
	if (o->curses == NULL)
		return;
	fclose(o->curses);
	if (o->memory >= 0)
		close(o->memory);
	mem_free(o->bytes);
	*o = (struct outbox){.memory = -1};
}

/* Directs the output of ncurses to `fd` from now on. */
static bool
lead_to(const struct outbox *o, int fd)
{
	int result;

	do {
		result = dup2(fd, fileno(o->curses));
	} while (result < 0 && errno == EINTR);
	return result >= 0 && fcntl(result, F_SETFD, FD_CLOEXEC) == 0;
}

void
outbox_begin(struct outbox *o)
{
	o->update = o->memory >= 0 && lseek(o->memory, 0, SEEK_SET) == 0 &&
	    lead_to(o, o->memory);
}

void
outbox_send(struct outbox *o)
{
	off_t size;
	ssize_t n;

	if (!o->update)
		return;
	o->update = false;
	(void)lead_to(o, o->terminal);
	size = lseek(o->memory, 0, SEEK_CUR);
	if (size <= 0)
		return;
	MEM_GROW(o->bytes, o->room, (size_t)size);
	n = pread(o->memory, o->bytes, (size_t)size, 0);
	if (n > 0)
		outbox_write(o->terminal, o->bytes, (size_t)n);
}
