/* logline-recall: lines that begin as one before them did (logline.h). */
#include <config.h>

#include "format/logline-parts.h"

#include <assert.h>

#include "base/mem.h"

enum {
	WRITERS = 256,
	BEGIN_LEAST = 16, /* bytes that are hashed */
	BEGIN_MOST = 44,
	FUNC_SLOTS = 64,
	FUNC_LEAST = 7,   /* with its colon hashed as one word */
	FUNC_MOST = 23,
};

/* What stands before the core, and what it says: nothing else decides about that. */
struct writer {
	char text[BEGIN_MOST];
	uint8_t n;         /* of the text; 0: free */
	uint8_t comm, comm_n; /* where comm is */
	bool has_tgid;
	uint32_t tid, tgid, number;
};

/* A function's name, with its colon. */
struct func {
	char text[FUNC_MOST + 1];
	uint8_t n; /* 0: free */
	uint8_t number;
};

struct logline_memory {
	struct writer writers[WRITERS];
	struct func funcs[FUNC_SLOTS];
	uint32_t next_writer;
	uint8_t next_func;
};

static_assert(FUNC_SLOTS * LOGLINE_MEMORIES < LOGLINE_FUNCS && LOGLINE_FUNCS <= UINT8_MAX,
    "every slot has a number");

struct logline_memory *
logline_memory_new(unsigned index)
{
	struct logline_memory *m = mem_zero(1, sizeof(*m));

	m->next_writer = 1 + index;
	m->next_func = (uint8_t)(1 + index);
	return m;
}

void
logline_memory_free(struct logline_memory *m)
{
	mem_free(m);
}

static struct writer *
writer_of(struct logline_memory *m, const char *end)
{
	uint64_t mixed = (word_load(end - 8) ^ word_load(end - 16) * 5) * 0x9e3779b97f4a7c15u;

	return &m->writers[mixed >> 56 & (WRITERS - 1)];
}

/* As logline_left. */
static inline bool
left_recall(struct logline_memory *m, struct logline *line, const char *begin, const char *end)
{
	size_t n = (size_t)(end - begin);
	struct writer *w;

	if (n < BEGIN_LEAST || n > BEGIN_MOST)
		return logline_left(line, begin, end);
	w = writer_of(m, end);
	if (w->n == n && words_equal(w->text, begin, n)) {
		line->comm = (struct str){begin + w->comm, w->comm_n};
		line->tid = w->tid;
		line->tgid = w->tgid;
		line->has_tgid = w->has_tgid;
		line->writer = w->number;
		return true;
	}
	if (!logline_left(line, begin, end))
		return false;
	*w = (struct writer){.n = (uint8_t)n, .comm = (uint8_t)(line->comm.p - begin),
	    .comm_n = (uint8_t)line->comm.n, .has_tgid = line->has_tgid, .tid = line->tid,
	    .tgid = line->has_tgid ? line->tgid : 0, .number = m->next_writer};
	memcpy(w->text, begin, n);
	line->writer = m->next_writer;
	/* Numbers that are used up are told no more. */
	if (m->next_writer > UINT32_MAX - LOGLINE_MEMORIES)
		m->next_writer = 0;
	else if (m->next_writer > 0)
		m->next_writer += LOGLINE_MEMORIES;
	return true;
}

/* As logline_func, which tells where a name ends. */
static inline bool
func_recall(struct logline_memory *m, struct logline *line, const char *p, const char *end)
{
	struct func *f;
	uint64_t mixed;

	if (end - p < FUNC_MOST + 1)
		return logline_func(line, p, end);
	mixed = (word_load(p) ^ word_load(p + 8) * 5) * 0x9e3779b97f4a7c15u;
	f = &m->funcs[mixed >> 56 & (FUNC_SLOTS - 1)];
	if (f->n > 0 && words_equal(f->text, p, f->n)) {
		line->func = (struct str){p, (size_t)f->n - 1};
		line->func_number = f->number;
		logline_payload(line, p + f->n, end);
		return true;
	}
	if (!logline_func(line, p, end))
		return false;
	if (f->n == 0 && line->func.n >= FUNC_LEAST && line->func.n < FUNC_MOST) {
		f->n = (uint8_t)(line->func.n + 1);
		f->number = line->func_number = m->next_func;
		m->next_func += LOGLINE_MEMORIES;
		memcpy(f->text, p, f->n);
	}
	return true;
}

/* "[001]" */
static inline bool
core_quick(uint64_t w, uint32_t *cpu)
{
	uint64_t digits = w >> 8;

	if ((w & 0xff) != '[' || (w >> 32 & 0xff) != ']' || word_digits(digits) != 3)
		return false;
	*cpu = (uint32_t)((digits & 0xf) * 100 + (digits >> 8 & 0xf) * 10 + (digits >> 16 & 0xf));
	return true;
}

bool
logline_recall(struct logline_memory *m, struct logline *line, struct str text)
{
	const char *end = text.p + text.n, *open, *p;

	if (text.n == 0 || (open = memchr(text.p, '[', text.n)) == NULL)
		return false;
	line->writer = line->func_number = 0;
	if (end - open >= 8 && core_quick(word_load(open), &line->cpu) &&
	    left_recall(m, line, text.p, open)) {
		p = logline_columns(line, open + 5, end);
		if (p != NULL && func_recall(m, line, p, end))
			return true;
	}
	return logline_parse(line, text);
}
