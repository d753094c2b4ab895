// SPDX-License-Identifier: Apache-2.0
/*
 * loggen: text logs of HiTrace, systrace, atrace and trace-cmd, and Perfetto traces, made up.
 *
 * log-model.c runs threads on cores by chance and tells what the kernel would record,
 * log-marks.c what the programs write of themselves, log-lines.c puts both into lines,
 * log-packets.c into Perfetto's packets, log-pack.c both into files.  The same parameters give the same log everywhere;
 * memory grows with threads and cores only, so that a log may have any length.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "out.h"
#include "rng.h"

enum log_lines { LINES_FTRACE, LINES_PRE32, LINES_TRACECMD, LINES_BRIEF, LINES_BUNDLES, LINES_TRACKS };
enum log_marks { MARKS_ANDROID, MARKS_OLD, MARKS_NEW, MARKS_MIXED };

struct log_params {
	uint64_t events; /* as long as the size allows */
	uint64_t size;   /* bytes of lines; 0: any */
	uint64_t seed;
	unsigned threads, processes, cores, depth;
	unsigned columns; /* of the tgid: 0 none, 5 or 7 wide */
	unsigned flags;   /* columns: 0, 4 or 5 */
	enum log_lines lines;
	enum log_marks marks;
	bool nanoseconds, no_sched, no_marks, waking, tracks;
	bool regular; /* one of two names at each depth of a thread, as programs have */
	unsigned captures; /* joined in the wrong order of time */
	/* Of 10 000 lines: */
	unsigned lost, damaged, backward, stray, open, exits, cut;
};

/* A file while it is written: what is added may be compressed. */
struct log_file;
/* The containers by number; NULL after the last. */
const char *log_pack_name(size_t index, const char **help);

/* NULL: no such container, or the file cannot be made (errno). */
struct log_file *log_file_new(const char *pack, const char *path);
void log_file_line(struct log_file *, const char *text, size_t n);
/* Bytes as they are, without what surrounds lines. */
void log_file_bytes(struct log_file *, const void *, size_t n);
uint64_t log_file_size(const struct log_file *); /* of the lines so far */
/* Adds the thread to the lists that a page begins and ends with. */
void log_file_thread(struct log_file *, unsigned pid, unsigned tid, const char *name);
bool log_file_close(struct log_file *);

struct log_thread {
	unsigned tid, pid;
	char comm[16];
	char state;     /* 'r' running, 'R' waiting for a core, 'S' 'D' 'I' asleep */
	unsigned depth; /* slices open */
	unsigned marks; /* the form of its program */
};

struct log_async {
	char kind; /* 'S' or 'G' */
	unsigned pid, name, id, marks;
};

enum { LOG_ASYNC_MAX = 48, LOG_LINE_MAX = 1400, LOG_HELD_MAX = 8, LOG_CORES_MAX = 64 };

struct log_model {
	const struct log_params *params;
	struct log_file *file;
	struct log_packets *packets; /* NULL: lines are written */
	struct rng rng;
	uint64_t now; /* ns */
	struct log_thread *threads;
	unsigned next_tid;
	unsigned core[LOG_CORES_MAX];       /* thread + 1; 0: idle */
	unsigned idle_depth[LOG_CORES_MAX]; /* slices open of what interrupts do there */
	unsigned frequency[LOG_CORES_MAX];
	struct log_async async[LOG_ASYNC_MAX];
	unsigned async_count;
	uint64_t events;
	/* Lines that are written late. */
	char held[LOG_HELD_MAX][LOG_LINE_MAX];
	size_t held_size[LOG_HELD_MAX];
	unsigned held_for[LOG_HELD_MAX];
};

void log_model_run(struct log_model *);

/* log-lines.c: one record of what is on a core now. */
void log_line(struct log_model *, unsigned core, const char *func, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void log_switch(struct log_model *, unsigned core, unsigned next, const char *state);
void log_wake(struct log_model *, unsigned core, const char *func, unsigned thread);
void log_remark(struct log_model *, const char *text);
void log_lines_end(struct log_model *);

/* log-packets.c: the same in packets; log-lines.c calls it. */
void log_packets_begin(struct log_model *); /* the threads are known */
void log_packets_line(struct log_model *, unsigned core, const char *func, const char *text);
void log_packets_switch(struct log_model *, unsigned core, unsigned next, unsigned state);
void log_packets_wake(struct log_model *, unsigned core, const char *func, unsigned thread);
void log_packets_end(struct log_model *);

/* log-marks.c: a marker of what is on a core now. */
void log_mark(struct log_model *, unsigned core);
