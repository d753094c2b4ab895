// SPDX-License-Identifier: Apache-2.0
/*
 * Classic traces: key text, then a "SLOW" header and fixed records, data
 * versions 1 to 3.  Layout: Dalvik vm/Profile.c and ART runtime/trace.cc.
 *
 *   version 1   u1 thread, u4 method word, u4 time                 9 bytes
 *   version 2   u2 thread, u4 method word, u4 time                10 bytes
 *   version 3   as the header says: 10 with one time, 14 with two
 *
 * Times are microseconds modulo 2^32; with one field it is the wall clock when
 * the key says wall or global, else the thread's CPU clock.
 */
#include <config.h>

#include <string.h>

#include "key.h"
#include "writer.h"

enum { BATCH = 4096, HEADER_SIZE = 18 };

static unsigned
time_fields(const struct gen_trace *t)
{
	if (t->times)
		return t->times;
	if (key_clock_is(t, "dual") || (!t->clock.p && t->version == 3))
		return 2;
	return 1;
}

static unsigned
natural_size(const struct gen_trace *t)
{
	return (t->version == 1 ? 5 : 6) + 4 * time_fields(t);
}

static const char *
check(const struct gen_trace *t)
{
	unsigned need = natural_size(t);

	if (t->version < 1 || t->version > 3)
		return "classic traces have data version 1, 2 or 3";
	if (t->version < 3 && (time_fields(t) > 1 || t->record_size))
		return "two times a record and a record size need data version 3";
	if (t->record_size && t->record_size < need)
		return "the record size leaves no room for the fields";
	if (t->record_size > 4096)
		return "the record size is limited to 4096";
	if (t->data_offset < (t->version == 3 ? HEADER_SIZE : 16u) ||
	    t->data_offset > 65535)
		return "the data offset must hold the header and fit in 16 bits";
	return NULL;
}

static void
write_header(const struct gen_trace *t, struct gen_out *o, unsigned size)
{
	unsigned char header[HEADER_SIZE], *p = header;
	size_t n = t->version == 3 ? HEADER_SIZE : 16;

	p = put_u4(p, 0x574f4c53);
	p = put_u2(p, t->version);
	p = put_u2(p, t->data_offset);
	p = put_u8(p, t->start_us);
	put_u2(p, size);
	out_bytes(o, header, n);
	out_zeros(o, t->data_offset - n);
}

static void
write_records(const struct gen_trace *t, struct gen_stream *events, struct gen_out *o,
    unsigned size)
{
	static struct gen_event batch[BATCH];
	const bool wall_first = key_clock_is(t, "wall") || key_clock_is(t, "global");
	const bool both = time_fields(t) == 2;
	const unsigned natural = natural_size(t);
	size_t i, n;

	while ((n = events->pull(events, batch, BATCH)) != 0) {
		for (i = 0; i < n; i++) {
			const struct gen_event *e = &batch[i];
			unsigned char *p;

			if (e->action == GEN_RAW) {
				out_bytes(
				    o, t->raw.p[e->method].p, t->raw.p[e->method].n);
				continue;
			}
			p = out_room(o, size);
			p = t->version == 1 ? put_u1(p, e->thread) : put_u2(p, e->thread);
			p = put_u4(p, e->method | e->action);
			p = put_u4(p, key_microseconds(wall_first ? e->wall_ns : e->cpu_ns));
			if (both)
				p = put_u4(p, key_microseconds(e->wall_ns));
			memset(p, 0, size - natural);
		}
	}
}

static void
write_classic(const struct gen_trace *t, struct gen_stream *events, struct gen_out *o)
{
	unsigned size = t->record_size ? t->record_size : natural_size(t);

	out_mark(o, GEN_BASE_FILE);
	key_version(t, o);
	key_threads(t, o, true);
	key_methods(t, o, true);
	key_end(t, o);
	out_mark(o, GEN_BASE_HEADER);
	if (t->no_data)
		return;
	write_header(t, o, size);
	out_mark(o, GEN_BASE_RECORDS);
	write_records(t, events, o, size);
}

const struct gen_writer writer_classic = {
    .name = "classic",
    .help = "key text, then data version 1, 2 or 3",
    .check = check,
    .write = write_classic,
};
