// SPDX-License-Identifier: Apache-2.0
/*
 * perfetto: Perfetto's binary traces (Protocol Buffers) as a log's records.
 *
 * Nothing in such a file is in order of time but what one core or one writer recorded.  So
 * it is read twice: first every packet's envelope, what it says of clocks, names and tracks,
 * and which packets or events follow one another in time (struct pf_run: 48 bytes, for as many
 * as there are); then the runs in order of time, merged where they overlap.  Events are
 * decoded where they are in the file, and do to the trace what the lines of a text log do
 * (log/reader.h).
 *
 * packet.c reads envelopes, index.c what a packet says the first time, descriptors.c what is told of
 * tracks, clocks.c converts times, order.c puts runs in order of time, merge.c decodes them and feed.c
 * takes what they say; ftrace.c reads the kernel's events, tracks.c those of programs, samples.c call
 * stacks, messages.c Android's log.  doc/perfetto.md has the facts.
 */
#pragma once

#include "base/bytes.h"
#include "format/log/reader.h"
#include "format/perfetto/clocks.h"

enum run_kind {
	RUN_EVENTS,   /* of a core, one by one */
	RUN_SWITCHES, /* of a core, in columns */
	RUN_WAKINGS,
	RUN_TRACK,    /* packets of a sequence, each with an event of a track */
	RUN_FRAME,    /* ... about a frame of the display */
	RUN_STATS,    /* ... with values of processes, the system, batteries, power rails */
	RUN_SAMPLE,   /* ... with a call stack */
	RUN_MESSAGE,  /* one of Android's log */
	RUN_PROFILE,  /* one of a packet's call stacks; `core` says which */
	RUN_ENDS,     /* where an event of a track ends that told how long it is */
};

/* A run of items that follow one another in time. */
struct pf_run {
	uint64_t ns; /* of the first, on the trace's clock; set once all was indexed */
	uint64_t first, last; /* times on its own clock, as far as they are known */
	uint64_t at; /* of the first packet, or of the field with the columns */
	uint32_t generation, clock;
	uint32_t packets; /* that follow one another in the file */
	uint16_t core;
	uint8_t kind;
	bool lost : 1;     /* the core lost events before it */
	bool disorder : 1; /* its events are not in order of time */
};

/* True if there are packets to be read one after another. */
static inline bool
run_has_packets(const struct pf_run *run)
{
	return run->kind >= RUN_TRACK && run->kind <= RUN_SAMPLE;
}

/* The state that packets of a sequence share from some packet on. */
struct generation {
	uint64_t from;     /* offset of that packet */
	uint64_t track;    /* default */
	uint32_t sequence; /* index */
	uint32_t table;    /* of its interned texts: the first generation that has them */
	uint32_t clock_id; /* default; 0: the trace's */
	struct wire event; /* defaults of track events, with its counters' tracks */
	struct wire samples; /* of perf's samples: how often they are taken */
	/* Its thread, of events without a track, and how long that had run. */
	bool has_thread;
	uint32_t pid, tid;
	uint64_t ran_us;
	/* The table's names of events, by iid; such of large iids are in `iids` with the rest. */
	struct str *names;
	size_t name_room;
};

struct sequence {
	uint32_t id, generation;
	bool met, valid; /* valid: no packet that it needs is missing */
	/* The time that the next event or sample adds to; MONOTONIC, ns. */
	bool times_known;
	uint64_t running;
};

/* A row of events that programs declare. */
struct pf_track {
	uint64_t uuid, parent, unit;
	struct str name;
	uint32_t pid, tid;
	bool described, has_thread, has_process, counter, incremental, alone, state;
	bool aside;       /* its slices are in no total */
	bool thread_time; /* a counter of its thread's CPU time, ns */
	struct str thread_name;
	/* From its first event on: */
	bool settled;
	bool asked; /* whose it is, for a child */
	uint32_t home; /* row of its thread; THREAD_NONE: its slices are on rows of its name */
	struct str label, category;
	uint32_t owner; /* process id, or LOGLINE_NOBODY */
	uint32_t timed; /* row of the thread whose CPU time it tells; THREAD_NONE: none */
	struct track_open open;
	uint64_t *ends; /* of its open slices that told how long they are */
	size_t end_count, end_room;
};

/* A core, as columns of switches tell it. */
struct core {
	bool known; /* which thread is on it */
	uint32_t tid;
};

/* Fields of the file and of packets that are read. */
enum {
	TRACE_PACKET = 1,

	PACKET_FTRACE = 1,
	PACKET_PROCESS_TREE = 2,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SYSTEM_STATS = 7,
	PACKET_STATS = 9,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_FTRACE_STATS = 34,
	PACKET_TRACE_STATS = 35,
	PACKET_BATTERY = 38,
	PACKET_LOG = 39,
	PACKET_RAILS = 40,
	PACKET_CLEARED = 41,
	PACKET_DROPPED = 42,
	PACKET_PROCESS_OLD = 43,
	PACKET_THREAD_OLD = 44,
	PACKET_SYSTEM = 45,
	PACKET_ZLIB = 50,
	PACKET_PROFILE = 54,
	PACKET_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	PACKET_SAMPLE = 66,
	PACKET_SERVICE = 69,
	PACKET_FRAME = 76,
	PACKET_PID = 79,
	PACKET_MACHINE = 98,
	PACKET_ZSTD = 133,
};

/* Bits of PACKET_FLAGS. */
enum { FLAG_CLEARED = 1, FLAG_NEEDS = 2 };

struct trace_packet {
	uint64_t at, timestamp;
	bool timed, cleared, needs, has_sequence;
	bool foreign; /* of another machine, as a virtual one's host */
	uint64_t dropped;
	uint32_t clock_id, sequence; /* id as told */
	uint32_t pid; /* of the writer, outside of all namespaces; 0: not told */
	struct wire defaults, interned, data;
	uint32_t field; /* of `data`; 0: none that is read */
};

/* Fields of data that are counted apart; the rest is one, and what is not of this machine. */
enum { PACKETS_FOREIGN = 256, PACKET_FIELDS };

struct packets {
	uint64_t count, bytes;
	uint64_t told; /* of `count`, at the end before */
};

enum { RECENT_TRACKS = 1024 };

enum { FTRACE_FIELDS = 1024 }; /* fields of events that have names */

struct perfetto {
	struct reader r; /* first: the feed's functions get it */
	struct wire file;

	struct pf_run *runs;
	size_t run_count, run_room;
	uint64_t run_end; /* where the packet is that the last run may go on with; 0: none */
	bool run_plain;   /* its last packet has a track event, and names no clock */
	uint64_t end_ns;  /* of the last run that ends */
	/*
	 * Packets of a file that grows are not in order of time, since they come buffer after buffer: what
	 * is newest waits for what may be earlier.  Where that is not enough, or a packet says otherwise
	 * what events that were taken rested on, the file is to be opened again.
	 */
	uint64_t indexed; /* offset of the first packet that is not */
	uint64_t newest;  /* time of the runs, but for their ends */
	uint64_t limit;   /* events from there on wait; UINT64_MAX: none */
	bool late;        /* a run is earlier than one before it in the file */
	bool begun;       /* packets come after others were taken */
	bool changed;     /* they cannot be read after those */
	bool packed;      /* packets are to be decompressed first */
	bool parent_missed; /* a track that was settled has one that no packet told of */
	struct clocks clocks;
	struct sequence *sequences;
	size_t sequence_count, sequence_room;
	uint32_t last_sequence; /* which a packet was of */
	struct idmap sequence_ids;
	struct generation *generations;
	size_t generation_count, generation_room;
	struct intern iids; /* table << 32 | field of the iid's bytes -> texts */
	struct str *texts;
	size_t text_room;
	uint32_t name_gaps; /* iids without a text that tables of names have room for */
	struct intern kept; /* texts that were made */
	size_t kept_bytes;
	struct pf_track *tracks;
	size_t track_count, track_room;
	struct idmap track_uuids;
	uint32_t recent_tracks[RECENT_TRACKS]; /* by uuid */
	struct packets packets[PACKET_FIELDS]; /* by field of their data */
	struct intern old_tracks; /* legacy.c's, of which uuids are made */
	bool thread_times;        /* events tell how long their threads ran */
	struct str release; /* of the kernel; empty: not told */
	uint64_t latest; /* time of the last packet with one */
	uint32_t latest_clock;
	uint64_t ftrace_start; /* events before it are left out */
	bool ftrace_kept;      /* ... but not in this trace */
	uint64_t all_since;    /* and these: not yet are all cores there */
	bool since_told[LOG_CPUS]; /* by the core's first bundle */
	struct new_thread {
		uint32_t maker, row;
		uint32_t process[2]; /* of both, before the end */
		enum known_from from[2];
	} *new_threads; /* of makers whose process was not known then */
	size_t new_thread_count, new_thread_room;
	uint64_t lost_before, lost; /* events, by the kernel: before the trace, and in it */
	uint64_t lost_packets;

	struct merge *merge; /* merge.c's, as are cores and func_names */
	struct frame_timeline *frames; /* frame_timeline.c's */
	struct samples *samples;       /* samples.c's */
	struct core cores[LOG_CPUS];
	struct idmap rails;  /* sequence << 32 | number -> rail_names; stats.c's */
	struct str *rail_names;
	size_t rail_count, rail_room;
	struct idmap inner_ids; /* process << 32 | id in its pid namespace -> id outside */
	struct idmap claims; /* thread id -> the process whose threads' tracks have it */
	struct idmap sums;   /* generation table << 32 | track -> of incremental counters */
	int64_t *sum_values;
	size_t sum_count, sum_room;
	/* The kernel's events by field: how they are read, and names as met. */
	const struct kernel_event *kernel[FTRACE_FIELDS];
	struct str func_names[FTRACE_FIELDS];
	struct log_func *func_rows[RUN_ENDS + 1]; /* of packets, but of RUN_STATS; NULL: not yet known */
	/* Changed with every event, so away from what the thread that decodes looks at. */
	uint64_t taken;      /* events before it were */
	uint64_t given_back; /* bytes that were taken when the file's pages were given back */
	/* The marker and line of a track's event; members that no such event sets are clear. */
	struct marker marker;
	struct logline line;
};

/* idmap has one key less than there are numbers. */
static inline uint64_t
id_key(uint64_t id)
{
	return id < UINT64_MAX ? id : UINT64_MAX - 1;
}

/* Notes that something read before rests on what is told otherwise now. */
static inline void
changed(struct perfetto *pf)
{
	pf->changed = pf->begun;
}

/* A message's fields 1 to 9 as they are, the last of each; absent ones are 0 and empty. */
enum { PAYLOAD_FIELDS = 10 };

struct payload {
	uint64_t number[PAYLOAD_FIELDS];
	struct str text[PAYLOAD_FIELDS];
};

/* packet.c */
/* A packet like most: a track event with its time and sequence, and little else. */
struct plain_packet {
	uint64_t ns, sequence, flags;
	struct wire event;
};
/* Reads such a packet; false when it is none, or is damaged. */
static inline bool
plain_packet_read(struct plain_packet *p, struct wire content)
{
	enum {
		TIMESTAMP = PACKET_TIMESTAMP << 3 | WIRE_VARINT,
		SEQUENCE = PACKET_SEQUENCE << 3 | WIRE_VARINT,
		FLAGS = PACKET_FLAGS << 3 | WIRE_VARINT,
		EVENT = PACKET_TRACK_EVENT << 3 | WIRE_BYTES,
		UID = 3 << 3 | WIRE_VARINT, /* both of the writer */
		PID = PACKET_PID << 3 | WIRE_VARINT,
	};
	bool timed = false;
	uint64_t value;

	p->ns = p->flags = 0;
	p->sequence = UINT64_MAX;
	p->event = (struct wire){NULL, NULL};
	while (content.p < content.end) {
		uint32_t tag = *content.p++;

		if (tag == (PID & 0x7f) + 0x80 && content.p < content.end)
			tag = (tag & 0x7f) | (uint32_t)*content.p++ << 7;
		if (!wire_varint(&content, &value))
			return false;
		if (tag == TIMESTAMP) {
			p->ns = value;
			timed = true;
		} else if (tag == EVENT && value <= (uint64_t)(content.end - content.p)) {
			p->event = (struct wire){content.p, content.p + value};
			content.p += value;
		} else if (tag == SEQUENCE) {
			p->sequence = value;
		} else if (tag == FLAGS) {
			p->flags = value;
		} else if (tag != UID && tag != PID) {
			return false;
		}
	}
	return timed && p->event.p != NULL && p->sequence <= UINT32_MAX;
}

bool payload_read(struct payload *, struct wire message); /* false when it is damaged */

/* A field of TracePacket; a packet may have fields beside those that slowtop reads. */
struct packet_field {
	struct str name; /* of data */
	enum { FIELD_UNKNOWN, FIELD_NUMBER, FIELD_MESSAGE, FIELD_BYTES, FIELD_ANY } kind;
	enum { PACKET_LEFT, PACKET_READ, PACKET_ABOUT /* the recording: not worth telling */ } does;
};
const struct packet_field *packet_field_of(uint32_t number);
/* A packet's envelope; false when it is damaged. */
bool trace_packet_read(struct trace_packet *, struct wire content, uint64_t at);
/* The packet whose tag is at an offset, as indexed. */
bool trace_packet_at(const struct perfetto *, uint64_t at, struct trace_packet *);

/* The packet's sequence, as it is from this packet on; its index. */
uint32_t sequence_take(struct perfetto *, const struct trace_packet *);
/* Interned fields of events and call stacks. */
enum {
	INTERNED_NAMES = 2, /* of events */
	INTERNED_FUNCTIONS = 5,
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_MAPPING_PATHS = 17,
	INTERNED_MAPPINGS = 19,
};
/* An interned text; empty when there is none. */
struct str text_of(const struct perfetto *, uint32_t generation, uint32_t field, uint64_t iid);
/* The text, once for all that are equal, as long as the trace; arguments until they are too many. */
struct str text_keep(struct perfetto *, struct str);
struct str text_print(struct perfetto *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct str args_keep(struct perfetto *, struct str);
/* The chain "flow 1a" of slices that belong together; empty when there are too many. */
struct str chain_keep(struct perfetto *, const char *what, uint64_t id);
uint32_t generation_at(const struct perfetto *, const struct trace_packet *);
uint32_t generation_add(struct perfetto *, struct generation);

/* index.c */
/* Reads a packet a first time. */
void packet_index(struct perfetto *, struct wire content, uint64_t at);
/* Lists a process or thread, by what packets tell of it. */
void dump_put(struct perfetto *, struct procdump_row, bool process);
/* True if the first packets of a file hold what such packets may. */
bool perfetto_is(struct str file);

/* order.c */
void order_make(struct perfetto *); /* reads the file a first time */
/*
 * Takes what came at the file's end; of the size that it had, all that waits.  False: it is to be
 * opened again.
 */
bool order_grow(struct perfetto *, uint64_t size);

/* ftrace.c */
struct bundle {
	uint32_t core, clock_kind;
	bool has_core, lost, error;
	uint64_t ftrace_ns, boot_ns;
	uint64_t since; /* the core's events are complete from here on; 0: not told */
	/* Its events, but for those in columns: whether there are any, and the earliest. */
	bool any, disorder, sched;
	uint64_t first, last;
	uint64_t broken, broken_at; /* how many could not be read; where, in the message */
	struct wire_field compact;
	uint64_t compact_at; /* in the message */
};
bool bundle_read(struct bundle *, struct wire content);

struct event_head {
	uint64_t ns;
	uint32_t tid;
	uint32_t flags; /* of the kernel's trace_flag_type */
	struct wire_field payload; /* its number says what the event is */
};
/* The next event of a bundle and where its field is; false at the end. */
bool event_next(struct wire *bundle, struct event_head *, const uint8_t **at);
/* Reads one event; false when it is damaged. */
bool event_read(struct wire event, struct event_head *);
/* The event as a record of a log. */
void event_scan(struct perfetto *, struct scanned *, const struct event_head *, uint32_t core,
    uint32_t generation);
/* Its marker, or transaction of binder, and thread; false when it has none. */
bool event_mark(struct perfetto *, struct scanned *, const struct event_head *);
void ftrace_begin(struct perfetto *); /* finds how events are read; before the first one */

/* ftrace_names.c */
struct str ftrace_name(uint32_t field); /* empty: not known */

/* A row of columns. */
struct compact_row {
	uint32_t core;
	uint64_t state; /* of the thread that leaves; of a waking its flags */
	uint32_t tid;
	int32_t priority;
	struct str comm;
};
/* The switch of a core whose thread is not known: by what the core did so far. */
#define LOGLINE_PRESUMED (LOGLINE_NOBODY - 1)
uint32_t presumed_on(const struct perfetto *, uint32_t core);
void switch_scan(struct perfetto *, struct scanned *, const struct compact_row *);
void waking_scan(struct perfetto *, struct scanned *, const struct compact_row *);

/* Members of Chrome's events from before there were tracks. */
struct legacy {
	char phase; /* 0: by the event's type */
	uint8_t instant_scope;
	bool is_local; /* its id */
	bool has_pid, has_tid;
	uint32_t pid, tid;
	uint64_t name_iid, id, duration; /* ns */
	struct str scope;
};

/* The content of a track event, but for its arguments. */
struct track_event {
	struct str name;
	uint64_t track;
	uint64_t value;  /* a double's bits if is_real */
	uint64_t ran_us; /* how long its thread ran, or since the last event */
	/* Values of counters beside what it is about, and their tracks; only one is read. */
	uint64_t more_value, more_track;
	uint64_t flow;   /* the first of its flows */
	struct wire old; /* for legacy_read; mostly empty */
	uint8_t type;
	uint8_t more_values, more_tracks; /* 2: several, or packed */
	bool has_more_reals;
	bool whole; /* nothing is damaged */
	bool is_real;
	bool has_track; /* it names one, or the defaults do */
	bool has_ran, has_ran_more;
	bool has_flow;
};

/* merge.c */
/* A repeated number, whether packed or not. */
struct pf_column {
	struct wire rest, packed;
	uint32_t number;
	bool fixed; /* packed ones have eight bytes each */
};
bool column_next(struct pf_column *, uint64_t *value); /* false: no more */

struct pf_step {
	const struct pf_run *run;
	uint64_t ns, at, size; /* offset and bytes of the event */
	enum step_kind {
		STEP_NONE,
		STEP_RUN,    /* one begins */
		STEP_PACKET, /* but of a message */
		STEP_TRACK,  /* of RUN_TRACK and RUN_ENDS */
		STEP_RECORD,
	} kind;
	bool broken; /* what comes after it in the run is damaged */
	/* A step takes as much memory as its kind needs of these. */
	union {
		struct trace_packet packet;
		struct {
			struct wire data;
			struct track_event event;
		} track;
		struct scanned one;
	};
};
void merge_begin(struct perfetto *); /* from the first run on; also before the first time */
void merge_help(struct perfetto *);  /* a thread decodes ahead; before the first step */
const struct pf_step *merge_next(struct perfetto *); /* until the next call; NULL: no more */
size_t merge_begun(const struct perfetto *); /* so many of the first runs have */
void merge_more(struct perfetto *); /* goes on after the end, with more runs or another limit */
void merge_free(struct perfetto *);

/* descriptors.c */
/* The track of an id, made when first met; most events are of a few. */
struct pf_track *track_add(struct perfetto *, uint64_t uuid);
void track_describe(struct perfetto *, const struct trace_packet *, uint32_t sequence);
/* Takes a packet's facts about a process; returns its id. */
uint32_t process_describe(struct perfetto *, struct wire, const struct trace_packet *);
/* A thread's part of a packet's descriptor, for its track. */
void thread_describe(struct perfetto *, struct pf_track *, struct wire,
    const struct trace_packet *);

/* tracks.c */
void track_event_read(const struct perfetto *, struct track_event *, struct wire message,
    uint32_t generation);
void track_event_take(struct perfetto *, const struct pf_step *, uint64_t ns);
void tracks_rewind(struct perfetto *);
void tracks_end(struct perfetto *); /* all was taken */
bool track_event_detail(struct perfetto *, const struct trace_packet *, struct log_detail *);
void tracks_release(struct perfetto *);

/* legacy.c */
enum { EVENT_LEGACY = 6, EVENT_THREAD_ABSOLUTE_US = 17 };
/*
 * False if an event that has a time tells nothing in its old fields.  Only two of them count, and most
 * events have no byte that is like their tags; bytes before the event may be taken for one.
 */
static inline bool
legacy_is(const struct perfetto *pf, struct wire event)
{
	typedef uint8_t bytes __attribute__((vector_size(16)));
	const uint8_t old = EVENT_LEGACY << 3 | WIRE_BYTES,
	    ran = (EVENT_THREAD_ABSOLUTE_US << 3 | WIRE_VARINT) & 0xff;
	const uint8_t other = pf->thread_times ? old : ran;
	uint64_t has[2] = {0, 0};

	if (event.p - pf->file.p < (ptrdiff_t)sizeof(bytes))
		return true;
	while (event.end > event.p && (has[0] | has[1]) == 0) {
		bytes b;

		event.end -= sizeof(b);
		memcpy(&b, event.end, sizeof(b));
		b = (bytes)((b == old) | (b == other));
		memcpy(has, &b, sizeof(has));
	}
	return (has[0] | has[1]) != 0;
}

void legacy_read(struct legacy *, struct wire message);
bool legacy_is_async(char phase); /* the event belongs to what has its id */
/* An old descriptor of a sequence's thread. */
void legacy_thread(struct perfetto *, uint32_t sequence, const struct pf_track *,
    struct wire message, uint64_t at);
struct legacy_times {
	uint64_t ns, duration;
	bool by_event; /* ns is the event's, MONOTONIC; else it tells no time */
};
/* Looks at an event a first time; false when its time cannot be told. */
bool legacy_index(struct perfetto *, const struct trace_packet *, uint32_t sequence,
    struct legacy_times *);
/*
 * The track of an event that names none: a thread's, or that of an id; what it is if it is
 * new.  0: it has none.
 */
#define LEGACY_UUIDS (UINT64_MAX - 2)
uint64_t legacy_track(struct perfetto *, const struct legacy *, struct str name,
    struct str category, const struct generation *, bool add, struct pf_track *made);
/* A slice whose end is known begins; false when it would outlast the one that it is in. */
bool legacy_begins(struct pf_track *, uint64_t end);
bool legacy_ends(struct pf_track *, uint64_t ns); /* ... and ends, if it began */

/* args.c */
/* Which fields of events are flows, and the next of such a field's; false: no more. */
bool is_flow(uint32_t field);
bool flow_next(struct wire_field *, uint64_t *id);
/* Debug annotations and flows of a track event, some kilobytes at most. */
void args_put(const struct perfetto *, struct sbuf *, struct wire event, uint32_t generation);

/* frame_timeline.c */
void frame_timeline_take(struct perfetto *, const struct trace_packet *, uint64_t ns);
bool frame_timeline_detail(const struct trace_packet *, struct log_detail *);
void frame_timeline_rewind(struct perfetto *);
void frame_timeline_release(struct perfetto *);

/* stats.c */
void stats_take(struct perfetto *, const struct trace_packet *, uint64_t ns);
void stats_release(struct perfetto *);

/* messages.c */
/* The next message of a packet, where its field is, and its time; false at the end. */
bool message_next(struct wire *packet, const uint8_t **at, uint64_t *ns);
void message_take(struct perfetto *, uint64_t at, uint64_t ns);
bool message_detail(struct wire event, struct log_detail *);

/* samples.c */
void samples_take(struct perfetto *, const struct trace_packet *, const struct pf_run *);
void samples_end(struct perfetto *); /* all were taken */
void samples_rewind(struct perfetto *);
void samples_release(struct perfetto *);

/* feed.c */
/* False with ERR_NONE when the data are no Perfetto trace. */
bool perfetto_open(struct trace *, struct input *, struct err *);
