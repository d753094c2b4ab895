#include <config.h>

#include "view/timescale.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "trace/log.h"

#define SECOND INT64_C(1000000000)
#define DAY    (86400 * SECOND)

struct timescale
timescale_of(const struct trace *t, bool absolute)
{
	struct timescale s = {TIMES_RELATIVE, 0};
	uint64_t us = t->start_us;

	/* Threads have CPU time of their own; large numbers are no dates, nor could be added to. */
	if (!absolute || !trace_has_clock(t, CLOCK_WALL) || us == 0 || us > INT64_MAX / 2000)
		return s;
	s.kind = t->log == NULL && trace_start_is_date(t) ? TIMES_DAY : TIMES_CLOCK;
	s.origin = t->log != NULL ? (nsec)t->log->origin : (nsec)us * 1000;
	return s;
}

const char *
timescale_unit(const struct timescale *s)
{
	return s != NULL && s->kind == TIMES_DAY ? "" : " s";
}

const char *
timescale_text(
    const struct timescale *s, char out[static FMT_SIZE], nsec at, unsigned decimals)
{
	nsec of_day, unit = SECOND;
	char part[FMT_SIZE];

	if (s == NULL || s->kind != TIMES_DAY)
		return fmt_time(out, at + timescale_origin(s), FMT_S, decimals);
	for (unsigned i = 0; i < decimals && unit > 1; i++)
		unit /= 10;
	/* Rounded here, as seconds must not become 60. */
	of_day = (at + s->origin) % DAY;
	of_day = ((of_day < 0 ? of_day + DAY : of_day) + unit / 2) / unit * unit % DAY;
	fmt_time(part, of_day % (10 * SECOND), FMT_S, decimals);
	snprintf(out, FMT_SIZE, "%02d:%02d:%d%.20s", (int)(of_day / (3600 * SECOND)),
	    (int)(of_day / (60 * SECOND) % 60), (int)(of_day / (10 * SECOND) % 6), part);
	return out;
}

/* "14:03:05.204", "14:03"; false when it is no such text. */
static bool
read_day(struct str text, nsec *of_day)
{
	struct str rest = text, hours = str_cut(&rest, ':'), minutes;
	struct str parts[2];
	nsec seconds = 0;
	int numbers[2] = {0, 0};

	if (rest.p == NULL)
		return false;
	minutes = str_cut(&rest, ':');
	parts[0] = hours;
	parts[1] = minutes;
	for (int i = 0; i < 2; i++) {
		if (parts[i].n == 0 || parts[i].n > 2)
			return false;
		for (size_t k = 0; k < parts[i].n; k++) {
			if (parts[i].p[k] < '0' || parts[i].p[k] > '9')
				return false;
			numbers[i] = numbers[i] * 10 + parts[i].p[k] - '0';
		}
	}
	if (rest.p != NULL && !timetext_parse(rest, &seconds, NULL))
		return false;
	*of_day = ((nsec)numbers[0] * 60 + numbers[1]) * 60 * SECOND + seconds;
	return numbers[0] < 24 && numbers[1] < 60 && seconds < 60 * SECOND;
}

bool
timescale_parse(const struct timescale *s, struct str text, nsec *at, struct err *e)
{
	nsec of_day, begin;

	if (s == NULL || s->kind != TIMES_DAY) {
		if (!timetext_parse(text, at, e))
			return false;
		*at -= timescale_origin(s);
		return true;
	}
	if (text.n == 0 || memchr(text.p, ':', text.n) == NULL)
		return timetext_parse(text, at, e);
	if (!read_day(text, &of_day))
		return err_set(e, ERR_MALFORMED, "want a time of day: 14:03:05.204");
	/* The one nearest to the begin: a trace may run over midnight. */
	begin = s->origin % DAY;
	*at = of_day - begin;
	if (*at < -DAY / 2)
		*at += DAY;
	return true;
}
