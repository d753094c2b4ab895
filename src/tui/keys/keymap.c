// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/keys/keymap.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/sbuf.h"
#include "tui/keys/key.h"

/* Keys that the configuration gave a command. */
struct given {
	const char *command; /* name */
	unsigned contexts;   /* wherever the table has it */
	struct sbuf keys;
};

struct keymap {
	struct given *given; /* at most one a command */
	size_t count, room;
};

struct keymap *
keymap_new(void)
{
	return mem_zero(1, sizeof(struct keymap));
}

void
keymap_free(struct keymap *map)
{
	if (map == NULL)
		return;
	for (size_t i = 0; i < map->count; i++)
		sbuf_release(&map->given[i].keys);
	mem_free(map->given);
	mem_free(map);
}

static struct given *
given_to(const struct keymap *map, const char *command)
{
	for (size_t i = 0; i < map->count; i++)
		if (strcmp(map->given[i].command, command) == 0)
			return &map->given[i];
	return NULL;
}

static void
take_back(struct keymap *map, const char *command)
{
	struct given *g = given_to(map, command);

	if (g == NULL)
		return;
	sbuf_release(&g->keys);
	*g = map->given[--map->count];
}

static bool
read_keys(const struct keymap *map, const struct given *g, struct str keys,
    struct sbuf *out, struct err *e)
{
	struct str word;

	while ((word = str_word(&keys)).n > 0) {
		char name[32];

		if (!key_name_read(word, name, e))
			return false;
		if ((g->contexts & IN_PROMPT) != 0 && key_is_text(name))
			return err_set(e, ERR_MALFORMED,
			    "key %s types itself there", name);
		for (size_t i = 0; i < map->count; i++) {
			const struct given *other = &map->given[i];

			if (strcmp(other->command, g->command) != 0 &&
			    (other->contexts & g->contexts) != 0 &&
			    keys_have(sbuf_cstr(&other->keys), name))
				return err_set(e, ERR_MALFORMED,
				    "key %s is given to '%s', too", name, other->command);
		}
		if (keys_have(sbuf_cstr(out), name))
			continue;
		if (out->n > 0)
			sbuf_char(out, ' ');
		sbuf_text(out, name);
	}
	return true;
}

bool
keymap_set(struct keymap *map, struct str command, struct str keys, struct err *e)
{
	struct given g = {0};
	struct str rest = keys;

	for (size_t i = 0; i < tui_command_count; i++) {
		if (!str_equal(str_from(tui_commands[i].name), command))
			continue;
		g.command = tui_commands[i].name;
		g.contexts |= tui_commands[i].contexts;
	}
	if (g.command == NULL)
		return err_set(e, ERR_MALFORMED, "no action is named '%.*s'",
		    (int)(command.n < 60 ? command.n : 60), command.p);
	if (str_equal(str_word(&rest), STR("default")) && str_word(&rest).n == 0) {
		take_back(map, g.command);
		return true;
	}
	if (!read_keys(map, &g, keys, &g.keys, e)) {
		sbuf_release(&g.keys);
		return false;
	}
	take_back(map, g.command);
	*MEM_ADD(map->given, map->count, map->room) = g;
	return true;
}

const struct command *
keymap_find(const struct keymap *map, unsigned contexts, const char *key)
{
	for (size_t i = 0; i < map->count; i++)
		if ((map->given[i].contexts & contexts) != 0 &&
		    keys_have(sbuf_cstr(&map->given[i].keys), key))
			return commands_find_in(map->given[i].command, contexts);
	for (size_t i = 0; i < tui_command_count; i++)
		if ((tui_commands[i].contexts & contexts) != 0 &&
		    keys_have(tui_commands[i].keys, key) &&
		    given_to(map, tui_commands[i].name) == NULL)
			return &tui_commands[i];
	return NULL;
}

/* True if the key runs the command in one of the contexts. */
static bool
runs(const struct keymap *map, unsigned contexts, const char *key, const char *command)
{
	for (unsigned here = 1; here != 0 && here <= contexts; here <<= 1) {
		const struct command *found =
		    (contexts & here) != 0 ? keymap_find(map, here, key) : NULL;

		if (found != NULL && strcmp(found->name, command) == 0)
			return true;
	}
	return false;
}

/* Adds the keys of a list that run the command; returns whether some do not. */
static bool
add_keys(const struct keymap *map, unsigned contexts, const char *command,
    struct str keys, char *out, size_t size)
{
	bool lost = false;
	struct str word;

	while ((word = str_word(&keys)).n > 0) {
		size_t used = strlen(out);
		char name[32];

		snprintf(name, sizeof(name), "%.*s", STR_ARG(word));
		if (!runs(map, contexts, name, command))
			lost = true;
		else
			snprintf(out + used, size - used, "%s%s", used > 0 ? " " : "",
			    name);
	}
	return lost;
}

bool
keymap_keys(const struct keymap *map, unsigned contexts, const char *command, char *out,
    size_t size)
{
	const struct given *g = given_to(map, command);
	const char *keys = "";
	unsigned where = 0;

	out[0] = '\0';
	if (g != NULL) {
		if ((g->contexts & contexts) != 0)
			add_keys(map, contexts & g->contexts, command,
			    sbuf_view(&g->keys), out, size);
		return true;
	}
	for (size_t i = 0; i < tui_command_count; i++) {
		if ((tui_commands[i].contexts & contexts) == 0 ||
		    strcmp(tui_commands[i].name, command) != 0)
			continue;
		keys = tui_commands[i].keys;
		where |= tui_commands[i].contexts & contexts;
	}
	return add_keys(map, where, command, str_from(keys), out, size);
}

const char *
keymap_key(const struct keymap *map, unsigned contexts, const char *command,
    bool function, char out[static 32])
{
	char keys[200], *first = keys, *f;

	keymap_keys(map, contexts, command, keys, sizeof(keys));
	f = function ? strstr(keys, "<F") : NULL;
	if (f != NULL && f[2] >= '0' && f[2] <= '9')
		first = f;
	first[strcspn(first, " ")] = '\0';
	keys_label(first, out, 32);
	return out;
}
