/*
 * flamegraph: the call tree as an SVG picture, callers below, widths by time.
 *
 * Children stand in the order of their names.  What is narrower than the least width is
 * left out, and said so; so is more than a picture can hold.
 */
#ifndef SLOWTOP_REPORT_FLAMEGRAPH_H
#define SLOWTOP_REPORT_FLAMEGRAPH_H

#include "report/flame.h"

void flamegraph_write(struct sink *, const struct flame *);
/* The same as a part of a page, of at most `frames` frames. */
void flamegraph_inside(struct sink *, const struct flame *, uint32_t frames);
/* What a picture of the selection says below its title; `what` the time is. */
void flame_subtitle(
    struct sbuf *, const struct flame *, const char *what, nsec time);

#endif
