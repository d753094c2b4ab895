// SPDX-License-Identifier: Apache-2.0
/* filters: lists of patterns, bad and costly ones. */
#include <config.h>

#include <string.h>

#include "tap/tap.h"
#include "view/filters.h"
#include "view/fixture.h"

/* The shown ones, as letters r(un) f(act) e(ven) o(dd) l(oad) F(ail) L(oop). */
static void
shows(struct filters *f, struct names *n, const char *want, const char *name)
{
	static const char letters[] = "rfeolFL";
	char got[8] = "";

	for (int i = M_RUN; i <= M_LOOP; i++)
		if (filters_pass(f, n, fixture_method(i)))
			strncat(got, &letters[i], 1);
	is_str(got, want, "%s", name);
}

static void
is_line(const struct filters *f, struct names *n, const char *want)
{
	struct str got = filters_text(f, n);

	is_mem(got.p, got.n, want, strlen(want), "text: %s", want);
}

static void
test_lists(struct names *n)
{
	struct filters f, copy;
	struct err e = {0};

	f = (struct filters){0};
	copy = (struct filters){0};
	shows(&f, n, "rfeolFL", "no filter");
	is_line(&f, n, "");
	ok(filters_set(&f, STR("Parity"), &e), "set");
	shows(&f, n, "eo", "include");
	ok(filters_set(&f, STR("!parity"), &e), "set another");
	shows(&f, n, "rflFL", "exclude, in any case");
	ok(filters_set(&f, STR("+!^app\\.Io\\."), &e), "add");
	shows(&f, n, "rfL", "both must hold");
	is_line(&f, n, "!parity & !^app\\.Io\\.");
	ok(filters_set(&f, STR("+run|loop"), &e), "add a third");
	shows(&f, n, "rL", "all three must hold");
	filters_copy(&copy, &f);
	ok(filters_equal(&f, &copy), "a copy is equal");
	shows(&copy, n, "rL", "and shows the same");
	filters_remove(&f, 0);
	ok(!filters_equal(&f, &copy), "no more");
	shows(&f, n, "rL", "one removed");
	filters_remove(&f, 1);
	is_line(&f, n, "!^app\\.Io\\.");
	shows(&f, n, "rfeoL", "two removed");
	ok(filters_set(&f, STR("+"), &e) && f.count == 1,
	    "adding nothing changes nothing");
	ok(filters_set(&f, STR(""), &e) && f.count == 0, "an empty line removes all");
	shows(&f, n, "rfeolFL", "all are back");
	is_int(e.kind, ERR_NONE, "no error so far");
	filters_release(&f);
	filters_release(&copy);
}

static void
test_names(struct names *n)
{
	struct filters f;

	f = (struct filters){0};
	filters_set(&f, STR("^app\\.Math\\.fact\\(I\\)I$"), NULL);
	shows(&f, n, "f", "the whole name, dotted, with its signature");
	ok(!filters_pass(&f, n, METHOD_TOPLEVEL),
	    "(toplevel) is filtered by its name, too");
	filters_release(&f);
}

static void
test_bad(struct names *n)
{
	static const struct {
		const char *line;
		uint64_t offset;
	} cases[] = {{"a(", 2}, {"!a(", 3}, {"+!a(", 4}, {"+a(", 3}};
	struct filters f;

	f = (struct filters){0};
	filters_set(&f, STR("fact"), NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {0};

		ok(!filters_set(&f, str_from(cases[i].line), &e), "%s is refused",
		    cases[i].line);
		is_int(e.kind, ERR_MALFORMED, "as malformed");
		is_int((int64_t)e.offset, (int64_t)cases[i].offset,
		    "the offset counts from the start of the line");
		shows(&f, n, "f", "the old list stays");
	}
	filters_release(&f);
}

static void
test_costly(void)
{
	static const struct fixture_method methods[] = {
	    {"a", "b", ""},
	    {"a.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"!", ""},
	};
	struct fixture fixture;
	struct filters f;

	fixture_open(&fixture, "dual", "", methods, 2, NULL, 0, true);
	f = (struct filters){0};
	filters_set(&f, STR("(?:(?:a+)+)+$"), NULL);
	filters_set(&f, STR("+[ab]"), NULL);
	ok(filters_pass(&f, fixture.names, fixture_method(1)),
	    "a pattern that is too costly counts no more");
	is_int(f.err.kind, ERR_LIMIT, "and that is said");
	ok(filters_pass(&f, fixture.names, fixture_method(0)), "for no method");
	ok(f.list[0].costly && !f.list[1].costly, "the other one still counts");
	filters_release(&f);
	fixture_close(&fixture);
}

int
main(void)
{
	struct fixture fixture;

	fixture_worked(&fixture, true);
	test_lists(fixture.names);
	test_names(fixture.names);
	test_bad(fixture.names);
	test_costly();
	fixture_close(&fixture);
	return tap_done();
}
