// SPDX-License-Identifier: Apache-2.0
/*
 * words: a line of text as words with escapes, and what words can mean.
 *
 * Words are separated by blanks.  In a word \s is a space, \t a tab, \n a newline, \r a
 * carriage return, \\ a backslash, \xHH a byte; "" alone is an empty word.
 */
#pragma once

#include "abstract.h"

enum { WORDS_MAX = 64, COMPLAINT_SIZE = 160 };

/* Where a mistake is told: "line N: ...", the first one only. */
struct complaint {
	char *text; /* COMPLAINT_SIZE; empty: all is well */
	unsigned line;
};

/* Always false, so that `return complain(...)` reads well. */
bool complain(struct complaint *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* `rest` has the raw text after the word of that index; it points into the line. */
struct words {
	size_t n;
	struct gen_bytes word[WORDS_MAX];
	const char *rest[WORDS_MAX];
};

bool words_split(struct words *, const char *line, struct complaint *);
void words_release(struct words *);

/* All text after a word, escapes resolved; the caller's. */
struct gen_bytes words_text_after(const struct words *, size_t word);

/* Decimal, 0x hexadecimal or 0 octal, up to `max`. */
bool words_number(struct gen_bytes, uint64_t max, uint64_t *value, struct complaint *);
/* Microseconds with up to three decimals; `*end` is the text after them. */
bool words_time(const char *text, int64_t *ns, const char **end, struct complaint *);
/* The bytes of the hexadecimal words from index `first` on; the caller's. */
bool words_hex(
    const struct words *, size_t first, struct gen_bytes *, struct complaint *);
/* Index of the word in a NULL-terminated list, or -1. */
int words_choice(struct gen_bytes, const char *const *list, struct complaint *);
