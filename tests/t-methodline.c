// SPDX-License-Identifier: Apache-2.0
/* methodline: numbers, as C reads them, and what follows them. */
#include <config.h>

#include "format/method/method.h"
#include "tap/tap.h"

#include <inttypes.h>

static const struct {
	const char *text;
	unsigned base;
	uint64_t value;
	const char *rest; /* NULL: no number */
} numbers[] = {
	{"0", 10, 0, ""},
	{"00012", 10, 12, ""},
	{"12 a", 10, 12, " a"},
	{"12a", 10, 12, "a"},
	{"-1", 10, 0, NULL},
	{"", 10, 0, NULL},
	{" 1", 10, 0, NULL},
	{"18446744073709551615", 10, UINT64_MAX, ""},
	{"18446744073709551616", 10, UINT64_MAX, ""},
	{"99999999999999999999999", 10, UINT64_MAX, ""},
	{"0x10", 10, 0, "x10"},
	{"0x1F\tname", 0, 31, "\tname"},
	{"0Xabcdef01", 0, 0xabcdef01, ""},
	{"0xffffffffffffffff", 0, UINT64_MAX, ""},
	{"0x10000000000000000", 0, UINT64_MAX, ""},
	{"0x", 0, 0, "x"},
	{"0xg", 0, 0, "xg"},
	{"017", 0, 15, ""},
	{"018", 0, 1, "8"},
	{"1f", 0, 1, "f"},
	{"a", 0, 0, NULL},
};

int
main(void)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct str text = str_from(numbers[i].text), rest = {NULL, 0};
		uint64_t value = 0;
		bool is = number_parse(text, numbers[i].base, &value, &rest);

		ok(is == (numbers[i].rest != NULL), "'%s', base %u: a number, or none", text.p,
		    numbers[i].base);
		if (is)
			ok(value == numbers[i].value && rest.p + rest.n == text.p + text.n &&
				str_equal(rest, str_from(numbers[i].rest)),
			    "its value, %" PRIu64 ", and what follows", value);
	}
	return tap_done();
}
