// SPDX-License-Identifier: Apache-2.0
/* choose: which device, which app on it, and whether what is asked can be (record.h). */
#include <config.h>

#include <string.h>

#include "record/record.h"

enum { NAMES_SHOWN = 40 };

bool
record_devices(struct record *r)
{
	const struct mode *mode = r->what.mode;
	bool there = false, failed = false;

	for (int tool = 0; tool < TOOLS; tool++) {
		if (mode != NULL && (int)mode->tool != tool)
			continue;
		devices_read(&r->devices, &r->host, (enum device_tool)tool, &r->reply);
		if (r->reply.failure == FAILURE_NO_PROGRAM)
			continue;
		there = true;
		failed |= r->reply.failure != FAILURE_NONE;
		blanks_set(&r->blanks, "tool", str_from(tools[tool].name));
		blanks_set(&r->blanks, "device", str_from(tools[tool].name));
		blanks_set(&r->blanks, "command", STR("list of devices"));
		record_tell(r, !failed && r->reply.known == FAILURE_OLD_SERVER ? FAILURE_OLD_SERVER
									     : r->reply.failure);
	}
	if (!there) {
		/* Adb is what most will miss. */
		blanks_set(&r->blanks, "tool", str_from(tools[mode != NULL ? mode->tool : TOOL_ADB].name));
		record_say(r, FAILURE_NO_PROGRAM);
	}
	return there && (!failed || r->devices.count > 0) && !record_stopped(r, 1);
}

void
record_devices_text(const struct record *r, struct sbuf *out)
{
	for (size_t i = 0; i < r->devices.count; i++) {
		const struct device *d = &r->devices.list[i];

		sbuf_printf(out, "%s%s%s  %s\n", d->serial, *d->model != '\0' ? "  " : "", d->model,
		    d->state);
	}
}

/* One of those that can be used; NULL: none. */
static const struct device *
device_ask(struct record *r)
{
	const struct device *found = NULL;
	struct sbuf rows = {0};
	struct str row, serial;

	record_devices_text(r, &rows);
	if (r->ui.choose == NULL) {
		record_say(r, FAILURE_MANY);
	} else if (r->ui.choose(r->ui.context, "Devices", sbuf_view(&rows), &row)) {
		serial = str_word(&row);
		for (size_t i = 0; i < r->devices.count; i++)
			if (str_equal(serial, str_from(r->devices.list[i].serial)))
				found = &r->devices.list[i];
	}
	sbuf_release(&rows);
	return found;
}

bool
record_choose_device(struct record *r, const char *serial)
{
	const struct device *found = NULL;
	struct sbuf names = {0};
	enum failure_id trouble;
	size_t usable = 0;

	for (size_t i = 0; i < r->devices.count; i++) {
		const struct device *d = &r->devices.list[i];
		bool fits = serial != NULL ? strcmp(d->serial, serial) == 0
					   : device_trouble(d) == FAILURE_NONE;

		sbuf_printf(&names, "%s%s", i > 0 ? ", " : "", d->serial);
		/* Also one that cannot be used, to say why. */
		if (fits || (serial == NULL && found == NULL))
			found = d;
		usable += fits;
	}
	blanks_set(&r->blanks, "devices", sbuf_view(&names));
	sbuf_release(&names);
	if (usable > 1 && serial == NULL && (found = device_ask(r)) == NULL)
		return false;
	if (found == NULL) {
		blanks_set(&r->blanks, "device", str_from(serial != NULL ? serial : ""));
		record_say(r, r->devices.count == 0 ? FAILURE_NO_DEVICE : FAILURE_NO_SUCH);
		return false;
	}
	blanks_set(&r->blanks, "tool", str_from(tools[found->tool].name));
	blanks_set(&r->blanks, "device", str_from(found->serial));
	blanks_set(&r->blanks, "state", str_from(found->state));
	trouble = device_trouble(found);
	record_say(r, trouble);
	r->device = found;
	if (r->what.mode == NULL)
		r->what.mode = mode_usual(found->tool, &r->what);
	return trouble == FAILURE_NONE;
}

bool
record_apps(struct record *r, bool all)
{
	device_apps(&r->host, r->device, all, &r->reply);
	blanks_set(&r->blanks, "command", STR("list of apps"));
	record_tell(r, r->reply.failure);
	return r->reply.failure == FAILURE_NONE;
}

bool
record_choose_app(struct record *r)
{
	struct sbuf names = {0};
	struct str rest, app;

	if (!record_apps(r, false))
		return false;
	rest = str_trim(reply_out(&r->reply));
	if (r->ui.choose != NULL && rest.n > 0) {
		if (!r->ui.choose(r->ui.context, "Apps", rest, &app))
			return false;
		r->what.app = r->app = mem_text(app);
		return true;
	}
	for (int i = 0; i < NAMES_SHOWN && (app = str_cut(&rest, '\n')).n > 0; i++) {
		sbuf_text(&names, i > 0 ? ", " : "");
		sbuf_str(&names, app);
	}
	blanks_set(&r->blanks, "apps", sbuf_view(&names));
	record_say(r, FAILURE_WHICH_APP);
	sbuf_release(&names);
	return false;
}

/* Words of the command line ----------------------------------------------------------- */

/* A package, with ":NAME" for a process of it; a process's number. */
static bool
is_app(struct str word)
{
	struct str rest = word, package = str_cut(&rest, ':');

	return record_is_word(package, "._") && (rest.p == NULL || record_is_word(rest, "._"));
}

/* "com.example.app/.MainActivity" */
static bool
is_activity(struct str word)
{
	struct str rest = word, package = str_cut(&rest, '/');

	return record_is_word(package, "._") && record_is_word(rest, "._$");
}

static bool
are_tags(struct str list)
{
	while (list.p != NULL)
		if (!record_is_word(str_cut(&list, ','), "_/"))
			return false;
	return true;
}

bool
record_check(struct record *record)
{
	const struct recording *r = &record->what;
	const struct {
		bool given;
		unsigned takes;
		const char *name;
		/* Checks the value; NULL: its option did. */
		bool (*check)(struct str);
		const char *value, *kind;
	} words[] = {
	    {r->app != NULL, ~0u, "", is_app, r->app, "the name of an app"},
	    {r->activity != NULL, TAKES_ACTIVITY, "activity", is_activity, r->activity,
		"an activity (APP/CLASS)"},
	    {r->tags != NULL, TAKES_TAGS, "tags", are_tags, r->tags, "a list of tags"},
	    {r->interval > 0, TAKES_INTERVAL, "interval", NULL, NULL, NULL},
	    {r->clock > 0, TAKES_CLOCK, "clock", NULL, NULL, NULL},
	    {r->version > 0, TAKES_VERSION, "output-version", NULL, NULL, NULL},
	    {r->config != NULL, TAKES_CONFIG, "config", NULL, NULL, NULL},
	    {r->keep > 0, TAKES_KEEP, "keep", NULL, NULL, NULL},
	    {r->live, TAKES_LIVE, "live", NULL, NULL, NULL},
	};

	blanks_set(&record->blanks, "mode", str_from(r->mode != NULL ? r->mode->word : ""));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!words[i].given)
			continue;
		blanks_set(&record->blanks, "option", str_from(words[i].name));
		if (r->mode != NULL && (r->mode->takes & words[i].takes) == 0)
			return record_say(record, FAILURE_NOT_OF_MODE);
		if (words[i].check == NULL || words[i].check(str_from(words[i].value)))
			continue;
		blanks_set(&record->blanks, "value", str_from(words[i].value));
		blanks_set(&record->blanks, "kind", str_from(words[i].kind));
		return record_say(record, FAILURE_NAME);
	}
	return true;
}
