// SPDX-License-Identifier: Apache-2.0
/*
 * pieces: mutations for files that are a header and a sequence of pieces with lengths.
 *
 * Plain mutations mostly break a length and with it all that follows.  These change the
 * inside of one piece and correct its length, or repeat, remove and swap whole pieces, so
 * that the pieces after it are still read.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct piece_format {
	size_t header;
	/* Makes the header one of this format. */
	void (*head)(uint8_t *file);
	/* Bytes of the piece at `p`, at least 1 and at most `left`; `fixed` of them are no body. */
	size_t (*measure)(const uint8_t *file, const uint8_t *p, size_t left, size_t *fixed);
	/* States the size that it has now. */
	void (*mend)(uint8_t *p, size_t size);
};

/* For LLVMFuzzerCustomMutator. */
size_t pieces_mutate(const struct piece_format *, uint8_t *bytes, size_t size, size_t most,
    unsigned seed);
