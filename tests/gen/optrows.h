// SPDX-License-Identifier: Apache-2.0
/*
 * optrows: command lines of the generators, from a table that is their help, too.
 *
 * A row fills one field of a struct of settings.  What is wrong ends the program.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The field: uint64_t, unsigned, double, const char *, bool. */
enum kind { KIND_COUNT, KIND_UNSIGNED, KIND_SECONDS, KIND_TEXT, KIND_FLAG };

/* The first row is known as -o, too. */
struct option_row {
	const char *name, *argument;
	enum kind kind;
	size_t at;         /* of the field */
	uint64_t min, max; /* of counts; k, M and G may follow them */
	const char *help;
};

/* Returns the index of the first word that is no option. */
int option_rows_parse(const char *program, const struct option_row *, size_t count,
    void *settings, int argc, char **argv);
/* A line for each. */
void option_rows_print(const struct option_row *, size_t count);
