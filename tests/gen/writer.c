// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "writer.h"

#include <string.h>

enum { BATCH = 4096 };

const struct gen_writer *const gen_writers[] = {
    &writer_classic,
    &writer_streaming,
    &writer_streaming14,
    &writer_streaming_bare,
    &writer_streaming_late,
    &writer_v2a,
    &writer_v2a_us,
    &writer_v2a_stream,
    &writer_v2b,
    &writer_v2b_stream,
    NULL,
};

struct gen_event *
gen_events_keep(struct gen_stream *events, size_t *count)
{
	struct gen_event *all = NULL;
	size_t room = 0, n;

	*count = 0;
	do {
		if (room - *count < BATCH) {
			room = 2 * room + BATCH;
			all = gen_realloc(all, room, sizeof *all);
		}
		n = events->pull(events, all + *count, BATCH);
		*count += n;
	} while (n);
	return all;
}

int
gen_by_thread(const void *left, const void *right)
{
	const struct gen_event *const *a = left, *const *b = right;

	if ((*a)->thread != (*b)->thread)
		return (*a)->thread < (*b)->thread ? -1 : 1;
	return *a < *b ? -1 : 1;
}

const struct gen_writer *
writer_find(const char *name)
{
	size_t i;

	for (i = 0; gen_writers[i]; i++)
		if (!strcmp(gen_writers[i]->name, name))
			return gen_writers[i];
	return NULL;
}
