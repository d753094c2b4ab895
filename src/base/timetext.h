/*
 * timetext: a time as people type it.
 *
 * Digits with an optional decimal point and an optional unit: s (also without one), ms,
 * us or ns: "1.25", "1250ms".  Exact: what is finer than a nanosecond is refused.
 */
#ifndef SLOWTOP_BASE_TIMETEXT_H
#define SLOWTOP_BASE_TIMETEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/* Nanoseconds; false and `e` when the text is no such time or is too large. */
bool timetext_parse(struct str text, int64_t *ns, struct err *e);

#endif
