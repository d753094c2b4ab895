// SPDX-License-Identifier: Apache-2.0
/* names: how methods and threads are written, and how their names are made to fit. */
#include <config.h>

#include <locale.h>
#include <malloc.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tap/tap.h"
#include "trace/log.h"
#include "view/names/names.h"
#include "view/names/words.h"

static uint32_t
add(struct trace *t, const char *class_name, const char *name, const char *signature)
{
	struct method *m = trace_method_add(t, t->methods.count);

	m->class_name = str_from(class_name);
	m->name = str_from(name);
	m->signature = str_from(signature);
	m->known = true;
	t->methods_known = t->methods.count;
	return t->methods.count - 1;
}

static void
is_text(struct str got, const char *want, const char *name)
{
	is_mem(got.p, got.n, want, strlen(want), "%s", name);
}

/* Where a byte of the fitted text says that it comes from, the full name has it. */
static void
source_holds(struct names *n, uint32_t method, struct name_fit fit, const char *name)
{
	struct str full = names_full(n, method);
	int wrong = 0;

	for (size_t i = 0; i < fit.text.n; i++)
		if (fit.source[i] != NAME_ADDED &&
		    (fit.source[i] >= full.n || (full.p[fit.source[i]] != fit.text.p[i] &&
		    (full.p[fit.source[i]] != '$' || fit.text.p[i] != '.'))))
			wrong++;
	is_int(wrong, 0, "%s: every byte knows its place", name);
}

static void
test_full(void)
{
	static const struct {
		const char *class_name, *name, *signature, *full, *ascii;
	} cases[] = {
	    {"java/lang/Enum", "valueOf", "(Ljava/lang/String;)V",
		"java.lang.Enum.valueOf(Ljava/lang/String;)V", NULL},
	    {"java.lang.Enum", "<init>", "()V", "java.lang.Enum.<init>()V", NULL},
	    {"", "main", "", "main", NULL},
	    {"com.Only", "", "", "com.Only", NULL},
	    {"a.B", "x\033[31m", "", "a.B.x^[[31m", NULL},
	    {"a.B", "\303\244", "", "a.B.\303\244", "a.B.?"},
	    {"a.B", "\300\200", "", "a.B.^@", NULL},
	    {"a.B", "\377", "", "a.B.\357\277\275", "a.B.?"},
	};
	struct trace *t = trace_new("t");
	struct names *utf8 = names_new(t, true), *ascii = names_new(t, false);
	struct str all;

	is_text(names_full(utf8, METHOD_TOPLEVEL), "(toplevel)", "toplevel");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint32_t m =
		    add(t, cases[i].class_name, cases[i].name, cases[i].signature);

		is_text(names_full(utf8, m), cases[i].full, cases[i].full);
		is_text(names_full(ascii, m),
		    cases[i].ascii != NULL ? cases[i].ascii : cases[i].full, "in ASCII");
	}
	is_text(names_class(utf8, 1), "java.lang.Enum", "class");
	is_text(names_method(utf8, 1), "valueOf", "method");
	is_text(names_signature(utf8, 1), "(Ljava/lang/String;)V", "signature");
	is_text(names_class(utf8, 3), "", "no class");
	is_text(names_class(utf8, 4), "com.Only", "only a class");
	is_text(names_raw(utf8, 5), "a.B.x\033[31m", "raw for matching");
	trace_method_add(t, 0x70001234u);
	is_text(names_full(utf8, t->methods.count - 1), "0x70001234 (proxy?)", "unknown");
	trace_method_add(t, 0x1f40)->known = true;
	is_text(names_full(utf8, t->methods.count - 1), "0x1f40 (no name)", "named with nothing");
	all = names_full(utf8, 1);
	for (int i = 0; i < 1000; i++)
		add(t, "c.D", "e", "");
	is_text(names_full(utf8, t->methods.count - 1), "c.D.e", "added later");
	is_text(all, cases[0].full, "earlier strings stay");
	names_free(utf8);
	names_free(ascii);
	trace_free(t);
}

static void
test_threads(void)
{
	struct trace *t = trace_new("t");
	struct names *n = names_new(t, true);
	struct thread *th = trace_thread_add(t, 7);

	th->name = STR("main\n");
	trace_thread_add(t, 65535);
	is_text(names_thread(n, 0), "main^J", "a thread's name is cleaned");
	is_text(names_thread(n, 1), "thread 65535", "a thread without a name");
	names_free(n);
	trace_free(t);
}

#define DECODE "com.example.feed.ImageCache.decode"
#define CUT    "\342\200\246"

static void
test_fit(void)
{
	static const struct {
		const char *name;
		enum elision mode;
		int width;
		const char *want;
	} cases[] = {
	    {"all", ELISION_AUTO, 40, DECODE},
	    {"exactly", ELISION_AUTO, 34, DECODE},
	    {"one package", ELISION_AUTO, 33, "c.example.feed.ImageCache.decode"},
	    {"one package, exactly", ELISION_AUTO, 32,
		"c.example.feed.ImageCache.decode"},
	    {"two packages", ELISION_AUTO, 31, "c.e.feed.ImageCache.decode"},
	    {"three packages", ELISION_AUTO, 25, "c.e.f.ImageCache.decode"},
	    {"three packages, exactly", ELISION_AUTO, 23, "c.e.f.ImageCache.decode"},
	    {"class", ELISION_AUTO, 22, CUT "e.f.ImageCache.decode"},
	    {"class again", ELISION_AUTO, 14, CUT "eCache.decode"},
	    {"dot", ELISION_AUTO, 8, CUT ".decode"},
	    {"method", ELISION_AUTO, 7, CUT "decode"},
	    {"method, exactly", ELISION_AUTO, 6, "decode"},
	    {"less than the method", ELISION_AUTO, 5, CUT "code"},
	    {"one column", ELISION_AUTO, 1, CUT},
	    {"no column", ELISION_AUTO, 0, ""},
	    {"no less than none", ELISION_AUTO, -3, ""},
	    {"none: all", ELISION_NONE, 34, DECODE},
	    {"none: cut", ELISION_NONE, 33, CUT "m.example.feed.ImageCache.decode"},
	    {"short", ELISION_SHORT, 99, "c.e.f.ImageCache.decode"},
	    {"short: cut", ELISION_SHORT, 14, CUT "eCache.decode"},
	};
	struct trace *t = trace_new("t");
	struct names *n = names_new(t, true), *ascii = names_new(t, false);
	uint32_t m = add(t, "com.example.feed.ImageCache", "decode", "(I)V");

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct name_fit fit = names_fit(n, m, cases[i].width, cases[i].mode);

		is_text(fit.text, cases[i].want, cases[i].name);
		is_int(fit.width, (int)utf8_width(fit.text), "%s: width", cases[i].name);
		source_holds(n, m, fit, cases[i].name);
	}
	is_text(names_fit(ascii, m, 7, ELISION_AUTO).text, "~decode", "ASCII mark");
	is_text(names_fit_text(n, STR("com.example.Codec.decode(I)V"), 21, ELISION_AUTO).text,
	    "c.e.Codec.decode(int)", "a text: short packages");
	is_text(names_fit_text(n, STR("com.example.Codec.decode(I)V"), 9, ELISION_AUTO).text,
	    CUT "c.decode", "a text: the method stays");
	is_text(names_fit_text(n, STR("launching: com/example/app"), 12, ELISION_AUTO).text,
	    "launch" CUT "e/app", "without a class both ends stay");
	is_text(names_fit_text(n, STR("launching: com/example/app"), 1, ELISION_AUTO).text, CUT,
	    "without a class: one column");
	is_text(names_fit_text(n, STR("H:frame\033[2J"), 30, ELISION_AUTO).text,
	    "H:frame^[[2J", "a text: clean");
	is_text(names_part(n, m, 0, 10).text, "com.examp" CUT, "part: start");
	is_text(names_part(n, m, 4, 10).text, CUT "example." CUT, "part: middle");
	is_text(names_part(n, m, 27, 20).text, CUT ".decode", "part: end");
	is_text(names_part(n, m, 99, 20).text, CUT, "part: beyond the end");
	is_text(names_head(n, STR("pool-1-thread-1"), 8), "pool-1-" CUT, "head");
	is_text(names_head(n, STR("main"), 8), "main", "head that fits");
	names_free(n);
	names_free(ascii);
	trace_free(t);
}

static void
test_overloads(void)
{
	static const struct {
		enum elision mode;
		int width;
		const char *chars, *none;
	} cases[] = {
	    {ELISION_AUTO, 40, "java.lang.Builder.append(char[], int)", "java.lang.Builder.append()"},
	    {ELISION_AUTO, 34, "j.lang.Builder.append(char[], int)", NULL},
	    {ELISION_AUTO, 33, "j.l.Builder.append(char[], int)", NULL},
	    {ELISION_AUTO, 28, CUT "Builder.append(char[], int)", "java.lang.Builder.append()"},
	    {ELISION_AUTO, 27, CUT "Builder.append(char[" CUT " int)", "java.lang.Builder.append()"},
	    {ELISION_AUTO, 18, CUT "Builder.append(" CUT ")", CUT ".Builder.append()"},
	    {ELISION_AUTO, 17, CUT "l.Builder.append", CUT "l.Builder.append"},
	    {ELISION_AUTO, 7, CUT "append", CUT "append"},
	    {ELISION_NONE, 30, "java.lang.Builder.append(ch" CUT "t)", "java.lang.Builder.append()"},
	    {ELISION_NONE, 26, "java.lang.Builder.append", "java.lang.Builder.append"},
	    {ELISION_SHORT, 40, "j.l.Builder.append(char[], int)", "j.l.Builder.append()"},
	};
	struct trace *t = trace_new("t");
	struct names *n = names_new(t, true);
	uint32_t none = add(t, "java.lang.Builder", "append", "()V");
	uint32_t chars = add(t, "java.lang.Builder", "append", "([CI)V");
	uint32_t other = add(t, "java.lang.Builder", "clear", "(I)V");
	uint32_t late;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		is_text(names_fit(n, chars, cases[i].width, cases[i].mode).text, cases[i].chars,
		    cases[i].chars);
		source_holds(n, chars, names_fit(n, chars, cases[i].width, cases[i].mode), "overload");
		if (cases[i].none != NULL)
			is_text(names_fit(n, none, cases[i].width, cases[i].mode).text, cases[i].none,
			    cases[i].none);
	}
	is_text(names_shown(n, other), "java.lang.Builder.clear", "others show no types");
	is_text(names_part(n, chars, 18, 12).text, CUT "append(cha" CUT, "part");
	late = add(t, "java.lang.Builder", "clear", "()V");
	is_text(names_shown(n, other), "java.lang.Builder.clear(int)", "one that comes later");
	is_text(names_shown(n, late), "java.lang.Builder.clear()", "and itself");
	names_free(n);
	trace_free(t);
}

/* What methods of one name look like: each in another way, unless the file has them twice. */
static void
test_types(void)
{
	static const struct {
		const char *class_name, *name, *signature, *shown;
	} rows[] = {
	    {"a/B", "f", "(Ljava/lang/String;JZ)V", "a.B.f(String, long, boolean)"},
	    {"a/B", "f", "([[I[Ljava/util/Map$Entry;BCDFS)[I",
		"a.B.f(int[][], Map.Entry[], byte, char, double, float, short)"},
	    {"a/B", "f", "(Lx/P$1;Lx/-$$Lambda$2;)V", "a.B.f(P$1, -$$Lambda$2)"},
	    {"a.B", "same", "(La/Foo;)V", "a.B.same(a.Foo)"},
	    {"a.B", "same", "(Lb/Foo;)I", "a.B.same(b.Foo)"},
	    {"a.B", "same", "(I)V", "a.B.same(int)"},
	    {"a.B", "bridge", "(I)Ljava/lang/Object;", "a.B.bridge(int): Object"},
	    {"a.B", "bridge", "(I)[I", "a.B.bridge(int): int[]"},
	    {"a.B", "bridge", "()V", "a.B.bridge()"},
	    {"a.B", "all", "(La/Foo;)La/R;", "a.B.all(a.Foo): a.R"},
	    {"a.B", "all", "(La/Foo;)Lb/R;", "a.B.all(a.Foo): b.R"},
	    {"a.B", "dots", "(Lx/C$D;)V", "a.B.dots(Lx/C$D;)V"},
	    {"a.B", "dots", "(Lx.C$D;)V", "a.B.dots(Lx.C$D;)V"},
	    {"a.B", "broken", "(Lx/C)V", "a.B.broken(Lx/C)V"},
	    {"a.B", "broken", "(\033V", "a.B.broken(^[V"},
	    {"a.B", "broken", "(V)V", "a.B.broken(V)V"},
	    {"a.B", "broken", "([V)V", "a.B.broken([V)V"},
	    {"a.B", "broken", "(I)", "a.B.broken(I)"},
	    {"a.B", "broken", "(I)VV", "a.B.broken(I)VV"},
	    {"a.B", "broken", "([", "a.B.broken(["},
	    {"a.B", "broken", "I", "a.B.brokenI"},
	    {"a.B", "broken", "(L;)V", "a.B.broken(L;)V"},
	    {"a.B", "twice", "(I)V", "a.B.twice"},
	    {"a.B", "twice", "(I)V", "a.B.twice"},
	    {"java.util.Map$Entry", "getKey", "()V", "java.util.Map.Entry.getKey"},
	    {"a.A$B", "g", "()V", "a.A$B.g()V"},
	    {"a.A.B", "g", "()V", "a.A.B.g()V"},
	    {"a.F$$C$1$d", "h", "()V", "a.F$$C$1$d.h"},
	    {"", "", "()V", "()V"},
	    {"", "alone", "(I)V", "alone"},
	};
	struct trace *t = trace_new("t");
	struct names *n = names_new(t, true);
	char many[1024] = "(";

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		add(t, rows[i].class_name, rows[i].name, rows[i].signature);
	for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		is_text(names_shown(n, i + 1), rows[i].shown, rows[i].shown);
	memset(many + 1, 'Z', 256);
	strcpy(many + 257, ")V");
	add(t, "a.B", "many", many);
	is_int(names_shown(n, add(t, "a.B", "many", many + 1)).n, strlen("a.B.many") + 258,
	    "more than 255 parameters are none");
	is_int(names_shown(n, t->methods.count - 2).n, strlen("a.B.many") + 259, "nor here");
	names_free(n);
	trace_free(t);
}

static void
test_functions(void)
{
	static const struct {
		const char *name;
		int width;
		const char *want;
	} cases[] = {
	    {"virtual void art::Pool::Trim(bool, int)", 39, "virtual void art::Pool::Trim(bool, int)"},
	    {"virtual void art::Pool::Trim(bool, int)", 22, CUT "Pool::Trim(bool, int)"},
	    {"virtual void art::Pool::Trim(bool, int)", 20, CUT "Pool::Trim(" CUT "l, int)"},
	    {"virtual void art::Pool::Trim(bool, int)", 9, CUT "ol::Trim"},
	    {"a::P<b::C, d::E>::f<int>(x::Y)", 9, CUT "::f<int>"},
	    {"ns::(anonymous namespace)::run(int)", 12, CUT "space)::run"},
	    {"Fn::operator()(int, long)", 18, "Fn::operator()(" CUT "g)"},
	    {"CChannel::queue(c2.decoder#598@ts=5088000)", 28, "CChannel::queue(" CUT "ts=5088000)"},
	    {"IPerf::perfHint::client", 17, CUT "perfHint::client"},
	    {"launching a::b", 9, "laun" CUT "a::b"},
	    {"f(a::b) of all", 9, "f(a:" CUT " all"},
	    {"a::", 2, CUT ":"},
	    {"::", 1, CUT},
	};
	struct trace *t = trace_new("t");
	struct names *n = names_new(t, true);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct name_fit fit = names_fit(n, add(t, "", cases[i].name, ""), cases[i].width,
		    ELISION_AUTO);

		is_text(fit.text, cases[i].want, cases[i].name);
		ok(fit.width <= cases[i].width, "it fits");
	}
	names_free(n);
	trace_free(t);
}

/* For every width and mode: it fits, and ends as the method does. */
static void
test_any_width(void)
{
	static const struct {
		const char *class_name, *name;
	} hostile[] = {
	    {"\344\270\255\346\226\207.\346\226\207\344\270\255.Z", "\344\270\255x"},
	    {"e\314\201e\314\201e\314\201.F", "e\314\201\314\201"},
	    {"....", "."},
	    {"", "x"},
	    {"a..b.C$D$E", "lambda$1"},
	    {".", ""},
	    {"\033]0;title\007.K", "\r\n"},
	};
	struct trace *t = trace_new("t");
	struct names *n = names_new(t, true);

	for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
		uint32_t m = add(t, hostile[i].class_name, hostile[i].name, "(II)V");
		struct str own = names_method(n, m);
		int wide = 0, end = 0;

		for (int width = 0; width < 40; width++) {
			for (int mode = ELISION_AUTO; mode <= ELISION_SHORT; mode++) {
				struct name_fit fit = names_fit(n, m, width, mode);
				struct str tail = utf8_tail(own, 2, NULL);
				bool ends = false;

				wide += fit.width > width;
				/* The end of the own name is somewhere in it. */
				for (size_t at = 0; at + tail.n <= fit.text.n; at++)
					ends |=
					    memcmp(fit.text.p + at, tail.p, tail.n) == 0;
				end += width > 2 && !ends;
			}
		}
		is_int(wide, 0, "hostile %zu: never wider", i);
		is_int(end, 0, "hostile %zu: never without its end", i);
		source_holds(n, m, names_fit(n, m, 6, ELISION_AUTO), "hostile");
	}
	names_free(n);
	trace_free(t);
}

static void
test_long(void)
{
	struct trace *t = trace_new("t");
	struct names *n = names_new(t, true);
	static char longer[1 << 20];
	uint32_t m;

	memset(longer, 'p', sizeof longer - 1);
	m = add(t, longer, longer, longer);
	ok(names_full(n, m).n < 40000, "a name of a megabyte is cut");
	is_int(names_fit(n, m, 80, ELISION_AUTO).width, 80, "and fits");
	names_free(n);
	trace_free(t);
}

/* Texts of methods and calls for a log; names in them are not its business. */
static void
test_words(void)
{
	static const struct {
		const char *text, *of_log;
	} rows[] = {
	    {"Method", "Slice"},
	    {"METHOD", "SLICE"},
	    {"%u of %u methods", "%u of %u names"},
	    {"next call of the selected method in time", "next slice of the selected name in time"},
	    {"Method, below it its callers\n", "Slice, below it its parents\n"},
	    {" %d call%s", " %d slice%s"},
	    {"(toplevel), where no call was open", "(toplevel), where no slice was open"},
	    {"recalls callable methodical", "recalls callable methodical"},
	    {"a method trace has no chains", "a method trace has no chains"},
	    {"call", "slice"},
	    {"", ""},
	};
	struct trace *t = mem_zero(1, sizeof(*t));
	struct names *n = names_new(t, true);
	struct sbuf out = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sbuf_clear(&out);
		words_of_log(&out, str_from(rows[i].text));
		is_text(sbuf_view(&out), rows[i].of_log, rows[i].text);
	}
	ok(names_words(n, rows[0].text) == rows[0].text, "a method trace has the text itself");
	names_free(n);
	t->log = log_new(NULL);
	n = names_new(t, true);
	is_str(names_words(n, rows[0].text), "Slice", "a log its own");
	is_str(names_words(n, rows[2].text), rows[2].of_log, "another one");
	is_str(names_words(n, rows[0].text), "Slice", "again");
	names_free(n);
	log_free(t->log);
	mem_free(t);
	sbuf_release(&out);
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
#ifdef M_PERTURB
	mallopt(M_PERTURB, 0x5a); /* uninitialised memory shows */
#endif
	test_full();
	test_threads();
	test_fit();
	test_overloads();
	test_types();
	test_functions();
	test_any_width();
	test_long();
	test_words();
	return tap_done();
}
