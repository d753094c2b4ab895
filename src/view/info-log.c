/*
 * info-log: the rows about a text log: what was read of it, cores, processes, counters.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "trace/log.h"
#include "view/info_rows.h"

static void
add_counts(struct info *info, const struct log_summary *s)
{
	info_heading(info, "LOG");
	for (int i = 0; i < log_count_count; i++) {
		const struct log_count *c = &log_counts[i];
		uint64_t count = log_count_get(s, c);

		if (count > 0 || !c->trouble)
			info_pair(info, c->name, "%" PRIu64 " %s", count, c->help);
	}
}

static void
add_markers(struct info *info, const struct log_summary *s)
{
	info_heading(info, "MARKERS");
	for (int i = 0; i < LOG_MARKERS; i++) {
		if (s->markers[i] > 0)
			info_pair(info, log_marker_names[i], "%" PRIu64, s->markers[i]);
	}
	for (int i = 0; i < LOG_FORMS; i++) {
		if (s->forms[i] > 0)
			info_pair(info, log_form_names[i], "%" PRIu64 " in this form", s->forms[i]);
	}
}

void
info_add_log(struct info *info, const struct trace *t, const struct log_summary *s)
{
	const struct log *log = t->log;

	add_counts(info, s);
	add_markers(info, s);
	if (!log->has_sched)
		info_note(info, STR("no sched events in this log: no CPU times, no thread states"));
}

/* One slice ---------------------------------------------------------------------- */

static const char *const levels[][2] = {
	{"D", "debug"}, {"I", "info"}, {"C", "critical"}, {"M", "commercial"}};

static void
text_pair(struct info *info, struct names *names, const char *name, struct str text)
{
	if (text.n > 0)
		info_row_add(info, INFO_PAIR, str_from(name), names_clean(names, text));
}

/* "I3062" as "info; 30 ohos, 62 app". */
static void
add_level(struct info *info, struct str level)
{
	char text[400];
	int n = 0;

	if (level.n == 0)
		return;
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (level.p[0] == levels[i][0][0])
			n = snprintf(text, sizeof(text), "%s", levels[i][1]);
	}
	info_pair(info, "level", "%.*s", n, text);
	n = 0;
	for (size_t i = 1; i + 1 < level.n && n < 300; i += 2) {
		int tag = (level.p[i] - '0') * 10 + (level.p[i + 1] - '0');
		const char *name = log_tag_name(tag);

		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%02d%s%s", i > 1 ? ", " : "",
		    tag, name != NULL ? " " : "", name != NULL ? name : "");
	}
	info_pair(info, "tags", "%.*s", n, text);
}

/* key=value pairs, one a row, when all are; else as they stand. */
static void
add_args(struct info *info, struct names *names, struct str args)
{
	char mark = memchr(args.p != NULL ? args.p : "", ';', args.n) != NULL ? ';' : ',';
	struct str rest = args;
	bool pairs = args.n > 0;

	while (rest.p != NULL && pairs) {
		struct str piece = str_cut(&rest, mark);

		/* What the last mark is followed by may be nothing. */
		pairs = (piece.n == 0 && rest.p == NULL) ||
		    (piece.n > 0 && memchr(piece.p, '=', piece.n) != NULL);
	}
	if (!pairs) {
		text_pair(info, names, "arguments", args);
		return;
	}
	for (rest = args; rest.p != NULL;) {
		struct str piece = str_cut(&rest, mark);

		text_pair(info, names, "argument", piece);
	}
}

static void
add_detail(struct info *info, struct names *names, const struct log_detail *d)
{
	if (d->has_id)
		info_pair(info, "task id", "%" PRId64, d->id);
	add_level(info, d->level);
	text_pair(info, names, "category", d->category);
	add_args(info, names, d->args);
	text_pair(info, names, "chain id", d->chain);
	text_pair(info, names, "span id", d->span);
	text_pair(info, names, "parent span id", d->parent);
	if (d->flag != 0)
		info_pair(info, "chain flag", "%c", d->flag);
	info_pair(info, "pid, as written", "%" PRIu32, d->pid);
}

static void
add_split(struct info *info, const struct trace *t, struct names *names,
    const struct usage_split *s, nsec length)
{
	static const char *const io[] = {
	    [IO_UNTOLD] = "", [IO_NO] = ", no I/O", [IO_YES] = ", I/O"};
	char name[80], time[FMT_SIZE], percent[FMT_SIZE];

	info_heading(info, "ITS THREAD MEANWHILE");
	for (int state = 0; state < TASK_STATES; state++) {
		for (int k = IO_UNTOLD; k <= IO_YES; k++) {
			if (s->time[state][k] == 0)
				continue;
			snprintf(name, sizeof(name), "%s%s", task_states[state].name, io[k]);
			info_pair(info, name, "%s ms, %s%%", fmt_ms(time, s->time[state][k]),
			    fmt_percent(percent, s->time[state][k], length));
		}
	}
	if (s->caller > 0)
		text_pair(info, names, "blocked in",
		    *(struct str *)seg_at(&t->log->texts, s->caller - 1));
	if (s->waker != SCHED_NONE)
		info_pair(info, "woken last by", "%" PRIu32 " %.*s", trace_thread(t, s->waker)->id,
		    STR_ARG(names_thread(names, s->waker)));
}

void
info_add_slice(struct info *info, const struct trace *t, struct names *names,
    const struct info_slice *slice)
{
	const struct call *c = slice->call;
	nsec wall = c->leave[CLOCK_WALL] - c->enter[CLOCK_WALL];
	char text[FMT_SIZE], exact[FMT_SIZE];

	info_heading(info, "SLICE AT THE TIME CURSOR");
	info_pair(info, "thread", "%" PRIu32 " %.*s", trace_thread(t, c->thread)->id,
	    STR_ARG(names_thread(names, c->thread)));
	info_pair(info, "start", "%s ms; in the log %s s", fmt_ms(text, c->enter[CLOCK_WALL]),
	    fmt_time(exact, c->enter[CLOCK_WALL] + (nsec)t->log->origin, FMT_S, 9));
	info_pair(info, "duration", "%s ms%s", fmt_ms(text, wall),
	    c->unfinished ? "+, it does not end in the log" : "");
	info_pair(info, "depth", "%" PRIu32, c->depth);
	if (trace_thread(t, c->thread)->kind == THREAD_TASK && trace_has_clock(t, CLOCK_CPU))
		info_pair(info, "cpu", "%s ms; waited %s ms",
		    fmt_ms(text, c->leave[CLOCK_CPU] - c->enter[CLOCK_CPU]),
		    fmt_ms(exact, wall - (c->leave[CLOCK_CPU] - c->enter[CLOCK_CPU])));
	if (slice->more->known)
		add_detail(info, names, &slice->more->detail);
	if (slice->more->split_known)
		add_split(info, t, names, &slice->more->split, wall);
}
