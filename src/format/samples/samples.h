// SPDX-License-Identifier: Apache-2.0
/*
 * samples: call stacks that a sampler saw, as a source of events.
 *
 * A format gives samples in the order of its file: thread, frames, weight, perhaps a time.
 * A call begins at the first of a thread's samples that has it and ends at the first one
 * that does not: such a run is one call.  The weights of a thread add up to its clock in the
 * place of CPU time, so a frame's own weight is exact; times, if there are any, are the wall
 * clock.  Without them each thread has an axis of its own.
 *
 * Weights are nanoseconds, and of other units thousandths (struct trace_unit).  A sample is kept
 * as 40 bytes in a spool; stacks are nodes of a tree, 12 bytes each and what finds them.
 *
 * A format may have weights on the wall clock, too, in the place of times, and state how often
 * the innermost frame of a sample was called; else that is a run.
 *
 * No samples at all, but figures: benchmarks.c.
 * Formats of text: bpftrace.c, callgrind.c, folded.c, functracer.c, perf.c, spreport.c, uftrace.c;
 * of Protocol Buffers: pprof.c and simpleperf.c; of JSON: cpuprofile.c, firefox.c, hermes.c,
 * speedscope.c.
 */
#pragma once

#include "base/map.h"
#include "base/spool.h"
#include "format/input.h"
#include "trace/trace.h"

enum { SAMPLE_DEPTH_MAX = 4096 };

/* A stack: its innermost frame, and the stack below it. */
struct stack_node {
	uint32_t parent, method, depth;
};

/* A thread as far as it was read. */
struct sampled_thread {
	uint32_t node;    /* its stack; 0: empty */
	uint64_t weight;  /* of its samples, without the last */
	uint64_t pending; /* of the last */
	nsec at;          /* of the last; of weights on the wall clock, of all before it */
	uint64_t wall;    /* the last one's weight on the wall clock */
	bool waits;       /* samples_stamp: for the next one's time */
	uint32_t stack;   /* of the one that waits; of calls, those that are open */
	nsec stamp;       /* its time; the last call's */
	bool met, fresh;  /* there was one; of calls, the innermost began after the last sample */
	uint32_t ended;   /* calls from this depth on ended since then; 0: none */
	uint32_t gap_count;
	uint64_t *gaps;   /* the first times between its samples, in order of length */
	size_t gap_room;
};

/* The events of one batch. */
struct sample_block {
	uint64_t record;      /* of the kept samples, with the first event */
	uint32_t event;       /* of that sample's events */
	uint32_t count;
	uint64_t offset, end; /* of the cursor, before it and after it */
};

/* A fault of the text that a block was made of. */
struct sample_fault {
	uint64_t block, count, offset;
	enum damage_kind kind;
};

struct sampler;

struct samples_format {
	/* Reads on until there is a sample, or some text is passed; false at the end. */
	bool (*take)(struct sampler *);
	void (*end)(struct sampler *); /* all is read: notes of what was left out; may be NULL */
	void (*free)(struct sampler *); /* what it has beside the sampler; may be NULL */
};

struct sampler {
	struct source source;
	const struct samples_format *format;
	struct trace *trace;
	struct input in;
	const char *at, *text_end; /* the text that is left */
	size_t passed;             /* its pages are given back up to here */
	uint64_t line_at;          /* offset of the line or message that is read */
	bool timed;                /* samples have times */
	nsec origin;               /* the first one's */
	bool done;
	bool walled;               /* samples have weights on the wall clock, no times */
	uint64_t wall, walls;      /* of the sample that is added; of all */
	uint32_t calls;            /* of the sample's innermost frame; 0: not stated, runs count */

	/* Frames of the sample that is read. */
	uint32_t *frames; /* methods */
	size_t frame_count, frame_room;

	struct intern names;
	uint32_t *methods;       /* by name */
	size_t method_room;
	struct stack_node *nodes;
	uint32_t *guesses;       /* the child that was taken last */
	size_t node_count, node_room, guess_room;
	struct idmap children;   /* node << 32 | method -> node */
	struct idmap tasks;      /* id -> thread, of formats that have such ids */
	struct sampled_thread *threads; /* by thread of the trace */
	size_t thread_count, thread_room;
	uint64_t total;          /* of all weights */

	struct spool kept;       /* struct kept_sample */
	struct seg blocks;       /* struct sample_block, closed ones */
	struct sample_block open;
	struct sample_fault *faults;
	size_t fault_count, fault_room;
};

/*
 * For formats that open a trace of text: `s` is zero-initialised.  Takes the input over.
 * Units and properties are the format's to set.
 */
void samples_open(struct sampler *, const struct samples_format *, struct trace *, struct input *);

/* The threads' times are of one axis; with HAS_BOTH samples have times. */
void samples_clocks(struct sampler *, unsigned clocks);

/* After samples_open, when opening fails after all: the trace has the input.  Returns false. */
bool samples_give_back(struct input *);

/* The next line without its end; false when there is none.  Moves line_at. */
bool samples_line(struct sampler *, struct str *line);
/* Goes to the message at that place of the data. */
void samples_goto(struct sampler *, const uint8_t *at);
/* Counts what is wrong with the line or message that is read. */
void samples_fault(struct sampler *, enum damage_kind);

/*
 * Adds a frame to the sample that is read.  The same name is the same method, of the file in
 * which it is met first.  `made`: the name is no part of the trace's text.
 */
void samples_frame(struct sampler *, struct str name, struct str file, bool made);
/* samples_frame in two steps, for formats that have a table of functions: frames innermost first. */
uint32_t samples_method(struct sampler *, struct str name, struct str file, bool made);
#define SAMPLES_NO_ID UINT64_MAX
/*
 * Finds the method of an id, or SAMPLES_NO_ID, and a full name, as "java.lang.Object.wait(JI)V":
 * class, name and signature are apart; empty: it has none but its id.
 */
uint32_t samples_class_method(struct sampler *, uint64_t id, struct str full, struct str file);
void samples_push(struct sampler *, uint32_t method);
/* Ends the sample; its frames are innermost first or outermost first. */
void samples_add(struct sampler *, uint32_t thread, uint64_t weight, nsec at, bool innermost_first);
/* Ends the sample, whose stack is known. */
void samples_add_stack(struct sampler *, uint32_t thread, uint64_t weight, nsec at, uint32_t node);
/*
 * Adds a sample of a format whose samples weigh as much as the time until the thread's next one; the
 * last weighs nothing, or until it stops.  Steps back are faults, and no time.
 */
void samples_stamp(struct sampler *, uint32_t thread, nsec at, uint32_t node);
void samples_stop(struct sampler *, uint32_t thread, nsec at);
/*
 * calls.c: formats of calls, whose beginnings and ends come in the order of time in each
 * thread.  Times are from the trace's start on, which is the clock's 0.
 */
void samples_begin(struct sampler *, uint32_t thread, uint32_t method, nsec at);
/*
 * Ends the innermost call of the method, or at a depth (0: of any), and those in it, which are lost
 * exits.  There is none such: an unmatched exit.
 */
void samples_end_call(struct sampler *, uint32_t thread, uint32_t method, uint32_t depth, nsec at);
/* The thread has no more calls: those that are open last until then. */
void samples_close(struct sampler *, uint32_t thread, nsec at);
/* Finds the thread of an id, and calls it so from now on; without a name it keeps its own. */
uint32_t samples_thread_named(struct sampler *, uint32_t id, struct str name);
/* Makes the thread of a file that tells of none, which has the file's name. */
uint32_t samples_thread_one(struct sampler *);
/* A thread as far as it was read, for formats that set where its clock begins. */
struct sampled_thread *samples_thread(struct sampler *, uint32_t thread);

/* stacks.c: takes the frames that were read as a stack. */
uint32_t samples_stack(struct sampler *, bool innermost_first);
/* A frame on a stack; METHOD_NONE, or one too many, is that stack. */
uint32_t samples_call(struct sampler *, uint32_t below, uint32_t method);
/* The part of a stack up to that depth. */
uint32_t samples_below(const struct sampler *, uint32_t node, uint32_t depth);
/* How many frames two stacks have in common, from the outermost on. */
uint32_t samples_common(const struct sampler *, uint32_t a, uint32_t b);

/* A row of a format's table of stacks: a frame, and the row of the stack below it. */
struct stack_row {
	uint32_t below;  /* row + 1; 0: it is the outermost */
	uint32_t method; /* METHOD_NONE: no frame, as of a root */
	uint32_t node;   /* + 1, once it was asked for; 0 at first */
};
/*
 * The stack of a row.  Rows that are not there, and rows below themselves, are faults, and end the
 * stack.  Each row is looked at once, however often it is asked for.
 */
uint32_t samples_row(struct sampler *, struct stack_row *, size_t count, uint32_t row);

/* An event's name without what follows a colon or the PMU's second slash. */
struct str samples_event(struct str event);
/* True for cpu-clock and task-clock, whose counts are nanoseconds. */
bool samples_is_clock(struct str event);
/*
 * Sets the unit of an event's counts: nanoseconds of cpu-clock and task-clock, else the event.
 * False: not nanoseconds.
 */
bool samples_unit(struct sampler *, struct str event);
/*
 * The name that is read, of several: the one that --sample-type gives, else `otherwise`.  `count`
 * and an error when there is none of that name.
 */
size_t samples_choose(const char *wanted, const struct str *names, size_t count, size_t otherwise,
    struct err *);
/* Notes the names that are not read. */
void samples_others(struct sampler *, const struct str *names, size_t count, size_t chosen);

/* The formats of text: false with ERR_NONE when the data are no such text. */
bool bpftrace_open(struct trace *, struct input *, struct err *);
bool callgrind_open(struct trace *, struct input *, struct err *);
bool folded_open(struct trace *, struct input *, struct err *);
bool functracer_open(struct trace *, struct input *, struct err *);
bool perf_open(struct trace *, struct input *, struct err *);
bool spreport_open(struct trace *, struct input *, struct err *);
bool uftrace_open(struct trace *, struct input *, struct err *);
/* uftrace_folder.c: puts the text of a recording in the folder `path` in the place of its info. */
bool uftrace_unpack(const char *path, struct input *, const struct tempfile_how *, struct err *);
/* pprof.c, simpleperf.c: likewise; `is` tells by the beginning. */
bool pprof_is(struct str file);
bool pprof_open(struct trace *, struct input *, struct err *);
bool simpleperf_is(struct str file);
bool simpleperf_open(struct trace *, struct input *, struct err *);
/* Formats in JSON, whose object is `text`: false with an error when it is broken. */
bool benchmarks_open(struct trace *, struct input *, struct str text, struct err *);
bool cpuprofile_open(struct trace *, struct input *, struct str text, struct err *);
/* Writes the name and the file of a function, a callFrame of V8's. */
void cpuprofile_frame(struct str frame, struct sbuf *name, struct sbuf *file);
bool firefox_open(struct trace *, struct input *, struct str text, struct err *);
bool speedscope_open(struct trace *, struct input *, struct str text, struct err *);
/* hermes.c: true if there are calls among Chrome's events. */
bool hermes_has_calls(struct str object);
/* False with ERR_NONE when there are calls beside the samples. */
bool hermes_open(struct trace *, struct input *, struct str text, struct err *);
