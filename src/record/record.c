// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "record/record.h"

#include <string.h>

#include "base/number.h"
#include "record/run.h"

enum {
	LOOK_MS = 250,
	APP_MS = 2000, /* between two looks at the app and its file */
	COMMAND_SHOWN = 70,
};

/* The size of what an app is profiled into; it reads this when it begins. */
#define BUFFER_PROPERTY "debug.traceview-buffer-size-mb"

/* Words ------------------------------------------------------------------------------ */

void
record_say(const struct record_ui *ui, enum failure_id id, const struct blanks *blanks)
{
	struct sbuf what = {0}, help = {0};

	blanks_fill(blanks, failures[id].what, false, &what);
	if (failures[id].help != NULL)
		blanks_fill(blanks, failures[id].help, false, &help);
	ui->say(ui->context, sbuf_cstr(&what), help.n > 0 ? sbuf_cstr(&help) : NULL);
	sbuf_release(&what);
	sbuf_release(&help);
}

enum failure_id
reply_failure(const struct reply *reply, struct blanks *blanks)
{
	static const enum failure_id ends[] = {
	    [REPLY_DONE] = FAILURES,
	    [REPLY_LOST] = FAILURE_LOST,
	    [REPLY_LATE] = FAILURE_LATE,
	    [REPLY_CANCELLED] = FAILURES,
	    [REPLY_NO_PROGRAM] = FAILURE_NO_PROGRAM,
	    [REPLY_CANNOT_RUN] = FAILURE_CANNOT_RUN,
	};
	enum failure_id id;
	struct str line;

	if (reply->end == REPLY_CANNOT_RUN)
		blanks_set(blanks, "line", str_trim(sbuf_view(&reply->text)));
	if (reply->end != REPLY_NO_SERVER)
		return ends[reply->end];
	id = failure_find(sbuf_view(&reply->text), &line);
	blanks_set(blanks, "line", line);
	return id;
}

void
run_set(struct run *r, const char *name, struct str value)
{
	blanks_set(&r->blanks, name, arena_str(&r->arena, value));
}

void
run_say(struct run *r, enum failure_id id)
{
	record_say(r->how->ui, id, &r->blanks);
}

/* Commands ---------------------------------------------------------------------------- */

bool
run_is_number(const char *app)
{
	return app[strspn(app, "0123456789")] == '\0';
}

void
run_phase(struct run *r, enum record_phase phase)
{
	r->progress = (struct record_progress){.phase = phase};
	r->since = clock_ms();
}

/* While a program runs: shows how far it is; is it to go on? */
static bool
go_on(void *context)
{
	struct run *r = context;
	const struct record_ui *ui = r->how->ui;
	uint64_t size;

	r->progress.ms = clock_ms() - r->since;
	if (r->copying) {
		size = fetch_local_size(r);
		if (size != r->progress.bytes)
			r->grown = clock_ms();
		r->progress.bytes = size;
		r->stalled = clock_ms() - r->grown > r->host.limit;
	}
	r->key |= ui->look(ui->context, &r->progress, 0);
	return ui->stops(ui->context) < r->patience && !r->stalled;
}

bool
run_ask(struct run *r, const char *template, struct str input)
{
	struct sbuf command = {0};
	enum failure_id failure;

	blanks_fill(&r->blanks, template, true, &command);
	run_set(r, "command", str_head(sbuf_view(&command), COMMAND_SHOWN));
	device_run(&r->host, r->how->device, sbuf_view(&command), input, &r->reply);
	sbuf_release(&command);
	failure = reply_failure(&r->reply, &r->blanks);
	if (failure != FAILURES && !r->silent)
		run_say(r, failure);
	r->silent = failure == FAILURE_LOST || failure == FAILURE_GONE;
	return r->reply.end == REPLY_DONE;
}

/* Some say that they failed in words only. */
static bool
succeeded(const struct reply *reply, const char *success)
{
	static const char *const bad[] = {"Error:", "Exception", " error: ", "[Fail]"};
	const char *text = sbuf_cstr(&reply->text);

	if (success != NULL && strstr(text, success) == NULL)
		return false;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (strstr(text, bad[i]) != NULL)
			return false;
	return reply->status == 0;
}

bool
run_do(struct run *r, const char *template, struct str input, const char *success)
{
	enum failure_id failure;
	struct str line;

	if (!run_ask(r, template, input))
		return false;
	if (succeeded(&r->reply, success))
		return true;
	failure = failure_find(sbuf_view(&r->reply.text), &line);
	if (failure == FAILURE_OTHER && r->reply.status == 127)
		failure = FAILURE_NO_TOOL;
	run_set(r, "line", line);
	run_say(r, failure);
	return false;
}

bool
run_app_gone(struct run *r)
{
	const struct recording *what = &r->how->what;

	return (what->mode->takes & TAKES_APP) != 0 && !run_is_number(what->app) &&
	    run_ask(r, "pidof {app}", (struct str){NULL, 0}) && r->reply.status == 1;
}

/* What has to be undone ------------------------------------------------------------------ */

static void
undo_later(struct run *r, const char *template)
{
	struct sbuf command = {0};

	blanks_fill(&r->blanks, template, true, &command);
	if (r->undo_count < UNDO_MAX)
		r->undo[r->undo_count++] = mem_text(sbuf_view(&command));
	sbuf_release(&command);
}

void
run_ended(struct run *r)
{
	mem_free(r->undo[--r->undo_count]);
}

static bool
is_removal(const char *command)
{
	return strncmp(command, "rm ", 3) == 0;
}

/* All of it, the last first; when the device no longer answers, it is said what is left. */
static void
undo_all(struct run *r)
{
	struct sbuf left = {0};
	bool answers = true;

	run_phase(r, RECORD_UNDOING);
	r->patience = 3;
	r->stalled = false;
	for (; r->undo_count > 0; mem_free(r->undo[--r->undo_count])) {
		const char *command = r->undo[r->undo_count - 1];

		if (r->leave_file && is_removal(command))
			continue;
		if (answers)
			device_run(&r->host, r->how->device, str_from(command),
			    (struct str){NULL, 0}, &r->reply);
		answers = answers && r->reply.end == REPLY_DONE;
		if (!answers)
			sbuf_printf(&left, "%s%s", left.n > 0 ? "; " : "", command);
	}
	blanks_set(&r->blanks, "commands", sbuf_view(&left));
	if (left.n > 0)
		run_say(r, FAILURE_UNDO);
	sbuf_release(&left);
}

/* The recording ---------------------------------------------------------------------------- */

static bool
buffer_set(struct run *r)
{
	const struct recording *what = &r->how->what;
	char text[FMT_SIZE];
	struct str rest;

	if ((what->mode->takes & TAKES_APP) == 0 || what->buffer == 0)
		return true;
	if (!run_ask(r, "getprop " BUFFER_PROPERTY, (struct str){NULL, 0}))
		return false;
	rest = reply_out(&r->reply);
	run_set(r, "before", str_trim(str_cut(&rest, '\n')));
	run_set(r, "mb", str_from(fmt_count(text, (what->buffer + (1 << 20) - 1) >> 20, "")));
	undo_later(r, "setprop " BUFFER_PROPERTY " {before}");
	return run_do(r, "setprop " BUFFER_PROPERTY " {mb}", (struct str){NULL, 0}, NULL);
}

/* The number alone on the last line; warnings may precede it. */
static bool
pid_take(struct run *r)
{
	struct str rest = reply_out(&r->reply), line;
	bool told = false;
	uint64_t pid;

	while (rest.p != NULL) {
		line = str_trim(str_cut(&rest, '\n'));
		if (line.n > 0 && digits_take(line.p, line.p + line.n, 18, &pid) == line.p + line.n) {
			run_set(r, "pid", line);
			told = true;
		}
	}
	if (!told) {
		run_set(r, "line", STR("it told no process id"));
		run_say(r, FAILURE_OTHER);
	}
	return told;
}

static bool
start(struct run *r)
{
	const struct mode *mode = r->how->what.mode;
	struct sbuf config = {0};
	bool good;

	if (!buffer_set(r) ||
	    (mode->before != NULL && !run_do(r, mode->before, (struct str){NULL, 0}, NULL)))
		return false;
	for (size_t i = 0; i < r->blanks.count; i++)
		if (strcmp(r->blanks.list[i].name, "tags") == 0)
			mode_config(&r->how->what, r->blanks.list[i].value, &config);
	/* What a user stops from here on must be stopped there. */
	r->patience = 2;
	undo_later(r, "rm -f {file}");
	if (mode->gone == NULL)
		undo_later(r, mode->discard);
	good = run_do(r, mode->start, sbuf_view(&config), mode->started);
	sbuf_release(&config);
	if (good && mode->gone != NULL) {
		good = pid_take(r);
		if (good)
			undo_later(r, mode->discard);
	}
	/* Refused: it is somebody else's tracing that would be ended. */
	if (!good && r->reply.end == REPLY_DONE && mode->gone == NULL && mode->started == NULL)
		run_ended(r);
	return good;
}

/* Until the time is over, a key comes, the user wants to stop, or nothing is there any more. */
static void
attend(struct run *r)
{
	const struct record_ui *ui = r->how->ui;
	const struct recording *what = &r->how->what;
	int64_t limit = what->time / 1000000, asked = 0, size;
	char text[FMT_SIZE];

	run_phase(r, RECORD_RUNNING);
	r->key = false;
	do {
		r->progress.ms = clock_ms() - r->since;
		if (r->progress.ms - asked >= APP_MS && (what->mode->takes & TAKES_APP) != 0) {
			asked = r->progress.ms;
			if (run_app_gone(r)) {
				run_set(r, "seconds", str_from(fmt_count(text, (uint64_t)asked / 1000, "")));
				run_say(r, FAILURE_APP_ENDED);
				return;
			}
			size = (what->mode->takes & GROWS) != 0 ? run_remote_size(r) : 0;
			if (r->reply.end != REPLY_DONE)
				return;
			r->progress.bytes = size > 0 ? (uint64_t)size : 0;
		}
		if (limit > 0 && limit - r->progress.ms <= 0)
			return;
	} while (!r->key && ui->stops(ui->context) == 0 && !ui->look(ui->context, &r->progress,
	    limit > 0 && limit - r->progress.ms < LOOK_MS ? (int)(limit - r->progress.ms) : LOOK_MS));
}

/* Whether the tool ended well, or had ended before, is judged by the file where that tells it. */
static bool
stop(struct run *r)
{
	const struct mode *mode = r->how->what.mode;
	bool good;

	run_phase(r, RECORD_STOPPING);
	good = mode->whole == whole_log
	    ? run_do(r, mode->stop, (struct str){NULL, 0}, mode->stopped)
	    : run_ask(r, mode->stop, (struct str){NULL, 0});
	if (good && mode->gone == NULL)
		run_ended(r);
	else if (!good && r->reply.end != REPLY_DONE && r->reply.end != REPLY_CANCELLED) {
		r->leave_file = true;
		run_say(r, FAILURE_LEFT);
	}
	return good;
}

static enum record_end
keep(struct run *r, enum record_end end, struct sbuf *path)
{
	struct err e = {.kind = ERR_NONE};
	char text[256];

	if (end == RECORD_NOTHING || keep_take(r->how->keep, end == RECORD_INCOMPLETE, path, &e))
		return end;
	run_set(r, "path", sbuf_view(path));
	run_set(r, "line", str_from(err_text(&e, text, sizeof(text))));
	run_say(r, FAILURE_LOCAL);
	run_say(r, FAILURE_LEFT);
	r->leave_file = true;
	return RECORD_NOTHING;
}

enum record_end
record_run(const struct record *how, struct sbuf *path)
{
	struct run r = {.how = how, .host = how->host, .patience = 1};
	enum record_end end = RECORD_NOTHING;

	r.host.go_on = go_on;
	r.host.context = &r;
	run_phase(&r, RECORD_PREPARING);
	blanks_set(&r.blanks, "tool", str_from(tool_names[how->device->tool]));
	blanks_set(&r.blanks, "device", str_from(how->device->serial));
	blanks_set(&r.blanks, "mode", str_from(how->what.mode->word));
	if (how->what.app != NULL)
		blanks_set(&r.blanks, "app", str_from(how->what.app));
	if (run_prepare(&r) && start(&r)) {
		attend(&r);
		if (how->ui->stops(how->ui->context) < 2 && stop(&r))
			end = keep(&r, run_fetch(&r), path);
	}
	undo_all(&r);
	reply_release(&r.reply);
	mem_free(r.file);
	arena_release(&r.arena);
	return end;
}
