// SPDX-License-Identifier: Apache-2.0
/* The samples in the forms of other tools (samplegen.h). */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abstract.h"
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
		putc(' ', f);
		sample_put(f, l, s->weight);
		putc('\n', f);
	}
}

static void
write_perf(FILE *f, const struct sample_list *l)
{
	for (uint64_t i = 0; i < l->count; i++) {
		const struct sample *s = &l->samples[i];

		/* The first event is the one that is read. */
		if (l->events && i % 3 == 1)
			fprintf(f, "w %u 1/%u [000] %" PRIu64 ".%06" PRIu64 ": 7 page-faults: \n"
			    "\t10 fault (/lib/a.so)\n\n", s->thread, TID_FIRST + s->thread,
			    s->at / 1000000, s->at % 1000000);
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
			if (l->samples[i].thread == t) {
				fputs(comma(&more), f);
				sample_put(f, l, l->samples[i].weight);
			}
		fputs("]}", f);
	}
	if (l->events)
		fputs(",\n{\"type\":\"sampled\",\"name\":\"heap\",\"unit\":\"bytes\",\"startValue\":0,"
		    "\"endValue\":9,\"samples\":[[0]],\"weights\":[9]}", f);
	fputs("]}\n", f);
}

struct call {
	const char *name;
	unsigned thread, depth;
	uint64_t begin, end;
	bool leaf; /* it calls nothing */
	const struct sample_list *list;
};

/* Finds out when the call ends that a frame of a sample begins. */
static void
call_follow(struct call *c, const struct sample_list *l, uint64_t at)
{
	const struct sample *s = &l->samples[at];

	c->leaf = true;
	for (uint64_t i = at; i < l->count; i++) {
		const struct sample *next = &l->samples[i];

		if (next->thread != s->thread)
			continue;
		if (next->depth <= c->depth ||
		    memcmp(next->frames, s->frames, (c->depth + 1) * sizeof(*s->frames)) != 0)
			break;
		c->leaf &= next->depth == c->depth + 1;
		c->end = next->at + next->weight;
	}
}

/* Writes what `put` does of each call of a thread, in the order of time. */
static void
walk_calls(FILE *f, const struct sample_list *l, unsigned thread,
    void (*put)(FILE *, const struct call *, bool enter))
{
	static const struct sample none;
	const struct sample *last = &none;
	struct call open[SAMPLE_FRAMES_MAX];

	for (uint64_t i = 0; i <= l->count; i++) {
		const struct sample *s = i < l->count ? &l->samples[i] : &none;
		unsigned same = 0;

		if (i < l->count && s->thread != thread)
			continue;
		while (same < s->depth && same < last->depth &&
		    s->frames[same] == last->frames[same])
			same++;
		for (unsigned d = last->depth; d-- > same;)
			put(f, &open[d], false);
		for (unsigned d = same; d < s->depth; d++) {
			open[d] = (struct call){frame_name(l, s, d), thread, d, s->at, s->at, true, l};
			call_follow(&open[d], l, i);
			put(f, &open[d], true);
		}
		last = s;
	}
}

static void
put_chrome(FILE *f, const struct call *c, bool enter)
{
	fprintf(f, "{\"ph\":\"%c\",\"pid\":1,\"tid\":%u,\"ts\":", enter ? 'B' : 'E',
	    TID_FIRST + c->thread);
	sample_put(f, c->list, enter ? c->begin : c->end);
	fputs(",\"name\":", f);
	put_json(f, c->name);
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
put_uftrace(FILE *f, const struct call *c, bool enter)
{
	uint64_t at = enter ? c->begin : c->end;

	fprintf(f, "%" PRIu64 ".%06" PRIu64 "000 %6u: [%s] %s(1000) depth: %u\n", at / 1000000,
	    at % 1000000, TID_FIRST + c->thread, enter ? "entry" : "exit ", c->name, c->depth);
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

/* Each thread has a core of its own. */
static void
put_funcgraph(FILE *f, const struct call *c, bool enter)
{
	uint64_t at = enter ? c->begin : c->end;
	char lasts[40] = "";

	if (c->leaf && !enter)
		return;
	if (c->leaf || !enter)
		snprintf(lasts, sizeof lasts, "%" PRIu64 ".000 us", c->end - c->begin);
	fprintf(f, "%5" PRIu64 ".%06" PRIu64 " | %3u)  w-%u  | %13s |%*s", at / 1000000,
	    at % 1000000, c->thread, TID_FIRST + c->thread, lasts, (int)c->depth * 2 + 2, "");
	if (enter)
		fprintf(f, "%s()%s\n", c->name, c->leaf ? ";" : " {");
	else
		fputs("}\n", f);
}

static void
write_funcgraph(FILE *f, const struct sample_list *l)
{
	fputs("# tracer: function_graph\n#\n"
	    "#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS\n"
	    "#      |          |     |    |           |   |                     |   |   |   |\n", f);
	for (unsigned t = 0; t < l->threads; t++)
		walk_calls(f, l, t, put_funcgraph);
}

static void
write_simpleperf(FILE *f, const struct sample_list *l)
{
	for (uint64_t i = 0; i < l->count; i++) {
		const struct sample *s = &l->samples[i];

		if (l->events && i % 3 == 0)
			fprintf(f, "sample:\n  event_type: page-faults\n  time: %" PRIu64
			    "\n  event_count: 7\n  thread_id: %u\n  thread_name: w %u\n"
			    "  vaddr_in_file: 10\n  file: /lib/a.so\n  symbol: fault\n",
			    s->at * 1000, TID_FIRST + s->thread, s->thread);
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

/* A block for each sample: own costs, and calls with what they cost, add up. */
static void
write_callgrind(FILE *f, const struct sample_list *l)
{
	bool *told = gen_alloc(l->methods, sizeof *told);

	const char *other = l->events ? " 7" : "";

	fprintf(f, "# callgrind format\nversion: 1\nevents: Ir%s\n\n", l->events ? " Dr" : "");
	for (uint64_t i = 0; i < l->count; i++) {
		const struct sample *s = &l->samples[i];

		for (unsigned d = 0; d < s->depth; d++) {
			unsigned m = s->frames[d];

			if (d > 0)
				fputs("c", f);
			fprintf(f, "fn=(%u)%s%s\n", m, told[m] ? "" : " ", told[m] ? "" : l->names[m]);
			told[m] = true;
			if (d > 0)
				fprintf(f, "calls=1 %u\n* %" PRIu64 "%s\n", m, s->weight, other);
			if (d > 0)
				fprintf(f, "fn=(%u)\n", m);
		}
		fprintf(f, "+0 %" PRIu64 "%s\n", s->weight, other);
	}
	free(told);
}

static void
put_ms(FILE *f, uint64_t us)
{
	fprintf(f, "%" PRIu64 ".%03" PRIu64, us / 1000, us % 1000);
}

/* Which versions' tables a profile of Firefox has. */
struct firefox_form {
	bool shared;  /* they are not each thread's */
	bool offsets; /* a stack says how far its caller is before it */
};

static void
firefox_tables(FILE *f, const struct sample_list *l, struct firefox_form form, unsigned thread)
{
	bool more = false;

	fputs("\"stackTable\":{\"frame\":[", f);
	for (uint64_t i = 0; i < l->count; i++)
		for (unsigned d = 0; d < l->samples[i].depth; d++)
			if (form.shared || l->samples[i].thread == thread)
				fprintf(f, "%s%u", comma(&more), l->samples[i].frames[d]);
	fprintf(f, "],\n\"%s\":[", form.offsets ? "prefixOffset" : "prefix");
	more = false;
	for (uint64_t i = 0, stack = 0; i < l->count; i++)
		for (unsigned d = 0; d < l->samples[i].depth; d++) {
			if (!form.shared && l->samples[i].thread != thread)
				continue;
			fputs(comma(&more), f);
			if (form.offsets)
				fputs(d > 0 ? "1" : "0", f);
			else if (d > 0)
				fprintf(f, "%" PRIu64, stack - 1);
			else
				fputs("null", f);
			stack++;
		}
	fputs("]},\n\"frameTable\":{\"func\":[", f);
	for (unsigned m = 0; m < l->methods; m++)
		fprintf(f, "%s%u", m ? "," : "", m);
	fputs("]},\n\"funcTable\":{\"name\":[", f);
	for (unsigned m = 0; m < l->methods; m++)
		fprintf(f, "%s%u", m ? "," : "", m);
	fprintf(f, "]},\n\"%s\":[", form.shared ? "stringArray" : "stringTable");
	put_names(f, l, "", "");
	fputs("]", f);
}

static void
firefox_samples(FILE *f, const struct sample_list *l, struct firefox_form form, unsigned thread)
{
	static const char *const columns[] = {"\"stack\":[", "],\n\"time\":[", "],\n\"weight\":["};

	fputs("\"samples\":{\"weightType\":\"tracing-ms\",", f);
	for (int column = 0; column < 3; column++) {
		bool more = false;
		uint64_t stack = 0;

		fputs(columns[column], f);
		for (uint64_t i = 0; i < l->count; i++) {
			const struct sample *s = &l->samples[i];

			if (form.shared || s->thread == thread)
				stack += s->depth;
			if (s->thread != thread)
				continue;
			fputs(comma(&more), f);
			if (column > 0)
				put_ms(f, column == 1 ? s->at : s->weight);
			else if (s->depth > 0)
				fprintf(f, "%" PRIu64, stack - 1);
			else
				fputs("null", f);
		}
	}
	fputs("]}", f);
}

/* The seed says of which version. */
static void
write_firefox(FILE *f, const struct sample_list *l)
{
	struct firefox_form form = {.shared = l->seed % 3 > 0, .offsets = l->seed % 3 == 2};
	bool more = false;

	fprintf(f, "{\"meta\":{\"interval\":1,\"startTime\":0,\"preprocessedProfileVersion\":%d},\n",
	    form.offsets ? 66 : form.shared ? 60 : 24);
	if (form.shared) {
		fputs("\"shared\":{", f);
		firefox_tables(f, l, form, 0);
		fputs("},\n", f);
	}
	fputs("\"threads\":[", f);
	for (unsigned t = 0; t < l->threads; t++) {
		fprintf(f, "%s{\"name\":\"w %u\",\"pid\":\"1\",\"tid\":%u,", comma(&more), t,
		    TID_FIRST + t);
		if (!form.shared) {
			firefox_tables(f, l, form, t);
			fputs(",\n", f);
		}
		firefox_samples(f, l, form, t);
		putc('}', f);
	}
	fputs("]}\n", f);
}

static void
gecko_thread(FILE *f, const struct sample_list *l, unsigned thread)
{
	uint64_t stack = 0;
	bool more = false;

	fprintf(f, "{\"name\":\"w %u\",\"tid\":%u,\n\"samples\":{\"schema\":{\"time\":0,\"stack\":1},"
	    "\"data\":[", thread, TID_FIRST + thread);
	for (uint64_t i = 0; i < l->count; i++) {
		const struct sample *s = &l->samples[i];

		if (s->thread != thread)
			continue;
		fprintf(f, "%s[", comma(&more));
		put_ms(f, s->at);
		stack += s->depth;
		if (s->depth > 0) /* rows without their last fields are short */
			fprintf(f, ",%" PRIu64, stack - 1);
		putc(']', f);
	}
	fputs("]},\n\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[", f);
	more = false;
	stack = 0;
	for (uint64_t i = 0; i < l->count; i++)
		for (unsigned d = 0; d < l->samples[i].depth; d++) {
			if (l->samples[i].thread != thread)
				continue;
			fputs(comma(&more), f);
			if (d > 0)
				fprintf(f, "[%" PRIu64 ",%u]", stack - 1, l->samples[i].frames[d]);
			else
				fprintf(f, "[null,%u]", l->samples[i].frames[d]);
			stack++;
		}
	fputs("]},\n\"frameTable\":{\"schema\":{\"location\":0},\"data\":[", f);
	for (unsigned m = 0; m < l->methods; m++)
		fprintf(f, "%s[%u]", m ? "," : "", m);
	fputs("]},\n\"stringTable\":[", f);
	for (unsigned m = 0; m < l->methods; m++) {
		char location[80];

		snprintf(location, sizeof location, "%s (in a b.so)", l->names[m]);
		fputs(m ? ",\n" : "", f);
		put_json(f, location);
	}
	fputs("]}", f);
}

/* Threads but the first are of a process within. */
static void
write_gecko(FILE *f, const struct sample_list *l)
{
	static const char meta[] = "{\"meta\":{\"version\":24,\"interval\":1,\"startTime\":0},\n"
	    "\"threads\":[";

	fputs(meta, f);
	gecko_thread(f, l, 0);
	fprintf(f, "],\n\"processes\":[%s", l->threads > 1 ? meta : "");
	for (unsigned t = 1; t < l->threads; t++) {
		fputs(t > 1 ? ",\n" : "", f);
		gecko_thread(f, l, t);
	}
	fputs(l->threads > 1 ? "],\"processes\":[]}]}\n" : "]}\n", f);
}

/* Fields of a message of protobuf; those of one sample fit. */
struct wire {
	unsigned char bytes[2048];
	size_t n;
};

static void
wire_varint(struct wire *w, uint64_t value)
{
	for (; value > 127; value >>= 7)
		w->bytes[w->n++] = (unsigned char)(value | 128);
	w->bytes[w->n++] = (unsigned char)value;
}

static void
wire_number(struct wire *w, unsigned field, uint64_t value)
{
	wire_varint(w, field << 3);
	wire_varint(w, value);
}

static void
wire_bytes(struct wire *w, unsigned field, const void *bytes, size_t n)
{
	wire_varint(w, field << 3 | 2);
	wire_varint(w, n);
	memcpy(w->bytes + w->n, bytes, n);
	w->n += n;
}

/* Writes a message of the profile. */
static void
wire_write(FILE *f, unsigned field, const void *bytes, size_t n)
{
	struct wire w = {.n = 0};

	wire_bytes(&w, field, bytes, n);
	fwrite(w.bytes, 1, w.n, f);
}

/* Places in the table of texts. */
enum { TEXT_NONE, TEXT_SAMPLES, TEXT_COUNT, TEXT_CPU, TEXT_NANOSECONDS, TEXT_THREAD, TEXT_TID, TEXTS };

static void
pprof_texts(FILE *f, const struct sample_list *l)
{
	static const char *const texts[TEXTS] = {"", "samples", "count", "cpu", "nanoseconds", "thread",
	    "tid"};
	char name[40];

	for (int i = 0; i < TEXTS; i++)
		wire_write(f, 6, texts[i], strlen(texts[i]));
	for (unsigned m = 0; m < l->methods; m++)
		wire_write(f, 6, l->names[m], strlen(l->names[m]));
	for (unsigned t = 0; t < l->threads; t++) {
		snprintf(name, sizeof name, "w %u", t);
		wire_write(f, 6, name, strlen(name));
	}
}

static void
pprof_label(struct wire *sample, unsigned key, unsigned field, uint64_t value)
{
	struct wire label = {.n = 0};

	wire_number(&label, 1, key);
	wire_number(&label, field, value);
	wire_bytes(sample, 3, label.bytes, label.n);
}

/* Writes a sample and its locations from number `first` on; returns the next number. */
static uint64_t
pprof_sample(FILE *f, const struct sample_list *l, const struct sample *s, uint64_t first)
{
	struct wire sample = {.n = 0}, packed = {.n = 0};
	bool is_packed = l->seed % 2 == 0;

	for (unsigned d = s->depth; d > 0;) {
		struct wire location = {.n = 0};

		wire_number(&location, 1, first * 3);
		/* Every other function is within its caller. */
		for (bool within = first % 2 == 0, again = true; again && d > 0; d--) {
			struct wire line = {.n = 0};

			wire_number(&line, 1, s->frames[d - 1] + 1);
			wire_bytes(&location, 4, line.bytes, line.n);
			again = within;
			within = false;
		}
		wire_write(f, 4, location.bytes, location.n);
		if (is_packed)
			wire_varint(&packed, first * 3);
		else
			wire_number(&sample, 1, first * 3);
		first++;
	}
	if (packed.n > 0)
		wire_bytes(&sample, 1, packed.bytes, packed.n);
	wire_number(&sample, 2, 1);
	wire_number(&sample, 2, s->weight * 1000);
	pprof_label(&sample, TEXT_THREAD, 2, TEXTS + l->methods + s->thread);
	pprof_label(&sample, TEXT_TID, 3, TID_FIRST + s->thread);
	wire_write(f, 2, sample.bytes, sample.n);
	return first;
}

/* Texts come first or last, locations are packed or not, by the seed. */
static void
write_pprof(FILE *f, const struct sample_list *l)
{
	uint64_t location = 1;

	if (l->seed % 3 == 0)
		pprof_texts(f, l);
	for (unsigned type = TEXT_SAMPLES; type <= TEXT_CPU; type += 2) {
		struct wire w = {.n = 0};

		wire_number(&w, 1, type);
		wire_number(&w, 2, type + 1);
		wire_write(f, 1, w.bytes, w.n);
	}
	for (uint64_t i = 0; i < l->count; i++)
		location = pprof_sample(f, l, &l->samples[i], location);
	for (unsigned m = 0; m < l->methods; m++) {
		struct wire w = {.n = 0};

		wire_number(&w, 1, m + 1);
		wire_number(&w, 2, TEXTS + m);
		wire_write(f, 5, w.bytes, w.n);
	}
	if (l->seed % 3 != 0)
		pprof_texts(f, l);
}

const struct sample_format sample_formats[] = {
    {"folded", "stackcollapse-*'s lines: one thread", write_folded, .one_thread = true,
	.no_empty = true, .fractions = true},
    {"perf", "text of perf script", write_perf, .gaps = true, .events = true},
    {"cpuprofile", "of V8: one thread", write_cpuprofile, .one_thread = true},
    {"speedscope", "a sampled profile for each thread", write_speedscope,
	.fractions = true, .events = true},
    {"chrome", "begins and ends of calls", write_chrome, .fractions = true},
    {"simpleperf-text", "text of simpleperf report-sample", write_simpleperf, .no_empty = true,
	.gaps = true, .events = true},
    {"uftrace", "text of uftrace dump", write_uftrace, .binary = false},
    {"function_graph", "of the kernel's tracer, with times", write_funcgraph, .plain = true},
    {"firefox", "processed, of the version that the seed says", write_firefox, .gaps = true},
    {"gecko", "threads in two processes, each sample counts", write_gecko, .counted = true,
	.gaps = true},
    {"pprof", "threads by label, one value of two", write_pprof, .binary = true},
    {"callgrind", "own costs tell, call paths do not", write_callgrind, .one_thread = true,
	.no_empty = true, .events = true},
    {"callgrind-tree", "functions with one caller each", write_callgrind, .one_thread = true,
	.no_empty = true, .one_caller = true, .events = true},
    {0},
};
