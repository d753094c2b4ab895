#include <config.h>

#include <stdarg.h>
#include <stdio.h>

#include "base/clean.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/say.h"

static void say_line(const char *subject, const char *format, va_list ap)
    __attribute__((format(printf, 2, 0)));

static void
say_line(const char *subject, const char *format, va_list ap)
{
	struct sbuf line = {0}, shown = {0};
	unsigned flags = utf8_locale() ? 0 : CLEAN_ASCII;
	char small[512], *text = small;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(small, sizeof small, format, ap);
	if (n >= (int)sizeof small) {
		text = mem_alloc((size_t)n + 1);
		vsnprintf(text, (size_t)n + 1, format, again);
	}
	va_end(again);

	sbuf_text(&line, PACKAGE_NAME ": ");
	if (subject != NULL) {
		sbuf_text(&line, subject);
		sbuf_text(&line, ": ");
	}
	sbuf_text(&line, text);
	clean_append(&shown, sbuf_view(&line), flags);
	sbuf_char(&shown, '\n');
	fputs(sbuf_cstr(&shown), stderr);

	if (text != small)
		mem_free(text);
	sbuf_release(&line);
	sbuf_release(&shown);
}

int
say_trouble(const char *subject, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say_line(subject, format, ap);
	va_end(ap);
	return STATUS_TROUBLE;
}

void
say_hint(const char *command)
{
	fprintf(stderr, "Try '" PACKAGE_NAME "%s%s --help' for more information.\n",
	    command != NULL ? " " : "", command != NULL ? command : "");
}

int
say_usage(const char *command, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say_line(NULL, format, ap);
	va_end(ap);
	say_hint(command);
	return STATUS_TROUBLE;
}
