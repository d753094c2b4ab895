// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/names/overloads.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"

enum {
	PARAMETERS_MAX = 255, /* of a method, and dimensions of an array: JVM specification 4.3 */
	PART_MAX = 8192,      /* as in method_full_name */
	ROUNDS = 4            /* each of them tells more apart */
};

void
overloads_release(struct overloads *o)
{
	mem_free(o->of);
	mem_free(o->buckets);
	*o = (struct overloads){0};
}

/* Java ---------------------------------------------------------------------------------- */

static bool
in_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || c >= 0x80;
}

/* `Map$Entry` is Map.Entry; `Feed$1` and `Feed$$Lambda$2` have no such names. */
void
java_class_dots(char *name, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool inner = name[i] == '$' && i > 0 && i + 1 < n &&
		    in_word((unsigned char)name[i - 1]) && name[i + 1] >= 'A' && name[i + 1] <= 'Z';

		if (name[i] == '/' || inner)
			name[i] = '.';
	}
}

static void
put_class(struct sbuf *out, struct str name, bool packages)
{
	size_t from = name.n, at = out->n;

	while (!packages && from > 0 && name.p[from - 1] != '/' && name.p[from - 1] != '.')
		from--;
	from = packages ? 0 : from;
	sbuf_bytes(out, name.p + from, name.n - from);
	java_class_dots(out->p + at, out->n - at);
}

/* One type, or nothing: what is left is no signature. */
static bool
put_type(struct sbuf *out, struct str *rest, bool packages)
{
	static const char letters[] = "BCDFIJSZV";
	static const char *const words[] = {"byte", "char", "double", "float", "int", "long",
	    "short", "boolean", "void"};
	size_t dimensions = 0, n = 1;
	const char *letter;

	while (dimensions < rest->n && rest->p[dimensions] == '[')
		dimensions++;
	if (dimensions == rest->n || dimensions > PARAMETERS_MAX)
		return false;
	*rest = (struct str){rest->p + dimensions, rest->n - dimensions};
	letter = memchr(letters, rest->p[0], sizeof(letters) - 1);
	if (letter != NULL && *letter == 'V' && dimensions > 0)
		return false;
	if (letter != NULL) {
		sbuf_text(out, words[letter - letters]);
	} else {
		while (n < rest->n && memchr(";[()", rest->p[n], 4) == NULL)
			n++;
		if (rest->p[0] != 'L' || n == 1 || n == rest->n || rest->p[n] != ';')
			return false;
		put_class(out, (struct str){rest->p + 1, n - 1}, packages);
		n++;
	}
	*rest = (struct str){rest->p + n, rest->n - n};
	while (dimensions-- > 0)
		sbuf_text(out, "[]");
	return true;
}

static bool
put_types(struct sbuf *out, struct str rest, unsigned style)
{
	bool packages = (style & OVERLOAD_PACKAGES) != 0;
	size_t before;

	if (rest.n == 0 || rest.p[0] != '(')
		return false;
	rest = (struct str){rest.p + 1, rest.n - 1};
	sbuf_char(out, '(');
	for (int i = 0; rest.n > 0 && rest.p[0] != ')'; i++) {
		if (i > 0)
			sbuf_text(out, ", ");
		if (i == PARAMETERS_MAX || rest.p[0] == 'V' || !put_type(out, &rest, packages))
			return false;
	}
	if (rest.n == 0)
		return false;
	rest = (struct str){rest.p + 1, rest.n - 1};
	sbuf_char(out, ')');
	before = out->n;
	sbuf_text(out, ": ");
	if (!put_type(out, &rest, packages) || rest.n > 0)
		return false;
	if ((style & OVERLOAD_RETURN) == 0)
		out->n = before;
	return true;
}

void
java_types(struct sbuf *out, struct str signature, unsigned style)
{
	size_t before = out->n;

	signature = str_head(signature, PART_MAX);
	if ((style & OVERLOAD_RECORDED) == 0 && put_types(out, signature, style))
		return;
	out->n = before;
	sbuf_str(out, signature);
}

/* Groups -------------------------------------------------------------------------------- */

/*
 * Adds a text, with all that may become a dot alike.  Names come from the file: the seed keeps it
 * from choosing their buckets.
 */
static uint64_t
add_text(uint64_t hash, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i] == '/' || s.p[i] == '$' ? '.' : s.p[i];

		hash = (hash ^ (unsigned char)c) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	return hash * 0x9e3779b97f4a7c15u;
}

/* Puts the methods into buckets, and forgets what was decided. */
static void
sort_out(struct overloads *o, const struct trace *t, uint32_t count, uint32_t renamed)
{
	uint32_t buckets = 1;
	uint64_t seed;

	while (buckets < count && buckets < 1u << 31)
		buckets *= 2;
	overloads_release(o);
	*o = (struct overloads){mem_zero(count, sizeof *o->of),
	    mem_zero(buckets, sizeof *o->buckets), buckets - 1, count, renamed};
	seed = (uint64_t)(uintptr_t)o->of ^ (uint64_t)(uintptr_t)&seed << 20;
	for (uint32_t i = METHOD_TOPLEVEL + 1; i < count; i++) {
		const struct method *m = trace_method(t, i);
		uint32_t *newest, hash;

		if (!m->known)
			continue;
		hash = (uint32_t)(add_text(add_text(seed, str_head(m->class_name, PART_MAX)),
		    str_head(m->name, PART_MAX)) >> 32);
		newest = &o->buckets[hash & o->mask];
		o->of[i].hash = hash;
		o->of[i].bucket_next = *newest;
		*newest = i;
	}
}

static bool
same_class(struct str a, struct str b, struct sbuf *dots)
{
	if (str_equal(a, b))
		return true;
	if (a.n != b.n)
		return false;
	sbuf_clear(dots);
	sbuf_str(dots, a);
	sbuf_str(dots, b);
	java_class_dots(dots->p, a.n);
	java_class_dots(dots->p + a.n, b.n);
	return memcmp(dots->p, dots->p + a.n, a.n) == 0;
}

/* Links those that share class and name with the method; false when it is the only one. */
static bool
group(struct overloads *o, const struct trace *t, uint32_t method)
{
	const struct method *one = trace_method(t, method);
	struct sbuf dots = {0};
	uint32_t last = method;

	if (!one->known)
		return false;
	for (uint32_t i = o->buckets[o->of[method].hash & o->mask]; i != 0; i = o->of[i].bucket_next) {
		const struct method *m = trace_method(t, i);

		if (i != method && o->of[i].hash == o->of[method].hash &&
		    str_equal(str_head(m->name, PART_MAX), str_head(one->name, PART_MAX)) &&
		    same_class(str_head(m->class_name, PART_MAX),
			str_head(one->class_name, PART_MAX), &dots)) {
			o->of[last].next = i;
			last = i;
		}
	}
	o->of[last].next = method;
	sbuf_release(&dots);
	return last != method;
}

static struct str
parameters(const struct method *m)
{
	const char *end = m->signature.n > 0 ? memchr(m->signature.p, ')', m->signature.n) : NULL;

	return (struct str){m->signature.p, end != NULL ? (size_t)(end - m->signature.p) : 0};
}

/* More of what tells two methods apart that look the same. */
static void
tell_apart(struct overloads *o, const struct trace *t, uint32_t a, uint32_t b)
{
	unsigned both = o->of[a].style & o->of[b].style, more;

	if ((both & OVERLOAD_RETURN) == 0 &&
	    str_equal(parameters(trace_method(t, a)), parameters(trace_method(t, b))))
		more = OVERLOAD_RETURN;
	else
		more = (both & OVERLOAD_PACKAGES) == 0 ? OVERLOAD_PACKAGES : OVERLOAD_RECORDED;
	o->of[a].style |= (uint8_t)more;
	o->of[b].style |= (uint8_t)more;
}

/* One look at what all of a group look like; true when no two looked the same. */
static bool
compare(struct overloads *o, const struct trace *t, uint32_t first)
{
	struct intern texts = {.owns = true};
	struct sbuf text = {0};
	uint32_t *by_text = NULL, i = first;
	size_t room = 0, count = 0;
	bool distinct = true;

	do {
		const struct method *m = trace_method(t, i);
		uint32_t at;

		sbuf_clear(&text);
		java_types(&text, m->signature, o->of[i].style);
		at = intern_add(&texts, sbuf_view(&text), 0);
		if (at == count) {
			*MEM_ADD(by_text, count, room) = i;
		} else if (!str_equal(m->signature, trace_method(t, by_text[at])->signature)) {
			distinct = false;
			tell_apart(o, t, by_text[at], i);
		}
		i = o->of[i].next;
	} while (i != first);
	intern_release(&texts);
	sbuf_release(&text);
	mem_free(by_text);
	return distinct;
}

static void
set_style(struct overloads *o, uint32_t first, unsigned style)
{
	uint32_t i = first;

	do {
		o->of[i].style = (uint8_t)style;
		i = o->of[i].next;
	} while (i != first);
}

/* Bounded, as all that depends on a file is: what is the same after the rounds stays recorded. */
static void
decide(struct overloads *o, const struct trace *t, uint32_t first)
{
	const struct method *one = trace_method(t, first);
	bool classes = false, distinct = true;

	for (uint32_t i = o->of[first].next; i != first; i = o->of[i].next) {
		const struct method *m = trace_method(t, i);

		classes |= !str_equal(m->class_name, one->class_name);
		distinct &= str_equal(m->signature, one->signature);
	}
	set_style(o, first, OVERLOAD_KNOWN | (distinct ? 0 : OVERLOAD_TYPES));
	for (int round = 0; round < ROUNDS && !distinct && !classes; round++)
		distinct = compare(o, t, first);
	/* And a.B$C from a.B.C, which is too rare for better. */
	if (classes || !distinct)
		set_style(o, first, OVERLOAD_KNOWN | OVERLOAD_TYPES | OVERLOAD_RECORDED);
}

unsigned
overloads_style(struct overloads *o, const struct trace *t, uint32_t method)
{
	uint32_t count = atomic_load_explicit(&t->methods_known, memory_order_acquire);
	uint32_t renamed = atomic_load_explicit(&t->renamed, memory_order_acquire);

	/* Most files name all methods at once. */
	if (o->count != count || o->renamed != renamed)
		sort_out(o, t, count, renamed);
	if (method >= count)
		return OVERLOAD_KNOWN;
	if (o->of[method].style == 0) {
		if (group(o, t, method))
			decide(o, t, method);
		else
			o->of[method].style = OVERLOAD_KNOWN;
	}
	return o->of[method].style;
}
