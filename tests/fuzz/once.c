// SPDX-License-Identifier: Apache-2.0
/*
 * once: a fuzz target as a test.  tests/t-fuzz-NAME reads the seeds in
 * tests/fuzz/corpus/fuzz-NAME of the source tree and tests/fuzz/seeds/fuzz-NAME of the
 * build tree, and gives each to the target, then each prefix of it and mutations from a
 * fixed seed, so that a run is the same everywhere.
 */
#include <config.h>

#include <dirent.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "tap/tap.h"

#pragma weak LLVMFuzzerInitialize

enum { SEED_MAX = 1 << 20, PREFIXES_MAX = 1000, MUTATIONS = 500 };

/* xorshift64 */
static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* From memory of exactly that size, so that sanitizers see a read beyond the end. */
static void
give(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size);

	if (size > 0)
		memcpy(copy, bytes, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

/* `bytes` has room for one byte more than `size`; returns the new size. */
static size_t
mutate(uint8_t *bytes, size_t size, uint64_t *state)
{
	static const uint8_t favourites[] = {
	    0, 1, 0x0a, 0x1b, 0x7f, 0x80, 0xc0, 0xed, 0xff};
	uint64_t random = next_random(state);
	size_t at = size > 0 ? (random >> 8) % size : 0;
	uint8_t value = (random & 4) != 0
			    ? favourites[(random >> 32) % sizeof(favourites)]
			    : (uint8_t)(random >> 32);

	switch (size > 0 ? random & 3 : 0) {
	case 0:
		memmove(bytes + at + 1, bytes + at, size - at);
		bytes[at] = value;
		return size + 1;
	case 1:
		memmove(bytes + at, bytes + at + 1, size - at - 1);
		return size - 1;
	case 2:
		bytes[at] = value;
		return size;
	default:
		bytes[at] ^= (uint8_t)(1u << (value & 7));
		return size;
	}
}

static void
run_seed(const char *name, uint8_t *bytes, size_t size)
{
	uint64_t state = 0x9e3779b97f4a7c15u;

	give(bytes, size);
	for (size_t n = 0; n < size && n < PREFIXES_MAX; n++)
		give(bytes, n);
	/* Each mutation builds on the one before. */
	for (size_t i = 0, n = size; i < MUTATIONS; i++) {
		n = mutate(bytes, n, &state);
		give(bytes, n);
	}
	ok(true, "survived seed %s, %zu bytes", name, size);
}

/* Runs the seeds in a folder below that in the variable `tree`; returns how many. */
static int
run_seeds(const char *tree, const char *folder, const char *name)
{
	const char *top = getenv(tree);
	static uint8_t bytes[SEED_MAX + MUTATIONS];
	char path[4096];
	struct dirent **entries;
	int count, seeds = 0;

	snprintf(path, sizeof(path), "%s/tests/fuzz/%s/%s", top != NULL ? top : ".",
	    folder, name);
	count = scandir(path, &entries, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		char file[4096 + 300];
		FILE *in;

		snprintf(file, sizeof(file), "%s/%s", path, entries[i]->d_name);
		in = entries[i]->d_name[0] != '.' ? fopen(file, "rb") : NULL;
		if (in != NULL) {
			run_seed(
			    entries[i]->d_name, bytes, fread(bytes, 1, SEED_MAX, in));
			fclose(in);
			seeds++;
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return seeds;
}

int
main(int argc, char **argv)
{
	const char *name = strstr(argv[0], "t-fuzz-");
	int seeds;

	name = name != NULL ? name + strlen("t-") : "";
	if (LLVMFuzzerInitialize != NULL)
		LLVMFuzzerInitialize(&argc, &argv);
	seeds = run_seeds("SRCDIR", "corpus", name);
	seeds += run_seeds("BUILDDIR", "seeds", name);
	ok(seeds > 0, "%d seeds", seeds);
	return tap_done();
}
