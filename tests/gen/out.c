// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out.h"

bool
out_open(struct gen_out *o, const char *path)
{
	memset(o, 0, sizeof *o);
	o->fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
		     : STDOUT_FILENO;
	if (o->fd < 0)
		return false;
	o->room = OUT_BUFFER;
	o->buffer = gen_alloc(o->room, 1);
	return true;
}

void
out_memory(struct gen_out *o)
{
	memset(o, 0, sizeof *o);
	o->fd = -1;
}

void
out_append(struct gen_out *o, struct gen_out *memory)
{
	out_bytes(o, memory->buffer, memory->used);
	free(memory->buffer);
	out_memory(memory);
}

static void
flush(struct gen_out *o)
{
	size_t at = 0;

	if (o->fd < 0) {
		o->room = o->room ? 2 * o->room : 4096;
		o->buffer = gen_realloc(o->buffer, o->room, 1);
		return;
	}
	while (at < o->used && !o->error) {
		ssize_t n = write(o->fd, o->buffer + at, o->used - at);

		if (n < 0) {
			if (errno != EINTR)
				o->error = errno;
			continue;
		}
		at += (size_t)n;
	}
	o->done += o->used;
	o->used = 0;
}

uint64_t
out_position(const struct gen_out *o)
{
	return o->done + o->used;
}

void
out_mark(struct gen_out *o, enum gen_base base)
{
	o->mark[base] = out_position(o);
}

unsigned char *
out_room(struct gen_out *o, size_t n)
{
	unsigned char *p;

	while (n > o->room - o->used)
		flush(o);
	p = o->buffer + o->used;
	o->used += n;
	return p;
}

void
out_bytes(struct gen_out *o, const void *bytes, size_t n)
{
	const unsigned char *from = bytes;

	while (n) {
		size_t part = n < OUT_BUFFER ? n : OUT_BUFFER;

		memcpy(out_room(o, part), from, part);
		from += part;
		n -= part;
	}
}

void
out_text(struct gen_out *o, const char *text)
{
	out_bytes(o, text, strlen(text));
}

void
out_zeros(struct gen_out *o, size_t n)
{
	while (n) {
		size_t part = n < OUT_BUFFER ? n : OUT_BUFFER;

		memset(out_room(o, part), 0, part);
		n -= part;
	}
}

static void
poke(struct gen_out *o, const struct gen_poke *p)
{
	off_t at = (off_t)(o->mark[p->base] + p->offset);

	if (!o->error && pwrite(o->fd, p->bytes.p, p->bytes.n, at) != (ssize_t)p->bytes.n)
		o->error = errno ? errno : EIO;
}

bool
out_close(struct gen_out *o, const struct gen_trace *t)
{
	uint64_t size;
	size_t i;

	flush(o);
	size = o->done;
	for (i = 0; i < t->pokes.n; i++)
		poke(o, &t->pokes.p[i]);
	if (t->has_keep && t->keep < size)
		size = t->keep;
	size -= t->cut < size ? t->cut : size;
	if (size != o->done && !o->error && ftruncate(o->fd, (off_t)size) != 0)
		o->error = errno;
	if (o->fd != STDOUT_FILENO && close(o->fd) != 0 && !o->error)
		o->error = errno;
	free(o->buffer);
	errno = o->error;
	return o->error == 0;
}

static unsigned char *
put(unsigned char *p, uint64_t value, unsigned bytes)
{
	while (bytes--) {
		*p++ = (unsigned char)value;
		value >>= 8;
	}
	return p;
}

unsigned char *
put_u1(unsigned char *p, uint64_t value)
{
	return put(p, value, 1);
}

unsigned char *
put_u2(unsigned char *p, uint64_t value)
{
	return put(p, value, 2);
}

unsigned char *
put_u4(unsigned char *p, uint64_t value)
{
	return put(p, value, 4);
}

unsigned char *
put_u8(unsigned char *p, uint64_t value)
{
	return put(p, value, 8);
}
