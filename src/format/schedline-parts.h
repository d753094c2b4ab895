/*
 * schedline-parts: what the files of schedline share.
 */
#ifndef SLOWTOP_FORMAT_SCHEDLINE_PARTS_H
#define SLOWTOP_FORMAT_SCHEDLINE_PARTS_H

#include "format/schedline.h"

extern const struct schedline schedline_nothing;

/* As schedline_parse, for any payload: looks for the keys. */
bool schedline_search(struct schedline *, enum sched_event, struct str payload);
/*
 * The same for payloads of the usual form; false, with some of the fields set,
 * for all others, good or not.
 */
bool schedline_quick(struct schedline *, enum sched_event, struct str payload);

/* A comm, without the blanks behind it. */
static inline struct str
schedline_text(const char *from, const char *to)
{
	while (to > from && to[-1] == ' ')
		to--;
	return (struct str){from, (size_t)(to - from)};
}

#endif
