/* The differences of two traces, for people. */
#include <config.h>

#include <string.h>

#include "report/diffreport.h"

/* Columns of each list, and what they are for: the cause is of methods in both only. */
static const struct {
	enum diff_column id;
	bool both;
} shown[] = {
    {DIFF_COLUMN_DELTA, false},
    {DIFF_COLUMN_PERCENT, true},
    {DIFF_COLUMN_A, true},
    {DIFF_COLUMN_B, true},
    {DIFF_COLUMN_CALLS, false},
    {DIFF_COLUMN_BY_CALLS, true},
    {DIFF_COLUMN_BY_TIME, true},
    {DIFF_COLUMN_OTHER, false},
};

enum { SHOWN = sizeof(shown) / sizeof(shown[0]) };

static void
right(struct sbuf *out, const char *text, int width)
{
	for (int gap = width - (int)strlen(text); gap > 0; gap--)
		sbuf_char(out, ' ');
	sbuf_text(out, text);
	sbuf_text(out, "  ");
}

static void
list_text(struct sink *sink, const struct diffreport *d, enum diff_change change)
{
	const struct diffreport_list *list = &d->lists[change];
	bool both = change == DIFF_SLOWER || change == DIFF_FASTER;
	struct sbuf *out = &sink->text;
	char text[FMT_SIZE];
	int width[SHOWN];

	sbuf_printf(out, "\n%s (%u", diff_changes[change].title, (unsigned)list->count);
	if (list->count < list->matched)
		sbuf_printf(out, " of %u", (unsigned)list->matched);
	sbuf_text(out, ")\n");
	for (int c = 0; c < SHOWN; c++) {
		width[c] =
		    (int)strlen(diff_column_title(shown[c].id, &d->by, false, text));
		for (uint32_t i = 0; i < list->count; i++) {
			int n = (int)strlen(diff_column_text(
			    shown[c].id, &d->diff.rows[list->rows[i]], &d->by, false, text));

			width[c] = n > width[c] ? n : width[c];
		}
	}
	for (int c = 0; c < SHOWN && list->count > 0; c++)
		if (both || !shown[c].both)
			right(out, diff_column_title(shown[c].id, &d->by, false, text), width[c]);
	if (list->count > 0)
		sbuf_text(out, "Method\n");
	for (uint32_t i = 0; i < list->count && sink_row(sink); i++) {
		const struct diff_row *r = &d->diff.rows[list->rows[i]];

		for (int c = 0; c < SHOWN; c++)
			if (both || !shown[c].both)
				right(out,
				    diff_column_text(shown[c].id, r, &d->by, false, text), width[c]);
		sbuf_str(out, diffreport_name(d, r));
		if (r->renamed) {
			sbuf_text(out, "  (in A ");
			sbuf_str(out, names_full(d->side[DIFF_A].figures.names,
					  r->sum[DIFF_A].method));
			sbuf_char(out, ')');
		}
		sbuf_char(out, '\n');
	}
}

static void
label(struct sbuf *out, const char *text)
{
	sbuf_printf(out, "%-10s", text);
}

static void
side_text(struct sbuf *out, const struct diffreport *d, int side)
{
	const struct report *r = &d->side[side];
	const struct damage *damage = &r->profile->damage;
	char text[128];

	label(out, side == DIFF_A ? "A" : "B");
	sbuf_str(out, names_clean(r->figures.names, str_from(r->trace->path)));
	sbuf_char(out, '\n');
	if (r->profile->sampled.yes) {
		label(out, "");
		sbuf_text(out, "sampled: calls are what the samples saw\n");
	}
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (damage->kind[i].count == 0)
			continue;
		label(out, "");
		sbuf_printf(out, "damaged, %s: %s\n", damage_kinds[i].name,
		    damage_text(damage, (enum damage_kind)i, text, sizeof(text)));
	}
}

static void
choice_text(struct sbuf *out, const struct diffreport *d)
{
	const struct report *r = &d->side[DIFF_B];
	const struct report_options *o = &d->options[DIFF_B];
	char from[FMT_SIZE], to[FMT_SIZE];

	if (!range_is_all(&o->range)) {
		label(out, "Window");
		sbuf_printf(out, "%s to %s ms\n",
		    o->range.from == INT64_MIN ? "start" : fmt_ms(from, o->range.from),
		    o->range.to == INT64_MAX ? "end" : fmt_ms(to, o->range.to));
	}
	for (size_t i = 0; i < o->thread_count; i++) {
		label(out, i == 0 ? "Threads" : "");
		sbuf_str(out, names_clean(r->figures.names, str_from(o->threads[i])));
		sbuf_char(out, '\n');
	}
	for (size_t i = 0; i < o->process_count; i++) {
		label(out, i == 0 ? "Processes" : "");
		sbuf_str(out, names_clean(r->figures.names, str_from(o->processes[i])));
		sbuf_char(out, '\n');
	}
	for (size_t i = 0; i < o->filter_count; i++) {
		label(out, i == 0 ? "Filter" : "");
		sbuf_str(out, names_clean(r->figures.names, str_from(o->filters[i].text)));
		sbuf_char(out, '\n');
	}
	for (size_t i = 0; i < o->transforms.count; i++) {
		struct sbuf text = {0};

		label(out, i == 0 ? "Transform" : "");
		sbuf_printf(&text, "%s ", transform_kinds[o->transforms.list[i].id].name);
		transform_argument_text(&text, &o->transforms.list[i], r->trace);
		sbuf_str(out, names_clean(r->figures.names, sbuf_view(&text)));
		sbuf_char(out, '\n');
		sbuf_release(&text);
	}
}

static void
total_text(struct sbuf *out, const struct diffreport *d)
{
	nsec a = d->diff.total[DIFF_A][d->by.clock], b = d->diff.total[DIFF_B][d->by.clock];
	char text[FMT_SIZE];

	label(out, "Total");
	sbuf_printf(out, "A %s ms, ", fmt_ms(text, a));
	sbuf_printf(out, "B %s ms: ", fmt_ms(text, b));
	sbuf_printf(out, "%s ms", diff_time_text(diff_between(a, b), false, text));
	if (a > 0)
		sbuf_printf(out, ", %s %%", diff_percent_text(a, b, text));
	sbuf_char(out, '\n');
}

static void
renamed_text(struct sbuf *out, const struct diffreport *d)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < d->diff.count; i++)
		count += d->diff.rows[i].renamed;
	if (count == 0)
		return;
	label(out, "Renamed");
	sbuf_printf(out, "%u method%s with a name that compilers make up, another one in A\n",
	    (unsigned)count, count == 1 ? "" : "s");
}

void
diffreport_text(struct sink *sink, const struct diffreport *d)
{
	struct sbuf *out = &sink->text;
	char text[FMT_SIZE];

	for (int side = 0; side < DIFF_SIDES; side++)
		side_text(out, d, side);
	label(out, "Times");
	sbuf_printf(out, "%s, %s clock", diff_value_names[d->by.value],
	    d->by.clock == CLOCK_CPU ? "cpu" : "wall");
	if (d->by.min > 0)
		sbuf_printf(out, "; changes below %s are none", diff_min_text(d->by.min, text));
	sbuf_char(out, '\n');
	total_text(out, d);
	choice_text(out, d);
	renamed_text(out, d);
	for (int change = 0; change < DIFF_UNCHANGED; change++)
		list_text(sink, d, (enum diff_change)change);
	sbuf_printf(out, "\n%s (%u)\n", diff_changes[DIFF_UNCHANGED].title,
	    (unsigned)d->lists[DIFF_UNCHANGED].matched);
}
