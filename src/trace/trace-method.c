/* Methods by their names: in order, written, and called by others. */
#include <config.h>

#include "trace/trace.h"

#include <inttypes.h>

/* Of one class, name or signature; what a hostile file has beyond is not looked at. */
enum { PART_MAX = 8192 };

/* Byte `at` of the full name, or -1 behind its end. */
static int
name_byte(const struct method *m, size_t at)
{
	const struct str part[] = {m->class_name, STR("."), m->name, m->signature};

	for (size_t i = m->class_name.n > 0 ? 0 : 2; i < sizeof(part) / sizeof(part[0]); i++) {
		if (at < part[i].n)
			return (unsigned char)part[i].p[at];
		at -= part[i].n;
	}
	return -1;
}

int
method_compare(const struct method *a, const struct method *b)
{
	size_t at = 0;
	int left, right;

	/* Most methods that are compared share their class: begin behind it. */
	if (str_equal(a->class_name, b->class_name))
		at = a->class_name.n;
	do {
		left = name_byte(a, at);
		right = name_byte(b, at);
		at++;
	} while (left == right && left >= 0);
	if (left != right)
		return left - right;
	return a->known || b->known ? 0 : (a->id > b->id) - (a->id < b->id);
}

static void
put_part(struct sbuf *out, struct str part)
{
	if (part.n > 0)
		sbuf_bytes(out, part.p, part.n < PART_MAX ? part.n : PART_MAX);
}

struct name_place
method_full_name(struct sbuf *out, const struct method *m)
{
	size_t from = out->n;
	struct name_place place = {0, 0};

	if (!m->known) {
		sbuf_printf(out, "0x%" PRIx64 " (proxy?)", m->id);
		place.to = out->n - from;
		return place;
	}
	put_part(out, m->class_name);
	/* Dalvik writes java/lang/Enum. */
	for (size_t i = from; i < out->n; i++)
		if (out->p[i] == '/')
			out->p[i] = '.';
	if (m->class_name.n > 0 && m->name.n > 0)
		sbuf_char(out, '.');
	place.from = m->name.n > 0 ? out->n - from : 0;
	put_part(out, m->name);
	place.to = out->n - from;
	put_part(out, m->signature);
	if (out->n == from) { /* the file names it, with nothing */
		sbuf_printf(out, "0x%" PRIx64 " (no name)", m->id);
		place.to = out->n - from;
	}
	return place;
}

void
trace_rename(struct trace *t, struct renamer *renamer)
{
	t->renamer = renamer;
	for (uint32_t i = METHOD_TOPLEVEL + 1; i < trace_method_count(t); i++) {
		struct method *row = seg_at(&t->methods, i);
		struct method *later = atomic_load_explicit(&row->later, memory_order_acquire);
		struct method *m = later != NULL ? later : row;

		if (m->known && m->word == NULL)
			renamer->rename(renamer, m);
	}
}
