/*
 * main: the front end.  It alone ends the process.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Called by the allocators of base, which never return NULL. */
_Noreturn void
mem_exhausted(size_t size)
{
	fprintf(stderr, "slowtop: out of memory (%zu bytes wanted)\n", size);
	exit(2);
}

static void
usage(FILE *out)
{
	fputs("usage: slowtop [--help | --version]\n", out);
}

int
main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		puts("slowtop " PACKAGE_VERSION);
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		usage(stdout);
		return 0;
	}
	usage(stderr);
	return 2;
}
