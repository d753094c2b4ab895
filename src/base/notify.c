#include <config.h>

#include "base/notify.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static bool
set_flags(int fd)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

bool
notify_open(struct notify *n, struct err *e)
{
	int fds[2];

	*n = (struct notify){-1, -1};
	if (pipe(fds) != 0)
		return err_system(e, "cannot make a pipe");
	*n = (struct notify){fds[0], fds[1]};
	if (set_flags(n->fd) && set_flags(n->post_fd))
		return true;
	err_system(e, "cannot set up a pipe");
	notify_close(n);
	return false;
}

void
notify_post(const struct notify *n)
{
	int saved = errno;
	ssize_t written;

	/* A full pipe is fine: the loop will wake up anyhow. */
	do
		written = write(n->post_fd, "", 1);
	while (written < 0 && errno == EINTR);
	errno = saved;
}

bool
notify_take(const struct notify *n)
{
	char bytes[256];
	bool any = false;
	ssize_t got;

	do {
		got = read(n->fd, bytes, sizeof(bytes));
		any = any || got > 0;
	} while (got > 0 || (got < 0 && errno == EINTR));
	return any;
}

void
notify_close(struct notify *n)
{
	if (n->fd >= 0)
		close(n->fd);
	if (n->post_fd >= 0)
		close(n->post_fd);
	*n = (struct notify){-1, -1};
}
