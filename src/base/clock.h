/*
 * clock: time that passes, whatever the date is set to.
 *
 * Since some moment in the past, the same for all calls in a process; it never runs
 * backwards.
 */
#ifndef SLOWTOP_BASE_CLOCK_H
#define SLOWTOP_BASE_CLOCK_H

#include <stdint.h>

uint64_t clock_us(void);
uint64_t clock_ms(void);

#endif
