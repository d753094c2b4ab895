#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "profile/sum/diff.h"

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
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

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

/* Does the byte divide parts of a name? */
static bool
ends_part(char c)
{
	return memchr("$./;()[<>,", c, 10) != NULL;
}

static bool
ends_with(struct str s, struct str end)
{
	return s.n >= end.n && memcmp(s.p + s.n - end.n, end.p, end.n) == 0;
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
		return ends_with(before, STR("$r8$lambda$")) ||
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
	if (word.n == part.n || !ends_with(before, STR("$")) ||
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
	struct arena *texts; /* borrowed: those of families */
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
	size_t before = k->families.count;
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
		MEM_GROW(k->hashed, k->hashed_room, (size_t)f + 1);
		if (k->families.count > before) {
			k->families.items[f].text = arena_str(k->texts, sbuf_view(&family));
			k->hashed[f] = false;
		}
		k->hashed[f] |= (found & SYNTHETIC_HASHED) != 0;
		MEM_GROW(k->list, k->room, k->count + 1);
		k->list[k->count++] = (struct relative){key, f, text};
	}
	sbuf_release(&family);
	sbuf_release(&made);
}

static int
relative_order(const void *a, const void *b)
{
	const struct relative *x = a, *y = b;

	if (x->family != y->family)
		return x->family < y->family ? -1 : 1;
	return synthetic_order(x->text, y->text);
}

static void
families_take(struct diff_names *n, struct relatives *k)
{
	if (k->count > 1)
		qsort(k->list, k->count, sizeof(*k->list), relative_order);
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
		struct str text = sbuf_view(&name);
		size_t before = names->count;

		keys[m] = intern_add(names, text, kind);
		if (names->count > before) {
			text = arena_str(relatives->texts, text);
			names->items[keys[m]].text = text;
			if (kind == KIND_NAMED || kind == KIND_ASYNC)
				family_note(relatives, keys[m], text, trace_method(t, m));
		}
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
	struct relatives relatives = {.texts = &texts};
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
	arena_release(&texts);
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

__extension__ typedef __int128 wide;

enum { MIN_SHARE = 1000 };
#define MIN_MOST ((nsec)1000000)

static const struct diff_sum nothing = {.method = METHOD_NONE};

/* Rows ---------------------------------------------------------------------------- */

static struct diff_sum
sum_of(const struct fold *f, uint32_t method)
{
	const struct method_sum *m = &f->methods[method];
	struct diff_sum s = {.method = method, .calls = m->calls + m->recursive_calls,
	    .recursive_calls = m->recursive_calls};

	for (int c = 0; c < CLOCKS; c++) {
		s.time[DIFF_INCLUSIVE][c] = m->inclusive[c];
		s.time[DIFF_EXCLUSIVE][c] = m->exclusive[c];
	}
	return s;
}

/* The next method of name `key` from `*at` on that the fold has; METHOD_NONE: no more. */
static uint32_t
next(const struct diff_names *n, int side, uint32_t key, const struct fold *f, uint32_t *at)
{
	while (*at < n->first[side][key + 1]) {
		uint32_t method = n->methods[side][(*at)++];

		if (method < f->method_count && f->methods[method].present)
			return method;
	}
	return METHOD_NONE;
}

/* Families ------------------------------------------------------------------------ */

struct member {
	struct diff_sum sum;
	uint32_t key; /* of its name */
};

/* Members of a family that may be paired, in the order of the pairs, and their rows. */
struct choice {
	struct member *of[DIFF_SIDES];
	uint32_t count[DIFF_SIDES];
	struct diff_row **rows;
	uint32_t row_count;
};

static void
choice_add(struct choice *c, struct diff_row *r, uint32_t key)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		if (r->sum[side].method != METHOD_NONE)
			c->of[side][c->count[side]++] = (struct member){r->sum[side], key};
	c->rows[c->row_count++] = r;
}

static bool
is_paired(const struct diff_row *r)
{
	return r->sum[DIFF_A].method != METHOD_NONE && r->sum[DIFF_B].method != METHOD_NONE;
}

/* What calls of pairs differ by, saturated. */
static uint64_t
add_distance(uint64_t sum, const struct diff_sum *a, const struct diff_sum *b)
{
	uint64_t apart = a->calls > b->calls ? a->calls - b->calls : b->calls - a->calls;

	return __builtin_add_overflow(sum, apart, &sum) ? UINT64_MAX : sum;
}

static uint64_t
choice_distance(const struct choice *c)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < c->count[DIFF_A]; i++)
		sum = add_distance(sum, &c->of[DIFF_A][i].sum, &c->of[DIFF_B][i].sum);
	return sum;
}

/* Do calls differ less when all are paired in order than with pairs of equal names? */
static bool
is_renumbered(const struct choice *all, const struct choice *left)
{
	uint64_t kept = choice_distance(left);

	for (uint32_t i = 0; i < all->row_count; i++)
		if (is_paired(all->rows[i]))
			kept = add_distance(kept, &all->rows[i]->sum[DIFF_A],
			    &all->rows[i]->sum[DIFF_B]);
	return choice_distance(all) < kept;
}

/* Most calls first; with equal calls the longest first. */
static int
member_order(const void *a, const void *b)
{
	const struct diff_sum *x = &((const struct member *)a)->sum;
	const struct diff_sum *y = &((const struct member *)b)->sum;

	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	for (int c = CLOCKS; c-- > 0;) {
		nsec t = x->time[DIFF_INCLUSIVE][c], u = y->time[DIFF_INCLUSIVE][c];

		if (t != u)
			return t > u ? -1 : 1;
	}
	return (x->method > y->method) - (x->method < y->method);
}

/* Rows that become superfluous have no method of either side. */
static void
choice_pair(const struct choice *c)
{
	for (uint32_t i = 0; i < c->row_count; i++) {
		const struct member *a = &c->of[DIFF_A][i], *b = &c->of[DIFF_B][i];

		*c->rows[i] = (struct diff_row){{nothing, nothing}, false};
		if (i < c->count[DIFF_A])
			*c->rows[i] = (struct diff_row){{a->sum, b->sum}, a->key != b->key};
	}
}

/* `rows`: by key the first of its rows; `all`, `left`: scratch. */
static void
family_pair(struct diff *d, const struct diff_names *n, uint32_t family, const uint32_t *rows,
    struct choice *all, struct choice *left)
{
	const struct diff_family *f = &n->family[family];

	for (int side = 0; side < DIFF_SIDES; side++)
		all->count[side] = left->count[side] = 0;
	all->row_count = left->row_count = 0;
	for (uint32_t i = f[0].first; i < f[1].first; i++) {
		uint32_t key = n->family_keys[i];

		for (uint32_t r = rows[key]; r < rows[key + 1]; r++) {
			choice_add(all, &d->rows[r], key);
			if (!is_paired(&d->rows[r]))
				choice_add(left, &d->rows[r], key);
		}
	}
	if (left->row_count == 0 || left->count[DIFF_A] != left->count[DIFF_B])
		return;
	if (!f->hashed && is_renumbered(all, left)) {
		choice_pair(all);
		return;
	}
	for (int side = 0; side < DIFF_SIDES && f->hashed; side++)
		qsort(left->of[side], left->count[side], sizeof(*left->of[side]),
		    member_order);
	choice_pair(left);
}

static void
choice_room(struct choice *c, size_t room)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		c->of[side] = mem_alloc((room + 1) * sizeof(*c->of[side]));
	c->rows = mem_alloc((room + 1) * sizeof(struct diff_row *));
}

static void
choice_release(struct choice *c)
{
	for (int side = 0; side < DIFF_SIDES; side++)
		mem_free(c->of[side]);
	mem_free(c->rows);
}

static void
families_pair(struct diff *d, const struct diff_names *n, const uint32_t *rows)
{
	struct choice all = {.count = {0}}, left = {.count = {0}};
	size_t most = 0;
	uint32_t kept = 0;

	for (uint32_t f = 0; f < n->families; f++) {
		size_t room = 0;

		for (uint32_t i = n->family[f].first; i < n->family[f + 1].first; i++)
			room += rows[n->family_keys[i] + 1] - rows[n->family_keys[i]];
		most = room > most ? room : most;
	}
	choice_room(&all, most);
	choice_room(&left, most);
	for (uint32_t f = 0; f < n->families; f++)
		family_pair(d, n, f, rows, &all, &left);
	choice_release(&all);
	choice_release(&left);
	for (uint32_t i = 0; i < d->count; i++)
		if (d->rows[i].sum[DIFF_A].method != METHOD_NONE ||
		    d->rows[i].sum[DIFF_B].method != METHOD_NONE)
			d->rows[kept++] = d->rows[i];
	d->count = kept;
}

void
diff_make(struct diff *d, const struct diff_names *n, const struct fold *a, const struct fold *b)
{
	const struct fold *folds[DIFF_SIDES] = {a, b};
	size_t room = (size_t)a->present + b->present;
	uint32_t *rows = mem_alloc(((size_t)n->count + 1) * sizeof(*rows)); /* by key */

	*d = (struct diff){.rows = mem_alloc((room + 1) * sizeof(*d->rows)),
	    .clocks = n->trace[DIFF_A]->clocks & n->trace[DIFF_B]->clocks};
	for (int side = 0; side < DIFF_SIDES; side++) {
		memcpy(d->total[side], folds[side]->total, sizeof(d->total[side]));
		d->toplevel.sum[side] = sum_of(folds[side], METHOD_TOPLEVEL);
	}
	for (uint32_t key = 0; key < n->count; key++) {
		uint32_t at[DIFF_SIDES] = {n->first[DIFF_A][key], n->first[DIFF_B][key]};

		rows[key] = d->count;
		for (;;) {
			struct diff_row row = {{nothing, nothing}, false};
			bool any = false;

			for (int side = 0; side < DIFF_SIDES; side++) {
				uint32_t method = next(n, side, key, folds[side], &at[side]);

				if (method == METHOD_NONE)
					continue;
				row.sum[side] = sum_of(folds[side], method);
				any = true;
			}
			if (!any || d->count == room)
				break;
			d->rows[d->count++] = row;
		}
	}
	rows[n->count] = d->count;
	families_pair(d, n, rows);
	mem_free(rows);
}

void
diff_release(struct diff *d)
{
	mem_free(d->rows);
	*d = (struct diff){.rows = NULL};
}

/* Rows ---------------------------------------------------------------------------- */

nsec
diff_between(nsec a, nsec b)
{
	nsec delta;

	if (__builtin_sub_overflow(b, a, &delta))
		return b < a ? INT64_MIN : INT64_MAX;
	return delta;
}

nsec
diff_min_default(const struct diff *d, enum clock_id clock)
{
	nsec a = d->total[DIFF_A][clock], b = d->total[DIFF_B][clock];
	nsec least = (a > b ? a : b) / MIN_SHARE;

	return least < MIN_MOST ? least : MIN_MOST;
}

enum diff_change
diff_change(const struct diff_row *r, const struct diff_by *by)
{
	nsec delta = diff_delta(r, by);

	if (r->sum[DIFF_A].method == METHOD_NONE)
		return DIFF_ONLY_B;
	if (r->sum[DIFF_B].method == METHOD_NONE)
		return DIFF_ONLY_A;
	if (delta == 0 || (delta < by->min && -by->min < delta))
		return DIFF_UNCHANGED;
	return delta > 0 ? DIFF_SLOWER : DIFF_FASTER;
}

/* Divides and rounds to the nearest, half away from 0; `by` is not 0. */
static wide
divide(wide value, uint64_t by)
{
	wide half = (wide)(by / 2);

	return value < 0 ? -((-value + half) / (wide)by) : (value + half) / (wide)by;
}

struct diff_cause
diff_cause(const struct diff_row *r, const struct diff_by *by)
{
	const struct diff_sum *a = &r->sum[DIFF_A], *b = &r->sum[DIFF_B];
	struct diff_cause cause = {.calls = diff_between((nsec)a->calls, (nsec)b->calls)};
	nsec delta = diff_delta(r, by);
	wide by_calls = delta;

	if (a->calls > 0)
		by_calls = divide((wide)diff_time(r, DIFF_A, by) * cause.calls, a->calls);
	/* When the part by calls is no possible time, all of the change is by calls. */
	if (by_calls > INT64_MAX || by_calls < INT64_MIN ||
	    __builtin_sub_overflow(delta, (nsec)by_calls, &cause.by_time)) {
		by_calls = delta;
		cause.by_time = 0;
	}
	cause.by_calls = (nsec)by_calls;
	return cause;
}

nsec
diff_per_call(const struct diff_row *r, int side, const struct diff_by *by)
{
	uint64_t calls = r->sum[side].calls;

	return calls > 0 ? (nsec)divide(diff_time(r, side, by), calls) : 0;
}

bool
diff_exceeds(const struct diff_row *r, const struct diff_by *by, unsigned percent)
{
	nsec before = diff_time(r, DIFF_A, by);

	return before > 0 && (wide)diff_delta(r, by) * 100000 > (wide)before * percent;
}
