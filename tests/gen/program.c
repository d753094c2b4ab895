// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

enum {
	LEVELS_MAX = 64,
	CERTAIN = 65535,
	ENTRY_SITES = 8,
	RARE = CERTAIN / 16,
	RARE_COST = 4000000, /* ns */
	SITE_MIN = 16,
	SITE_RANGE = 4,
	STOCK_EACH = 2,
	LEAVES = 1100, /* methods of 10 000 that call nothing */
};

/* Which generated methods are on a level: [first[l], first[l + 1]). */
struct levels {
	unsigned count;
	uint32_t first[LEVELS_MAX + 1];
};

/* ---- names ---- */

static uint64_t
hash_name(const struct gen_method *m)
{
	uint64_t h = 0xcbf29ce484222325;
	size_t i, k;

	for (k = 0; k < 3; k++) {
		for (i = 0; i < m->column[k].n; i++)
			h = (h ^ (unsigned char)m->column[k].p[i]) * 0x100000001b3;
		h = (h ^ '\t') * 0x100000001b3;
	}
	return h ? h : 1;
}

struct name_set {
	uint64_t *slots;
	size_t mask;
};

/* True when the name is new. */
static bool
name_add(struct name_set *set, uint64_t hash)
{
	size_t i = hash & set->mask;

	while (set->slots[i]) {
		if (set->slots[i] == hash)
			return false;
		i = (i + 1) & set->mask;
	}
	set->slots[i] = hash;
	return true;
}

static void
columns_free(struct gen_method *m)
{
	while (m->columns)
		free(m->column[--m->columns].p);
}

/* Dalvik ids are addresses of method objects, ART's an index from 0. */
static uint64_t
next_id(const struct gen_trace *t, const struct program_size *size, struct rng *r)
{
	if (!size->dalvik)
		return (uint64_t)t->methods.n * 4;
	if (!t->methods.n)
		return 0x62000000;
	return t->methods.p[t->methods.n - 1].id + 0x38 + 4 * rng_below(r, 40);
}

/* "class.name" or "class.name signature". */
static uint32_t
known_method(struct gen_trace *t, const struct program_size *size, struct name_set *names,
    struct rng *r, const char *text)
{
	const char *space = strchr(text, ' ');
	char name[160];
	struct gen_method m = {0};
	size_t i;

	snprintf(name, sizeof name, "%.*s", space ? (int)(space - text) : 159, text);
	names_known_method(&m, name, space ? space + 1 : "()V", size->dalvik);
	if (!name_add(names, hash_name(&m))) {
		for (i = 0; i < t->methods.n; i++)
			if (hash_name(&t->methods.p[i]) == hash_name(&m))
				break;
		columns_free(&m);
		return (uint32_t)i;
	}
	m.id = next_id(t, size, r);
	*gen_grow(&t->methods) = m;
	return (uint32_t)t->methods.n - 1;
}

static void
made_method(struct gen_trace *t, const struct program_size *size, struct name_set *names,
    struct rng *r)
{
	struct gen_method m;
	unsigned serial = 0;

	for (;;) {
		m = (struct gen_method){.id = next_id(t, size, r)};
		names_method(&m, r, size->dalvik, serial);
		if (name_add(names, hash_name(&m)))
			break;
		serial = 2 + rng_below(r, 1000000);
		columns_free(&m);
	}
	m.hidden = rng_chance(r, size->hidden);
	*gen_grow(&t->methods) = m;
}

/* Most methods are in the middle. */
static void
set_levels(struct levels *l, uint32_t first, uint32_t count, unsigned levels)
{
	uint64_t total = 0, sum = 0;
	unsigned i;

	if (levels > LEVELS_MAX)
		levels = LEVELS_MAX;
	if (levels > count)
		levels = count;
	l->count = levels;
	for (i = 0; i < levels; i++)
		total += 2 + (i < levels / 2 ? i : levels - 1 - i);
	for (i = 0; i < levels; i++) {
		l->first[i] = first + (uint32_t)(count * sum / total);
		sum += 2 + (i < levels / 2 ? i : levels - 1 - i);
	}
	l->first[levels] = first + count;
}

/* The first of a level are the busiest: names that many know go there. */
static void
name_levels(struct gen_trace *t, const struct program_size *size, struct name_set *names,
    const struct levels *l, struct rng *r)
{
	const char *const *stock[STOCK_BANDS];
	unsigned level;

	memcpy(stock, stock_names, sizeof stock);
	for (level = 0; level < l->count; level++) {
		const char *const **next = &stock[level * STOCK_BANDS / l->count];
		uint32_t place, n = l->first[level + 1] - l->first[level];

		for (place = 0; place < n; place++) {
			if (place < STOCK_EACH && n > STOCK_EACH && **next)
				known_method(t, size, names, r, *(*next)++);
			else
				made_method(t, size, names, r);
		}
	}
}

/* ---- bodies ---- */

/* A method of the level, a few of them far more often than the rest. */
static uint32_t
pick(const struct levels *l, unsigned level, struct rng *r)
{
	uint32_t n = l->first[level + 1] - l->first[level];
	uint64_t u = rng_next(r) >> 44; /* 20 bits */

	return l->first[level] + (uint32_t)(u * u * n >> 40);
}

static void
add_site(
    struct program *p, struct body *b, uint32_t callee, unsigned chance, unsigned repeat)
{
	*gen_grow(&p->sites) = (struct site){
	    callee, (uint16_t)(chance < CERTAIN ? chance : CERTAIN), (uint16_t)repeat};
	b->sites++;
}

static void
begin_body(struct program *p, uint32_t body, uint32_t method, enum body_kind kind,
    uint32_t cost_ns)
{
	p->bodies[body] = (struct body){.method = method,
	    .first_site = (uint32_t)p->sites.n,
	    .kind = (uint8_t)kind,
	    .cost_ns = cost_ns};
}

/* A few methods cost far more than the rest. */
static uint32_t
draw_cost(struct rng *r)
{
	uint32_t ns = 300 + rng_below(r, 1500);

	if (rng_chance(r, 400))
		ns *= 8;
	if (rng_chance(r, 60))
		ns *= 30;
	return ns;
}

static void
make_body(struct program *p, const struct levels *l, unsigned level, uint32_t method,
    unsigned recursion, struct rng *r)
{
	struct body *b = &p->bodies[method];
	unsigned deeper = l->count - 1 - level, sites, i;

	begin_body(p, method, method, BODY_PLAIN, draw_cost(r));
	if (rng_chance(r, recursion)) {
		bool self = !level || rng_chance(r, 6000);

		add_site(p, b, self ? method : pick(l, level - 1, r),
		    CERTAIN / 4 + rng_below(r, CERTAIN / 4), 0);
	}
	if (!deeper || (level > 2 && rng_chance(r, LEAVES)))
		return;
	sites = 2 + rng_below(r, 6);
	for (i = 0; i < sites; i++) {
		unsigned down = 1 + rng_below(r, deeper < 3 ? deeper : 3);
		/* Falls with the fourth power of the place: some are hardly ever taken.
		 */
		unsigned chance = CERTAIN / 16 * (SITE_MIN + rng_below(r, SITE_RANGE)) /
				  ((i + 1) * (i + 1) * (i + 1) * (i + 1));
		unsigned repeat = rng_chance(r, 700) ? 2 + rng_below(r, 6) : 0;

		add_site(p, b, pick(l, level + down, r), chance, repeat);
	}
}

/* The methods that a role names. */
struct role_methods {
	uint32_t chain[ROLE_CHAIN], entries[ROLE_ENTRIES], rare[ROLE_CHAIN];
	unsigned chain_length, entry_count, rare_length;
	uint32_t wait;
};

static void
name_role(struct role_methods *m, const struct role *role, struct gen_trace *t,
    const struct program_size *size, struct name_set *names, struct rng *r)
{
	unsigned n;

	for (n = 0; n < ROLE_CHAIN && role->chain[n]; n++)
		m->chain[n] = known_method(t, size, names, r, role->chain[n]);
	m->chain_length = n;
	for (n = 0; n < ROLE_ENTRIES && role->entries[n]; n++)
		m->entries[n] = known_method(t, size, names, r, role->entries[n]);
	m->entry_count = n;
	if (role->wait)
		m->wait = known_method(t, size, names, r, role->wait);
	for (n = 0; size->rare && n < ROLE_CHAIN && role->rare[n]; n++)
		m->rare[n] = known_method(t, size, names, r, role->rare[n]);
	m->rare_length = size->rare ? n : 0;
}

/* What a role's work begins with: each entry does some things of its own. */
static void
make_entries(struct program *p, const struct role_methods *m, const struct levels *l,
    struct rng *r)
{
	unsigned n, i;

	for (n = 0; n < m->entry_count; n++) {
		uint32_t method = m->entries[n];

		begin_body(p, method, method, BODY_PLAIN, 3000);
		for (i = 0; i < ENTRY_SITES; i++)
			add_site(p, &p->bodies[method],
			    pick(l, l->count > 2 ? rng_below(r, 3) : 0, r),
			    CERTAIN / (2 + i), 0);
		if (n == 1 && m->rare_length > 0)
			add_site(p, &p->bodies[method], (uint32_t)p->body_count, RARE, 0);
	}
	for (n = 0; n < m->rare_length; n++) {
		uint32_t at = (uint32_t)p->body_count++;

		begin_body(p, at, m->rare[n], BODY_PLAIN,
		    n + 1 < m->rare_length ? 3000 : RARE_COST);
		if (n + 1 < m->rare_length)
			add_site(p, &p->bodies[at], at + 1, CERTAIN, 0);
	}
}

static void
make_chain(struct program *p, const struct role *role, const struct role_methods *m)
{
	uint32_t at = (uint32_t)p->body_count++;
	unsigned n, i;

	begin_body(p, at, 0, BODY_LOOP, 2000);
	for (n = 0; n < m->chain_length; n++) {
		uint32_t next = (uint32_t)p->body_count++;

		add_site(p, &p->bodies[at], next, CERTAIN, 0);
		at = next;
		begin_body(p, at, m->chain[n], BODY_PLAIN, 2000);
	}
	if (role->chain_loops)
		p->bodies[at].kind = BODY_LOOP;
	for (i = 0; i < m->entry_count; i++)
		add_site(p, &p->bodies[at], m->entries[i], CERTAIN / (i + 1), 0);
	if (role->wait)
		add_site(p, &p->bodies[at], m->wait,
		    role->chain_loops ? CERTAIN : CERTAIN / 4 * 3, 0);
}

void
program_build(struct program *p, struct gen_trace *t, const struct program_size *size,
    struct rng *r)
{
	struct role_methods *named = gen_alloc(role_count, sizeof *named);
	struct name_set names = {NULL, 1};
	struct levels levels;
	size_t i, first;
	unsigned level;

	memset(p, 0, sizeof *p);
	while (names.mask < 4 * (size_t)size->methods + 1024)
		names.mask *= 2;
	names.slots = gen_alloc(names.mask--, sizeof *names.slots);
	for (i = 0; i < role_count; i++)
		name_role(&named[i], &roles[i], t, size, &names, r);
	first = t->methods.n;
	set_levels(&levels, (uint32_t)first, size->methods, size->levels);
	name_levels(t, size, &names, &levels, r);
	free(names.slots);

	p->bodies =
	    gen_alloc(t->methods.n + role_count * (2 * ROLE_CHAIN + 1), sizeof *p->bodies);
	p->body_count = t->methods.n;
	p->role_body = gen_alloc(role_count, sizeof *p->role_body);
	for (i = 0; i < first; i++)
		begin_body(p, (uint32_t)i, (uint32_t)i, BODY_SLEEP, 2000);
	for (level = 0; level < levels.count; level++)
		for (i = levels.first[level]; i < levels.first[level + 1]; i++)
			make_body(p, &levels, level, (uint32_t)i, size->recursion, r);
	for (i = 0; i < role_count; i++) {
		make_entries(p, &named[i], &levels, r);
		p->role_body[i] = (uint32_t)p->body_count;
		make_chain(p, &roles[i], &named[i]);
	}
	free(named);
}

void
program_free(struct program *p)
{
	free(p->bodies);
	free(p->role_body);
	free(p->sites.p);
}
