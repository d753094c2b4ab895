// SPDX-License-Identifier: Apache-2.0
/*
 * processes: those of a text log, named; and the threads that words of the user mean.
 *
 * A value, made from what is known at the time; the names point into the file.
 */
#pragma once

#include "base/err.h"
#include "profile/load/scope.h"
#include "trace/log.h"
#include "trace/trace.h"

struct process {
	uint32_t pid;
	uint32_t threads; /* that the log has of it */
	struct str name;  /* as a list has it, else its main thread's; may be empty */
};

struct processes {
	struct process *items; /* by index + 1 of the log's; 0: of threads without one */
	uint32_t count;
};

/* Linear in threads and processes. */
void processes_make(struct processes *, const struct trace *);
void processes_release(struct processes *);

/*
 * A word is a thread's id, or else the whole name of one or several threads; in a text
 * log it may also be a process's id or whole name, or "all".  Borrows all texts.
 */
struct thread_words {
	const char *const *threads;
	size_t thread_count; /* 0: all */
	const char *const *processes;
	size_t process_count; /* 0: of all */
};

/*
 * The threads of the words, the caller's; NULL: all, or there are no words.  False, with
 * the threads there are in `e`, when a word means none; what the others mean is there
 * then, too.
 */
bool thread_words_choose(const struct thread_words *, const struct trace *, struct scope **,
    struct err *e);
