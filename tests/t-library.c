// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <string.h>

#include "base/library.h"
#include "tap/tap.h"

static void
test_missing(void)
{
	static const char *const names[] = {"archive_read_new"};
	struct err e = {.kind = ERR_NONE};
	void *functions[1];

	ok(!library_load("libslowtop-none.so.1", names, 1, functions, &e) &&
		strstr(e.what, "libslowtop-none.so.1") != NULL,
	    "a library that is not there is named: %s", e.what);
}

#ifdef ARCHIVE_FILE
static void
test_there(void)
{
	static const char *const names[] = {"archive_read_new", "archive_read_free", "archive_no_such"};
	struct err e = {.kind = ERR_NONE};
	struct {
		void *(*begin)(void);
		int (*end)(void *);
		void (*none)(void);
	} functions;

	ok(library_load(ARCHIVE_FILE, names, 2, &functions, &e), "functions are found: %s", e.what);
	is_int(functions.end(functions.begin()), 0, "and are those");
	ok(!library_load(ARCHIVE_FILE, names, 3, &functions, &e) &&
		strstr(e.what, "archive_no_such") != NULL,
	    "a function that is not there is named: %s", e.what);
}
#endif

int
main(void)
{
	test_missing();
#ifdef ARCHIVE_FILE
	test_there();
#endif
	return tap_done();
}
