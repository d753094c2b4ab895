// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "record/record.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/number.h"

enum {
	LOOK_MS = 250,
	APP_MS = 2000, /* between two looks at the app and its file */
	COMMAND_SHOWN = 70,
	LINE_SHOWN = 500,
	NAME_MOST = 255,
};

/* The size of what an app is profiled into; it reads this when it begins. */
#define BUFFER_PROPERTY "debug.traceview-buffer-size-mb"

/* Commands ---------------------------------------------------------------------------- */

bool
record_say(struct record *r, enum failure_id id)
{
	struct sbuf what = {0}, help = {0};

	if (failures[id].what == NULL)
		return false;
	blanks_fill(&r->blanks, failures[id].what, false, &what);
	if (failures[id].help != NULL)
		blanks_fill(&r->blanks, failures[id].help, false, &help);
	r->ui.say(r->ui.context, sbuf_cstr(&what), help.n > 0 ? sbuf_cstr(&help) : NULL);
	sbuf_release(&what);
	sbuf_release(&help);
	return false;
}

bool
record_tell(struct record *r, enum failure_id id)
{
	if (id != FAILURE_NONE)
		blanks_set(&r->blanks, "line", str_head(r->reply.line, LINE_SHOWN));
	return record_say(r, id);
}

bool
record_stopped(const struct record *r, int times)
{
	return r->ui.stops(r->ui.context) >= times;
}

void
record_phase(struct record *r, enum record_phase phase)
{
	r->phase = phase;
	r->since = clock_ms();
	r->bytes = r->total = 0;
	r->ms = 0;
}

/* Shows how far a running program is; false to end it. */
static bool
go_on(void *context)
{
	struct record *r = context;
	uint64_t size;

	r->ms = clock_ms() - r->since;
	if (r->copying) {
		size = record_local_size(r);
		if (size != r->bytes)
			r->grown = clock_ms();
		r->bytes = size;
		r->stalled = clock_ms() - r->grown > r->host.limit;
	}
	if (r->phase != RECORD_CHOOSING)
		r->key |= r->ui.look(r->ui.context, r, 0);
	return !record_stopped(r, r->patience) && !r->stalled;
}

bool
record_begin(struct record *r, struct err *e)
{
	unsigned char bytes[8];

	if (getentropy(bytes, sizeof(bytes)) != 0)
		return err_system(e, "no random numbers");
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(r->host.nonce + 2 * i, 3, "%02x", bytes[i]);
	r->host.go_on = go_on;
	r->host.context = r;
	r->patience = 1;
	return true;
}

bool
record_is_word(struct str word, const char *others)
{
	for (size_t i = 0; i < word.n; i++) {
		char c = word.p[i];

		if (!is_digit(c) && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') &&
		    (c == '\0' || strchr(others, c) == NULL))
			return false;
	}
	return word.n > 0 && word.n <= NAME_MOST;
}

bool
record_number(struct str word, uint64_t *n)
{
	return word.n > 0 && digits_take(word.p, word.p + word.n, 18, n) == word.p + word.n;
}

struct str
record_line(const struct record *r, const char *part)
{
	struct str rest = reply_out(&r->reply), line, found = {NULL, 0};

	while (rest.p != NULL) {
		line = str_trim(str_cut(&rest, '\n'));
		if (line.n > 0 && memmem(line.p, line.n, part, strlen(part)) != NULL)
			found = line;
	}
	return found;
}

enum wholeness
record_leave(struct record *r)
{
	if (!record_stopped(r, 2)) {
		r->undo[UNDO_FILE] = NULL;
		record_say(r, FAILURE_LEFT);
	}
	return WHOLE_NOTHING;
}

bool
record_ask(struct record *r, const char *template)
{
	struct sbuf command = {0};
	bool lost;

	blanks_fill(&r->blanks, template, true, &command);
	blanks_set(&r->blanks, "command", str_head(sbuf_view(&command), COMMAND_SHOWN));
	device_run(&r->host, r->device, sbuf_view(&command), r->input, &r->reply);
	sbuf_release(&command);
	lost = r->reply.failure == FAILURE_LOST || r->reply.failure == FAILURE_GONE;
	if (!lost || !r->lost)
		record_tell(r, r->reply.failure);
	r->lost = lost;
	return r->reply.failure == FAILURE_NONE;
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

/* As record_ask; false as well when the command failed. */
static bool
run(struct record *r, const char *template, const char *success)
{
	return record_ask(r, template) && (succeeded(&r->reply, success) ||
	    record_tell(r, r->reply.known == FAILURE_OTHER && r->reply.status == 127
		? FAILURE_NO_TOOL : r->reply.known));
}

bool
record_app_gone(struct record *r)
{
	uint64_t pid;

	return (r->what.mode->takes & TAKES_APP) != 0 && !record_number(str_from(r->what.app), &pid) &&
	    record_ask(r, "pidof {app}") && r->reply.status == 1;
}

void
record_undo_all(struct record *r)
{
	struct sbuf left = {0}, command = {0};
	bool answers = true;

	record_phase(r, RECORD_UNDOING);
	r->patience = 3;
	r->stalled = false;
	for (int i = UNDOS; i-- > 0; r->undo[i] = NULL) {
		if (r->undo[i] == NULL)
			continue;
		sbuf_clear(&command);
		blanks_fill(&r->blanks, r->undo[i], true, &command);
		if (answers)
			device_run(&r->host, r->device, sbuf_view(&command), (struct str){NULL, 0},
			    &r->reply);
		answers = answers && r->reply.failure == FAILURE_NONE;
		if (!answers)
			sbuf_printf(&left, "%s%s", left.n > 0 ? "; " : "", sbuf_cstr(&command));
	}
	blanks_set(&r->blanks, "commands", sbuf_view(&left));
	if (left.n > 0)
		record_say(r, FAILURE_UNDO);
	sbuf_release(&left);
	sbuf_release(&command);
}

/* The recording ---------------------------------------------------------------------------- */

static bool
buffer_set(struct record *r)
{
	uint64_t mb = (r->what.buffer + (1 << 20) - 1) >> 20;

	if ((r->what.mode->takes & TAKES_APP) == 0 || mb == 0)
		return true;
	if (!record_ask(r, "getprop " BUFFER_PROPERTY))
		return false;
	blanks_set(&r->blanks, "before", record_line(r, ""));
	blanks_set(&r->blanks, "mb", str_from(fmt_count(FMT_BUF, mb, "")));
	r->undo[UNDO_PROPERTY] = "setprop " BUFFER_PROPERTY " {before}";
	return run(r, "setprop " BUFFER_PROPERTY " {mb}", NULL);
}

/* The number alone on the last line; warnings may precede it. */
static bool
pid_take(struct record *r)
{
	uint64_t pid;

	blanks_set(&r->blanks, "pid", record_line(r, ""));
	if (record_number(record_line(r, ""), &pid))
		return true;
	blanks_set(&r->blanks, "line", STR("it told no process id"));
	return record_say(r, FAILURE_OTHER);
}

bool
record_start(struct record *r)
{
	const struct mode *mode = r->what.mode;
	const char *discard = mode->discard != NULL ? mode->discard : mode->stop;
	struct sbuf config = {0};
	bool good;

	if (!buffer_set(r))
		return false;
	mode_config(&r->what, blanks_get(&r->blanks, STR("tags")), &config);
	/* From here on, a stop by the user must stop the device, too. */
	r->patience = 2;
	r->undo[UNDO_FILE] = "rm -f {file}";
	r->undo[UNDO_TOOL] = mode->gone != NULL ? "pkill -f '[s]lowtop-'{nonce}" : discard;
	r->input = sbuf_view(&config);
	good = run(r, mode->start, mode->started);
	r->input = (struct str){NULL, 0};
	sbuf_release(&config);
	/* Refused: it is somebody else's tracing that would be ended. */
	if (!good && r->reply.failure == FAILURE_NONE && mode->started == NULL)
		r->undo[UNDO_TOOL] = NULL;
	if (!good || mode->gone == NULL)
		return good;
	good = pid_take(r);
	if (good)
		r->undo[UNDO_TOOL] = discard;
	return good;
}

/* Until the time is over, a key comes, the user wants to stop, or nothing is there any more. */
static void
attend(struct record *r)
{
	int64_t limit = r->what.time / 1000000, asked = 0, size, left = LOOK_MS;

	record_phase(r, RECORD_RUNNING);
	record_moment(r, "started");
	r->key = false;
	do {
		r->ms = clock_ms() - r->since;
		if (r->ms - asked >= APP_MS && (r->what.mode->takes & TAKES_APP) != 0) {
			asked = r->ms;
			if (record_app_gone(r)) {
				blanks_set(&r->blanks, "seconds",
				    str_from(fmt_count(FMT_BUF, (uint64_t)asked / 1000, "")));
				record_say(r, FAILURE_APP_ENDED);
				return;
			}
			size = (r->what.mode->takes & GROWS) != 0 ? record_remote_size(r) : 0;
			if (r->reply.failure != FAILURE_NONE)
				return;
			r->bytes = size > 0 ? (uint64_t)size : 0;
		}
		if (limit > 0)
			left = limit - r->ms;
	} while (left > 0 && !r->key && !record_stopped(r, 1) &&
	    !r->ui.look(r->ui.context, r, left < LOOK_MS ? (int)left : LOOK_MS));
}

bool
record_stop(struct record *r)
{
	const struct mode *mode = r->what.mode;
	bool good;

	record_phase(r, RECORD_STOPPING);
	record_moment(r, "stopped");
	good = mode->whole == whole_log ? run(r, mode->stop, mode->stopped) : record_ask(r, mode->stop);
	if (good && mode->gone == NULL)
		r->undo[UNDO_TOOL] = NULL;
	if (r->reply.failure != FAILURE_NONE && r->reply.failure != FAILURE_CANCELLED)
		record_leave(r);
	return good;
}

enum wholeness
record_keep(struct record *r, enum wholeness whole, struct sbuf *path)
{
	struct err e = {.kind = ERR_NONE};

	if (whole == WHOLE_NOTHING)
		return whole;
	if (keep_take(r->keep, whole == WHOLE_PARTLY, path, &e)) {
		record_describe(r, path);
		return whole;
	}
	blanks_set(&r->blanks, "path", sbuf_view(path));
	blanks_set(&r->blanks, "line", str_from(e.what));
	record_say(r, FAILURE_LOCAL);
	return record_leave(r);
}

enum wholeness
record_run(struct record *r, struct sbuf *path)
{
	enum wholeness whole = WHOLE_NOTHING;

	r->patience = 1;
	record_phase(r, RECORD_PREPARING);
	if (record_prepare(r) && record_start(r)) {
		attend(r);
		if (!record_stopped(r, 2) && record_stop(r))
			whole = record_keep(r, record_fetch(r), path);
	}
	record_undo_all(r);
	return whole;
}

void
record_release(struct record *r)
{
	for (size_t i = 0; i < r->devices.count; i++) {
		mem_free(r->devices.list[i].serial);
		mem_free(r->devices.list[i].state);
		mem_free(r->devices.list[i].model);
	}
	mem_free(r->devices.list);
	sbuf_release(&r->reply.text);
	arena_release(&r->blanks.arena);
	mem_free(r->app);
}
