// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/names/cxx_name.h"

#include <string.h>

static bool
has_at(struct str s, size_t at, struct str part)
{
	return at + part.n <= s.n && memcmp(s.p + at, part.p, part.n) == 0;
}

/* Where parameters begin; `(anonymous namespace)::` and `operator()` are none. */
static size_t
parameters_at(struct str s)
{
	static const struct str word = STR("operator");
	int templates = 0;

	for (size_t i = 0; i < s.n; i++) {
		const char *close;

		templates += (s.p[i] == '<') - (s.p[i] == '>');
		if (s.p[i] != '(' || templates > 0)
			continue;
		close = memchr(s.p + i, ')', s.n - i);
		if (close == NULL || !(has_at(s, (size_t)(close - s.p) + 1, STR("::")) ||
		    (i >= word.n && has_at(s, i - word.n, word) && close == s.p + i + 1)))
			return i;
		i = (size_t)(close - s.p);
	}
	return s.n;
}

bool
cxx_name_parse(struct str name, struct cxx_name *found)
{
	const char *p = name.p;
	size_t end = parameters_at(name), at;
	int inside = 0, colons = 0;

	while (end > 0 && p[end - 1] == ' ')
		end--;
	for (at = end; at > 0; at--) {
		char c = p[at - 1];

		inside += (c == '>' || c == ')') - (c == '<' || c == '(');
		if (inside < 0 || (inside == 0 && c == ' '))
			break;
		if (inside > 0 || c != ':' || at < 2 || p[at - 2] != ':')
			continue;
		if (++colons == 2)
			break;
		at--;
	}
	*found = (struct cxx_name){at, end};
	return colons > 0 && (end < name.n || at == 0 || memchr(p, ' ', at) == NULL);
}
