// SPDX-License-Identifier: Apache-2.0
/* The samples in the forms of other tools (samplegen.h). */
#include <config.h>

#include <inttypes.h>

#include "samplegen.h"

enum { TID_FIRST = 100 };

/* Prints a JSON string; names have no control characters. */
static void
put_json(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putc('\\', f);
		putc(*s, f);
	}
	putc('"', f);
}

static const char *
comma(bool *more)
{
	const char *text = *more ? ",\n" : "";

	*more = true;
	return text;
}

static const char *
frame_name(const struct sample_list *l, const struct sample *s, unsigned at)
{
	return l->names[s->frames[at]];
}

static void
write_folded(FILE *f, const struct sample_list *l)
{
	for (uint64_t i = 0; i < l->count; i++) {
		const struct sample *s = &l->samples[i];

		for (unsigned d = 0; d < s->depth; d++)
			fprintf(f, "%s%s", d ? ";" : "", frame_name(l, s, d));
		fprintf(f, " %" PRIu64 "\n", s->weight);
	}
}

static void
write_perf(FILE *f, const struct sample_list *l)
{
	for (uint64_t i = 0; i < l->count; i++) {
		const struct sample *s = &l->samples[i];

		fprintf(f, "w %u 1/%u [000] %" PRIu64 ".%06" PRIu64 ": %" PRIu64 " cpu-clock:u: \n",
		    s->thread, TID_FIRST + s->thread, s->at / 1000000, s->at % 1000000,
		    s->weight * 1000);
		for (unsigned d = s->depth; d-- > 0;)
			fprintf(f, "\t%x %s+0x%x (/lib/a b.so)\n", 0x1000 + s->frames[d],
			    frame_name(l, s, d), d);
		putc('\n', f);
	}
}

/* Each sample has nodes of its own, from number 2 on. */
static void
write_cpuprofile(FILE *f, const struct sample_list *l)
{
	uint64_t node = 2, end = 0;
	bool more = false;

	fputs("{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}}", f);
	for (uint64_t i = 0; i < l->count; i++)
		for (unsigned d = 0; d < l->samples[i].depth; d++, node++) {
			fprintf(f, ",\n{\"id\":%" PRIu64 ",\"parent\":%" PRIu64
			    ",\"callFrame\":{\"functionName\":", node, d ? node - 1 : 1);
			put_json(f, frame_name(l, &l->samples[i], d));
			fputs(",\"url\":\"\",\"lineNumber\":-1}}", f);
		}
	fputs("],\n\"samples\":[", f);
	node = 1;
	for (uint64_t i = 0; i < l->count; i++) {
		const struct sample *s = &l->samples[i];

		node += s->depth;
		fprintf(f, "%s%" PRIu64, comma(&more), s->depth ? node : 1);
	}
	fputs("],\n\"timeDeltas\":[", f);
	more = false;
	for (uint64_t i = 0; i < l->count; i++) {
		fprintf(f, "%s%" PRIu64, comma(&more), l->samples[i].at - end);
		end = l->samples[i].at;
	}
	if (l->count > 0)
		end += l->samples[l->count - 1].weight;
	fprintf(f, "],\n\"startTime\":0,\"endTime\":%" PRIu64 "}\n", end);
}

static void
put_names(FILE *f, const struct sample_list *l, const char *before, const char *after)
{
	bool more = false;

	for (unsigned i = 0; i < l->methods; i++) {
		fprintf(f, "%s%s", comma(&more), before);
		put_json(f, l->names[i]);
		fputs(after, f);
	}
}

static void
write_speedscope(FILE *f, const struct sample_list *l)
{
	bool next = false;

	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	    "\"shared\":{\"frames\":[", f);
	put_names(f, l, "{\"name\":", "}");
	fputs("]},\n\"profiles\":[", f);
	for (unsigned t = 0; t < l->threads; t++) {
		bool more = false;

		fprintf(f, "%s{\"type\":\"sampled\",\"name\":\"w %u\",\"unit\":\"microseconds\","
		    "\"startValue\":0,\"endValue\":0,\"samples\":[", comma(&next), t);
		for (uint64_t i = 0; i < l->count; i++) {
			const struct sample *s = &l->samples[i];

			if (s->thread != t)
				continue;
			fprintf(f, "%s[", comma(&more));
			for (unsigned d = 0; d < s->depth; d++)
				fprintf(f, "%s%u", d ? "," : "", s->frames[d]);
			putc(']', f);
		}
		fputs("],\n\"weights\":[", f);
		more = false;
		for (uint64_t i = 0; i < l->count; i++)
			if (l->samples[i].thread == t)
				fprintf(f, "%s%" PRIu64, comma(&more), l->samples[i].weight);
		fputs("]}", f);
	}
	fputs("]}\n", f);
}

/* Writes what `call` does of each call of a thread, in the order of time. */
static void
walk_calls(FILE *f, const struct sample_list *l, unsigned thread,
    void (*call)(FILE *, const char *name, bool enter, unsigned thread, unsigned depth,
	uint64_t at))
{
	static const struct sample none;
	const struct sample *last = &none;
	uint64_t at = 0;

	for (uint64_t i = 0; i <= l->count; i++) {
		const struct sample *s = i < l->count ? &l->samples[i] : &none;
		unsigned same = 0;

		if (i < l->count && s->thread != thread)
			continue;
		if (i < l->count)
			at = s->at;
		while (same < s->depth && same < last->depth &&
		    s->frames[same] == last->frames[same])
			same++;
		for (unsigned d = last->depth; d-- > same;)
			call(f, frame_name(l, last, d), false, thread, d, at);
		for (unsigned d = same; d < s->depth; d++)
			call(f, frame_name(l, s, d), true, thread, d, at);
		at += s->weight;
		last = s;
	}
}

static void
put_chrome(FILE *f, const char *name, bool enter, unsigned thread, unsigned depth, uint64_t at)
{
	(void)depth;
	fprintf(f, "{\"ph\":\"%c\",\"pid\":1,\"tid\":%u,\"ts\":%" PRIu64 ",\"name\":",
	    enter ? 'B' : 'E', TID_FIRST + thread, at);
	put_json(f, name);
	fputs("},\n", f);
}

static void
write_chrome(FILE *f, const struct sample_list *l)
{
	fputs("[\n", f);
	for (unsigned t = 0; t < l->threads; t++)
		walk_calls(f, l, t, put_chrome);
	fputs("{}]\n", f);
}

static void
put_uftrace(FILE *f, const char *name, bool enter, unsigned thread, unsigned depth, uint64_t at)
{
	fprintf(f, "%" PRIu64 ".%06" PRIu64 "000 %6u: [%s] %s(1000) depth: %u\n", at / 1000000,
	    at % 1000000, TID_FIRST + thread, enter ? "entry" : "exit ", name, depth);
}

static void
write_uftrace(FILE *f, const struct sample_list *l)
{
	fputs("uftrace file header: magic         = 4674726163652100\n", f);
	for (unsigned t = 0; t < l->threads; t++) {
		fprintf(f, "reading %u.dat\n", TID_FIRST + t);
		walk_calls(f, l, t, put_uftrace);
	}
}

static void
write_simpleperf(FILE *f, const struct sample_list *l)
{
	for (uint64_t i = 0; i < l->count; i++) {
		const struct sample *s = &l->samples[i];

		fprintf(f, "sample:\n  event_type: cpu-clock\n  time: %" PRIu64
		    "\n  event_count: %" PRIu64 "\n  thread_id: %u\n  thread_name: w %u\n",
		    s->at * 1000, s->weight * 1000, TID_FIRST + s->thread, s->thread);
		for (unsigned d = s->depth; d-- > 0;) {
			const char *in = d + 1 == s->depth ? "  " : "    ";

			if (d + 2 == s->depth)
				fputs("  callchain:\n", f);
			fprintf(f, "%svaddr_in_file: 10\n%sfile: /lib/a.so\n%ssymbol: %s\n", in, in,
			    in, frame_name(l, s, d));
		}
	}
}

const struct sample_format sample_formats[] = {
    {"folded", "stackcollapse-*'s lines: one thread", write_folded, true, true},
    {"perf", "text of perf script", write_perf, false, false},
    {"cpuprofile", "of V8: one thread", write_cpuprofile, true, false},
    {"speedscope", "a sampled profile for each thread", write_speedscope, false, false},
    {"chrome", "begins and ends of calls", write_chrome, false, false},
    {"simpleperf-text", "text of simpleperf report-sample", write_simpleperf, false, true},
    {"uftrace", "text of uftrace dump", write_uftrace, false, false},
    {0},
};
