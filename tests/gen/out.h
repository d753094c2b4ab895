// SPDX-License-Identifier: Apache-2.0
/*
 * out: buffered writing of a trace file, with its position.
 *
 * Errors stick: after the first failed write nothing more is written and
 * out_close returns false with errno set.  The marks remember where the parts
 * of the file began, so that bytes of the finished file can be overwritten.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abstract.h"

struct gen_out {
	int fd;
	int error;     /* errno of the first failure */
	uint64_t done; /* bytes handed to the kernel */
	size_t used, room;
	unsigned char *buffer;
	uint64_t mark[GEN_BASES];
};

enum { OUT_BUFFER = 1 << 20 };

/* Creates or truncates `path`; NULL is standard output. */
bool out_open(struct gen_out *, const char *path);

/* Into memory only; out_append takes what was written and frees it. */
void out_memory(struct gen_out *);
void out_append(struct gen_out *, struct gen_out *memory);

/* Flushes, applies the pokes, the cut and the kept length of the trace (these
 * need a regular file) and closes. */
bool out_close(struct gen_out *, const struct gen_trace *);

uint64_t out_position(const struct gen_out *);
void out_mark(struct gen_out *, enum gen_base);

void out_bytes(struct gen_out *, const void *, size_t);
void out_text(struct gen_out *, const char *);
void out_zeros(struct gen_out *, size_t);

/* Room for n <= OUT_BUFFER bytes, to be filled by the caller at once. */
unsigned char *out_room(struct gen_out *, size_t n);

/* Little-endian stores; return the byte after. */
unsigned char *put_u1(unsigned char *, uint64_t);
unsigned char *put_u2(unsigned char *, uint64_t);
unsigned char *put_u4(unsigned char *, uint64_t);
unsigned char *put_u8(unsigned char *, uint64_t);
