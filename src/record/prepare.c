// SPDX-License-Identifier: Apache-2.0
/* prepare: what the device is and can do, before anything is started on it (run.h). */
#include <config.h>

#include <string.h>

#include "base/number.h"
#include "record/run.h"

enum { BUFFER_KB = 8192 }; /* of method traces, unless set */

static struct str
line_next(struct str *rest)
{
	return rest->p != NULL ? str_trim(str_cut(rest, '\n')) : (struct str){NULL, 0};
}

static bool
probe(struct run *r)
{
	static const char *const questions[TOOLS] = {
	    "getprop ro.build.version.release; getprop ro.product.model",
	    "param get const.ohos.apiversion; param get const.product.model",
	};
	struct str rest;

	if (!run_ask(r, questions[r->how->device->tool], (struct str){NULL, 0}))
		return false;
	rest = reply_out(&r->reply);
	run_set(r, "release", line_next(&rest));
	return true;
}

/* The tool that lists its tags is there; early systems have hitrace under another name. */
static bool
tags_choose(struct run *r)
{
	const struct mode *mode = r->how->what.mode;
	struct sbuf used = {0}, all = {0};
	struct str missing;
	bool good = true;

	run_set(r, "program", str_from(mode->program));
	if (mode->list_tags != NULL) {
		if (!run_ask(r, mode->list_tags, (struct str){NULL, 0}))
			return false;
		if (r->reply.status == 127 && mode->tool == TOOL_HDC) {
			run_set(r, "program", STR("bytrace"));
			if (!run_ask(r, mode->list_tags, (struct str){NULL, 0}))
				return false;
			if (r->reply.status == 127)
				run_set(r, "program", str_from(mode->program));
		}
		if (r->reply.status == 127) {
			run_say(r, FAILURE_NO_TOOL);
			return false;
		}
	}
	if ((mode->takes & TAKES_TAGS) != 0) {
		good = mode_tags(&r->how->what, mode->list_tags != NULL ? reply_out(&r->reply)
			: (struct str){NULL, 0}, &used, &all, &missing);
		run_set(r, "tags", str_trim(sbuf_view(good ? &used : &all)));
		if (!good) {
			run_set(r, "value", missing);
			run_say(r, FAILURE_TAG);
		}
	}
	sbuf_release(&used);
	sbuf_release(&all);
	return good;
}

/* Is the package installed?  Said when not. */
static bool
app_exists(struct run *r)
{
	struct str package = str_from(r->how->what.app), rest;

	package = str_cut(&package, ':');
	device_apps(&r->host, r->how->device, true, &r->reply);
	rest = reply_out(&r->reply);
	while (rest.p != NULL)
		if (str_equal(str_cut(&rest, '\n'), package))
			return true;
	run_say(r, FAILURE_NO_APP);
	return false;
}

/* The last line of the answer that has a slash. */
static bool
activity_find(struct run *r)
{
	struct str rest, line, found = {NULL, 0};

	if (r->how->what.activity != NULL) {
		run_set(r, "activity", str_from(r->how->what.activity));
		return true;
	}
	if (!run_ask(r, "cmd package resolve-activity --brief {app}", (struct str){NULL, 0}))
		return false;
	rest = reply_out(&r->reply);
	while (rest.p != NULL) {
		line = line_next(&rest);
		if (line.n > 0 && memchr(line.p, '/', line.n) != NULL)
			found = line;
	}
	run_set(r, "activity", found);
	if (found.n > 0)
		return true;
	if (app_exists(r))
		run_say(r, FAILURE_NO_ACTIVITY);
	return false;
}

static bool
app_ready(struct run *r)
{
	const struct recording *what = &r->how->what;

	if ((what->mode->takes & TAKES_APP) == 0 || run_is_number(what->app))
		return true;
	if ((what->mode->takes & TAKES_ACTIVITY) != 0)
		return activity_find(r);
	if (!run_app_gone(r))
		return r->reply.end == REPLY_DONE;
	if (app_exists(r))
		run_say(r, FAILURE_NOT_RUNNING);
	return false;
}

/* Free KB: the third column from the end of the last line, where df prints such. */
static bool
space_there(struct run *r)
{
	uint64_t kb = mode_buffer(&r->how->what), have = 0;
	struct str rest, line, last = {NULL, 0}, words[3] = {{NULL, 0}};
	char number[FMT_SIZE];

	if (!run_ask(r, "df {folder}", (struct str){NULL, 0}))
		return false;
	rest = reply_out(&r->reply);
	while (rest.p != NULL) {
		line = line_next(&rest);
		if (line.n > 0)
			last = line;
	}
	for (struct str word; last.n > 0 && (word = str_word(&last)).n > 0;) {
		words[0] = words[1];
		words[1] = words[2];
		words[2] = word;
	}
	kb = 2 * (kb > 0 ? kb : BUFFER_KB);
	if (r->reply.status != 0 || words[0].n == 0 ||
	    digits_take(words[0].p, words[0].p + words[0].n, 18, &have) != words[0].p + words[0].n ||
	    have >= kb)
		return true;
	run_set(r, "have", str_from(fmt_bytes(number, have * 1024)));
	run_set(r, "need", str_from(fmt_bytes(number, kb * 1024)));
	run_say(r, FAILURE_DEVICE_SPACE);
	return false;
}

/* What a run left that was killed, or one that is under way. */
static bool
tell_earlier(struct run *r)
{
	struct sbuf fetch = {0};
	struct str rest, line;

	if (!run_ask(r, "ls -d {folder}/slowtop-* 2>/dev/null", (struct str){NULL, 0}))
		return false;
	rest = reply_out(&r->reply);
	line = line_next(&rest);
	if (r->reply.status != 0 || line.n == 0)
		return true;
	run_set(r, "earlier", line);
	device_pull_text(r->how->device, line, &fetch);
	blanks_set(&r->blanks, "fetch", sbuf_view(&fetch));
	run_say(r, FAILURE_EARLIER);
	sbuf_release(&fetch);
	return true;
}

bool
run_prepare(struct run *r)
{
	const struct recording *what = &r->how->what;
	struct sbuf text = {0};
	char number[FMT_SIZE];
	bool good;

	run_set(r, "folder", str_from(what->mode->folder));
	sbuf_printf(&text, "%s/slowtop-%s%s", what->mode->folder, r->host.nonce, what->mode->suffix);
	r->file = mem_text(sbuf_view(&text));
	run_set(r, "file", sbuf_view(&text));
	sbuf_clear(&text);
	mode_options(what, &text);
	run_set(r, "options", sbuf_view(&text));
	run_set(r, "interval", str_from(fmt_count(number, what->interval > 0 ? what->interval : 1000, "")));
	run_set(r, "kb", str_from(fmt_count(number, mode_buffer(what), "")));
	good = tell_earlier(r);
	sbuf_clear(&text);
	device_pull_text(r->how->device, str_from(r->file), &text);
	run_set(r, "fetch", sbuf_view(&text));
	sbuf_release(&text);
	if (!good || !probe(r) || !tags_choose(r) || !app_ready(r) || !space_there(r))
		return false;
	/* What we composed of checked and quoted words. */
	for (size_t i = 0; i < r->blanks.count; i++)
		if (strcmp(r->blanks.list[i].name, "options") == 0 ||
		    strcmp(r->blanks.list[i].name, "tags") == 0 ||
		    strcmp(r->blanks.list[i].name, "program") == 0)
			r->blanks.list[i].plain = true;
	return true;
}
