// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/findings_list.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "trace/log.h"

/* Rows of a finding: itself, and each line of what shows it; those of limits come after all. */
enum { ROW_FINDING, ROW_LIMIT, ROW_EVIDENCE };

enum {
	KIND_COLUMNS = 7,
	TEXT_COLUMN = 33, /* where texts begin, unless other columns were chosen */
	WRAP_LEAST = 20
};

static const struct column columns[] = {
#define COLUMN(number, value, ...) [number] = {__VA_ARGS__},
#include "view/findings_list.def"
#undef COLUMN
    {.id = NULL},
};

static struct finding_words
words_of(const struct findings_list *f)
{
	return (struct finding_words){
	    f->display->figures.trace, f->found, f->display->figures.names};
}

static struct value
get(const void *of, const struct list_row *row, int column)
{
	const struct findings_list *f = of;
	const struct finding_words words = words_of(f);
	const struct finding *finding = row->of == ROW_FINDING ? &f->found->list[row->item] : NULL;
	const struct thread *thread;

	if (finding == NULL)
		return column == FOUND_TEXT ? value_text(f->texts[row->item])
		    : column == FOUND_RANK  ? value_count(row->item + 1)
					    : VALUE_NONE;
	thread = finding->thread != THREAD_NONE ? trace_thread(words.trace, finding->thread) : NULL;
	switch (column) {
#define COLUMN(number, value, ...)                                                               \
	case number:                                                                             \
		return value;
#include "view/findings_list.def"
#undef COLUMN
	default:
		return VALUE_NONE;
	}
}

/* Returns the lines of evidence of a finding; an empty one ends them. */
static struct str *
evidence_of(const struct findings_list *f, uint32_t finding)
{
	return &f->texts[f->found->count + FINDING_LIMITS + finding * FINDING_EVIDENCE];
}

/* In JSON ----------------------------------------------------------------------- */

static void
member_method(struct json *j, const char *key, const struct trace *trace, uint32_t method)
{
	struct sbuf full = {0};
	const struct method *m;

	if (method == METHOD_NONE) {
		member_null(j, key);
		return;
	}
	m = trace_method(trace, method);
	if (m->class_name.n > 0) {
		for (size_t i = 0; i < m->class_name.n; i++)
			sbuf_char(&full, m->class_name.p[i] == '/' ? '.' : m->class_name.p[i]);
		sbuf_char(&full, '.');
		sbuf_str(&full, m->name);
	} else {
		sbuf_str(&full, finding_name_of(m));
	}
	member_str(j, key, sbuf_view(&full));
	sbuf_release(&full);
}

void
finding_thread(struct json *j, const struct finding_words *w, uint32_t thread, uint32_t process)
{
	struct str name;

	if (thread != THREAD_NONE) {
		member_uint(j, "tid", trace_thread(w->trace, thread)->id);
		member_str(j, "thread", trace_thread(w->trace, thread)->name.n > 0
			? trace_thread(w->trace, thread)->name : names_thread(w->names, thread));
	} else {
		member_null(j, "tid");
		member_null(j, "thread");
	}
	name = finding_process(w, process);
	if (name.n > 0)
		member_str(j, "process", name);
	else
		member_null(j, "process");
}

static void
json_place(struct json *j, const struct finding_words *w, const struct finding *f)
{
	const struct trace *trace = w->trace;
	const bool log = trace->log != NULL;

	member_object(j, "place");
	finding_thread(j, w, f->thread, f->process);
	if (f->length >= 0) {
		member_us(j, "start_us", f->start);
		member_us(j, "time_us", f->length);
	} else {
		member_null(j, "start_us");
		member_null(j, "time_us");
	}
	member_method(j, "method", trace, log ? METHOD_NONE : f->method);
	member_method(j, "slice", trace, log ? f->method : METHOD_NONE);
	json_end(j);
}

static void
json_cause(struct json *j, const struct trace *trace, const struct finding_cause *c)
{
	static const char *const words[] = {[CAUSE_CLASS] = "class", [CAUSE_OWN] = "app",
	    [CAUSE_PATH] = "path", [CAUSE_SPLIT] = "split"};

	if (c->by == CAUSE_NONE) {
		member_null(j, "cause");
		return;
	}
	member_object(j, "cause");
	member_str(j, "by", str_from(words[c->by]));
	if (c->by == CAUSE_CLASS)
		member_str(j, "kind", str_from(finding_kinds[c->kind].word));
	member_us(j, "time_us", c->time);
	member_method(j, "name", trace, c->method);
	if (c->by == CAUSE_CLASS) {
		member_us(j, "name_us", c->method_time);
		member_method(j, "caller", trace, c->caller);
		if (c->caller != METHOD_NONE)
			member_us(j, "caller_us", c->caller_time);
		json_end(j);
		return;
	}
	if (c->by == CAUSE_SPLIT)
		member_method(j, "under", trace, c->under);
	member_array(j, "parts");
	for (uint32_t i = 0; i < c->part_count; i++) {
		json_object(j);
		member_method(j, "name", trace, c->parts[i].method);
		member_us(j, "time_us", c->parts[i].time);
		if (c->parts[i].kind != FINDING_KINDS)
			member_str(j, "kind", str_from(finding_kinds[c->parts[i].kind].word));
		else
			member_null(j, "kind");
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

/* Times of a kind that may be 0 and are then of no meaning are left out. */
static void
member_time(struct json *j, const char *key, nsec time)
{
	if (time > 0)
		member_us(j, key, time);
}

static void
json_figures(struct json *j, const struct finding_words *w, const struct finding *f)
{
	static const char *const states[JANK_STATES] = {
	    [JANK_RUNNING] = "running_us", [JANK_RUNNABLE] = "runnable_us",
	    [JANK_SLEEPING] = "asleep_us", [JANK_BLOCKED] = "blocked_us"};
	const struct trace *trace = w->trace;

	member_object(j, "figures");
	if (f->count > 0 || f->of > 0)
		member_uint(j, "count", f->count);
	if ((f->kind == FINDING_FRAMES || f->kind == FINDING_NONE) && f->of > 0)
		member_uint(j, "of", f->of);
	member_time(j, "longest_us", f->length);
	member_time(j, "cpu_us", f->cpu);
	member_time(j, "tracing_us", f->tracing);
	member_time(j, "net_us", f->net);
	member_time(j, "of_us", f->whole);
	for (int i = 0; i < JANK_STATES; i++)
		member_time(j, states[i], f->state[i]);
	if (f->method_time > 0) {
		member_method(j, "most_in", trace, f->method);
		member_us(j, "most_us", f->method_time);
	}
	if (f->caller != METHOD_NONE) {
		member_method(j, "caller", trace, f->caller);
		member_us(j, "caller_us", f->caller_time);
	}
	if (f->kind == FINDING_ANR || f->kind == FINDING_STALL || f->kind == FINDING_LATE) {
		member_uint(j, "blocked", f->blocked);
		member_uint(j, "frames", f->framed);
	} else if (f->kind == FINDING_FRAMES) {
		member_uint(j, "in_stalls", f->framed);
	}
	if (f->cause.whole > 0)
		json_cause(j, trace, &f->cause);
	json_end(j);
}

static void
members(const void *of, const struct list_row *row, struct json *j)
{
	const struct findings_list *f = of;
	const struct finding_words words = words_of(f);
	const struct str *lines = evidence_of(f, row->item);

	member_array(j, "evidence");
	for (int i = 0; i < FINDING_EVIDENCE && lines[i].n > 0; i++)
		json_str(j, lines[i]);
	json_end(j);
	json_place(j, &words, &f->found->list[row->item]);
	json_figures(j, &words, &f->found->list[row->item]);
}

/* The list ------------------------------------------------------------------------ */

/* Limits have no rank. */
static const char *
text(const void *of, const struct list_row *row, int column, struct value v,
    char out[static FMT_SIZE])
{
	if (column == FOUND_RANK && row->of != ROW_FINDING)
		return row->of == ROW_LIMIT ? "?" : "";
	snprintf(out, FMT_SIZE, "%.*s", STR_ARG(value_format(
	    ((const struct findings_list *)of)->list.figures, v, FMT_SIZE - 1, FMT_BUF)));
	return out;
}

/* Identities are kinds, which no answer has twice. */
static struct list_id
id_of(uint32_t number, uint32_t of)
{
	return (struct list_id){number, of};
}

static void
children(void *of, struct list *l, const struct list_row *row)
{
	const struct findings_list *f = of;

	if (f->found == NULL || (row != NULL && row->of != ROW_FINDING))
		return;
	if (row != NULL) {
		const struct str *lines = evidence_of(f, row->item);
		uint32_t at = (uint32_t)(lines - f->texts);

		for (uint32_t i = 0; i < FINDING_EVIDENCE && lines[i].n > 0; i++)
			list_add(l, id_of(f->found->list[row->item].kind, ROW_EVIDENCE + i),
			    at + i)->of = ROW_EVIDENCE;
		return;
	}
	for (uint32_t i = 0; i < f->found->count; i++) {
		struct list_row *added = list_add(l, id_of(f->found->list[i].kind, ROW_FINDING), i);

		added->flags |= evidence_of(f, i)->n > 0 ? LIST_LEADS : 0;
		added->of = ROW_FINDING;
	}
	for (uint32_t i = 0; i < FINDING_LIMITS && !l->files; i++) {
		if (f->found->limits.set[i])
			list_add(l, id_of(i, ROW_LIMIT), f->found->count + i)->of = ROW_LIMIT;
	}
}

static bool
parent(const void *of, struct list_id id, struct list_id *above)
{
	*above = id_of((uint32_t)id.a, ROW_FINDING);
	return id.b >= ROW_EVIDENCE;
}

static look
style(const void *of, const struct list_row *row, int column, struct value v)
{
	return row->of == ROW_FINDING ? ROLE_TEXT : ROLE_DIM;
}

static bool
draw(const void *of, struct canvas *c, struct rect r, const struct list_row *row, int column)
{
	const struct findings_list *f = of;

	if (column != FOUND_TEXT)
		return false;
	/* Evidence has the column of kinds, too. */
	if (row->of == ROW_EVIDENCE && r.column > KIND_COLUMNS) {
		r.column -= KIND_COLUMNS;
		r.columns += KIND_COLUMNS;
	}
	canvas_text(c, r.row, r.column, r.column + r.columns,
	    names_head(f->display->figures.names, f->texts[row->item], r.columns),
	    row->of == ROW_FINDING ? ROLE_TEXT : ROLE_DIM);
	return true;
}

/* Draws a text between words; returns the row after it. */
static int
draw_wrapped(struct canvas *c, struct rect r, struct str text, look l)
{
	int row = r.row;

	while (text.n > 0 && row < r.row + r.rows) {
		struct str line = utf8_head(text, (size_t)r.columns, NULL);

		while (line.n < text.n && line.n > 0 && text.p[line.n] != ' ')
			line.n--;
		if (line.n == 0)
			line = utf8_head(text, (size_t)r.columns, NULL);
		canvas_text(c, row++, r.column, r.column + r.columns, line, l);
		while (line.n < text.n && text.p[line.n] == ' ')
			line.n++;
		text = (struct str){text.p + line.n, text.n - line.n};
	}
	return row;
}

void
findings_list_draw_whole(const struct findings_list *f, struct canvas *c, struct rect list)
{
	const struct finding *finding = findings_list_cursor(f);
	int used = (int)(f->list.at.count - f->list.at.top) + 2, wide = list.columns - TEXT_COLUMN;
	struct rect r = {list.row + used, list.column + 2, list.rows - used, list.columns - 4};
	uint32_t at = finding != NULL ? (uint32_t)(finding - f->found->list) : 0;
	const struct str *lines;

	if (finding == NULL || r.rows < 1 || r.columns < WRAP_LEAST)
		return;
	lines = evidence_of(f, at);
	for (int i = -1; i < FINDING_EVIDENCE && (i < 0 || lines[i].n > 0) && r.rows > 0; i++) {
		struct str text = i < 0 ? f->texts[at] : lines[i];
		int end;

		if ((int)utf8_width(text) <= wide + (i < 0 ? 0 : KIND_COLUMNS))
			continue;
		end = draw_wrapped(c, r, text, i < 0 ? ROLE_TEXT : ROLE_DIM);
		r.rows -= end - r.row;
		r.row = end;
	}
}

static void
draw_empty(const void *of, struct canvas *c, struct rect r)
{
	const struct findings_list *f = of;

	canvas_text(c, r.row, r.column + 1, r.column + r.columns,
	    f->found == NULL ? STR("looking for what is slow...") : STR("nothing to tell"), ROLE_DIM);
}

const struct list_source findings_source = {
    .word = "findings",
    .columns = columns,
    .sort = FOUND_RANK,
    .name_least = 20,
    .settles = true,
    .get = get,
    .children = children,
    .parent = parent,
    .members = members,
    .text = text,
    .style = style,
    .draw = draw,
    .draw_empty = draw_empty,
};

void
findings_list_init(struct findings_list *f, const struct display *display)
{
	*f = (struct findings_list){.display = display};
	list_init(&f->list, &findings_source, f, &display->figures);
}

void
findings_list_release(struct findings_list *f)
{
	list_release(&f->list);
	findings_free(f->found);
	mem_free(f->texts);
	arena_release(&f->arena);
}

static void
texts_make(struct findings_list *f)
{
	struct finding_words w = words_of(f);
	uint32_t count = f->found->count;
	struct sbuf text = {0};

	f->texts = mem_zero(count * (1 + (size_t)FINDING_EVIDENCE) + FINDING_LIMITS, sizeof(*f->texts));
	for (uint32_t i = 0; i < count; i++) {
		struct str *lines = evidence_of(f, i);

		finding_text(&text, &w, &f->found->list[i]);
		f->texts[i] = arena_str(&f->arena, sbuf_view(&text));
		sbuf_clear(&text);
		for (int k = 0; k < FINDING_EVIDENCE &&
		     finding_evidence(&text, &w, &f->found->list[i], k); k++) {
			lines[k] = arena_str(&f->arena, sbuf_view(&text));
			sbuf_clear(&text);
		}
	}
	for (int i = 0; i < FINDING_LIMITS; i++) {
		if (!f->found->limits.set[i])
			continue;
		finding_limit_text(&text, &w, (enum finding_limit)i);
		f->texts[count + (uint32_t)i] = arena_str(&f->arena, sbuf_view(&text));
		sbuf_clear(&text);
	}
	sbuf_release(&text);
}

void
findings_list_set(struct findings_list *f, struct findings *found)
{
	findings_free(f->found);
	mem_free(f->texts);
	arena_release(&f->arena);
	f->arena = (struct arena){0};
	f->found = found;
	texts_make(f);
	list_update(&f->list);
}

void
findings_list_begin(struct findings_list *f)
{
	size_t room = f->list.at.height, used = f->list.at.count;

	if (f->opened || f->found == NULL || f->found->count == 0 || room == 0)
		return;
	f->opened = true;
	for (uint32_t i = 0; i < f->found->count; i++) {
		const struct str *lines = evidence_of(f, i);
		size_t count = 0;

		while (count < FINDING_EVIDENCE && lines[count].n > 0)
			count++;
		used += count;
		if (i > 0 && used > room)
			break;
		(void)ids_add(&f->list.open, id_of(f->found->list[i].kind, ROW_FINDING));
	}
	list_update(&f->list);
}

const struct finding *
findings_list_cursor(const struct findings_list *f)
{
	const struct list_row *row = list_row(&f->list);
	uint32_t at = row != NULL ? row->item : 0;

	if (row == NULL || row->of == ROW_LIMIT)
		return NULL;
	return &f->found->list[row->of == ROW_FINDING ? at
	    : (at - f->found->count - FINDING_LIMITS) / FINDING_EVIDENCE];
}

look
findings_list_first(const struct findings_list *f, struct sbuf *out)
{
	const struct findings *found = f->found;
	bool late = false;

	if (found == NULL)
		return ROLE_DIM;
	if (found->count == 0) {
		for (int i = 0; i < FINDING_LIMITS && out->n == 0; i++)
			sbuf_str(out, found->limits.set[i] ? f->texts[i] : STR(""));
		return ROLE_DIM;
	}
	late = found->list[0].late > 0;
	sbuf_str(out, f->texts[0]);
	for (uint32_t i = 1; i < found->count && late; i++) {
		if (found->list[i].kind != FINDING_FRAMES)
			continue;
		sbuf_printf(out, "; %" PRIu64 " of %" PRIu64 " frames late", found->frames_late, found->frames);
	}
	return late ? ROLE_SLOWER : ROLE_FASTER;
}
