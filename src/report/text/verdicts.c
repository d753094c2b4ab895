// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "report/text/verdicts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const side_titles[DIFF_SIDES] = {"Base", "New"};
const char *const verdicts_values[DIFF_VALUES] = {
    [DIFF_INCLUSIVE] = "inclusive", [DIFF_EXCLUSIVE] = "exclusive"};
static const char *const verdict_words[VERDICTS] = {[VERDICT_SLOWER] = "slower",
    [VERDICT_FASTER] = "faster", [VERDICT_SAME] = "same", [VERDICT_CANNOT_TELL] = "cannot tell",
    [VERDICT_NONE] = ""};
static const char *const state_words[DECIDE_STATES] = {[DECIDE_TESTED] = "", [DECIDE_NEW] = "new",
    [DECIDE_GONE] = "gone", [DECIDE_SOMETIMES] = "now and then", [DECIDE_SMALL] = "small"};
const char *const verdicts_gates[] = {
    [GATE_NONE] = "", [GATE_FAILS] = "FAIL", [GATE_PASSES] = "pass", [GATE_OPEN] = "open"};
const char *const verdicts_call_words[] = {[CALLS_UNKNOWN] = "", [CALLS_EQUAL] = "equal",
    [CALLS_VARY] = "varies", [CALLS_MORE] = "more", [CALLS_FEWER] = "fewer"};

/* Figures ------------------------------------------------------------------------------ */

const struct trace_unit *
verdicts_unit(const struct runset *r)
{
	return &r->side[DIFF_A].trace->unit;
}

const char *
verdicts_time(const struct runset *r, char out[static FMT_SIZE], double us)
{
	return unit_figure(verdicts_unit(r), out, (nsec)llround(us * 1000));
}

const char *
verdicts_figure(const struct runset *r, char out[static FMT_SIZE], double us)
{
	return unit_text(verdicts_unit(r), out, (nsec)llround(us * 1000));
}

/* "+16.9" */
const char *
verdicts_percent(char out[static FMT_SIZE], double share)
{
	double number = share * 100;

	snprintf(out, FMT_SIZE, "%+.1f", fabs(number) < 0.05 ? 0.0 : number);
	return out;
}

/* An interval is of two runs on each side at least. */
bool
verdicts_ranged(const struct runset *r)
{
	return r->decide.a > 1 && r->decide.b > 1;
}

/* True if the change is of something: it was there in both. */
bool
verdicts_changed(const struct decide_row *d)
{
	return d->state == DECIDE_TESTED;
}

/* A row's verdict, or why it has none. */
const char *
verdicts_word(const struct decide_row *d)
{
	return d->state == DECIDE_TESTED ? verdict_words[d->verdict] : state_words[d->state];
}

/* Calls of a side's run with the fewest, or the most. */
uint64_t
verdicts_calls(const struct runset *r, const struct runs_row *row, int side, bool most)
{
	const struct runs_side *s = &r->side[side];
	uint64_t edge = most ? 0 : UINT64_MAX;

	for (size_t i = 0; i < s->count; i++) {
		uint64_t calls = row->method[side] < s->runs[i].count
		    ? s->runs[i].cells[row->method[side]].calls : 0;

		edge = (calls > edge) == most ? calls : edge;
	}
	return edge;
}

const char *
verdicts_calls_text(const struct runset *r, const struct runs_row *row, char out[static FMT_SIZE])
{
	uint64_t a = verdicts_calls(r, row, DIFF_A, true), b = verdicts_calls(r, row, DIFF_B, true);

	out[0] = '\0';
	if (row->calls == CALLS_EQUAL)
		snprintf(out, FMT_SIZE, "%" PRIu64 "=", a);
	else if (row->calls == CALLS_VARY)
		snprintf(out, FMT_SIZE, "varies");
	else if (row->calls != CALLS_UNKNOWN)
		snprintf(out, FMT_SIZE, "%" PRIu64 ">%" PRIu64, a, b);
	return out;
}

/* The limit of all in words: "10 %", "10 % and 5.000 ms". */
void
verdicts_limit(const struct runset *r, struct sbuf *out, const struct decide_limit *l)
{
	if (l->percent_given)
		sbuf_printf(out, "%.3g %%", l->percent * 100);
	if (l->percent_given && l->time_given)
		sbuf_text(out, " and ");
	if (l->time_given)
		sbuf_text(out, verdicts_figure(r, FMT_BUF, l->time));
}

void
verdicts_failed(const struct runset *r, struct sbuf *out, bool of)
{
	const struct decide *d = &r->decide;
	const bool run = d->run.gate == GATE_FAILS, common = d->speeds.gate == GATE_FAILS;
	size_t methods = r->failed - run - common;

	if (methods > 0 && of)
		sbuf_printf(out, "%zu of %zu", methods, r->count);
	else if (methods > 0)
		sbuf_printf(out, "%zu method%s", methods, methods == 1 ? "" : "s");
	if (run)
		sbuf_printf(out, "%s(run)", methods > 0 ? ", " : "");
	if (common)
		sbuf_printf(out, "%s(common)", methods > 0 || run ? ", " : "");
}

/* Why no row has a verdict; empty: they may have. */
const char *
verdicts_unsure(const struct decide *d, char out[static 2 * FMT_SIZE])
{
	out[0] = '\0';
	if (d->few && d->a == 1 && d->b == 1)
		snprintf(out, 2 * FMT_SIZE, "1 run on each side has no spread; %u on each side are the least",
		    d->runs_least);
	else if (d->few)
		snprintf(out, 2 * FMT_SIZE, "%zu and %zu runs are too few; %u on each side are the least",
		    d->a, d->b, d->runs_least);
	else if (d->noisy)
		snprintf(out, 2 * FMT_SIZE, "runs of one side differ by %.0f %%, more than %.0f %% (--max-noise)",
		    d->noise * 100, d->noise_most * 100);
	return out;
}

double
verdicts_speed(const struct decide *d, bool most)
{
	double edge = d->speed[0];

	for (size_t i = 1; i < d->a + d->b; i++)
		edge = most ? fmax(edge, d->speed[i]) : fmin(edge, d->speed[i]);
	return expm1(edge);
}

/* Text --------------------------------------------------------------------------------- */

static void
side_line(struct sbuf *out, const struct runset *r, int side)
{
	const struct runs_side *s = &r->side[side];
	bool sampled = false, traced = false;
	const char *format = s->runs[0].format;

	for (size_t i = 0; i < s->count; i++) {
		sampled |= s->runs[i].sampled.yes;
		traced |= !s->runs[i].sampled.yes;
		format = strcmp(format, s->runs[i].format) == 0 ? format : "several formats";
	}
	sbuf_printf(out, "%-8s%zu %s%s, ", side_titles[side], s->count,
	    runs_of_blocks(r) ? "block" : "run", s->count == 1 ? "" : "s");
	sbuf_str(out, names_clean(r->names[side], str_from(s->runs[0].path)));
	if (strcmp(s->runs[s->count - 1].path, s->runs[0].path) != 0) {
		sbuf_text(out, " to ");
		sbuf_str(out, names_clean(r->names[side], str_from(s->runs[s->count - 1].path)));
	}
	sbuf_printf(out, "  %s, %s\n", format, sampled && traced ? "sampled and traced"
		: sampled ? "sampled" : "traced");
}

void
verdicts_change(struct sbuf *out, const struct runset *r, const struct decide_row *d)
{
	sbuf_printf(out, "%s %%", verdicts_percent(FMT_BUF, d->change));
	if (verdicts_ranged(r))
		sbuf_printf(out, " (%s to %s)", verdicts_percent(FMT_BUF, d->low), verdicts_percent(FMT_BUF, d->high));
}

/* True if all blocks of a side are of one trace, on both sides. */
static bool
one_recording(const struct runset *r)
{
	bool one = true;

	for (int side = 0; side < DIFF_SIDES; side++)
		one &= strcmp(r->side[side].runs[0].path, r->side[side].runs[r->side[side].count - 1].path) == 0;
	return one;
}

static void
head_text(struct sbuf *out, const struct runset *r)
{
	const struct decide *d = &r->decide;
	char why[2 * FMT_SIZE];

	for (int side = 0; side < DIFF_SIDES; side++)
		side_line(out, r, side);
	sbuf_printf(out, "Times   %s, %s", verdicts_values[r->diff->value],
	    unit_counts(verdicts_unit(r)) ? verdicts_unit(r)->name : runs_clock_names[r->clock]);
	if (runs_per(r) != NULL)
		sbuf_printf(out, ", per call of %s", runs_per(r));
	if (d->has_speed)
		sbuf_printf(out, "\nSpeed   common speed %s %% to %s %%, taken out",
		    verdicts_percent(FMT_BUF, verdicts_speed(d, false)), verdicts_percent(FMT_BUF, verdicts_speed(d, true)));
	sbuf_printf(out, "\nRun     %s to %s: ", verdicts_figure(r, FMT_BUF, d->run.a),
	    verdicts_figure(r, FMT_BUF, d->run.b));
	verdicts_change(out, r, &d->run);
	if (d->has_speed && d->speeds.verdict < VERDICT_SAME)
		sbuf_printf(out, "\nCommon  all methods alike are %s: %s %%", verdict_words[d->speeds.verdict],
		    verdicts_percent(FMT_BUF, d->speeds.change));
	sbuf_printf(out, "\nTested  %zu of %zu methods", d->tested, r->count);
	if (verdicts_unsure(&r->decide, why)[0] != '\0')
		sbuf_printf(out, ".  Cannot tell: %s", why);
	else
		sbuf_text(out, ".  Equal builds show a false row in less than 1 of 100\n"
		    "        comparisons");
	if (r->how->decide.runs_least < 5 && !d->few && (d->a < 5 || d->b < 5))
		sbuf_printf(out, "\n        %u runs a side: methods with two modes raise false alarms",
		    r->how->decide.runs_least);
	if (runs_first(r) < DIFF_SIDES && d->a + d->b > 2)
		sbuf_printf(out, "\n        all of %s was recorded before %s: what changed in between is not\n"
		    "        in the spread", runs_first(r) == DIFF_A ? "base" : "new",
		    runs_first(r) == DIFF_A ? "new" : "base");
	if (runs_of_blocks(r) && one_recording(r))
		sbuf_text(out, "\n        one recording on each side: what differs between recordings is not\n"
		    "        in the spread");
	sbuf_char(out, '\n');
}

static void
gate_text(struct sbuf *out, const struct runset *r)
{
	static const char *const words[] = {"pass", "FAIL", "", "", "cannot tell"};
	const struct decide *d = &r->decide;
	char why[2 * FMT_SIZE];
	int status = runs_status(r);
	struct decide_limit all = runs_limit_of_all(r);

	if (!r->gated)
		return;
	sbuf_printf(out, "Gate    %s", r->failed > 0 ? words[1]
		: d->few || d->noisy || d->run.gate == GATE_OPEN ? words[4] : words[status]);
	if (r->failed > 0) {
		sbuf_text(out, ": ");
		verdicts_failed(r, out, true);
		sbuf_text(out, " slower by more than allowed");
	} else if (verdicts_unsure(&r->decide, why)[0] == '\0' && d->run.gate == GATE_OPEN) {
		sbuf_printf(out, ": the whole run may be slower by up to %s %%",
		    verdicts_percent(FMT_BUF, d->run.high));
	}
	if (r->diff->fail_percent_given || r->diff->fail_time_given) {
		sbuf_text(out, " (");
		verdicts_limit(r, out, &all);
		sbuf_char(out, ')');
	}
	if (r->open > 0)
		sbuf_printf(out, "; %zu open", r->open);
	if (r->suspects > 0)
		sbuf_printf(out, "; %zu suspect%s", r->suspects, r->suspects == 1 ? "" : "s");
	if (r->how->unsure != UNSURE_TELL)
		sbuf_printf(out, " (--unsure=%s)", r->how->unsure == UNSURE_PASS ? "pass" : "fail");
	sbuf_char(out, '\n');
	for (size_t i = 0; i < r->how->limit_count; i++)
		if (!r->how->limits[i].used)
			sbuf_printf(out, "        --allow='%s' matches no method\n", r->how->limits[i].text);
}

void
verdicts_head(struct sbuf *out, const struct runset *r)
{
	head_text(out, r);
	gate_text(out, r);
}

/* Beginnings of lines that are rows or titles, found as the text is made; NULL: not wanted. */
struct line_places {
	struct place_of {
		size_t at;
		const struct runs_row *row; /* NULL: a title */
	} *items;
	size_t count, room;
};

static void
place_add(struct line_places *p, size_t at, const struct runs_row *row)
{
	if (p == NULL)
		return;
	*MEM_ADD(p->items, p->count, p->room) = (struct place_of){at, row};
}

/* Columns of an interval are there where there is one. */
static void
row_text(struct sink *sink, const struct runset *r, const struct runs_row *row, struct line_places *places)
{
	const struct decide_row *d = &row->decided;
	struct sbuf *out = &sink->text;
	int side = row->method[DIFF_B] != METHOD_NONE ? DIFF_B : DIFF_A;
	struct str name = names_shown(r->names[side], row->method[side]);
	bool change = verdicts_changed(d);
	size_t from = out->n, margin;

	place_add(places, out->n, row);
	sbuf_printf(out, "%10s %9s ", verdicts_time(r, FMT_BUF, d->a), verdicts_time(r, FMT_BUF, d->b));
	sbuf_printf(out, "%8s  ", change ? verdicts_percent(FMT_BUF, d->change) : "");
	if (verdicts_ranged(r))
		sbuf_printf(out, "%7s %7s  ", change ? verdicts_percent(FMT_BUF, d->low) : "",
		    change ? verdicts_percent(FMT_BUF, d->high) : "");
	if (r->gated || !verdicts_ranged(r))
		sbuf_printf(out, "%-4s  ", d->suspect ? "?" : verdicts_gates[d->gate]);
	sbuf_printf(out, "%8s  ", verdicts_calls_text(r, row, FMT_BUF));
	margin = out->n - from + 2;
	sbuf_str(out, name);
	diff_put_origin(out, &row->pair,
	    (const struct trace *[]){r->side[DIFF_A].trace, r->side[DIFF_B].trace}, r->names);
	sbuf_char(out, '\n');
	if (row->cause_count > 0 && (d->gate == GATE_FAILS || r->how->all))
		sbuf_printf(out, "%*sin %.*s\n", (int)margin, "",
		    STR_ARG(row->cause[row->cause_count - 1].shown));
}

/* True if no row has a verdict on time. */
static bool
is_untold(const struct runset *r)
{
	return r->decide.few || r->decide.noisy;
}

bool
verdicts_slower(const struct runset *r, const struct decide_row *d)
{
	bool more = is_untold(r) ? d->delta >= r->decide.time_least : d->verdict == VERDICT_SLOWER;

	return verdicts_changed(d) && (more || d->gate == GATE_FAILS || d->suspect);
}

bool
verdicts_faster(const struct runset *r, const struct decide_row *d)
{
	return verdicts_changed(d) && !verdicts_slower(r, d) && (is_untold(r)
	    ? d->delta <= -r->decide.time_least : d->verdict == VERDICT_FASTER);
}

static bool
is_new(const struct runset *r, const struct decide_row *d)
{
	return d->state == DECIDE_NEW && (d->gate == GATE_FAILS || d->b >= decide_least(&r->decide));
}

static bool
is_gone(const struct runset *r, const struct decide_row *d)
{
	return d->state == DECIDE_GONE && d->a >= decide_least(&r->decide);
}

static bool
is_open(const struct runset *r, const struct decide_row *d)
{
	return verdicts_changed(d) && d->verdict == VERDICT_CANNOT_TELL && !verdicts_slower(r, d) &&
	    !verdicts_faster(r, d);
}

static bool
is_same(const struct runset *r, const struct decide_row *d)
{
	return d->verdict == VERDICT_SAME;
}

const struct verdict_list verdict_lists[] = {
    {"Slower", "More time", verdicts_slower, false},
    {"Faster", "Less time", verdicts_faster, false},
    {"New", "New", is_new, false},
    {"Gone", "Gone", is_gone, false},
    {"Cannot tell", "Little more or less", is_open, true},
    {"Same", "Same", is_same, true},
};

const size_t verdict_list_count = sizeof(verdict_lists) / sizeof(verdict_lists[0]);

const char *
verdicts_title(const struct runset *r, const struct verdict_list *s)
{
	return is_untold(r) ? s->untold : s->title;
}

static void
section_text(struct sink *sink, const struct runset *r, const struct verdict_list *s, const size_t count,
    struct line_places *places)
{
	struct sbuf *out = &sink->text;
	const char *unit = unit_name(verdicts_unit(r));
	uint32_t told = 0;

	sbuf_char(out, '\n');
	place_add(places, out->n, NULL);
	sbuf_printf(out, "%s (%zu)\n", verdicts_title(r, s), count);
	place_add(places, out->n, NULL);
	sbuf_printf(out, "%7s %s %6s %s %8s  ", "Base", unit, "New", unit, "Change");
	if (verdicts_ranged(r))
		sbuf_printf(out, "%7s %7s  ", "95 %", "to");
	if (r->gated || !verdicts_ranged(r))
		sbuf_text(out, "Gate  ");
	sbuf_printf(out, "%8s  %s\n", "Calls", "Method");
	for (size_t i = 0; i < r->count && told < r->options->limit && sink_row(sink); i++) {
		if (!s->has(r, &r->rows[i].decided))
			continue;
		row_text(sink, r, &r->rows[i], places);
		told++;
	}
}

static void
unknown_text(struct sink *sink, const struct runset *r)
{
	uint32_t left = r->options->limit;
	bool told = false;

	for (size_t i = 0; i < r->count && left > 0 && sink_row(sink); i++) {
		int side = diff_only_in(&r->rows[i].pair);

		if (!r->rows[i].pair.unknown)
			continue;
		diffreport_unknown(&sink->text, &told, side,
		    names_shown(r->names[side], r->rows[i].method[side]));
		left--;
	}
}

static void
text_make(struct sink *sink, const struct runset *r, struct line_places *places)
{
	bool left = false;

	verdicts_head(&sink->text, r);
	for (size_t k = 0; k < verdict_list_count; k++) {
		const struct verdict_list *s = &verdict_lists[k];
		size_t count = 0;

		for (size_t i = 0; i < r->count; i++)
			count += s->has(r, &r->rows[i].decided);
		if (!s->all || r->how->all) {
			if (count > 0)
				section_text(sink, r, s, count, places);
		} else if (count > 0) {
			sbuf_printf(&sink->text, "%s%s (%zu)", left ? ", " : "\n", verdicts_title(r, s), count);
			left = true;
		}
	}
	if (left)
		sbuf_text(&sink->text, ": --all lists them\n");
	unknown_text(sink, r);
}

void
verdicts_text(struct sink *sink, const struct runset *r)
{
	text_make(sink, r, NULL);
}

struct verdict_line *
verdicts_lines(const struct runset *r, struct sbuf *text, size_t *count)
{
	struct sink sink = {.file = NULL};
	struct line_places places = {.items = NULL};
	struct verdict_line *lines = NULL;
	size_t room = 0, next = 0;
	struct str rest;

	text_make(&sink, r, &places);
	sbuf_str(text, sbuf_view(&sink.text));
	sbuf_release(&sink.text);
	rest = sbuf_view(text);
	for (*count = 0; rest.n > 0; (*count)++) {
		size_t at = (size_t)(rest.p - text->p);
		bool placed = next < places.count && places.items[next].at == at;

		MEM_GROW(lines, room, *count + 1);
		lines[*count] = (struct verdict_line){.row = placed ? places.items[next].row : NULL,
		    .title = placed && places.items[next].row == NULL};
		next += placed;
		lines[*count].text = str_cut(&rest, '\n');
	}
	mem_free(places.items);
	return lines;
}
