// SPDX-License-Identifier: Apache-2.0
/* fmt: rounding, carries into the next digit or unit, and both ends of the range. */
#include <config.h>

#include "base/number.h"
#include "base/sbuf.h"

#include <stdio.h>
#include <string.h>

#include "tap/tap.h"

static void
test_time(void)
{
	static const struct {
		int64_t ns;
		enum fmt_unit unit;
		unsigned decimals;
		const char *want;
	} cases[] = {
	    {0, FMT_MS, 3, "0.000"},
	    {1000, FMT_MS, 3, "0.001"},
	    {499, FMT_MS, 3, "0.000"},
	    {500, FMT_MS, 3, "0.001"},
	    {-499, FMT_MS, 3, "0.000"},
	    {-500, FMT_MS, 3, "-0.001"},
	    {1961183000, FMT_MS, 3, "1961.183"},
	    {999999500, FMT_MS, 3, "1000.000"},
	    {INT64_MAX, FMT_MS, 3, "9223372036854.776"},
	    {INT64_MIN, FMT_MS, 3, "-9223372036854.776"},
	    {INT64_MAX, FMT_NS, 3, "9223372036854775807"},
	    {INT64_MIN, FMT_NS, 0, "-9223372036854775808"},
	    {1234567890, FMT_S, 0, "1"},
	    {1500000000, FMT_S, 0, "2"},
	    {-1500000000, FMT_S, 0, "-2"},
	    {1234567890, FMT_S, 9, "1.234567890"},
	    {1234567890, FMT_S, 12, "1.234567890"},
	    {1234567890, FMT_US, 1, "1234567.9"},
	    {50, FMT_US, 1, "0.1"},
	};
	char out[FMT_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_str(fmt_time(out, cases[i].ns, cases[i].unit, cases[i].decimals),
		    cases[i].want, "%lld ns in %s, %u decimals", (long long)cases[i].ns,
		    fmt_unit_name(cases[i].unit), cases[i].decimals);
	is_str(fmt_ms(out, 1234567890), "1234.568", "fmt_ms has three decimals");
}

static void
test_us(void)
{
	static const struct {
		int64_t ns;
		const char *want;
	} cases[] = {
	    {0, "0"},
	    {1, "0.001"},
	    {10, "0.01"},
	    {100, "0.1"},
	    {1000, "1"},
	    {12345, "12.345"},
	    {12340, "12.34"},
	    {-12300, "-12.3"},
	    {-1, "-0.001"},
	    {10000000, "10000"},
	    {INT64_MAX, "9223372036854775.807"},
	    {INT64_MIN, "-9223372036854775.808"},
	};
	struct sbuf out = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		sbuf_clear(&out);
		sbuf_us(&out, cases[i].ns);
		is_str(sbuf_cstr(&out), cases[i].want, "exact us of %lld ns",
		    (long long)cases[i].ns);
	}
	sbuf_release(&out);
}

static void
test_auto(void)
{
	static const struct {
		int64_t ns;
		enum fmt_unit finest;
		const char *want;
	} cases[] = {
	    {0, FMT_NS, "0 ns"},
	    {0, FMT_US, "0 us"},
	    {999, FMT_NS, "999 ns"},
	    {-999, FMT_NS, "-999 ns"},
	    {1000, FMT_NS, "1.000 us"},
	    {12345, FMT_NS, "12.35 us"},
	    {12344, FMT_NS, "12.34 us"},
	    {123449, FMT_NS, "123.4 us"},
	    {999949, FMT_NS, "999.9 us"},
	    {999950, FMT_NS, "1.000 ms"},
	    {9999499, FMT_NS, "9.999 ms"},
	    {9999500, FMT_NS, "10.00 ms"},
	    {99995000, FMT_NS, "100.0 ms"},
	    {999950000, FMT_NS, "1.000 s"},
	    {9999500000, FMT_NS, "10.00 s"},
	    {999950000000, FMT_NS, "1000 s"},
	    {9999500000000, FMT_NS, "10000 s"},
	    {12345600000000, FMT_NS, "12346 s"},
	    {12000, FMT_US, "12 us"},
	    {499, FMT_US, "0 us"},
	    {-499, FMT_US, "0 us"},
	    {500, FMT_US, "1 us"},
	    {9999500, FMT_US, "10.00 ms"},
	    {9500, FMT_US, "10 us"},
	    {999500, FMT_US, "1.000 ms"},
	    {1234567, FMT_US, "1.235 ms"},
	    {999600000, FMT_MS, "1.000 s"},
	    {INT64_MAX, FMT_NS, "9223372037 s"},
	    {INT64_MIN, FMT_NS, "-9223372037 s"},
	};
	char out[FMT_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_str(fmt_auto(out, cases[i].ns, cases[i].finest), cases[i].want,
		    "auto of %lld ns, finest %s", (long long)cases[i].ns,
		    fmt_unit_name(cases[i].finest));
}

static void
test_duration(void)
{
	static const struct {
		int64_t ns;
		const char *want;
	} cases[] = {
	    {0, "0 ns"},
	    {850000000, "850.0 ms"},
	    {59994999999, "59.99 s"},
	    {59995000000, "1m00s"},
	    {60000000000, "1m00s"},
	    {247000000000, "4m07s"},
	    {3599499999999, "59m59s"},
	    {3599500000000, "1h00m"},
	    {10920000000000, "3h02m"},
	    {86369999999999, "23h59m"},
	    {86370000000000, "1d00h"},
	    {-190800000000000, "-2d05h"},
	    {INT64_MAX, "106752d00h"},
	    {INT64_MIN, "-106752d00h"},
	    {86399000000000, "1d00h"},
	};
	char out[FMT_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		is_str(fmt_duration(out, cases[i].ns), cases[i].want,
		    "duration of %lld ns", (long long)cases[i].ns);
	}
}

static void
test_percent(void)
{
	static const struct {
		int64_t part, total;
		const char *want;
	} cases[] = {
	    {0, 0, "-"},
	    {5, 0, "-"},
	    {5, -1, "-"},
	    {INT64_MIN, INT64_MIN, "-"},
	    {0, 7, "0.00"},
	    {7, 7, "100.00"},
	    {1, 3, "33.33"},
	    {2, 3, "66.67"},
	    {-2, 3, "-66.67"},
	    {1, 10000, "0.01"},
	    {1, 20000, "0.01"}, /* 0.005 is half up */
	    {1, 20001, "<.01"},
	    {-1, 20001, ">-.01"},
	    {1, INT64_MAX, "<.01"},
	    {99995, 100000, "100.00"},
	    {99994, 100000, "99.99"},
	    {INT64_MAX, INT64_MAX, "100.00"},
	    {INT64_MIN, INT64_MAX, "-100.00"},
	    {INT64_MAX - 1, INT64_MAX, "100.00"},
	    {INT64_MAX / 2, INT64_MAX, "50.00"},
	    {INT64_MAX / 3, INT64_MAX - 1, "33.33"},
	    {3 * 525, 525, "300.00"},
	    {9999999, 1, "999999900.00"},
	    {10000000, 1, ">999999999"},
	    {INT64_MAX, 1, ">999999999"},
	    {INT64_MIN, 1, "<-999999999"},
	};
	char out[FMT_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_str(fmt_percent(out, cases[i].part, cases[i].total), cases[i].want,
		    "percent %lld of %lld", (long long)cases[i].part,
		    (long long)cases[i].total);
}

static void
test_count(void)
{
	static const struct {
		uint64_t count;
		const char *separator, *want;
	} cases[] = {
	    {0, ",", "0"},
	    {999, ",", "999"},
	    {1000, ",", "1,000"},
	    {12345, ",", "12,345"},
	    {123456, ",", "123,456"},
	    {1234567, "", "1234567"},
	    {UINT64_MAX, "", "18446744073709551615"},
	    {UINT64_MAX, "\xe2\x80\xaf",
		"18\xe2\x80\xaf"
		"446\xe2\x80\xaf"
		"744\xe2\x80\xaf"
		"073\xe2\x80\xaf"
		"709\xe2\x80\xaf"
		"551\xe2\x80\xaf"
		"615"},
	    {UINT64_MAX, "|..|", "18|..|446|..|744|..|073|..|709|..|551|..|615"},
	    {UINT64_MAX, "too long", "18446744073709551615"},
	};
	char out[FMT_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_str(fmt_count(out, cases[i].count, cases[i].separator), cases[i].want,
		    "count %llu with '%s'", (unsigned long long)cases[i].count,
		    cases[i].separator);
}

static void
test_bytes(void)
{
	static const struct {
		uint64_t bytes;
		const char *want;
	} cases[] = {
	    {0, "0 B"},
	    {1023, "1023 B"},
	    {1024, "1.0 KiB"},
	    {1075, "1.0 KiB"},
	    {1076, "1.1 KiB"}, /* 1.0508 */
	    {1536, "1.5 KiB"},
	    {1048524, "1023.9 KiB"},
	    {1048525, "1.0 MiB"},    /* 1023.95 */
	    {1127428915, "1.0 GiB"}, /* 1.05 less a fifth of a byte */
	    {1127428916, "1.1 GiB"},
	    {UINT64_C(1) << 40, "1.0 TiB"},
	    {UINT64_C(1) << 50, "1.0 PiB"},
	    {UINT64_C(1) << 60, "1.0 EiB"},
	    {UINT64_MAX, "16.0 EiB"},
	};
	char out[FMT_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_str(fmt_bytes(out, cases[i].bytes), cases[i].want, "%llu bytes",
		    (unsigned long long)cases[i].bytes);
}

/* Against floating point where that is exact enough to tell. */
static void
test_percent_sweep(void)
{
	char out[FMT_SIZE], want[FMT_SIZE];
	int wrong = 0;

	for (int total = 1; total <= 400; total++) {
		for (int part = 0; part <= 2 * total; part++) {
			int hundredths = (part * 20000 + total) / (2 * total);

			snprintf(want, sizeof(want), "%d.%02d", hundredths / 100,
			    hundredths % 100);
			wrong += strcmp(fmt_percent(out, part, total), want) != 0;
		}
	}
	is_int(wrong, 0, "every part of every total up to 400");
}

int
main(void)
{
	test_time();
	test_us();
	test_auto();
	test_duration();
	test_percent();
	test_percent_sweep();
	test_count();
	test_bytes();
	return tap_done();
}
