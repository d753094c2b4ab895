// SPDX-License-Identifier: Apache-2.0
/*
 * each_key: the keys of a binding, one by one.
 */
#pragma once

#include <stdio.h>
#include <string.h>

/* Calls `visit` for each name in a blank-separated list. */
static inline void
each_key(const char *keys, void (*visit)(const char *key, void *context), void *context)
{
	while (*keys != '\0') {
		char key[40];
		size_t n = strcspn(keys, " ");

		snprintf(key, sizeof(key), "%.*s", (int)n, keys);
		visit(key, context);
		keys += n;
		keys += strspn(keys, " ");
	}
}
