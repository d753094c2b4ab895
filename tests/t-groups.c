// SPDX-License-Identifier: Apache-2.0
/* Groups of packages. */
#include <config.h>

#include "tap/tap.h"

#include "view/names/groups.h"

static void
membership(void)
{
	static const struct {
		const char *class_name, *group, *key;
	} table[] = {
	    {"com.example.feed.Adapter", "app", "app"},
	    {"com.example.App", "app", "app"},
	    {"com.examples.App", NULL, "com.examples"},
	    {"com.example.db.Db", "store", "store"},
	    {"androidx.room.Room", "store", "store"},
	    {"androidx.recyclerview.widget.RecyclerView", "ui", "ui"},
	    {"java.lang.String", NULL, "java.lang"},
	    {"Main", NULL, "Main"},
	    {"", NULL, ""},
	};
	struct groups groups = {0};
	struct err e = {0};
	size_t prefix;

	ok(groups_set(&groups, STR("app"), STR("com.example"), &e), "one package");
	ok(groups_set(&groups, STR("store"), STR("com.example.db  androidx.room."), &e),
	    "two packages");
	ok(groups_set(&groups, STR("ui"), STR("androidx.*"), &e), "with a star");
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct str name = str_from(table[i].class_name);
		const struct group *g = groups_find(&groups, name, &prefix);
		struct str key = groups_key(&groups, name);

		is_str(g != NULL ? g->name : "-",
		    table[i].group != NULL ? table[i].group : "-", "group of '%s'",
		    table[i].class_name);
		ok(str_equal(key, str_from(table[i].key)), "key of '%s'",
		    table[i].class_name);
	}
	groups_find(&groups, STR("com.example.db.Db"), &prefix);
	is_int((int64_t)prefix, 14, "the length of the package");
	ok(groups_set(&groups, STR("ui"), STR("javax"), &e), "another definition");
	ok(groups_find(&groups, STR("androidx.a.B"), NULL) == NULL, "takes the old one's place");
	ok(groups_set(&groups, STR("ui"), STR(" "), &e), "none");
	is_int((int64_t)groups.count, 2, "removes it");
	ok(!groups_set(&groups, STR("x"), STR("com/example"), &e), "slashes are refused");
	ok(!groups_set(&groups, STR(""), STR("com"), &e), "so is no name");
	groups_release(&groups);
}

int
main(void)
{
	membership();
	return tap_done();
}
