/* The command line's words about settings: set, save. */
#include <config.h>

#include <stdio.h>

#include "tui/app.h"
#include "tui/line.h"

struct str
line_trim(struct str s)
{
	while (s.n > 0 && s.p[0] == ' ') {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && s.p[s.n - 1] == ' ')
		s.n--;
	return s;
}

static void
say_setting(struct app *app, struct str whole, const char *more)
{
	struct str section, name;
	const struct setting *s = settings_find(whole);
	const struct setting_section *in;
	struct sbuf value = {0};

	settings_split(whole, &section, &name);
	in = settings_find_section(section);
	if (s != NULL)
		settings_get(app->settings, s, &value);
	else if (in != NULL)
		in->get(app->settings, name, &value);
	app_say(app, "%.*s=%s%s", STR_ARG(whole), sbuf_cstr(&value), more);
	sbuf_release(&value);
}

static bool
change(struct app *app, struct str whole, struct str value, struct err *e)
{
	struct str section, name;
	const struct setting_section *in;
	const struct setting *s;

	settings_split(whole, &section, &name);
	if (!settings_set(app->settings, section, name, value, e))
		return false;
	settings_note(app->settings, section, name, value);
	in = settings_find_section(section);
	s = in == NULL ? settings_find(name) : NULL;
	if (in != NULL && in->apply != NULL)
		in->apply(app);
	if (s != NULL && s->apply != NULL)
		s->apply(app);
	/* Unless it has said itself what came of it. */
	if (app->message[0] == '\0')
		say_setting(app, whole,
		    s != NULL && s->at_start ? " at the next start, if you :save"
					     : " (:save keeps it)");
	return true;
}

/* "name=value", "name" and "noname" for switches, "name?" or "name" for the value. */
bool
line_set(struct app *app, struct str rest, struct err *e)
{
	struct str value = rest, name = line_trim(str_cut(&value, '='));
	const struct setting *s = settings_find(name);

	if (name.n == 0)
		return err_set(e, ERR_MALFORMED, "want name=value (Tab shows names)");
	if (value.p != NULL)
		return change(app, name, line_trim(value), e);
	/* What keys changed is in force, too. */
	settings_collect(app, app->settings);
	if (name.p[name.n - 1] == '?') {
		name.n--;
		s = settings_find(name);
	} else if (s != NULL && s->type == &setting_switch) {
		return change(app, name, STR("on"), e);
	} else if (s == NULL && str_starts(name, STR("no"))) {
		struct str positive = {name.p + 2, name.n - 2};

		s = settings_find(positive);
		if (s != NULL && s->type == &setting_switch)
			return change(app, positive, STR("off"), e);
		s = NULL;
	}
	if (s == NULL) {
		struct str section, inner;

		settings_split(name, &section, &inner);
		if (section.n == 0)
			return err_set(e, ERR_MALFORMED, "there is no setting '%.*s'",
			    (int)(name.n < 40 ? name.n : 40), name.p);
	}
	say_setting(app, name, "");
	return true;
}

bool
line_save(struct app *app, struct str rest, struct err *e)
{
	size_t changes;

	if (rest.n > 0)
		return err_set(e, ERR_MALFORMED, "save takes nothing");
	settings_collect(app, app->settings);
	changes = app->settings->change_count;
	if (changes == 0 && app->settings->path != NULL) {
		app_say(app, "nothing was changed");
		return true;
	}
	if (!settings_save(app->settings, e))
		return false;
	app_say(app, "%zu setting%s saved in %s", changes, changes == 1 ? "" : "s",
	    app->settings->path);
	return true;
}
