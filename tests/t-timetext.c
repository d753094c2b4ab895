// SPDX-License-Identifier: Apache-2.0
/* timetext: units, decimals, limits and malformed times. */
#include <config.h>

#include "base/number.h"

#include <inttypes.h>

#include "tap/tap.h"

int
main(void)
{
	static const struct {
		const char *text;
		int64_t ns; /* -1: refused */
	} cases[] = {
		{ "0", 0 },
		{ "1", 1000000000 },
		{ "1.25", 1250000000 },
		{ "1.25s", 1250000000 },
		{ "1250ms", 1250000000 },
		{ ".5ms", 500000 },
		{ "7.us", 7000 },
		{ "12ns", 12 },
		{ "0.000000001", 1 },
		{ "0.0000000010", 1 },
		{ "9223372035", 9223372035000000000 },
		{ "9223372036854775790ns", 9223372036854775790 },
		{ "0.0000000001", -1 },
		{ "1.5ns", -1 },
		{ "9223372036.854775807", INT64_MAX },
		{ "9223372036.854775808", -1 },
		{ "9223372037", -1 },
		{ "99999999999999999999ns", -1 },
		{ "", -1 },
		{ ".", -1 },
		{ "s", -1 },
		{ "1.2.3", -1 },
		{ "-1", -1 },
		{ "1 s", 1000000000 },
		{ "12.35 \316\274s", 12350 },
		{ "1\302\265s", 1000 },
		{ "1m", -1 },
		{ "1e3", -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err e = {0};
		int64_t ns = -1;
		bool good = timetext_parse(str_from(cases[i].text), &ns, &e);

		is_int(good ? ns : -1, cases[i].ns, "'%s'", cases[i].text);
		ok(good == (e.kind == ERR_NONE), "and an error where it is none");
	}
	return tap_done();
}
