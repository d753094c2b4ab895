#include <config.h>

#include "report/text/rows.h"

#include <stdlib.h>

#include "base/mem.h"
#include "report/names.h"
#include "report/text/labels.h"

/* Names matched between two looks at the cancel flag. */
enum { CANCEL_NAMES = 256 };

/* False only with the error set. */
static bool
match(const struct pattern *pattern, struct str shown, struct str raw, bool *matches,
    struct err *e)
{
	enum pattern_result result = pattern_match(pattern, shown, NULL, NULL);

	if (result == PATTERN_NO)
		result = pattern_match(pattern, raw, NULL, NULL);
	*matches = result == PATTERN_MATCH;
	if (result == PATTERN_TOO_COSTLY)
		return err_set(e, ERR_LIMIT, "a pattern is too costly to match");
	return true;
}

bool
rows_pass(const struct report *r, struct str shown, struct str raw, bool *passes,
    struct err *e)
{
	const struct report_options *o = r->options;
	bool matches;

	*passes = true;
	for (size_t i = 0; i < o->filter_count && *passes; i++) {
		if (!match(o->filters[i].pattern, shown, raw, &matches, e))
			return false;
		*passes = matches != o->filters[i].exclude;
	}
	matches = o->method_count == 0;
	for (size_t i = 0; i < o->method_count && *passes && !matches; i++)
		if (!match(o->methods[i].pattern, shown, raw, &matches, e))
			return false;
	*passes = *passes && matches;
	return true;
}

static bool
rows_match(struct report *r, const atomic_bool *cancel, struct err *e)
{
	bool asked = r->options->filter_count + r->options->method_count > 0;
	bool good = true, passes = true;
	struct sbuf raw = {0};

	r->rows = mem_alloc(((size_t)r->fold->present + 1) * sizeof(*r->rows));
	for (uint32_t k = 0; k < r->fold->met_count && good; k++) {
		uint32_t i = r->fold->met[k];

		if (k % CANCEL_NAMES == 0 && cancel != NULL && atomic_load(cancel))
			good = err_set(e, ERR_CANCELLED, "interrupted");
		if (good && asked) {
			sbuf_clear(&raw);
			label_raw(&raw, r, i);
			good = rows_pass(r, label_shown(r, i), sbuf_view(&raw), &passes, e);
		}
		if (good && passes)
			r->rows[r->count++] = i;
	}
	sbuf_release(&raw);
	return good;
}

bool
rows_hidden(const struct report *r, uint8_t **hidden, const atomic_bool *cancel, struct err *e)
{
	uint32_t count = trace_method_count(r->trace);
	bool good = true, passes = false;
	struct sbuf raw = {0};

	*hidden = mem_zero(count + 1, 1);
	for (uint32_t i = 0; i < count && good; i++) {
		if (i % CANCEL_NAMES == 0 && cancel != NULL && atomic_load(cancel))
			good = err_set(e, ERR_CANCELLED, "interrupted");
		sbuf_clear(&raw);
		name_raw(&raw, r->trace, i);
		if (good)
			good = rows_pass(r, names_full(r->figures.names, i), sbuf_view(&raw), &passes, e);
		(*hidden)[i] = !passes;
	}
	sbuf_release(&raw);
	return good;
}

/* A row with what it is sorted by; columns are asked once for each. */
struct keyed {
	int64_t key;     /* of figures */
	struct str text; /* of texts */
	const struct report *r;
	uint32_t index;
	bool ascending;
};

static int
keyed_order(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order = (a->key > b->key) - (a->key < b->key);

	if (order == 0)
		order = str_compare(a->text, b->text);
	if (order != 0)
		return a->ascending ? order : -order;
	return label_order(a->r, a->index, b->index);
}

static struct keyed
keyed_make(const struct report *r, uint32_t method)
{
	struct row row = {ROW_METHOD, method, method, {0}};
	struct value value = column_get(&r->figures, r->options->sort, &row);
	struct keyed key = {.r = r, .index = method, .ascending = r->options->ascending};

	if (r->options->sort == COLUMN_METHOD)
		key.text = label_shown(r, method);
	else if (column_is_text(&column_table[r->options->sort]))
		key.text = value.text;
	else
		key.key = value_key(value);
	return key;
}

static void
rows_sort(struct report *r)
{
	struct keyed *keys = mem_alloc(((size_t)r->count + 1) * sizeof(*keys));

	for (uint32_t i = 0; i < r->count; i++)
		keys[i] = keyed_make(r, r->rows[i]);
	qsort(keys, r->count, sizeof(*keys), keyed_order);
	for (uint32_t i = 0; i < r->count; i++)
		r->rows[i] = keys[i].index;
	mem_free(keys);
}

void
rows_cut(struct report *r)
{
	r->matched = r->count;
	if (r->count > r->options->limit)
		r->count = r->options->limit;
}

bool
rows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	if (!rows_match(r, cancel, e))
		return false;
	rows_sort(r);
	rows_cut(r);
	return true;
}
