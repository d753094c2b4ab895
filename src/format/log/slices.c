// SPDX-License-Identifier: Apache-2.0
/* slices: names of slices, and beginnings and ends matched on threads. */
#include <config.h>

#include "base/mem.h"
#include "format/log/reader.h"

/* Names ------------------------------------------------------------------------ */

uint32_t
slice_name(struct reader *r, struct str name, enum slice_names kind)
{
	/* Many names are texts that events refer to: where one is tells which it is, mostly. */
	uint32_t *recent = &r->recent_names[((uintptr_t)name.p * 0x9e3779b1u >> 12) % RECENT_NAMES];
	size_t known = r->method_room;
	const struct intern_item *item;
	uint32_t index;

	if (*recent < r->names.count) {
		item = &r->names.items[*recent];
		if (item->kind == (uint64_t)kind && str_equal(item->text, name))
			return *recent;
	}
	*recent = index = intern_add(&r->names, name, (uint64_t)kind);
	if (index >= r->method_room) {
		MEM_GROW(r->methods, r->method_room, (size_t)index + 1);
		for (; known < r->method_room; known++)
			r->methods[known] = METHOD_NONE;
	}
	return index;
}

struct str
slice_text(struct reader *r, struct str name)
{
	uint32_t index = slice_name(r, name, NAME_SYNC);

	return r->names.items[index].text;
}

uint32_t
slice_method(struct reader *r, struct str name, bool async)
{
	uint32_t index = slice_name(r, name, async ? NAME_ASYNC : NAME_SYNC);

	if (r->methods[index] == METHOD_NONE) {
		/* Not the name's index: names may have been met without a slice. */
		struct method m = {.id = r->method_count++, .name = r->names.items[index].text, .known = true,
		    .async = async};

		if (m.name.n == 0)
			m.name = STR("(unnamed)");
		r->methods[index] = trace_method_define(r->trace, index, &m, NULL);
		if (r->methods[index] == METHOD_NONE)
			r->methods[index] = trace_method_made(r->trace, STR("(other)"));
	}
	return r->methods[index];
}

/* Chains ------------------------------------------------------------------------ */

uint32_t
link_begin(struct reader *r, const struct marker *m, uint32_t thread, uint32_t method, nsec at)
{
	struct log_link *link;
	uint32_t index;

	if (m->chain.n == 0 || r->log->links.count >= UINT32_MAX - 1)
		return 0;
	index = intern_add(&r->chains, m->chain, 0);
	if (index == r->log->chains.count &&
	    !seg_add(&r->log->chains, &(struct log_chain){.id = r->chains.items[index].text}))
		return 0;
	link = spool_add(&r->log->links, &r->source.failed);
	if (link == NULL)
		return 0;
	((struct log_chain *)seg_at(&r->log->chains, index))->count++;
	*link = (struct log_link){.from = at, .to = LOG_OPEN, .offset = r->line_at,
	    .thread = thread, .method = method, .chain = index,
	    .code = m->kernel ? (uint32_t)m->value : 0};
	return (uint32_t)r->log->links.count;
}

void
link_end(struct reader *r, uint32_t link, nsec at)
{
	if (link > 0)
		((struct log_link *)spool_at(&r->log->links, link - 1))->to = at;
}

/* Slices of threads ------------------------------------------------------------- */

/* Keeps the link of the slice on top of a thread's stack. */
static void
link_keep(struct thread_row *row, uint32_t link)
{
	if (link == 0 && row->links == NULL)
		return;
	MEM_GROW_ZERO(row->links, row->link_room, (size_t)row->depth);
	row->links[row->depth - 1] = link;
}

/* Adds a slice of a frame to what tells which app is in front (log_main_thread). */
static void
frame_note(struct reader *r, const struct thread_row *row, struct str name)
{
	/* As the platforms begin their names; jank_frames has more kinds. */
	static const struct {
		struct str head;
		uint8_t frame, drawn, queued;
	} heads[] = {{STR("Choreographer#doFrame"), 1, 0, 0}, {STR("DrawFrame"), 1, 1, 0},
	    {STR("frame: "), 1, 1, 0}, {STR("ReceiveVsync"), 1, 0, 0}, {STR("OnVsyncEvent"), 1, 0, 0},
	    {STR("UIVsyncTask"), 1, 0, 0}, {STR("MarshRSTransactionData"), 0, 1, 0},
	    {STR("queueBuffer"), 0, 0, 1}};
	static const char first[] = "CDfROUMq"; /* letters of the heads: most names have another */
	struct log_process *process;

	if (row->thread.process == 0 || name.n == 0 || memchr(first, name.p[0], sizeof(first) - 1) == NULL)
		return;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (!str_starts(name, heads[i].head))
			continue;
		process = seg_at(&r->log->processes, row->thread.process - 1);
		log_add(&process->frames, heads[i].frame);
		log_add(&process->drawn, heads[i].drawn);
		log_add(&process->queued, heads[i].queued);
		return;
	}
}

/* Adds `busy`, time in slices of the main thread, to its process. */
static void
process_note(struct reader *r, const struct thread_row *row, nsec busy)
{
	struct log_process *process;

	if (row->thread.process == 0)
		return;
	process = seg_at(&r->log->processes, row->thread.process - 1);
	if (row->thread.kind == THREAD_TASK && row->thread.id == process->pid)
		log_add(&process->busy, (uint64_t)busy);
}

static void
begin_take(struct reader *r, uint32_t thread, const struct marker *m, nsec at, bool shown)
{
	struct thread_row *row = &r->rows[thread];
	uint32_t method = METHOD_NONE;

	if (row->depth >= (r->nests ? NESTED_MAX : DEPTH_MAX)) {
		row->deep++;
		row->too_deep = true;
		slice_too_deep(r);
		return;
	}
	if (shown)
		method = slice_method(r, m->name, row->thread.kind == THREAD_ASYNC);
	MEM_GROW(row->stack, row->room, (size_t)row->depth + 1);
	if (row->depth == 0)
		row->since = at;
	if (row->depth < DEPTH_MAX) {
		row->kernel[row->depth / 64] &= ~(UINT64_C(1) << row->depth % 64);
		row->kernel[row->depth / 64] |= (uint64_t)m->kernel << row->depth % 64;
	}
	row->stack[row->depth++] = method;
	frame_note(r, row, m->name);
	if (!shown)
		return;
	event_keep(r, thread, slice_word(method, ACTION_ENTER), at);
	link_keep(row, link_begin(r, m, thread, method, at));
}

/* The end of a slice by a kernel's marker says which one it means. */
static bool
names_agree(const struct reader *r, uint32_t method, struct str name)
{
	uint32_t index;

	if (name.n == 0 || method == METHOD_NONE ||
	    str_equal(trace_method(r->trace, method)->name, name))
		return true;
	index = intern_find(&r->names, name, NAME_SYNC);
	return r->trace->renamer != NULL && index != IDMAP_NONE && r->methods[index] == method;
}

/* The innermost slice of a thread ends. */
static uint32_t
slice_end(struct reader *r, uint32_t thread, nsec at)
{
	struct thread_row *row = &r->rows[thread];
	uint32_t method = row->stack[--row->depth];

	if (row->depth < row->link_room) {
		link_end(r, row->links[row->depth], at);
		row->links[row->depth] = 0;
	}
	if (row->depth == 0)
		process_note(r, row, at - row->since);
	if (method != METHOD_NONE)
		event_keep(r, thread, slice_word(method, ACTION_EXIT), at);
	return method;
}

/* True if an event of the kernel's began the slice at this depth, from 1 (spans.h). */
static bool
is_kernel(const struct thread_row *row, uint32_t depth)
{
	return depth > 0 && depth <= DEPTH_MAX &&
	    (row->kernel[(depth - 1) / 64] >> (depth - 1) % 64 & 1) != 0;
}

/* How deep the slice is that an end is of; 0: there is none. */
static uint32_t
slice_find(const struct reader *r, const struct thread_row *row, const struct marker *m)
{
	uint32_t depth = row->depth;

	while (m->exact && depth > 0 && (row->stack[depth - 1] == METHOD_NONE ||
	    (m->kernel && !is_kernel(row, depth)) ||
	    !names_agree(r, row->stack[depth - 1], m->name)))
		depth--;
	return depth;
}

static void
end_take(struct reader *r, uint32_t thread, const struct marker *m, nsec at)
{
	struct thread_row *row = &r->rows[thread];
	struct log_summary *s = &r->log->summary;
	uint32_t depth;

	if (row->deep > 0) {
		row->deep--;
		return;
	}
	depth = slice_find(r, row, m);
	/* A program's end never ends a slice of the kernel's. */
	if (!m->kernel && is_kernel(row, depth))
		depth = 0;
	if (depth == 0) {
		s->unmatched_ends += !m->kernel;
		if (row->depth > 0)
			damage_add(r->damage, DAMAGE_UNMATCHED_EXIT, 1, r->line_at);
		else
			end_before(r, END_OF_ROW, thread);
		return;
	}
	/* Slices that are still open in it end, too. */
	s->suspicious_ends += row->depth - depth;
	while (row->depth > depth)
		(void)slice_end(r, thread, at);
	s->suspicious_ends += !names_agree(r, slice_end(r, thread, at), m->name);
}

void
call_fail(struct reader *r, uint32_t thread, nsec at)
{
	const struct marker call = {.kind = MARKER_END, .kernel = true, .exact = true,
	    .name = STR("binder transaction")}, reply = {.kernel = true, .exact = true,
	    .name = STR("binder reply")};
	struct thread_row *row = &r->rows[thread];
	uint32_t depth = slice_find(r, row, &call);

	if (row->deep > 0 || depth == 0 || slice_find(r, row, &reply) > depth)
		return;
	if (depth <= row->link_room && row->links[depth - 1] > 0)
		((struct log_link *)spool_at(&r->log->links, row->links[depth - 1] - 1))->failed = true;
	end_take(r, thread, &call, at);
}

void
stack_take(struct reader *r, uint32_t thread, const struct str *names, uint32_t count, nsec at)
{
	struct thread_row *row = &r->rows[thread];
	uint32_t same = 0;

	while (same < row->depth && same < count &&
	    row->stack[same] == slice_method(r, names[same], false))
		same++;
	while (row->depth > same)
		(void)slice_end(r, thread, at);
	for (; same < count; same++) {
		struct marker m = {.kind = MARKER_BEGIN, .name = names[same]};

		begin_take(r, thread, &m, at, true);
	}
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
		r->rows[thread].instants = true;
		(void)seg_add(&r->log->instant_threads, &thread);
	}
	if (m->chain.n > 0 && m->kind == MARKER_INSTANT && thread != SCHED_NONE)
		link_end(r, link_begin(r, m, thread, slice_method(r, m->name, false), at), at);
}

/* Other clocks ------------------------------------------------------------------ */

static bool
sync_take(struct reader *r, struct str text)
{
	if (!str_starts(text, STR("trace_event_clock_sync:")))
		return false;
	r->log->summary.clock_syncs++;
	return true;
}

/* One marker -------------------------------------------------------------------- */

static void
level_count(struct log_summary *s, struct str level)
{
	int rank = log_level_rank(level.p[0]);

	/*
	 * The level was valid when the line was parsed, but the file may have been written to
	 * since.
	 */
	if (rank >= 0)
		s->levels[rank]++;
	for (size_t i = 1; i + 1 < level.n; i += 2)
		s->tags[log_level_tag(level, i)]++;
}

/* Counts the slice's level; true if the choice of level and tags (log.h) shows the slice. */
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

	if (m->kind == MARKER_OTHER && sync_take(r, m->name))
		return;
	s->markers[m->kind] += !m->kernel;
	s->truncated += m->truncated;
	if (m->malformed) {
		s->malformed++;
		damage_add(r->damage, DAMAGE_MALFORMED_LINE, 1, r->line_at);
		return;
	}
	if (m->kind != MARKER_OTHER && m->kind != MARKER_END && !m->kernel)
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

/* Looks for the slice that a thread has open most often. */
static void
deep_find(struct reader *r, uint32_t thread)
{
	const struct thread_row *row = &r->rows[thread];
	struct log_deep deep = {.thread = thread, .open = (uint64_t)row->depth + row->deep,
	    .outer = row->depth};

	if (deep.open <= r->log->summary.deep.open)
		return;
	for (uint32_t i = 0; i < row->depth; i++) {
		uint32_t count = 0;

		for (uint32_t k = i; k < row->depth && row->stack[i] != METHOD_NONE; k++)
			count += row->stack[k] == row->stack[i];
		if (count > deep.count) {
			deep.count = count;
			deep.method = row->stack[i];
		}
	}
	r->log->summary.deep = deep;
}

/* Slices that are open at the end last until then. */
void
slices_end(struct reader *r, nsec at)
{
	struct log_summary *s = &r->log->summary;

	for (uint32_t i = 0; i < r->row_count; i++) {
		struct thread_row *row = &r->rows[i];

		s->unfinished += row->depth + row->deep;
		for (uint32_t depth = row->depth; depth > 0; depth--)
			s->unfinished -= is_kernel(row, depth);
		if (row->depth == 0)
			continue;
		if (row->too_deep)
			deep_find(r, i);
		event_keep(r, i, WORD_TICK, at);
		process_note(r, row, at - row->since);
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
