/* tracks-instants: markers of a moment, which a log has in order of time. */
#include <config.h>

#include "profile/tracks-draw.h"

/* The first that is not before `at`. */
static uint64_t
find_first(const struct log *log, nsec at)
{
	uint64_t low = 0, high = log->instants.count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		const struct log_instant *i = spool_peek(&log->instants, middle);

		if (i->at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
tracks_draw_instants(struct tracks_drawing *d)
{
	const struct raster *g = d->raster;
	struct track_find threads, processes;
	bool whole = true;

	track_find_make(&threads, d, TRACK_INSTANTS);
	track_find_make(&processes, d, TRACK_POINTS);
	if (threads.count == 0 && processes.count == 0)
		goto out;
	for (uint64_t n = find_first(d->log, g->from); n < d->log->instants.count; n++) {
		const struct log_instant *i = spool_peek(&d->log->instants, n);
		struct track_row *row = i->thread != THREAD_NONE
		    ? track_find_row(&threads, d, i->thread)
		    : track_find_row(&processes, d, i->process);
		struct track_cell *cell;

		whole = !tracks_cancelled(d->cancel, n);
		if (!whole || i->at >= g->to)
			break;
		if (row == NULL)
			continue;
		cell = &row->cells[raster_edges_column(row->columns, i->at)];
		cell->what = 0;
		if (cell->parts < UINT8_MAX)
			cell->parts++;
	}
out:
	track_find_release(&threads);
	track_find_release(&processes);
	return whole;
}

/* The next item of the row from `n` on, or the last before it; NULL: none, or cancelled. */
static const struct log_instant *
next_of(const struct log *log, uint32_t thread, uint32_t process, uint64_t *n, int step,
    const atomic_bool *cancel)
{
	while (step > 0 ? *n < log->instants.count : *n > 0) {
		const struct log_instant *i =
		    spool_peek(&log->instants, step > 0 ? *n : *n - 1);

		*n = step > 0 ? *n + 1 : *n - 1;
		if (i->thread == thread && (thread != THREAD_NONE || i->process == process))
			return i;
		if (tracks_cancelled(cancel, *n))
			break;
	}
	return NULL;
}

bool
instants_find_near(const struct log *log, uint32_t thread, uint32_t process, nsec at,
    struct instants_near *near, const atomic_bool *cancel)
{
	uint64_t behind = find_first(log, at < INT64_MAX ? at + 1 : at), before = behind;
	const struct log_instant *i = next_of(log, thread, process, &behind, 1, cancel);

	*near = (struct instants_near){.earlier = INSTANTS_NONE};
	if (i != NULL) {
		near->next = i->at;
		near->has_next = log->detail(log, i->offset, &near->next_detail);
	}
	i = next_of(log, thread, process, &before, -1, cancel);
	if (i != NULL) {
		near->last = i->at;
		near->has_last = log->detail(log, i->offset, &near->last_detail);
	}
	/* Of several at one time the last was taken. */
	while (i != NULL && i->at == near->last)
		i = next_of(log, thread, process, &before, -1, cancel);
	if (i != NULL)
		near->earlier = i->at;
	return cancel == NULL || !atomic_load_explicit(cancel, memory_order_relaxed);
}
