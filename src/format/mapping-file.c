#include <config.h>

#include "format/mapping-file.h"

#include <stdlib.h>
#include <string.h>

#include "base/filemap.h"
#include "base/mem.h"

static struct str
trim(struct str s)
{
	while (s.n > 0 && (s.p[0] == ' ' || s.p[0] == '\t'))
		s = (struct str){s.p + 1, s.n - 1};
	while (s.n > 0 && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\r'))
		s.n--;
	return s;
}

/* Cuts "LEFT -> RIGHT"; false where there is no arrow. */
static bool
cut_arrow(struct str line, struct str *left, struct str *right)
{
	for (size_t i = line.n; i >= 4; i--) {
		if (memcmp(line.p + i - 4, " -> ", 4) != 0)
			continue;
		*left = trim((struct str){line.p, i - 4});
		*right = trim((struct str){line.p + i, line.n - i});
		return left->n > 0 && right->n > 0;
	}
	return false;
}

/* A number in front, behind which stands `mark`; leaves `s` alone when there is none. */
static bool
cut_number(struct str *s, char mark, uint64_t *n)
{
	size_t i = 0;

	*n = 0;
	while (i < s->n && i < 18 && s->p[i] >= '0' && s->p[i] <= '9')
		*n = *n * 10 + (uint64_t)(s->p[i++] - '0');
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
	MEM_GROW(f->classes, f->class_room, f->class_count + 1);
	c = &f->classes[f->class_count++];
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
	MEM_GROW(f->methods, f->method_room, f->method_count + 1);
	f->methods[f->method_count++] = m;
	f->at_method = true;
}

/* The text behind `key` and a quote up to the next; empty when there is none. */
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
	int order = str_compare(x->now, y->now);

	return order != 0 ? order : (x->first > y->first) - (x->first < y->first);
}

static int
method_order(const void *a, const void *b)
{
	const struct mapping_method *x = a, *y = b;
	int order = (x->of > y->of) - (x->of < y->of);

	if (order == 0)
		order = str_compare(x->now, y->now);
	return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

/* Methods to their classes, and both where they are looked for. */
static void
index_all(struct mapping_file *f)
{
	if (f->method_count > 1)
		qsort(f->methods, f->method_count, sizeof(*f->methods), method_order);
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
		struct str line = str_cut(&rest, '\n'), text = trim(line);

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

bool
mapping_file_read(struct mapping_file *f, const char *path, struct err *e)
{
	struct filemap map = {0};
	size_t n;

	if (!filemap_open(&map, path, e)) {
		filemap_close(&map);
		return false;
	}
	/* A copy: the file may be replaced by the next build while this one is looked at. */
	n = map.size;
	f->bytes = mem_alloc(n + 1);
	if (n > 0)
		memcpy(f->bytes, map.bytes, n);
	filemap_close(&map);
	read_lines(f, (struct str){f->bytes, n});
	if (f->class_count == 0)
		return err_set(e, ERR_MALFORMED,
		    "is no mapping of ProGuard or R8 (expected lines as \"class -> name:\")");
	index_all(f);
	return true;
}

void
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

const struct mapping_class *
mapping_class_find(const struct mapping_file *f, struct str now)
{
	return bsearch(&now, f->classes, f->class_count, sizeof(*f->classes), class_is);
}

const struct mapping_method *
mapping_methods_find(const struct mapping_file *f, const struct mapping_class *c,
    struct str now, size_t *count)
{
	size_t low = c->first, high = c->first + c->count, end = high;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (str_compare(f->methods[middle].now, now) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < end && str_equal(f->methods[high].now, now); high++)
		;
	*count = high - low;
	return f->methods + low;
}
