/*
 * convert-firefox: a profile of the Firefox Profiler while it is written; for
 * convert-firefox.c and convert-firefox-tables.c.
 */
#ifndef SLOWTOP_REPORT_CONVERT_FIREFOX_H
#define SLOWTOP_REPORT_CONVERT_FIREFOX_H

#include "report/bythread.h"
#include "report/convert-formats.h"

/* From a change of a thread's stack to the next one. */
struct sample {
	uint32_t node; /* on top; NODE_NONE: no call */
	nsec at[CLOCKS], before[CLOCKS];
};

struct firefox {
	struct convert *convert;
	struct sbuf *out;
	struct bythread calls;
	enum clock_id clock;
	bool cpu;          /* the other clock, too */
	uint32_t *strings; /* by method: index among the strings of its name */
	uint32_t *files;   /* of its file, NOTHING without */
	uint32_t *tids;    /* by thread */
	uint32_t *funcs;   /* by method: + 1, within the thread at hand */
	uint32_t *stacks;  /* by node: + 1, within its thread */
	uint32_t *list;    /* methods, or nodes, of the thread at hand */
	uint32_t list_count;
	size_t list_room;
	bool any;
	struct sample sample; /* at hand */
	void (*cell)(struct firefox *, const struct sample *, const nsec until[CLOCKS]);
};

/* `,"name":[`; what follows are its items. */
void firefox_column(struct firefox *, const char *name);
/* Before an item that is written by hand. */
void firefox_item(struct firefox *);
void firefox_number(struct firefox *, uint64_t);
void firefox_number_or_null(struct firefox *, bool there, uint64_t);
/* Milliseconds, exact. */
void firefox_ms(struct firefox *, nsec);

/* Names of methods that are on any path, and of their files. */
void firefox_strings(struct firefox *);
/* The node that a path ends at once hidden methods are taken from it; NODE_NONE: no call. */
uint32_t firefox_node_shown(const struct firefox *, uint32_t node);
/* Numbers a path when it is first entered: after its parent, as a prefix must be. */
void firefox_stack_number(struct firefox *, uint32_t node);
/* Stack, frame and function table of the thread whose stacks were numbered. */
void firefox_tables(struct firefox *);

#endif
