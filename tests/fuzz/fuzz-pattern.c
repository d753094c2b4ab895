// SPDX-License-Identifier: Apache-2.0
/*
 * Patterns and subjects from anywhere.  The first byte holds flags, the text of the
 * pattern ends at the first line feed, the rest is the subject.
 */
#include <config.h>

#include "fuzz/fuzz.h"

#include "base/pattern.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct str subject = {(const char *)bytes + 1, size > 0 ? size - 1 : 0};
	unsigned flags = size > 0 ? bytes[0] & PATTERN_LITERAL : 0;
	struct pattern *p;
	struct err e = {0};
	struct str text;
	size_t from = SIZE_MAX, to = SIZE_MAX;

	if (size == 0)
		return 0;
	text = str_cut(&subject, '\n');
	if (!pattern_compile(text, flags, &p, &e)) {
		fuzz_check(p == NULL && e.what[0] != '\0');
		fuzz_check(e.kind == ERR_MALFORMED ? e.has_offset && e.offset <= text.n
						   : e.kind == ERR_LIMIT);
		return 0;
	}
	fuzz_check(e.kind == ERR_NONE);
	switch (pattern_match(p, subject, &from, &to)) {
	case PATTERN_MATCH:
		fuzz_check(from <= to && to <= subject.n);
		break;
	default:
		fuzz_check(from == SIZE_MAX && to == SIZE_MAX);
	}
	if ((flags & PATTERN_LITERAL) != 0)
		fuzz_check(pattern_match(p, text, NULL, NULL) == PATTERN_MATCH);
	pattern_free(p);
	return 0;
}
