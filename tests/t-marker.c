// SPDX-License-Identifier: Apache-2.0
/*
 * Markers: every row of the format tables of HiTraceMeter's guide, Android's forms, and
 * names with the characters that part fields.
 */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "format/log/marker.h"
#include "tap/tap.h"

#define CHAIN "a92ab94c18e1341"

static const struct row {
	const char *payload;
	char kind;         /* as in marker_letters; '!' malformed */
	int api;
	int64_t pid;       /* -1: none */
	const char *name;
	int64_t value;
	const char *level, *category, *args, *chain, *track;
	char flag;
} rows[] = {
	/* Since API version 19, with and without a chain. */
	{ "B|1234|H:[" CHAIN ",0,0]#tracename|M62|user=root,type=2", 'B', MARKER_HITRACE_NEW, 1234,
	    "tracename", 0, "M62", "", "user=root,type=2", CHAIN, "", 0 },
	{ "B|1234|H:tracename|M62|user=root,type=2", 'B', MARKER_HITRACE_NEW, 1234, "tracename", 0,
	    "M62", "", "user=root,type=2", "", "", 0 },
	{ "E|1234|M62", 'E', MARKER_HITRACE_NEW, 1234, "", 0, "M62", "", "", "", "", 0 },
	{ "S|1234|H:[" CHAIN ",0,0]#tracename|428|M62|appcategory01|user=root,type=2", 'S',
	    MARKER_HITRACE_NEW, 1234, "tracename", 428, "M62", "appcategory01",
	    "user=root,type=2", CHAIN, "", 0 },
	{ "S|1234|H:tracename|428|M62|appcategory01|user=root,type=2", 'S', MARKER_HITRACE_NEW, 1234,
	    "tracename", 428, "M62", "appcategory01", "user=root,type=2", "", "", 0 },
	{ "F|1234|H:[" CHAIN ",0,0]#tracename|428|M62", 'F', MARKER_HITRACE_NEW, 1234, "tracename",
	    428, "M62", "", "", CHAIN, "", 0 },
	{ "F|1234|H:tracename|428|M62", 'F', MARKER_HITRACE_NEW, 1234, "tracename", 428, "M62", "",
	    "", "", "", 0 },
	{ "C|1234|H:[" CHAIN ",0,0]#tracename|5678|M62", 'C', MARKER_HITRACE_NEW, 1234, "tracename",
	    5678, "M62", "", "", CHAIN, "", 0 },
	{ "C|1234|H:tracename|5678|M62", 'C', MARKER_HITRACE_NEW, 1234, "tracename", 5678, "M62", "",
	    "", "", "", 0 },
	{ "B|1314|H:TestFunction|I3062", 'B', MARKER_HITRACE_NEW, 1314, "TestFunction", 0, "I3062",
	    "", "", "", "", 0 },
	/* A beginning that was cut; a number may have lost digits, and tells nothing. */
	{ "B|", 'B', MARKER_ANDROID, -1, "", 0, "", "", "", "", "", 0 },
	{ "B|12", 'B', MARKER_ANDROID, -1, "", 0, "", "", "", "", "", 0 },
	{ "B|12|", 'B', MARKER_ANDROID, 12, "", 0, "", "", "", "", "", 0 },
	/* Empty fields. */
	{ "B|1|H:n|M62", 'B', MARKER_HITRACE_NEW, 1, "n", 0, "M62", "", "", "", "", 0 },
	{ "S|1|H:n|7|M62|cat|a=b", 'S', MARKER_HITRACE_NEW, 1, "n", 7, "M62", "cat", "a=b", "", "",
	    0 },
	{ "S|1|H:n|7|M62||a=b", 'S', MARKER_HITRACE_NEW, 1, "n", 7, "M62", "", "a=b", "", "", 0 },
	{ "S|1|H:n|7|M62|cat", 'S', MARKER_HITRACE_NEW, 1, "n", 7, "M62", "cat", "", "", "", 0 },
	{ "S|1|H:n|7|M62", 'S', MARKER_HITRACE_NEW, 1, "n", 7, "M62", "", "", "", "", 0 },
	/* Before API version 19. */
	{ "B|1234|H:[" CHAIN ",0,0]#tracename", 'B', MARKER_HITRACE_OLD, 1234, "tracename", 0, "",
	    "", "", CHAIN, "", 0 },
	{ "B|1234|H:tracename", 'B', MARKER_HITRACE_OLD, 1234, "tracename", 0, "", "", "", "", "",
	    0 },
	{ "E|1234|", 'E', MARKER_ANDROID, 1234, "", 0, "", "", "", "", "", 0 },
	{ "S|1234|H:[" CHAIN ",0,0]#tracename 428", 'S', MARKER_HITRACE_OLD, 1234, "tracename", 428,
	    "", "", "", CHAIN, "", 0 },
	{ "S|1234|H:tracename 428", 'S', MARKER_HITRACE_OLD, 1234, "tracename", 428, "", "", "", "",
	    "", 0 },
	{ "F|1234|H:[" CHAIN ",0,0]#tracename 428", 'F', MARKER_HITRACE_OLD, 1234, "tracename", 428,
	    "", "", "", CHAIN, "", 0 },
	{ "F|1234|H:tracename 428", 'F', MARKER_HITRACE_OLD, 1234, "tracename", 428, "", "", "", "",
	    "", 0 },
	{ "C|1234|H:[" CHAIN ",0,0]#tracename 5678", 'C', MARKER_HITRACE_OLD, 1234, "tracename",
	    5678, "", "", "", CHAIN, "", 0 },
	{ "C|1234|H:tracename 5678", 'C', MARKER_HITRACE_OLD, 1234, "tracename", 5678, "", "", "",
	    "", "", 0 },
	/* Real ones. */
	{ "B|1298|H:[8b00e96b2,2,1]#C##decodeFrame", 'B', MARKER_HITRACE_OLD, 1298, "decodeFrame", 0,
	    "", "", "", "8b00e96b2", "", 'C' },
	{ "B|1298|H:[8b00e96b2,2,1]#S##x|I30", 'B', MARKER_HITRACE_NEW, 1298, "x", 0, "I30", "", "",
	    "8b00e96b2", "", 'S' },
	{ "B|1298|H:[8b00e96b2,2,1]###x|I30", 'B', MARKER_HITRACE_NEW, 1298, "x", 0, "I30", "", "",
	    "8b00e96b2", "", 0 },
	{ "B|952|H:HandleStateTransition, 20020111_com.x_[6255]|I62", 'B', MARKER_HITRACE_NEW, 952,
	    "HandleStateTransition, 20020111_com.x_[6255]", 0, "I62", "", "", "", "", 0 },
	{ "S|49837|H:myTestAsyncTrace|1001|M62|categoryTest|key=value", 'S', MARKER_HITRACE_NEW,
	    49837, "myTestAsyncTrace", 1001, "M62", "categoryTest", "key=value", "", "", 0 },
	{ "S|21458|H:myTestAsyncTrace 1001", 'S', MARKER_HITRACE_OLD, 21458, "myTestAsyncTrace",
	    1001, "", "", "", "", "", 0 },
	{ "S|39945|H:t|1003|M62||key0=value0,key1=value1", 'S', MARKER_HITRACE_NEW, 39945, "t", 1003,
	    "M62", "", "key0=value0,key1=value1", "", "", 0 },
	{ "C|57783|H:m:smaps/[anon:ArkTS Code:386504056832] (rw-p)|1290240|M62", 'C',
	    MARKER_HITRACE_NEW, 57783, "m:smaps/[anon:ArkTS Code:386504056832] (rw-p)", 1290240,
	    "M62", "", "", "", "", 0 },
	{ "C|124|VSYNC|1", 'C', MARKER_ANDROID, 124, "VSYNC", 1, "", "", "", "", "", 0 },
	{ "B|29982|ThreadPool_PostTask|task_queue_name=|toplevel.flow", 'B', MARKER_ANDROID, 29982,
	    "ThreadPool_PostTask", 0, "", "toplevel.flow", "task_queue_name=", "", "", 0 },
	/* Names with what parts fields. */
	{ "B|1|H:a|b|I62|x", 'B', MARKER_HITRACE_NEW, 1, "a|b", 0, "I62", "", "x", "", "", 0 },
	{ "B|1|H:a|I99", 'B', MARKER_HITRACE_OLD, 1, "a|I99", 0, "", "", "", "", "", 0 },
	{ "B|1|H:Choreographer#doFrame|I62", 'B', MARKER_HITRACE_NEW, 1, "Choreographer#doFrame", 0,
	    "I62", "", "", "", "", 0 },
	{ "B|1|H:[PID 14446 KILLED][SIG 9]|I62", 'B', MARKER_HITRACE_NEW, 1,
	    "[PID 14446 KILLED][SIG 9]", 0, "I62", "", "", "", "", 0 },
	{ "B|1|H:[1,2,3]x", 'B', MARKER_HITRACE_OLD, 1, "[1,2,3]x", 0, "", "", "", "", "", 0 },
	{ "B|1|H:[A,2,3]#x", 'B', MARKER_HITRACE_OLD, 1, "[A,2,3]#x", 0, "", "", "", "", "", 0 },
	{ "B|1|H:H:x", 'B', MARKER_HITRACE_OLD, 1, "H:x", 0, "", "", "", "", "", 0 },
	{ "S|1|H:a|5|b|6|D0030|c|k=v|later", 'S', MARKER_HITRACE_NEW, 1, "a|5|b", 6, "D0030", "c",
	    "k=v|later", "", "", 0 },
	{ "S|1|H:a b c -5", 'S', MARKER_HITRACE_OLD, 1, "a b c", -5, "", "", "", "", "", 0 },
	{ "C|1|H:n|9223372036854775808|M62", 'C', MARKER_HITRACE_NEW, 1, "n", INT64_MAX, "M62", "",
	    "", "", "", 0 },
	{ "C|1|n|-99999999999999999999", 'C', MARKER_ANDROID, 1, "n", INT64_MIN, "", "", "", "", "",
	    0 },
	{ "C|1||3", 'C', MARKER_ANDROID, 1, "", 3, "", "", "", "", "", 0 },
	{ "C|1|n|3|cat", 'C', MARKER_ANDROID, 1, "n", 3, "", "cat", "", "", "", 0 },
	{ "S|1|a|b|12", 'S', MARKER_ANDROID, 1, "a|b", 12, "", "", "", "", "", 0 },
	{ "B|1|a|b", 'B', MARKER_ANDROID, 1, "a|b", 0, "", "", "", "", "", 0 },
	{ "B|1|a|b|c|d", 'B', MARKER_ANDROID, 1, "a|b|c|d", 0, "", "", "", "", "", 0 },
	{ "B|1|", 'B', MARKER_ANDROID, 1, "", 0, "", "", "", "", "", 0 },
	/* Ends. */
	{ "E", 'E', MARKER_ANDROID, -1, "", 0, "", "", "", "", "", 0 },
	{ "E|5", 'E', MARKER_ANDROID, 5, "", 0, "", "", "", "", "", 0 },
	{ "E|5|sde_kms_commit", 'E', MARKER_ANDROID, 5, "sde_kms_commit", 0, "", "", "", "", "", 0 },
	{ "E|5|n|a|c", 'E', MARKER_ANDROID, 5, "n", 0, "", "", "a|c", "", "", 0 },
	{ "E|5|I3062|later", 'E', MARKER_HITRACE_NEW, 5, "", 0, "I3062", "", "later", "", "", 0 },
	/* Android's tracks and instants. */
	{ "I|5|x|y", 'I', MARKER_ANDROID, 5, "x|y", 0, "", "", "", "", "", 0 },
	{ "N|5|track|x", 'N', MARKER_ANDROID, 5, "x", 0, "", "", "", "", "track", 0 },
	{ "G|5|track|x|7", 'G', MARKER_ANDROID, 5, "x", 7, "", "", "", "", "track", 0 },
	{ "H|5|track|7", 'H', MARKER_ANDROID, 5, "", 7, "", "", "", "", "track", 0 },
	{ "H|5|track|x|7", 'H', MARKER_ANDROID, 5, "x", 7, "", "", "", "", "track", 0 },
	/* What is none, or a broken one. */
	{ "trace_event_clock_sync: parent_ts=1.5", '?', MARKER_ANDROID, -1,
	    "trace_event_clock_sync: parent_ts=1.5", 0, "", "", "", "", "", 0 },
	{ "Bfree text", '?', MARKER_ANDROID, -1, "Bfree text", 0, "", "", "", "", "", 0 },
	{ "", '?', MARKER_ANDROID, -1, "", 0, "", "", "", "", "", 0 },
	{ "B", '?', MARKER_ANDROID, -1, "B", 0, "", "", "", "", "", 0 },
	{ "B|x|n", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
	{ "B|x", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
	{ "B||n", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
	{ "S|1", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
	{ "S|1|H:cut befo", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
	{ "S|1|name", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
	{ "S|1|name 12", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
	{ "C|1|name|", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
	{ "C|4294967296|n|1", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
	{ "G|1|track|name|x", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
	{ "N|1|track", '!', 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0 },
};

static void
same(struct str got, const char *want, const char *what, const char *payload)
{
	is_mem(got.n > 0 ? got.p : "", got.n, want, strlen(want), "%s of %s", what, payload);
}

static void
row_test(const struct row *row)
{
	struct marker m;

	marker_parse(&m, str_from(row->payload));
	if (row->kind == '!') {
		ok(m.malformed, "malformed: %s", row->payload);
		return;
	}
	ok(!m.malformed, "sound: %s", row->payload);
	is_int(marker_letters[m.kind], row->kind, "kind of %s", row->payload);
	is_int(m.api, row->api, "form of %s", row->payload);
	is_int(m.has_pid ? (int64_t)m.pid : -1, row->pid, "pid of %s", row->payload);
	is_int(m.value, row->value, "number of %s", row->payload);
	same(m.name, row->name, "name", row->payload);
	same(m.level, row->level, "level", row->payload);
	same(m.category, row->category, "category", row->payload);
	same(m.args, row->args, "arguments", row->payload);
	same(m.chain, row->chain, "chain", row->payload);
	same(m.track, row->track, "track", row->payload);
	is_int(m.flag, row->flag, "flag of %s", row->payload);
}

/* Each prefix, at the end of its memory. */
static void
prefixes(void)
{
	int bad = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (size_t n = 0; n < strlen(rows[i].payload); n++) {
			char *copy = mem_alloc(n > 0 ? n : 1);
			struct marker m;

			memcpy(copy, rows[i].payload, n);
			marker_parse(&m, (struct str){copy, n});
			bad += m.name.n > n || m.args.n > n;
			mem_free(copy);
		}
	}
	is_int(bad, 0, "prefixes stay within their bounds");
}

static void
lengths(void)
{
	char text[520];
	struct marker m;

	memset(text, 'x', sizeof(text));
	memcpy(text, "B|1|H:", 6);
	marker_parse(&m, (struct str){text, 510});
	ok(!m.truncated, "510 characters are whole");
	marker_parse(&m, (struct str){text, 511});
	ok(m.truncated && m.kind == MARKER_BEGIN && m.name.n == 505,
	    "511 may be cut, and are a beginning all the same");
	memcpy(text, "S|1|H:", 6);
	marker_parse(&m, (struct str){text, 512});
	ok(m.truncated && m.malformed, "without its id it cannot be matched");
}

static void
prints(void)
{
	static const struct {
		const char *raw, *want;
	} texts[] = {
		{ "0xffff00000819ff24s: TRACE_MARKER_START", "TRACE_MARKER_START" },
		{ "0xffff00000819ff24s: B|1|a: b", "B|1|a: b" },
		{ "ffffff8008c3f2c4 tracing_mark_write: B|1|x", "B|1|x" },
		{ "ffffff8008c3f2c4: tracing_mark_write: B|1|x", "B|1|x" },
		{ "tracing_mark_write: C|1|x|5", "C|1|x|5" },
		{ "B|1|x", "B|1|x" },
		{ "C|12345678|a: b|5", "C|12345678|a: b|5" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		same(marker_unprint(str_from(texts[i].raw)), texts[i].want, "text", texts[i].raw);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		row_test(&rows[i]);
	prefixes();
	lengths();
	prints();
	ok(marker_is_level(STR("D00")) && marker_is_level(STR("C0563")) &&
		!marker_is_level(STR("I")) && !marker_is_level(STR("I6")) &&
		!marker_is_level(STR("I64")) && !marker_is_level(STR("X62")) &&
		!marker_is_level(STR("I626")),
	    "levels and their tags");
	return tap_done();
}
