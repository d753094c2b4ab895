#include <config.h>

#include "format/method/layout.h"

#include <string.h>

#include "base/mem.h"

/* Packets --------------------------------------------------------------------------- */

enum {
	SUMMARY_HEAD = 7,           /* bytes before its text */
	STRAY_MAX = 4096,           /* bytes behind the summary */
	SUMMARY_MAX = 64 << 20,     /* more methods than any app has */
};

enum packet_fit
packet_read(struct packet *k, const uint8_t *p, uint64_t left)
{
	static const uint8_t heads[] = {
		[PACKET_METHOD] = 5, [PACKET_THREAD] = 7, [PACKET_SUMMARY] = SUMMARY_HEAD};
	uint64_t head, text;

	if (left < 3)
		return PACKET_CUT;
	if (p[2] < PACKET_METHOD || p[2] > PACKET_SUMMARY)
		return PACKET_BAD;
	k->kind = (enum packet_kind)p[2];
	head = heads[k->kind];
	if (left < head)
		return PACKET_CUT;
	k->thread = k->kind == PACKET_THREAD ? get_u16(p + 3) : 0;
	text = k->kind == PACKET_SUMMARY ? get_u32(p + 3) : get_u16(p + head - 2);
	if (left - head < text)
		return PACKET_CUT;
	k->text = (struct str){(const char *)p + head, text};
	k->size = head + text;
	return PACKET_WHOLE;
}

/* Where the text's last line ends, from the end backwards; 0 when it is not there. */
static uint64_t
text_end(const uint8_t *p, uint64_t size)
{
	static const char line[] = "*end\n";
	uint64_t least = size > STRAY_MAX ? size - STRAY_MAX : 0;

	for (uint64_t end = size; end >= least + 5; end--) {
		if (memcmp(p + end - 5, line, 5) == 0)
			return end;
	}
	return 0;
}

uint64_t
packet_find_summary(struct packet *k, const uint8_t *p, uint64_t size)
{
	static const char line[] = "*version\n";
	uint64_t end = text_end(p, size);
	uint64_t least = end > SUMMARY_MAX ? end - SUMMARY_MAX : 0;
	const uint8_t *at = p + end;

	while (end > 0 && (at = memrchr(p + least, '*', (size_t)(at - p - least))) != NULL) {
		uint64_t begin = (uint64_t)(at - p);

		if (begin < SUMMARY_HEAD || end - begin < sizeof(line) - 1 ||
		    memcmp(at, line, sizeof(line) - 1) != 0)
			continue;
		if (packet_read(k, at - SUMMARY_HEAD, end - begin + SUMMARY_HEAD) ==
			PACKET_WHOLE &&
		    k->kind == PACKET_SUMMARY && k->text.n == end - begin &&
		    get_u16(at - SUMMARY_HEAD) == 0)
			return begin - SUMMARY_HEAD;
	}
	return UINT64_MAX;
}

/* Where fields are ------------------------------------------------------------------ */

enum {
	THREADS = 1 << 16,
	WINDOW = 4 << 20, /* bytes that both go through before either goes on */
};

enum { NAMED = 1, SEEN = 2 }; /* of a thread id */

struct trial {
	struct layout layout;
	uint64_t at;      /* where it is, from the first record */
	uint64_t records;
	uint64_t odd;     /* records that no recorder writes, or of threads without a name */
	bool impossible;  /* one has an action that there is not */
	bool over;        /* cannot go on, or is at the end */
	uint8_t threads[THREADS];
};

static struct trial *
trial_new(uint32_t record, const struct trace *t)
{
	struct trial *r = mem_zero(1, sizeof(*r));

	r->layout = (struct layout){record, true};
	for (uint32_t i = 0; i < t->threads.count; i++)
		r->threads[trace_thread(t, i)->id % THREADS] = NAMED;
	return r;
}

static void
record_try(struct trial *r, const uint8_t *p)
{
	uint8_t *thread = &r->threads[get_u16(p)];
	bool impossible = (get_u32(p + 2) & 3) == 3;

	r->records++;
	r->impossible |= impossible;
	r->odd += impossible || (*thread & NAMED) == 0;
	if ((*thread & SEEN) == 0 && get_u32(p + 6) != 0)
		r->layout.starts_at_zero = false;
	*thread |= SEEN;
}

/* Goes on up to `until` or the packet or record that reaches over it. */
static void
trial_go(struct trial *r, const uint8_t *p, uint64_t size, uint64_t until)
{
	const uint32_t record = r->layout.record;

	while (r->at < until && !r->over) {
		uint64_t left = size - r->at;
		struct packet k;

		if (left >= record && get_u16(p + r->at) != 0) {
			record_try(r, p + r->at);
			r->at += record;
		} else if (left >= 2 && get_u16(p + r->at) == 0 &&
		    packet_read(&k, p + r->at, left) == PACKET_WHOLE) {
			if (k.kind == PACKET_THREAD)
				r->threads[k.thread] |= NAMED;
			r->at += k.size;
		} else {
			r->over = true;
		}
	}
	r->over |= r->at == size;
}

/* Bytes of records that make sense. */
static uint64_t
trial_sense(const struct trial *r)
{
	return (r->records - r->odd) * r->layout.record;
}

/* Did it come to the end, or the summary, without anything that cannot be? */
static bool
trial_clean(const struct trial *r, uint64_t size)
{
	return r->at == size && !r->impossible;
}

/* Can `other`, which is over, not be the better one any more? */
static bool
trial_won(const struct trial *r, const struct trial *other, uint64_t size, bool ask_zero)
{
	return other->over && !trial_clean(other, size) &&
	    trial_sense(r) > trial_sense(other) && (!ask_zero || !r->layout.starts_at_zero);
}

/* Is it better than the ten-byte one, both being at their ends? */
static bool
trial_better(const struct trial *r, const struct trial *ten, uint64_t size)
{
	if (trial_clean(r, size) != trial_clean(ten, size))
		return trial_clean(r, size);
	if (trial_sense(r) != trial_sense(ten))
		return trial_sense(r) > trial_sense(ten);
	if ((r->at == size) != (ten->at == size))
		return r->at == size;
	return r->at > ten->at;
}

struct layout
layout_find(const struct filemap *file, const struct trace *t, uint64_t from, uint64_t to,
    bool ask_zero)
{
	struct trial *ten = trial_new(10, t), *fourteen = trial_new(14, t);
	const uint8_t *p = file->bytes + from;
	uint64_t size = to - from, until = 0, behind = 0;
	struct layout layout;

	while (!(ten->over && fourteen->over) && !trial_won(ten, fourteen, size, ask_zero) &&
	    !trial_won(fourteen, ten, size, ask_zero)) {
		/* A packet may be larger than what is behind it. */
		until += size - until < WINDOW ? size - until : WINDOW;
		trial_go(ten, p, size, until);
		trial_go(fourteen, p, size, until);
		filemap_behind(file, from + behind, from + until);
		behind = until;
	}
	layout = trial_better(fourteen, ten, size) ? fourteen->layout : ten->layout;
	mem_free(ten);
	mem_free(fourteen);
	return layout;
}
