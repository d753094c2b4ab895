// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/keys/complete.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "tui/app.h"

/* Words that begin with a stem, each once, in their order in the alphabet. */
struct offer {
	struct str stem;
	struct sbuf *words;
	size_t count, room;
};

static void
add_parts(struct offer *o, struct str before, struct str word)
{
	struct sbuf text = {0};

	sbuf_str(&text, before);
	sbuf_str(&text, word);
	if (!str_starts(sbuf_view(&text), o->stem)) {
		sbuf_release(&text);
		return;
	}
	*MEM_ADD(o->words, o->count, o->room) = text;
}

static void
add(struct offer *o, const char *word)
{
	add_parts(o, STR(""), str_from(word));
}

static int
by_text(const void *a, const void *b)
{
	return str_compare(sbuf_view(a), sbuf_view(b));
}

/* Hands them to the prompt. */
static bool
give(struct app *app, struct offer *o, size_t from)
{
	struct sbuf all = {0};
	struct str last = {NULL, 0};
	bool changed;

	mem_sort(o->words, o->count, sizeof(o->words[0]), by_text);
	for (size_t i = 0; i < o->count && all.n < PROMPT_OFFER; i++) {
		struct str word = sbuf_view(&o->words[i]);

		if (last.p == NULL || !str_equal(word, last)) {
			sbuf_str(&all, word);
			sbuf_char(&all, '\n');
		}
		last = word;
	}
	changed = prompt_offer(&app->prompt, from, sbuf_view(&all));
	if (o->count == 0)
		app_complain(app, "no completion");
	for (size_t i = 0; i < o->count; i++)
		sbuf_release(&o->words[i]);
	mem_free(o->words);
	sbuf_release(&all);
	return changed;
}

/* Packages ---------------------------------------------------------------------- */

static bool
is_name(char c)
{
	return isalnum((unsigned char)c) || (c & 0x80) != 0 ||
	       (c != '\0' && strchr("._$", c) != NULL);
}

bool
complete_package(struct app *app)
{
	const struct prompt *p = &app->prompt;
	size_t from = p->at;
	struct offer o = {0};
	uint32_t count = trace_method_count(app->s->trace);

	while (from > 0 && is_name(p->text[from - 1]))
		from--;
	o.stem = (struct str){p->text + from, p->at - from};
	for (uint32_t i = 1; i < count; i++) {
		struct str name = names_class(app->s->names, i), rest;
		size_t n;

		if (!str_starts(name, o.stem))
			continue;
		/* Up to the next dot. */
		rest = (struct str){name.p + o.stem.n, name.n - o.stem.n};
		str_cut(&rest, '.');
		n = rest.p != NULL ? (size_t)(rest.p - name.p) : name.n;
		if (o.count > 0 && str_equal(sbuf_view(&o.words[o.count - 1]),
				       (struct str){name.p, n}))
			continue;
		add_parts(&o, STR(""), (struct str){name.p, n});
	}
	return give(app, &o, from);
}

/* Words of the command line ---------------------------------------------------------------- */

static void
add_settings(struct offer *o)
{
	for (size_t i = 0; i < setting_count; i++)
		add(o, setting_table[i].name);
	for (size_t i = 0; i < setting_section_count; i++) {
		const struct setting_section *s = &setting_sections[i];
		char before[40];

		snprintf(before, sizeof(before), "%s.", s->name);
		add(o, before);
		if (s->name_at == NULL || !str_starts(o->stem, str_from(before)))
			continue;
		for (int k = 0; s->name_at(s, k) != NULL; k++)
			add_parts(o, str_from(before), str_from(s->name_at(s, k)));
	}
}

static void
add_values(struct offer *o, const struct settings *now, struct str whole)
{
	struct str name;
	const struct setting *s = settings_find(whole);
	const struct setting_section *in = settings_split(whole, &name);
	struct sbuf value = {0};
	for (int i = 0; s != NULL && s->words != NULL && s->words[i] != NULL; i++)
		add(o, s->words[i]);
	if (s != NULL && s->type == &setting_switch) {
		add(o, "on");
		add(o, "off");
	} else if (s != NULL && s->words == NULL) {
		settings_get(now, s, &value);
	} else if (in != NULL) {
		in->get(in, now, name, &value);
	}
	if (value.n > 0)
		add(o, value.p);
	sbuf_release(&value);
}

/* Names in the folder of an unfinished path. */
static void
add_files(struct offer *o)
{
	struct str folder = o->stem;
	char path[PROMPT_MAX + 1];
	struct dirent *entry;
	DIR *dir;

	while (folder.n > 0 && folder.p[folder.n - 1] != '/')
		folder.n--;
	snprintf(path, sizeof(path), "%.*s", STR_ARG(folder));
	dir = opendir(folder.n > 0 ? path : ".");
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		bool hidden = entry->d_name[0] == '.' && o->stem.n == folder.n;

		if (!hidden && strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 &&
		    strchr(entry->d_name, '\n') == NULL)
			add_parts(o, folder, str_from(entry->d_name));
	}
	if (dir != NULL)
		closedir(dir);
}

bool
complete_file(struct app *app)
{
	struct offer o = {.stem = {app->prompt.text, app->prompt.at}};

	add_files(&o);
	return give(app, &o, 0);
}

static void
add_commands(struct offer *o, const struct app *app)
{
	char word[COMMAND_WORD];

	for (const struct command *c = tui_commands; c < tui_commands + tui_command_count; c++)
		for (int i = 0; command_in_views(c) &&
		     command_word(app->s->names, c, i, word) != NULL; i++)
			add(o, word);
}

static void
add_columns(struct offer *o, const struct list *l)
{
	for (int i = 0; l != NULL && i < l->count; i++)
		if (list_sorts(l, i))
			add(o, list_column(l, i)->id);
}

static void
add_threads(struct offer *o, const struct app *app)
{
	char id[16];

	add(o, "all");
	for (uint32_t i = 0; i < trace_thread_count(app->s->trace); i++) {
		snprintf(id, sizeof(id), "%" PRIu32, trace_thread(app->s->trace, i)->id);
		add(o, id);
		add_parts(o, STR(""), names_thread(app->s->names, i));
	}
}

/* Offers a log's levels, tags (for the last of several) and processes. */
static void
add_choices(struct offer *o, const struct app *app, enum command_takes takes)
{
	const struct log *log = app->s->trace->log;
	struct str before = o->stem;

	while (before.n > 0 && before.p[before.n - 1] != ',')
		before.n--;
	add(o, "all");
	for (int i = 0; takes == ARG_LEVEL && i < LOG_LEVELS; i++)
		add(o, log_levels[i].name);
	for (int tag = 0; takes == ARG_TAG && tag < LOG_TAGS; tag++) {
		struct sbuf name = {0};

		log_tag_text(&name, tag);
		if (app->s->now.log.tags[tag] > 0)
			add_parts(o, before, sbuf_view(&name));
		sbuf_release(&name);
	}
	for (uint32_t i = 0; takes == ARG_PROCESS && i < seg_count(&log->processes); i++) {
		const struct log_process *p = seg_at(&log->processes, i);
		char id[16];

		snprintf(id, sizeof(id), "%" PRIu32, p->pid);
		add(o, id);
		if (p->name.n > 0)
			add_parts(o, STR(""), names_clean(app->s->names, p->name));
	}
}

bool
complete_line(struct app *app)
{
	const struct prompt *p = &app->prompt;
	struct str rest = {p->text, p->at}, word = str_cut(&rest, ' ');
	const struct command *command = commands_named(app->s->names, word, NULL);
	enum command_takes takes = command != NULL ? command->takes : ARG_NONE;
	struct offer o = {.stem = rest};
	const char *equals = rest.p != NULL ? memchr(rest.p, '=', rest.n) : NULL;

	if (rest.p == NULL) {
		o.stem = word;
		add_commands(&o, app);
	} else if (takes == ARG_SETTING && equals == NULL) {
		add_settings(&o);
	} else if (takes == ARG_SETTING) {
		o.stem = (struct str){equals + 1, (size_t)(rest.p + rest.n - equals) - 1};
		add_values(&o, app->settings, (struct str){rest.p, (size_t)(equals - rest.p)});
	} else if (takes == ARG_FILE) {
		add_files(&o);
	} else if (takes == ARG_WHERE || takes == ARG_COLUMN) {
		while (takes == ARG_WHERE && memchr(o.stem.p, ' ', o.stem.n) != NULL)
			str_cut(&o.stem, ' ');
		add_columns(&o, screens_list(app));
	} else if (takes == ARG_THREAD) {
		add_threads(&o, app);
	} else if (takes >= ARG_LEVEL && app->s->trace->log != NULL) {
		add_choices(&o, app, takes);
	}
	return give(app, &o, (size_t)(o.stem.p - p->text));
}
