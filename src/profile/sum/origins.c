// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/sum/origins.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/sbuf.h"

const char *const origin_words[DIFF_WHYS] = {[DIFF_SAME_NAME] = "", [DIFF_BY_FAMILY] = "family",
    [DIFF_BY_MAPPING] = "mapping", [DIFF_BY_RENAME] = "rename", [DIFF_MOVED] = "moved"};

/* Pairs ------------------------------------------------------------------------------ */

/* The method with its names in the file. */
static struct method
as_in_file(const struct method *m)
{
	struct method file = {.id = m->id, .known = m->known, .class_name = m->class_name,
	    .name = m->name, .signature = m->signature};

	if (m->was != NULL) {
		file.class_name = m->was->class_name;
		file.name = m->was->name;
		file.signature = m->was->signature;
	}
	return file;
}

static bool
was_renamed(const struct method *m, unsigned by)
{
	return m->was != NULL && (m->was->by & by) != 0;
}

static void
pair_note(struct diff_row *r, const struct method *a, const struct method *b)
{
	struct method was = as_in_file(a), is = as_in_file(b);

	if (r->why != DIFF_SAME_NAME)
		return;
	if (was_renamed(a, RENAMED_BY_PREFIX))
		r->why = DIFF_BY_RENAME;
	else if (was_renamed(a, RENAMED_BY_MAPPING) && method_compare(&was, &is) != 0)
		r->why = DIFF_BY_MAPPING;
}

/* Names unknown ---------------------------------------------------------------------- */

/* Class, or class and name, of the file. */
static struct str
file_key(struct sbuf *out, const struct method *m, bool with_name)
{
	struct method file = as_in_file(m);

	sbuf_clear(out);
	sbuf_str(out, file.class_name);
	for (size_t i = 0; i < out->n; i++)
		if (out->p[i] == '/')
			out->p[i] = '.';
	if (with_name) {
		sbuf_char(out, '\0');
		sbuf_str(out, file.name);
	}
	return sbuf_view(out);
}

/* Names that a mapping restored: of classes by those that they have in the file, else of methods. */
static void
restored_find(struct intern *found, const struct trace *t)
{
	struct sbuf key = {0};

	for (uint32_t i = METHOD_TOPLEVEL + 1; i < trace_method_count(t); i++) {
		const struct method *m = trace_method(t, i);

		if (was_renamed(m, RENAMED_BY_MAPPING))
			intern_add(found,
			    file_key(&key, m, str_equal(m->was->class_name, m->class_name)), 0);
	}
	sbuf_release(&key);
}

static bool
is_unknown(const struct intern *restored, const struct method *m, struct sbuf *key)
{
	return restored->count > 0 && m->known && !was_renamed(m, RENAMED_BY_MAPPING) &&
	    (intern_find(restored, file_key(key, m, false), 0) != IDMAP_NONE ||
		intern_find(restored, file_key(key, m, true), 0) != IDMAP_NONE);
}

/* Moved methods ---------------------------------------------------------------------- */

/* Rows of one side only with a name and signature. */
struct moved_rows {
	uint32_t count[DIFF_SIDES], row[DIFF_SIDES];
};

static void
moved_note(struct diff *d, const struct trace *const traces[DIFF_SIDES])
{
	struct moved_rows *all = NULL;
	struct intern names = {.owns = true};
	struct sbuf key = {0};
	size_t room = 0;

	for (uint32_t i = 0; i < d->count; i++) {
		const struct diff_row *r = &d->rows[i];
		int side = diff_only_in(r);
		const struct method *m;
		uint32_t at;

		if (side == DIFF_SIDES || r->unknown)
			continue;
		m = trace_method(traces[side], r->sum[side].method);
		if (!m->known || m->word != NULL || m->class_name.n == 0)
			continue;
		sbuf_clear(&key);
		sbuf_str(&key, m->name);
		sbuf_char(&key, '\0');
		sbuf_str(&key, m->signature);
		at = intern_add(&names, sbuf_view(&key), m->async);
		MEM_GROW_ZERO(all, room, (size_t)at + 1);
		all[at].count[side]++;
		all[at].row[side] = i;
	}
	for (size_t i = 0; i < names.count; i++) {
		if (all[i].count[DIFF_A] != 1 || all[i].count[DIFF_B] != 1)
			continue;
		for (int side = 0; side < DIFF_SIDES; side++) {
			const struct diff_row *other = &d->rows[all[i].row[!side]];

			d->rows[all[i].row[side]].why = DIFF_MOVED;
			d->rows[all[i].row[side]].moved = other->sum[!side].method;
		}
	}
	sbuf_release(&key);
	intern_release(&names);
	mem_free(all);
}

void
origins_note(struct diff *d, const struct trace *const traces[DIFF_SIDES])
{
	struct intern restored[DIFF_SIDES] = {{.owns = true}, {.owns = true}};
	struct sbuf key = {0};

	for (int side = 0; side < DIFF_SIDES; side++)
		restored_find(&restored[side], traces[side]);
	for (uint32_t i = 0; i < d->count; i++) {
		struct diff_row *r = &d->rows[i];
		int side = diff_only_in(r);

		if (side == DIFF_SIDES)
			pair_note(r, trace_method(traces[DIFF_A], r->sum[DIFF_A].method),
			    trace_method(traces[DIFF_B], r->sum[DIFF_B].method));
		else
			r->unknown = is_unknown(&restored[!side],
			    trace_method(traces[side], r->sum[side].method), &key);
	}
	moved_note(d, traces);
	for (int side = 0; side < DIFF_SIDES; side++)
		intern_release(&restored[side]);
	sbuf_release(&key);
}

int
origin_find(const struct diff_row *r, const struct trace *const traces[DIFF_SIDES], struct method *found)
{
	int only = diff_only_in(r), side = only < DIFF_SIDES ? !only : DIFF_A;
	const struct method *m;

	if (r->why == DIFF_SAME_NAME)
		return DIFF_SIDES;
	m = trace_method(traces[side], r->why == DIFF_MOVED ? r->moved : r->sum[side].method);
	*found = (struct method){.id = m->id, .known = m->known, .class_name = m->class_name,
	    .name = m->name, .signature = m->signature};
	if (r->why == DIFF_BY_MAPPING || r->why == DIFF_BY_RENAME)
		*found = as_in_file(m);
	return side;
}
