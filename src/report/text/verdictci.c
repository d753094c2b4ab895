// SPDX-License-Identifier: Apache-2.0
/*
 * verdictci.c: verdicts on several runs for merge requests and build servers (verdicts.h).
 */
#include <config.h>

#include <string.h>

#include "base/escape.h"
#include "report/text/verdicts.h"

enum { MARKDOWN_ROWS = 20 };

/* Markdown, for merge requests ---------------------------------------------------------- */

/* A name in a cell of a table: nothing in it is markup. */
static void
name_markdown(struct sbuf *out, struct str name)
{
	sbuf_text(out, "<code>");
	for (size_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];

		if (strchr("|`@*_[]\\#~&<>", c) != NULL)
			sbuf_printf(out, "&#%u;", c);
		else
			sbuf_char(out, c < ' ' || c == 0x7f ? '?' : (char)c);
	}
	sbuf_text(out, "</code>");
}

static void
row_markdown(struct sbuf *out, const struct runset *r, struct str name, const struct decide_row *d)
{
	sbuf_printf(out, "| %s | ", d->gate == GATE_FAILS ? "fail" : d->suspect ? "?" : verdicts_word(d));
	name_markdown(out, name);
	sbuf_printf(out, " | %s | %s | ", verdicts_figure(r, FMT_BUF, d->a), verdicts_figure(r, FMT_BUF, d->b));
	if (verdicts_changed(d))
		sbuf_printf(out, "**%s %%**", verdicts_percent(FMT_BUF, d->change));
	sbuf_text(out, " | ");
	if (verdicts_changed(d) && verdicts_ranged(r))
		sbuf_printf(out, "%s to %s", verdicts_percent(FMT_BUF, d->low), verdicts_percent(FMT_BUF, d->high));
	sbuf_text(out, " | ");
	if (d->gated)
		verdicts_limit(r, out, &d->limit);
	sbuf_text(out, " |\n");
}

/* Writes in which callees the time of failing rows is, in a part that is folded up at first. */
static void
causes_markdown(struct sink *sink, const struct runset *r)
{
	struct sbuf *out = &sink->text;
	bool any = false;

	for (size_t i = 0; i < r->count && sink_row(sink); i++) {
		const struct runs_row *row = &r->rows[i];

		if (row->decided.gate != GATE_FAILS || row->cause_count == 0)
			continue;
		sbuf_text(out, any ? "- " : "\n<details><summary>Where it comes from</summary>\n\n- ");
		any = true;
		name_markdown(out, row->name);
		for (size_t k = 0; k < row->cause_count; k++) {
			sbuf_text(out, " &gt; ");
			name_markdown(out, row->cause[k].name);
		}
		sbuf_char(out, '\n');
	}
	if (any && sink_wanted(sink))
		sbuf_text(out, "\n</details>\n");
}

void
verdicts_markdown(struct sink *sink, const struct runset *r)
{
	static const char heading[] = "\n| | method | base | new | change | 95 % | limit |\n"
	    "|---|---|--:|--:|--:|--:|--:|\n";
	struct sbuf *out = &sink->text;
	char why[2 * FMT_SIZE];
	size_t told = 0, all = 0;

	if (r->failed > 0) {
		sbuf_text(out, "### slowtop: ");
		verdicts_failed(r, out, false);
		sbuf_text(out, " slower than allowed\n");
	} else {
		sbuf_printf(out, "### slowtop: %s\n", strcmp(runs_word(r), "pass") == 0
			? "nothing is slower than allowed" : "cannot tell");
	}
	sbuf_printf(out, "%zu + %zu %s, %s, %s", r->decide.a, r->decide.b, runs_of_blocks(r) ? "blocks" : "runs",
	    unit_counts(verdicts_unit(r)) ? verdicts_unit(r)->name : runs_clock_names[r->clock],
	    verdicts_values[r->diff->value]);
	if (runs_per(r) != NULL) {
		sbuf_text(out, ", per call of ");
		name_markdown(out, str_from(runs_per(r)));
	}
	sbuf_printf(out, ". Run **%s %%**", verdicts_percent(FMT_BUF, r->decide.run.change));
	if (verdicts_ranged(r))
		sbuf_printf(out, " (%s to %s)", verdicts_percent(FMT_BUF, r->decide.run.low),
		    verdicts_percent(FMT_BUF, r->decide.run.high));
	sbuf_text(out, ".");
	if (verdicts_unsure(&r->decide, why)[0] != '\0')
		sbuf_printf(out, " No verdicts: %s.", why);
	sbuf_char(out, '\n');
	for (int i = 0; i < 2; i++) {
		const struct decide_row *d = i == 0 ? &r->decide.run : &r->decide.speeds;

		if (d->gate != GATE_FAILS)
			continue;
		if (told++ == 0)
			sbuf_text(out, heading);
		row_markdown(out, r, i == 0 ? STR("(run)") : STR("(common)"), d);
	}
	all = told;
	for (size_t i = 0; i < r->count; i++) {
		const struct runs_row *row = &r->rows[i];
		const struct decide_row *d = &row->decided;

		if (!verdicts_slower(r, d) && !verdicts_faster(r, d) && d->gate != GATE_FAILS)
			continue;
		all++;
		if (told == MARKDOWN_ROWS || !sink_row(sink))
			continue;
		if (told++ == 0)
			sbuf_text(out, heading);
		row_markdown(out, r, row->name, d);
	}
	if (told < all)
		sbuf_printf(out, "\n%zu more.\n", all - told);
	causes_markdown(sink, r);
}

/* JUnit, for build servers --------------------------------------------------------------- */

/* A row's case: it fails, is an error where it must be told and cannot be, or passes. */
static void
case_junit(struct sbuf *out, const struct runset *r, struct str class_name, struct str name,
    const struct decide_row *d, bool required)
{
	const char *tag = d->gate == GATE_FAILS ? "failure" : d->gate != GATE_OPEN ? NULL
	    : required ? "error" : "skipped";

	html_between(out, "  <testcase classname=\"", class_name.n > 0 ? class_name : STR("slowtop"),
	    "\"");
	html_between(out, " name=\"", name, tag == NULL ? "\"/>\n" : "");
	if (tag == NULL)
		return;
	sbuf_printf(out, "\">\n    <%s", tag);
	if (required && d->gate == GATE_OPEN)
		sbuf_text(out, " type=\"cannot-tell\"");
	sbuf_text(out, " message=\"");
	if (verdicts_changed(d))
		verdicts_change(out, r, d);
	else
		sbuf_text(out, verdicts_word(d));
	sbuf_text(out, ", limit ");
	verdicts_limit(r, out, &d->limit);
	sbuf_text(out, "\"/>\n  </testcase>\n");
}

void
verdicts_junit(struct sink *sink, const struct runset *r)
{
	const struct decide_row *run = &r->decide.run, *common = &r->decide.speeds;
	bool required = runs_status(r) != 0 && r->how->unsure != UNSURE_PASS;
	size_t tests = 1, failures = run->gate == GATE_FAILS, skipped = 0, errors = 0;
	struct sbuf *out = &sink->text;

	errors += run->gate == GATE_OPEN && required;
	skipped += run->gate == GATE_OPEN && !required;
	tests += common->gate != GATE_NONE;
	failures += common->gate == GATE_FAILS;
	skipped += common->gate == GATE_OPEN;
	for (size_t i = 0; i < r->count; i++) {
		enum decide_gate gate = r->rows[i].decided.gate;

		tests += gate != GATE_NONE;
		failures += gate == GATE_FAILS;
		skipped += gate == GATE_OPEN;
	}
	sbuf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"slowtop\" "
	    "tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n", tests, failures,
	    errors, skipped);
	case_junit(out, r, STR(""), STR("(run)"), run, required);
	if (common->gate != GATE_NONE)
		case_junit(out, r, STR(""), STR("(common)"), common, false);
	for (size_t i = 0; i < r->count && sink_row(sink); i++) {
		const struct runs_row *row = &r->rows[i];
		struct sbuf name = {0};

		if (row->decided.gate == GATE_NONE)
			continue;
		sbuf_str(&name, row->of->name);
		sbuf_str(&name, row->of->signature);
		case_junit(out, r, row->of->class_name, sbuf_view(&name), &row->decided, false);
		sbuf_release(&name);
	}
	if (sink_wanted(sink))
		sbuf_text(out, "</testsuite>\n");
}
