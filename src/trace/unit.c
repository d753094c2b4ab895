// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "trace/unit.h"

#include <stdio.h>

enum { PART = 1000 }; /* of a count */

const char *
unit_count(const struct trace_unit *u, char out[static FMT_SIZE], nsec amount, unsigned decimals)
{
	return fmt_time(out, amount, FMT_US, u->fractions ? decimals : 0);
}

const char *
unit_figure(const struct trace_unit *u, char out[static FMT_SIZE], nsec amount)
{
	uint64_t size = amount < 0 ? -(uint64_t)amount : (uint64_t)amount;
	char number[FMT_SIZE], *end;

	if (!unit_counts(u))
		return fmt_ms(out, amount);
	if (u->bytes && amount >= 0)
		return fmt_bytes(out, size / PART);
	out[0] = '-';
	end = out + (amount < 0);
	if (u->fractions)
		snprintf(end, FMT_SIZE - 1, "%.50s.%03u", fmt_count(number, size / PART, ","),
		    (unsigned)(size % PART));
	else
		snprintf(end, FMT_SIZE - 1, "%.60s", fmt_count(number, (size + PART / 2) / PART, ","));
	return out;
}

const char *
unit_text(const struct trace_unit *u, char out[static FMT_SIZE], nsec amount)
{
	char number[FMT_SIZE];

	if (u->bytes)
		return unit_figure(u, out, amount);
	snprintf(out, FMT_SIZE, "%.30s %.32s", unit_figure(u, number, amount), unit_name(u));
	return out;
}

const char *
unit_name(const struct trace_unit *u)
{
	return unit_counts(u) ? u->name : "ms";
}
