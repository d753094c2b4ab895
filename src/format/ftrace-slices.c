#include <config.h>

#include "base/mem.h"
#include "format/ftrace-reader.h"

uint32_t
slice_name(struct reader *r, struct str name, int kind)
{
	uint32_t index = intern_add(&r->names, name, (uint64_t)kind);
	size_t known = r->method_room;

	if (index >= r->method_room) {
		MEM_GROW(r->methods, r->method_room, (size_t)index + 1);
		for (; known < r->method_room; known++)
			r->methods[known] = METHOD_NONE;
	}
	return index;
}

/* The method of a slice's name, made when first met. */
uint32_t
slice_method(struct reader *r, struct str name, bool async)
{
	uint32_t index = slice_name(r, name, async ? NAME_ASYNC : NAME_SYNC);
	struct method m = {.id = index, .name = name, .known = true, .async = async};
	bool was_unknown;

	if (r->methods[index] == METHOD_NONE) {
		if (m.name.n == 0)
			m.name = STR("(unnamed)");
		r->methods[index] = trace_method_define(r->trace, index, &m, &was_unknown);
		if (r->methods[index] == METHOD_NONE)
			r->methods[index] = trace_method_other(r->trace);
	}
	return r->methods[index];
}

/* Chains ------------------------------------------------------------------------ */

uint32_t
link_begin(struct reader *r, const struct marker *m, uint32_t thread, uint32_t method, nsec at)
{
	struct log_chain *chain;
	struct log_link *link;
	uint32_t index;

	if (m->chain.n == 0 || r->log->links.count >= UINT32_MAX - 1)
		return 0;
	index = intern_add(&r->chains, m->chain, 0);
	if (index == r->log->chains.count) {
		chain = seg_reserve(&r->log->chains);
		if (chain == NULL)
			return 0;
		chain->id = m->chain;
		seg_commit(&r->log->chains);
	}
	link = spool_add(&r->log->links, &r->source.failed);
	if (link == NULL)
		return 0;
	chain = seg_at(&r->log->chains, index);
	chain->count++;
	*link = (struct log_link){.from = at, .to = LOG_OPEN, .offset = r->line_at,
	    .thread = thread, .method = method, .chain = index};
	return (uint32_t)r->log->links.count;
}

void
link_end(struct reader *r, uint32_t link, nsec at)
{
	if (link > 0)
		((struct log_link *)spool_at(&r->log->links, link - 1))->to = at;
}

/* Of the slice on top of a thread's stack. */
static void
link_keep(struct row *row, uint32_t link)
{
	size_t known = row->link_room;

	if (link == 0 && row->links == NULL)
		return;
	MEM_GROW(row->links, row->link_room, (size_t)row->depth);
	if (row->link_room > known)
		memset(row->links + known, 0, (row->link_room - known) * sizeof(*row->links));
	row->links[row->depth - 1] = link;
}

/* Slices of threads ------------------------------------------------------------- */

static void
begin_take(struct reader *r, uint32_t thread, const struct marker *m, nsec at, bool shown)
{
	struct row *row = &r->rows[thread];
	uint32_t method = METHOD_NONE;

	if (row->depth == DEPTH_MAX) {
		row->deep++;
		r->log->summary.too_deep++;
		return;
	}
	if (shown)
		method = slice_method(r, m->name, false);
	MEM_GROW(row->stack, row->room, (size_t)row->depth + 1);
	row->stack[row->depth++] = method;
	if (!shown)
		return;
	event_keep(r, thread, slice_word(method, ACTION_ENTER), at);
	link_keep(row, link_begin(r, m, thread, method, at));
}

/* The end of a slice by a kernel's marker says which one it means. */
static bool
names_agree(const struct reader *r, uint32_t method, struct str name)
{
	return name.n == 0 || method == METHOD_NONE ||
	    str_equal(trace_method(r->trace, method)->name, name);
}

static void
end_take(struct reader *r, uint32_t thread, const struct marker *m, nsec at)
{
	struct row *row = &r->rows[thread];
	struct log_summary *s = &r->log->summary;
	uint32_t method;

	if (row->deep > 0) {
		row->deep--;
		return;
	}
	if (row->depth == 0) {
		s->unmatched_ends++;
		damage_add(r->damage, DAMAGE_UNMATCHED_EXIT, 1, r->line_at);
		return;
	}
	method = row->stack[--row->depth];
	if (row->depth < row->link_room) {
		link_end(r, row->links[row->depth], at);
		row->links[row->depth] = 0;
	}
	s->suspicious_ends += !names_agree(r, method, m->name);
	if (method != METHOD_NONE)
		event_keep(r, thread, slice_word(method, ACTION_EXIT), at);
}

/* Counters ---------------------------------------------------------------------- */

static void
counter_take(struct reader *r, const struct marker *m, nsec at)
{
	uint32_t index = intern_add(&r->counters, m->name, m->pid);
	struct log_counter *c;
	struct log_sample *sample;

	if (index == r->log->counters.count) {
		c = seg_reserve(&r->log->counters);
		if (c == NULL)
			return;
		c->process = process_of(r, m->pid);
		c->name = m->name.n > 0 ? m->name : STR("(unnamed)");
		c->category = m->category;
		seg_commit(&r->log->counters);
	}
	c = seg_at(&r->log->counters, index);
	if (c->count++ == 0) {
		c->first_at = at;
		c->first = c->min = c->max = m->value;
	}
	c->last_at = at;
	c->last = m->value;
	if (m->value < c->min)
		c->min = m->value;
	if (m->value > c->max)
		c->max = m->value;
	sample = spool_add(&r->log->samples, &r->source.failed);
	if (sample != NULL)
		*sample = (struct log_sample){at, m->value, index};
}

/* Moments ----------------------------------------------------------------------- */

static void
instant_take(struct reader *r, uint32_t thread, const struct marker *m, nsec at)
{
	struct log_instant *i = spool_add(&r->log->instants, &r->source.failed);
	uint32_t process = process_of(r, m->pid);

	if (i == NULL)
		return;
	*i = (struct log_instant){
	    at, r->line_at, m->kind == MARKER_INSTANT ? thread : THREAD_NONE, process};
	if (i->thread == THREAD_NONE) {
		if (process > 0)
			((struct log_process *)seg_at(&r->log->processes, process - 1))->instants =
			    true;
	} else if (!r->rows[thread].instants) {
		uint32_t *row = seg_reserve(&r->log->instant_threads);

		r->rows[thread].instants = true;
		if (row != NULL) {
			*row = thread;
			seg_commit(&r->log->instant_threads);
		}
	}
}

/* Other clocks ------------------------------------------------------------------ */

static bool
sync_take(struct reader *r, struct str text, nsec at)
{
	static const struct str mark = STR("trace_event_clock_sync:");
	static const char key[] = "realtime_ts=";
	const char *p, *end = text.p + text.n;
	int64_t ms = 0;

	if (!str_starts(text, mark))
		return false;
	r->log->summary.clock_syncs++;
	p = memmem(text.p, text.n, key, sizeof(key) - 1);
	if (p == NULL)
		return true;
	for (p += sizeof(key) - 1; p < end && *p >= '0' && *p <= '9' && ms < INT64_MAX / 20000000; p++)
		ms = ms * 10 + (*p - '0');
	if (ms < INT64_MAX / 1000000)
		r->log->realtime = ms * 1000000 - at;
	return true;
}

/* One marker -------------------------------------------------------------------- */

static void
level_count(struct log_summary *s, struct str level)
{
	int rank = log_level_rank(level.p[0]);

	/* It was one when the line was parsed; the file may be written to since. */
	if (rank >= 0)
		s->levels[rank]++;
	for (size_t i = 1; i + 1 < level.n; i += 2)
		s->tags[log_level_tag(level, i)]++;
}

/* Does the choice of level and tags (log.h) let a slice be seen? */
static bool
choice_shows(struct reader *r, const struct marker *m)
{
	if (m->level.n > 0)
		level_count(&r->log->summary, m->level);
	if (log_choice_shows(&r->log->choice, m->level))
		return true;
	r->log->summary.hidden++;
	return false;
}

void
slice_take(struct reader *r, const struct logline *line, uint32_t row, const struct marker *m)
{
	struct log_summary *s = &r->log->summary;
	nsec at = reader_time(r, line->ns);

	if (m->kind == MARKER_OTHER && sync_take(r, m->name, at))
		return;
	s->markers[m->kind]++;
	s->truncated += m->truncated;
	if (m->malformed) {
		s->malformed++;
		damage_add(r->damage, DAMAGE_MALFORMED_LINE, 1, r->line_at);
		return;
	}
	if (m->kind != MARKER_OTHER && m->kind != MARKER_END)
		s->forms[m->api]++;
	if (row == SCHED_NONE && (m->kind == MARKER_BEGIN || m->kind == MARKER_END))
		row = row_of_core(r, line->cpu);
	if (row != SCHED_NONE && m->has_pid && m->pid != 0 && m->kind <= MARKER_ASYNC_END &&
	    r->rows[row].process_from < KNOWN_MARKER)
		row_process(r, row, m->pid, KNOWN_MARKER);
	switch (m->kind) {
	case MARKER_BEGIN:
		begin_take(r, row, m, at, choice_shows(r, m));
		break;
	case MARKER_END:
		end_take(r, row, m, at);
		break;
	case MARKER_ASYNC_BEGIN:
	case MARKER_TRACK_BEGIN:
		async_begin(r, m, at, choice_shows(r, m));
		break;
	case MARKER_ASYNC_END:
	case MARKER_TRACK_END:
		async_end(r, m, at);
		break;
	case MARKER_COUNTER:
		counter_take(r, m, at);
		break;
	case MARKER_INSTANT:
	case MARKER_TRACK_INSTANT:
		instant_take(r, row, m, at);
		break;
	default:
		break;
	}
}

/* Slices that are open at the end last until then. */
void
slices_end(struct reader *r, nsec at)
{
	struct log_summary *s = &r->log->summary;

	for (uint32_t i = 0; i < r->row_count; i++) {
		struct row *row = &r->rows[i];

		s->unfinished += row->depth + row->deep;
		if (row->depth > 0)
			event_keep(r, i, WORD_TICK, at);
	}
	async_finish(r, at);
}

void
slices_release(struct reader *r)
{
	async_release(r);
	intern_release(&r->names);
	mem_free(r->methods);
}
