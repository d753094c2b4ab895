// SPDX-License-Identifier: Apache-2.0
/*
 * identity: rows of methods, threads and paths have the same numbers in every load of a trace, by
 * however many workers, and in one that lists its methods and threads in another order.
 */
#include <config.h>

#include "tap/tap.h"

#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "profile/load/loader.h"
#include "random-trace.h"
#include "tests/folded.h"
#include "view/methods.h"
#include "view/threads.h"
#include "view/tree/calltree.h"

enum { ROWS_MOST = 20000 };

struct rows {
	struct list_id ids[ROWS_MOST];
	size_t count;
};

/* Lines of a section, the last first. */
static void
reverse_lines(char *from, char *to)
{
	size_t size = (size_t)(to - from);
	char *out = malloc(size + 1), *at = out, *line;

	for (line = to; line > from; at += strcspn(line, "\n") + 1) {
		for (line--; line > from && line[-1] != '\n'; line--)
			;
		memcpy(at, line, strcspn(line, "\n") + 1);
	}
	memcpy(from, out, size);
	free(out);
}

static int
id_order(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct list_id));
}

static void
rows_add(struct rows *r, const struct list *l)
{
	for (size_t i = 0; i < l->at.count && r->count < ROWS_MOST; i++)
		r->ids[r->count++] = l->rows[i].id;
}

static void
tree_rows(struct rows *r, struct display *d, const struct paths *paths, struct callers *callers)
{
	struct calltree t;

	calltree_init(&t, d, callers != NULL);
	list_set_size(&t.list, 20, 80);
	calltree_set(&t, paths, callers, NULL);
	for (uint32_t i = 0; i < calltree_paths(&t)->roots; i++) {
		calltree_go(&t, i);
		calltree_open_all(&t, 1000);
	}
	rows_add(r, &t.list);
	calltree_release(&t);
}

/* All rows of the lists, with all below them. */
static void
rows_make(struct rows *r, unsigned jobs, bool reversed)
{
	struct err e = {0};
	size_t size;
	uint8_t *bytes = random_trace_bytes(&size);
	char *text = (char *)bytes, *methods = strstr(text, "*methods\n");
	struct trace *trace;
	struct profile *p;
	struct display d;
	struct names *names;
	struct methods m;
	struct threads t;
	struct scope *scope = NULL;
	struct paths *paths;
	struct callers *callers;

	if (reversed) {
		reverse_lines(strstr(text, "*threads\n") + 9, methods);
		reverse_lines(methods + 9, strstr(text, "*end\n"));
	}
	trace = format_open_memory(bytes, size, "random", &e);
	p = profile_new(trace);
	loader_run(p, jobs, NULL, &e);
	names = names_new(trace, true);
	display_init(&d, trace, names);
	display_set_fold(&d, fold_new(p, NULL, NULL, NULL));
	methods_init(&m, &d);
	m.list.all = true;
	methods_follow(&m);
	r->count = 0;
	rows_add(r, &m.list);
	threads_init(&t, &d, &scope);
	rows_add(r, &t.list);
	paths = paths_counted(p, NULL, NULL, NULL, false, false, NULL);
	callers = callers_new(paths, NULL);
	tree_rows(r, &d, paths, NULL);
	tree_rows(r, &d, paths, callers);
	qsort(r->ids, r->count, sizeof(*r->ids), id_order);
	callers_free(callers);
	paths_free(paths);
	threads_release(&t);
	methods_release(&m);
	display_release(&d);
	names_free(names);
	profile_free(p);
	trace_free(trace);
	free(bytes);
}

static void
same(const struct rows *a, const struct rows *b, const char *what)
{
	size_t twice = 0;

	for (size_t i = 1; i < a->count; i++)
		twice += list_id_equal(a->ids[i], a->ids[i - 1]);
	/* Threads are rows of two lists. */
	is_int(twice, RANDOM_THREADS, "%s: no two rows of one number", what);
	ok(a->count == b->count && memcmp(a->ids, b->ids, a->count * sizeof(*a->ids)) == 0,
	    "%s: %zu rows, the same numbers", what, a->count);
}

/* Three that are the same but for their place, one with another signature. */
static void
test_names(void)
{
	static char text[] = "*version\n3\nclock=global\n*threads\n1\tmain\n*methods\n"
	    "0x4\tC\tm\t()V\tC.java\n0x8\tC\tm\t()V\tC.java\n0xc\tC\tm\t(I)V\tC.java\n"
	    "0x10\tC\tm\t()V\tC.java\n*end\nSLOW\3\0\22\0\0\0\0\0\0\0\0\0\12\0";
	struct err e = {0};
	struct trace *trace = format_open_memory((uint8_t *)text, sizeof(text) - 1, "names", &e);
	struct identities *ids = identities_new(trace);

	for (uint32_t i = 1; i < trace_method_count(trace); i++) {
		uint64_t id = identity_method(ids, i);

		is_int(identity_to_method(ids, id), i, "method %u has a number of its own", i);
		is_int(id % IDENTITY_KINDS, 0, "with room for a kind");
	}
	is_int(identity_method(ids, METHOD_NONE), 0, "no method has none");
	is_int(identity_to_method(ids, 0), METHOD_NONE, "and none no method");
	is_int(identity_to_thread(ids, identity_thread(ids, 0)), 0, "a thread, too");
	identities_free(ids);
	trace_free(trace);
}

int
main(void)
{
	static struct rows first, other;

	for (int seed = 1; seed <= 3; seed++) {
		random_trace_make((uint64_t)seed, 1);
		rows_make(&first, 1, false);
		rows_make(&other, 1, false);
		same(&first, &other, "loaded again");
		rows_make(&other, 5, false);
		same(&first, &other, "5 workers");
		rows_make(&other, 1, true);
		same(&first, &other, "another order");
	}
	test_names();
	return tap_done();
}
