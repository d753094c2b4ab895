#include <config.h>

#include "report/rows.h"

#include <stdlib.h>

#include "base/mem.h"
#include "report/names.h"

/* Names matched between two looks at the cancel flag. */
enum { CANCEL_NAMES = 256 };

struct matching {
	struct report *r;
	struct sbuf raw; /* the name of the method at hand, in the file's bytes */
	struct str shown;
	struct err *e;
};

/* False only with the error set. */
static bool
match(struct matching *m, const struct pattern *pattern, bool *matches)
{
	enum pattern_result result = pattern_match(pattern, m->shown, NULL, NULL);

	if (result == PATTERN_NO)
		result = pattern_match(pattern, sbuf_view(&m->raw), NULL, NULL);
	*matches = result == PATTERN_MATCH;
	if (result == PATTERN_TOO_COSTLY)
		return err_set(m->e, ERR_LIMIT, "a pattern is too costly to match");
	return true;
}

static bool
method_passes(struct matching *m, uint32_t method, bool *passes)
{
	const struct report_options *o = m->r->options;
	bool matches;

	*passes = true;
	if (o->filter_count == 0 && o->method_count == 0)
		return true;
	m->shown = names_full(m->r->figures.names, method);
	sbuf_clear(&m->raw);
	name_raw(&m->raw, m->r->trace, method);

	for (size_t i = 0; i < o->filter_count && *passes; i++) {
		if (!match(m, o->filters[i].pattern, &matches))
			return false;
		*passes = matches != o->filters[i].exclude;
	}
	matches = o->method_count == 0;
	for (size_t i = 0; i < o->method_count && *passes && !matches; i++)
		if (!match(m, o->methods[i].pattern, &matches))
			return false;
	*passes = *passes && matches;
	return true;
}

static bool
rows_match(struct report *r, const atomic_bool *cancel, struct err *e)
{
	struct matching m = {.r = r, .e = e};
	bool good = true, passes = false;

	r->rows = mem_alloc(((size_t)r->fold->present + 1) * sizeof(*r->rows));
	for (uint32_t i = 0; i < r->fold->method_count && good; i++) {
		if (!r->fold->methods[i].present)
			continue;
		if (i % CANCEL_NAMES == 0 && cancel != NULL && atomic_load(cancel))
			good = err_set(e, ERR_CANCELLED, "interrupted");
		else
			good = method_passes(&m, i, &passes);
		if (good && passes)
			r->rows[r->count++] = i;
	}
	sbuf_release(&m.raw);
	return good;
}

/* A row with what it is sorted by; columns are asked once for each. */
struct keyed {
	int64_t key;     /* of figures */
	struct str text; /* of texts */
	const struct method *method;
	uint32_t index;
	bool rising;
};

static int
keyed_order(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order = (a->key > b->key) - (a->key < b->key);

	if (order == 0)
		order = str_compare(a->text, b->text);
	if (order != 0)
		return a->rising ? order : -order;
	if ((a->index == METHOD_TOPLEVEL) != (b->index == METHOD_TOPLEVEL))
		return a->index == METHOD_TOPLEVEL ? -1 : 1;
	order = method_compare(a->method, b->method);
	return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static struct keyed
keyed_make(const struct report *r, uint32_t method)
{
	struct row row = {ROW_METHOD, method, method, {0}};
	struct value value = column_get(&r->figures, r->options->sort, &row);
	struct keyed key = {0};

	if (column_table[r->options->sort].is_text)
		key.text = value.text;
	else
		key.key = value_key(value);
	key.method = trace_method(r->trace, method);
	key.index = method;
	key.rising = r->options->rising;
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

bool
rows_choose(struct report *r, const atomic_bool *cancel, struct err *e)
{
	if (!rows_match(r, cancel, e))
		return false;
	rows_sort(r);
	r->matched = r->count;
	if (r->count > r->options->limit)
		r->count = r->options->limit;
	return true;
}
