// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "trace/renames.h"

#include <string.h>

#include "base/compat.h"
#include "base/mem.h"
#include "base/sbuf.h"

enum { MADE_MAX = 256 << 20 }; /* bytes of new names; what comes then stays as it is */

bool
renames_add(struct renames *r, const char *text, struct err *why)
{
	struct str to = str_from(text), from = str_cut(&to, '=');
	size_t at = r->count;

	if (from.n == 0 || to.p == NULL || to.n == 0)
		return err_set(why, ERR_MALFORMED, "expected OLD=NEW, as com.old.feed=com.example.feed");
	MEM_GROW(r->list, r->room, r->count + 1);
	for (; at > 0 && r->list[at - 1].from.n < from.n; at--)
		r->list[at] = r->list[at - 1];
	r->list[at] = (struct rename_prefix){.from = from, .to = to, .text = text};
	r->count++;
	return true;
}

void
renames_release(struct renames *r)
{
	mem_free(r->list);
	*r = (struct renames){.list = NULL};
}

struct prefix_renamer {
	struct renamer renamer; /* first: what the trace holds */
	const struct renames *renames;
	struct arena made;
	struct sbuf name, text, signature; /* of the present method */
};

static bool
ends_part(char c)
{
	return c == '.' || c == '/' || c == '$' || c == '(';
}

static char
dotted(char c)
{
	return c == '/' ? '.' : c;
}

static bool
begins_with(struct str name, struct str prefix)
{
	if (name.n < prefix.n)
		return false;
	for (size_t i = 0; i < prefix.n; i++)
		if (dotted(name.p[i]) != dotted(prefix.p[i]))
			return false;
	return name.n == prefix.n || ends_part(name.p[prefix.n]) || ends_part(prefix.p[prefix.n - 1]);
}

static struct rename_prefix *
prefix_find(const struct renames *r, struct str name)
{
	for (size_t i = 0; i < r->count; i++) {
		if (begins_with(name, r->list[i].from)) {
			r->list[i].used = true;
			return &r->list[i];
		}
	}
	return NULL;
}

/* Appends a text with `to` between its parts. */
static void
put_parts(struct sbuf *out, struct str text, char to)
{
	for (size_t i = 0; i < text.n; i++)
		sbuf_char(out, dotted(text.p[i]) == '.' ? to : text.p[i]);
}

/* Renames classes between `L` and `;`; false when there are none. */
static bool
signature_rename(struct prefix_renamer *r, struct str text)
{
	struct sbuf *out = &r->signature;
	bool found = false;

	sbuf_clear(out);
	while (text.n > 0) {
		const char *end = *text.p == 'L' ? memchr(text.p, ';', text.n) : NULL;
		struct str class_name = {text.p + 1, end != NULL ? (size_t)(end - text.p) - 1 : 0};
		const struct rename_prefix *p = end != NULL ? prefix_find(r->renames, class_name) : NULL;
		size_t n = end != NULL ? class_name.n + 1 : 1; /* without the end */

		if (p != NULL) {
			sbuf_char(out, 'L');
			put_parts(out, p->to, '/');
			sbuf_bytes(out, class_name.p + p->from.n, class_name.n - p->from.n);
			found = true;
		} else {
			sbuf_bytes(out, text.p, n);
		}
		text = (struct str){text.p + n, text.n - n};
	}
	return found;
}

/* Gives class and name the text, which begins with a prefix's new part. */
static void
name_put(struct method *m, struct str text, const struct rename_prefix *p)
{
	const char *dot;

	if (m->class_name.n == 0) {
		m->name = text;
	} else if (p->from.n <= m->class_name.n) {
		m->class_name = (struct str){text.p, text.n - m->name.n - 1};
	} else { /* a method, or part of its name, has another class */
		dot = memrchr(text.p, '.', p->to.n);
		m->class_name = dot != NULL ? (struct str){text.p, (size_t)(dot - text.p)} : STR("");
		m->name = dot != NULL ? (struct str){dot + 1, text.n - m->class_name.n - 1} : text;
	}
}

static void
prefix_rename(struct renamer *renamer, struct method *m)
{
	struct prefix_renamer *r = (struct prefix_renamer *)renamer;
	const struct rename_prefix *p;
	struct sbuf *name = &r->name, *made = &r->text;
	bool slashes = m->class_name.n > 0 && memchr(m->class_name.p, '/', m->class_name.n) != NULL;

	if (r->made.total > MADE_MAX)
		return;
	if (signature_rename(r, m->signature))
		m->signature = arena_str(&r->made, sbuf_view(&r->signature));
	sbuf_clear(name);
	sbuf_clear(made);
	sbuf_str(name, m->class_name);
	if (m->class_name.n > 0)
		sbuf_char(name, '.');
	sbuf_str(name, m->name);
	p = prefix_find(r->renames, sbuf_view(name));
	if (p == NULL)
		return;
	if (slashes && p->from.n <= m->class_name.n)
		put_parts(made, p->to, '/');
	else
		sbuf_str(made, p->to);
	sbuf_bytes(made, name->p + p->from.n, name->n - p->from.n);
	name_put(m, arena_str(&r->made, sbuf_view(made)), p);
}

static void
prefix_release(struct renamer *renamer)
{
	struct prefix_renamer *r = (struct prefix_renamer *)renamer;

	arena_release(&r->made);
	sbuf_release(&r->name);
	sbuf_release(&r->text);
	sbuf_release(&r->signature);
	mem_free(r);
}

void
renames_apply(const struct renames *renames, struct trace *t)
{
	struct prefix_renamer *r = mem_zero(1, sizeof(*r));

	r->renamer = (struct renamer){prefix_rename, prefix_release, RENAMED_BY_PREFIX, NULL};
	r->renames = renames;
	trace_rename(t, &r->renamer);
}
