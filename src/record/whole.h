// SPDX-License-Identifier: Apache-2.0
/*
 * whole: has a recording arrived with all its records?
 *
 * A device writes the file after it was told to stop, and says nothing when it is done; a file
 * that no longer grows can still be half of it.  So its content decides.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum wholeness {
	NOT_WHOLE,
	WHOLE,
	WHOLE_EMPTY,    /* without a record */
	WHOLE_OVERFLOW, /* as it is meant to be, but the buffer was full before the end */
};

/* Judges an open file by the mode's kind of content. */
typedef enum wholeness whole_check(int fd);

whole_check whole_method, whole_log, whole_any;
