// SPDX-License-Identifier: Apache-2.0
/*
 * whole: has a recording arrived with all its records?
 *
 * A device writes the file after it was told to stop, and says nothing when it is done; a file
 * that no longer grows can still be half of it.  So its content decides.
 */
#pragma once

#include "base/str.h"

enum wholeness {
	WHOLE_NOTHING,  /* there is no file */
	WHOLE_PARTLY,
	WHOLE,
	WHOLE_EMPTY,    /* without a record */
	WHOLE_OVERFLOW, /* as it is meant to be, but the buffer was full before the end */
};

/* Judges a file's bytes by the mode's kind of content. */
typedef enum wholeness whole_check(struct str file);

whole_check whole_method, whole_log, whole_any;
