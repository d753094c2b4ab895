// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/names/groups.h"

#include "base/mem.h"

static void
release(struct group *g)
{
	mem_free(g->name);
	mem_free(g->packages);
}

void
groups_release(struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		release(&groups->list[i]);
	mem_free(groups->list);
	*groups = (struct groups){0};
}

static struct str
next_package(struct str *rest)
{
	struct str word = str_word(rest);

	/* "com.example." and "com.example.*" are what people write, too. */
	if (word.n > 2 && memcmp(word.p + word.n - 2, ".*", 2) == 0)
		word.n -= 2;
	if (word.n > 1 && word.p[word.n - 1] == '.')
		word.n--;
	return word;
}

bool
groups_set(struct groups *groups, struct str name, struct str packages, struct err *e)
{
	struct str rest = packages, word;
	size_t at = 0, words = 0;

	if (name.n == 0)
		return err_set(e, ERR_MALFORMED, "a group needs a name");
	while ((word = next_package(&rest)).n > 0) {
		words++;
		if (word.p[0] == '.' || memchr(word.p, '/', word.n) != NULL)
			return err_set(e, ERR_MALFORMED,
			    "'%.*s' is no package (they are written with dots)",
			    (int)(word.n < 80 ? word.n : 80), word.p);
	}
	while (at < groups->count && !str_equal(str_from(groups->list[at].name), name))
		at++;
	if (at < groups->count) {
		release(&groups->list[at]);
		memmove(&groups->list[at], &groups->list[at + 1],
		    (--groups->count - at) * sizeof(groups->list[0]));
	}
	if (words == 0)
		return true;
	*MEM_ADD(groups->list, groups->count, groups->room) =
	    (struct group){mem_text(name), mem_text(packages)};
	return true;
}

const struct group *
groups_find(const struct groups *groups, struct str class_name, size_t *prefix)
{
	const struct group *found = NULL;
	size_t longest = 0;

	for (size_t i = 0; i < groups->count; i++) {
		struct str rest = str_from(groups->list[i].packages), word;

		while ((word = next_package(&rest)).n > 0) {
			if (word.n <= longest || !str_starts(class_name, word) ||
			    (class_name.n > word.n && class_name.p[word.n] != '.'))
				continue;
			longest = word.n;
			found = &groups->list[i];
		}
	}
	if (prefix != NULL)
		*prefix = longest;
	return found;
}

struct str
groups_key(const struct groups *groups, struct str class_name)
{
	const struct group *g = groups_find(groups, class_name, NULL);
	size_t n = class_name.n;

	if (g != NULL)
		return str_from(g->name);
	while (n > 0 && class_name.p[n - 1] != '.')
		n--;
	return n > 1 ? (struct str){class_name.p, n - 1} : class_name;
}
