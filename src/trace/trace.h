// SPDX-License-Identifier: Apache-2.0
/*
 * trace: an open trace as the file states it: names, threads, clocks, properties.
 *
 * A format fills it while opening; afterwards it only grows: ids that records use and the
 * file does not name get rows of their own as they are met (trace_*_adopt, safe from
 * several threads), and names between the records come as these are read
 * (trace_*_define).  Methods and threads never move, so a reader that was told a count
 * may use everything below it while decoding goes on; a row that is named late is
 * replaced at once and whole.
 *
 * Strings point into the file or the trace's arena and live until trace_free.
 * Method 0 is the pseudo-method (toplevel), the frame below every thread's stack.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/filemap.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "base/str.h"
#include "trace/damage.h"
#include "trace/event.h"
#include "trace/source.h"
#include "trace/unit.h"

enum { METHOD_TOPLEVEL = 0 };
#define METHOD_NONE UINT32_MAX
/* An event's word has 30 bits for it; the largest of them is METHOD_TOP (event.h). */
#define METHOD_MAX  (METHOD_TOP - 1)
#define THREAD_NONE UINT32_MAX

/* Causes of another name than the file's: a mask. */
enum { RENAMED_BY_MAPPING = 1 << 0, RENAMED_BY_PREFIX = 1 << 1 };

/* A method's names in the file. */
struct method_was {
	struct str class_name, name, signature;
	unsigned by; /* who changed them */
};

struct method {
	uint64_t id;
	struct str class_name; /* as in the file: "java/lang/Enum" in Dalvik; may be empty */
	struct str name, signature;
	struct str file; /* base name of the source, or a path; may be empty */
	int32_t line;    /* of the source; 0 not stated, -1 none (abstract), -2 native */
	bool known;      /* named by the file, not only met in records */
	bool async;      /* slices of it nest in nothing (logs) */
	const struct method_was *was; /* NULL: the names are the file's */
	const char *word; /* in place of the id of a pseudo-method, else NULL */
	_Atomic(struct method *) later; /* what took this row's place, see trace_method */
	/* See folded.h: the method that stands for it (0: none); the next of those it stands for. */
	_Atomic uint32_t folded, alike;
	_Atomic uint32_t stands; /* the first of those that it stands for; 0: it stands for none */
	/* Its line of a key section, after the id, unchanged; p NULL without one. */
	struct str stated;
};

enum thread_kind {
	THREAD_TASK,
	THREAD_CORE,  /* what interrupts did on an idle core; of a log only */
	THREAD_ASYNC, /* one row of asynchronous slices, which are no thread's */
};

/* "thread", "core" and "async", which may share an id. */
extern const char *const thread_kind_words[];

struct thread {
	uint32_t id;
	struct str name;
	struct str was; /* an earlier thread of the same id, or empty */
	bool listed;    /* named by the file */
	enum thread_kind kind;
	bool aside;   /* its slices are no work: sums have them where no others are chosen */
	bool display; /* ... but frames of the display */
	uint32_t process; /* index + 1 in the log's processes; 0: not known */
	_Atomic(struct thread *) later; /* what took this row's place, see trace_thread */
};

/* How a track of Perfetto's describes a row that is aside. */
#define TRACE_ASIDE "asynchronous, in no total"
/* Comments of a saved profile. */
#define TRACE_CLASSES STR("slowtop: methods of classes") /* full names have class, method and signature */
#define TRACE_SAVED   STR("slowtop: trace: ")            /* FORMAT */
#define TRACE_SAMPLED STR("slowtop: sampled: ")          /* NANOSECONDS between samples, 0: not known */
#define TRACE_DAMAGE  STR("slowtop: damage: ")           /* NAME COUNT OFFSET */

/* A line of a key section's list; an id may be there twice, `threads` has it once. */
struct thread_line {
	uint32_t id;
	struct str name;
};

struct property {
	struct str key, value;
};

/* Gives methods other names than the file's, which live as long as it does. */
struct renamer {
	void (*rename)(struct renamer *, struct method *); /* one at a time */
	void (*release)(struct renamer *);
	unsigned by;          /* the bit of its kind */
	struct renamer *next; /* takes the names that this one leaves */
};

struct trace {
	char *path;         /* as opened */
	char *name;         /* by which its user knows it; NULL: by the path */
	struct filemark files[2]; /* what it was read from, as that was; see trace_file_now */
	const char *format; /* "classic", ... */
	uint32_t record_size; /* bytes of each record; 0: they differ */
	const char *compressed; /* how the file is, as "gzip"; offsets are those of what was in it */
	bool text_apart;      /* the key section is in a file of its own */
	int version;        /* of the data */
	int key_version;    /* of the key section, which may say another; 0 without one */
	_Atomic unsigned clocks; /* mask of 1 << enum clock_id; a log may show another late */
	bool own_axes;      /* no common time: each thread counts its own (thread-cpu only) */
	bool sampled;       /* made of samples: calls are runs of them */
	/* The file states (`stated`) that a sampler made it, or none; else times tell. */
	struct sampler_told {
		bool stated, yes;
		nsec interval; /* 0: not known */
	} sampler;
	bool summed;        /* made of sums: how long single calls took is not known */
	struct trace_unit unit; /* of figures */
	bool overflow;      /* the recorder's buffer filled; the tail is missing */
	_Atomic uint64_t start_us; /* header's start time: Unix epoch (Dalvik) or since boot (ART) */
	nsec elapsed;       /* as stated by the file, 0 when it does not */
	nsec expected;      /* about how long it is when the file does not state it, or 0 */
	uint64_t pid;       /* 0 when the file does not say */

	struct property *properties; /* in file order */
	size_t property_count, property_room;
	struct thread_line *thread_lines; /* in file order */
	size_t thread_line_count, thread_line_room;
	struct str recorded; /* what slowtop record wrote beside it (base/conf.h); may be empty */
	struct str *notes; /* oddities that lose nothing, each a sentence without its full stop */
	size_t note_count, note_room;

	struct seg methods; /* struct method; count includes method 0 */
	struct seg threads; /* struct thread */
	/* Methods that the file names are below this, and with some formats others, too. */
	_Atomic uint32_t methods_known;
	_Atomic uint32_t threads_listed; /* how many threads the file names */
	_Atomic uint32_t renamed; /* counts rows replaced by better ones */
	uint32_t *made;           /* rows of trace_method_made; under the lock */
	size_t made_count, made_room;
	struct intern folded_names; /* see folded.h; under the lock, as the groups by index */
	struct folded_group {
		uint32_t first, stands; /* the only method as yet, and what stands for all */
	} *folded_groups;
	size_t folded_room;
	uint32_t folded_count;    /* methods below are in a group */
	uint32_t method_before;   /* row of METHOD_TOP exits on an empty stack; METHOD_NONE */
	/* Ids named by the file: fixed after opening, except where names come between records. */
	struct idmap method_ids, thread_ids;
	struct idmap adopted_methods, adopted_threads; /* others; under the lock */
	/* All was read once: a second reading, of a file that may have changed, adds no rows. */
	atomic_bool closed;

	struct log *log; /* what a text log has beside slices; NULL: no log (log.h) */

	struct damage damage; /* found while opening */
	struct source *source;
	struct renamer *renamer; /* the first, owned; NULL: the file's names hold */
	struct arena arena;
	size_t kept; /* bytes of trace_keep; under the lock */
	pthread_mutex_t lock; /* adoption and late names */
};

struct log;

struct trace *trace_new(const char *path);
void trace_free(struct trace *);
/* Its name, which is a copy from then on. */
void trace_name(struct trace *, const char *name);
/* By name, else by path, or by the base name of that. */
const char *trace_file(const struct trace *);
const char *trace_title(const struct trace *);
/* Returns by what a thread is one with those of other traces: its name, if it has not that of the file. */
struct str trace_thread_key(const struct trace *, const struct thread *);
/*
 * How the file changed since it was opened; the worse of both when the trace is in two
 * files.  Always FILEMARK_SAME for pipes and memory.
 */
enum filemark_now trace_file_now(const struct trace *);

/* The row's present content; one that is replaced later stays valid. */
static inline const struct method *
trace_method(const struct trace *t, uint32_t index)
{
	struct method *m = seg_at(&t->methods, index);
	struct method *later = atomic_load_explicit(&m->later, memory_order_acquire);

	return later != NULL ? later : m;
}

static inline const struct thread *
trace_thread(const struct trace *t, uint32_t index)
{
	struct thread *th = seg_at(&t->threads, index);
	struct thread *later = atomic_load_explicit(&th->later, memory_order_acquire);

	return later != NULL ? later : th;
}

/* Rows so far; those below may be read whatever other threads adopt. */
static inline uint32_t
trace_method_count(const struct trace *t)
{
	return seg_count(&t->methods);
}

/*
 * The thread with the process's id, else the first one called main; of a log that of the app
 * in front (log_main_thread).  THREAD_NONE without one.
 */
uint32_t trace_main_thread(const struct trace *);
/* True for a thread of the main thread's process, where a log tells. */
bool trace_is_beside(const struct trace *, uint32_t main_thread, uint32_t thread);

static inline uint32_t
trace_thread_count(const struct trace *t)
{
	return seg_count(&t->threads);
}

/* For formats, while opening. */
void trace_property_add(struct trace *, struct str key, struct str value);
/*
 * Takes what is in the file PATH.info, if there is one; one that is too long or is no such text
 * is passed over, with a note.
 */
void trace_recorded_read(struct trace *);
void trace_note(struct trace *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Notes how many there are of something, after the number, unless there are none. */
void trace_note_count(struct trace *, uint64_t count, const char *what);
/* NULL when the table is full.  The id's map entry is the caller's to make. */
struct method *trace_method_add(struct trace *, uint64_t id);
struct thread *trace_thread_add(struct trace *, uint32_t id);

/*
 * Renames all methods, present and future ones, before records are read; after the renamers that
 * the trace has.  Takes the renamer over.
 */
void trace_rename(struct trace *, struct renamer *);

/*
 * The pseudo-method of that name, for frames that represent several; made on first use
 * and kept, so names of unknown number do not belong here.  METHOD_NONE when the table is
 * full.
 */
uint32_t trace_method_made(struct trace *, struct str name);

/*
 * Appends a row for a method of another trace, which is shown beside this one's; no id leads to it.
 * Copies the texts.  METHOD_NONE when the table is full.
 */
uint32_t trace_method_foreign(struct trace *, const struct method *);

/*
 * The row of an id that the file does not name: made on first use.  METHOD_NONE or
 * THREAD_NONE when the table is full.  When it is closed there is no method, and the first
 * thread is the thread.  Takes the lock.
 */
uint32_t trace_method_adopt(struct trace *, uint64_t id);
uint32_t trace_thread_adopt(struct trace *, uint32_t id);

/*
 * A copy of a name from between records, so that the page of the file around it need not
 * stay in memory.  Long names, and those beyond some megabytes, stay in the file.
 */
struct str trace_keep(struct trace *, struct str);
/* Copies a text into the trace's memory, perhaps while others read the trace. */
struct str trace_copy(struct trace *, struct str);
/* Makes a text in the trace's memory, likewise; a NUL that does not count follows it. */
struct str trace_print(struct trace *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The file names an id, perhaps once more, and perhaps while others read the trace.
 * Strings must live as long as the trace.  Returns the row; `*was_unknown` (may be NULL) tells
 * whether it had been adopted before.  Of several names the last holds (up to some limit that
 * only a hostile file reaches); a thread keeps the one before, too.
 */
uint32_t trace_method_define(struct trace *, uint64_t key, const struct method *,
    bool *was_unknown);
uint32_t trace_thread_define(struct trace *, uint32_t id, struct str name,
    bool *was_unknown);

/*
 * For formats whose ids do not tell threads apart: appends a row, and replaces one when
 * more is known of it.  Other threads may read the trace meanwhile.  THREAD_NONE when the
 * table is full.
 */
uint32_t trace_thread_append(struct trace *, const struct thread *);
void trace_thread_update(struct trace *, uint32_t index, const struct thread *);

/*
 * The order of names: of the bytes of CLASS.NAME and the signature after it, as in the
 * file; methods without a name by id.
 */
int method_compare(const struct method *, const struct method *);

/* Where the method's own name is in what was written: [from, to). */
struct name_place {
	size_t from, to;
};

/*
 * Appends the full name, `package.Class.method(sig)return`, in the file's own bytes but
 * for the dots of the class, or `0x… (proxy?)` when the file does not name it.  Parts
 * are cut after 8 KiB, which only hostile files reach.
 */
struct name_place method_full_name(struct sbuf *, const struct method *);

/* NULL p when there is no such property; of several, the last. */
struct str trace_property(const struct trace *, const char *key);
/* How many methods the file names; linear in their number. */
uint32_t trace_methods_named(const struct trace *);
/* Is the start time one of the calendar?  Else it counts from the boot. */
bool trace_start_is_date(const struct trace *);
enum { TRACE_DATE = 40 };
/* If so: UTC, as 2026-01-31T23:59:59.000000, with `between` for the T. */
bool trace_start_date(const struct trace *, char between, char out[static TRACE_DATE]);
/* Wall when the trace has it, else CPU. */
enum clock_id trace_default_clock(const struct trace *);
/* The clock that tells what burns: CPU where it was recorded, else wall. */
enum clock_id trace_busy_clock(const struct trace *);
static inline bool
trace_has_clock(const struct trace *t, enum clock_id clock)
{
	return (t->clocks & 1u << clock) != 0;
}

static inline bool
trace_has_both(const struct trace *t)
{
	return (t->clocks & HAS_BOTH) == HAS_BOTH;
}
