// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "format/json/table.h"

#include "base/mem.h"

static const struct jscan_value null = {'0', STR("null")};

struct jcolumn
jcolumn_of(struct jscan_value array)
{
	return (struct jcolumn){
	    .j = jscan_inside(array.kind == '[' ? array.text : (struct str){"", 0}), .place = -1};
}

bool
jcolumn_open(struct jcolumn *c, struct str table, const char *name)
{
	const char *const names[] = {name, "schema", "data"};
	struct jscan_value v[3];

	(void)jscan_members(table, names, 3, v);
	*c = jcolumn_of(v[0]);
	if (v[0].kind == '[')
		return true;
	if (v[1].kind != '{' || v[2].kind != '[')
		return false;
	*c = jcolumn_of(v[2]);
	return jscan_scaled(jscan_find(v[1].text, name).text, 0, &c->place) && c->place >= 0;
}

bool
jcolumn_next(struct jcolumn *c, struct jscan_value *v)
{
	struct jscan row;

	if (jscan_value(&c->j, v) != JSCAN_TAKEN)
		return false;
	if (c->place < 0)
		return true;
	row = jscan_inside(v->text);
	for (int64_t i = 0; i <= c->place; i++) {
		if (jscan_value(&row, v) != JSCAN_TAKEN) {
			*v = null;
			break;
		}
	}
	return true;
}

uint32_t
jcell_index(const struct jscan_value *v)
{
	const char *end = v->text.p + v->text.n;
	uint64_t number;

	return v->kind == '0' && v->text.n > 0 && digits_take(v->text.p, end, 10, &number) == end &&
	    number < CELL_NONE ? (uint32_t)number : CELL_NONE;
}

uint32_t *
jcolumn_indexes(struct str table, const char *name, size_t *count)
{
	uint32_t *cells = NULL;
	struct jscan_value v;
	struct jcolumn c;
	size_t room = 0;

	*count = 0;
	if (!jcolumn_open(&c, table, name))
		return NULL;
	while (jcolumn_next(&c, &v))
		*MEM_ADD(cells, *count, room) = jcell_index(&v);
	return cells;
}

struct str *
jcolumn_texts(struct jscan_value array, size_t *count)
{
	struct jcolumn c = jcolumn_of(array);
	struct str *strings = NULL;
	struct jscan_value v;
	size_t room = 0;

	*count = 0;
	while (jcolumn_next(&c, &v))
		*MEM_ADD(strings, *count, room) = v.text;
	return strings;
}
