#include <config.h>

#include "base/err.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 0))) static void
err_fill(struct err *e, enum err_kind kind, const char *format, va_list args)
{
	e->kind = kind;
	e->has_offset = false;
	e->offset = 0;
	vsnprintf(e->what, sizeof(e->what), format, args);
}

bool
err_set(struct err *e, enum err_kind kind, const char *format, ...)
{
	va_list args;

	if (e == NULL || e->kind != ERR_NONE)
		return false;
	va_start(args, format);
	err_fill(e, kind, format, args);
	va_end(args);
	return false;
}

bool
err_at(struct err *e, enum err_kind kind, uint64_t offset, const char *format, ...)
{
	va_list args;

	if (e == NULL || e->kind != ERR_NONE)
		return false;
	va_start(args, format);
	err_fill(e, kind, format, args);
	va_end(args);
	e->has_offset = true;
	e->offset = offset;
	return false;
}

bool
err_system(struct err *e, const char *what)
{
	return err_set(e, ERR_SYSTEM, "%s: %s", what, strerror(errno));
}

const char *
err_text(const struct err *e, char *buffer, int size)
{
	if (e->has_offset)
		snprintf(buffer, (size_t)size, "%s at offset 0x%" PRIx64, e->what, e->offset);
	else
		snprintf(buffer, (size_t)size, "%s", e->what);
	return buffer;
}
