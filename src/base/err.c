// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "base/err.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 0))) static bool
err_fill(struct err *e, struct err to, const char *format, va_list args)
{
	if (e != NULL && e->kind == ERR_NONE) {
		*e = to;
		vsnprintf(e->what, sizeof(e->what), format, args);
	}
	return false;
}

bool
err_set(struct err *e, enum err_kind kind, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_fill(e, (struct err){.kind = kind}, format, args);
	va_end(args);
	return false;
}

bool
err_at(struct err *e, enum err_kind kind, uint64_t offset, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_fill(e, (struct err){.kind = kind, .has_offset = true, .offset = offset}, format, args);
	va_end(args);
	return false;
}

bool
err_because(struct err *e, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_fill(e, (struct err){.kind = ERR_SYSTEM, .error = error}, format, args);
	va_end(args);
	return false;
}

bool
err_system(struct err *e, const char *what)
{
	return err_because(e, errno, "%s: %s", what, strerror(errno));
}

const char *
err_text(const struct err *e, char out[static ERR_SIZE])
{
	if (e->has_offset)
		snprintf(out, ERR_SIZE, "%s at offset 0x%" PRIx64, e->what, e->offset);
	else
		snprintf(out, ERR_SIZE, "%s", e->what);
	return out;
}
