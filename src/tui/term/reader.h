// SPDX-License-Identifier: Apache-2.0
/*
 * reader: keys out of the bytes that a terminal sends; the only one that sees libtermkey.
 *
 * Between reader_start and reader_stop the terminal sends its keypad keys as terminfo
 * says.  A lone Esc is told from the beginning of a longer key by time: when a key is
 * half there, wait `reader_wait_ms` for more and then say reader_no_more.
 *
 * What comes between the marks of a bracketed paste is text.  The first mark may be garbage,
 * or the last one get lost: a paste ends after a silence, too, and with Esc or ^C where that
 * comes alone, which it does from a person, not out of a text.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tui/keys/key.h"

struct key_reader;

/* Reads `fd`, which must be a terminal that terminfo knows. */
/* Name and version of what reads. */
extern const char reader_library[];

struct key_reader *reader_new(int fd, int wait_ms, struct err *);
void reader_set_wait(struct key_reader *, int ms);
void reader_free(struct key_reader *); /* NULL is fine */

void reader_start(struct key_reader *);
void reader_stop(struct key_reader *);

/*
 * Takes what is there to be read; false at the end of input or after a hang-up.  `now_ms` is
 * of a clock that does not run backwards.
 */
bool reader_fill(struct key_reader *, int64_t now_ms);
/* The next key that is whole; false when there is none. */
bool reader_next(struct key_reader *, struct key *);
/* -1: no key is half there. */
int reader_wait_ms(const struct key_reader *);
void reader_no_more(struct key_reader *);
