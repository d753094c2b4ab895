// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "optrows.h"

enum { OPTIONS_MAX = 64 };

static _Noreturn void
wrong(const char *program, const struct option_row *o, const char *text)
{
	fprintf(stderr, "%s: --%s: '%s' is not ", program, o->name, text);
	if (o->kind == KIND_SECONDS)
		fputs("a number of seconds\n", stderr);
	else
		fprintf(stderr, "a number from %llu to %llu\n", (unsigned long long)o->min,
		    (unsigned long long)o->max);
	exit(2);
}

static uint64_t
parse_count(const char *program, const struct option_row *o, const char *text)
{
	static const char units[] = "kMG";
	const char *unit;
	char *end;
	uint64_t v, factor = 1;

	errno = 0;
	v = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	for (; unit && unit >= units; unit--)
		factor *= 1000;
	if (factor > 1)
		end++;
	if (end == text || *text == '-' || *end || errno || v > UINT64_MAX / factor ||
	    v * factor < o->min || v * factor > o->max)
		wrong(program, o, text);
	return v * factor;
}

static double
parse_seconds(const char *program, const struct option_row *o, const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || *end || !(v > 0 && v < 1e6))
		wrong(program, o, text);
	return v;
}

static void
set_option(const char *program, const struct option_row *o, void *settings, const char *text)
{
	void *field = (char *)settings + o->at;

	switch (o->kind) {
	case KIND_COUNT:
		*(uint64_t *)field = parse_count(program, o, text);
		break;
	case KIND_UNSIGNED:
		*(unsigned *)field = (unsigned)parse_count(program, o, text);
		break;
	case KIND_SECONDS:
		*(double *)field = parse_seconds(program, o, text);
		break;
	case KIND_TEXT:
		*(const char **)field = text;
		break;
	case KIND_FLAG:
		*(bool *)field = true;
		break;
	}
}

int
option_rows_parse(const char *program, const struct option_row *rows, size_t count,
    void *settings, int argc, char **argv)
{
	struct option longs[OPTIONS_MAX + 1] = {{0}};
	int c, row = 0;

	for (size_t i = 0; i < count && i < OPTIONS_MAX; i++)
		longs[i] = (struct option){rows[i].name,
		    rows[i].argument ? required_argument : no_argument, NULL, 0};
	while ((c = getopt_long(argc, argv, "o:", longs, &row)) != -1) {
		if (c == '?')
			exit(2);
		if (c == 'o')
			row = 0;
		set_option(program, &rows[row], settings, optarg);
	}
	return optind;
}

void
option_rows_print(const struct option_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char text[40];

		snprintf(text, sizeof text, "--%s%s%s", rows[i].name,
		    rows[i].argument ? "=" : "", rows[i].argument ? rows[i].argument : "");
		printf("  %-22s %s\n", text, rows[i].help);
	}
}
