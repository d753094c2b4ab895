// SPDX-License-Identifier: Apache-2.0
/* What the kernel records, as lines (loggen.h). */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "loggen.h"

static struct rng *
dice(struct log_model *m)
{
	return &m->rng;
}

/* A decimal number, `width` wide, with `fill` before it; much faster than printf's. */
static char *
put(char *p, uint64_t value, int width, char fill)
{
	char digits[20];
	int n = 0;

	do
		digits[n++] = (char)('0' + value % 10);
	while ((value /= 10) > 0);
	for (; width > n; width--)
		*p++ = fill;
	while (n > 0)
		*p++ = digits[--n];
	return p;
}

/* Flag columns: now and then an interrupt is what wrote the line. */
static char *
put_flags(struct log_model *m, char *p, bool idle)
{
	unsigned columns = m->params->flags;
	uint32_t r = rng_below(dice(m), 16);

	if (columns == 0 || m->params->lines != LINES_FTRACE)
		return p;
	p[0] = r < 6 ? 'd' : '.';
	p[1] = idle ? 'N' : r == 7 ? 'n' : '.';
	p[2] = r == 3 ? 'h' : r == 4 ? 's' : '.';
	p[3] = (char)(r < 3 ? '1' + r : '.');
	p[4] = '.';
	p[columns] = ' ';
	return p + columns + 1;
}

/* All before the payload. */
static size_t
head(struct log_model *m, char *line, unsigned core, const char *func)
{
	static const char dashes[] = "-------";
	unsigned columns = m->params->columns, index = m->core[core];
	const struct log_thread *t = index ? &m->threads[index - 1] : NULL;
	const char *comm = t ? t->comm : "<idle>";
	size_t n;
	char *p = line;

	if (t && rng_below(dice(m), 12) == 0)
		comm = "<...>";
	n = strlen(comm);
	memset(p, ' ', 16);
	p += n < 16 ? 16 - n : 0;
	memcpy(p, comm, n);
	p += n;
	*p++ = '-';
	p = put(p, t ? t->tid : 0, 1, ' ');
	*p++ = ' ';
	if (columns > 0) {
		*p++ = '(';
		if (t && rng_below(dice(m), 8) != 0) {
			p = put(p, t->pid, (int)columns, ' ');
		} else {
			memcpy(p, dashes, columns);
			p += columns;
		}
		*p++ = ')';
		*p++ = ' ';
	}
	*p++ = '[';
	p = put(p, core, 3, '0');
	*p++ = ']';
	*p++ = ' ';
	p = put_flags(m, p, !t);
	p = put(p, m->now / 1000000000, 5, ' ');
	*p++ = '.';
	p = m->params->nanoseconds ? put(p, m->now % 1000000000, 9, '0')
				   : put(p, m->now % 1000000000 / 1000, 6, '0');
	*p++ = ':';
	*p++ = ' ';
	n = strlen(func);
	memcpy(p, func, n);
	p += n;
	*p++ = ':';
	*p++ = ' ';
	for (; m->params->lines == LINES_TRACECMD && n < 20; n++)
		*p++ = ' ';
	return (size_t)(p - line);
}

/* Bytes changed, cut off, put in or taken out. */
static size_t
harm(struct log_model *m, char *line, size_t n)
{
	size_t at = rng_below(dice(m), (uint32_t)n);

	switch (rng_below(dice(m), 4)) {
	case 0:
		return at;
	case 1:
		line[at] = (char)rng_below(dice(m), 256);
		line[at] = line[at] == '\n' ? ' ' : line[at];
		return n;
	case 2:
		memmove(line + at, line + at + 1, n - at - 1);
		return n - 1;
	default:
		memmove(line + at + 1, line + at, n - at);
		line[at] = "|:#[]- "[rng_below(dice(m), 7)];
		return n + 1;
	}
}

static void
held_pass(struct log_model *m, bool all)
{
	for (int i = 0; i < LOG_HELD_MAX; i++) {
		if (m->held_for[i] == 0 || (--m->held_for[i] > 0 && !all))
			continue;
		m->held_for[i] = 0;
		log_file_line(m->file, m->held[i], m->held_size[i]);
	}
}

static void
line_out(struct log_model *m, char *line, size_t n)
{
	m->events++;
	if (rng_chance(dice(m), m->params->damaged) && n > 1)
		n = harm(m, line, n);
	for (int i = 0; rng_chance(dice(m), m->params->backward) && i < LOG_HELD_MAX; i++) {
		if (m->held_for[i] > 0)
			continue;
		memcpy(m->held[i], line, n);
		m->held_size[i] = n;
		m->held_for[i] = 1 + rng_below(dice(m), 6);
		return;
	}
	log_file_line(m->file, line, n);
	held_pass(m, false);
}

void
log_line(struct log_model *m, unsigned core, const char *func, const char *format, ...)
{
	char line[LOG_LINE_MAX];
	size_t n = m->packets ? 0 : head(m, line, core, func);
	va_list args;
	int more;

	va_start(args, format);
	more = vsnprintf(line + n, sizeof line - n - 1, format, args);
	va_end(args);
	if (m->packets) {
		log_packets_line(m, core, func, line);
		return;
	}
	n += more < 0 ? 0 : (size_t)more < sizeof line - n - 1 ? (size_t)more : sizeof line - n - 2;
	line_out(m, line, n);
}

void
log_remark(struct log_model *m, const char *text)
{
	log_file_line(m->file, text, strlen(text));
}

void
log_lines_end(struct log_model *m)
{
	held_pass(m, true);
}

static char *
put_text(char *p, const char *text)
{
	size_t n = strlen(text);

	memcpy(p, text, n);
	return p + n;
}

/* "comm=C pid=N prio=120", or as trace-cmd prints it by itself. */
static char *
put_task(struct log_model *m, char *p, const char *what, unsigned index, unsigned core)
{
	static const char *const keys[3] = {"comm=", " pid=", " prio=120"};
	const struct log_thread *t = index ? &m->threads[index - 1] : NULL;
	bool brief = m->params->lines == LINES_BRIEF;

	if (!brief)
		p = put_text(put_text(p, what), keys[0]);
	if (t) {
		p = put_text(p, t->comm);
	} else {
		p = put_text(p, "swapper/");
		p = put(p, core, 1, ' ');
	}
	if (brief) {
		*p++ = ':';
		p = put(p, t ? t->tid : 0, 1, ' ');
		return put_text(p, " [120]");
	}
	p = put_text(put_text(p, " "), what);
	p = put_text(p, keys[1] + 1);
	p = put(p, t ? t->tid : 0, 1, ' ');
	p = put_text(put_text(p, " "), what);
	return put_text(p, keys[2] + 1);
}

static unsigned
state_bits(const char *state)
{
	static const struct {
		const char *text;
		unsigned bits;
	} rows[] = {
		{ "R", 0 }, { "S", 1 }, { "D", 2 }, { "T", 4 }, { "t", 8 }, { "X", 16 },
		{ "Z", 32 }, { "DK", 130 }, { "D|K", 130 }, { "I", 1026 }, { "R+", 256 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].text, state))
			return rows[i].bits;
	return 1;
}

void
log_switch(struct log_model *m, unsigned core, unsigned next, const char *state)
{
	char line[LOG_LINE_MAX], *p;

	if (m->packets) {
		log_packets_switch(m, core, next, state_bits(state));
		return;
	}
	p = line + head(m, line, core, "sched_switch");
	if (m->params->lines == LINES_BRIEF) {
		p = put_task(m, p, "prev_", m->core[core], core);
		*p++ = ' ';
		p = put_text(put_text(p, state), " ==> ");
		p = put_task(m, p, "next_", next, core);
	} else {
		p = put_task(m, p, "prev_", m->core[core], core);
		p = put_text(p, " prev_state=");
		if (m->params->lines == LINES_TRACECMD)
			p = put(p, state_bits(state), 1, ' ');
		else
			p = put_text(put_text(p, state), " ==>");
		*p++ = ' ';
		p = put_task(m, p, "next_", next, core);
		if (m->params->flags == 5)
			p = put_text(p, " next_info=(f,8,0)");
	}
	line_out(m, line, (size_t)(p - line));
}

void
log_wake(struct log_model *m, unsigned core, const char *func, unsigned thread)
{
	char line[LOG_LINE_MAX], *p;

	if (m->packets) {
		log_packets_wake(m, core, func, thread);
		return;
	}
	p = line + head(m, line, core, func);
	p = put_task(m, p, "", thread, core);
	if (m->params->lines != LINES_FTRACE)
		p = put_text(p, " success=1");
	p = put_text(p, m->params->lines == LINES_BRIEF ? " CPU:" : " target_cpu=");
	p = put(p, rng_below(dice(m), m->params->cores), 3, '0');
	line_out(m, line, (size_t)(p - line));
}
