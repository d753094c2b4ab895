/* Records read for the loop that counts them. */
#include <config.h>

#include "profile/count.h"

#include <string.h>

/* As batch_keep. */
static void
plain_keep(struct plain *b, uint32_t size, uint64_t left)
{
	uint64_t whole = left > b->offset ? (left - b->offset) / size : 0;

	if (whole < b->count)
		b->count = (uint32_t)whole;
}

/* What is gone raises its fault here (mapguard.h), and not among what is counted. */
static void
plain_touch(const struct plain *b, uint32_t size)
{
	enum { STEP = 4096 }; /* no page is smaller */
	const volatile uint8_t *bytes = b->bytes;
	size_t count = (size_t)b->count * size;

	for (size_t i = 0; i < count; i += STEP)
		(void)bytes[i];
	if (count > 0)
		(void)bytes[count - 1];
}

bool
records_read(struct records *r, struct source *s, struct cursor *at, enum records_how how,
    struct damage *damage, bool ask)
{
	uint64_t left;

	r->form = how == RECORDS_DECODED ? PLAIN_NONE : s->plain;
	if (r->form == PLAIN_NONE)
		return source_read_safe(s, at, &r->batch, BATCH_EVENTS, damage, ask);
	s->ops->read_plain(s, at, &r->plain, BATCH_EVENTS, damage);
	if (s->ops->left == NULL)
		return true;
	if (how == RECORDS_COPIED) {
		memcpy(r->copy, r->plain.bytes, (size_t)r->plain.count * plain_size(r->form));
		r->plain.bytes = r->copy;
	} else {
		plain_touch(&r->plain, plain_size(r->form));
	}
	left = s->ops->left(s, ask);
	if (left >= at->offset)
		return true;
	plain_keep(&r->plain, plain_size(r->form), s->ops->left(s, true));
	return false;
}

bool
records_torn(const struct records *r, struct source *s, bool ask)
{
	const struct plain *b = &r->plain;

	if (r->form == PLAIN_NONE || b->count == 0 || b->bytes == r->copy || s->ops->left == NULL)
		return false;
	return s->ops->left(s, ask) < b->offset + (uint64_t)b->count * plain_size(r->form);
}
