/* The order of a list of a comparison, and the room that its figures take (diff_list.h). */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/diff_list.h"

/* Small, since they are moved: figures, in rising order whatever order is wanted. */
struct keyed {
	int64_t key;
	uint32_t row;
};

static int
keyed_order(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static void
sort_figures(const struct diff_table *t, struct diff_list *l)
{
	struct keyed *keys = mem_alloc((l->at.count + 1) * sizeof(*keys));

	for (size_t i = 0; i < l->at.count; i++) {
		int64_t key = diff_column_key(t->sort, &t->diff.rows[l->rows[i]], &t->by);

		keys[i] = (struct keyed){t->rising ? key : ~key, l->rows[i]};
	}
	qsort(keys, l->at.count, sizeof(*keys), keyed_order);
	for (size_t i = 0; i < l->at.count; i++)
		l->rows[i] = keys[i].row;
	mem_free(keys);
}

struct named {
	struct str name;
	uint32_t row;
	bool rising;
};

static int
named_order(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = str_compare(a->name, b->name);

	if (order != 0)
		return a->rising ? order : -order;
	return (a->row > b->row) - (a->row < b->row);
}

static void
sort_names(const struct diff_table *t, struct diff_list *l)
{
	struct named *names = mem_alloc((l->at.count + 1) * sizeof(*names));

	for (size_t i = 0; i < l->at.count; i++)
		names[i] = (struct named){diff_table_raw(t, &t->diff.rows[l->rows[i]]),
		    l->rows[i], t->rising};
	qsort(names, l->at.count, sizeof(*names), named_order);
	for (size_t i = 0; i < l->at.count; i++)
		l->rows[i] = names[i].row;
	mem_free(names);
}

void
diff_list_sort(const struct diff_table *t, struct diff_list *l)
{
	if (t->sort == DIFF_COLUMN_METHOD)
		sort_names(t, l);
	else
		sort_figures(t, l);
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
	struct diff_row calls = {.sum = {{.method = 0}, {.method = 0}}};

	for (int c = 0; c < DIFF_COLUMNS; c++) {
		const struct diff_row *most = NULL;
		int64_t key = INT64_MIN;

		l->width[c] = diff_columns[c].width;
		if (c == DIFF_COLUMN_METHOD || c == DIFF_COLUMN_CALLS ||
		    !diff_table_visible(t, (enum diff_column)c, t->columns))
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
