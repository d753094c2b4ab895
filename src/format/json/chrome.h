// SPDX-License-Identifier: Apache-2.0
/*
 * chrome: Chrome's Trace Event Format as a log's records.
 *
 * The file is read once: each event becomes 48 bytes in a spool, sorted by time in runs.  The
 * runs are merged twice (order.c): once to give beginnings their ends, and to hand out events
 * in order of time.  feed.c nests slices and passes them, counters and moments to a reader of
 * logs (format/log/reader.h).  What events say beside that is read again where it is shown.
 *
 * Memory: some 20 MB, what names, threads and open slices take, and the events of one time.
 */
#pragma once

#include "format/json/scan.h"
#include "format/log/reader.h"

enum chrome_kind {
	CHROME_NONE, /* counted only */
	CHROME_META,
	CHROME_BEGIN,
	CHROME_END,
	CHROME_COMPLETE,
	CHROME_INSTANT,
	CHROME_COUNTER,
	CHROME_ASYNC_BEGIN,
	CHROME_ASYNC_END,
	CHROME_ASYNC_INSTANT,
};

enum { CHROME_DEPTH_MOST = 2047, CHROME_PHASES = 128 };

#define CHROME_NOT_TOLD INT64_MIN /* a thread's CPU time */

/* An event as it is kept; times are nanoseconds, as the file has them. */
struct chrome_event {
	int64_t ts;
	int64_t end;      /* of a slice; of a moment its scope */
	union {
		struct {
			int64_t ran, ran_end; /* CPU time of the thread */
		};
		double value;         /* of a counter */
	};
	uint64_t offset : 48;
	uint64_t kind : 4;       /* enum chrome_kind */
	uint64_t unfinished : 1; /* a beginning without an end */
	uint64_t depth : 11;     /* how many beginnings were open */
	uint32_t of;             /* thread, asynchronous row, or process of a counter */
	uint32_t name;
};

struct chrome_process {
	uint32_t pid;
	int64_t sort;
	struct str name;
};

struct chrome_thread {
	uint32_t process, id;
	int64_t sort;
	struct str name;
	uint32_t samples_of; /* the thread that its slices are samples of, + 1; 0: none */
	bool used;           /* it has slices or moments */
	bool works, sums;    /* it has slices of its own, and "Total ..." of clang: those of others */
	int64_t last;        /* of its slices */
	uint64_t *open;      /* places in the spool of beginnings without an end yet */
	size_t depth, room;
	uint32_t first_row;  /* the first of its rows, + 1 */
	uint64_t group;      /* order.c: events of one time, and the longest slice of those */
	int64_t longest;
};

/* Asynchronous slices that nest in each other. */
struct chrome_async {
	uint32_t process;
	struct str label;
	struct track_open open;
};

/* A slice that is open while events are handed out. */
struct chrome_open {
	int64_t end, ran_end;
	uint64_t offset;
	uint16_t depth;
	bool begun; /* by a beginning of its own */
};

/* A row of the reader's, for slices that nest. */
struct chrome_row {
	uint32_t row;
	uint32_t next;  /* of the thread, + 1 */
	uint32_t depth;
	size_t room;
	struct chrome_open *open;
};

/* Events of the spool in order of time, and what was read ahead of them. */
struct chrome_run {
	uint64_t first, count, next;
	struct chrome_event *items;
	uint32_t at, have;
};

/* The next events, the earliest first. */
struct chrome_heap {
	struct chrome_due {
		int64_t at;
		uint64_t tie; /* of one time the least is first */
		uint32_t of;  /* run or row */
	} *items;
	size_t count, room;
};

struct chrome_profile; /* v8.c */

/* An event of a profile of V8. */
struct chrome_profile_event {
	size_t profile;  /* by process and id; a new one's is the count */
	uint32_t thread; /* of its slices */
	int64_t ts;
	uint64_t offset;
	struct str args;
};

struct chrome_trace {
	struct reader r; /* first: the feed's functions get it */
	struct spool events;

	/* events.c and names.c: what is being read, and names. */
	struct chrome_event *buffer;
	size_t buffer_count, buffer_room;
	bool unsorted, cut_inside; /* cut_inside: the file ends inside an event */
	bool timed;             /* there was an event with a time: the first one */
	int64_t first_ts, least_ts;
	struct intern texts, names, process_keys, thread_keys, async_keys;
	struct idmap pids;      /* of processes -> the first that has it */
	struct sbuf text;
	const char *detail;     /* the argument that is part of names of complete events; empty: none */
	struct arena kept;
	struct chrome_process *processes;
	size_t process_count, process_room;
	struct chrome_thread *threads;
	size_t thread_count, thread_room;
	struct chrome_async *asyncs;
	size_t async_count, async_room;
	uint64_t counts[CHROME_PHASES];
	uint64_t bad, pairs;    /* pairs: beginnings and ends */
	uint64_t unmatched, unfinished;
	uint64_t slices, clocked; /* clocked: those that tell CPU time */
	struct intern profile_keys;
	struct chrome_profile **profiles;
	size_t profile_count, profile_room;

	/* order.c */
	struct chrome_run *runs;
	size_t run_count, run_room;
	struct chrome_heap heap; /* runs, by their next events */
	struct chrome_grouped {
		struct chrome_event event;
		int64_t lasts; /* until then */
	} *group;               /* events of one time */
	size_t group_count, group_room, group_at;
	uint64_t group_number;
	uint64_t taken;         /* events of the spool */

	/* feed.c */
	uint64_t bias;          /* added to times, so that none is negative */
	struct chrome_row *rows;
	size_t row_count, row_room;
	struct chrome_heap ends; /* of open slices; of some that are over, too */
	uint64_t ended;         /* slices */
	uint64_t overlapping, rounded, extra;
	bool told;              /* the notes */
};

/* The members of an event that are read. */
enum chrome_field {
	FIELD_PH,
	FIELD_TS,
	FIELD_DUR,
	FIELD_PID,
	FIELD_TID,
	FIELD_NAME,
	FIELD_CAT,
	FIELD_ARGS,
	FIELD_TTS,
	FIELD_TDUR,
	FIELD_ID,
	FIELD_ID2,
	FIELD_SCOPE,
	FIELD_S,
	FIELDS
};

struct chrome_fields {
	struct str text[FIELDS]; /* empty: not there */
	char kind[FIELDS];       /* 0: likewise */
	size_t members;
};

/* events.c */
/* False with ERR_NONE when the data are no such trace. */
bool chrome_open(struct trace *, struct input *, struct err *);
/* "B begin", and whether such events are read. */
struct str chrome_phase(int letter, bool *read);

/* False for a time that is far from all others: it is of no clock of theirs. */
bool chrome_time_fits(struct chrome_trace *, int64_t ns);

/* names.c */
/* Threads, processes, and asynchronous rows: indexes from here on say that there are too many. */
#define CHROME_ROWS_MOST (UINT32_C(1) << 20)
enum { CHROME_TEXT, CHROME_TEXT_CATEGORY, CHROME_TEXT_SERIES }; /* kinds of chrome_trace.texts */
/* Finds the index of a text that need not stay; CHROME_ROWS_MOST when it is new and `count` is no less. */
uint32_t chrome_key_index(struct chrome_trace *, struct intern *, struct str, uint64_t kind,
    size_t count);
/* Keeps a text without its escapes; long ones that have none are the file's. */
struct str chrome_text_keep(struct chrome_trace *, struct str raw);
/* Finds the name of an event of a kind; names of beginnings and ends differ by category. */
uint32_t chrome_name_find(struct chrome_trace *, const struct chrome_fields *, enum chrome_kind);
/* Reads the number of an id, modulo 2^32; false when it is none. */
bool chrome_id_number(struct str text, uint32_t *number);
/*
 * Find the process, the thread, or the rows of an asynchronous event, which may be new.  Rows are
 * those of one id and category, or name; a local id is its process's.
 */
uint32_t chrome_process_find(struct chrome_trace *, const struct chrome_fields *);
uint32_t chrome_thread_find(struct chrome_trace *, const struct chrome_fields *);
uint32_t chrome_async_find(struct chrome_trace *, const struct chrome_fields *, bool by_name);
/* Names and orders processes and threads. */
void chrome_meta_take(struct chrome_trace *, const struct chrome_fields *);

/* v8.c */
void chrome_profile_take(struct chrome_trace *, struct chrome_profile_event);
/* All events were read: what is open ends. */
void chrome_profiles_end(struct chrome_trace *);

/* order.c */
void chrome_heap_add(struct chrome_heap *, struct chrome_due);
void chrome_heap_remove(struct chrome_heap *); /* the first */
void chrome_keep(struct chrome_trace *, const struct chrome_event *);
void chrome_kept(struct chrome_trace *); /* there are no more */
void chrome_pair(struct chrome_trace *); /* beginnings and ends, once */
void chrome_order(struct chrome_trace *); /* from the first event on */
/* The next event, without ends, in the order in which slices nest; NULL: no more. */
const struct chrome_event *chrome_next(struct chrome_trace *);
void chrome_order_release(struct chrome_trace *);

/* feed.c */
extern const struct feed chrome_feed;
void chrome_rows_make(struct chrome_trace *); /* of threads, in the order that the file wants */
