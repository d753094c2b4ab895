// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/frames.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/compat.h"
#include "trace/log.h"

static const struct column columns[] = {
#define COLUMN(number, value, ...) [number] = {__VA_ARGS__},
#include "view/frames.def"
#undef COLUMN
    {.id = NULL},
};

/* On the clock of the timeline: what the budget is about. */
static nsec
length(const struct frames *f, const struct jank_frame *frame)
{
	return frame->time[trace_default_clock(f->display->figures.trace)];
}

/* True if the frame has a call of a thread. */
static bool
called(const struct jank_frame *frame)
{
	return !jank_is_told(frame) || frame->method != METHOD_NONE;
}

/* True if the frame is the main thread's, or of a log its process'. */
static bool
is_main(const struct frames *f, const struct jank_frame *frame)
{
	const struct trace *t = f->display->figures.trace;

	return f->main != THREAD_NONE && (frame->thread == f->main ||
	    (f->log && frame->process > 0 && frame->process == trace_thread(t, f->main)->process));
}

struct str
frames_process(const struct frames *f, const struct jank_frame *frame)
{
	return frame->process > 0 && frame->process < f->processes.count
	    ? f->processes.items[frame->process].name : STR("");
}

bool
frames_over(const struct frames *f, const struct jank_frame *frame, nsec *over)
{
	return jank_over(frame, trace_default_clock(f->display->figures.trace), over) &&
	    (frame->source != JANK_CALLS || *over > 0);
}

static struct value
over_of(const struct frames *f, const struct jank_frame *frame)
{
	nsec over;

	return frames_over(f, frame, &over) ? value_time(over) : VALUE_NONE;
}

static struct value
known(nsec time)
{
	return time >= 0 ? value_time(time) : VALUE_NONE;
}

struct str
frames_cause(const struct frames *f, const struct jank_frame *frame)
{
	uint32_t place = log_janks_slow(frame->janks) ? idmap_get(&f->cause_of, frame->janks)
						      : IDMAP_NONE;

	if (frame->cause != JANK_UNTOLD)
		return str_from(jank_cause_names[frame->cause]);
	return place != IDMAP_NONE ? f->causes[place] : STR("");
}

/* Empty where no state of its thread is known, as of what is no call of one. */
static struct value
state_of(const struct jank_frame *frame, enum jank_state state)
{
	nsec known = 0;

	for (int s = 0; s < JANK_STATES; s++)
		known += frame->state[s];
	return known > 0 ? value_time(frame->state[state]) : VALUE_NONE;
}

static struct value
get(const void *of, const struct list_row *row, int column)
{
	const struct frames *f = of;
	const struct jank_frame *frame = frames_at(f, row);
	struct names *names = f->display->figures.names;
	bool heavy = frame->heaviest != METHOD_NONE;

	switch (column) {
#define COLUMN(number, value, ...)                                                               \
	case number:                                                                             \
		return value;
#include "view/frames.def"
#undef COLUMN
	default:
		return VALUE_NONE;
	}
}

static struct str
raw(const void *of, const struct list_row *row)
{
	const struct frames *f = of;
	uint32_t method = frames_at(f, row)->heaviest;

	return method != METHOD_NONE ? names_raw(f->display->figures.names, method) : STR("");
}

static struct value
file(const void *of, const struct list_row *row, int column)
{
	const struct frames *f = of;
	const struct jank_frame *frame = frames_at(f, row);
	uint32_t method = column == FRAME_METHOD ? frame->method : frame->heaviest;

	if (column == FRAME_THREAD)
		return called(frame)
		    ? value_text(trace_thread(f->display->figures.trace, frame->thread)->name) : VALUE_NONE;
	if (column == FRAME_METHOD && !called(frame))
		return VALUE_NONE;
	return (column == FRAME_METHOD || column == FRAME_HEAVIEST) && method != METHOD_NONE
	    ? value_text(names_own(f->display->figures.names, method)) : get(of, row, column);
}

static bool
has(const void *of, int column)
{
	const struct frames *f = of;

	if (column >= FRAME_RUNNING && column <= FRAME_BLOCKED)
		return f->scheduled;
	if (column == FRAME_LAYERS)
		return f->told;
	if ((column >= FRAME_BUDGET && column <= FRAME_RENDER) ||
	    (column >= FRAME_PID && column <= FRAME_DREW))
		return f->log;
	if (column == FRAME_METHOD)
		return !f->log;
	return column != FRAME_CPU || (!f->scheduled && trace_has_both(f->display->figures.trace));
}

static struct list_id
id_of(const struct frames *f, const struct jank_frame *frame)
{
	struct identities *ids = f->display->figures.identities;

	if (jank_is_told(frame)) /* its thread is known once a call of it is */
		return (struct list_id){identity_call((uint64_t)frame->source << 56 ^
		    (uint64_t)frame->token, frame->pid, frame->start), 0};
	return (struct list_id){identity_call(identity_method(ids, frame->method),
	    identity_thread(ids, frame->thread), frame->start), 0};
}

/* Files have all rows, as reports have. */
static void
children(void *of, struct list *l, const struct list_row *row)
{
	const struct frames *f = of;
	const bool others = !f->log || !f->front || l->files || f->of_main == 0;

	for (uint32_t i = 0; f->jank != NULL && i < f->jank->count; i++) {
		bool first = is_main(f, &f->jank->frames[i]);

		if (first || others)
			list_add(l, id_of(f, &f->jank->frames[i]), i)->flags =
			    f->log || first ? 0 : LIST_AFTER;
	}
}

/* The worst that is slow. */
static bool
begin(const void *of, struct list_id *id)
{
	const struct frames *f = of;

	if (f->over == 0)
		return false;
	*id = id_of(f, &f->jank->frames[f->worst]);
	return true;
}

static bool
hit(const void *of, const struct list_row *row)
{
	const struct frames *f = of;
	const struct jank_frame *frame = frames_at(f, row);

	return (called(frame) && (display_is_thread_hit(f->display, frame->thread) ||
	    display_is_hit(f->display, frame->method))) ||
	    (frame->heaviest != METHOD_NONE && display_is_hit(f->display, frame->heaviest));
}

static look
style(const void *of, const struct list_row *row, int column, struct value v)
{
	const struct frames *f = of;
	const struct jank_frame *frame = frames_at(f, row);

	if (f->log && frame->drew == 0)
		return ROLE_DIM;
	return column == FRAME_OVER && frame->slow ? ROLE_WARNING : ROLE_TEXT;
}

static bool
draw(const void *of, struct canvas *c, struct rect r, const struct list_row *row, int column)
{
	const struct frames *f = of;
	uint32_t method = frames_at(f, row)->heaviest;
	int end = r.column + r.columns, at;

	if (column != FRAME_HEAVIEST || method == METHOD_NONE)
		return false;
	at = name_swatch(c, r.row, r.column, end, f->display, method, ROLE_TEXT);
	name_draw(c, r.row, at, end, f->display, method, f->display->elision, ROLE_TEXT);
	return true;
}

static void
draw_empty(const void *of, struct canvas *c, struct rect r)
{
	const struct frames *f = of;
	int at = r.column + 1, end = r.column + r.columns;

	if (f->jank == NULL)
		canvas_text(c, r.row, at, end, STR("looking for frames..."), ROLE_DIM);
	else
		canvas_text(c, r.row, at, end,
		    STR("no frames here: none is named so (:set frames=REGEX)"), ROLE_TEXT);
}

static bool
leaves_out(const void *of)
{
	const struct frames *f = of;

	return f->log && f->front;
}

const struct list_source frames_source = {
    .word = "frames",
    .columns = columns,
    .sort = FRAME_START,
    .name_least = 12,
    .settles = true,
    .leaves_out = leaves_out,
    .get = get,
    .children = children,
    .begin = begin,
    .has = has,
    .hit = hit,
    .raw = raw,
    .file = file,
    .style = style,
    .draw = draw,
    .draw_empty = draw_empty,
};

void
frames_init(struct frames *f, const struct display *display)
{
	*f = (struct frames){.display = display};
	list_init(&f->list, &frames_source, f, &display->figures);
}

void
frames_release(struct frames *f)
{
	list_release(&f->list);
	jank_free(f->jank);
	processes_release(&f->processes);
	idmap_release(&f->cause_of);
	mem_free(f->causes);
	arena_release(&f->arena);
}

/* Processes as they are shown: "surfaceflinger" of "/system/bin/surfaceflinger". */
static void
processes_name(struct frames *f)
{
	struct names *names = f->display->figures.names;
	char numbered[32];

	processes_release(&f->processes);
	processes_make(&f->processes, f->display->figures.trace);
	for (uint32_t i = 0; i < f->processes.count; i++) {
		struct process *p = &f->processes.items[i];
		const char *slash = p->name.n > 0 ? memrchr(p->name.p, '/', p->name.n) : NULL;

		if (slash != NULL)
			p->name = (struct str){slash + 1, (size_t)(p->name.p + p->name.n - slash) - 1};
		snprintf(numbered, sizeof(numbered), "process %" PRIu32, p->pid);
		p->name = arena_str(&f->arena,
		    p->name.n > 0 ? names_clean(names, p->name) : str_from(numbered));
	}
}

/* The words of all causes. */
static void
causes_name(struct frames *f)
{
	struct sbuf words = {0};
	size_t count = 0, room = 0;

	idmap_release(&f->cause_of);
	mem_free(f->causes);
	f->causes = NULL;
	for (uint32_t i = 0; f->jank != NULL && i < f->jank->count; i++) {
		uint32_t janks = f->jank->frames[i].janks;

		if (!log_janks_slow(janks) || idmap_get(&f->cause_of, janks) != IDMAP_NONE)
			continue;
		idmap_put(&f->cause_of, janks, (uint32_t)count);
		words.n = 0;
		log_janks_put(&words, janks);
		*MEM_ADD(f->causes, count, room) = arena_str(&f->arena, sbuf_view(&words));
	}
	sbuf_release(&words);
}

static int
group_order(const void *left, const void *right)
{
	const struct frames_group *a = left, *b = right;

	return order_then(ORDER(b->count, a->count), ORDER(a->process, b->process));
}

/* Counts the rows of a log's other processes. */
static void
count_groups(struct frames *f)
{
	struct frames_group *all = mem_zero(f->processes.count + 1, sizeof(*all));
	size_t count = 0;

	for (uint32_t i = 0; i < f->jank->count; i++) {
		const struct jank_frame *frame = &f->jank->frames[i];

		if (is_main(f, frame) || frame->process >= f->processes.count)
			continue;
		all[frame->process].process = frame->process;
		all[frame->process].count++;
		all[frame->process].slow += frame->slow;
	}
	for (uint32_t i = 0; i < f->processes.count; i++) {
		if (all[i].count > 0)
			all[count++] = all[i];
	}
	mem_sort(all, count, sizeof(*all), group_order);
	f->group_count = count < FRAMES_GROUPS ? (uint32_t)count : FRAMES_GROUPS;
	memcpy(f->groups, all, f->group_count * sizeof(*all));
	mem_free(all);
}

/* How much a slow frame is over; of others less than all that is. */
static nsec
badness(const struct frames *f, const struct jank_frame *frame)
{
	nsec over;

	return !frame->slow ? -1 : frames_over(f, frame, &over) && over > 0 ? over : 0;
}

/*
 * Counts the frames of the main thread, of a log of its process: without those that drew nothing,
 * where others did.
 */
static void
count_main(struct frames *f)
{
	bool drew = false;

	f->main = trace_main_thread(f->display->figures.trace);
	f->of_main = f->over = f->others = f->group_count = 0;
	f->worst = f->longest = UINT32_MAX;
	if (f->jank == NULL)
		return;
	for (uint32_t i = 0; i < f->jank->count; i++) {
		const struct jank_frame *frame = &f->jank->frames[i];

		drew |= frame->drew > 0 && is_main(f, frame);
	}
	for (uint32_t i = 0; i < f->jank->count; i++) {
		const struct jank_frame *frame = &f->jank->frames[i], *rows = f->jank->frames;

		if (!is_main(f, frame)) {
			f->others++;
			continue;
		}
		if (drew && frame->drew == 0)
			continue;
		f->of_main++;
		f->over += frame->slow;
		if (f->longest == UINT32_MAX || length(f, frame) > length(f, &rows[f->longest]))
			f->longest = i;
		if (f->worst == UINT32_MAX || badness(f, frame) > badness(f, &rows[f->worst]))
			f->worst = i;
	}
	if (f->log)
		count_groups(f);
}

void
frames_set(struct frames *f, struct jank *jank)
{
	const struct log *log = f->display->figures.trace->log;

	jank_free(f->jank);
	f->jank = jank;
	f->scheduled = log != NULL && log->has_sched;
	f->log = log != NULL &&
	    (jank == NULL || jank->count == 0 || jank->frames[0].source != JANK_CALLS);
	f->told = f->log && log->frames.count > 0;
	arena_release(&f->arena);
	if (f->log)
		processes_name(f);
	causes_name(f);
	count_main(f);
	list_update(&f->list);
}

const struct jank_frame *
frames_at(const struct frames *f, const struct list_row *row)
{
	return &f->jank->frames[row->item];
}

void
frames_set_front(struct frames *f, bool front)
{
	if (f->front == front)
		return;
	f->front = front;
	list_update(&f->list);
}

/* "late (period 11.131 ms: VSP-period), longest 20.0 ms at 0.795 s, worst over 8.9 ms" */
static void
main_put(const struct frames *f, struct sbuf *out)
{
	const struct jank *j = f->jank;
	const struct jank_frame *longest = &j->frames[f->longest], *worst = &j->frames[f->worst];
	char number[FMT_SIZE], at[FMT_SIZE];
	nsec over;

	if (worst->source == JANK_TIMELINE) {
		sbuf_text(out, " slow");
	} else if (f->log) {
		sbuf_text(out, " late (");
		jank_budget_put(out, j);
		sbuf_char(out, ')');
	} else if (j->budget < JANK_NO_BUDGET) {
		sbuf_printf(out, " over %s ms", fmt_time(number, j->budget, FMT_MS, 1));
	}
	sbuf_printf(out, ", longest %s ms at %s s",
	    fmt_time(number, length(f, longest), FMT_MS, 1), fmt_time(at, longest->start, FMT_S, 3));
	if (f->log && worst->slow && frames_over(f, worst, &over))
		sbuf_printf(out, ", worst over %s ms at %s s", fmt_time(number, over, FMT_MS, 1),
		    fmt_time(at, worst->start, FMT_S, 3));
}

/* "; 190 of others (@): wallpaper 0 of 188, systemui 0 of 2" */
static void
others_put(const struct frames *f, struct sbuf *out)
{
	if (f->others == 0)
		return;
	if (!f->log) {
		sbuf_printf(out, "; then %" PRIu32 " others", f->others);
		return;
	}
	sbuf_printf(out, "; %" PRIu32 " of others%s", f->others, f->front && f->of_main > 0 ? " (@)" : "");
	for (uint32_t i = 0; i < f->group_count; i++) {
		const struct frames_group *g = &f->groups[i];
		const struct str name = f->processes.items[g->process].name;

		sbuf_printf(out, "%s%.*s %" PRIu32 " of %" PRIu32, i > 0 ? ", " : ": ", STR_ARG(name),
		    g->slow, g->count);
	}
}

look
frames_summary(const struct frames *f, struct sbuf *out)
{
	const struct jank *j = f->jank;

	if (j == NULL || j->count == 0)
		return ROLE_DIM;
	if (f->of_main > 0) {
		/* Without a pattern of the user's, calls that start an app are among them. */
		sbuf_printf(out, "%" PRIu32 " of %" PRIu32 " frames%s of ", f->over, f->of_main,
		    f->log ? "" : " and starts");
		sbuf_str(out, names_thread(f->display->figures.names, f->main));
		main_put(f, out);
	} else {
		sbuf_printf(out, "no frame of the main thread");
	}
	others_put(f, out);
	if (j->total > j->count)
		sbuf_printf(out, "; the shortest %" PRIu64 " are left out", j->total - j->count);
	return f->of_main == 0 ? ROLE_DIM : f->over > 0 ? ROLE_SLOWER : ROLE_FASTER;
}

const struct jank_frame *
frames_cursor(const struct frames *f)
{
	const struct list_row *row = list_row(&f->list);

	return row != NULL ? frames_at(f, row) : NULL;
}

struct list_id
frames_cursor_id(const struct frames *f)
{
	const struct jank_frame *frame = frames_cursor(f);

	return frame != NULL ? id_of(f, frame) : (struct list_id){0, 0};
}

const struct jank_frame *
frames_find(const struct frames *f, struct list_id id)
{
	for (uint32_t i = 0; f->jank != NULL && i < f->jank->count; i++) {
		if (list_id_equal(id_of(f, &f->jank->frames[i]), id))
			return &f->jank->frames[i];
	}
	return NULL;
}

bool
frames_step(struct frames *f, int direction)
{
	for (int64_t i = (int64_t)f->list.at.cursor + direction;
	     i >= 0 && i < (int64_t)f->list.at.count; i += direction) {
		if (frames_at(f, &f->list.rows[i])->slow)
			return list_move(&f->list, i - (int64_t)f->list.at.cursor);
	}
	return false;
}
