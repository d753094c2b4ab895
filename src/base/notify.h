/*
 * notify: wakes a poll loop from another thread or from a signal handler.
 *
 * Posts before the loop looks are one wake-up.  Owns two descriptors until
 * notify_close.
 */
#ifndef SLOWTOP_BASE_NOTIFY_H
#define SLOWTOP_BASE_NOTIFY_H

#include <stdbool.h>

#include "base/err.h"

struct notify {
	int fd; /* poll this for reading */
	int post_fd;
};

bool notify_open(struct notify *, struct err *);
/* From any thread or signal handler; never waits, leaves errno alone. */
void notify_post(const struct notify *);
/* Whether there was a post since the last call; by the loop only. */
bool notify_take(const struct notify *);
void notify_close(struct notify *);

#endif
