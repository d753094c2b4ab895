// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/diff/choice.h"

#include "base/map.h"
#include "base/pattern.h"
#include "base/sbuf.h"

static uint32_t
thread_name(struct intern *names, const struct trace *of, const struct thread *t)
{
	return t->name.n > 0 ? intern_add(names, trace_thread_key(of, t), 0)
			     : intern_add(names, STR(""), (uint64_t)t->id + 1);
}

struct scope *
diff_scope(const struct scope *chosen, const struct trace *a, const struct trace *b)
{
	uint32_t count_a = trace_thread_count(a), count_b = trace_thread_count(b);
	struct intern names = {0};
	struct scope *scope;
	size_t known;

	if (chosen == NULL)
		return NULL;
	scope = scope_new(count_a, false);
	for (uint32_t i = 0; i < count_b; i++)
		if (scope_has(chosen, i))
			(void)thread_name(&names, b, trace_thread(b, i));
	known = names.count;
	for (uint32_t i = 0; i < count_a; i++)
		scope->in[i] = thread_name(&names, a, trace_thread(a, i)) < known;
	intern_release(&names);
	return scope;
}

/* The expression for one method's name; without blanks, which would part a path. */
static void
put_method(struct sbuf *out, const struct trace *t, uint32_t method)
{
	struct sbuf name = {0}, quoted = {0};

	method_full_name(&name, trace_method(t, method));
	pattern_quote(&quoted, sbuf_view(&name));
	for (size_t i = 0; i < quoted.n; i++) {
		if (quoted.p[i] == ' ')
			sbuf_text(out, "\\x20");
		else
			sbuf_char(out, quoted.p[i]);
	}
	sbuf_release(&quoted);
	sbuf_release(&name);
}

/* "(?-i)^(?:one|two)$", and of a path such an expression for each frame. */
static void
put_methods(struct sbuf *out, const struct transform *t, const struct trace *b)
{
	bool path = transform_kinds[t->id].argument == ARGUMENT_PATH;

	for (size_t i = 0; i < t->depth; i++) {
		if (path && i > 0)
			sbuf_text(out, " / ");
		if (path || i == 0)
			sbuf_text(out, "(?-i)^(?:");
		put_method(out, b, t->methods[i]);
		if (path || i + 1 == t->depth)
			sbuf_text(out, ")$");
		else
			sbuf_char(out, '|');
	}
}

bool
diff_transforms(struct transforms *to, const struct transforms *from, const struct trace *b)
{
	bool all = true;

	transforms_copy(to, from);
	for (size_t i = to->count; i-- > 0;) {
		struct transform *t = &to->list[i], old = *t;
		struct transforms named = {0};
		struct sbuf text = {0};

		if (t->methods == NULL)
			continue;
		put_methods(&text, t, b);
		if (transforms_add_text(&named, t->id, sbuf_view(&text), NULL)) {
			*t = named.list[0];
			t->off = old.off;
			named.list[0] = old;
		} else {
			transforms_remove(to, i);
			all = false;
		}
		transforms_release(&named);
		sbuf_release(&text);
	}
	return all;
}
