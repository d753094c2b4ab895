// SPDX-License-Identifier: Apache-2.0
/* json: escapes, malformed strings, exact numbers. */
#include <config.h>

#include <math.h>

#include "base/json.h"

#include "tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define FFFD         "\xef\xbf\xbd"

static void
test_strings(void)
{
	static const struct {
		struct str in;
		const char *want; /* between the quotes */
	} cases[] = {
	    /* clang-format off */
	    {STR(""), ""},
	    {STR("plain ~ /"), "plain ~ /"},
	    {STR("\""), "\\\""},
	    {STR("\\"), "\\\\"},
	    {STR("a\"b\\c"), "a\\\"b\\\\c"},
	    {STR("\b\t\n\f\r"), "\\b\\t\\n\\f\\r"},
	    {STR("\0\x01\x1f"), "\\u0000\\u0001\\u001f"},
	    {STR("\x1b[m\x7f"), "\\u001b[m\\u007f"},
	    {STR("\xc2\x9b"), "\\u009b"},
	    {STR("caf\xc3\xa9"), "caf\xc3\xa9"},
	    {STR("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80"},
	    {STR("a\xe2\x80\xae" "b"), "a\\u202eb"},
	    {STR("\xe2\x80\xa8"), "\\u2028"},
	    {STR("\xef\xbf\xbf"), "\\uffff"},
	    {STR("\xf3\xa0\x81\x81"), "\\udb40\\udc41"},
	    {STR("\xff"), FFFD},
	    {STR("a\xf0\x9f\x98" "b"), "a" FFFD "b"},
	    {STR("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), FFFD FFFD FFFD FFFD "A"},
	    {STR("\xc0\x80"), FFFD FFFD}, /* modified UTF-8 is not converted */
	    {STR("\xed\xa0\xbd\xed\xb8\x80"), FFFD FFFD FFFD FFFD FFFD FFFD},
	    {STR("</script>"), "</script>"},
	    /* clang-format on */
	};
	struct sbuf out = {0};
	struct json j;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct str got;

		json_init(&j, &out, 0);
		json_str(&j, cases[i].in);
		got = sbuf_view(&out);
		ok(got.n >= 2 && got.p[0] == '"' && got.p[got.n - 1] == '"', "quotes");
		is_mem(got.p + 1, got.n - 2, cases[i].want, strlen(cases[i].want),
		    "string of case %zu", i);
		sbuf_release(&out);
	}
}

static void
test_numbers(void)
{
	struct sbuf out = {0};
	struct json j;

	json_init(&j, &out, 0);
	json_array(&j);
	json_int(&j, INT64_MIN);
	json_int(&j, -1);
	json_uint(&j, UINT64_MAX);
	json_us(&j, 0);
	json_us(&j, 12000);
	json_us(&j, 12345);
	json_us(&j, 12340);
	json_us(&j, -1);
	json_us(&j, INT64_MAX);
	json_decimal(&j, 0);
	json_decimal(&j, -2.5);
	json_decimal(&j, 1.0 / 3);
	json_decimal(&j, 4e9);
	json_decimal(&j, 12345678901234.5);
	json_decimal(&j, 1e300);
	json_decimal(&j, -1e300);
	json_decimal(&j, -INFINITY);
	json_real(&j, 0.1);
	json_real(&j, 1.0 / 3);
	json_real(&j, -3);
	json_real(&j, INFINITY);
	json_end(&j);
	is_str(sbuf_cstr(&out),
	    "[-9223372036854775808,-1,18446744073709551615,0,12,12.345,12.34,-0.001,"
	    "9223372036854775.807,0,-2.5,0.333,4000000000,12345678901235,1e+300,-1e+300,null,0.1,0.3333333333333333,-3,null]",
	    "numbers");
	sbuf_release(&out);
}

static void
test_depth(void)
{
	struct sbuf out = {0};
	struct json j;
	char want[2 * JSON_DEPTH_MAX + 1] = "";

	json_init(&j, &out, 0);
	for (int i = 0; i < JSON_DEPTH_MAX; i++)
		json_array(&j);
	for (int i = 0; i < JSON_DEPTH_MAX; i++)
		json_end(&j);
	memset(want, '[', JSON_DEPTH_MAX);
	memset(want + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
	is_str(sbuf_cstr(&out), want, "as deep as it goes");
	sbuf_release(&out);
}

int
main(void)
{
	test_strings();
	test_numbers();
	test_depth();
	return tap_done();
}
