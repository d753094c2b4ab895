// SPDX-License-Identifier: Apache-2.0
/* report: what a form meets that no shell can show: failing streams, terminals. */
#define _GNU_SOURCE 1 /* of the test, not of what it tests */
#include <config.h>

#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "format/format.h"
#include "report/convert/convert.h"
#include "tap/tap.h"

#define ZEROS  "\0\0\0\0\0\0\0\0"
#define HEADER "SLOW\x02\0\x20\0" ZEROS ZEROS ZEROS

/* Two methods on one thread, thread-cpu, version 2. */
static const char trace_bytes[] =
    "*version\n2\nclock=thread-cpu\n*threads\n1\tmain\n"
    "*methods\n0x4\ta.A\ta\t()V\n0x8\ta.B\tb\t()V\n*end\n" HEADER
    "\x01\0\x04\0\0\0\0\0\0\0"
    "\x01\0\x08\0\0\0\x05\0\0\0"
    "\x01\0\x09\0\0\0\x07\0\0\0"
    "\x01\0\x05\0\0\0\x09\0\0\0";

static struct profile *
profile_open(void)
{
	struct err e = {.kind = ERR_NONE};
	struct trace *t =
	    format_open_memory(trace_bytes, sizeof(trace_bytes) - 1, "memory", &e);
	struct profile *p = t != NULL ? profile_new(t) : NULL;

	if (!ok(p != NULL, "the trace opens: %s", e.what))
		exit(1);
	while (profile_load(p, 1000, &e) == LOAD_MORE)
		continue;
	return p;
}

static void
profile_close(struct profile *p)
{
	struct trace *t = p->trace;

	profile_free(p);
	trace_free(t);
}

/* A stream that takes `room` bytes and then fails. */
struct narrow {
	size_t room;
	int error;
};

static ssize_t
narrow_write(void *cookie, const char *bytes, size_t n)
{
	struct narrow *narrow = cookie;

	(void)bytes;
	if (n > narrow->room) {
		errno = narrow->error;
		return 0;
	}
	narrow->room -= n;
	return (ssize_t)n;
}

static void
test_streams(struct profile *p)
{
	atomic_bool cancel;

	for (int i = 0; i < report_format_count; i++) {
		const char *name = report_formats[i].name;
		struct narrow narrow = {.room = 1, .error = EDQUOT};
		struct report_options o;
		struct report r;
		struct err e = {.kind = ERR_NONE};
		char *text = NULL;
		size_t size = 0;
		FILE *f;

		report_options_init(&o);
		o.format = &report_formats[i];
		atomic_init(&cancel, false);
		if (!ok(report_make(&r, p, &o, &cancel, &e), "%s: made", name))
			continue;

		f = fopencookie(
		    &narrow, "w", (cookie_io_functions_t){.write = narrow_write});
		is_int(
		    report_write(&r, f, &cancel), EDQUOT, "%s: why a write failed", name);
		fclose(f);

		f = open_memstream(&text, &size);
		is_int(report_write(&r, f, &cancel), 0, "%s: written", name);
		fclose(f);
		ok(size > 100, "%s: %zu bytes", name, size);
		free(text);

		f = open_memstream(&text, &size);
		atomic_store(&cancel, true);
		is_int(report_write(&r, f, &cancel), ECANCELED, "%s: cancelled", name);
		fclose(f);
		is_int((int64_t)size, 0, "%s: nothing comes after that", name);
		free(text);

		report_release(&r);
		report_options_release(&o);
	}
}

typedef void (*writing)(const struct profile *, int form, FILE *);

/* What a terminal gets that `write` writes to. */
static char *
shown(const struct profile *p, writing write, int form)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave = -1;
	char *text = NULL, part[4096];
	size_t size = 0;
	FILE *all = open_memstream(&text, &size);
	struct termios raw;
	ssize_t n;
	pid_t child;

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
	    (slave = open(ptsname(master), O_RDWR | O_NOCTTY)) < 0)
		skip_all("no pseudo-terminal");
	tcgetattr(slave, &raw);
	cfmakeraw(&raw);
	tcsetattr(slave, TCSANOW, &raw);
	child = fork();
	if (child == 0) {
		FILE *f = fdopen(slave, "w");

		write(p, form, f);
		fclose(f);
		_exit(0);
	}
	close(slave);
	while ((n = read(master, part, sizeof(part))) > 0)
		fwrite(part, 1, (size_t)n, all);
	close(master);
	waitpid(child, NULL, 0);
	fclose(all);
	return text;
}

static void
write_report(const struct profile *p, int form, FILE *f)
{
	struct report_options o;
	struct report r;
	struct err e = {.kind = ERR_NONE};

	report_options_init(&o);
	o.format = &report_formats[form];
	if (report_make(&r, p, &o, NULL, &e))
		report_write(&r, f, NULL);
	report_release(&r);
	report_options_release(&o);
}

static void
write_calls(const struct profile *p, const struct convert_format *format, FILE *f)
{
	struct report_options o;
	struct err e = {.kind = ERR_NONE};
	int error;

	report_options_init(&o);
	convert_write(format, p, &o, NULL, f, NULL, &error, &e);
	report_options_release(&o);
}

static void
write_dump(const struct profile *p, int form, FILE *f)
{
	write_calls(p, &dump_formats[form], f);
}

static void
write_convert(const struct profile *p, int form, FILE *f)
{
	write_calls(p, &convert_formats[form], f);
}

static void
harmless(const struct profile *p, const char *command, const char *name, writing write, int form)
{
	char *text = shown(p, write, form);
	size_t n = strlen(text);
	bool clean = n > 20;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		clean &= (c >= ' ' && c < 0x7f) || c > 0x9f || strchr("\t\r\n", c) != NULL;
	}
	ok(clean, "%s %s: nothing that harms a terminal", command, name);
	free(text);
}

/* A terminal is not harmed by any form. */
static void
test_terminal(void)
{
	static const char evil[] =
	    "*version\n2\nclock=wall\n*threads\n1\tma\x1b[2Jin\n"
	    "*methods\n0x4\ta\x1b[31mA\t\x9b!\t()V\t\x7f.java\n*end\n" HEADER
	    "\x01\0\x04\0\0\0\0\0\0\0\x01\0\x05\0\0\0\x05\0\0\0";
	struct err e = {.kind = ERR_NONE};
	struct trace *t = format_open_memory(evil, sizeof(evil) - 1, "memory", &e);
	struct profile *p;
	char *text;

	if (!ok(t != NULL, "the trace opens: %s", e.what))
		return;
	p = profile_new(t);
	while (profile_load(p, 1000, &e) == LOAD_MORE)
		continue;
	text = shown(p, write_report, 1);
	is_str(text,
	    "id,class,name,signature,file,rank,calls,recursive_calls,incl_wall_us,"
	    "excl_wall_us,max_us,max_at_us\r\n"
	    "0x4,a^[[31mA,?!,()V,^?.java,0,1,0,5,5,5,0\r\n"
	    "toplevel,,(toplevel),,,,1,0,5,0,5,0\r\n",
	    "csv for a terminal is clean");
	free(text);
	for (int i = 0; i < report_format_count; i++)
		harmless(p, "report", report_formats[i].name, write_report, i);
	for (int i = 0; i < dump_format_count; i++)
		harmless(p, "dump", dump_formats[i].name, write_dump, i);
	for (int i = 0; i < convert_format_count; i++)
		if (!convert_formats[i].binary)
			harmless(p, "convert", convert_formats[i].name, write_convert, i);
	profile_close(p);
}

int
main(void)
{
	struct profile *p = profile_open();

	test_streams(p);
	test_terminal();
	profile_close(p);
	return tap_done();
}
