// SPDX-License-Identifier: Apache-2.0
/*
 * mapping: names of classes and methods that ProGuard or R8 replaced by short ones.
 *
 * Reads the mapping file of the build (mapping.txt) and gives the methods of a trace of
 * that build the names of its source; other names stay unchanged.  A trace has no line
 * numbers of calls, so where the file has several methods for one name the signature
 * decides; where the signature fits several, all of them are named, "onStart|onStop".
 * Inlined frames are no methods of the program and are left out.
 */
#include <config.h>

#include "format/format.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compat.h"
#include "base/filemap.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "base/str.h"

struct mapping_class {
	struct str now, was; /* in the trace, in the source */
	struct str file;     /* of the source; may be empty */
	size_t first, count; /* its methods */
};

struct mapping_method {
	size_t of;           /* its class, while the file is read */
	size_t line;         /* which member line of the file it is: their order */
	struct str now, was;
	struct str holder;   /* class that it was in, if another one; else empty */
	struct str arguments; /* types with commas between, as in the source */
	struct str residual; /* signature that it has in the trace; may be empty */
	uint64_t from, to;   /* lines in the trace's program; 0, 0: not told */
	uint64_t source;     /* line in the source; 0: not told */
};

struct mapping_file {
	char *bytes;
	struct mapping_class *classes; /* by `now` */
	size_t class_count, class_room;
	struct mapping_method *methods; /* by class, `now` and line */
	size_t method_count, method_room;
	bool at_method; /* while it is read: the last line but comments is the last method's */
};

/* The file -------------------------------------------------------------------------- */

/* Cuts "LEFT -> RIGHT"; false where there is no arrow. */
static bool
cut_arrow(struct str line, struct str *left, struct str *right)
{
	for (size_t i = line.n; i >= 4; i--) {
		if (memcmp(line.p + i - 4, " -> ", 4) != 0)
			continue;
		*left = str_trim((struct str){line.p, i - 4});
		*right = str_trim((struct str){line.p + i, line.n - i});
		return left->n > 0 && right->n > 0;
	}
	return false;
}

/* Takes a number followed by `mark` from the front; leaves `s` alone when there is none. */
static bool
cut_number(struct str *s, char mark, uint64_t *n)
{
	size_t i = s->n > 0 ? (size_t)(digits_take(s->p, s->p + s->n, 18, n) - s->p) : 0;

	if (i == 0 || (i < s->n ? s->p[i] != mark : mark != '\0'))
		return false;
	*s = i < s->n ? (struct str){s->p + i + 1, s->n - i - 1} : (struct str){NULL, 0};
	return true;
}

/* "com.example.A -> a.b:" */
static bool
class_line(struct mapping_file *f, struct str line)
{
	struct mapping_class *c;
	struct str was, now;

	if (!cut_arrow(line, &was, &now) || now.p[now.n - 1] != ':')
		return false;
	now.n--;
	c = MEM_ADD(f->classes, f->class_count, f->class_room);
	*c = (struct mapping_class){.now = now, .was = was};
	f->at_method = false;
	return true;
}

/* "    1:2:void run(int,java.lang.String):10:11 -> a"; a field has no parentheses. */
static void
member_line(struct mapping_file *f, struct str line, size_t number)
{
	struct mapping_method m = {.of = f->class_count - 1, .line = number};
	const char *open, *blank, *dot, *close;
	struct str left, name, rest;
	uint64_t ignored;

	f->at_method = false;
	if (!cut_arrow(line, &left, &m.now))
		return;
	rest = left;
	if (cut_number(&rest, ':', &m.from) && cut_number(&rest, ':', &m.to))
		left = rest;
	else
		m.from = m.to = 0;
	open = memchr(left.p, '(', left.n);
	close = memchr(left.p, ')', left.n);
	if (open == NULL || close == NULL || close < open)
		return;
	name = (struct str){left.p, (size_t)(open - left.p)};
	blank = memrchr(name.p, ' ', name.n);
	if (blank == NULL)
		return;
	name = (struct str){blank + 1, (size_t)(open - blank - 1)};
	dot = name.n > 0 ? memrchr(name.p, '.', name.n) : NULL;
	m.was = name;
	if (dot != NULL) {
		m.holder = (struct str){name.p, (size_t)(dot - name.p)};
		m.was = (struct str){dot + 1, (size_t)(name.p + name.n - dot - 1)};
	}
	if (m.was.n == 0)
		return;
	m.arguments = (struct str){open + 1, (size_t)(close - open - 1)};
	rest = (struct str){close + 1, (size_t)(left.p + left.n - close - 1)};
	if (rest.n > 0 && rest.p[0] == ':') {
		rest = (struct str){rest.p + 1, rest.n - 1};
		if (!cut_number(&rest, ':', &m.source) && !cut_number(&rest, '\0', &ignored))
			m.source = 0;
	}
	*MEM_ADD(f->methods, f->method_count, f->method_room) = m;
	f->at_method = true;
}

/* The text after `key` and a quote, up to the next quote; empty when there is none. */
static struct str
quoted(struct str line, struct str key)
{
	const char *at = memmem(line.p, line.n, key.p, key.n), *end;

	if (at == NULL)
		return (struct str){NULL, 0};
	at += key.n;
	end = memchr(at, '"', (size_t)(line.p + line.n - at));
	if (end == NULL || memchr(at, '\\', (size_t)(end - at)) != NULL)
		return (struct str){NULL, 0};
	return (struct str){at, (size_t)(end - at)};
}

/* R8 says more of the line before in a comment: # {"id":"sourceFile","fileName":"A.kt"} */
static void
comment_line(struct mapping_file *f, struct str line)
{
	struct str id = quoted(line, STR("\"id\":\""));

	if (f->class_count > 0 && str_equal(id, STR("sourceFile")))
		f->classes[f->class_count - 1].file = quoted(line, STR("\"fileName\":\""));
	else if (f->at_method &&
		 str_equal(id, STR("com.android.tools.r8.residualsignature")))
		f->methods[f->method_count - 1].residual =
		    quoted(line, STR("\"signature\":\""));
}

static int
class_order(const void *a, const void *b)
{
	const struct mapping_class *x = a, *y = b;

	return order_then(str_compare(x->now, y->now), ORDER(x->first, y->first));
}

static int
method_order(const void *a, const void *b)
{
	const struct mapping_method *x = a, *y = b;

	return order_then(ORDER(x->of, y->of),
	    order_then(str_compare(x->now, y->now), ORDER(x->line, y->line)));
}

/* Methods to their classes, and both where they are looked for. */
static void
index_all(struct mapping_file *f)
{
	mem_sort(f->methods, f->method_count, sizeof(*f->methods), method_order);
	for (size_t i = 0; i < f->method_count; i++) {
		struct mapping_class *c = &f->classes[f->methods[i].of];

		if (c->count++ == 0)
			c->first = i;
	}
	qsort(f->classes, f->class_count, sizeof(*f->classes), class_order);
}

static void
read_lines(struct mapping_file *f, struct str rest)
{
	size_t number = 0; /* of the members: comments between them do not part them */

	while (rest.n > 0) {
		struct str line = str_cut(&rest, '\n'), text = str_trim(line);

		if (text.n == 0)
			continue;
		if (text.p[0] == '#')
			comment_line(f, text);
		else if (text.p != line.p && f->class_count > 0)
			member_line(f, text, number++);
		else
			(void)class_line(f, text);
	}
}

static bool
mapping_file_read(struct mapping_file *f, const char *path, struct err *e)
{
	struct filemap map = {0};
	size_t n;

	if (!filemap_open(&map, path, e)) {
		filemap_close(&map);
		return false;
	}
	/* A copy: the next build may replace the file while the trace is browsed. */
	n = map.size;
	f->bytes = mem_dup(map.bytes, n, 1);
	filemap_close(&map);
	read_lines(f, (struct str){f->bytes, n});
	if (f->class_count == 0)
		return err_set(e, ERR_MALFORMED,
		    "is no mapping of ProGuard or R8 (expected lines as \"class -> name:\")");
	index_all(f);
	return true;
}

static void
mapping_file_release(struct mapping_file *f)
{
	mem_free(f->bytes);
	mem_free(f->classes);
	mem_free(f->methods);
	*f = (struct mapping_file){0};
}

static int
class_is(const void *key, const void *item)
{
	return str_compare(*(const struct str *)key, ((const struct mapping_class *)item)->now);
}

/* NULL when the file does not name it. */
static const struct mapping_class *
mapping_class_find(const struct mapping_file *f, struct str now)
{
	return bsearch(&now, f->classes, f->class_count, sizeof(*f->classes), class_is);
}

/* The methods of that name, next to each other; `*count` may be 0. */
static const struct mapping_method *
mapping_methods_find(const struct mapping_file *f, const struct mapping_class *c,
    struct str now, size_t *count)
{
	const struct mapping_method *all = f->methods + c->first;
	const struct mapping_method key = {.of = c->count > 0 ? all->of : 0, .now = now};
	size_t first = mem_before(all, c->count, sizeof(*all), &key, method_order), end = first;

	while (end < c->count && str_equal(all[end].now, now))
		end++;
	*count = end - first;
	return all + first;
}

/* The trace ------------------------------------------------------------------------- */

enum {
	NAMES_MAX = 4,            /* named of one method */
	SIGNATURE_MAX = 8 * 1024, /* longer ones stay unchanged, and so does */
	MADE_MAX = 256 << 20,     /* what comes when so many bytes were made */
};

struct mapping {
	struct renamer renamer; /* first: what the trace holds */
	struct mapping_file file;
	struct arena made;
	struct sbuf class_name, types, signature, name; /* of the present method */
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
 * Takes one type from the front of `rest` and appends it to `signature` in the form of
 * the source, and to `types` in words.  False when it is none.
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

/* The next line has the same lines of the program: this one was inlined into it. */
static bool
is_inlined(const struct candidates *c, size_t i)
{
	const struct mapping_method *m = &c->all[i];

	return i + 1 < c->count && m->from != 0 && m[1].from == m->from && m[1].to == m->to &&
	       m[1].line == m->line + 1;
}

/* Rules, the surest first; the first that any method passes decides. */
enum mapping_rule {
	BY_RESIDUAL,
	BY_TYPES,
	/*
	 * Methods that begin at the same line in programs without line numbers look as if they
	 * were inlined into each other.
	 */
	BY_TYPES_HERE,
	/* Its signature is not that of the source: arguments that nothing used are gone. */
	BY_NAME,
	RULES
};

static bool
rule_passes(enum mapping_rule rule, const struct candidates *c, size_t i)
{
	const struct mapping_method *m = &c->all[i];

	if (rule == BY_RESIDUAL)
		return m->residual.n > 0 && str_equal(m->residual, c->signature);
	if (rule != BY_NAME && (c->types.p == NULL || !str_equal(m->arguments, c->types)))
		return false;
	return rule == BY_TYPES_HERE ? m->holder.n == 0 : !is_inlined(c, i);
}

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

	for (enum mapping_rule rule = 0; rule < RULES && n == 0; rule++) {
		for (size_t i = 0; i < c->count && n <= NAMES_MAX; i++) {
			size_t k = 0;

			if (!rule_passes(rule, c, i))
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

/* A method as a method trace has it. */
static void
rename_whole(struct mapping *m, struct method *method)
{
	const struct mapping_class *class_ = mapping_class_find(&m->file,
	    dotted(&m->class_name, method->class_name));
	bool has_signature = signature_read(m, method->signature);

	if (class_ != NULL)
		rename_in_class(m, class_, has_signature, method);
	if (has_signature)
		method->signature = keep(m, &m->signature, method->signature);
}

/* A slice "a.b.c.x" may be a method, as in the method traces of AndroidX. */
static void
rename_slice(struct mapping *m, struct method *slice)
{
	const char *dot = memrchr(slice->name.p, '.', slice->name.n);
	const struct mapping_class *class_;
	struct method method = {.known = true};
	struct sbuf whole = {0};

	if (dot == NULL)
		return;
	class_ = mapping_class_find(
	    &m->file, (struct str){slice->name.p, (size_t)(dot - slice->name.p)});
	if (class_ == NULL)
		return;
	method.name = (struct str){dot + 1, slice->name.n - (size_t)(dot + 1 - slice->name.p)};
	rename_in_class(m, class_, false, &method);
	sbuf_str(&whole, method.class_name);
	sbuf_char(&whole, '.');
	sbuf_str(&whole, method.name);
	slice->name = keep(m, &whole, slice->name);
	sbuf_release(&whole);
}

static void
rename_method(struct renamer *renamer, struct method *method)
{
	struct mapping *m = (struct mapping *)renamer;

	if (method->class_name.n == 0 && method->signature.n == 0 && method->name.n > 0)
		rename_slice(m, method);
	else
		rename_whole(m, method);
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

	m->renamer = (struct renamer){rename_method, release, RENAMED_BY_MAPPING, NULL};
	if (!mapping_file_read(&m->file, path, e)) {
		release(&m->renamer);
		return false;
	}
	trace_rename(t, &m->renamer);
	trace_note(t, "methods have the names that %s gives them", path_base(path));
	return true;
}
