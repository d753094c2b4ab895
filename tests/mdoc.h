// SPDX-License-Identifier: Apache-2.0
/*
 * mdoc: text for manual pages, of the programs that print parts of them.
 */
#pragma once

#include <stdio.h>

/* Text that mdoc and typography leave alone. */
static inline void
mdoc_put(const char *text)
{
	for (; *text != '\0'; text++) {
		switch (*text) {
		case '\\':
			fputs("\\e", stdout);
			break;
		case '^':
			fputs("\\[ha]", stdout);
			break;
		case '-':
			fputs("\\-", stdout);
			break;
		default:
			putchar(*text);
		}
	}
}
