// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "profile/sum/pairs.h"

#include <inttypes.h>
#include <string.h>

#include "base/compat.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/sbuf.h"

/*
 * Names that compilers make up, without what differs from build to build.
 *
 * javac, Kotlin, D8 and R8, and the virtual machines name what has no name in the source:
 * lambdas, outlines, accessors, anonymous classes, proxies.  They count them, or take a
 * hash, so the same code may get another name in the next build.  Each such number or hash
 * becomes a '#'; doc/accounting.md lists the forms.
 */
enum synthetic {
	SYNTHETIC_NOT = 0,
	SYNTHETIC_COUNTED = 1 << 0, /* numbers follow the order in the source */
	SYNTHETIC_HASHED = 1 << 1,  /* hashes follow nothing */
};

enum {
	R8_HASH = 27,  /* characters: 160 bits in base64url */
	HEX_HASH = 32, /* at least */
};

static bool
is_base64(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
	       c == '_';
}

static bool
all(struct str s, bool (*is)(char))
{
	size_t i = 0;

	while (i < s.n && is(s.p[i]))
		i++;
	return i == s.n;
}

/* True if the byte divides parts of a name. */
static bool
ends_part(char c)
{
	return memchr("$./;()[<>,", c, 10) != NULL;
}

static bool
contains(struct str s, struct str word)
{
	return memmem(s.p, s.n, word.p, word.n) != NULL;
}

/* Words in front of a number. */
static bool
is_numbered(struct str word)
{
	static const char *const words[] = {"ExternalSynthetic", "InternalSynthetic"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_starts(word, str_from(words[i])))
			return true;
	return str_equal(word, STR("Proxy")) || str_equal(word, STR("lambda-"));
}

/* `before`: the whole class or name up to the part. */
static bool
is_hash(struct str before, struct str part)
{
	if (part.n == R8_HASH && all(part, is_base64))
		return str_ends(before, STR("$r8$lambda$")) ||
		       contains(before, STR("-$$Lambda$"));
	if (part.n > 2 && memcmp(part.p, "0x", 2) == 0)
		return contains(before, STR("$$Lambda")) &&
		       all((struct str){part.p + 2, part.n - 2}, is_hex);
	return part.n >= HEX_HASH && all(part, is_hex) && contains(before, STR("Synthetic"));
}

static unsigned
part_put(struct sbuf *out, struct str before, struct str part)
{
	struct str word = part;

	if (part.n > 0 && is_hash(before, part)) {
		sbuf_char(out, '#');
		return SYNTHETIC_HASHED;
	}
	while (word.n > 0 && is_digit(word.p[word.n - 1]))
		word.n--;
	if (word.n == part.n || !str_ends(before, STR("$")) ||
	    (word.n > 0 && !is_numbered(word))) {
		sbuf_str(out, part);
		return SYNTHETIC_NOT;
	}
	sbuf_str(out, word);
	sbuf_char(out, '#');
	return SYNTHETIC_COUNTED;
}

/* Appends a class, a name or a signature; tells what of it was made up (enum synthetic). */
static unsigned
synthetic_put(struct sbuf *out, struct str name)
{
	unsigned found = SYNTHETIC_NOT;
	size_t type = 0; /* where the class began, in a signature that has several */

	for (size_t i = 0; i < name.n;) {
		size_t end = i;

		while (end < name.n && !ends_part(name.p[end]))
			end++;
		found |= part_put(out, (struct str){name.p + type, i - type},
		    (struct str){name.p + i, end - i});
		if (end < name.n) {
			if (name.p[end] == ';')
				type = end + 1;
			sbuf_char(out, name.p[end++]);
		}
		i = end;
	}
	return found;
}

/* Cuts digits off the front, without leading zeros. */
static struct str
cut_digits(struct str *s)
{
	struct str number;
	size_t n = 0, zeros = 0;

	while (n < s->n && is_digit(s->p[n]))
		n++;
	while (zeros + 1 < n && s->p[zeros] == '0')
		zeros++;
	number = (struct str){s->p + zeros, n - zeros};
	*s = (struct str){s->p + n, s->n - n};
	return number;
}

/* Compares like strcmp, but numbers by their value. */
static int
synthetic_order(struct str a, struct str b)
{
	struct str x = a, y = b;

	while (x.n > 0 && y.n > 0) {
		if (is_digit(x.p[0]) && is_digit(y.p[0])) {
			struct str m = cut_digits(&x), n = cut_digits(&y);

			if (m.n != n.n)
				return m.n < n.n ? -1 : 1;
			if (!str_equal(m, n))
				return str_compare(m, n);
			continue;
		}
		if (x.p[0] != y.p[0])
			break;
		x = (struct str){x.p + 1, x.n - 1};
		y = (struct str){y.p + 1, y.n - 1};
	}
	return x.n == 0 && y.n == 0 ? str_compare(a, b) : str_compare(x, y);
}

/* Which methods of two traces have the same names --------------------------------- */

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

/* A name of a family while families are found. */
struct relative {
	uint32_t key, family;
	struct str text;
};

struct relatives {
	struct intern families;
	struct relative *list;
	size_t count, room;
	bool *hashed; /* by family */
	size_t hashed_room;
};

/* Only of classes: a log's `a$1` is a name that the program chose. */
static void
family_note(struct relatives *k, uint32_t key, struct str text, const struct method *m)
{
	struct sbuf family = {0}, made = {0};
	const struct str parts[] = {m->class_name, m->name, m->signature};
	unsigned found = 0;
	uint32_t f;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		sbuf_clear(&made);
		found |= synthetic_put(&made, parts[i]);
		for (size_t c = 0; c < made.n && i == 0; c++)
			if (made.p[c] == '/')
				made.p[c] = '.';
		part(&family, sbuf_view(&made));
	}
	if (found != SYNTHETIC_NOT && m->class_name.n > 0) {
		f = intern_add(&k->families, sbuf_view(&family), m->async);
		MEM_GROW_ZERO(k->hashed, k->hashed_room, (size_t)f + 1);
		k->hashed[f] |= (found & SYNTHETIC_HASHED) != 0;
		*MEM_ADD(k->list, k->count, k->room) = (struct relative){key, f, text};
	}
	sbuf_release(&family);
	sbuf_release(&made);
}

static int
relative_order(const void *a, const void *b)
{
	const struct relative *x = a, *y = b;

	return x->family != y->family ? ORDER(x->family, y->family)
				      : synthetic_order(x->text, y->text);
}

static void
families_take(struct diff_names *n, struct relatives *k)
{
	mem_sort(k->list, k->count, sizeof(*k->list), relative_order);
	n->families = (uint32_t)k->families.count;
	n->family = mem_zero((size_t)n->families + 1, sizeof(*n->family));
	n->family_keys = mem_alloc((k->count + 1) * sizeof(*n->family_keys));
	for (size_t i = 0; i < k->count; i++) {
		struct diff_family *f = &n->family[k->list[i].family];

		n->family_keys[i] = k->list[i].key;
		f->hashed = k->hashed[k->list[i].family];
		f[1].first = (uint32_t)i + 1;
	}
	mem_free(k->list);
	mem_free(k->hashed);
	intern_release(&k->families);
}

/* The number of each method's name; (toplevel), which is apart, has none. */
static uint32_t *
number_names(
    const struct trace *t, uint32_t count, struct intern *names, struct relatives *relatives)
{
	uint32_t *keys = mem_alloc(((size_t)count + 1) * sizeof(*keys));
	struct sbuf name = {0};

	for (uint32_t m = METHOD_TOPLEVEL + 1; m < count; m++) {
		uint64_t kind = name_of(&name, trace_method(t, m));
		size_t before = names->count;

		keys[m] = intern_add(names, sbuf_view(&name), kind);
		if (names->count > before && (kind == KIND_NAMED || kind == KIND_ASYNC))
			family_note(relatives, keys[m], names->items[keys[m]].text,
			    trace_method(t, m));
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
	struct intern names = {.owns = true};
	struct relatives relatives = {.families.owns = true};
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
		keys[side] = number_names(traces[side], n->known[side], &names, &relatives);
	}
	n->count = (uint32_t)names.count;
	families_take(n, &relatives);
	for (int side = 0; side < DIFF_SIDES; side++) {
		sort_side(n, side, keys[side]);
		mem_free(keys[side]);
	}
	intern_release(&names);
}

void
diff_names_release(struct diff_names *n)
{
	for (int side = 0; side < DIFF_SIDES; side++) {
		mem_free(n->first[side]);
		mem_free(n->methods[side]);
	}
	mem_free(n->family);
	mem_free(n->family_keys);
	*n = (struct diff_names){.count = 0};
}
