// SPDX-License-Identifier: Apache-2.0
/*
 * pty_state: a program in a terminal as the files of pty share it.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include <vterm.h>

#include "tui/pty.h"

struct pty {
	int master, slave, news_fd;
	pid_t leader, job;
	bool stopped, ended;
	int status;
	struct termios before;
	VTerm *vterm;
	VTermScreen *screen;
	bool alternate, cursor_visible;
	int rows, columns;
	char *text;
	char *log;
	size_t total, log_room;
};

/* Ends the test program: the terminal cannot be had. */
_Noreturn void pty_bail(const char *what);
