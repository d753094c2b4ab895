// SPDX-License-Identifier: Apache-2.0
/* transform: names, keys, and the text of arguments, parsed and written. */
#include <config.h>

#include "base/sbuf.h"
#include "made-tree.h"
#include "profile/sum/transform.h"
#include "tap/tap.h"

static void
test_lines(void)
{
	static const struct {
		const char *line, *text; /* NULL: bad, then at */
		uint64_t at;
	} lines[] = {
	    {"drop:^java\\.", "/^java\\./", 0},
	    {"below:0.5", "0.5 %", 0},
	    {"below:12.25%", "12.25 %", 0},
	    {"below:0.05 %", "0.05 %", 0},
	    {"below:101", NULL, 6},
	    {"below:x", NULL, 6},
	    {"below:1.234", NULL, 10},
	    {"below:", NULL, 6},
	    {"collapse-package:java/util", "java.util.*", 0},
	    {"focus-package:java.util.*", "java.util.*", 0},
	    {"focus-package:*", NULL, 14},
	    {"focus-subtree:a / b", "/a / b/", 0},
	    {"focus-subtree:a / (", NULL, 19},
	    {"merge:(", NULL, 7},
	    {"merge:", NULL, 6},
	    {"merge", NULL, 5},
	    {"Merge:a", NULL, 0},
	    {"", NULL, 0},
	};
	struct trace *t = made_trace();

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct transforms list = {0}, same = {0};
		struct sbuf text = {0};
		struct err e = {0};
		bool good = transforms_add_line(&list, str_from(lines[i].line), &e);

		if (lines[i].text == NULL) {
			ok(!good && list.count == 0 && e.has_offset && e.offset == lines[i].at,
			    "'%s' is bad at %d (%d)", lines[i].line, (int)lines[i].at,
			    (int)e.offset);
			continue;
		}
		ok(good && list.count == 1, "'%s' is good", lines[i].line);
		transform_argument_text(&text, &list.list[0], t);
		is_str(sbuf_cstr(&text), lines[i].text, "and reads so");
		transforms_copy(&same, &list);
		ok(transforms_equal(&same, &list), "a copy is equal");
		same.list[0].off = true;
		ok(!transforms_equal(&same, &list) && !transforms_active(&same), "until it is off");
		transforms_release(&same);
		transforms_release(&list);
		sbuf_release(&text);
	}
	trace_free(t);
}

static void
test_table(void)
{
	for (int i = 0; i < TRANSFORMS; i++) {
		const struct transform_kind *kind = &transform_kinds[i];

		ok((int)transform_find(str_from(kind->name)) == i &&
			(int)transform_find_key(kind->key) == i,
		    "%s has a name and a key of its own", kind->name);
	}
	ok(transform_find(STR("x")) == TRANSFORMS && transform_find_key('x') == TRANSFORMS,
	    "others are none");
}

int
main(void)
{
	test_table();
	test_lines();
	return tap_done();
}
