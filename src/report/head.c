#include <config.h>

#include "report/head.h"

#include <inttypes.h>

#include "report/treerows.h"

/* Threads named one by one; more are only counted. */
enum { THREADS_NAMED = 8 };

struct head {
	struct sbuf *out;
	const struct report *report;
};

/* Begins a line; "" goes on under the last label. */
static void
label(const struct head *h, const char *text)
{
	sbuf_printf(h->out, "%-10s", text);
}

static void
clean(const struct head *h, struct str text)
{
	sbuf_str(h->out, names_clean(h->report->figures.names, text));
}

static void
head_trace(const struct head *h)
{
	const struct trace *t = h->report->trace;
	enum clock_id clock = h->report->figures.clock;
	const struct sampled *sampled = &h->report->profile->sampled;
	char number[FMT_SIZE];

	label(h, "File");
	clean(h, str_from(t->path));
	sbuf_char(h->out, '\n');
	label(h, "Format");
	if (t->log != NULL)
		sbuf_printf(h->out, "%s, a text log\n", t->format);
	else
		sbuf_printf(h->out, "%s, version %d\n", t->format, t->version);
	if (sampled->yes) {
		label(h, "Sampled");
		if (sampled->interval > 0)
			sbuf_printf(h->out, "about every %s ms: ",
			    fmt_ms(number, sampled->interval));
		sbuf_text(h->out, "calls are what the samples saw\n");
	}
	label(h, "Clock");
	sbuf_text(h->out, clock == CLOCK_CPU ? "cpu" : "wall");
	if (trace_has_clock(t, CLOCK_CPU) && trace_has_clock(t, CLOCK_WALL))
		sbuf_printf(h->out, " (the trace has %s, too)",
		    clock == CLOCK_CPU ? "wall" : "cpu");
	sbuf_char(h->out, '\n');
}

/* The window that was asked for; an open end is that of the trace. */
static void
head_range(const struct head *h)
{
	const struct report *r = h->report;
	const struct range *range = &r->fold->range;
	char from[FMT_SIZE], to[FMT_SIZE];

	if (range_is_all(range))
		return;
	label(h, "Window");
	sbuf_printf(h->out, "%s to %s ms\n",
	    fmt_ms(from, range->from == INT64_MIN ? r->profile->begin : range->from),
	    fmt_ms(to, range->to == INT64_MAX ? r->profile->end : range->to));
}

static void
head_times(const struct head *h)
{
	const struct report *r = h->report;
	const struct profile *p = r->profile;
	enum clock_id clock = r->figures.clock,
		      other = clock == CLOCK_CPU ? CLOCK_WALL : CLOCK_CPU;
	char number[FMT_SIZE];

	if (!r->trace->own_axes) { /* else no two threads have a time in common */
		label(h, "Length");
		sbuf_printf(h->out, "%s ms\n", fmt_ms(number, p->end - p->begin));
	}
	head_range(h);
	label(h, "Total");
	sbuf_printf(h->out, "%s ms", fmt_ms(number, r->fold->total[clock]));
	if (trace_has_clock(r->trace, other))
		sbuf_printf(h->out, ", %s %s ms", other == CLOCK_CPU ? "cpu" : "wall",
		    fmt_ms(number, r->fold->total[other]));
	sbuf_printf(h->out, ": the sum over %s%s threads%s, which percentages are of\n",
	    r->trace->log != NULL ? "the slices of " : "",
	    r->scope == NULL ? "all" : "the chosen",
	    range_is_all(&r->fold->range) ? "" : " in the window");
}

static void
head_chosen(const struct head *h)
{
	const struct report *r = h->report;
	uint32_t named = 0;

	for (uint32_t i = 0; i < r->scope->count; i++) {
		if (!scope_has(r->scope, i))
			continue;
		if (named++ == THREADS_NAMED) {
			sbuf_text(h->out, ", ...");
			break;
		}
		sbuf_printf(h->out, "%s%" PRIu32 " ", named > 1 ? ", " : "",
		    trace_thread(r->trace, i)->id);
		sbuf_str(h->out, names_thread(r->figures.names, i));
	}
}

static void
head_counts(const struct head *h)
{
	const struct report *r = h->report;

	label(h, "Threads");
	if (r->scope != NULL) {
		head_chosen(h);
		sbuf_printf(h->out, " (%" PRIu32 " of %" PRIu32 ")\n",
		    scope_size(r->scope), r->trace->threads.count);
	} else {
		sbuf_printf(h->out, "%" PRIu32 "\n", r->threads_met);
	}
	if (r->trace->log != NULL) {
		struct sbuf choice = {0};

		log_choice_text(&choice, &r->trace->log->choice);
		if (choice.n > 0) {
			label(h, "Slices");
			sbuf_printf(h->out, "%s\n", sbuf_cstr(&choice));
		}
		sbuf_release(&choice);
	}
	label(h, "Records");
	sbuf_printf(h->out, "%" PRIu64 "\n", r->profile->records);
	label(h, "Methods");
	sbuf_printf(h->out, "%" PRIu32, r->methods_met);
	sbuf_char(h->out, '\n');
}

static void
head_cut(const struct head *h)
{
	unsigned percent = h->report->options->min_percent;

	if ((h->report->options->view->takes & TAKES_CUT) == 0)
		return;
	label(h, "Cut-off");
	sbuf_printf(h->out, "%u.%03u", percent / REPORT_PERCENT_UNIT,
	    percent % REPORT_PERCENT_UNIT);
	while (h->out->p[h->out->n - 1] == '0')
		h->out->n--;
	if (h->out->p[h->out->n - 1] == '.')
		h->out->n--;
	sbuf_text(h->out, " % of the total; less is folded\n");
}

/* What is no row of the callers. */
static void
head_outside(const struct head *h)
{
	const struct report *r = h->report;
	enum clock_id clock = r->figures.clock;
	const char *title = "Left out";
	char text[FMT_SIZE];
	nsec time;

	if (r->tree == NULL || r->tree->callers == NULL)
		return;
	time = r->tree->outside[clock];
	if (time != 0) {
		label(h, title);
		title = "";
		sbuf_printf(h->out, "(toplevel), where no call was open: %s ms, ",
		    fmt_ms(text, time));
		sbuf_printf(h->out, "%s %%\n", fmt_percent(text, time, r->fold->total[clock]));
	}
	if (r->tree->deeper == 0)
		return;
	label(h, title);
	if (r->tree->depth_max != UINT32_MAX)
		sbuf_printf(h->out, "callers more than %" PRIu32 " calls above",
		    r->tree->depth_max);
	else
		sbuf_printf(h->out, "callers beyond the first %" PRIu64, r->tree->callers_max);
	sbuf_printf(h->out, ", of %" PRIu32 " row%s\n", r->tree->deeper,
	    r->tree->deeper == 1 ? "" : "s");
}

/* What was asked for, and how much of it is here. */
static void
head_choice(const struct head *h)
{
	const struct report *r = h->report;
	const struct report_options *o = r->options;
	bool asked = o->filter_count > 0 || o->method_count > 0;

	for (size_t i = 0; i < o->filter_count; i++) {
		label(h, i == 0 ? "Filter" : "");
		clean(h, str_from(o->filters[i].text));
		sbuf_char(h->out, '\n');
	}
	for (size_t i = 0; i < o->transforms.count; i++) {
		struct sbuf text = {0};

		label(h, i == 0 ? "Transform" : "");
		sbuf_printf(&text, "%s ", transform_kinds[o->transforms.list[i].id].name);
		transform_argument_text(&text, &o->transforms.list[i], r->trace);
		clean(h, sbuf_view(&text));
		sbuf_char(h->out, '\n');
		sbuf_release(&text);
	}
	for (size_t i = 0; i < o->method_count; i++) {
		label(h, i == 0 ? "Method" : "");
		clean(h, str_from(o->methods[i].text));
		sbuf_char(h->out, '\n');
	}
	if ((!asked && r->count == r->matched) || (o->view->takes & TAKES_BUDGET) != 0)
		return;
	label(h, "Rows");
	sbuf_printf(h->out, "%" PRIu32, r->count);
	if (r->count < r->matched)
		sbuf_printf(
		    h->out, " of %" PRIu32 "%s", r->matched, asked ? " that match" : "");
	sbuf_char(h->out, '\n');
}

static void
head_damage(const struct head *h)
{
	const struct damage *damage = &h->report->profile->damage;
	const char *title = "Damage";
	char text[128];

	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (damage->kind[i].count == 0)
			continue;
		label(h, title);
		sbuf_printf(h->out, "%s: %s\n", damage_kinds[i].name,
		    damage_text(damage, (enum damage_kind)i, text, sizeof(text)));
		label(h, "");
		sbuf_printf(h->out, "  (%s)\n", damage_kinds[i].help);
		title = "";
	}
	if (damage_count(damage) == 0) {
		label(h, title);
		sbuf_text(h->out, "none\n");
	}
}

static void
head_notes(const struct head *h)
{
	const struct trace *t = h->report->trace;

	for (size_t i = 0; i < t->note_count; i++) {
		label(h, i == 0 ? "Notes" : "");
		clean(h, t->notes[i]);
		sbuf_char(h->out, '\n');
	}
}

void
head_print(struct sbuf *out, const struct report *r)
{
	struct head h = {out, r};

	head_trace(&h);
	head_times(&h);
	head_counts(&h);
	head_cut(&h);
	head_outside(&h);
	head_choice(&h);
	head_notes(&h);
	head_damage(&h);
}
