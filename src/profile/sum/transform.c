// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "profile/sum/idle.h"
#include "profile/sum/same.h"
#include "profile/sum/transform.h"

enum { PATH_PATTERNS = 64 };

#define PATH_MARK " / "

const struct transform_kind transform_kinds[TRANSFORMS] = {
    [TRANSFORM_INCLUDE] = {"include", '+', ARGUMENT_PATTERN, "REGEX",
	"only stacks with a method that matches"},
    [TRANSFORM_EXCLUDE] = {"exclude", '-', ARGUMENT_PATTERN, "REGEX",
	"no stacks with a method that matches"},
    [TRANSFORM_FOCUS] = {"focus", 'f', ARGUMENT_METHOD, "METHOD",
	"only the method and what it calls, from any caller"},
    [TRANSFORM_FOCUS_SUBTREE] = {"focus-subtree", 'F', ARGUMENT_PATH, "PATH",
	"only the method and what it calls on this path"},
    [TRANSFORM_FOCUS_SELF] = {"focus-self", 'S', ARGUMENT_METHOD, "METHOD",
	"only the method itself, without what it calls"},
    [TRANSFORM_FOCUS_PACKAGE] = {"focus-package", 'g', ARGUMENT_PACKAGE, "PACKAGE",
	"only frames of the package; others count to their callers"},
    [TRANSFORM_MERGE] = {"merge", 'm', ARGUMENT_METHOD, "METHOD",
	"remove the method; its time goes to its callers"},
    [TRANSFORM_MERGE_NODE] = {"merge-node", 'M', ARGUMENT_PATH, "PATH",
	"remove the method on this path only"},
    [TRANSFORM_DROP] = {"drop", 'd', ARGUMENT_METHOD, "METHOD",
	"remove the method, its time and what it calls"},
    [TRANSFORM_COLLAPSE] = {"collapse", 'c', ARGUMENT_METHOD, "METHOD",
	"what the method calls counts as the method"},
    [TRANSFORM_COLLAPSE_PACKAGE] = {"collapse-package", 'C', ARGUMENT_PACKAGE, "PACKAGE",
	"calls within the package become one frame"},
    [TRANSFORM_COLLAPSE_MATCHES] = {"collapse-matches", '*', ARGUMENT_PATTERN, "REGEX",
	"calls among methods that match become one frame"},
    [TRANSFORM_RECURSION] = {"recursion", 'r', ARGUMENT_METHOD, "METHOD",
	"its calls within itself, however far, become one"},
    [TRANSFORM_DIRECT_RECURSION] = {"direct-recursion", 'R', ARGUMENT_METHOD, "METHOD",
	"its calls of itself become one"},
    [TRANSFORM_BELOW] = {"below", '%', ARGUMENT_PERCENT, "PERCENT",
	"paths with less than this of the total become one"},
    [TRANSFORM_IDLE] = {"idle", 'i', ARGUMENT_RULES, "REGEX",
	"remove waiting time; alone: by the rules"},
};

enum transform_id
transform_find(struct str name)
{
	int id = 0;

	while (id < TRANSFORMS && !str_equal(name, str_from(transform_kinds[id].name)))
		id++;
	return (enum transform_id)id;
}

enum transform_id
transform_find_key(char key)
{
	int id = 0;

	while (id < TRANSFORMS && transform_kinds[id].key != key)
		id++;
	return (enum transform_id)id;
}

/* The list --------------------------------------------------------------- */

static void
transform_release(struct transform *t)
{
	mem_free(t->methods);
	mem_free((char *)t->text.p);
}

void
transforms_release(struct transforms *t)
{
	for (size_t i = 0; i < t->count; i++)
		transform_release(&t->list[i]);
	mem_free(t->list);
	*t = (struct transforms){0};
}

static struct transform *
transforms_push(struct transforms *t, struct transform added)
{
	struct transform *kept = MEM_ADD(t->list, t->count, t->room);

	added.text.p = mem_text(added.text);
	if (added.methods != NULL)
		added.methods = mem_dup(added.methods, added.depth, sizeof(*added.methods));
	*kept = added;
	return kept;
}

void
transforms_copy(struct transforms *to, const struct transforms *from)
{
	transforms_release(to);
	for (size_t i = 0; i < from->count; i++)
		transforms_push(to, from->list[i]);
}

static bool
transform_equal(const struct transform *a, const struct transform *b)
{
	return a->id == b->id && a->off == b->off && a->depth == b->depth &&
	    a->hundredths == b->hundredths && str_equal(a->text, b->text) &&
	    (a->depth == 0 ||
		memcmp(a->methods, b->methods, a->depth * sizeof(*a->methods)) == 0);
}

bool
transforms_equal(const struct transforms *a, const struct transforms *b)
{
	bool equal = a->count == b->count;

	for (size_t i = 0; i < a->count && equal; i++)
		equal = transform_equal(&a->list[i], &b->list[i]);
	return equal;
}

bool
transforms_active(const struct transforms *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (!t->list[i].off)
			return true;
	return false;
}

void
transforms_remove(struct transforms *t, size_t index)
{
	transform_release(&t->list[index]);
	t->count--;
	memmove(&t->list[index], &t->list[index + 1], (t->count - index) * sizeof(*t->list));
}

void
transforms_replace(struct transforms *t, size_t index)
{
	size_t last = t->count - 1;
	struct transform replaced = t->list[index];

	if (index == last)
		return;
	t->list[index] = t->list[last];
	t->list[index].off = replaced.off;
	t->list[last] = replaced;
	transforms_remove(t, last);
}

void
transforms_add_methods(struct transforms *t, enum transform_id id, const uint32_t *methods,
    size_t depth)
{
	transforms_push(t,
	    (struct transform){.id = id, .methods = (uint32_t *)methods, .depth = depth});
}

/* Arguments as text ------------------------------------------------------ */

struct str
transform_path_cut(struct str *rest)
{
	size_t mark = sizeof(PATH_MARK) - 1;
	struct str part = *rest;

	for (size_t i = 0; i + mark <= rest->n; i++) {
		if (memcmp(rest->p + i, PATH_MARK, mark) == 0) {
			part.n = i;
			*rest = (struct str){rest->p + i + mark, rest->n - i - mark};
			return part;
		}
	}
	*rest = (struct str){rest->p + rest->n, 0};
	return part;
}

static bool
pattern_good(struct str text, struct str part, struct err *e)
{
	struct pattern *pattern;

	if (part.n == 0)
		return err_at(e, ERR_MALFORMED, (uint64_t)(part.p - text.p), "a pattern is missing");
	if (pattern_compile(part, 0, &pattern, e)) {
		pattern_free(pattern);
		return true;
	}
	if (e != NULL && e->has_offset)
		e->offset += (uint64_t)(part.p - text.p);
	return false;
}

static bool
path_good(struct str text, struct err *e)
{
	struct str rest = text;
	int parts = 0;

	do {
		if (!pattern_good(text, transform_path_cut(&rest), e))
			return false;
		if (++parts > PATH_PATTERNS)
			return err_set(e, ERR_LIMIT, "a path of more than %d patterns",
			    PATH_PATTERNS);
	} while (rest.n > 0);
	return true;
}

/* "0.5", "0.5%", "12 %": up to two decimals. */
static bool
percent_read(struct str text, uint32_t *hundredths, struct err *e)
{
	uint32_t value = 0;
	int digits = 0, decimals = -1;
	size_t i = 0;

	for (; i < text.n && digits < 6; i++) {
		if (text.p[i] == '.' && decimals < 0) {
			decimals = 0;
		} else if (text.p[i] >= '0' && text.p[i] <= '9' && decimals < 2) {
			value = value * 10 + (uint32_t)(text.p[i] - '0');
			digits++;
			decimals += decimals >= 0;
		} else {
			break;
		}
	}
	for (decimals = decimals < 0 ? 0 : decimals; decimals < 2; decimals++)
		value *= 10;
	while (i < text.n && text.p[i] == ' ')
		i++;
	if (i < text.n && text.p[i] == '%')
		i++;
	if (i < text.n || digits == 0 || value > 10000)
		return err_at(e, ERR_MALFORMED, i < text.n ? i : 0,
		    "a percentage is 0 to 100, with up to two decimals");
	*hundredths = value;
	return true;
}

/* "java.util", "java.util.*", "java/util/". */
static bool
package_read(struct str *text, struct err *e)
{
	struct str package = *text;

	if (package.n > 0 && package.p[package.n - 1] == '*')
		package.n--;
	if (package.n > 0 && (package.p[package.n - 1] == '.' || package.p[package.n - 1] == '/'))
		package.n--;
	if (package.n == 0)
		return err_at(e, ERR_MALFORMED, 0, "a package is missing");
	*text = package;
	return true;
}

bool
transforms_add_text(struct transforms *t, enum transform_id id, struct str text,
    struct err *e)
{
	struct transform added = {.id = id};
	struct idle_rules rules;
	struct sbuf pattern = {0};
	bool good = false;

	switch (transform_kinds[id].argument) {
	case ARGUMENT_RULES:
		if (text.n == 0) {
			idle_init(&rules);
			idle_pattern(&rules, &pattern);
			idle_release(&rules);
			text = sbuf_view(&pattern);
		}
		good = pattern_good(text, text, e);
		break;
	case ARGUMENT_PATTERN:
	case ARGUMENT_METHOD:
		good = pattern_good(text, text, e);
		break;
	case ARGUMENT_PATH:
		good = path_good(text, e);
		break;
	case ARGUMENT_PACKAGE:
		good = package_read(&text, e);
		break;
	case ARGUMENT_PERCENT:
		good = percent_read(text, &added.hundredths, e);
		text = STR("");
		break;
	}
	added.text = text;
	if (good)
		added = *transforms_push(t, added);
	sbuf_release(&pattern);
	if (!good)
		return false;
	if (transform_kinds[id].argument == ARGUMENT_PACKAGE)
		for (size_t i = 0; i < added.text.n; i++)
			if (added.text.p[i] == '/')
				((char *)added.text.p)[i] = '.';
	return true;
}

bool
transforms_add_line(struct transforms *t, struct str line, struct err *e)
{
	const char *colon = line.n > 0 ? memchr(line.p, ':', line.n) : NULL;
	size_t n = colon != NULL ? (size_t)(colon - line.p) : line.n;
	enum transform_id id = transform_find((struct str){line.p, n});

	if (id == TRANSFORMS)
		return err_at(e, ERR_MALFORMED, 0, "no transform has this name");
	if (colon == NULL && transform_kinds[id].argument == ARGUMENT_RULES)
		return transforms_add_text(t, id, STR(""), e);
	if (colon == NULL)
		return err_at(e, ERR_MALFORMED, n, "':' and %s are missing",
		    transform_kinds[id].operand);
	if (transforms_add_text(t, id, (struct str){colon + 1, line.n - n - 1}, e))
		return true;
	if (e != NULL && e->has_offset)
		e->offset += n + 1;
	return false;
}

void
transform_argument_text(struct sbuf *out, const struct transform *t, const struct trace *trace)
{
	switch (transform_kinds[t->id].argument) {
	case ARGUMENT_RULES:
		return; /* there are many */
	case ARGUMENT_PACKAGE:
		sbuf_str(out, t->text);
		sbuf_text(out, ".*");
		return;
	case ARGUMENT_PERCENT:
		sbuf_printf(out, t->hundredths % 10 != 0 ? "%u.%02u %%" : "%u.%u %%",
		    t->hundredths / 100,
		    t->hundredths % 10 != 0 ? t->hundredths % 100 : t->hundredths % 100 / 10);
		return;
	default:
		break;
	}
	for (size_t i = 0; i < t->depth; i++) {
		if (i > 0)
			sbuf_text(out, PATH_MARK);
		method_full_name(out, trace_method(trace, t->methods[i]));
	}
	if (t->depth == 0) {
		sbuf_char(out, '/');
		sbuf_str(out, t->text);
		sbuf_char(out, '/');
	}
}

/* Which methods a transform is about ---------------------------------------------- */

enum { CANCEL_NAMES = 1024 };

static bool
package_has(struct str package, struct str class_name)
{
	struct str of = same_package(class_name);

	if (of.n < package.n || (of.n > package.n && of.p[package.n] != '.' &&
				    of.p[package.n] != '/'))
		return false;
	for (size_t i = 0; i < package.n; i++) {
		char a = of.p[i], b = package.p[i];

		if (a != b && !((a == '/' && b == '.') || (a == '.' && b == '/')))
			return false;
	}
	return true;
}

static uint8_t *
package_matches(const struct trace *trace, uint32_t count, struct str package)
{
	uint8_t *matches = mem_zero(count, 1);

	for (uint32_t m = METHOD_TOPLEVEL + 1; m < count; m++) {
		const struct method *method = trace_method(trace, m);

		matches[m] = method->class_name.n > 0 && package_has(package, method->class_name);
	}
	return matches;
}

/* As filters do: by the shown name, or the one in the file's own bytes. */
static enum pattern_result
name_match(const struct pattern *pattern, const struct method *m, struct sbuf *name)
{
	enum pattern_result result;

	sbuf_clear(name);
	method_full_name(name, m);
	result = pattern_match(pattern, sbuf_view(name), NULL, NULL);
	if (result != PATTERN_NO || m->class_name.n == 0 ||
	    memchr(m->class_name.p, '/', m->class_name.n) == NULL)
		return result;
	memcpy(name->p, m->class_name.p, m->class_name.n < name->n ? m->class_name.n : name->n);
	return pattern_match(pattern, sbuf_view(name), NULL, NULL);
}

uint8_t *
transform_matches(const struct transform *t, const struct trace *trace, uint32_t count,
    struct str text, const atomic_bool *cancel, struct err *e)
{
	struct pattern *pattern;
	struct sbuf name = {0};
	uint8_t *matches;
	bool good = true;

	if (transform_kinds[t->id].argument == ARGUMENT_PACKAGE)
		return package_matches(trace, count, text);
	if (!pattern_compile(text, 0, &pattern, e))
		return NULL;
	matches = mem_zero(count, 1);
	for (uint32_t m = METHOD_TOPLEVEL + 1; m < count && good; m++) {
		enum pattern_result result = name_match(pattern, trace_method(trace, m), &name);

		matches[m] = result == PATTERN_MATCH;
		if (result == PATTERN_TOO_COSTLY)
			good = err_set(e, ERR_LIMIT, "pattern of %s is too costly, ignored",
			    transform_kinds[t->id].name);
		else if (m % CANCEL_NAMES == 0 && is_cancelled(cancel))
			good = err_set(e, ERR_CANCELLED, "interrupted");
	}
	sbuf_release(&name);
	pattern_free(pattern);
	if (good)
		return matches;
	mem_free(matches);
	return NULL;
}
