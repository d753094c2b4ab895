// SPDX-License-Identifier: Apache-2.0
/*
 * reader: logs of HiTrace, atrace, systrace, trace-cmd and Perfetto as a source of events.
 *
 * Records are read in place.  Slices become calls: begin and end markers those of their
 * thread, asynchronous ones those of rows made for them.  Where threads begin and end to
 * run, they get events that only move their clocks, so that CPU time is exact anywhere.
 * The events are kept (kept.h), for they cannot be read in place a second time.
 *
 * A feed hands out the records in order of time: lines.c those of text, format/perfetto
 * those of Perfetto.  reader.c takes each and keeps the events; threads.c knows which thread
 * wrote it and reads the scheduler's events; slices.c and async.c match beginnings and ends.
 */
#pragma once

#include "base/map.h"
#include "base/spool.h"
#include "format/input.h"
#include "format/log/kept.h"
#include "format/log/scan.h"
#include "format/log/text.h"
#include "trace/log.h"
#include "trace/trace.h"

/* The deepest slice that is kept, and where each tells its own end, so that none is lost. */
enum { DEPTH_MAX = 512, NESTED_MAX = 4096, RECENT_FUNCS = 64, RECENT_NAMES = 16384 };

/* Further from the log's start is no time: 13 months, and sums of 250 threads fit. */
#define SPAN_MOST (UINT64_C(1) << 55)

/* Where a thread's name and process are from, in ascending order of trust. */
enum known_from { KNOWN_NOT, KNOWN_DUMP, KNOWN_COLUMN, KNOWN_MARKER };

/* A row of the trace's threads while it is read. */
struct thread_row {
	struct thread thread;    /* as the trace has it */
	enum known_from process_from;
	bool named_itself;       /* by the program, which lines do not change */
	bool exiting;            /* its next switch-out is its end */
	bool started;
	bool freed;              /* the kernel forgot it */
	bool instants;           /* it wrote some */
	nsec last, cpu;          /* of its last event */
	nsec since;              /* when its outermost slice began */
	nsec ran;                /* as told; where there are no switches, or with own_clock */
	bool own_clock;          /* switches do not count */
	uint32_t *stack;         /* methods of its open slices; METHOD_NONE: hidden */
	uint64_t kernel[DEPTH_MAX / 64]; /* bits of those that the kernel's events began */
	uint32_t *links;         /* of these in log.links, + 1; NULL: no slice had one yet */
	size_t room, link_room;
	uint32_t depth, deep;    /* deep: open slices beyond DEPTH_MAX, or NESTED_MAX */
	bool too_deep;           /* there were such */
	nsec before, before_cpu; /* of its last event before those that the end gave */
};

/* A list of rows for asynchronous slices of one kind. */
struct track_rows {
	uint32_t *rows; /* of the trace's threads */
	bool *busy;
	uint32_t count, free; /* no row before `free` is free */
	size_t room;
};

/* An asynchronous slice that is open. */
struct open_slice {
	uint64_t key;    /* pid << 32 | method or track */
	int64_t id;
	uint32_t next;   /* in its bucket, index + 1 */
	uint32_t track, place; /* which row of which track */
	uint32_t method; /* METHOD_NONE: hidden */
	uint32_t link;   /* in log.links, + 1 */
	bool kernel;     /* of one of the kernel's own events */
	nsec since;      /* ... began then */
};

struct open_slices {
	struct open_slice *items;
	size_t count, room;
	uint32_t free;     /* index + 1 */
	uint32_t *buckets; /* index + 1; a power of two */
	size_t bucket_count;
	size_t used;
};

/* A function's name as met last. */
struct recent_func {
	struct str name;
	bool left;
	struct log_func *row; /* NULL: there are too many */
};

struct reader;

enum feed_result { FEED_TAKEN, FEED_END, FEED_AGAIN /* from the first record on */ };

/* Where the records of a log come from: the lines of a text, the packets of Perfetto. */
struct feed {
	/* Takes the next record in order of time; sets line_at, adds to consumed. */
	enum feed_result (*take)(struct reader *);
	void (*rewind)(struct reader *); /* to the first record; also before it */
	void (*end)(struct reader *);    /* all were taken; may be NULL */
	void (*jobs)(struct reader *, unsigned jobs);     /* of the source; may be NULL */
	uint64_t (*left)(struct reader *, bool ask);      /* likewise */
	/* The file has `size` bytes now: there are more records, perhaps.  False: they cannot be read
	 * after those before.  May be NULL. */
	bool (*grow)(struct reader *, uint64_t size);
	void (*free)(struct reader *);
};

/* The reader before its end, where it can go on after that. */
struct reader_mark {
	bool taken;
	struct sched_mark sched;
	struct log_summary summary;
	uint64_t bytes; /* of the events that were kept, and their blocks */
	uint32_t blocks;
	nsec *busy; /* by process */
	uint32_t process_count;
};

struct reader {
	struct source source;
	const struct feed *feed;
	struct trace *trace;
	struct log *log;
	struct input in;
	struct procdump dump;
	struct damage *damage; /* of the read that goes on */

	/* Where reading goes on. */
	uint64_t consumed;  /* bytes of records taken */
	uint64_t line_at;   /* offset of the record that is taken */
	uint64_t last_ns;
	bool second;        /* reading with the first switches known */
	bool late_sched;    /* a switch came in a log that seemed to have none */
	bool done;          /* all records were taken */
	bool nests;         /* slices know their ends */
	struct reader_mark mark;

	/* The result. */
	struct kept events; /* with CPU time, if there is any */

	/* Threads and names. */
	struct idmap tids;     /* thread id -> row */
	struct idmap rows_of;  /* generation << 32 | thread id -> row, from the first reading on */
	struct idmap deaths;   /* thread id -> how many of its threads ended */
	struct idmap met;      /* thread ids of lines */
	struct idmap pids;     /* process id -> log.processes */
	struct idmap memories; /* mm_id -> row of the thread that told it */
	struct idmap core_rows; /* cpu -> row of what ran on it idle */
	struct thread_row *rows;      /* by thread of the trace */
	size_t row_count, row_room;
	struct intern names;   /* sync 0, async 1, track 2 -> methods */
	uint32_t *methods;
	size_t method_count, method_room;
	uint32_t recent_names[RECENT_NAMES]; /* by where they are */
	struct intern track_names; /* pid << 8 | kind */
	struct track_rows *tracks;
	size_t track_count, track_room;
	struct open_slices open_slices;
	struct idmap ends_before; /* what end_before was told -> how often */
	struct intern funcs, counters, callers, chains;
	struct recent_func recent[RECENT_FUNCS];
	bool cpus_met[LOGLINE_CPUS];
	/* spans.c's */
	struct idmap binder; /* transaction -> what it does where it is received */
	struct intern texts; /* names that were made */
	struct sbuf text;    /* one of them, while it is made */
	bool block_io; /* block_io_start was met, which tells more than block_rq_issue */
};

/* lines.c */
/* False with ERR_NONE when the data are no log. */
bool ftrace_open(struct trace *, struct input *, struct err *);
/* htrace.c: false with ERR_NONE when the data are no such recording. */
bool htrace_open(struct trace *, struct input *, struct err *);
/* funcgraph.c: likewise when they are no calls of the tracer function_graph. */
bool funcgraph_open(struct trace *, struct input *, struct err *);

/* reader.c */
/* True if the bytes came through a pipe, and may be given back (source.forget): names are copied. */
static inline bool
reader_is_piped(const struct reader *r)
{
	return r->in.grows && r->trace->files[0].path == NULL;
}
/* Returns a text that stays. */
struct str reader_hold(struct reader *, struct str text);
/* For those that open a log: zero-initialised, with a feed after this; then reader_begin. */
void reader_init(struct reader *, struct trace *, struct input *);
void reader_has_sched(struct reader *); /* there will be CPU time */
void reader_begin(struct reader *);
/* A record of a thread on a core.  False when it is too early. */
bool record_take(struct reader *, const struct scanned *);
/* The trace's time of a record, -1 for none.  False when it is too early. */
bool record_time(struct reader *, uint64_t ns, nsec *at);
void record_broken(struct reader *); /* its fields cannot be */
void slice_too_deep(struct reader *); /* one is counted only */
void func_count(struct reader *, struct str func, uint64_t count); /* records of a kind */
/* Returns the row of a kind of records, to be counted there; it stays.  NULL: there are too many. */
struct log_func *func_row(struct reader *, struct str func);
/* Likewise of what is not read, and its size if that is told. */
void func_left(struct reader *, struct str func, uint64_t count, uint64_t bytes);
/* Reads the further words of a record, beside the name of its slice or moment; false: it has no name. */
bool scanned_detail(struct log_detail *, const struct scanned *);
void event_keep(struct reader *, uint32_t thread, uint32_t word, nsec at);

/* threads.c */
uint32_t row_of_tid(struct reader *, uint32_t tid);
uint32_t row_of_core(struct reader *, uint32_t cpu);
uint32_t row_add(struct reader *, const struct thread *);
void row_name(struct reader *, uint32_t row, struct str comm);
/* The slices of a row are no work, or frames of the display. */
void row_aside(struct reader *, uint32_t row, bool display);
void row_process(struct reader *, uint32_t row, uint32_t pid, enum known_from);
uint32_t process_of(struct reader *, uint32_t pid); /* index + 1; of LOGLINE_NOBODY 0 */
/* How long a thread ran so far, for logs without switches that tell it. */
void row_ran(struct reader *, uint32_t row, nsec ran);
void rows_settle(struct reader *); /* at the end */
void rows_unsettle(struct reader *, uint32_t processes); /* there were so many before */
void rows_again(struct reader *);
void rows_release(struct reader *);

/* spans.c: what is known of transactions and rows is forgotten. */
void spans_again(struct reader *);

/* slices.c */
void slice_take(struct reader *, const struct logline *, uint32_t row, const struct marker *);
/* A row's calls from `at` on, the outermost first: those that differ end and begin. */
void stack_take(struct reader *, uint32_t row, const struct str *names, uint32_t count, nsec at);
/*
 * An end of a slice that did not begin in the log, of those that `of`, a kind of end_owner, has:
 * it was open when the log began.  Too many cannot have been, and are damage.
 */
enum end_owner { END_OF_ROW, END_OF_ASYNC, END_OF_TRACK, END_OF_FRAMES };
void end_before(struct reader *, enum end_owner, uint64_t of);
/*
 * Takes a free row of a process's rows of that name, for slices that nest there; gives it
 * back.  THREAD_NONE when there are too many.
 */
uint32_t track_row_take(struct reader *, uint32_t pid, struct str name, uint32_t *track,
    uint32_t *place);
void track_row_give(struct reader *, uint32_t track, uint32_t place);
/* A track whose slices nest: its row while one is open, else THREAD_NONE. */
struct track_open {
	uint32_t row, rows, place; /* which of the reader's tracks */
};
/* Takes the beginning or end of such a slice; `of`: the track, for an end without a beginning. */
void track_slice_take(struct reader *, struct track_open *, uint32_t pid, struct str name, bool aside,
    const struct logline *, const struct marker *, uint64_t of);
void slices_end(struct reader *, nsec at);
void slices_release(struct reader *);
/* Kinds of interned names: slices of threads, asynchronous ones, tracks of programs and of the kernel. */
enum slice_names { NAME_SYNC, NAME_ASYNC, NAME_TRACK, NAME_KERNEL };
uint32_t slice_name(struct reader *, struct str name, enum slice_names);
/* Returns a name of slices of threads as it is kept: slice_name finds that one at once. */
struct str slice_text(struct reader *, struct str name);
/* The method of a slice's name, made when first met. */
uint32_t slice_method(struct reader *, struct str name, bool async);
/* The chain of the slice that begins, or of the moment: its place in log.links, + 1; 0: none. */
uint32_t link_begin(struct reader *, const struct marker *, uint32_t thread, uint32_t method,
    nsec at);
void link_end(struct reader *, uint32_t link, nsec at);
/* The thread's call of binder ends as failed, if it is what the thread waits in. */
void call_fail(struct reader *, uint32_t thread, nsec at);

/* async.c: `shown` of a slice that the choice of tags and level shows. */
void async_begin(struct reader *, const struct marker *, nsec at, bool shown);
void async_end(struct reader *, const struct marker *, nsec at);
void async_finish(struct reader *, nsec at);
void async_again(struct reader *);
void async_release(struct reader *);

/* counters.c */
void counter_take(struct reader *, const struct marker *, nsec at);
/* Sets a counter of a process, of LOGLINE_NOBODY of none. */
void counter_put(struct reader *, struct str name, uint64_t pid, enum log_unit, double value,
    nsec at);
/* Sets the counters of an event of the kernel's; `writer`: row of the thread that tells. */
void values_take(struct reader *, const struct kernel_values *, uint32_t writer, nsec at);
void counters_settle(struct reader *); /* at the end, after rows_settle */

/* An event of the scheduler's. */
void sched_take(struct reader *, enum sched_event, const struct schedline *,
    const struct logline *, nsec at, uint32_t row);

/* True if the log is worth tables that only pay with many lines. */
static inline bool
reader_is_long(const struct reader *r)
{
	return r->source.end - r->source.begin > 1 << 20;
}

static inline uint32_t
slice_word(uint32_t method, enum action action)
{
	return method << 2 | (uint32_t)action;
}

static inline nsec
reader_time(const struct reader *r, uint64_t ns)
{
	return (nsec)(ns - r->log->origin);
}
