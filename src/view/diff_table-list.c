/* The order of a list of a comparison, and the room that its figures take (diff_list.h). */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/diff_list.h"

struct keyed {
	int64_t key;
	struct str name; /* of the order by names only */
	uint32_t row;
	bool rising;
};

static int
keyed_order(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order = (a->key > b->key) - (a->key < b->key);

	if (order == 0)
		order = str_compare(a->name, b->name);
	if (order != 0)
		return a->rising ? order : -order;
	return (a->row > b->row) - (a->row < b->row);
}

void
diff_list_sort(const struct diff_table *t, struct diff_list *l)
{
	struct keyed *keys = mem_alloc((l->at.count + 1) * sizeof(*keys));

	for (size_t i = 0; i < l->at.count; i++) {
		const struct diff_row *r = &t->diff.rows[l->rows[i]];

		keys[i] = (struct keyed){.key = diff_column_key(t->sort, r, &t->by),
		    .row = l->rows[i], .rising = t->rising};
		if (t->sort == DIFF_COLUMN_METHOD)
			keys[i].name = diff_table_raw(t, r);
	}
	qsort(keys, l->at.count, sizeof(*keys), keyed_order);
	for (size_t i = 0; i < l->at.count; i++)
		l->rows[i] = keys[i].row;
	mem_free(keys);
}

static int
text_width(const struct diff_table *t, int column, const struct diff_row *r)
{
	char text[FMT_SIZE];

	return (int)strlen(diff_column_text((enum diff_column)column, r, &t->by,
	    t->table->figures.auto_units, text));
}

/*
 * The widest text is that of the largest value, but for calls, which are two: those of
 * the largest of each side, and for units, where all look alike.
 */
void
diff_list_measure(const struct diff_table *t, struct diff_list *l)
{
	struct diff_row calls = {{{.method = 0}, {.method = 0}}};

	for (int c = 0; c < DIFF_COLUMNS; c++) {
		const struct diff_row *most = NULL;
		int64_t key = INT64_MIN;

		l->width[c] = diff_columns[c].width;
		if (c == DIFF_COLUMN_METHOD || c == DIFF_COLUMN_CALLS)
			continue;
		for (size_t i = 0; i < l->at.count; i++) {
			const struct diff_row *r = &t->diff.rows[l->rows[i]];
			int64_t k = diff_column_key((enum diff_column)c, r, &t->by);

			if (most == NULL || k > key) {
				most = r;
				key = k;
			}
		}
		if (most != NULL && text_width(t, c, most) > l->width[c])
			l->width[c] = text_width(t, c, most);
	}
	for (size_t i = 0; i < l->at.count; i++) {
		const struct diff_row *r = &t->diff.rows[l->rows[i]];

		for (int side = 0; side < DIFF_SIDES; side++)
			if (r->sum[side].calls > calls.sum[side].calls)
				calls.sum[side].calls = r->sum[side].calls;
	}
	if (text_width(t, DIFF_COLUMN_CALLS, &calls) > l->width[DIFF_COLUMN_CALLS])
		l->width[DIFF_COLUMN_CALLS] = text_width(t, DIFF_COLUMN_CALLS, &calls);
}
