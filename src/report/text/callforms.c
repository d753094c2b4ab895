// SPDX-License-Identifier: Apache-2.0
/* callforms: the methods of slow calls and of the others, compared, as text and for programs (pathdiff.h). */
#include <config.h>

#include "report/pathdiff.h"
#include "report/tables.h"
#include "report/text/views.h"
#include "view/diff/columns.h"

static nsec
delta(const nsec times[DIFF_SIDES])
{
	return diff_between(times[DIFF_A], times[DIFF_B]);
}

/* Returns the share of the whole difference; nothing without one. */
static struct value
share(const struct pathdiff *d, const struct pathdiff_method *m)
{
	nsec all = delta(d->total);

	return value_if(all > 0, value_percent(delta(m->time), all));
}

static struct value
in_calls(const struct pathdiff *d, uint32_t method)
{
	return value_if(method < d->calls.in_count && method != METHOD_TOPLEVEL,
	    value_count(d->calls.in[method]));
}

/* Text --------------------------------------------------------------------------------- */

enum { TEXT_OVER, TEXT_UNDER, TEXT_DELTA, TEXT_SHARE, TEXT_IN, TEXT_NAME, TEXT_COLUMNS };

static struct value
text_cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct pathdiff *d = s->model;
	const struct trace_unit *unit = &d->joined.trace->unit;
	const struct pathdiff_method *m = &d->methods[at];
	struct sbuf *out = s->scratch;

	sbuf_clear(out);
	switch (column) {
	case TEXT_OVER:
	case TEXT_UNDER:
		sbuf_text(out, unit_figure(unit, FMT_BUF, m->time[column == TEXT_OVER ? DIFF_B : DIFF_A]));
		break;
	case TEXT_DELTA:
		sbuf_text(out, diff_time_text(unit, delta(m->time), false, FMT_BUF));
		break;
	case TEXT_SHARE:
		return share(d, m);
	case TEXT_IN:
		return in_calls(d, m->method);
	default:
		return value_text(names_shown(d->figures.names, m->method));
	}
	return value_text(sbuf_view(out));
}

void
pathdiff_calls_text(struct sink *sink, const struct pathdiff *d)
{
	static const char *const titles[TEXT_COLUMNS] = {
	    "Over ", "Under ", "Delta ", "Share%", "In over", "Method, exclusive time of a call"};
	struct sheet sheet = {.rows = d->method_count, .cursor = d->method_count, .figures = &d->figures,
	    .model = d, .cell = text_cell};

	pathdiff_facts(&sink->text, d, false);
	sbuf_char(&sink->text, '\n');
	pathdiff_columns(&sheet, titles, TEXT_COLUMNS);
	table_rows(sink, NULL, &sheet, SHEET_AS_TEXT);
}

/* CSV and JSON ------------------------------------------------------------------------- */

enum { CLASS, NAME, SIGNATURE, EXCLUSIVE, SHARE = EXCLUSIVE + 3, IN, FILE_COLUMNS };

static struct value
file_cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct pathdiff *d = s->model;
	const struct pathdiff_method *m = &d->methods[at];

	switch (column) {
	case CLASS:
	case NAME:
	case SIGNATURE:
		return figures_field(&d->figures, m->method, 1 + column - CLASS);
	case SHARE:
		return share(d, m);
	case IN:
		return in_calls(d, m->method);
	default:
		return pathdiff_part(m->time, column - EXCLUSIVE);
	}
}

static void
file_sheet(struct sheet *s, const struct pathdiff *d)
{
	static const char *const keys[FILE_COLUMNS] = {[CLASS] = "?class", [NAME] = "name",
	    [SIGNATURE] = "?signature", [SHARE] = "share_percent", [IN] = "calls_in_b"};

	*s = (struct sheet){.view = "methods", .rows = d->method_count, .cursor = d->method_count,
	    .figures = &d->figures, .model = d, .cell = file_cell};
	for (int i = 0; i < FILE_COLUMNS; i++) {
		struct sheet_column *c = &s->columns[s->column_count++];

		if (keys[i] != NULL)
			snprintf(c->key, sizeof(c->key), "%s", keys[i]);
		else
			pathdiff_key(d, "excl", pathdiff_parts[i - EXCLUSIVE], c->key);
	}
}

void
pathdiff_calls_csv(struct sink *sink, const struct pathdiff *d)
{
	struct sheet sheet;

	file_sheet(&sheet, d);
	table_sheet(sink, NULL, &sheet, NULL);
}

void
pathdiff_calls_json(struct sink *sink, const struct pathdiff *d)
{
	struct json json, *j = &json;
	struct sheet sheet;

	members_begin(j, sink, d->joined.trace);
	pathdiff_members(j, d);
	file_sheet(&sheet, d);
	table_sheet(sink, j, &sheet, "methods");
	members_end(j, sink);
}
