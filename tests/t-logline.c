// SPDX-License-Identifier: Apache-2.0
/* Lines of ftrace logs: every form of the left part, and lines that are no records. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "format/log/line.h"
#include "tap/tap.h"

static const struct {
	const char *line, *comm;
	uint32_t tid, cpu;
	int64_t tgid; /* -1: none */
	const char *flags;
	uint64_t ns;
	const char *func, *payload;
} lines[] = {
	{ "<...>-357   (-------) [002] .... 174330.287420: tracing_mark_write: B|1298|H:[8b00e96b2,2,1]#C##decodeFrame",
	    "<...>", 357, 2, -1, "....", 174330287420000, "tracing_mark_write",
	    "B|1298|H:[8b00e96b2,2,1]#C##decodeFrame" },
	{ "state_change_ha-1139    (    952) [001] .... 610866.506297: tracing_mark_write: B|952|H:HandleStateTransition, 20020111_com.x_[6255]|I62",
	    "state_change_ha", 1139, 1, 952, "....", 610866506297000, "tracing_mark_write",
	    "B|952|H:HandleStateTransition, 20020111_com.x_[6255]|I62" },
	{ "app-39945   (  39945) [010] .... 347921.342586: tracing_mark_write: S|39945|H:t|1003|M62||key0=value0,key1=value1",
	    "app", 39945, 10, 39945, "....", 347921342586000, "tracing_mark_write",
	    "S|39945|H:t|1003|M62||key0=value0,key1=value1" },
	{ "Jit thread pool-2532  ( 2519) [000] d..2 168758.662919: sched_switch: prev_comm=Jit thread pool prev_pid=2532",
	    "Jit thread pool", 2532, 0, 2519, "d..2", 168758662919000, "sched_switch",
	    "prev_comm=Jit thread pool prev_pid=2532" },
	{ "<idle>-0     (-----) [001] dNh. 88026.692973: sched_wakeup: comm=wifi_hal_servic pid=325",
	    "<idle>", 0, 1, -1, "dNh.", 88026692973000, "sched_wakeup",
	    "comm=wifi_hal_servic pid=325" },
	{ "hwc_eventmon-336   [000] 50260.929925: 0: C|124|VSYNC|1", "hwc_eventmon", 336, 0, -1,
	    "", 50260929925000, "0", "C|124|VSYNC|1" },
	{ "trace-cmd-1701  [001]    76.211513: sched_switch:          prev_comm=trace-cmd prev_pid=1701",
	    "trace-cmd", 1701, 1, -1, "", 76211513000, "sched_switch",
	    "prev_comm=trace-cmd prev_pid=1701" },
	{ "xx-29982 (29982) [001] .... 28304.757215: tracing_mark_write: B|29982|ThreadPool_PostTask|task_queue_name=|toplevel.flow",
	    "xx", 29982, 1, 29982, "....", 28304757215000, "tracing_mark_write",
	    "B|29982|ThreadPool_PostTask|task_queue_name=|toplevel.flow" },
	/* comm may hold anything. */
	{ "irq/33-fe330000-92 [000] d.h1 1.000001: f: x", "irq/33-fe330000", 92, 0, -1, "d.h1",
	    1000001000, "f", "x" },
	{ "  background2-12-4711  (  12) [007] .... 5.5: f:", "background2-12", 4711, 7, 12, "....",
	    5500000000, "f", "" },
	{ "AsyncTask #1-4545 (-----) [003] ...1 2.000000001: f: y", "AsyncTask #1", 4545, 3, -1,
	    "...1", 2000000001, "f", "y" },
	{ "kworker/u16:1-26533 [002] .... 3.1: f: z", "kworker/u16:1", 26533, 2, -1, "....",
	    3100000000, "f", "z" },
	{ "Background Job.-99 (7) [001] .... 3.1: f: z", "Background Job.", 99, 1, 7, "....",
	    3100000000, "f", "z" },
	{ "<-transport-702 [000] .... 1.1: f: a", "<-transport", 702, 0, -1, "....", 1100000000,
	    "f", "a" },
	{ "->transport-702 [000] .... 1.1: f: a", "->transport", 702, 0, -1, "....", 1100000000,
	    "f", "a" },
	{ "[GT]HandlerThre-684 ( 600) [002] .... 1.1: f: a", "[GT]HandlerThre", 684, 2, 600, "....",
	    1100000000, "f", "a" },
	/* A comm that looks like all of the columns: the first that fits as a whole. */
	{ "a-1 [001] x-2 [003] .... 1.1: f: a", "a-1 [001] x", 2, 3, -1, "....", 1100000000, "f",
	    "a" },
	{ "a-7   12 [001] .... 1.1: f: a", "a", 7, 1, 12, "....", 1100000000, "f", "a" },
	{ "a-7 [001] ..... 1.1: f: B|1|[000] .... 2.2: g: h", "a", 7, 1, -1, ".....", 1100000000,
	    "f", "B|1|[000] .... 2.2: g: h" },
	{ "a-7 ( 5)[1234] 1.1: f: a", "a", 7, 1234, 5, "", 1100000000, "f", "a" },
	/* Flags that touch the time. */
	{ "a-7 [001] d..212345.678901: f: a", "a", 7, 1, -1, "d..2", 12345678901000, "f", "a" },
	{ "a-7 (7) [001] ....174330.287420: f: a", "a", 7, 1, 7, "....", 174330287420000, "f", "a" },
	{ "a-7 [001] dNh1.5.5: f: a", "a", 7, 1, -1, "dNh1.", 5500000000, "f", "a" },
	{ "a-7 [001] d..31234567890123: f: a", "a", 7, 1, -1, "d..3", 1234567890123, "f", "a" },
	/* Clocks that count in another unit. */
	{ "a-7 [001] d..3           12: f: a", "a", 7, 1, -1, "d..3", 12, "f", "a" },
	{ "a-7 [001] 123456789012345678: f: a", "a", 7, 1, -1, "", 123456789012345678, "f", "a" },
	{ "a-4294967295 [001] 999999999.999999999: f: a", "a", 4294967295u, 1, -1, "",
	    999999999999999999, "f", "a" },
};

static const char *const others[] = {
	"", "# tracer: nop", "CPU:3 [LOST 123 EVENTS]", "cpus=6", "version = 6",
	"2025/06/04 16:07:57 start to read trace.", "a [001] .... 1.1: f: a",
	"a-1[001] .... 1.1: f: a", "a-1 [4096] .... 1.1: f: a", "a-1 [01x] .... 1.1: f: a",
	"a-1 [001] .... 1234567890123456789: f: a",
	"a-1 [001] .... 11:f: a", "a-1 [001] .... 1.1 f: a", "a-1 [001] .... 1.1: f a",
	"a-1 [001] ......... 1.1: f: a", "a-4294967296 [001] .... 1.1: f: a",
	"a-1 [001] .... 1.1234567890: f: a", "a-1 [001] .... 1234567890.1: f: a",
	"a-1 (x) [001] .... 1.1: f: a", "a-1 [001] .... .1: f: a", "a-1 [001]", "[001]", "-1 [",
	"a-1 [001] .... 1.1:",
};

static void
same(struct str got, const char *want, const char *what, const char *line)
{
	is_mem(got.n > 0 ? got.p : "", got.n, want, strlen(want), "%s of: %.60s", what, line);
}

/* However much of a line is cut off, nothing beyond its end is read. */
static void
prefixes(void)
{
	int bad = 0;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t size = strlen(lines[i].line);

		for (size_t n = 0; n < size; n++) {
			char *copy = mem_alloc(n + 1);
			struct logline line;

			memcpy(copy, lines[i].line, n);
			if (logline_parse(&line, (struct str){copy, n}))
				bad += line.payload.p + line.payload.n > copy + n ||
				    line.comm.p < copy;
			mem_free(copy);
		}
	}
	is_int(bad, 0, "prefixes stay within their bounds");
}

static void
trims(void)
{
	static const struct {
		const char *raw, *want;
	} rows[] = {
		{ "a", "a" }, { "a\r", "a" }, { "a\r\r", "a" }, { "a \t", "a" },
		{ "a\\n\\", "a" }, { "a\\n", "a" }, { "a\\n\\\r", "a" }, { "n", "n" },
		{ "\\", "\\" }, { "a\\n\";", "a\\n\";" }, { "   ", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		same(logline_trim(str_from(rows[i].raw)), rows[i].want, "trimmed", rows[i].raw);
	same(logline_trim((struct str){"a\0\0", 3}), "a", "trimmed", "NULs");
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct logline l;
		const char *text = lines[i].line;

		if (!ok(logline_parse(&l, str_from(text)), "record: %.60s", text))
			continue;
		same(l.comm, lines[i].comm, "comm", text);
		is_int(l.tid, lines[i].tid, "tid of: %.60s", text);
		is_int(l.cpu, lines[i].cpu, "cpu of: %.60s", text);
		is_int(l.has_tgid ? (int64_t)l.tgid : -1, lines[i].tgid, "tgid of: %.60s", text);
		same(l.flags, lines[i].flags, "flags", text);
		is_int((int64_t)l.ns, (int64_t)lines[i].ns, "time of: %.60s", text);
		is_int(l.ticks, memchr(l.flags.p, '.', (size_t)(l.func.p - l.flags.p)) == NULL ||
			memchr(l.flags.p + l.flags.n, '.',
			    (size_t)(l.func.p - l.flags.p - l.flags.n)) == NULL,
		    "unit of: %.60s", text);
		same(l.func, lines[i].func, "function", text);
		same(l.payload, lines[i].payload, "payload", text);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct logline l;

		ok(!logline_parse(&l, str_from(others[i])), "no record: %s", others[i]);
	}
	prefixes();
	trims();
	return tap_done();
}
