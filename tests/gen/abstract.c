// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abstract.h"

void *
gen_realloc(void *old, size_t count, size_t size)
{
	void *p = NULL;

	if (!size || count <= (SIZE_MAX - 1) / size)
		p = realloc(old, count * size + 1); /* never 0 */
	if (!p) {
		fputs("tracegen: out of memory\n", stderr);
		exit(2);
	}
	return p;
}

void *
gen_alloc(size_t count, size_t size)
{
	void *p = gen_realloc(NULL, count, size);

	memset(p, 0, count * size);
	return p;
}

struct gen_bytes
gen_bytes_copy(const char *p, size_t n)
{
	struct gen_bytes b = {gen_alloc(n + 1, 1), n};

	if (n)
		memcpy(b.p, p, n);
	return b;
}

struct gen_bytes
gen_bytes_format(const char *format, ...)
{
	char text[512];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	if (n < 0)
		n = 0;
	if ((size_t)n >= sizeof text)
		n = sizeof text - 1;
	return gen_bytes_copy(text, (size_t)n);
}

void
gen_trace_init(struct gen_trace *t)
{
	memset(t, 0, sizeof *t);
	t->version = 3;
	t->data_offset = 32;
	t->clock = gen_bytes_format("dual");
}

void
gen_trace_free(struct gen_trace *t)
{
	size_t i, k;

	for (i = 0; i < t->options.n; i++)
		free(t->options.p[i].p);
	for (i = 0; i < t->threads.n; i++)
		free(t->threads.p[i].name.p);
	for (i = 0; i < t->methods.n; i++)
		for (k = 0; k < t->methods.p[i].columns; k++)
			free(t->methods.p[i].column[k].p);
	for (i = 0; i < t->lines.n; i++)
		free(t->lines.p[i].text.p);
	for (i = 0; i < t->raw.n; i++)
		free(t->raw.p[i].p);
	for (i = 0; i < t->pokes.n; i++)
		free(t->pokes.p[i].bytes.p);
	free(t->clock.p);
	free(t->options.p);
	free(t->threads.p);
	free(t->methods.p);
	free(t->lines.p);
	free(t->raw.p);
	free(t->pokes.p);
	memset(t, 0, sizeof *t);
}
