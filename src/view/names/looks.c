// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/names/looks.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/pattern.h"

enum {
	PLATFORM_HUES = 4, /* the last of all */
	OWN_HUES = HUES - PLATFORM_HUES,
	SHARE_LEAST = 200, /* a group has a hue of its own from one part in so many on, */
	METHOD_LEAST = 5000, /* to which methods count from one part in so many on */
};

struct looks {
	struct names *names;
	struct pattern *idle; /* NULL: nothing is */
	uint8_t *methods;     /* looks by method; 0: not known yet */
	size_t method_room;
	struct intern groups;
	uint8_t *hues;    /* by group: its own hue + 1; 0: none */
	size_t hue_room;
	unsigned used;    /* hues that groups have of their own */
	struct sbuf name; /* scratch */
};

struct looks *
looks_new(struct names *names)
{
	struct looks *l = mem_zero(1, sizeof(*l));

	l->names = names;
	return l;
}

void
looks_free(struct looks *l)
{
	if (l == NULL)
		return;
	pattern_free(l->idle);
	mem_free(l->methods);
	intern_release(&l->groups);
	mem_free(l->hues);
	sbuf_release(&l->name);
	mem_free(l);
}

static void
methods_forget(struct looks *l)
{
	if (l->method_room > 0)
		memset(l->methods, 0, l->method_room);
}

void
looks_forget(struct looks *l)
{
	methods_forget(l);
	intern_release(&l->groups);
	l->groups = (struct intern){0};
	if (l->hue_room > 0)
		memset(l->hues, 0, l->hue_room);
	l->used = 0;
}

void
looks_set_idle(struct looks *l, const struct idle_rules *rules)
{
	struct sbuf text = {0};

	pattern_free(l->idle);
	l->idle = NULL;
	idle_pattern(rules, &text);
	if (text.n > 0)
		(void)pattern_compile(sbuf_view(&text), 0, &l->idle, NULL);
	sbuf_release(&text);
	methods_forget(l);
}

/* Groups ------------------------------------------------------------------------------ */

static bool
is_platform(struct str class_name)
{
	static const char *const prefixes[] = {"android.", "java.", "javax.", "kotlin.", "libcore.",
	    "dalvik.", "com.android.", "sun.", "jdk.", "ohos.", "OHOS::"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (str_starts(class_name, str_from(prefixes[i])))
			return true;
	}
	return false;
}

/* "com.example.feed" of its classes, "okhttp3.internal" of others. */
static struct str
package_head(struct str package)
{
	const char *dot = memchr(package.p, '.', package.n);
	/* "com", "org", "de": two words more. */
	int words = dot != NULL && dot - package.p <= 3 ? 3 : 2;

	for (size_t i = 0; i < package.n; i++) {
		if (package.p[i] == '.' && --words == 0)
			return (struct str){package.p, i};
	}
	return package;
}

/* "Choreographer" of "Choreographer#doFrame 12". */
static struct str
word_head(struct str name)
{
	size_t n = 0;

	while (n < name.n && ((name.p[n] | 32) >= 'a' ? (name.p[n] | 32) <= 'z' : false))
		n++;
	return n > 0 ? (struct str){name.p, n} : name;
}

static uint32_t
group_of(struct looks *l, uint32_t method)
{
	struct str package = names_package(l->names, method);
	struct str key = package.n > 0 ? package_head(package)
				       : word_head(names_full(l->names, method));
	uint32_t group = intern_add(&l->groups, key, 0);

	MEM_GROW_ZERO(l->hues, l->hue_room, (size_t)group + 1);
	return group;
}

/* Equal on every machine and in every run (FNV-1a). */
static unsigned
hash(struct str s)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 16777619u;
	return h ^ h >> 16;
}

struct weight {
	uint32_t group;
	struct str name;
	nsec time;
};

static int
weight_order(const void *left, const void *right)
{
	const struct weight *a = left, *b = right;

	/* Not by number: groups are numbered in the order in which they were drawn. */
	return order_then(ORDER(b->time, a->time), str_compare(a->name, b->name));
}

void
looks_learn(struct looks *l, const struct fold *fold, enum clock_id clock)
{
	struct weight *weights = NULL;
	size_t room = 0, count = 0;

	for (uint32_t i = 0; i < fold->met_count && l->used < OWN_HUES; i++) {
		uint32_t m = fold->met[i];
		uint32_t group;

		if (m == METHOD_TOPLEVEL ||
		    fold->methods[m].exclusive[clock] <= fold->total[clock] / METHOD_LEAST ||
		    is_platform(names_class(l->names, m)) || looks_method(l, m) == ROLE_IDLE)
			continue;
		group = group_of(l, m);
		for (uint32_t g = (uint32_t)count; g <= group; g++)
			*MEM_ADD(weights, count, room) =
			    (struct weight){g, l->groups.items[g].text, 0};
		weights[group].time += fold->methods[m].exclusive[clock];
	}
	mem_sort(weights, count, sizeof(*weights), weight_order);
	for (size_t i = 0; i < count && l->used < OWN_HUES &&
	     weights[i].time > fold->total[clock] / SHARE_LEAST; i++) {
		if (l->hues[weights[i].group] == 0)
			l->hues[weights[i].group] = (uint8_t)++l->used;
	}
	mem_free(weights);
	/* Methods that the file names late look different, too. */
	methods_forget(l);
}

/* Methods ----------------------------------------------------------------------------- */

static look
make(struct looks *l, uint32_t method)
{
	uint32_t group;

	if (l->idle != NULL &&
	    pattern_match(l->idle, names_full(l->names, method), NULL, NULL) == PATTERN_MATCH)
		return ROLE_IDLE;
	if (is_platform(names_class(l->names, method)))
		return (look)(ROLE_HUE + OWN_HUES +
		    hash(package_head(names_package(l->names, method))) % PLATFORM_HUES);
	group = group_of(l, method);
	if (l->hues[group] != 0)
		return (look)(ROLE_HUE + l->hues[group] - 1);
	return (look)(ROLE_HUE + hash(l->groups.items[group].text) % OWN_HUES);
}

look
looks_method(struct looks *l, uint32_t method)
{
	if (method == METHOD_TOPLEVEL)
		return ROLE_TEXT;
	MEM_GROW_ZERO(l->methods, l->method_room, (size_t)method + 1);
	if (l->methods[method] == 0)
		l->methods[method] = (uint8_t)make(l, method);
	return l->methods[method];
}

struct str
looks_group(struct looks *l, uint32_t method)
{
	uint32_t group = group_of(l, method); /* may move the others */

	return looks_method(l, method) == ROLE_IDLE ? STR("idle") : l->groups.items[group].text;
}

/* Colours ----------------------------------------------------------------------------- */

const unsigned char looks_hues[HUES] = {
    75, 214, 150, 205, 80, 202, 176, 71, 210, 43, 208, 37, 146, 109, 138, 145,
};

/* 16 to 231 are a cube of 6 levels each, 232 to 255 greys. */
unsigned
palette_rgb(int colour)
{
	enum { CUBE = 16, GREYS = 232 };
	static const unsigned basic[CUBE] = {
	    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};
	static const unsigned levels[6] = {0, 95, 135, 175, 215, 255};
	unsigned grey;

	if (colour < CUBE)
		return basic[colour];
	if (colour < GREYS) {
		colour -= CUBE;
		return levels[colour / 36] << 16 | levels[colour / 6 % 6] << 8 |
		       levels[colour % 6];
	}
	grey = 8 + 10 * (unsigned)(colour - GREYS);
	return grey << 16 | grey << 8 | grey;
}
