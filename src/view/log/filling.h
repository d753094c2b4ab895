/*
 * filling: a table of tables.h while it is filled; for its own files only.
 */
#ifndef SLOWTOP_VIEW_LOG_FILLING_H
#define SLOWTOP_VIEW_LOG_FILLING_H

#include "base/sbuf.h"
#include "view/log/tables.h"
#include "view/names/processes.h"

struct filling {
	struct usage_tables *tables;
	struct cells *cells;
	const struct trace *trace;
	const struct log *log;
	struct names *names;
	const struct usage *usage;
	struct processes processes;
	struct str *process_labels, *thread_labels; /* made when asked for */
	struct sbuf text; /* scratch */
	nsec length;      /* of the stretch */
	uint32_t cores;   /* with scheduler events */
};

/* A row more, and where it leads. */
struct value *filling_add(struct filling *, uint64_t identity, struct usage_goal);
/* A copy of `text`, kept; `text` is empty after that. */
struct value filling_kept(struct filling *);
struct value filling_text(const char *text); /* static */
struct value filling_clean(struct filling *, struct str text);
/* "1203 render", "1200 com.example.feed". */
struct value filling_thread(struct filling *, uint32_t thread);
struct value filling_process(struct filling *, uint32_t process);
struct value filling_process_of(struct filling *, uint32_t thread);
struct value filling_pid(const struct filling *, uint32_t process);
/* Empty when there were none. */
struct value filling_average(nsec total, uint64_t count);
/* "Sleeping", "Uninterruptible sleep, I/O". */
struct value filling_state(struct filling *, uint8_t state, uint8_t io);
/* "1187 main", "(interrupt)", or nothing. */
struct value filling_waker(struct filling *, uint32_t waker);
/* The function that a blocked thread waits in; empty when the log does not tell. */
struct value filling_caller(struct filling *, uint32_t caller);

/* cpu.c, states.c, events.c */
extern const struct list_source usage_processes_columns, usage_threads_columns,
    usage_cores_columns, usage_levels_columns, usage_top_columns, usage_states_columns,
    usage_switches_columns, usage_latency_columns, usage_blocked_columns,
    usage_priorities_columns, usage_counters_columns, usage_chains_columns,
    usage_summary_columns, usage_intervals_columns, usage_wakers_columns,
    usage_chain_columns;
void usage_processes_fill(struct filling *);
void usage_threads_fill(struct filling *);
void usage_cores_fill(struct filling *);
void usage_levels_fill(struct filling *);
void usage_top_fill(struct filling *);
void usage_states_fill(struct filling *);
void usage_switches_fill(struct filling *);
void usage_latency_fill(struct filling *);
void usage_blocked_fill(struct filling *);
void usage_priorities_fill(struct filling *);
void usage_counters_fill(struct filling *);
void usage_chains_fill(struct filling *);
void usage_summary_fill(struct filling *);
void usage_intervals_fill(struct filling *);
void usage_wakers_fill(struct filling *);
void usage_chain_fill(struct filling *);

#endif
