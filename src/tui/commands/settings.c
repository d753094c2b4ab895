// SPDX-License-Identifier: Apache-2.0
/* Commands for settings: changing, showing and saving them. */
#include <config.h>

#include "tui/app.h"
#include "tui/keys/commands.h"

static void
say_setting(struct app *app, struct str whole, const char *more)
{
	struct str name;
	const struct setting *s = settings_find(whole);
	const struct setting_section *in = settings_split(whole, &name);
	struct sbuf value = {0};

	if (s != NULL)
		settings_get(app->settings, s, &value);
	else if (in != NULL)
		in->get(in, app->settings, name, &value);
	app_say(app, "%.*s=%s%s", STR_ARG(whole), sbuf_cstr(&value), more);
	sbuf_release(&value);
}

static bool
change(struct app *app, struct str whole, struct str value, struct err *e)
{
	struct str name;
	const struct setting_section *in = settings_split(whole, &name);
	const struct setting *s = in == NULL ? settings_find(name) : NULL;

	if (!settings_change(app->settings, str_from(in != NULL ? in->name : ""), name, value, e))
		return false;
	if (in != NULL && in->apply != NULL)
		in->apply(app);
	if (s != NULL)
		setting_apply(app, s);
	/* Unless it has said itself what came of it. */
	if (app->message[0] == '\0')
		say_setting(app, whole,
		    s != NULL && s->at_start ? " at the next start, if you :save"
					     : " (:save keeps it)");
	return true;
}

/* "name=value", "name" and "noname" for switches, "name?" or "name" for the value. */
bool
cmd_set(struct app *app, const struct argument *given, struct err *e)
{
	struct str value = given->text, name = str_trim(str_cut(&value, '=')), inner;
	const struct setting *s = settings_find(name);

	if (name.n == 0)
		return err_set(e, ERR_MALFORMED, "expected name=value (Tab shows names)");
	if (value.p != NULL)
		return change(app, name, str_trim(value), e);
	/* Settings that keys changed are in force, too. */
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
	if (s == NULL && settings_split(name, &inner) == NULL)
		return err_set(e, ERR_MALFORMED, "there is no setting '%.*s'",
		    (int)(name.n < 40 ? name.n : 40), name.p);
	say_setting(app, name, "");
	return true;
}

void
cmd_save(struct app *app)
{
	struct err e = {0};
	size_t changes;

	settings_collect(app, app->settings);
	changes = app->settings->changes.count;
	if (changes == 0 && app->settings->path != NULL)
		app_say(app, "nothing was changed");
	else if (!settings_save(app->settings, &e))
		app_complain(app, "%s", e.what);
	else
		app_say(app, "%zu setting%s saved in %s", changes, changes == 1 ? "" : "s",
		    app->settings->path);
}
