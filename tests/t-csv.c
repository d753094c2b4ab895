// SPDX-License-Identifier: Apache-2.0
/* escape: CSV has quotes only where RFC 4180 asks for them, nothing is a formula; breaks of names. */
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
	static const struct {
		struct str in, want;
	} names[] = {
	    {STR("a"), STR("a")},
	    {STR("com.example.FeedAdapter.onBind"),
		STR("com.<wbr>example.<wbr>Feed<wbr>Adapter.<wbr>on<wbr>Bind")},
	    {STR("HTTPServer...x<T>"), STR("HTTPServer...<wbr>x&lt;T&gt;")},
	    {STR("196.8 ms, 1,000"), STR("196.8 ms, 1,000")},
	    {STR("a.b: c, d"), STR("a.<wbr>b: c, d")},
	    {STR("x2Y$1"), STR("x2<wbr>Y$<wbr>1")},
	    {STR("\xc3\xa9" "A\xc3\xa9"), STR("\xc3\xa9" "A\xc3\xa9")},
	};
	struct sbuf out = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		sbuf_clear(&out);
		sbuf_text(&out, "x,");
		csv_field(&out, cases[i].in);
		is_mem(out.p + 2, out.n - 2, cases[i].want.p, cases[i].want.n, "case %zu",
		    i);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		sbuf_clear(&out);
		html_name(&out, names[i].in);
		is_mem(out.p, out.n, names[i].want.p, names[i].want.n, "name %zu", i);
	}
	sbuf_release(&out);
	return tap_done();
}
