// SPDX-License-Identifier: Apache-2.0
/*
 * forms: JSON texts that are traces or profiles, told apart by the members of their object.
 *
 * Chrome's events are known at their first byte; of other texts the whole object is passed once,
 * at the speed of memory.
 */
#pragma once

#include "format/input.h"
#include "trace/trace.h"

/* False with ERR_NONE when the data are no such text. */
bool json_open(struct trace *, struct input *, struct err *);
/* embedded.c: the same of a page with JSON in it. */
bool page_open(struct trace *, struct input *, struct err *);
/* Opens the log in an object with Chrome's events; false without one. */
bool system_events_open(struct trace *, struct input *, struct str object, struct err *);
/* Opens folded stacks in UTF-16, as shells of Windows write them. */
bool utf16_open(struct trace *, struct input *, struct err *);
