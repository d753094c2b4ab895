// SPDX-License-Identifier: Apache-2.0
/* csv: quotes only where RFC 4180 asks for them; nothing is a formula. */
#include <config.h>

#include "base/escape.h"

#include "tap/tap.h"

int
main(void)
{
	static const struct {
		struct str in, want;
	} cases[] = {
	    {STR(""), STR("")},
	    {STR("plain"), STR("plain")},
	    {STR(" a b "), STR(" a b ")},
	    {STR("a,b"), STR("\"a,b\"")},
	    {STR("\""), STR("\"\"\"\"")},
	    {STR("say \"x\""), STR("\"say \"\"x\"\"\"")},
	    {STR("a\nb"), STR("\"a\nb\"")},
	    {STR("a\r"), STR("\"a\r\"")},
	    {STR("=1+1"), STR("'=1+1")},
	    {STR("@SUM(A1)"), STR("'@SUM(A1)")},
	    {STR("+cmd|' /C calc'!A0"), STR("'+cmd|' /C calc'!A0")},
	    {STR("-$$Lambda$1"), STR("'-$$Lambda$1")},
	    {STR("=a,b"), STR("\"'=a,b\"")},
	    {STR("\t=1"), STR("'\t=1")},
	    {STR("\r=1"), STR("\"'\r=1\"")},
	    {STR("-"), STR("'-")},
	    {STR("-5"), STR("-5")},
	    {STR("+5.25"), STR("+5.25")},
	    {STR("-5.2.5"), STR("'-5.2.5")},
	    {STR("-5+1"), STR("'-5+1")},
	    {STR("a=1"), STR("a=1")},
	    {STR("'x';\t|"), STR("'x';\t|")},
	    {STR("\0\xff\x1b"), STR("\0\xff\x1b")},
	    {STR("\0,\xff"), STR("\"\0,\xff\"")},
	};
	struct sbuf out = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		sbuf_clear(&out);
		sbuf_text(&out, "x,");
		csv_field(&out, cases[i].in);
		is_mem(out.p + 2, out.n - 2, cases[i].want.p, cases[i].want.n, "case %zu",
		    i);
	}
	sbuf_release(&out);
	return tap_done();
}
