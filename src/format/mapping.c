#include <config.h>

#include "format/mapping.h"

#include <string.h>

#include "base/mem.h"
#include "base/sbuf.h"
#include "format/mapping-file.h"

enum {
	NAMES_MAX = 4,            /* named of one method */
	SIGNATURE_MAX = 8 * 1024, /* longer ones stay as they are, and so does */
	MADE_MAX = 256 << 20,     /* what comes when so many bytes were made */
};

struct mapping {
	struct renamer renamer; /* first: what the trace holds */
	struct mapping_file file;
	struct arena made;
	struct sbuf class_name, types, signature, name; /* of the method at hand */
};

/* "java/lang/Enum" and "java.lang.Enum" alike. */
static struct str
dotted(struct sbuf *out, struct str name)
{
	sbuf_clear(out);
	for (size_t i = 0; i < name.n; i++)
		sbuf_char(out, name.p[i] == '/' ? '.' : name.p[i]);
	return sbuf_view(out);
}

static struct str
keep(struct mapping *m, const struct sbuf *text, struct str otherwise)
{
	if (str_equal(sbuf_view(text), otherwise) || m->made.total > MADE_MAX)
		return otherwise;
	return arena_str(&m->made, sbuf_view(text));
}

/* Signatures ----------------------------------------------------------------------- */

static const struct {
	char letter;
	const char *word;
} primitives[] = {{'B', "byte"}, {'C', "char"}, {'D', "double"}, {'F', "float"}, {'I', "int"},
    {'J', "long"}, {'S', "short"}, {'V', "void"}, {'Z', "boolean"}};

/*
 * One type off the front of `rest`: to `signature` as the source has it, and to `types`
 * in words.  False when it is none.
 */
static bool
cut_type(struct mapping *m, struct str *rest, struct sbuf *types)
{
	const struct mapping_class *c;
	size_t arrays = 0;
	struct str name;

	while (arrays < rest->n && rest->p[arrays] == '[')
		arrays++;
	if (arrays == rest->n)
		return false;
	sbuf_bytes(&m->signature, rest->p, arrays + 1);
	*rest = (struct str){rest->p + arrays, rest->n - arrays};
	if (rest->p[0] == 'L') {
		*rest = (struct str){rest->p + 1, rest->n - 1};
		if (memchr(rest->p, ';', rest->n) == NULL)
			return false;
		name = dotted(&m->name, str_cut(rest, ';'));
		c = mapping_class_find(&m->file, name);
		if (c != NULL)
			name = c->was;
		for (size_t i = 0; i < name.n; i++)
			sbuf_char(&m->signature, name.p[i] == '.' ? '/' : name.p[i]);
		sbuf_char(&m->signature, ';');
		sbuf_str(types, name);
	} else {
		size_t i = 0, n = sizeof(primitives) / sizeof(primitives[0]);

		while (i < n && primitives[i].letter != rest->p[0])
			i++;
		if (i == n)
			return false;
		sbuf_text(types, primitives[i].word);
		*rest = (struct str){rest->p + 1, rest->n - 1};
	}
	while (arrays-- > 0)
		sbuf_text(types, "[]");
	return true;
}

/* Fills `signature` and, of its arguments, `types`; false when it is no signature. */
static bool
signature_read(struct mapping *m, struct str text)
{
	struct sbuf result = {0};
	bool good;

	sbuf_clear(&m->signature);
	sbuf_clear(&m->types);
	if (text.n < 3 || text.n > SIGNATURE_MAX || text.p[0] != '(')
		return false;
	sbuf_char(&m->signature, '(');
	text = (struct str){text.p + 1, text.n - 1};
	while (text.n > 0 && text.p[0] != ')') {
		if (m->types.n > 0)
			sbuf_char(&m->types, ',');
		if (!cut_type(m, &text, &m->types))
			return false;
	}
	if (text.n == 0)
		return false;
	sbuf_char(&m->signature, ')');
	text = (struct str){text.p + 1, text.n - 1};
	good = cut_type(m, &text, &result) && text.n == 0;
	sbuf_release(&result);
	return good;
}

/* Methods --------------------------------------------------------------------------- */

struct candidates {
	const struct mapping_method *all;
	size_t count;
	struct str signature, types; /* of the trace's method; p NULL: not known */
};

/* The line behind it has the same lines of the program: this one was inlined into it. */
static bool
is_inlined(const struct candidates *c, size_t i)
{
	const struct mapping_method *m = &c->all[i];

	return i + 1 < c->count && m->from != 0 && m[1].from == m->from && m[1].to == m->to &&
	       m[1].line == m->line + 1;
}

static bool
by_residual(const struct candidates *c, size_t i)
{
	return c->all[i].residual.n > 0 && str_equal(c->all[i].residual, c->signature);
}

static bool
by_types(const struct candidates *c, size_t i)
{
	return c->types.p != NULL && str_equal(c->all[i].arguments, c->types) &&
	       !is_inlined(c, i);
}

/*
 * Methods that begin at the same line in programs without line numbers look as if they
 * were inlined into each other.
 */
static bool
by_types_here(const struct candidates *c, size_t i)
{
	return c->types.p != NULL && str_equal(c->all[i].arguments, c->types) &&
	       c->all[i].holder.n == 0;
}

/* Its signature is not that of the source: arguments that nothing used are gone. */
static bool
by_name(const struct candidates *c, size_t i)
{
	return !is_inlined(c, i);
}

/* From the surest on; the first that any method passes decides. */
static bool (*const rules[])(const struct candidates *, size_t) = {
    by_residual, by_types, by_types_here, by_name};

static bool
same_method(const struct mapping_method *a, const struct mapping_method *b)
{
	return str_equal(a->was, b->was) && str_equal(a->holder, b->holder);
}

/* The different ones that a rule lets pass, at most NAMES_MAX + 1. */
static size_t
choose(const struct candidates *c, const struct mapping_method **chosen)
{
	size_t n = 0;

	for (size_t r = 0; r < sizeof(rules) / sizeof(rules[0]) && n == 0; r++) {
		for (size_t i = 0; i < c->count && n <= NAMES_MAX; i++) {
			size_t k = 0;

			if (!rules[r](c, i))
				continue;
			while (k < n && !same_method(chosen[k], &c->all[i]))
				k++;
			if (k == n)
				chosen[n++] = &c->all[i];
		}
	}
	return n;
}

/* "onStart|onStop" */
static void
join_names(struct sbuf *out, const struct mapping_method *const *chosen, size_t n)
{
	sbuf_clear(out);
	for (size_t i = 0; i < n && i < NAMES_MAX; i++) {
		if (i > 0)
			sbuf_char(out, '|');
		sbuf_str(out, chosen[i]->was);
	}
	if (n > NAMES_MAX)
		sbuf_text(out, "|...");
}

static void
rename_in_class(struct mapping *m, const struct mapping_class *class_, bool has_signature,
    struct method *method)
{
	const struct mapping_method *chosen[NAMES_MAX + 1];
	struct candidates c = {.signature = method->signature};
	size_t n;

	c.all = mapping_methods_find(&m->file, class_, method->name, &c.count);
	if (has_signature)
		c.types = m->types.n > 0 ? sbuf_view(&m->types) : STR("");
	n = choose(&c, chosen);
	method->class_name = class_->was;
	if (class_->file.n > 0)
		method->file = class_->file;
	/* Lines of the trace are those of the shrunk program. */
	method->line = n == 1 && chosen[0]->source <= INT32_MAX ? (int32_t)chosen[0]->source : 0;
	if (n == 1) {
		method->name = chosen[0]->was;
		if (chosen[0]->holder.n > 0)
			method->class_name = chosen[0]->holder;
	} else if (n > 1) {
		join_names(&m->name, chosen, n);
		method->name = keep(m, &m->name, method->name);
	}
}

static void
rename_method(struct renamer *renamer, struct method *method)
{
	struct mapping *m = (struct mapping *)renamer;
	const struct mapping_class *class_ = mapping_class_find(&m->file,
	    dotted(&m->class_name, method->class_name));
	bool has_signature = signature_read(m, method->signature);

	if (class_ != NULL)
		rename_in_class(m, class_, has_signature, method);
	if (has_signature)
		method->signature = keep(m, &m->signature, method->signature);
}

static void
release(struct renamer *renamer)
{
	struct mapping *m = (struct mapping *)renamer;

	mapping_file_release(&m->file);
	arena_release(&m->made);
	sbuf_release(&m->class_name);
	sbuf_release(&m->types);
	sbuf_release(&m->signature);
	sbuf_release(&m->name);
	mem_free(m);
}

bool
mapping_apply(struct trace *t, const char *path, struct err *e)
{
	struct mapping *m = mem_zero(1, sizeof(*m));

	m->renamer = (struct renamer){rename_method, release};
	if (!mapping_file_read(&m->file, path, e)) {
		release(&m->renamer);
		return false;
	}
	trace_rename(t, &m->renamer);
	trace_note(t, "methods have the names that %s gives them", path);
	return true;
}
