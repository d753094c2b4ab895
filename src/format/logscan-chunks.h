/*
 * logscan-chunks: the state of parsing a log ahead, for the files of logscan only.
 *
 * logscan.c parses lines and hands them out, logscan-chunks.c cuts the text and divides it
 * between threads, logscan-turns.c puts lines that are a little late in their places.
 */
#ifndef SLOWTOP_FORMAT_LOGSCAN_CHUNKS_H
#define SLOWTOP_FORMAT_LOGSCAN_CHUNKS_H

#include <pthread.h>

#include "base/worker.h"
#include "format/logscan.h"

enum {
	CHUNK_BYTES = 1 << 15,
	CHUNK_LINES = 512,
	CHUNKS = 32,
	CHUNKS_ALONE = 2,        /* without the thread: what they hold stays in the cache */
	CHUNKS_FEW = CHUNKS / 2, /* to parse: fewer are not worth waking the thread */
};

enum chunk_state { CHUNK_READY, CHUNK_TAKEN, CHUNK_PARSED };

struct chunk {
	const char *from, *to; /* from: what is not parsed */
	enum chunk_state state;
	uint32_t count, next;  /* lines parsed, and handed out */
	struct scanned *lines;
	/* Of its records, in nanoseconds. */
	uint32_t records;
	uint64_t first, last; /* as they stand in the file */
	uint64_t earliest, latest;
	uint32_t late, jumps; /* records before the one above them, and by how much */
	bool turned;          /* lines are to be taken by `turns` */
	struct chunk_turn *turns;
};

struct chunk_turn {
	uint64_t ns; /* of the record, or of the last one before */
	uint32_t line;
};

struct logscan {
	const char *bytes;
	const struct log_ranges *ranges;
	size_t range;   /* of what is not in a chunk yet */
	const char *at; /* in it; NULL: its beginning */
	struct chunk chunks[CHUNKS];
	uint64_t head, tail; /* chunks in use: [head, tail) modulo `ring` */
	unsigned ring;
	struct chunk *current;   /* the first one, while its lines are handed out */
	struct chunk *following; /* the next one, when it was parsed whole in time */
	bool mixed;      /* lines of the following one come before some of the current's */
	uint64_t before; /* of the last record in front of the current chunk; 0: none */
	struct scan_disorder disorder;
	struct logline_memory memory[2]; /* the caller's and the thread's */
	struct worker_pool *pool;
	pthread_mutex_t lock; /* of states, head and tail, with a thread */
	pthread_cond_t work, parsed;
	bool stop;
};

/* logscan-chunks.c: parses what is left of a chunk, as far as there is room for lines. */
void chunk_parse(struct chunk *, struct logline_memory *);
/*
 * Gives the current chunk back when it was handed out.  The next one becomes it, parsed,
 * and if there is one behind it that becomes the following one, parsed as well.
 */
void chunks_advance(struct logscan *);
void chunks_help(struct worker_pool *, unsigned index, void *scan);

/* logscan-turns.c: what the current chunk and the following one need to be in order. */
void turns_make(struct logscan *);
/* The next line where some are not in order. */
const struct scanned *turns_next(struct logscan *);

static inline bool
scan_is_record(const struct scanned *l)
{
	return l->kind != SCAN_OTHER && l->kind != SCAN_EXCLUDED;
}

#endif
