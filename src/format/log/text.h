// SPDX-License-Identifier: Apache-2.0
/*
 * text: where in a file the text of an ftrace log is.
 *
 * A log comes plain, after console output of the program that took it and a line
 * "TRACE:", or within the web page that systrace makes: current pages have several
 * sections (a list of processes, the log, clock data), old ones a JavaScript string.
 * Decompressing is input's (input.h).
 *
 * Ranges are offsets in the file.  Cost: a page is searched for tags as a whole; of other
 * files only the beginning is looked at.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"

struct log_range {
	uint64_t from, to;
};

struct log_ranges {
	struct log_range *items;
	size_t count, room;
};

struct logtext {
	const char *kind;         /* "text", "html" ... */
	struct log_ranges text;   /* event lines */
	struct log_ranges dumps;  /* lists of processes and threads */
};

/* False, with nothing to release, when the file is no log. */
bool logtext_find(struct logtext *, struct str file);
void logtext_release(struct logtext *);

/* True for a zlib stream, as atrace -z and hitrace -z write it; `begin`: its offset. */
bool logtext_is_zlib(struct str file, size_t *begin);
/* True if the beginning has only bytes that text has; NULs at the ends of lines are fine. */
bool logtext_is_text(struct str file);
/* True for a line that programs print around a log; blanks before it are removed. */
bool logtext_is_remark(struct str);
/*
 * Says in the error why the lines of a log, or of text that is no log by its beginning (ranges
 * are NULL), are not read: their form, the tracer that printed them.  False when there may be
 * records.
 */
bool logtext_unread(struct str file, const struct log_ranges *, struct err *);
/* True if a file that begins so can become a log, compressed or not. */
bool logtext_promises(struct str head);

/* The text after a byte order mark, blanks and empty lines. */
struct str logtext_start(struct str);

/*
 * The next line, without its end and what containers add to it; false at the end.  A longer line,
 * as a hole in a file is, comes in pieces, so that no step costs more.
 */
enum { LOGTEXT_LINE = 1 << 20 };
bool logtext_line(const char **at, const char *end, struct str *line);

/*
 * The list of processes and threads that systrace puts into its page (the output of ps,
 * before the log and after it).  Names point into the text; of several rows with one id
 * the last holds.
 */
struct procdump_row {
	uint32_t id;   /* thread or process */
	uint32_t tgid; /* of a thread */
	struct str name;
	bool sure; /* events that tell another name do not change it */
};

/* Zero-initialise. */
struct procdump {
	struct idmap threads, processes; /* id -> row */
	struct procdump_row *rows;
	size_t count, room;
};

void procdump_read(struct procdump *, struct str text);
/* Adds a process or a thread, or replaces what was known of it. */
void procdump_put(struct procdump *, struct procdump_row, bool process);
/* NULL: not listed. */
const struct procdump_row *procdump_find(const struct procdump *, uint32_t id, bool process);
void procdump_release(struct procdump *);
