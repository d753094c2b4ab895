/*
 * logline-parts: a line of a log left and right of its core; for the files of logline only.
 */
#ifndef SLOWTOP_FORMAT_LOGLINE_PARTS_H
#define SLOWTOP_FORMAT_LOGLINE_PARTS_H

#include "format/logline.h"
#include "format/logwords.h"

/* comm, tid and tgid, which end before the bracket at `end`. */
bool logline_left(struct logline *, const char *begin, const char *end);
/*
 * Flags and time, which begin behind the other bracket; returns where the function's name
 * begins, NULL when they are none.
 */
const char *logline_columns(struct logline *, const char *p, const char *end);
/* The function's name, and what follows its colon. */
bool logline_func(struct logline *, const char *p, const char *end);

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline void
logline_payload(struct logline *line, const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	line->payload = (struct str){p, (size_t)(end - p)};
}

#endif
