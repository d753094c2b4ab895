// SPDX-License-Identifier: Apache-2.0
/*
 * compat: functions that not all systems have, under their usual names.
 *
 * configure asks which are declared (HAVE_DECL_...).  In place of another one is a function
 * of POSIX.1-2008, which does the same unless said otherwise.
 */
#pragma once

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#if !HAVE_DECL_MEMMEM
void *memmem(const void *in, size_t size, const void *what, size_t what_size);
#endif
#if !HAVE_DECL_MEMRCHR
void *memrchr(const void *in, int byte, size_t size);
#endif

/* Without them, a program that another thread starts in between inherits the descriptor. */
#if !HAVE_DECL_PIPE2
int pipe2(int ends[2], int flags); /* O_CLOEXEC and O_NONBLOCK */
#endif
#if !HAVE_DECL_MKOSTEMP
int mkostemp(char *path, int flags); /* O_CLOEXEC alone */
#endif

/* Without it, descriptors have to be less than FD_SETSIZE. */
#if !HAVE_DECL_PPOLL
int ppoll(struct pollfd *, nfds_t count, const struct timespec *limit, const sigset_t *mask);
#endif

/* Bytes that cannot be guessed, up to 256. */
#if !HAVE_DECL_GETENTROPY
int getentropy(void *bytes, size_t size);
#elif defined(HAVE_SYS_RANDOM_H)
#include <sys/random.h>
#endif
