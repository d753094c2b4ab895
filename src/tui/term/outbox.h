// SPDX-License-Identifier: Apache-2.0
/*
 * outbox: what ncurses writes in one update of the screen, sent to the terminal at once.
 *
 * ncurses 6 writes wherever it has moved the cursor, some hundred times in an update.
 * Each time the terminal wakes up to read it, and we may not get the processor back at
 * once while others work; over a network each is a packet.  So ncurses has a descriptor
 * of its own, which during an update leads to memory.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct outbox {
	int terminal; /* borrowed */
	FILE *curses; /* what newterm is to write to; the terminal but for updates */
	int memory;   /* < 0: there is none, and everything is sent when it is written */
	bool update;
	char *bytes;
	size_t room;
};

/*
 * Writes all of it, also to a terminal that does not wait; gives up when it is gone.  Once
 * the program is to end (signals_ended_by), only what it takes at once.
 */
void outbox_write(int fd, const char *, size_t count);

/* False when there is no descriptor left. */
bool outbox_open(struct outbox *, int terminal);
/* When ncurses is done with it.  A zeroed one is fine. */
void outbox_close(struct outbox *);
/* Around an update while ncurses has the screen. */
void outbox_begin(struct outbox *);
void outbox_send(struct outbox *);
