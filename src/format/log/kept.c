// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/log/kept.h"

#include <string.h>

#include "base/bytes.h"

/* Columns --------------------------------------------------------------------------- */

enum {
	WORD_BYTES = sizeof(uint64_t),
	/* A column has its width and first number, then the others; reading goes a word beyond the last. */
	COLUMN_MOST = 1 + WORD_BYTES + (BATCH_EVENTS - 1) * WORD_BYTES,
	BLOCK_MOST = KEPT_COLUMNS * COLUMN_MOST + WORD_BYTES,
};

/* Makes a small number of a distance that is near zero, whatever its sign. */
static uint64_t
fold(uint64_t v)
{
	return v << 1 ^ (0 - (v >> 63));
}

static uint64_t
unfold(uint64_t v)
{
	return v >> 1 ^ (0 - (v & 1));
}

static void
word_put(uint8_t *out, uint64_t v)
{
	out[0] = (uint8_t)v;
	out[1] = (uint8_t)(v >> 8);
	out[2] = (uint8_t)(v >> 16);
	out[3] = (uint8_t)(v >> 24);
	out[4] = (uint8_t)(v >> 32);
	out[5] = (uint8_t)(v >> 40);
	out[6] = (uint8_t)(v >> 48);
	out[7] = (uint8_t)(v >> 56);
}

/* Packs the numbers, of which there is one at least; returns the place after them. */
static uint8_t *
column_pack(uint8_t *out, const uint64_t *v, uint32_t count)
{
	uint64_t far[BATCH_EVENTS], all = 0;
	uint8_t width;

	for (uint32_t i = 1; i < count; i++)
		all |= far[i] = fold(v[i] - v[i - 1]);
	width = all == 0 ? 0 : (uint8_t)(WORD_BYTES - (unsigned)__builtin_clzll(all) / 8);
	*out++ = width;
	word_put(out, v[0]);
	out += WORD_BYTES;
	for (uint32_t i = 1; i < count; i++, out += width)
		word_put(out, far[i]);
	return out;
}

static const uint8_t *
column_unpack(const uint8_t *in, uint64_t *v, uint32_t count)
{
	const unsigned width = *in++;
	const uint64_t mask = width < WORD_BYTES ? (UINT64_C(1) << 8 * width) - 1 : UINT64_MAX;
	uint64_t sum = get_u64(in);

	in += WORD_BYTES;
	v[0] = sum;
	for (uint32_t i = 1; i < count; i++, in += width)
		v[i] = sum += unfold(get_u64(in) & mask);
	return in;
}

/* Blocks ---------------------------------------------------------------------------- */

void
kept_init(struct kept *k, const char *folder)
{
	k->blocks = SEG_INIT(struct kept_block);
	spool_init(&k->bytes, 1, folder);
	k->open.count = 0;
	k->closed = NULL;
}

void
kept_release(struct kept *k)
{
	seg_release(&k->blocks);
	spool_release(&k->bytes);
}

bool
kept_close(struct kept *k, uint64_t end, struct err *e)
{
	uint8_t packed[BLOCK_MOST], *out = packed;
	struct kept_block *b = seg_reserve(&k->blocks);
	void *place;

	if (b == NULL)
		return err_set(e, ERR_LIMIT, "more events than can be counted");
	for (int i = 0; i < KEPT_COLUMNS; i++)
		out = column_pack(out, k->columns[k->filled].of[i], k->open.count);
	memset(out, 0, WORD_BYTES);
	out += WORD_BYTES;
	place = spool_append(&k->bytes, (size_t)(out - packed), &k->open.first, e);
	if (place == NULL)
		return false;
	memcpy(place, packed, (size_t)(out - packed));
	k->open.end = end;
	*b = k->open;
	seg_commit(&k->blocks);
	k->open.count = 0;
	k->filled ^= 1;
	k->closed = b;
	return true;
}

void
kept_cut(struct kept *k, uint32_t blocks, uint64_t bytes)
{
	seg_cut(&k->blocks, blocks);
	spool_cut(&k->bytes, bytes);
	k->open.count = 0;
	k->closed = NULL;
}

void
kept_forget(struct kept *k, const struct kept_block *b)
{
	spool_forget(&k->bytes, b->first);
}

void
kept_read(const struct kept *k, const struct kept_block *block, struct batch *b)
{
	const struct kept_columns *c = &k->columns[k->filled ^ 1];
	struct kept_columns unpacked;

	if (block != k->closed) {
		const uint8_t *in = spool_peek(&k->bytes, block->first);

		for (int i = 0; i < KEPT_COLUMNS; i++)
			in = column_unpack(in, unpacked.of[i], block->count);
		c = &unpacked;
	}
	for (uint32_t i = 0; i < block->count; i++) {
		b->ev[i] = (struct event){(uint32_t)c->of[KEPT_THREAD][i], (uint32_t)c->of[KEPT_WORD][i] - 1,
		    .time = {[CLOCK_WALL] = (uint64_t)block->time + c->of[KEPT_TIME][i],
		    [CLOCK_CPU] = c->of[KEPT_CPU][i]}};
		b->place[i] = (uint32_t)c->of[KEPT_PLACE][i];
	}
	b->count = block->count;
	b->stride = 0;
	b->offset = block->place;
}
