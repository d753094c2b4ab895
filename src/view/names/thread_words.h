/*
 * thread_words: finds the threads that a word of the user means.
 *
 * A word is a thread's id, or else the whole name of one or several threads; in a text
 * log it may also be a process's id or whole name.  Borrows all texts.
 */
#ifndef SLOWTOP_VIEW_NAMES_THREAD_WORDS_H
#define SLOWTOP_VIEW_NAMES_THREAD_WORDS_H

#include "base/err.h"
#include "profile/load/scope.h"
#include "trace/trace.h"

struct thread_words {
	const char *const *threads;
	size_t thread_count; /* 0: all */
	const char *const *processes;
	size_t process_count; /* 0: of all */
};

/*
 * The threads of the words, the caller's; NULL: all, and so without words.  False, with
 * the threads there are in `e`, when a word means none; what the others mean is there
 * then, too.
 */
bool thread_words_choose(const struct thread_words *, const struct trace *, struct scope **,
    struct err *e);

#endif
