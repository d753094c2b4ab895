// SPDX-License-Identifier: Apache-2.0
/* prepare: what the device is and can do, before anything is started on it (record.h). */
#include <config.h>

#include <string.h>

#include "base/number.h"
#include "record/record.h"

enum { BUFFER_KB = 8192 }; /* of method traces, unless set */

/* Asks what the device is, and the app's version where it tells one. */
static bool
probe(struct record *r)
{
	static const char *const names[] = {"release", "api", "model"};
	struct str rest, app = str_from(r->what.app != NULL ? r->what.app : "");

	if (!record_ask(r, tools[r->device->tool].versions))
		return false;
	rest = reply_out(&r->reply);
	for (int i = 0; i < 3 && rest.p != NULL; i++)
		blanks_set(&r->blanks, names[i], str_trim(str_cut(&rest, '\n')));
	blanks_set(&r->blanks, "package", str_cut(&app, ':'));
	if (r->device->tool != TOOL_ADB || r->what.app == NULL)
		return true;
	/* The lines as one. */
	if (!record_ask(r, "echo $(dumpsys package {package} | grep -o 'version[CN][a-z]*=[^ ]*')"))
		return false;
	blanks_set(&r->blanks, "app-version", record_line(r, ""));
	return true;
}

/* The mode's program on the device has one of these names, if one is to be asked for its tags. */
static bool
program_find(struct record *r)
{
	const struct mode *mode = r->what.mode;

	for (int i = 0; i < PROGRAM_NAMES && mode->programs[i] != NULL; i++) {
		blanks_set(&r->blanks, "program", str_from(mode->programs[i]));
		if (mode->list_tags == NULL)
			return true;
		if (!record_ask(r, mode->list_tags))
			return false;
		if (r->reply.status != 127)
			return true;
	}
	blanks_set(&r->blanks, "program", str_from(mode->programs[0]));
	return record_say(r, FAILURE_NO_TOOL);
}

/* Appends the tags that the device lists (a name a line, then " - "), blanks around each. */
static void
tags_listed(const struct record *r, struct sbuf *all)
{
	struct str rest = reply_out(&r->reply);

	while (r->what.mode->list_tags != NULL && rest.p != NULL) {
		struct str line = str_cut(&rest, '\n'), tag = str_word(&line);

		if (str_equal(str_word(&line), STR("-")) && record_is_word(tag, "_"))
			sbuf_printf(all, " %.*s", STR_ARG(tag));
	}
	sbuf_char(all, ' ');
}

/* Chooses the tags asked for, all of which must be there, or those of the mode that are there. */
static bool
tags_choose(struct record *r)
{
	const char *asked = r->what.tags;
	struct str rest = str_from(asked != NULL ? asked : r->what.mode->tags != NULL ? r->what.mode->tags : "");
	struct sbuf used = {0}, all = {0}, word = {0};
	bool good = true;

	tags_listed(r, &all);
	while (good && rest.p != NULL) {
		struct str tag = str_cut(&rest, ',');

		sbuf_clear(&word);
		sbuf_printf(&word, " %.*s ", STR_ARG(tag));
		if (all.n == 1 || strstr(sbuf_cstr(&all), sbuf_cstr(&word)) != NULL)
			sbuf_bytes(&used, word.p, word.n - 1);
		else
			good = asked == NULL;
		blanks_set(&r->blanks, "value", tag);
	}
	blanks_set(&r->blanks, "tags", str_trim(sbuf_view(good ? &used : &all)));
	if (!good)
		record_say(r, FAILURE_TAG);
	sbuf_release(&used);
	sbuf_release(&all);
	sbuf_release(&word);
	return good;
}

/* Is the package installed?  Said when not. */
static bool
app_exists(struct record *r)
{
	struct str rest;

	if (!record_apps(r, true))
		return false;
	rest = reply_out(&r->reply);
	while (rest.p != NULL)
		if (str_equal(str_cut(&rest, '\n'), blanks_get(&r->blanks, STR("package"))))
			return true;
	return record_say(r, FAILURE_NO_APP);
}

static bool
activity_find(struct record *r)
{
	struct str found;

	if (r->what.activity != NULL) {
		blanks_set(&r->blanks, "activity", str_from(r->what.activity));
		return true;
	}
	if (!record_ask(r, "cmd package resolve-activity --brief {app}"))
		return false;
	found = record_line(r, "/");
	blanks_set(&r->blanks, "activity", found);
	return found.n > 0 || (app_exists(r) && record_say(r, FAILURE_NO_ACTIVITY));
}

static bool
app_ready(struct record *r)
{
	if ((r->what.mode->takes & TAKES_ACTIVITY) != 0)
		return activity_find(r);
	if (!record_app_gone(r))
		return r->reply.failure == FAILURE_NONE;
	return app_exists(r) && record_say(r, FAILURE_NOT_RUNNING);
}

/* Free KB: the third column from the end of the last line, where df prints such. */
static bool
space_there(struct record *r)
{
	uint64_t kb = mode_buffer(&r->what), have;
	struct str last, words[3] = {{NULL, 0}};

	if (!record_ask(r, "df {folder}"))
		return false;
	last = record_line(r, " ");
	for (struct str word; last.n > 0 && (word = str_word(&last)).n > 0; words[2] = word) {
		words[0] = words[1];
		words[1] = words[2];
	}
	kb = 2 * (kb > 0 ? kb : BUFFER_KB);
	if (r->reply.status != 0 || !record_number(words[0], &have) || have >= kb)
		return true;
	blanks_set(&r->blanks, "have", str_from(fmt_bytes(FMT_BUF, have * 1024)));
	blanks_set(&r->blanks, "need", str_from(fmt_bytes(FMT_BUF, kb * 1024)));
	return record_say(r, FAILURE_DEVICE_SPACE);
}

/* Sets {remote}, and {fetch} to what a person would type to fetch the file. */
static void
fetch_set(struct record *r, struct str file)
{
	struct sbuf text = {0};

	blanks_set(&r->blanks, "remote", file);
	blanks_fill(&r->blanks, tools[r->device->tool].pull_text, false, &text);
	blanks_set(&r->blanks, "fetch", sbuf_view(&text));
	sbuf_release(&text);
}

/* Tells of the file of a run that was killed or is under way; false without an answer. */
static bool
tell_earlier(struct record *r)
{
	struct str line;

	if (!record_ask(r, "ls -d {folder}/slowtop-* 2>/dev/null"))
		return false;
	line = record_line(r, "");
	if (r->reply.status != 0 || line.n == 0)
		return true;
	blanks_set(&r->blanks, "earlier", line);
	fetch_set(r, line);
	record_say(r, FAILURE_EARLIER);
	return true;
}

static void
blanks_begin(struct record *r)
{
	const struct recording *what = &r->what;
	bool sampled = (what->mode->takes & TAKES_INTERVAL) != 0;
	unsigned interval = what->interval > 0 ? what->interval : 1000;
	uint64_t kb = mode_buffer(what);
	struct sbuf text = {0};

	blanks_set(&r->blanks, "mode", str_from(what->mode->word));
	blanks_set(&r->blanks, "app", str_from(what->app != NULL ? what->app : ""));
	blanks_set(&r->blanks, "nonce", str_from(r->host.nonce));
	blanks_set(&r->blanks, "folder", str_from(what->mode->folder));
	blanks_set(&r->blanks, "interval",
	    str_from(sampled ? fmt_count(FMT_BUF, interval, "") : ""));
	blanks_set(&r->blanks, "kb", str_from(kb > 0 ? fmt_count(FMT_BUF, kb, "") : ""));
	mode_options(what, &text);
	blanks_set(&r->blanks, "options", sbuf_view(&text));
	sbuf_clear(&text);
	sbuf_printf(&text, "%s/slowtop-%s%s", what->mode->folder, r->host.nonce, what->mode->suffix);
	blanks_set(&r->blanks, "file", sbuf_view(&text));
	sbuf_release(&text);
}

bool
record_prepare(struct record *r)
{
	blanks_begin(r);
	if (!tell_earlier(r))
		return false;
	fetch_set(r, blanks_get(&r->blanks, STR("file")));
	return probe(r) && program_find(r) && tags_choose(r) && app_ready(r) && space_there(r);
}
