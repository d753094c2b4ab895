/*
 * join: parts cut anywhere and joined give what one pass gives: the same tables, lists,
 * damage and single calls.
 */
#include <config.h>

#include "format/format.h"
#include "profile/fold.h"
#include "profile/join.h"
#include "profile/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "random-trace.h"
#include "tap/tap.h"

static struct profile *
load_whole(struct trace *t)
{
	struct profile *p = profile_new(t);
	struct err e = {0};

	while (profile_load(p, 5000, &e) == LOAD_MORE) {
	}
	return p;
}

/* Cuts at random places; what cannot be joined is read again, and counted. */
static struct profile *
load_parts(struct trace *t, int *again)
{
	struct source *s = t->source;
	struct profile *p = profile_new(t);
	struct err e = {0};
	uint64_t left = s->end;

	for (int i = 0; p->state == LOAD_MORE; i++) {
		struct cursor cut;
		struct profile *next;

		s->ops->cut(s, p->at.offset + random_below((uint32_t)(left - p->at.offset)), &cut);
		if (i == 0) {
			p->stop = cut.offset;
			while (profile_load_part(p, 3000)) {
			}
			continue;
		}
		if (cut.offset <= p->at.offset || i > 4)
			cut.offset = left;
		next = profile_new_part(t, p->at, cut.offset);
		while (profile_load_part(next, 3000)) {
		}
		if (!profile_join(p, next)) {
			(*again)++;
			p->stop = cut.offset;
			while (p->at.offset < p->stop && profile_load_part(p, 3000)) {
			}
		}
		profile_free(next);
		if (p->at.offset == left)
			profile_load(p, 1, &e);
	}
	return p;
}

/* Children of one frame with one method, which would be one path twice. */
static int
twins(const struct tree *t)
{
	int found = 0;

	for (uint32_t n = 1; n < t->count; n++) {
		for (uint32_t a = tree_child(&t->nodes[n]); a != NODE_NONE; a = t->nodes[a].sibling) {
			for (uint32_t b = t->nodes[a].sibling; b != NODE_NONE; b = t->nodes[b].sibling)
				found += t->nodes[a].method == t->nodes[b].method &&
				    !tree_is_bottom(t, a) && !tree_is_bottom(t, b);
		}
	}
	return found;
}

static bool
same_sums(const struct fold *a, const struct fold *b)
{
	bool same = a->method_count == b->method_count && a->calls == b->calls &&
	    a->records == b->records && memcmp(a->total, b->total, sizeof(a->total)) == 0;

	for (uint32_t m = 0; same && m < a->method_count; m++)
		same = memcmp(&a->methods[m], &b->methods[m], sizeof(a->methods[m])) == 0;
	for (uint32_t i = 0; same && i < a->thread_count; i++)
		same = memcmp(&a->threads[i], &b->threads[i], sizeof(a->threads[i])) == 0;
	return same;
}

static bool
same_relation(const struct relation *x, const struct relation *y)
{
	return x->method == y->method && x->calls == y->calls &&
	    memcmp(x->inclusive, y->inclusive, sizeof(x->inclusive)) == 0;
}

static bool
same_relations(const struct fold *a, const struct fold *b)
{
	for (uint32_t m = 0; m < a->method_count; m++) {
		for (int kind = 0; kind < RELATION_KINDS; kind++) {
			uint32_t n, k;
			const struct relation *x = fold_relations(a, m, (enum relation_kind)kind, &n);
			const struct relation *y = fold_relations(b, m, (enum relation_kind)kind, &k);

			if (n != k)
				return false;
			for (uint32_t i = 0; i < n; i++) {
				if (!same_relation(&x[i], &y[i]))
					return false;
			}
		}
	}
	return true;
}

static bool
same_damage(const struct damage *a, const struct damage *b)
{
	for (int i = 0; i < DAMAGE_KINDS; i++) {
		if (a->kind[i].count == b->kind[i].count &&
		    (a->kind[i].count == 0 || a->kind[i].offset == b->kind[i].offset))
			continue;
		diag("%s: %llu at %#llx, not %llu at %#llx", damage_kinds[i].name,
		    (unsigned long long)b->kind[i].count, (unsigned long long)b->kind[i].offset,
		    (unsigned long long)a->kind[i].count, (unsigned long long)a->kind[i].offset);
		return false;
	}
	return true;
}

static int
calls_differing(const struct profile *a, const struct profile *b)
{
	int wrong = 0;

	for (int i = 0; i < 40; i++) {
		uint32_t thread = (uint32_t)i % RANDOM_THREADS;
		nsec at = a->begin + (nsec)random_below((uint32_t)((a->end - a->begin) / 1000)) * 1000;
		struct call x, y;

		timeline_call_at(a, thread, at, &x, NULL);
		timeline_call_at(b, thread, at, &y, NULL);
		x.node = y.node = 0; /* the trees may number them differently */
		wrong += memcmp(&x, &y, sizeof(x)) != 0;
	}
	return wrong;
}

int
main(void)
{
	int again = 0, expected = 0;

	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct err e = {0};
		struct trace *t;
		struct profile *whole, *parts;
		struct fold *x, *y;
		uint8_t *bytes;
		size_t size;

		random_trace_make(seed * 77, seed < 5 ? 0 : seed < 8 ? 1 : 2);
		bytes = random_trace_bytes(&size);
		t = format_open_memory(bytes, size, "random", &e);
		if (!ok(t != NULL, "opens %s", e.what))
			break;
		whole = load_whole(t);
		x = fold_new(whole, NULL, NULL, NULL);
		for (int i = 0; i < 3; i++) {
			parts = load_parts(t, seed < 5 ? &again : &expected);
			y = fold_new(parts, NULL, NULL, NULL);
			ok(same_sums(x, y), "seed %d.%d: sums", (int)seed, i);
			ok(same_relations(x, y), "relations");
			ok(same_damage(&whole->damage, &parts->damage), "damage");
			is_int(twins(&parts->tree), 0, "no path twice");
			is_int(parts->tree.count, whole->tree.count, "as many paths");
			is_int(calls_differing(whole, parts), 0, "single calls");
			fold_free(y);
			profile_free(parts);
		}
		fold_free(x);
		profile_free(whole);
		trace_free(t);
		free(bytes);
	}
	is_int(again, 0, "a part of sound records is always joined");
	diag("of others %d were read again", expected);
	return tap_done();
}
