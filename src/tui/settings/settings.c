// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/conf.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/outfile.h"
#include "tui/settings/settings.h"
#include "view/calls_list.h"
#include "view/methods.h"
#include "view/threads.h"
#include "view/timeline/pane.h"

/* Types -------------------------------------------------------------------------- */

static bool
read_switch(const struct setting *s, void *field, struct str text, struct err *e)
{
	static const struct {
		const char *word;
		bool on;
	} words[] = {{"on", true}, {"off", false}, {"yes", true}, {"no", false},
	    {"true", true}, {"false", false}, {"1", true}, {"0", false}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (str_equal(text, str_from(words[i].word))) {
			*(bool *)field = words[i].on;
			return true;
		}
	}
	return err_set(e, ERR_MALFORMED, "expected on or off");
}

static void
write_switch(const struct setting *s, const void *field, struct sbuf *out)
{
	sbuf_text(out, *(const bool *)field ? "on" : "off");
}

static bool
read_word(const struct setting *s, void *field, struct str text, struct err *e)
{
	struct sbuf words = {0};
	int i = 0;

	for (; s->words[i] != NULL && !str_equal(text, str_from(s->words[i])); i++)
		sbuf_printf(&words, "%s%s", i > 0 ? ", " : "", s->words[i]);
	if (s->words[i] != NULL)
		*(int *)field = i;
	else
		err_set(e, ERR_MALFORMED, "expected one of: %.150s", sbuf_cstr(&words));
	sbuf_release(&words);
	return s->words[i] != NULL;
}

static void
write_word(const struct setting *s, const void *field, struct sbuf *out)
{
	sbuf_text(out, s->words[*(const int *)field]);
}

static bool
read_number(const struct setting *s, void *field, struct str text, struct err *e)
{
	const char *end = text.p + text.n;
	uint64_t n;

	for (int i = 0; s->words != NULL && s->words[i] != NULL; i++) {
		if (str_equal(text, str_from(s->words[i]))) {
			*(int *)field = -i;
			return true;
		}
	}
	if (text.n == 0 || digits_take(text.p, end, 9, &n) != end || (int)n < s->least ||
	    (int)n > s->most)
		return err_set(e, ERR_MALFORMED, "expected a number from %d to %d", s->least,
		    s->most);
	*(int *)field = (int)n;
	return true;
}

static void
write_number(const struct setting *s, const void *field, struct sbuf *out)
{
	int n = *(const int *)field;

	if (s->words != NULL && n <= 0)
		sbuf_text(out, s->words[-n]);
	else
		sbuf_printf(out, "%d", n);
}

/* Times that have words. */
static const struct {
	const char *word;
	nsec time;
} time_words[] = {{"auto", 0}, {"none", JANK_NO_BUDGET}};

static bool
read_time(const struct setting *s, void *field, struct str text, struct err *e)
{
	nsec ns;

	for (int i = 0; i < 2; i++) {
		if (str_equal(text, str_from(time_words[i].word))) {
			*(nsec *)field = time_words[i].time;
			return true;
		}
	}
	if (!timetext_parse(text, &ns, e))
		return false;
	if (ns <= 0)
		return err_set(e, ERR_MALFORMED, "expected more than 0");
	/* Seconds are hardly meant. */
	if (!isalpha((unsigned char)text.p[text.n - 1]))
		return err_set(e, ERR_MALFORMED, "expected a unit, as in %.*sms", STR_ARG(text));
	*(nsec *)field = ns;
	return true;
}

static void
write_time(const struct setting *s, const void *field, struct sbuf *out)
{
	nsec ns = *(const nsec *)field;
	enum fmt_unit unit = fmt_unit_for(ns);
	char text[FMT_SIZE];
	size_t n;

	for (int i = 0; i < 2; i++) {
		if (ns == time_words[i].time) {
			sbuf_text(out, time_words[i].word);
			return;
		}
	}
	fmt_time(text, ns, unit, 3 * unit);
	n = strlen(text);
	while (unit != FMT_NS && text[n - 1] == '0')
		n--;
	sbuf_printf(out, "%.*s%s", (int)(n - (text[n - 1] == '.')), text, fmt_unit_name(unit));
}

static bool
read_sort(const struct setting *s, void *field, struct str text, struct err *e)
{
	bool sign = text.n > 0 && (text.p[0] == '+' || text.p[0] == '-');
	enum column_id id = columns_find((struct str){text.p + sign, text.n - sign});
	struct sort_choice *sort = field;

	if (id == COLUMNS && !str_equal(text, STR("auto")))
		return err_set(e, ERR_MALFORMED, "no column is named '%.*s'",
		    (int)(text.n < 40 ? text.n : 40), text.p);
	sort->column = id;
	sort->ascending = sign ? text.p[0] == '+' : id != COLUMNS && column_ascends(&column_table[id]);
	return true;
}

static void
write_sort(const struct setting *s, const void *field, struct sbuf *out)
{
	const struct sort_choice *sort = field;

	if (sort->column == COLUMNS) {
		sbuf_text(out, "auto");
		return;
	}
	if (sort->ascending != column_ascends(&column_table[sort->column]))
		sbuf_char(out, sort->ascending ? '+' : '-');
	sbuf_text(out, column_table[sort->column].id);
}

static bool
read_text(const struct setting *s, void *field, struct str text, struct err *e)
{
	if (s->check != NULL && !s->check(text, e))
		return false;
	mem_free(*(char **)field);
	*(char **)field = mem_text(text);
	return true;
}

static void
write_text(const struct setting *s, const void *field, struct sbuf *out)
{
	sbuf_text(out, *(char *const *)field);
}

/* "all", "none", or words with blanks or commas between; those of no choice always stay. */
static bool
read_rows(const struct setting *s, void *field, struct str text, struct err *e)
{
	unsigned kinds = TRACKS_ALL, none = TRACKS_ALL;
	struct str words;

	for (int k = 0; k < TRACK_CHOICES; k++)
		none &= ~(1u << track_choices[k].kind);
	if (!str_equal(text, STR("all")))
		kinds = none;
	if (str_equal(text, STR("all")) || str_equal(text, STR("none")))
		text.n = 0;
	while ((words = str_word(&text)).n > 0) {
		while (words.n > 0) {
			struct str word = str_cut(&words, ',');
			int k = 0;

			while (k < TRACK_CHOICES && !str_equal(word, str_from(track_choices[k].word)))
				k++;
			if (k == TRACK_CHOICES && word.n > 0)
				return err_set(e, ERR_MALFORMED, "expected %s", s->values);
			if (k < TRACK_CHOICES)
				kinds |= 1u << track_choices[k].kind;
		}
	}
	*(unsigned *)field = kinds;
	return true;
}

static void
write_rows(const struct setting *s, const void *field, struct sbuf *out)
{
	unsigned kinds = *(const unsigned *)field;
	bool any = false;

	if (kinds == TRACKS_ALL) {
		sbuf_text(out, "all");
		return;
	}
	for (int k = 0; k < TRACK_CHOICES; k++) {
		if ((kinds & 1u << track_choices[k].kind) == 0)
			continue;
		sbuf_printf(out, "%s%s", any ? " " : "", track_choices[k].word);
		any = true;
	}
	if (!any)
		sbuf_text(out, "none");
}

const struct setting_type setting_switch = {read_switch, write_switch};
const struct setting_type setting_word = {read_word, write_word};
const struct setting_type setting_number = {read_number, write_number};
const struct setting_type setting_time = {read_time, write_time};
const struct setting_type setting_sort = {read_sort, write_sort};
const struct setting_type setting_text = {read_text, write_text};
const struct setting_type setting_rows = {read_rows, write_rows};

/* All of them --------------------------------------------------------------------- */

static void *
field_of(struct settings *s, const struct setting *row)
{
	return (char *)s + row->field;
}

void
settings_init(struct settings *s)
{
	*s = (struct settings){.keymap = keymap_new()};
	for (size_t i = 0; i < setting_count; i++)
		setting_table[i].type->read(&setting_table[i],
		    field_of(s, &setting_table[i]), str_from(setting_table[i].otherwise),
		    NULL);
	idle_init(&s->idle);
	list_source_columns(&methods_source, &s->columns[LIST_PROFILE]);
	list_source_columns(&calls_source, &s->columns[LIST_CALLS]);
	list_source_columns(&threads_source, &s->columns[LIST_THREADS]);
}

static void
release_changes(struct setting_changes *c)
{
	for (size_t i = 0; i < c->count; i++) {
		mem_free(c->list[i].section);
		mem_free(c->list[i].name);
		mem_free(c->list[i].value);
	}
	mem_free(c->list);
	*c = (struct setting_changes){0};
}

void
settings_release(struct settings *s)
{
	for (size_t i = 0; i < setting_count; i++)
		if (setting_table[i].type == &setting_text)
			mem_free(*(char **)field_of(s, &setting_table[i]));
	keymap_free(s->keymap);
	groups_release(&s->groups);
	idle_release(&s->idle);
	finding_rules_release(&s->findings);
	sbuf_release(&s->finding_lines);
	release_changes(&s->colors);
	release_changes(&s->changes);
	mem_free(s->path);
	*s = (struct settings){0};
}

const struct setting *
settings_find(struct str name)
{
	/* Two spellings of one word. */
	if (str_equal(name, STR("colour")))
		name = STR("color");
	for (size_t i = 0; i < setting_count; i++)
		if (str_equal(name, str_from(setting_table[i].name)))
			return &setting_table[i];
	return NULL;
}

const struct setting_section *
settings_find_section(struct str name)
{
	for (size_t i = 0; i < setting_section_count; i++) {
		const struct setting_section *s = &setting_sections[i];

		if (str_equal(name, str_from(s->name)) ||
		    (s->also != NULL && str_equal(name, str_from(s->also))))
			return s;
	}
	return NULL;
}

bool
settings_set(struct settings *s, struct str section, struct str name, struct str value,
    struct err *e)
{
	const struct setting_section *in = settings_find_section(section);
	const struct setting *row = settings_find(name);

	if (section.n > 0 && in == NULL)
		return err_set(e, ERR_MALFORMED, "there is no section '%.*s'",
		    (int)(section.n < 40 ? section.n : 40), section.p);
	/* Values are kept as C strings: text after a zero would be checked, and lost. */
	if (value.n > 0 && memchr(value.p, '\0', value.n) != NULL)
		return err_set(e, ERR_MALFORMED, "expected text without zero bytes");
	if (in != NULL)
		return in->set(in, s, name, value, e);
	if (row == NULL)
		return err_set(e, ERR_MALFORMED, "there is no setting '%.*s'",
		    (int)(name.n < 40 ? name.n : 40), name.p);
	return row->type->read(row, field_of(s, row), value, e);
}

void
settings_get(const struct settings *s, const struct setting *row, struct sbuf *out)
{
	row->type->write(row, (const char *)s + row->field, out);
}

const struct setting_section *
settings_split(struct str whole, struct str *name)
{
	struct str rest = whole, head = str_cut(&rest, '.');
	const struct setting_section *in = rest.p != NULL ? settings_find_section(head) : NULL;

	*name = in != NULL ? rest : whole;
	return in;
}

/* Adds to a list, or changes what it has of that name. */
static void
note(struct setting_changes *c, struct str section, struct str name, struct str value)
{
	for (size_t i = 0; i < c->count; i++) {
		struct setting_change *known = &c->list[i];

		if (!str_equal(str_from(known->section), section) ||
		    !str_equal(str_from(known->name), name))
			continue;
		mem_free(known->value);
		known->value = mem_text(value);
		return;
	}
	*MEM_ADD(c->list, c->count, c->room) =
	    (struct setting_change){mem_text(section), mem_text(name), mem_text(value)};
}

void
settings_note(struct settings *s, struct str section, struct str name, struct str value)
{
	const struct setting_section *in = settings_find_section(section);

	note(&s->changes, in != NULL ? str_from(in->name) : section, name, value);
}

bool
settings_change(struct settings *s, struct str section, struct str name, struct str value,
    struct err *e)
{
	if (!settings_set(s, section, name, value, e))
		return false;
	settings_note(s, section, name, value);
	return true;
}

void
settings_note_color(struct settings *s, struct str role, struct str words)
{
	note(&s->colors, STR("colors"), role, words);
}

/* The configuration file -------------------------------------------------------------- */

struct reading {
	struct settings *settings;
	void (*tell)(void *context, int line, const char *what);
	void *context;
};

/* "theme: expected one of: ...", unless the reason names it. */
static void
name_entry(struct err *e, const struct conf_entry *entry)
{
	struct err named = {0};
	char key[60];

	snprintf(key, sizeof(key), "%.*s", STR_ARG(entry->key));
	if (strstr(e->what, key) != NULL)
		return;
	err_set(&named, ERR_MALFORMED, "%s: %s", key, e->what);
	*e = named;
}

static void
take(void *context, const struct conf_entry *entry)
{
	struct reading *r = context;
	struct settings *s = r->settings;
	struct err e = {0};

	if (entry->fault != NULL)
		err_set(&e, ERR_MALFORMED, "%s", entry->fault);
	else if (settings_set(s, entry->section, entry->key, entry->value, &e))
		return;
	else
		name_entry(&e, entry);
	if (s->faults++ == 0)
		snprintf(s->fault, sizeof(s->fault), "line %d: %s", entry->line, e.what);
	r->tell(r->context, entry->line, e.what);
}

void
settings_read(struct settings *s, struct str text,
    void (*tell)(void *context, int line, const char *what), void *context)
{
	struct reading r = {s, tell, context};

	conf_read(text, take, &r);
}

bool
settings_save(struct settings *s, struct err *e)
{
	struct sbuf text = {0};
	bool good;

	if (s->path == NULL)
		return err_set(e, ERR_SYSTEM, "there is no configuration file");
	good = textfile_read(s->path, &text, e);
	if (good && text.n == 0)
		sbuf_text(&text, "# slowtop's settings; slowtop-config(5) has them all\n");
	for (size_t i = 0; good && i < s->changes.count; i++) {
		const struct setting_change *c = &s->changes.list[i];

		conf_set(&text, str_from(c->section), str_from(c->name), str_from(c->value));
	}
	good = good && textfile_write(s->path, sbuf_view(&text), 0666, e);
	sbuf_release(&text);
	if (good)
		release_changes(&s->changes);
	return good;
}
