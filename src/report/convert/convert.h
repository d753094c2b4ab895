// SPDX-License-Identifier: Apache-2.0
/*
 * convert: a trace as a file of another tool.
 *
 * Each format is one file with a function that writes all of it, and one row of
 * convert_formats.  Formats of kind CONVERT_CALLS are made of single calls, in one pass
 * over the records (events.h); output that must be ordered by thread is spooled.  Formats
 * of kind CONVERT_PATHS are made of sums over call paths (convert_paths), those of kind
 * CONVERT_FLAME are flame.h's.  Memory does not grow with the number of records.
 *
 * Names are those of name_raw (report.h), in the file's own bytes; each format escapes them
 * and makes valid UTF-8 of them where its readers ask for that.
 */
#pragma once

#include "report/convert/events.h"
#include "report/report.h"
#include "trace/log.h"

enum convert_kind { CONVERT_CALLS, CONVERT_PATHS, CONVERT_FLAME };

struct convert;

struct convert_format {
	const char *name;
	const char *suffix; /* of files, with its dot; .gz: the caller compresses */
	const char *help;
	enum convert_kind kind;
	bool binary; /* no text */
	/*
	 * False when nothing more is wanted (the sink knows why) or something failed (`err`
	 * is filled).
	 */
	bool (*write)(struct convert *);
};

extern const struct convert_format convert_formats[];
extern const int convert_format_count;

/* The input of a format, which only reads it, but for `err`. */
struct convert {
	const struct convert_format *format;
	const struct profile *profile;
	struct trace *trace;
	const struct report_options *options;
	struct report report; /* owned; its scope, and the sums of CONVERT_PATHS */
	const struct scope *scope; /* of the report; NULL: all threads */
	struct range range;
	uint8_t *hidden;     /* owned; by method, 1: left out; NULL: none */
	enum clock_id clock; /* for formats that have one */
	bool both;           /* CPU times are written beside wall times */
	unsigned clocks;     /* to write, where there can be several: a mask; one if asked for */
	bool ascii;          /* nothing else in what people read */
	const char *folder;  /* for temporary data */
	struct sbuf *text;   /* the name made last */
	struct arena kept;   /* of convert_zero */
	struct sink *sink;
	struct err *err;
};

/*
 * Writes it, from the options of a report that are about threads, filters, window,
 * clock and, where sums are written, transforms.  False: `e` says why; a write that failed
 * is in `*error` instead, as report_write returns it.
 */
/* Cleared memory that lasts as long as the conversion. */
void *convert_zero(struct convert *, size_t count, size_t size);

static inline bool
convert_hides(const struct convert *c, uint32_t method)
{
	return c->hidden != NULL && c->hidden[method];
}

bool convert_write(const struct convert_format *, const struct profile *,
    const struct report_options *, const char *folder, FILE *, const atomic_bool *cancel,
    int *error, struct err *e);

/* A path of calls with what was spent at its end. */
struct convert_path {
	uint32_t thread;
	const uint32_t *methods; /* outermost first; none: of (toplevel) itself */
	size_t depth;
	size_t kept; /* so many of them are frames of the path visited before, too */
	uint64_t calls;
	nsec time[CLOCKS]; /* exclusive */
};

/*
 * Visits the paths that were asked for, of those that have calls or time; parents
 * before children, a child's whole tree before the next child.  A path may come more than
 * once.  Costs the nodes of the tree, and
 * with a window its records.
 */
bool convert_paths(struct convert *,
    bool (*visit)(void *context, const struct convert_path *), void *context);

/* The thread's name for readers, or "thread n"; borrowed until the next name. */
struct str convert_thread_name(const struct convert *, uint32_t thread);
/*
 * By stack, a unique id, for forms that tell threads by it: the thread's own; rows of a
 * log that share one (asynchronous slices have their process's, cores their number) get a
 * free one.
 */
void convert_thread_ids(const struct convert *, uint32_t *ids);
/* name_raw, but "(toplevel)" and the like with their parentheses; borrowed likewise. */
struct str convert_name(const struct convert *, uint32_t method);
/* Valid UTF-8: each maximal malformed part becomes one U+FFFD. */
void convert_utf8(struct sbuf *, struct str);
/* The trace's process, 1 when the file does not tell; that of a thread, which a log may tell. */
uint64_t convert_pid(const struct convert *);
uint64_t convert_thread_pid(const struct convert *, uint32_t thread);
/* The trace's file name, without folders. */
struct str convert_title(const struct convert *);

/*
 * Parts of text logs beside slices: processes, arguments, values of counters.  A method trace has
 * none of them.
 */

/* A process by thread.process: its id, 0 without one, and its name, empty if not told. */
const struct log_process *convert_log_process(const struct convert *, uint32_t process);

/*
 * Passes on what the line at an offset says of a slice: task_id, category, level, chain_id,
 * span_id, parent_span_id, and its arguments, each by its own key when all are key=value, else
 * unchanged as "args".
 */
void convert_log_args(const struct convert *, uint64_t offset,
    void (*each)(void *context, struct str key, struct str value), void *context);

/*
 * Appends the arguments as the last member of a JSON object, `,"args":{...}`; nothing
 * without any.
 */
void convert_log_json(struct sbuf *, const struct convert *, uint64_t offset);

struct log_visitor {
	/* A value of a counter, of the processes that were chosen. */
	bool (*sample)(void *context, uint32_t counter, const struct log_sample *);
	/*
	 * A moment that a marker tells of, of the threads that were chosen or, where it is on a
	 * track, of their processes.
	 */
	bool (*instant)(void *context, const struct log_instant *, const struct log_detail *);
	/* A setting of a core. */
	bool (*step)(void *context, const struct log_step *);
};

/*
 * Visits what is in the window: all values of counters, then the moments, then the settings, each
 * in order of time.  False when a function of the visitor was.
 */
bool convert_log_visit(const struct convert *, const struct log_visitor *, void *context);

/* The functions of the rows of convert_formats. */
bool convert_callgrind(struct convert *);
bool convert_chrome(struct convert *);
bool convert_firefox(struct convert *);
bool convert_folded(struct convert *);
bool convert_perfetto(struct convert *);
bool convert_pprof(struct convert *);
bool convert_speedscope(struct convert *);
bool convert_svg(struct convert *);
bool convert_trace(struct convert *);
bool convert_trace1(struct convert *);
bool convert_trace2(struct convert *);

/* dump.c */
extern const struct convert_format dump_formats[];
extern const int dump_format_count;
