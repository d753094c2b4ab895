// SPDX-License-Identifier: Apache-2.0
/* The files that logs come in (loggen.h). */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "loggen.h"

enum packing { PACK_NONE, PACK_GZIP, PACK_ZLIB };

/* Text before the compressed data, before and after the lines, and the line end. */
static const struct form {
	const char *name, *help, *bare, *head, *line_end, *foot;
	enum packing packing;
	bool lists; /* of processes, before and after the log */
} forms[] = {
	{ "plain", "text with a header", "", "# tracer: nop\n#\n", "\n", "", PACK_NONE, false },
	{ "headless", "lines and nothing else", "", "", "\n", "", PACK_NONE, false },
	{ "crlf", "lines end in CR LF", "", "# tracer: nop\r\n#\r\n", "\r\n", "", PACK_NONE, false },
	{ "crcrlf", "lines end in CR CR LF", "", "# tracer: nop\r\r\n#\r\r\n", "\r\r\n", "", PACK_NONE, false },
	{ "escaped", "lines end in \\n\\", "", "# tracer: nop\\n\\\n", "\\n\\\n", "", PACK_NONE, false },
	{ "atrace", "after the line TRACE:", "capturing trace... done\nTRACE:\n", "# tracer: nop\n", "\n", "", PACK_NONE,
	    false },
	{ "hitrace", "after the program's messages",
	    "2025/06/04 16:07:57 start capture, please wait 1s ...\n"
	    "2025/06/04 16:07:58 capture done, start to read trace.\n",
	    "# tracer: nop\n# clock_type=boot\n", "\n", "", PACK_NONE, false },
	{ "atrace-z", "compressed after TRACE:", "TRACE:\n", "# tracer: nop\n", "\n", "", PACK_ZLIB, false },
	{ "zlib", "compressed, as hitrace -z", "", "# tracer: nop\n", "\n", "", PACK_ZLIB, false },
	{ "gzip", "compressed", "", "# tracer: nop\n", "\n", "", PACK_GZIP, false },
	{ "page", "systrace's web page", "",
	    "<!DOCTYPE html>\n<html>\n<head>\n<script>\n"
	    "var t = '<script class=\"trace-data\" type=\"application/text\">';\n"
	    "</script>\n</head>\n<body>\n",
	    "\n",
	    "  <script class=\"trace-data\" type=\"application/text\">\n{\"clock\": 1}\n"
	    "  </script>\n</body>\n</html>\n",
	    PACK_NONE, true },
	{ "page-gzip", "the page, compressed", "", "<html>\n", "\n", "</html>\n", PACK_GZIP, true },
	{ "old-page", "systrace's page of old", "",
	    "<!DOCTYPE HTML>\n<html>\n<script>\n  var linuxPerfData = \"\\\n# tracer: nop\\n\\\n",
	    "\\n\\\n", "dummy-0000 [000] 0.0: 0: trace_event_clock_sync: parent_ts=0.0\\n\";\n"
	    "</script>\n</html>\n",
	    PACK_NONE, false },
};

enum { FORMS = sizeof forms / sizeof *forms };

const char *
log_pack_name(size_t index, const char **help)
{
	if (index >= FORMS)
		return NULL;
	*help = forms[index].help;
	return forms[index].name;
}

struct listed {
	unsigned pid, tid;
	char name[16];
};

struct log_file {
	const struct form *form;
	struct gen_out out;
	uint64_t size;
	z_stream z;
	bool begun;
	struct listed *threads;
	size_t count;
};

static void
pack(struct log_file *f, const void *bytes, size_t n, int flush)
{
	if (f->form->packing == PACK_NONE) {
		out_bytes(&f->out, bytes, n);
		return;
	}
	f->z.next_in = (Bytef *)(uintptr_t)bytes;
	f->z.avail_in = (uInt)n;
	do {
		unsigned char buffer[16384];

		f->z.next_out = buffer;
		f->z.avail_out = sizeof buffer;
		deflate(&f->z, flush);
		out_bytes(&f->out, buffer, sizeof buffer - f->z.avail_out);
	} while (f->z.avail_out == 0);
}

static void
text(struct log_file *f, const char *s)
{
	pack(f, s, strlen(s), Z_NO_FLUSH);
}

static void
lists(struct log_file *f)
{
	char line[160];

	text(f, "  <script class=\"trace-data\" type=\"application/text\">\nPROCESS DUMP\n"
		"USER           PID  PPID     VSZ    RSS WCHAN            PC S NAME        COMM\n");
	for (size_t i = 0; i < f->count; i++) {
		const struct listed *t = &f->threads[i];

		if (t->pid != t->tid)
			continue;
		snprintf(line, sizeof line,
		    "u0_a7        %5u  1 4321 99 SyS_epoll_wait  0 S com.app.%u %s\n", t->pid,
		    t->pid, t->name);
		text(f, line);
	}
	text(f, "USER           PID   TID CMD\n");
	for (size_t i = 0; i < f->count; i++) {
		const struct listed *t = &f->threads[i];

		snprintf(line, sizeof line, "u0_a7        %5u %5u %s\n", t->pid, t->tid, t->name);
		text(f, line);
	}
	text(f, "  </script>\n");
}

static void
begin(struct log_file *f)
{
	f->begun = true;
	out_text(&f->out, f->form->bare);
	text(f, f->form->head);
	if (!f->form->lists)
		return;
	lists(f);
	text(f, "  <script class=\"trace-data\" type=\"application/text\">\n# tracer: nop\n");
}

struct log_file *
log_file_new(const char *name, const char *path)
{
	struct log_file *f = gen_alloc(1, sizeof *f);
	size_t i = 0;

	memset(f, 0, sizeof *f);
	while (i < FORMS && strcmp(forms[i].name, name))
		i++;
	if (i == FORMS || !out_open(&f->out, path)) {
		free(f);
		return NULL;
	}
	f->form = &forms[i];
	if (f->form->packing != PACK_NONE)
		deflateInit2(&f->z, 6, Z_DEFLATED, f->form->packing == PACK_GZIP ? 31 : 15, 8,
		    Z_DEFAULT_STRATEGY);
	return f;
}

void
log_file_thread(struct log_file *f, unsigned pid, unsigned tid, const char *name)
{
	struct listed *t;

	if (!f->form->lists)
		return;
	f->threads = gen_realloc(f->threads, f->count + 1, sizeof *f->threads);
	t = &f->threads[f->count++];
	*t = (struct listed){pid, tid, ""};
	snprintf(t->name, sizeof t->name, "%s", name);
}

void
log_file_line(struct log_file *f, const char *line, size_t n)
{
	if (!f->begun)
		begin(f);
	pack(f, line, n, Z_NO_FLUSH);
	pack(f, f->form->line_end, strlen(f->form->line_end), Z_NO_FLUSH);
	f->size += n + 1;
}

void
log_file_bytes(struct log_file *f, const void *bytes, size_t n)
{
	f->begun = true;
	pack(f, bytes, n, Z_NO_FLUSH);
	f->size += n;
}

uint64_t
log_file_size(const struct log_file *f)
{
	return f->size;
}

bool
log_file_close(struct log_file *f)
{
	struct gen_trace none;
	bool ok;

	if (!f->begun)
		begin(f);
	if (f->form->lists) {
		text(f, "  </script>\n");
		lists(f);
	}
	pack(f, f->form->foot, strlen(f->form->foot), Z_FINISH);
	if (f->form->packing != PACK_NONE)
		deflateEnd(&f->z);
	gen_trace_init(&none);
	ok = out_close(&f->out, &none);
	gen_trace_free(&none);
	free(f->threads);
	free(f);
	return ok;
}
