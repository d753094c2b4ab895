/*
 * folded: stacks on one line each, as flamegraph.pl, inferno and others read them:
 * frames from the bottom up with `;` between, a blank, and microseconds of exclusive time.
 *
 * The counts are whole and add up to the total, rounded: what a line is cut short by is
 * carried to the next.  Time of a thread with no call open stands under its name alone.
 */
#ifndef SLOWTOP_REPORT_FOLDED_H
#define SLOWTOP_REPORT_FOLDED_H

#include "report/flame.h"

void folded_write(struct sink *, const struct flame *);

#endif
