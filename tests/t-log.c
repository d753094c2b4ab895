/*
 * Small text logs with known answers: matching of slices, asynchronous tracks, names that
 * come late, order, what logs come in and how much of them is chosen.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/sbuf.h"
#include "format/format.h"
#include "opened-log.h"
#include "profile/index/overview.h"
#include "profile/log/usage.h"
#include "profile/sum/paths.h"
#include "profile/sum/transform.h"
#include "profile/timeline/cells.h"
#include "profile/timeline/timeline.h"
#include "tap/tap.h"
#include "view/pages/info.h"

static void
sync_slices(void)
{
	struct opened o = open_text("# tracer: nop\n"
	    LINE_AT("000") "E|1|\n"             /* of nothing */
	    LINE_AT("001") "B|1|H:outer|I62|k=v\n"
	    LINE_AT("003") "B|1|H:inner|I62\n"
	    LINE_AT("004") "B|1|H:inner|I62\n"  /* of itself */
	    LINE_AT("006") "E|7|I62\n"          /* whatever it says */
	    LINE_AT("009") "E|1|other\n"        /* names another one */
	    LINE_AT("010") "E|1|M62\n"
	    LINE_AT("010") "B|1|zero\n" LINE_AT("010") "E|1|\n"
	    LINE_AT("012") "B|1|left\n"
	    LINE_AT("020") "C|1|n|5\n");

	ok(o.p != NULL, "opens");
	is_int((int64_t)o.s->unmatched_ends, 1, "an end of nothing");
	is_int((int64_t)o.s->suspicious_ends, 1, "an end that names another slice");
	is_int((int64_t)o.s->unfinished, 1, "a slice without an end");
	is_int(sum_of(&o, "outer")->inclusive[CLOCK_WALL], 9000, "outer: inclusive");
	is_int(sum_of(&o, "outer")->exclusive[CLOCK_WALL], 3000, "outer: exclusive");
	is_int((int64_t)sum_of(&o, "inner")->calls, 1, "inner: calls");
	is_int((int64_t)sum_of(&o, "inner")->recursive_calls, 1, "inner: recursive calls");
	is_int(sum_of(&o, "inner")->inclusive[CLOCK_WALL], 6000, "inner: counted once");
	is_int(sum_of(&o, "inner")->exclusive[CLOCK_WALL], 6000, "inner: exclusive");
	is_int((int64_t)sum_of(&o, "zero")->calls, 1, "a slice that takes no time is one");
	is_int(sum_of(&o, "left")->inclusive[CLOCK_WALL], 8000, "lasts until the end of the log");
	is_int(o.fold->total[CLOCK_WALL], 17000, "percentages are of the outermost slices");
	done(&o);
}

static nsec
inside_of(const struct opened *o, const struct range *range, const struct transforms *list,
    uint32_t *roots)
{
	struct range_sums sums = {0};
	bool part = range != NULL && range_count(o->p, NULL, range, &sums, NULL, NULL);
	struct transformed *x = list == NULL ? NULL
	    : transform_profile(list, o->p, NULL, part ? &sums : NULL, NULL);
	struct paths *paths =
	    paths_counted(o->p, NULL, part ? &sums : NULL, x, false, NULL);
	struct fold *fold = fold_make(o->p, &(struct fold_query){.range = range, .of = x}, NULL);
	nsec total = paths_total(paths, CLOCK_WALL);

	*roots = paths->roots;
	is_int(total, fold->total[CLOCK_WALL], "the call tree has the total of the table");
	is_int(fold->methods[METHOD_TOPLEVEL].inclusive[CLOCK_WALL], total,
	    "(toplevel) has the total");
	fold_free(fold);
	paths_free(paths);
	transformed_free(x);
	range_release(&sums);
	return total;
}

/* Threads of a log are mostly outside of slices: that is part of no percentage. */
static void
one_total(void)
{
	static const char text[] =
	    LINE_AT("000") "B|1|zero\n" LINE_AT("000") "E|1\n"
	    LINE_AT("500") "B|1|outer\n" LINE_AT("520") "B|1|inner\n"
	    LINE_AT("540") "E|1\n" LINE_AT("600") "E|1\n"
	    "b-2 (2) [001] d... 10.000000: sched_switch: prev_comm=b prev_pid=2 prev_prio=97 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120\n"
	    "b-2 (2) [001] d... 10.000900: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=2 next_prio=97\n";
	struct opened o = open_text(text);
	const struct range part = {520000, 560000}, without = {610000, 700000};
	struct transforms merge = {0};
	struct err err = {0};
	uint32_t roots, a = thread_of(&o, "a"), b = thread_of(&o, "b");

	ok(a != THREAD_NONE && b != THREAD_NONE, "a thread with slices, and one without");
	is_int(inside_of(&o, NULL, NULL, &roots), 100000, "slices that are in no other");
	is_int(roots, 1, "a thread without slices is not in the tree");
	is_int(o.fold->threads[a].part[CLOCK_WALL], 100000, "a's part of the total");
	is_int(o.fold->threads[a].covered, 100000, "all of it in slices");
	ok(o.fold->threads[a].last[CLOCK_WALL] - o.fold->threads[a].first[CLOCK_WALL] > 100000,
	    "though it was there longer");
	is_int(o.fold->threads[b].part[CLOCK_WALL], 0, "b has none of it");
	is_int(o.fold->whole[CLOCK_WALL], 100000, "the whole trace has the same");
	is_int(inside_of(&o, &part, NULL, &roots), 40000, "in a range");
	is_int(inside_of(&o, &without, NULL, &roots), 0, "in a range between slices");
	is_int(roots, 0, "no thread is in the tree");
	ok(transforms_add_line(&merge, STR("merge:^outer$"), &err), "a transform");
	is_int(inside_of(&o, NULL, &merge, &roots), 100000,
	    "a merged slice's time stays, as its thread's own");
	transforms_release(&merge);
	done(&o);
}

static void
async_slices(void)
{
	struct opened o = open_text(
	    LINE_AT("000") "S|1|H:x|1|M62|cat|a=b\n"
	    LINE_AT("001") "S|1|H:x|2|M62|cat\n"   /* the same name at once */
	    LINE_AT("002") "S|1|H:x|1|M62|cat\n"   /* again: ignored */
	    LINE_AT("003") "S|1|H:y|1|M62|cat\n"
	    LINE_AT("004") "F|1|H:x|1|M62\n"
	    "b-2 (1) [001] .... 10.000006: tracing_mark_write: F|1|H:x|2|M62\n"
	    LINE_AT("007") "F|1|H:y|1|M62\n" LINE_AT("007") "F|1|H:y|1|M62\n"
	    LINE_AT("008") "S|1|H:z 5\n"            /* never ends */
	    LINE_AT("009") "F|2|H:z 5\n"            /* of another process */
	    LINE_AT("010") "G|1|track|t|1\n" LINE_AT("011") "G|1|track|u|1\n"
	    LINE_AT("012") "H|1|track|1\n" LINE_AT("014") "H|1|track|1\n");

	is_int((int64_t)o.s->duplicate_begins, 1, "a beginning of what is open");
	is_int((int64_t)o.s->unmatched_async_ends, 2, "ends of nothing");
	is_int((int64_t)o.s->unfinished_async, 1, "one without an end");
	is_int((int64_t)sum_of(&o, "x")->calls, 2, "x: calls");
	is_int((int64_t)sum_of(&o, "x")->recursive_calls, 0, "x: none is within another");
	is_int(sum_of(&o, "x")->inclusive[CLOCK_WALL], 9000, "x: the sum of all");
	is_int(sum_of(&o, "z")->inclusive[CLOCK_WALL], 6000, "z: until the end");
	is_int(sum_of(&o, "u")->inclusive[CLOCK_WALL], 1000, "on a track the newest ends first");
	is_int(sum_of(&o, "t")->inclusive[CLOCK_WALL], 4000, "then the one before");
	for (uint32_t i = 1; i < o.fold->method_count; i++)
		ok(trace_method(o.p->trace, i)->async, "a method that is asynchronous");
	ok(thread_of(&o, "async: cat") != THREAD_NONE &&
		thread_of(&o, "async: cat (3)") != THREAD_NONE &&
		thread_of(&o, "async: cat (4)") == THREAD_NONE,
	    "a track has as many rows as it needs");
	is_int((int64_t)o.s->threads, 2, "rows are no threads");
	done(&o);
}

static void
order(void)
{
	struct opened o = open_text(
	    "a-1 [000] .... 20.000000: tracing_mark_write: B|1|late\n"
	    "a-1 [000] .... 20.000009: tracing_mark_write: E|1\n"
	    "garbage\n"
	    "a-1 [000] .... 10.000000: tracing_mark_write: B|1|early\n"
	    "a-1 [000] .... 10.000004: tracing_mark_write: E|1\n"
	    "dummy-0 [000] .... 0.0: 0: trace_event_clock_sync: parent_ts=0.0\n");

	is_int(sum_of(&o, "late")->inclusive[CLOCK_WALL], 9000, "late");
	is_int(sum_of(&o, "early")->inclusive[CLOCK_WALL], 4000, "early");
	is_int((int64_t)o.s->reordered, 1, "one line was early");
	is_int((int64_t)o.s->time_jumps, 1, "by more than a second");
	is_int((int64_t)o.s->skipped, 1, "a line is no record");
	is_int((int64_t)o.s->events, 5, "a page's last line is counted");
	is_int(o.p->end - o.p->begin, 10000009000, "but not within the log's time");
	is_int((int64_t)o.p->trace->log->origin, 10000000000, "which begins with the earliest");
	done(&o);
}

static void
deep(void)
{
	struct opened o;
	char *text = mem_alloc(600 * 2 * 80), *p = text;

	for (int i = 0; i < 600; i++)
		p += sprintf(p, "a-1 [000] .... 1.%06d: tracing_mark_write: B|1|n%d\n", i, i);
	for (int i = 0; i < 600; i++)
		p += sprintf(p, "a-1 [000] .... 1.%06d: tracing_mark_write: E|1\n", 600 + i);
	o = open_text(text);
	is_int((int64_t)o.s->too_deep, 88, "slices deeper than 512 are counted");
	is_int(sum_of(&o, "n511")->inclusive[CLOCK_WALL], 177000, "their ends are theirs");
	is_int(sum_of(&o, "n0")->inclusive[CLOCK_WALL], 1199000, "and the outermost ends last");
	is_int((int64_t)o.s->unfinished, 0, "nothing is left open");
	done(&o);
	mem_free(text);
}

/* The same log in all that it comes in. */
static void
containers(void)
{
	static const struct {
		const char *name, *before, *line_end, *after;
	} forms[] = {
		{ "plain", "", "\n", "" },
		{ "CR LF", "", "\r\n", "" },
		{ "CR CR LF", "", "\r\r\n", "" },
		{ "after TRACE:", "capturing trace... done\nTRACE:\n", "\n", "" },
		{ "with escaped ends", "# tracer: nop\\n\\\n", "\\n\\\n", "" },
		{ "page", "<!DOCTYPE html>\n<script>\"<script class=\\\"trace-data\\\" type=\\\"application/text\\\">\"</script>\n"
			  "  <script class=\"trace-data\" type=\"application/text\">\nPROCESS DUMP\n"
			  "USER PID PPID VSZ RSS WCHAN PC S NAME COMM\nu 1 0 1 1 0 0 S the.process a\n"
			  "USER PID TID CMD\nu 1 1 fromlist\n</script>\n"
			  "  <script class=\"trace-data\" type=\"application/text\">\n# tracer: nop\n",
		    "\n", "  </script>\n<script class=\"trace-data\" type=\"application/text\">\n{}\n</script></html>\n" },
		{ "old page", "\xef\xbb\xbf <HTML>\n<script>\n  var linuxPerfData = \"\\\n# tracer: nop\\n\\\n",
		    "\\n\\\n", "\\n\";\n</script>\n" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		static const char *const lines[] = {LINE_AT("001") "B|1|H:x|M62", LINE_AT("004") "E|1|M62"};
		char text[4096], *p = text;
		uint8_t packed[4096], twice[4096];
		uLongf size = sizeof(packed), again = sizeof(twice);
		struct opened o;

		p += sprintf(p, "%s", forms[i].before);
		for (int k = 0; k < 2; k++)
			p += sprintf(p, "%s%s", lines[k], forms[i].line_end);
		sprintf(p, "%s", forms[i].after);
		o = open_text(text);
		ok(o.p != NULL && sum_of(&o, "x")->inclusive[CLOCK_WALL] == 3000, "%s", forms[i].name);
		if (o.p != NULL)
			is_int((int64_t)o.s->skipped, 0, "%s: nothing is skipped", forms[i].name);
		if (o.p != NULL && strcmp(forms[i].name, "page") == 0)
			ok(str_equal(((struct log_process *)seg_at(
					 &o.p->trace->log->processes, 0))->name, STR("the.process")),
			    "a page names processes");
		done(&o);
		compress(packed, &size, (uint8_t *)text, strlen(text));
		o = open_bytes(packed, size);
		ok(o.p != NULL && sum_of(&o, "x")->inclusive[CLOCK_WALL] == 3000, "%s, zlib",
		    forms[i].name);
		done(&o);
		compress(twice, &again, packed, size);
		o = open_bytes(twice, again);
		ok(o.p != NULL && sum_of(&o, "x")->inclusive[CLOCK_WALL] == 3000, "%s, zlib twice",
		    forms[i].name);
		done(&o);
	}
}

static void
choices(void)
{
	static const char text[] = LINE_AT("000") "B|1|H:a|D3062\n" LINE_AT("001") "B|1|H:b|M62\n"
	    LINE_AT("003") "E|1|M62\n" LINE_AT("004") "E|1|D3062\n"
	    LINE_AT("005") "B|1|H:c\n" LINE_AT("006") "E|1|\n";
	static const struct {
		struct log_choice choice;
		uint64_t a, b, c;
	} rows[] = {
		{ {0, 0}, 1, 1, 1 },
		{ {0, 'I'}, 0, 1, 1 },
		{ {UINT64_C(1) << 30, 0}, 1, 0, 0 },
		{ {UINT64_C(1) << 62, 'M'}, 0, 1, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct opened o;
		struct err e = {0};
		struct trace *t = format_open_memory(text, sizeof(text) - 1, "log", &e);

		t->log->choice = rows[i].choice;
		o = open_trace(t);
		is_int((int64_t)sum_of(&o, "a")->calls, (int64_t)rows[i].a, "choice %zu: a", i);
		is_int((int64_t)sum_of(&o, "b")->calls, (int64_t)rows[i].b, "choice %zu: b", i);
		is_int((int64_t)sum_of(&o, "c")->calls, (int64_t)rows[i].c, "choice %zu: c", i);
		is_int((int64_t)t->log->summary.unmatched_ends, 0, "choice %zu: all ends match", i);
		done(&o);
	}
	is_int(log_tag_find(STR("app")), 62, "a tag by name");
	is_int(log_tag_find(STR("7")), 7, "by number");
	is_int(log_tag_find(STR("64")), -1, "there are 64");
	is_int(log_tag_find(STR("nothing")), -1, "and no others");
}

static void
refused(void)
{
	static const char *const texts[] = {"B|1|H:x|M62\nE|1|M62\n", "OHOSPROF....", "\x49\xdf  ",
	    "<html><body>nothing</body></html>", "just text\n", "\x78\x9cnot zlib at all"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct err e = {0};

		ok(format_open_memory(texts[i], strlen(texts[i]), "x", &e) == NULL &&
			e.kind != ERR_NONE,
		    "refused: %s", e.what);
	}
}

/* Names that are met while the overview is made, each in turn. */
static void
late_names(void)
{
	enum { NAMES = 60000 };
	struct sbuf text = {0};
	struct err e = {0};
	struct overview *o = NULL;
	struct profile *p;
	struct trace *t;

	for (unsigned i = 0; i < NAMES; i++)
		sbuf_printf(&text,
		    "a-1 (1) [000] .... %u.%06u: tracing_mark_write: B|1|n%u\n"
		    "a-1 (1) [000] .... %u.%06u: tracing_mark_write: E|1|\n",
		    10 + i / 1000, i % 1000 * 1000, i, 10 + i / 1000, i % 1000 * 1000 + 900);
	t = format_open_memory(text.p, text.n, "log", &e);
	p = profile_new(t);
	while (profile_load(p, 10, &e) == LOAD_MORE) {
		if (o == NULL)
			o = overview_new(p, 1 << 20);
		while (overview_advance(o, 10)) {
		}
	}
	while (overview_advance(o, 10)) {
	}
	is_int((int64_t)p->records, 2 * NAMES, "all of many names are read");
	for (unsigned i = 0; i < 3; i++) {
		nsec at = (nsec)(NAMES - 1 - i) * 1000000;
		struct raster raster = {at, at + 900000, 1};
		const uint32_t thread = 0;
		struct cell cell = {0};

		overview_cells(p, o, &raster, &thread, 1, &cell);
		ok(cell.method != METHOD_NONE && cell.busy > 0, "a late name is in the overview");
	}
	overview_free(o);
	profile_free(p);
	trace_free(t);
	sbuf_release(&text);
}

int
main(void)
{
	sync_slices();
	late_names();
	async_slices();
	one_total();
	order();
	deep();
	containers();
	choices();
	refused();
	return tap_done();
}
