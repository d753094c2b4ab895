#include <config.h>

#include "view/info_sheet.h"

enum { SECTION, NAME, VALUE };

static bool
is_value(const struct info_row *row)
{
	return row->kind != INFO_HEADING && row->kind != INFO_BLANK;
}

/* The row of the sheet as one of the info; rows are asked for one after the other. */
static size_t
row_at(const struct info *i, size_t at)
{
	size_t row = 0;

	for (; row < i->count; row++)
		if (is_value(&i->rows[row]) && at-- == 0)
			break;
	return row;
}

static struct str
section_of(const struct info *i, size_t row)
{
	while (row > 0 && i->rows[row].kind != INFO_HEADING)
		row--;
	return i->rows[row].kind == INFO_HEADING ? i->rows[row].name : STR("");
}

static struct value
cell(const struct sheet *s, size_t at, int column, bool raw)
{
	const struct info *i = s->model;
	size_t row = row_at(i, at);
	struct str text = STR("");

	(void)raw;
	if (row < i->count)
		text = column == SECTION ? section_of(i, row)
		    : column == NAME	 ? i->rows[row].name
					 : i->rows[row].value;
	return (struct value){.kind = VALUE_TEXT, .text = text};
}

void
info_sheet(struct sheet *s, const struct info *i, const struct figures *f, const char *view)
{
	*s = (struct sheet){.view = view, .figures = f, .model = i, .cell = cell};
	for (size_t row = 0; row < i->count; row++)
		s->rows += is_value(&i->rows[row]);
	s->cursor = s->rows;
	sheet_add(s, "section", "Section", VALUE_TEXT);
	sheet_add(s, "name", "Name", VALUE_TEXT);
	sheet_add(s, "value", "Value", VALUE_TEXT);
}
