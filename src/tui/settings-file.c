/* The configuration file. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/conf.h"
#include "base/mem.h"
#include "base/outfile.h"
#include "tui/settings.h"

struct reading {
	struct settings *settings;
	void (*tell)(void *context, int line, const char *what);
	void *context;
};

/* "theme: want one of: ...", unless the reason names it. */
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
	for (size_t i = 0; good && i < s->change_count; i++)
		conf_set(&text, str_from(s->changes[i].section),
		    str_from(s->changes[i].name), str_from(s->changes[i].value));
	good = good && textfile_write(s->path, sbuf_view(&text), e);
	sbuf_release(&text);
	if (!good)
		return false;
	for (size_t i = 0; i < s->change_count; i++) {
		mem_free(s->changes[i].section);
		mem_free(s->changes[i].name);
		mem_free(s->changes[i].value);
	}
	s->change_count = 0;
	return true;
}
