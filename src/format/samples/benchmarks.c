// SPDX-License-Identifier: Apache-2.0
/*
 * benchmarks: the JSON that AndroidX's Macrobenchmark writes.
 *
 * It has no trace, but figures, and the names of the traces that were recorded meanwhile.  Both
 * are notes of a trace without records; the files lie beside it, and are named from there.
 */
#include <config.h>

#include "base/mem.h"
#include "format/json/scan.h"
#include "format/samples/samples.h"

enum { NOTES_MOST = 200 };

static bool
none_take(struct sampler *s)
{
	return false;
}

static const struct samples_format benchmarks = {none_take, NULL, NULL};

/* Notes a line of a benchmark; false when there are too many. */
static bool
line_note(struct trace *t, struct str benchmark, struct sbuf *line)
{
	struct sbuf name = {0};
	bool more = t->note_count < NOTES_MOST;

	jscan_unescape(&name, benchmark);
	if (more)
		trace_note(t, "%.*s %.*s", STR_ARG(sbuf_view(&name)), STR_ARG(sbuf_view(line)));
	else if (t->note_count == NOTES_MOST)
		trace_note(t, "further figures and files are left out");
	sbuf_release(&name);
	sbuf_clear(line);
	return more;
}

/* Notes metrics: "startup timeToInitialDisplayMs: minimum 200.1, maximum 300.5, median 250.2". */
static bool
metrics_note(struct trace *t, struct str benchmark, struct jscan_value metrics)
{
	struct jscan j = jscan_inside(metrics.text), inside;
	struct jscan_value metric, figure;
	struct sbuf line = {0};
	struct str name, key;
	bool more = true;

	while (more && jscan_member(&j, &name, &metric) == JSCAN_TAKEN) {
		const char *before = ": ";

		jscan_unescape(&line, name);
		inside = jscan_inside(metric.text);
		while (jscan_member(&inside, &key, &figure) == JSCAN_TAKEN) {
			if (figure.kind != '0')
				continue;
			sbuf_text(&line, before);
			jscan_unescape(&line, key);
			sbuf_char(&line, ' ');
			sbuf_str(&line, figure.text);
			before = ", ";
		}
		more = line_note(t, benchmark, &line);
	}
	sbuf_release(&line);
	return more;
}

/* Notes files: "startup MethodTrace: FOLDER/startup.trace". */
static bool
outputs_note(struct trace *t, struct str benchmark, struct jscan_value outputs)
{
	static const char *const members[] = {"type", "filename"};
	struct str folder = {t->path, (size_t)(path_base(t->path) - t->path)};
	struct jscan j = jscan_inside(outputs.text);
	struct jscan_value output, m[2];
	struct sbuf line = {0};
	bool more = true;

	while (more && jscan_value(&j, &output) == JSCAN_TAKEN) {
		(void)jscan_members(output.text, members, 2, m);
		if (m[1].kind != '"')
			continue;
		if (m[0].kind == '"')
			jscan_unescape(&line, m[0].text);
		else
			sbuf_text(&line, "file");
		sbuf_text(&line, ": ");
		if (m[1].text.n > 0 && *m[1].text.p != '/')
			sbuf_str(&line, folder);
		jscan_unescape(&line, m[1].text);
		more = line_note(t, benchmark, &line);
	}
	sbuf_release(&line);
	return more;
}

bool
benchmarks_open(struct trace *t, struct input *in, struct str text, struct err *e)
{
	enum { NAME, METRICS, SAMPLED, OUTPUTS, MEMBERS };
	static const char *const members[] = {"name", "metrics", "sampledMetrics", "profilerOutputs"};
	struct sampler *s = mem_zero(1, sizeof(*s));
	struct jscan_value one, m[MEMBERS];
	struct jscan j;

	samples_open(s, &benchmarks, t, in);
	t->format = "benchmarks";
	t->sampled = false;
	samples_clocks(s, HAS_WALL);
	trace_note(t, "figures of benchmarks and the files of their profilers; the file itself has no "
	    "trace");
	j = jscan_inside(jscan_find(text, "benchmarks").text);
	while (jscan_value(&j, &one) == JSCAN_TAKEN) {
		(void)jscan_members(one.text, members, MEMBERS, m);
		if (!metrics_note(t, m[NAME].text, m[METRICS]) ||
		    !metrics_note(t, m[NAME].text, m[SAMPLED]) ||
		    !outputs_note(t, m[NAME].text, m[OUTPUTS]))
			break;
	}
	return true;
}
