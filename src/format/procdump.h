/*
 * procdump: the list of processes and threads that systrace puts into its page (the output
 * of ps, before the log and behind it).
 *
 * Names point into the text.  Of several rows of an id the last holds.
 */
#ifndef SLOWTOP_FORMAT_PROCDUMP_H
#define SLOWTOP_FORMAT_PROCDUMP_H

#include "base/idmap.h"
#include "base/str.h"

struct procdump_row {
	uint32_t id;   /* thread or process */
	uint32_t tgid; /* of a thread */
	struct str name;
};

/* Zero-initialise. */
struct procdump {
	struct idmap threads, processes; /* id -> row */
	struct procdump_row *rows;
	size_t count, room;
};

void procdump_read(struct procdump *, struct str text);
/* NULL: not listed. */
const struct procdump_row *procdump_thread(const struct procdump *, uint32_t tid);
const struct procdump_row *procdump_process(const struct procdump *, uint32_t pid);
void procdump_release(struct procdump *);

#endif
