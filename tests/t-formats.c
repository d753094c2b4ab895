// SPDX-License-Identifier: Apache-2.0
/*
 * One trace in every format must count the same, down to the nanosecond; small files
 * made by hand must read as the format's description says.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "tap/generate.h"
#include "tap/tap.h"
#include "told.h"

enum { SIZE_MOST = 8 << 20, LINE = TOLD_LINE };

static bool
tell_bytes(struct told *out, const uint8_t *bytes, size_t size)
{
	struct err e = {0};
	struct trace *t = format_open_memory(bytes, size, "test", &e);
	struct profile *p;

	*out = (struct told){.count = 0};
	if (t == NULL)
		return false;
	p = profile_new(t);
	while (profile_load(p, 1000, &e) == LOAD_MORE)
		;
	*out = tell(p);
	profile_free(p);
	trace_free(t);
	return true;
}

static bool
tell_generated(struct told *out, const char *format, const char *options)
{
	char all[512];
	uint8_t *bytes;
	size_t size;
	bool opens;

	snprintf(all, sizeof(all), "--format=%s %s", format, options);
	bytes = generate(all, SIZE_MOST, &size);
	opens = bytes != NULL && tell_bytes(out, bytes, size);
	free(bytes);
	return opens;
}

static void
all_formats(const char *options, bool entered)
{
	/* What each format loses of a trace that is whole. */
	static const struct {
		const char *name, *damage;
		bool exits_unnamed;
	} formats[] = {
		{ "streaming", "", false },
		{ "streaming14", "", false },
		{ "streaming-bare", ", truncated-file 1", false },
		{ "streaming-late", "", false },
		{ "v2a", "", false },
		{ "v2a-us", "", false },
		{ "v2a-stream", "", false },
		{ "v2b", "", true },
	};
	struct told classic = {.count = 0};

	if (!ok(tell_generated(&classic, "classic", options) && classic.count > 10, "classic: %zu figures of %s", classic.count, options))
		return;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct told other;
		char damage[2 * LINE];

		/* What was entered before the trace is not known then. */
		if (entered && formats[i].exits_unnamed)
			continue;
		ok(tell_generated(&other, formats[i].name, options) && told_same(&classic, &other),
		    "%s counts the same", formats[i].name);
		snprintf(damage, sizeof(damage), "%s%s", classic.damage, formats[i].damage);
		is_str(other.damage, damage[0] == ',' ? damage + 2 : damage,
		    "and has the same damage");
		told_free(&other);
	}
	told_free(&classic);
}

/* Files from the text "53 4c ...", with 'text' copied unchanged. */
static size_t
bytes_of(uint8_t *out, const char *hex)
{
	size_t n = 0;

	while (*hex != '\0') {
		if (*hex == '\'') {
			for (hex++; *hex != '\''; hex++)
				out[n++] = (uint8_t)*hex;
			hex++;
		} else if (*hex == ' ') {
			hex++;
		} else {
			out[n++] = (uint8_t)strtoul((const char[3]){hex[0], hex[1]}, NULL, 16);
			hex += 2;
		}
	}
	return n;
}

#define ZEROS_14 "00 00 00 00 00 00 00 00 00 00 00 00 00 00 "

/* What a file of these bytes tells: its lines (NULL at the end) and its damage. */
static void
hand_made(const char *name, const char *hex, const char *const *lines, const char *damage)
{
	static uint8_t bytes[4096];
	struct told got;
	size_t n = 0;

	ok(tell_bytes(&got, bytes, bytes_of(bytes, hex)), "%s opens", name);
	for (; lines[n] != NULL; n++)
		is_str(n < got.count ? got.line[n] : "", lines[n], "%s: line %zu", name, n);
	is_int((int64_t)got.count, (int64_t)n, "%s: no other lines", name);
	is_str(got.damage, damage, "%s: its damage", name);
	told_free(&got);
}

/* The example of the manual, which prints its columns with single blanks between. */
static void
manual_by_hand(void)
{
	static const char *const lines[] = {
		".(toplevel)   calls 1+0 cpu 0/0 wall 7000/0",
		"java/io/PrintStream.print(Ljava/lang/String;)V   calls 1+0 cpu 0/0 wall 7000/7000",
		"thread 6 JDWP Handler records 2 cpu 0-0 wall 5000-12000",
		NULL,
	};

	hand_made("the manual's example",
	    "'*version' 0a '1' 0a 'clock=global' 0a '*threads' 0a '1 main' 0a '6 JDWP Handler' 0a"
	    "'*methods' 0a '0x080f23f8 java/io/PrintStream write ([BII)V' 0a"
	    "'0x080f25d4 java/io/PrintStream print (Ljava/lang/String;)V' 0a '*end' 0a"
	    "534c4f57 0100 2000 00f2052a01000000" ZEROS_14 "0000"
	    "06 d4250f08 05000000"
	    "06 d5250f08 0c000000",
	    lines, "");
}

static void
streaming_by_hand(void)
{
	static const char *const lines[] = {
		".(toplevel)   calls 1+0 cpu 4000/0 wall 500000/0",
		"a.B.f()V B.java  calls 1+0 cpu 4000/4000 wall 500000/500000",
		"thread 15983 main records 2 cpu 0-4000 wall 127116000-127616000",
		NULL,
	};

	hand_made("streaming",
	    "534c4f57 f300 2000 c4919e2c9a000000 0e00" ZEROS_14
	    "0000 01 1300 '0\ta.B\tf\t()V\tB.java' 0a"
	    "0000 02 6f3e 0400 'main'"
	    "6f3e 00000000 00000000 8cf00100"
	    "6f3e 01000000 04000000 80f20100"
	    "0000 03 2d000000 '*version' 0a '3' 0a 'clock=dual' 0a '*threads' 0a"
	    "'*methods' 0a '*end' 0a",
	    lines, "");
}

/* The examples of doc/formats.md, with a summary. */
static void
v2_by_hand(void)
{
	static const char *const lines_v2a[] = {
		".(toplevel)   calls 1+0 cpu 1200/0 wall 1500/0",
		"a.B.f()V B.java  calls 1+0 cpu 1200/1200 wall 1500/1500",
		"thread 4242 main records 2 cpu 0-1200 wall 1000-2500",
		NULL,
	};
	static const char *const lines_v2b[] = {
		".(toplevel)   calls 1+0 cpu 1200/0 wall 1000000/0",
		"a.B.f()V B.java  calls 1+0 cpu 1200/1200 wall 1000000/1000000",
		"thread 4242 main records 2 cpu 0-1200 wall 1000000-2000000",
		NULL,
	};
	/* Two exits without entry: each is a frame of no known method. */
	static const char *const lines_before[] = {
		".(entered before trace)   calls 1+1 cpu 1200/1200 wall 1000000/1000000",
		".(toplevel)   calls 1+0 cpu 1200/0 wall 1000000/0",
		"thread 4242  records 2 cpu 0-1200 wall 1000000-2000000",
		NULL,
	};

	/* An exit after 2^52 + 1 ns, in the last block: its numbers are all there. */
	static const char *const lines_late[] = {
		".(toplevel)   calls 1+0 cpu 0/0 wall 0/0",
		"a.B.f()V B.java  calls 1+0 cpu 0/0 wall 0/0",
		"thread 4242 main records 1 cpu 0-0 wall 1000-1000",
		NULL,
	};

	hand_made("v2a",
	    "534c4f57 f500 00f2052a01000000" ZEROS_14 "00000000"
	    "00 92100000 0400 'main'"
	    "01 0010007000000000 1100 'a.B' 09 'f' 09 '()V' 09 'B.java' 0a"
	    "02 92100000 020000 0d000000 80a0808007 e807 00 01 dc0b b009"
	    "03 4500 '*version' 0a '5' 0a 'clock=dual' 0a 'elapsed-time-nsec=10000' 0a"
	    "'is_streaming=true' 0a '*end' 0a",
	    lines_v2a, "");
	hand_made("v2b",
	    "534c4f57 0500 00f2052a01000000 40420f0000000000 0000770100000000 0000"
	    "02 92100000 020000 0f000000 8092fa01 00 80a0808007 818006 b009"
	    "01 0010007000000000 1100 'a.B' 09 'f' 09 '()V' 09 'B.java' 0a"
	    "00 92100000 0400 'main'"
	    "03 1b00 '*version' 0a '5' 0a 'clock=dual' 0a '*end' 0a",
	    lines_v2b, "");
	hand_made("v2a, a time beyond 52 days",
	    "534c4f57 f500 00f2052a01000000" ZEROS_14 "00000000"
	    "00 92100000 0400 'main'"
	    "01 0010007000000000 1100 'a.B' 09 'f' 09 '()V' 09 'B.java' 0a"
	    "02 92100000 020000 13000000 80a0808007 e807 00 01 8180808080808008 b009"
	    "03 2f00 '*version' 0a '5' 0a 'clock=dual' 0a 'elapsed-time-nsec=1' 0a '*end' 0a",
	    lines_late, "unfinished-call 1, unreadable-data 1");
	hand_made("v2b, entered before it began",
	    "534c4f57 0500 00f2052a01000000 40420f0000000000 0000770100000000 0000"
	    "02 92100000 020000 0a000000 8192fa01 00 808006 b009"
	    "03 1b00 '*version' 0a '5' 0a 'clock=dual' 0a '*end' 0a",
	    lines_before, "exit-without-entry 2, unknown-thread 2");
}

int
main(void)
{
	all_formats("--exact-us --methods=40 --threads=6 --records=8000 --unroll=100", false);
	all_formats("--exact-us --methods=30 --threads=4 --records=3000 --entered=3 --open "
		    "--unknown-methods=2000 --unknown-threads=3000 --seed=3",
	    true);
	all_formats("--exact-us --data-version=2 --clock=wall --methods=30 --threads=4 "
		    "--records=3000", false);
	all_formats("--exact-us --data-version=2 --clock=thread-cpu --methods=30 --threads=4 "
		    "--records=3000 --open", false);
	manual_by_hand();
	streaming_by_hand();
	v2_by_hand();
	return tap_done();
}
