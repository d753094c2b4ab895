// SPDX-License-Identifier: Apache-2.0
/*
 * Everything below the terminal links without curses and termkey: this program
 * holds all of the core libraries, whole, so a call that slipped in breaks the
 * build; and none of the libraries that the terminal needs came with it.
 */
#define _GNU_SOURCE 1 /* of the test, not of what it tests */
#include <config.h>

#include <link.h>
#include <string.h>

#include "tap/tap.h"

struct looked {
	int objects;
	const char *found;
};

static int
look(struct dl_phdr_info *info, size_t size, void *ctx)
{
	static const char *const terminal[] = { "curses", "libtinfo", "libtermkey" };
	struct looked *looked = ctx;

	(void)size;
	looked->objects++;
	for (size_t i = 0; i < sizeof terminal / sizeof terminal[0]; i++)
		if (strstr(info->dlpi_name, terminal[i]) != NULL)
			looked->found = terminal[i];
	return 0;
}

int
main(void)
{
	struct looked looked = { 0 };

	dl_iterate_phdr(look, &looked);
	ok(looked.objects > 1, "%d loaded objects seen", looked.objects);
	is_str(looked.found, NULL, "none of them belongs to the terminal");
	return tap_done();
}
