// SPDX-License-Identifier: Apache-2.0
/* Streaming traces, F2 and F3, with headers that hold and lengths that fit. */
#include <config.h>

#include <string.h>

#include "base/bytes.h"
#include "format/format.h"
#include "fuzz/consume.h"
#include "fuzz/fuzz.h"
#include "fuzz/pieces.h"
#include "profile/load/loader.h"
#include "profile/load/profile.h"

enum { SWEPT_SIZES = 8 };

static void
head(uint8_t *file)
{
	memcpy(file, "SLOW", 4);
	file[4] = (file[4] & 1) != 0 ? 0xf3 : 0xf2;
	file[5] = file[7] = 0;
	file[6] = 32;
	file[16] = file[4] == 0xf3 ? 14 : 10;
	file[17] = 0;
}

static size_t
measure(const uint8_t *file, const uint8_t *p, size_t left, size_t *fixed)
{
	size_t record = file[4] == 0xf3 ? 14 : 10, size;

	*fixed = left;
	if (left < 7)
		return left;
	if (get_u16(p) != 0) {
		*fixed = record < left ? record : left;
		return *fixed;
	}
	*fixed = p[2] == 1 ? 5 : 7;
	size = *fixed + (p[2] == 3 ? get_u32(p + 3) : get_u16(p + *fixed - 2));
	return size < left ? size : left;
}

static void
mend(uint8_t *p, size_t size)
{
	size_t length = size - (p[2] == 1 ? 5 : 7);
	uint8_t *at = p[2] == 2 ? p + 5 : p + 3;

	at[0] = (uint8_t)length;
	at[1] = (uint8_t)(length >> 8);
	if (p[2] == 3)
		at[2] = at[3] = 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed)
{
	static const struct piece_format format = {32, head, measure, mend};

	return pieces_mutate(&format, bytes, size, most, seed);
}

/* In one pass, or by stretches. */
static struct profile *
load(struct trace *t, bool swept)
{
	struct profile *p = profile_new(t);
	struct loader *l = loader_new(p, 1);
	struct err e = {0};

	/* As if enough had been read to tell what made the trace. */
	sampling_free(p->sampling);
	p->sampling = NULL;
	if (swept)
		(void)loader_divide(l, 1);
	while (p->state == LOAD_MORE && loader_round(l, BATCH_EVENTS))
		profile_settle(p, true, &e);
	loader_free(l);
	while (profile_load(p, BATCH_EVENTS, &e) == LOAD_MORE) {
	}
	return p;
}

static void
check_swept(const uint8_t *bytes, size_t size)
{
	struct err e = {0};
	struct trace *one = format_open_memory(bytes, size, "one", &e);
	struct trace *other = format_open_memory(bytes, size, "other", &e);
	struct profile *whole = load(one, false), *swept = load(other, true);

	fuzz_check(whole->state == swept->state && whole->records == swept->records);
	fuzz_check(memcmp(&whole->damage, &swept->damage, sizeof(whole->damage)) == 0);
	fuzz_check(trace_thread_count(one) == trace_thread_count(other));
	fuzz_check(trace_method_count(one) == trace_method_count(other));
	for (uint32_t i = 0; i < whole->stack_count && i < swept->stack_count; i++) {
		const struct stack *a = &whole->stacks[i], *b = &swept->stacks[i];

		fuzz_check(a->started == b->started && a->records == b->records);
		fuzz_check(!a->started || a->base_offset == b->base_offset);
		fuzz_check(memcmp(a->raw, b->raw, sizeof(a->raw)) == 0);
	}
	profile_free(whole);
	profile_free(swept);
	trace_free(one);
	trace_free(other);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct consumed c;
	struct err e = {0};

	/* Of some sizes only: it takes several times as long. */
	if (consume_trace(bytes, size, &c, &e) && size % SWEPT_SIZES == 0)
		check_swept(bytes, size);
	return 0;
}
