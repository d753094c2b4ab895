// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tap.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

static struct {
	int run, failed, planned;
} tap;

/* Between two results, on a slow machine, with sanitizers, with much else to do. */
enum { PATIENCE_SECONDS = 300 };

static void
on_alarm(int signal)
{
	static const char text[] = "Bail out! no result for too long\n";

	(void)signal;
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(2);
	_exit(1);
}

/* Ends a test that hangs; make check names it. */
__attribute__((constructor)) static void
watch(void)
{
	struct sigaction action = {.sa_handler = on_alarm};

	sigaction(SIGALRM, &action, NULL);
	alarm(PATIENCE_SECONDS);
}

/* Names and values must not start a line of their own: the driver reads lines. */
TAP_PRINTF(2, 0) static void
put_line(FILE *out, const char *fmt, va_list ap)
{
	char text[1024];

	vsnprintf(text, sizeof text, fmt, ap);
	for (char *p = text; *p != '\0'; p++)
		putc(*p == '\n' || *p == '\r' ? ' ' : *p == '#' ? '\'' : *p, out);
	putc('\n', out);
	fflush(out);
}

TAP_PRINTF(4, 0) static bool
result(const char *file, int line, bool held, const char *fmt, va_list ap)
{
	alarm(PATIENCE_SECONDS);
	printf("%s %d - ", held ? "ok" : "not ok", ++tap.run);
	put_line(stdout, fmt, ap);
	if (!held) {
		tap.failed++;
		diag("failed at %s:%d", file, line);
	}
	return held;
}

static void
put_bytes(const char *label, const unsigned char *p, size_t n)
{
	printf("#   %s", label);
	if (p == NULL) {
		puts("NULL");
		return;
	}
	putchar('"');
	for (size_t i = 0; i < n && i < 200; i++)
		printf(p[i] >= ' ' && p[i] < 0x7f && p[i] != '"' ? "%c" : "\\x%02x", p[i]);
	printf("\"%s (%zu bytes)\n", n > 200 ? "..." : "", n);
}

bool
tap_ok(const char *file, int line, bool cond, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	result(file, line, cond, fmt, ap);
	va_end(ap);
	return cond;
}

bool
tap_int(const char *file, int line, int64_t got, int64_t want, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!result(file, line, got == want, fmt, ap))
		diag("  got %" PRId64 ", want %" PRId64, got, want);
	va_end(ap);
	return got == want;
}

/* NULL equals only NULL. */
TAP_PRINTF(7, 0) static bool
compare(const char *file, int line, const void *got, size_t ngot, const void *want,
    size_t nwant, const char *fmt, va_list ap)
{
	bool same = got == NULL || want == NULL ? got == want
						: ngot == nwant && memcmp(got, want, ngot) == 0;

	if (!result(file, line, same, fmt, ap)) {
		put_bytes("got  ", got, ngot);
		put_bytes("want ", want, nwant);
	}
	return same;
}

bool
tap_str(const char *file, int line, const char *got, const char *want, const char *fmt, ...)
{
	va_list ap;
	bool same;

	va_start(ap, fmt);
	same = compare(file, line, got, got != NULL ? strlen(got) : 0, want,
	    want != NULL ? strlen(want) : 0, fmt, ap);
	va_end(ap);
	return same;
}

bool
tap_mem(const char *file, int line, const void *got, size_t ngot, const void *want,
    size_t nwant, const char *fmt, ...)
{
	va_list ap;
	bool same;

	va_start(ap, fmt);
	same = compare(file, line, got, ngot, want, nwant, fmt, ap);
	va_end(ap);
	return same;
}

void
plan(int checks)
{
	tap.planned = checks;
	printf("1..%d\n", checks);
}

void
diag(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("# ", stdout);
	put_line(stdout, fmt, ap);
	va_end(ap);
}

void
skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("ok %d # SKIP ", ++tap.run);
	put_line(stdout, fmt, ap);
	va_end(ap);
}

_Noreturn void
skip_all(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("1..0 # SKIP ", stdout);
	put_line(stdout, fmt, ap);
	va_end(ap);
	exit(0);
}

struct part {
	FILE *said;
	pid_t child;
};

static void
part_begin(struct part *part, int number, void (*run)(int))
{
	fflush(stdout);
	part->said = tmpfile();
	part->child = part->said != NULL ? fork() : -1;
	if (part->child < 0) {
		printf("Bail out! part %d does not begin\n", number);
		exit(1);
	}
	if (part->child > 0)
		return;
	dup2(fileno(part->said), STDOUT_FILENO);
	alarm(PATIENCE_SECONDS);
	tap.run = tap.failed = 0;
	run(number);
	exit(0);
}

/* Its results are counted on. */
static void
part_end(struct part *part, int number)
{
	char line[2048];
	int status = -1;

	alarm(PATIENCE_SECONDS);
	waitpid(part->child, &status, 0);
	rewind(part->said);
	while (fgets(line, sizeof(line), part->said) != NULL) {
		bool held = strncmp(line, "ok ", 3) == 0;
		const char *text = line + (held ? 3 : 7);

		if (held || strncmp(line, "not ok ", 7) == 0) {
			text += strspn(text, "0123456789");
			tap.failed += !held;
			printf("%s %d%s", held ? "ok" : "not ok", ++tap.run, text);
		} else {
			fputs(line, stdout);
		}
	}
	fclose(part->said);
	if (status != 0)
		ok(false, "part %d ends with wait status %d", number, status);
}

void
tap_each(int count, int at_once, void (*run)(int))
{
	struct part *parts = calloc((size_t)count, sizeof(*parts));

	for (int begun = 0, ended = 0; ended < count; ended++) {
		for (; begun < count && begun < ended + at_once; begun++)
			part_begin(&parts[begun], begun, run);
		part_end(&parts[ended], ended);
	}
	free(parts);
}

int
tap_done(void)
{
	if (tap.run == 0)
		ok(false, "something was checked");
	if (tap.planned == 0)
		printf("1..%d\n", tap.run);
	if (tap.failed > 0)
		diag("%d of %d checks failed", tap.failed, tap.run);
	return tap.failed > 0 || (tap.planned != 0 && tap.planned != tap.run);
}

_Noreturn void
mem_exhausted(size_t size)
{
	printf("Bail out! out of memory (%zu bytes wanted)\n", size);
	exit(1);
}
