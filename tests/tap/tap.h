// SPDX-License-Identifier: Apache-2.0
/*
 * tap: what a test program needs to speak the Test Anything Protocol.
 *
 * Checks print one line each and return whether they held, so that a test can
 * stop following a thread that is lost.  A failed check says which file and
 * line, and for comparisons both values, as a comment.  End main with
 * `return tap_done();`, which prints the plan and is nonzero after a failure:
 * a program that dies on the way has no plan and thus fails.
 *
 * It also supplies mem_exhausted for the allocators of base (a test that runs
 * out of memory bails out).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Built with sanitizers: faults are theirs, and everything is slow. */
#if defined(__SANITIZE_ADDRESS__)
#define TAP_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TAP_SANITIZED 1
#endif
#endif

#define TAP_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* ok(cond, "name %d", i) */
#define ok(cond, ...) tap_ok(__FILE__, __LINE__, (cond), __VA_ARGS__)
/* Got first, wanted second. */
#define is_int(got, want, ...) tap_int(__FILE__, __LINE__, (got), (want), __VA_ARGS__)
#define is_str(got, want, ...) tap_str(__FILE__, __LINE__, (got), (want), __VA_ARGS__)
#define is_mem(got, ngot, want, nwant, ...) \
	tap_mem(__FILE__, __LINE__, (got), (ngot), (want), (nwant), __VA_ARGS__)

bool tap_ok(const char *file, int line, bool cond, const char *fmt, ...) TAP_PRINTF(4, 5);
bool tap_int(const char *file, int line, int64_t got, int64_t want, const char *fmt, ...)
    TAP_PRINTF(5, 6);
bool tap_str(const char *file, int line, const char *got, const char *want, const char *fmt,
    ...) TAP_PRINTF(5, 6);
bool tap_mem(const char *file, int line, const void *got, size_t ngot, const void *want,
    size_t nwant, const char *fmt, ...) TAP_PRINTF(7, 8);

/* Optional, first: fixes the number of checks, so that one left out fails. */
void plan(int checks);
/* A comment, one line. */
void diag(const char *fmt, ...) TAP_PRINTF(1, 2);
/* Counts as one check that could not be made here. */
void skip(const char *fmt, ...) TAP_PRINTF(1, 2);
/* In place of any check: nothing of this program can be tested here. */
_Noreturn void skip_all(const char *fmt, ...) TAP_PRINTF(1, 2);

/*
 * run(0) to run(count - 1), each in a process of its own and so many at a time: for what mostly
 * waits.  The results come in their order.
 */
void tap_each(int count, int at_once, void (*run)(int));

int tap_done(void);
