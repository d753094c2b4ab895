// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "trace/folded.h"

#include <string.h>

#include "base/compat.h"
#include "base/mem.h"

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_word(char c)
{
	return is_digit(c) || is_letter(c) || c == '_' || (c & 0x80) != 0;
}

static size_t
run(struct str s, size_t at, bool (*is)(char))
{
	size_t from = at;

	while (at < s.n && is(s.p[at]))
		at++;
	return at - from;
}

/* Numbers --------------------------------------------------------------------------- */

static const struct str units[] = {STR("s"), STR("ms"), STR("us"), STR("ns"), STR("Bytes"),
	STR("bytes"), STR("KB"), STR("kB"), STR("MB"), STR("Hz"), STR("fps"), STR("%")};

/* Returns the length of a unit that ends its word there; 0: none. */
static size_t
unit_at(struct str s, size_t at)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t end = at + units[i].n;

		if (end <= s.n && memcmp(s.p + at, units[i].p, units[i].n) == 0 &&
		    (end == s.n || !is_word(s.p[end])))
			return units[i].n;
	}
	return 0;
}

/* 8-4-4-4-12 hexadecimal digits. */
static size_t
uuid_at(struct str s, size_t at)
{
	static const unsigned parts[] = {8, 4, 4, 4, 12};
	size_t end = at;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (i > 0 && (end >= s.n || s.p[end++] != '-'))
			return 0;
		if (run(s, end, is_hex) < parts[i])
			return 0;
		end += parts[i];
	}
	return end < s.n && is_word(s.p[end]) ? 0 : end - at;
}

/* "0x1f", or a word of eight hexadecimal digits and more with both kinds of them. */
static size_t
hex_at(struct str s, size_t at)
{
	size_t n = run(s, at, is_word), digits = 0;

	if (n > 2 && s.p[at] == '0' && (s.p[at + 1] == 'x' || s.p[at + 1] == 'X'))
		return run(s, at + 2, is_hex) == n - 2 ? n : 0;
	if (n < 8 || run(s, at, is_hex) != n)
		return 0;
	for (size_t i = 0; i < n; i++)
		digits += is_digit(s.p[at + i]);
	return digits > 0 && digits < n ? n : 0;
}

/* A whole number, or one with decimals and its unit, which stays. */
static size_t
number_at(struct str s, size_t at)
{
	size_t n = run(s, at, is_digit), end = at + n, decimals;

	if (n == 0)
		return 0;
	if (end < s.n && s.p[end] == '.' && (decimals = run(s, end + 1, is_digit)) > 0)
		return unit_at(s, end + 1 + decimals) > 0 ? n + 1 + decimals : 0;
	return end == s.n || !is_word(s.p[end]) || unit_at(s, end) > 0 ? n : 0;
}

struct numbers {
	struct sbuf *out;
	size_t mark; /* where the last '#' of a number is, + 1; 0: none */
};

/* Numbers with nothing but blanks and commas between them are one. */
static void
number_put(struct numbers *f)
{
	size_t n = f->out->n;

	while (f->mark > 0 && n > f->mark && (f->out->p[n - 1] == ' ' || f->out->p[n - 1] == ','))
		n--;
	if (f->mark > 0 && n == f->mark)
		sbuf_cut(f->out, n);
	else
		sbuf_char(f->out, '#');
	f->mark = f->out->n;
}

/* Drops a sign that is part of a number: "#45", "-5". */
static void
sign_drop(struct numbers *f)
{
	static const char signs[] = {'-', '#'};

	for (size_t i = 0; i < sizeof(signs); i++)
		if (f->out->n > f->mark && f->out->p[f->out->n - 1] == signs[i])
			sbuf_cut(f->out, f->out->n - 1);
}

static void
numbers_fold(struct numbers *f, struct str s)
{
	for (size_t i = 0; i < s.n;) {
		const char before = i > 0 ? s.p[i - 1] : ' ';
		const bool begins = !is_word(before) && before != '$';
		size_t n = begins ? uuid_at(s, i) : 0;

		if (n == 0 && begins)
			n = hex_at(s, i);
		if (n == 0 && begins && before != '.' && (n = number_at(s, i)) > 0)
			sign_drop(f);
		if (n > 0) {
			number_put(f);
			i += n;
			continue;
		}
		/* The rest of a word goes at once: no number begins in it. */
		n = is_word(s.p[i]) ? run(s, i, is_word) : 1;
		sbuf_str(f->out, (struct str){s.p + i, n});
		i += n;
	}
}

/* Signatures of C++ ----------------------------------------------------------------- */

/* The parenthesis of the parameters; s.n: there is none. */
static size_t
parameters_at(struct str s)
{
	int depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		depth += s.p[i] == '<' ? 1 : s.p[i] == '>' && depth > 0 ? -1 : 0;
		if (s.p[i] == '(' && depth == 0 && i > 0 && (is_word(s.p[i - 1]) || s.p[i - 1] == '>'))
			return i;
	}
	return s.n;
}

/* After the parenthesis that closes the one there, and "const". */
static size_t
parameters_end(struct str s, size_t at)
{
	static const struct str qualifier = STR(" const");
	int depth = 0;

	for (; at < s.n; at++) {
		depth += s.p[at] == '(' ? 1 : s.p[at] == ')' ? -1 : 0;
		if (depth == 0)
			break;
	}
	at += at < s.n;
	if (str_starts((struct str){s.p + at, s.n - at}, qualifier))
		at += qualifier.n;
	return at;
}

/*
 * Writes the last two of a qualified name without the arguments of templates: "a::B<c>::d" is
 * "B::d".
 */
static void
qualified_put(struct sbuf *out, struct str s)
{
	size_t from = s.n, colons = 0;
	int depth = 0;

	/* Backwards, to a blank before the name (its type) or the third name from the end. */
	while (from > 0) {
		const char c = s.p[from - 1];

		depth += c == '>' ? 1 : c == '<' && depth > 0 ? -1 : 0;
		if (depth == 0 && (c == ' ' || c == '*' || c == '&'))
			break;
		if (depth == 0 && c == ':' && from > 1 && s.p[from - 2] == ':' && ++colons == 2)
			break;
		from--;
	}
	depth = 0;
	for (; from < s.n; from++) {
		depth += s.p[from] == '<';
		if (depth == 0)
			sbuf_char(out, s.p[from]);
		depth -= s.p[from] == '>' && depth > 0;
	}
}

/* "int a::B::c(int)##rest" as "B::c ##rest"; false when it is no such signature. */
static bool
signature_put(struct sbuf *out, struct str s)
{
	size_t at = parameters_at(s), end;

	if (at == s.n || memmem(s.p, s.n, "::", 2) == NULL)
		return false;
	qualified_put(out, (struct str){s.p, at});
	end = parameters_end(s, at);
	while (end < s.n && s.p[end] == ' ')
		end++;
	if (end < s.n) {
		sbuf_char(out, ' ');
		sbuf_str(out, (struct str){s.p + end, s.n - end});
	}
	return true;
}

/* The name -------------------------------------------------------------------------- */

/* Beginnings after which all differs. */
static const struct {
	struct str begin, folded;
} beginnings[] = {
	{STR("monitor contention with owner "), STR("monitor contention")},
	{STR("Choreographer#doFrame - resynced to "), STR("Choreographer#doFrame - resynced")},
};

/* Copies a lock's name without "(owner tid: 7)". */
static bool
lock_put(struct sbuf *out, struct str s)
{
	static const struct str owner = STR("(owner tid: ");
	const char *at, *end;

	if (!str_starts(s, STR("Lock contention on ")) ||
	    (at = memmem(s.p, s.n, owner.p, owner.n)) == NULL ||
	    (end = memchr(at, ')', (size_t)(s.p + s.n - at))) == NULL)
		return false;
	sbuf_str(out, (struct str){s.p, (size_t)(at - s.p)});
	sbuf_str(out, (struct str){end + 1, (size_t)(s.p + s.n - end - 1)});
	return true;
}

bool
name_fold(struct str name, struct sbuf *out)
{
	struct numbers f = {.out = out};
	struct sbuf plain = {0};
	bool letter = false;

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		if (str_starts(name, beginnings[i].begin)) {
			sbuf_str(out, beginnings[i].folded);
			return true;
		}
	}
	if (!lock_put(&plain, name) && !signature_put(&plain, name))
		sbuf_str(&plain, name);
	numbers_fold(&f, sbuf_view(&plain));
	sbuf_release(&plain);
	while (out->n > 0 && out->p[out->n - 1] == ' ')
		sbuf_cut(out, out->n - 1);
	for (size_t i = 0; i < out->n && !letter; i++)
		letter = is_letter(out->p[i]) || (out->p[i] & 0x80) != 0;
	return letter && out->n >= 2 && !str_equal(sbuf_view(out), name);
}

void
name_number(struct str name, struct sbuf *out)
{
	for (size_t i = 0; i < name.n;) {
		size_t n = run(name, i, is_word), digits = run(name, i, is_digit);

		if (n > 2 && name.p[i] == '0' && name.p[i + 1] == 'x' && run(name, i + 2, is_hex) > 0)
			digits = 2 + run(name, i + 2, is_hex);
		if (digits > 0)
			sbuf_char(out, 'N');
		/* The rest of a word, after its first number, stays. */
		n = n > 0 ? n : 1;
		sbuf_str(out, (struct str){name.p + i + digits, n - digits});
		i += n;
	}
}

/* Writes the name so; false when it stays as it is. */
static bool
name_write(struct str name, unsigned folding, struct sbuf *out)
{
	struct sbuf folded = {0};
	bool differs = (folding & FOLD_NAMES) != 0 && name_fold(name, &folded);

	if ((folding & FOLD_NUMBERS) != 0)
		name_number(differs ? sbuf_view(&folded) : name, out);
	else if (differs)
		sbuf_str(out, sbuf_view(&folded));
	sbuf_release(&folded);
	return out->n > 0 && !str_equal(sbuf_view(out), name);
}

/* Methods that stand for others ------------------------------------------------------ */

/* Makes a method for those of the name; METHOD_NONE when the table is full. */
static uint32_t
stands_make(struct trace *t, struct str name, const struct method *like)
{
	struct method *m = t->methods.count <= METHOD_MAX ? seg_reserve(&t->methods) : NULL;

	if (m == NULL)
		return METHOD_NONE;
	m->name = name;
	m->known = true;
	m->async = like->async;
	atomic_store_explicit(&m->stands, METHOD_NONE, memory_order_relaxed);
	return seg_commit(&t->methods);
}

/* The method is one of those that `group` stands for, or the first of them. */
static void
method_join(struct trace *t, struct folded_group *group, struct str name, uint32_t method, bool differs)
{
	struct method *m = seg_at(&t->methods, method), *stands;

	if (group->first == METHOD_NONE && group->stands == METHOD_NONE && !differs) {
		group->first = method;
		return;
	}
	if (group->stands == METHOD_NONE) {
		group->stands = stands_make(t, name, m);
		if (group->stands == METHOD_NONE)
			return;
		if (group->first != METHOD_NONE)
			method_join(t, group, name, group->first, true);
	}
	stands = seg_at(&t->methods, group->stands);
	atomic_store_explicit(&m->alike, atomic_load_explicit(&stands->stands, memory_order_relaxed),
	    memory_order_relaxed);
	atomic_store_explicit(&stands->stands, method, memory_order_release);
	atomic_store_explicit(&m->folded, group->stands, memory_order_relaxed);
}

void
trace_names_fold(struct trace *t, unsigned folding)
{
	struct sbuf text = {0};

	if (t->log == NULL)
		return;
	pthread_mutex_lock(&t->lock);
	for (; t->folded_count < t->methods.count; t->folded_count++) {
		const struct method *m = seg_at(&t->methods, t->folded_count);
		bool differs;
		struct str name;
		uint32_t index;

		if (t->folded_count == METHOD_TOPLEVEL || !m->known || m->word != NULL ||
		    trace_stands(t, t->folded_count))
			continue;
		sbuf_clear(&text);
		differs = name_write(m->name, folding, &text);
		name = differs ? sbuf_view(&text) : m->name;
		index = intern_find(&t->folded_names, name, m->async);
		if (index == IDMAP_NONE) {
			if (differs)
				name = arena_str(&t->arena, name);
			index = intern_add(&t->folded_names, name, m->async);
			MEM_GROW(t->folded_groups, t->folded_room, (size_t)index + 1);
			t->folded_groups[index] = (struct folded_group){METHOD_NONE, METHOD_NONE};
		}
		method_join(t, &t->folded_groups[index], t->folded_names.items[index].text,
		    t->folded_count, differs);
	}
	pthread_mutex_unlock(&t->lock);
	sbuf_release(&text);
}

uint32_t
trace_stands_next(const struct trace *t, uint32_t method)
{
	const struct method *m = seg_at(&t->methods, method);

	const uint32_t first = atomic_load_explicit(&m->stands, memory_order_acquire);

	if (first != 0)
		return first;
	return atomic_load_explicit(&m->folded, memory_order_relaxed) != 0
	    ? atomic_load_explicit(&m->alike, memory_order_relaxed) : METHOD_NONE;
}
