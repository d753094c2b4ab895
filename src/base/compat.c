// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#if !HAVE_DECL_MEMMEM
void *
memmem(const void *in, size_t size, const void *what, size_t what_size)
{
	const char *at = in, *end = at + size, *word = what;

	if (what_size == 0)
		return (void *)(uintptr_t)at;
	while ((size_t)(end - at) >= what_size &&
	    (at = memchr(at, word[0], (size_t)(end - at) - what_size + 1)) != NULL) {
		if (memcmp(at, word, what_size) == 0)
			return (void *)(uintptr_t)at;
		at++;
	}
	return NULL;
}
#endif

#if !HAVE_DECL_MEMRCHR
void *
memrchr(const void *in, int byte, size_t size)
{
	const unsigned char *bytes = in;

	while (size > 0)
		if (bytes[--size] == (unsigned char)byte)
			return (void *)(uintptr_t)(bytes + size);
	return NULL;
}
#endif

#if !HAVE_DECL_PIPE2
int
pipe2(int ends[2], int flags)
{
	if (pipe(ends) != 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		(void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
		if ((flags & O_NONBLOCK) != 0)
			(void)fcntl(ends[i], F_SETFL, fcntl(ends[i], F_GETFL) | O_NONBLOCK);
	}
	return 0;
}
#endif

#if !HAVE_DECL_MKOSTEMP
int
mkostemp(char *path, int flags)
{
	int fd = mkstemp(path);

	if (fd >= 0)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}
#endif

#if !HAVE_DECL_PPOLL
int
ppoll(struct pollfd *fds, nfds_t count, const struct timespec *limit, const sigset_t *mask)
{
	fd_set in, out;
	int n, most = -1;

	FD_ZERO(&in);
	FD_ZERO(&out);
	for (nfds_t i = 0; i < count; i++) {
		fds[i].revents = 0;
		if (fds[i].fd >= (int)FD_SETSIZE) {
			errno = EINVAL;
			return -1;
		}
		if (fds[i].fd >= 0 && (fds[i].events & POLLIN) != 0)
			FD_SET(fds[i].fd, &in);
		if (fds[i].fd >= 0 && (fds[i].events & POLLOUT) != 0)
			FD_SET(fds[i].fd, &out);
		most = fds[i].fd > most ? fds[i].fd : most;
	}
	n = pselect(most + 1, &in, &out, NULL, limit, mask);
	/* Which of them: poll also tells of an end. */
	return n > 0 ? poll(fds, count, 0) : n;
}
#endif

#if !HAVE_DECL_GETENTROPY
int
getentropy(void *bytes, size_t size)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, bytes, size) : -1;

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)size ? 0 : -1;
}
#endif
