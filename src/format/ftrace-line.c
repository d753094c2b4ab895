#include <config.h>

#include "base/mem.h"
#include "format/ftrace-reader.h"

/* Other lines ------------------------------------------------------------------- */

static bool
number_at(const char *p, const char *end, uint64_t *value, const char **after)
{
	*after = digits_take(p, end, 18, value);
	return *after > p;
}

/* The number behind a word of the line. */
static bool
number_behind(struct str line, const char *word, uint64_t *value, const char **after)
{
	const char *at = memmem(line.p, line.n, word, strlen(word));

	return at != NULL && number_at(at + strlen(word), line.p + line.n, value, after);
}

static void
comment_take(struct reader *r, struct str line)
{
	const char *end = line.p + line.n, *after;
	uint64_t kept, written;

	if (number_behind(line, "entries-in-buffer/entries-written: ", &kept, &after)) {
		if (after < end && *after == '/' && number_at(after + 1, end, &written, &after) &&
		    written > kept)
			r->log->summary.overwritten += written - kept;
	} else if (number_behind(line, "##### CPU ", &kept, &after)) {
		if (kept < LOGLINE_CPUS && memmem(after, (size_t)(end - after), "started", 7) != NULL)
			sched_buffer(&r->log->sched, (uint32_t)kept);
	}
}

/* "CPU:3 [LOST 123 EVENTS]" */
static bool
lost_take(struct reader *r, struct str line)
{
	const char *end = line.p + line.n, *after;
	uint64_t cpu, count;

	if (!str_starts(line, STR("CPU:")) || !number_at(line.p + 4, end, &cpu, &after) ||
	    cpu >= LOGLINE_CPUS || memmem(after, (size_t)(end - after), "[LOST", 5) == NULL)
		return false;
	if (number_behind(line, "[LOST ", &count, &after))
		r->log->summary.lost += count;
	else
		r->log->summary.lost_unknown++;
	damage_add(r->damage, DAMAGE_LOST_RECORDS, 1, r->line_at);
	sched_lost(&r->log->sched, (uint32_t)cpu);
	return true;
}

static struct str
trim_left(struct str s)
{
	while (s.n > 0 && (*s.p == ' ' || *s.p == '\t')) {
		s.p++;
		s.n--;
	}
	return s;
}

/* What programs print around a log. */
static bool
is_remark(struct str s)
{
	static const struct str begins[] = {STR("cpus="), STR("version = "), STR("CPU "),
	    STR("=> "), STR("<stack trace>"), STR("capturing trace"), STR("TRACE:"),
	    STR("version="), STR("done"), STR("\";")};

	if (s.n == 0)
		return true;
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		if (str_starts(s, begins[i]))
			return true;
	}
	if (memmem(s.p, s.n, "<stack trace>", 13) != NULL)
		return true;
	/* hitrace's console lines: 2025/06/04 16:07:57 ... */
	return s.n > 11 && s.p[4] == '/' && s.p[7] == '/' && s.p[10] == ' ' && s.p[0] == '2';
}

static void
other_take(struct reader *r, struct str line)
{
	struct log_summary *s = &r->log->summary;

	if (line.n > 0 && line.p[0] == '#') {
		comment_take(r, line);
		return;
	}
	if (lost_take(r, trim_left(line)) || is_remark(trim_left(line)))
		return;
	if (s->skipped < LOG_SKIPPED_KEPT)
		r->log->skipped[s->skipped] = line;
	s->skipped++;
	damage_add(r->damage, DAMAGE_SKIPPED_LINE, 1, r->line_at);
}

/* Records ----------------------------------------------------------------------- */

/* Of log.funcs, + 1. */
static uint32_t
func_find(struct reader *r, struct str func)
{
	struct recent_func *recent = &r->recent[(func.n * 7 + (unsigned char)func.p[0] * 5 +
	    (unsigned char)func.p[func.n - 1]) % RECENT_FUNCS];
	struct log_func *f;

	if (!str_equal(recent->name, func)) {
		*recent = (struct recent_func){func, intern_add(&r->funcs, func, 0)};
		if (recent->index == r->log->funcs.count) {
			f = seg_reserve(&r->log->funcs);
			if (f == NULL)
				return 0;
			f->name = func;
			seg_commit(&r->log->funcs);
		}
	}
	return recent->index + 1;
}

static void
func_count(struct reader *r, const struct logline *line)
{
	uint32_t index = func_find(r, line->func);

	if (index > 0)
		((struct log_func *)seg_at(&r->log->funcs, index - 1))->count++;
}

/* Whose line it is; the idle task's rows are made when something ran on it. */
static uint32_t
writer_take(struct reader *r, const struct logline *line)
{
	uint32_t row;

	if (!r->cpus_met[line->cpu]) {
		r->cpus_met[line->cpu] = true;
		r->log->summary.cpus++;
	}
	if (idmap_get(&r->met, line->tid) == IDMAP_NONE) {
		if (r->met.window == NULL && r->met.slot_used == 0 && reader_is_long(r))
			idmap_window(&r->met, 0, 1u << 22);
		idmap_put(&r->met, line->tid, 1);
		r->log->summary.threads++;
	}
	if (line->tid == 0)
		return SCHED_NONE;
	row = row_of_tid(r, line->tid);
	row_name(r, row, line->comm);
	if (line->has_tgid && r->rows[row].process_from < KNOWN_COLUMN)
		row_process(r, row, line->tgid, KNOWN_COLUMN);
	return row;
}

bool
line_take(struct reader *r, const struct scanned *l)
{
	struct log_summary *s = &r->log->summary;
	const struct logline *line = &l->line;
	uint32_t row;
	nsec at;

	s->lines++;
	if (l->kind == SCAN_OTHER) {
		other_take(r, l->text);
		return true;
	}
	if (l->kind == SCAN_EXCLUDED) {
		s->events++;
		return true;
	}
	if (line->ns < r->last_ns || line->ns < r->log->origin)
		return false;
	r->last_ns = line->ns;
	s->events++;
	at = reader_time(r, line->ns);
	func_count(r, line);
	row = writer_take(r, line);
	sched_line(&r->log->sched, at, line->cpu, row, r->log->has_sched);
	if (l->kind == SCAN_MARKER) {
		slice_take(r, line, row, &l->marker);
	} else if (l->kind == SCAN_SCHED) {
		sched_take(r, (enum sched_event)l->event, &l->sched, line, at, row);
	} else if (l->kind == SCAN_BROKEN) {
		s->malformed++;
		damage_add(r->damage, DAMAGE_MALFORMED_LINE, 1, r->line_at);
	}
	return true;
}
