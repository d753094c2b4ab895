// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "key.h"

#include <stdio.h>
#include <string.h>

bool
key_clock_is(const struct gen_trace *t, const char *name)
{
	return t->clock.p && t->clock.n == strlen(name) &&
	       !memcmp(t->clock.p, name, t->clock.n);
}

uint32_t
key_microseconds(int64_t ns)
{
	return (uint32_t)(uint64_t)(ns / 1000);
}

static void
end_line(const struct gen_trace *t, struct gen_out *o)
{
	out_text(o, t->crlf ? "\r\n" : "\n");
}

static void
write_line(const struct gen_trace *t, struct gen_out *o, const char *text)
{
	out_text(o, text);
	end_line(t, o);
}

static void
write_extra_lines(const struct gen_trace *t, struct gen_out *o, enum gen_section section)
{
	size_t i;

	for (i = 0; i < t->lines.n; i++) {
		if (t->lines.p[i].section != section)
			continue;
		out_bytes(o, t->lines.p[i].text.p, t->lines.p[i].text.n);
		end_line(t, o);
	}
}

static void
write_id(struct gen_out *o, enum gen_id_style style, uint64_t id)
{
	unsigned long long n = id;
	char text[32];

	if (style == GEN_ID_ART)
		snprintf(text, sizeof text, "%#llx", n);
	else
		snprintf(
		    text, sizeof text, "0x%0*llx", style == GEN_ID_DALVIK ? 8 : 1, n);
	out_text(o, text);
}

void
key_version(const struct gen_trace *t, struct gen_out *o)
{
	char text[32];
	size_t i;

	write_line(t, o, "*version");
	snprintf(text, sizeof text, "%u", t->key_version ? t->key_version : t->version);
	write_line(t, o, text);
	if (t->clock.p) {
		out_text(o, "clock=");
		out_bytes(o, t->clock.p, t->clock.n);
		end_line(t, o);
	}
	for (i = 0; i < t->options.n; i++) {
		out_bytes(o, t->options.p[i].p, t->options.p[i].n);
		end_line(t, o);
	}
	write_extra_lines(t, o, GEN_SECTION_VERSION);
}

void
key_threads(const struct gen_trace *t, struct gen_out *o, bool lines)
{
	char text[32];
	size_t i;

	write_line(t, o, "*threads");
	for (i = 0; lines && i < t->threads.n; i++) {
		const struct gen_thread *thread = &t->threads.p[i];

		if (thread->hidden)
			continue;
		snprintf(text, sizeof text, "%u\t", thread->id);
		out_text(o, text);
		out_bytes(o, thread->name.p, thread->name.n);
		end_line(t, o);
	}
	write_extra_lines(t, o, GEN_SECTION_THREADS);
}

void
key_columns(struct gen_out *o, const struct gen_method *m)
{
	size_t k;

	for (k = 0; k < m->columns; k++) {
		if (k)
			out_text(o, "\t");
		out_bytes(o, m->column[k].p, m->column[k].n);
	}
}

void
key_method(const struct gen_trace *t, struct gen_out *o, const struct gen_method *m)
{
	write_id(o, t->id_style, m->id);
	if (m->columns)
		out_text(o, "\t");
	key_columns(o, m);
}

void
key_methods(const struct gen_trace *t, struct gen_out *o, bool lines)
{
	size_t i;

	write_line(t, o, "*methods");
	for (i = 0; lines && i < t->methods.n; i++) {
		if (t->methods.p[i].hidden)
			continue;
		key_method(t, o, &t->methods.p[i]);
		end_line(t, o);
	}
	write_extra_lines(t, o, GEN_SECTION_METHODS);
}

void
key_end(const struct gen_trace *t, struct gen_out *o)
{
	if (!t->no_end)
		write_line(t, o, "*end");
}
