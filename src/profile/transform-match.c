/* Which methods a transform is about. */
#include <config.h>

#include "profile/transform.h"

#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "profile/same.h"

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

/* As filters do: the name as shown, or as it is in the file. */
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
	if (!pattern_compile(text, t->flags, &pattern, e))
		return NULL;
	matches = mem_zero(count, 1);
	for (uint32_t m = METHOD_TOPLEVEL + 1; m < count && good; m++) {
		enum pattern_result result = name_match(pattern, trace_method(trace, m), &name);

		matches[m] = result == PATTERN_MATCH;
		if (result == PATTERN_TOO_COSTLY)
			good = err_set(e, ERR_LIMIT, "pattern of %s is too costly, ignored",
			    transform_kinds[t->id].name);
		else if (m % CANCEL_NAMES == 0 && cancel != NULL && atomic_load(cancel))
			good = err_set(e, ERR_CANCELLED, "interrupted");
	}
	sbuf_release(&name);
	pattern_free(pattern);
	if (good)
		return matches;
	mem_free(matches);
	return NULL;
}
