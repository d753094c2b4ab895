// SPDX-License-Identifier: Apache-2.0
/*
 * sha256: SHA-256 (FIPS 180-4) of bytes that come piece by piece.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32, SHA256_TEXT = 2 * SHA256_SIZE + 1 };

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	uint8_t block[64]; /* the last bytes, if they do not fill it yet */
};

void sha256_init(struct sha256 *);
void sha256_add(struct sha256 *, const void *, size_t n);
/* The state is used up. */
void sha256_end(struct sha256 *, uint8_t out[static SHA256_SIZE]);

/* Hashes bytes at once, as lower-case digits. */
void sha256_text(const void *, size_t n, char out[static SHA256_TEXT]);
