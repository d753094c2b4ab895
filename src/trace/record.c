#include <config.h>

#include "trace/record.h"

#include "trace/trace.h"

static inline __attribute__((always_inline)) void
decode(const struct trace *t, const struct record_layout *l, const uint8_t *p, struct batch *b,
    struct damage *damage)
{
	struct source *source = t->source;
	uint64_t offset = b->offset;

	for (uint32_t i = 0; i < b->count; i++, p += l->size, offset += l->size) {
		struct event *ev = &b->ev[i];
		uint32_t id = record_thread(l, p), word = record_word(l, p);
		uint32_t method = record_method(l, word, &t->method_ids);
		uint32_t thread = idmap_get(&t->thread_ids, id);

		if (__builtin_expect(method == IDMAP_NONE, 0))
			method = source->ops->method_unknown(source, word, damage, offset);
		if (__builtin_expect(thread == IDMAP_NONE, 0))
			thread = source->ops->thread_unknown(source, id, 1, damage, offset);
		ev->thread = thread;
		ev->word = method << 2 | (word & 3);
		pair64_store(ev->time, record_times(l, p));
	}
}

void
records_decode(const struct trace *t, const struct record_layout *l, const uint8_t *records,
    struct batch *b, struct damage *damage)
{
	if (record_is_dual(l))
		decode(t, &record_dual, records, b, damage);
	else
		decode(t, l, records, b, damage);
}
