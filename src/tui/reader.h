/*
 * reader: keys out of the bytes that a terminal sends; the only one that sees libtermkey.
 *
 * Between reader_start and reader_stop the terminal sends its keypad keys as terminfo
 * says.  A lone Esc is told from the beginning of a longer key by time: when a key is
 * half there, wait `reader_wait_ms` for more and then say reader_no_more.
 */
#ifndef SLOWTOP_TUI_READER_H
#define SLOWTOP_TUI_READER_H

#include <stdbool.h>

#include "base/err.h"
#include "tui/key.h"

struct reader;

/* Reads `fd`, which must be a terminal that terminfo knows. */
struct reader *reader_new(int fd, int wait_ms, struct err *);
void reader_set_wait(struct reader *, int ms);
void reader_free(struct reader *); /* NULL is fine */

void reader_start(struct reader *);
void reader_stop(struct reader *);

/* Takes what is there to be read; false at the end of input or after a hang-up. */
bool reader_fill(struct reader *);
/* The next key that is whole; false when there is none. */
bool reader_next(struct reader *, struct key *);
/* -1: no key is half there. */
int reader_wait_ms(const struct reader *);
void reader_no_more(struct reader *);

#endif
