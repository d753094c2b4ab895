// SPDX-License-Identifier: Apache-2.0
/*
 * unread: lines of ftrace's and trace-cmd's that are not read, and why.
 *
 * Tracers other than nop print calls or latencies in forms of their own; options of trace-cmd and
 * the kernel change the columns of records.  Layout: the kernel's trace_print_lat_context and
 * trace-cmd's show_data.
 */
#include <config.h>

#include "base/compat.h"
#include "format/log/line.h"
#include "format/log/text.h"

enum {
	HEAD_LINES = 200,
	HEAD_BYTES = 1 << 16,
	FLAGS_LEAST = 3,
	FLAGS_MOST = 8,
	NAME_MOST = 40,
};

enum line_form {
	FORM_RECORD,
	FORM_DIFF,    /* trace-cmd report --ts-diff */
	FORM_LATENCY, /* trace-cmd report -l */
	FORM_KERNEL,  /* the latency format of the kernel */
	FORM_OTHER,
	FORM_NONE,    /* a comment, a remark */
	FORMS,
};

static const char *
digits_skip(const char *p, const char *end)
{
	while (p < end && is_digit(*p))
		p++;
	return p;
}

/* "2084.021523: (+16200) sched_switch:", after the core in brackets. */
static bool
is_diff(struct str line)
{
	const char *end = line.p + line.n, *at = memmem(line.p, line.n, ": (+", 4);

	if (at == NULL || memchr(line.p, '[', (size_t)(at - line.p)) == NULL || !is_digit(at[-1]))
		return false;
	at += 4;
	return at < end && is_digit(*at) && (at = digits_skip(at, end)) < end && *at == ')';
}

/* "379     0d..3 2084.021523:", "379     0d..3  17us+:": what follows the name and its dash. */
static enum line_form
latency_form(const char *p, const char *end)
{
	const char *from = p;

	p = blanks_skip(p = digits_skip(p, end), end);
	if (p == from || !is_blank(p[-1]))
		return FORM_OTHER;
	from = p;
	p = digits_skip(p, end);
	if (p == from)
		return FORM_OTHER;
	from = p;
	while (p < end && !is_blank(*p))
		p++;
	if (p - from < FLAGS_LEAST || p - from > FLAGS_MOST || memchr("dDbBX.", *from, 6) == NULL)
		return FORM_OTHER;
	from = p = blanks_skip(p, end);
	p = digits_skip(p, end);
	if (p == from || p == end)
		return FORM_OTHER;
	if (end - p > 2 && p[0] == 'u' && p[1] == 's')
		return FORM_KERNEL;
	if (*p == '.')
		p = digits_skip(p + 1, end);
	return p < end && *p == ':' ? FORM_LATENCY : FORM_OTHER;
}

static enum line_form
form_of(struct str line)
{
	const char *end = line.p + line.n, *at = line.p;
	struct logline record;

	if (line.n == 0 || *line.p == '#' || logtext_is_remark(str_trim_left(line)) ||
	    str_starts(str_trim_left(line), STR("CPU:")))
		return FORM_NONE;
	if (logline_parse(&record, line))
		return FORM_RECORD;
	if (is_diff(line))
		return FORM_DIFF;
	while ((at = memchr(at, '-', (size_t)(end - at))) != NULL) {
		enum line_form form = latency_form(++at, end);

		if (form != FORM_OTHER)
			return form;
	}
	return FORM_OTHER;
}

static void
tracer_take(struct str line, struct str *tracer)
{
	static const struct str mark = STR("# tracer: ");

	if (!str_starts(line, mark))
		return;
	*tracer = str_trim_left((struct str){line.p + mark.n, line.n - mark.n});
	if (tracer->n > NAME_MOST)
		tracer->n = NAME_MOST;
}

/* Counts forms of the first lines; where `all`, of further ones until one is a record. */
static void
forms_count(struct str text, bool all, size_t *count, struct str *tracer)
{
	const char *at = text.p, *end = text.p + text.n;
	struct str line;

	for (size_t i = 0; (i < HEAD_LINES || (all && count[FORM_RECORD] == 0)) &&
	    logtext_line(&at, end, &line); i++) {
		enum line_form form = form_of(line);

		/* The last line may come to be one. */
		if (form == FORM_OTHER && at >= end && end[-1] != '\n')
			form = FORM_NONE;
		count[form]++;
		tracer_take(line, tracer);
	}
}

bool
logtext_unread(struct str file, const struct log_ranges *log, struct err *e)
{
	size_t count[FORMS] = {0}, unread;
	struct str tracer = STR("nop");

	if (!logtext_is_text(file))
		return false;
	for (size_t i = 0; log != NULL && i < log->count && count[FORM_RECORD] == 0; i++)
		forms_count((struct str){file.p + log->items[i].from,
		    (size_t)(log->items[i].to - log->items[i].from)}, true, count, &tracer);
	if (log == NULL)
		forms_count(str_head(file, HEAD_BYTES), false, count, &tracer);
	unread = count[FORM_DIFF] + count[FORM_LATENCY] + count[FORM_KERNEL];
	if (count[FORM_RECORD] == 0 && unread + count[FORM_OTHER] > 0 && tracer.n > 0 &&
	    !str_equal(tracer, STR("nop")))
		err_set(e, ERR_UNSUPPORTED, "is a log of ftrace's tracer %.*s, which is not read; "
		    "events recorded with the tracer nop are", (int)tracer.n, tracer.p);
	else if (count[FORM_DIFF] > count[FORM_RECORD])
		err_set(e, ERR_UNSUPPORTED, "is from trace-cmd report --ts-diff, which puts "
		    "differences of times before the events; leave out --ts-diff");
	else if (count[FORM_LATENCY] > count[FORM_RECORD])
		err_set(e, ERR_UNSUPPORTED, "is from trace-cmd report -l, the latency format, which "
		    "is not read; leave out -l");
	else if (count[FORM_KERNEL] > count[FORM_RECORD])
		err_set(e, ERR_UNSUPPORTED, "is in ftrace's latency format, which is not read; "
		    "leave out the trace option latency-format");
	else if (log != NULL && count[FORM_RECORD] == 0 && count[FORM_OTHER] > 0)
		err_set(e, ERR_UNSUPPORTED, "is a text log, but none of its lines is a record of "
		    "HiTrace or ftrace; hitrace --text, atrace and systrace record what slowtop "
		    "reads");
	else
		return false;
	return true;
}
