// SPDX-License-Identifier: Apache-2.0
/* sha256: the examples of FIPS 180-2, and pieces of any size. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/sha256.h"

#include "tap/tap.h"

/* Of `n` times `unit`, given in pieces of `step` bytes. */
static bool
hashes(const char *unit, size_t n, size_t step, const char *want)
{
	static char text[1000000];
	uint8_t hash[SHA256_SIZE];
	char got[2 * SHA256_SIZE + 1];
	struct sha256 s;
	size_t length = strlen(unit) * n;

	for (size_t i = 0; i < length; i++)
		text[i] = unit[i % strlen(unit)];
	sha256_init(&s);
	for (size_t i = 0; i < length; i += step)
		sha256_add(&s, text + i, length - i < step ? length - i : step);
	sha256_end(&s, hash);
	for (int i = 0; i < SHA256_SIZE; i++)
		snprintf(got + 2 * i, 3, "%02x", hash[i]);
	return strcmp(got, want) == 0;
}

int
main(void)
{
	static const struct {
		const char *unit;
		size_t n;
		const char *want;
	} cases[] = {
	    {"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t step = 1; step < 100000; step = step * 3 + 1)
			ok(hashes(cases[i].unit, cases[i].n, step, cases[i].want),
			    "%.5s, %zu times, by %zu bytes", cases[i].unit, cases[i].n, step);
	return tap_done();
}
