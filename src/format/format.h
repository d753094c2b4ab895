// SPDX-License-Identifier: Apache-2.0
/*
 * format: from a file to an open trace.
 *
 * Probes the first bytes, parses names, threads and properties, and leaves an event
 * source that decodes records in place from the mapped file.  Opening reads the key
 * part only: its cost does not depend on the number of records.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/spool.h"
#include "trace/trace.h"

/*
 * NULL and `e` filled when the file cannot be read or is no trace that is known
 * here.  `e` never names the file: the caller does.  What `path` may be: input.h.
 * How pipes and compressed data are kept: base/spool.h.
 */
struct trace *format_open(const char *path, const struct tempfile_how *, struct err *e);

/* Opens a trace in memory that stays valid and unchanged until trace_free. */
struct trace *format_open_memory(const void *bytes, size_t size, const char *name,
    struct err *e);

/* True if data that begin so may be a trace: the readers recognise them, or they are compressed. */
bool format_knows(struct str head);

/*
 * The methods of the trace are called as the mapping file has them, those that records name
 * later, too; before any are read.  False and `e` when the file cannot be read or is no
 * mapping; `e` does not name it.
 */
bool mapping_apply(struct trace *, const char *path, struct err *e);
