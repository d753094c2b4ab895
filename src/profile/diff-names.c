/* Which methods of two traces have the same names (diff.h). */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "profile/diff.h"

/* Kinds of names: what is named alike and is of another kind is another method. */
enum { KIND_NAMED, KIND_ASYNC, KIND_ID, KIND_WORD };

static void
part(struct sbuf *out, struct str text)
{
	sbuf_number(out, (int64_t)text.n, 0);
	sbuf_char(out, ':');
	sbuf_str(out, text);
}

/* Equal for methods with equal names; returns its kind. */
static uint64_t
name_of(struct sbuf *out, const struct method *m)
{
	size_t begin;

	sbuf_clear(out);
	if (m->word != NULL) {
		sbuf_text(out, m->word);
		sbuf_str(out, m->name);
		return KIND_WORD;
	}
	if (!m->known) {
		sbuf_printf(out, "%" PRIx64, m->id);
		return KIND_ID;
	}
	begin = out->n;
	part(out, m->class_name);
	for (size_t i = begin; i < out->n; i++)
		if (out->p[i] == '/')
			out->p[i] = '.';
	part(out, m->name);
	part(out, m->signature);
	return m->async ? KIND_ASYNC : KIND_NAMED;
}

/* The number of each method's name; (toplevel), which is apart, has none. */
static uint32_t *
number_names(const struct trace *t, uint32_t count, struct intern *names, struct arena *texts)
{
	uint32_t *keys = mem_alloc(((size_t)count + 1) * sizeof(*keys));
	struct sbuf name = {0};

	for (uint32_t m = METHOD_TOPLEVEL + 1; m < count; m++) {
		uint64_t kind = name_of(&name, trace_method(t, m));
		struct str text = sbuf_view(&name);
		size_t before = names->count;

		keys[m] = intern_add(names, text, kind);
		if (names->count > before)
			names->items[keys[m]].text = arena_str(texts, text);
	}
	sbuf_release(&name);
	return keys;
}

/* Methods in the order of their names, of one name in that of their rows. */
static void
sort_side(struct diff_names *n, int side, const uint32_t *keys)
{
	uint32_t count = n->known[side];
	uint32_t *first = mem_zero((size_t)n->count + 2, sizeof(*first));
	uint32_t *methods = mem_alloc(((size_t)count + 1) * sizeof(*methods));

	for (uint32_t m = METHOD_TOPLEVEL + 1; m < count; m++)
		first[keys[m] + 2]++;
	for (uint32_t k = 1; k < n->count; k++)
		first[k + 1] += first[k];
	for (uint32_t m = METHOD_TOPLEVEL + 1; m < count; m++)
		methods[first[keys[m] + 1]++] = m;
	n->first[side] = first;
	n->methods[side] = methods;
}

void
diff_names_update(struct diff_names *n, const struct trace *a, const struct trace *b)
{
	const struct trace *traces[DIFF_SIDES] = {a, b};
	struct intern names = {0};
	struct arena texts = {0};
	uint32_t *keys[DIFF_SIDES];
	bool same = true;

	for (int side = 0; side < DIFF_SIDES; side++)
		same &= n->trace[side] == traces[side] &&
		    n->known[side] == trace_method_count(traces[side]) &&
		    n->renamed[side] == atomic_load(&traces[side]->renamed);
	if (same)
		return;
	diff_names_release(n);
	for (int side = 0; side < DIFF_SIDES; side++) {
		n->trace[side] = traces[side];
		n->renamed[side] = atomic_load(&traces[side]->renamed);
		n->known[side] = trace_method_count(traces[side]);
		keys[side] = number_names(traces[side], n->known[side], &names, &texts);
	}
	n->count = (uint32_t)names.count;
	for (int side = 0; side < DIFF_SIDES; side++) {
		sort_side(n, side, keys[side]);
		mem_free(keys[side]);
	}
	intern_release(&names);
	arena_release(&texts);
}

void
diff_names_release(struct diff_names *n)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		mem_free(n->first[side]);
		mem_free(n->methods[side]);
	}
	*n = (struct diff_names){.count = 0};
}
