// SPDX-License-Identifier: Apache-2.0
/*
 * filling: a table of tables.h while it is filled; for its own files only.
 */
#pragma once

#include "base/sbuf.h"
#include "view/log/tables.h"
#include "view/names/processes.h"

struct filling {
	struct usage_tables *tables;
	const struct trace *trace;
	const struct log *log;
	struct names *names;
	struct identities *identities; /* as in struct figures */
	const struct usage *usage;
	struct processes processes;
	struct sbuf text; /* scratch */
	nsec length;      /* of the stretch */
};

struct value usage_get(const void *tables, const struct list_row *, int column);
void usage_children(void *tables, struct list *, const struct list_row *);
#define USAGE_SOURCE(name, table, by, none)                                                \
	{.word = (name), .columns = (table), .sort = (by), .empty = (none), .name_least = 16, \
	    .get = usage_get, .children = usage_children}

/* A row more, its values empty, and where it leads; valid until the next call. */
struct value *filling_add(struct filling *, uint64_t identity, struct usage_goal);
/* The number of the thread's n-th row. */
uint64_t filling_of(const struct filling *, uint32_t thread, uint64_t n);
/* A copy of `text`, kept; `text` is empty after that. */
struct value filling_kept(struct filling *);
struct value filling_text(const char *text); /* static */
struct value filling_clean(struct filling *, struct str text);
/* "1203 render", "1200 com.example.feed". */
struct value filling_thread(struct filling *, uint32_t thread);
struct value filling_process(struct filling *, uint32_t process);
struct value filling_pid(const struct filling *, uint32_t process);
/* Fills the cells of a thread, and of its process, which are in these columns. */
void filling_put_thread(struct filling *, struct value *row, uint32_t thread, int tid, int name,
    int pid, int process);
/* Empty when there were none. */
struct value filling_average(nsec total, uint64_t count);
/* "Sleeping", "Uninterruptible sleep, I/O". */
struct value filling_state(struct filling *, uint8_t state, uint8_t io);
/* "1187 main", "(interrupt)", or nothing. */
struct value filling_waker(struct filling *, uint32_t waker);
/* The function that a blocked thread waits in; empty when the log does not tell. */
struct value filling_caller(struct filling *, uint32_t caller);

/* "binder: 1858 system_server", "blocked, I/O: FUNCTION". */
struct value path_cause(struct filling *, const struct critical_sum *);
/* Where the time of the stretch went, in one line. */
void path_heading(struct filling *, struct sbuf *);
/* Puts the cursor on the largest cause that is not running. */
void path_begin(struct list *, const struct critical *);

/* cpu.c, states.c, events.c, starts.c, path.c, binder.c, locks.c */
#define TABLE(number, name, ...) extern const struct usage_table_info usage_##name;
#include "view/log/tables.def"
