/*
 * thread_list: the list of threads, to choose from: one line each, below a header.
 */
#ifndef SLOWTOP_VIEW_THREAD_LIST_H
#define SLOWTOP_VIEW_THREAD_LIST_H

#include "profile/sum/fold.h"
#include "view/canvas.h"
#include "view/names/names.h"

struct thread_row {
	uint32_t thread;
	bool chosen;
};

/* " in   Tid Name          CPU ms   Wall ms Busy%    Calls Open" */
void thread_header_draw(
    struct canvas *, int row, int column, int limit, const struct trace *);
/* "[x]     1 main         2811.882  3214.000 87.49  2204117" */
void thread_row_draw(struct canvas *, int row, int column, int limit,
    const struct trace *, struct names *, const struct fold *, const struct thread_row *,
    bool selected);

#endif
