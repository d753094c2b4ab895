// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "record/device.h"

#include <string.h>

#include "base/compat.h"
#include "base/mem.h"

const struct tool tools[TOOLS] = {
    [TOOL_ADB] = {"adb", "-s", {"devices", "-l"}, "exec-out", {"pull"}, "adb -s {device} pull {remote}",
	"getprop ro.build.version.release; getprop ro.build.version.sdk; getprop ro.product.model",
	"pm list packages -3", "pm list packages", "package:"},
    [TOOL_HDC] = {"hdc", "-t", {"list", "targets", "-v"}, "shell", {"file", "recv"},
	"hdc -t {device} file recv {remote}",
	"param get const.ohos.apiversion; param get const.ohos.apiversion; "
	"param get const.product.model",
	"bm dump -a", "bm dump -a", "\t"},
};

static void
reply_end(struct reply *reply, enum failure_id failure)
{
	reply->failure = failure;
	reply->known = failure_find(sbuf_view(&reply->text), &reply->line);
}

static void
reply_add(struct reply *reply, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] != '\r')
			sbuf_char(&reply->text, text.p[i]);
	if (reply->text.n > 0 && reply->text.p[reply->text.n - 1] != '\n')
		sbuf_char(&reply->text, '\n');
}

/* Runs it; both streams without carriage returns, standard output first. */
static void
ask(const struct host *h, const char *const *argv, struct str input, int64_t limit,
    struct reply *reply)
{
	static const enum failure_id ends[] = {
	    [PROGRAM_ENDED] = FAILURE_NONE,
	    [PROGRAM_LATE] = FAILURE_LATE,
	    [PROGRAM_CANCELLED] = FAILURE_CANCELLED,
	    [PROGRAM_MISSING] = FAILURE_NO_PROGRAM,
	    [PROGRAM_FAILED] = FAILURE_CANNOT_RUN,
	};
	const struct program program = {.argv = argv, .input = input, .limit = limit,
	    .go_on = h->go_on, .context = h->context};
	struct program_result result = {.status = 0};
	struct err e = {.kind = ERR_NONE};

	program_run(&program, &result, &e);
	sbuf_clear(&reply->text);
	reply_add(reply, sbuf_view(&result.out));
	reply->printed = reply->text.n;
	reply_add(reply, sbuf_view(&result.err));
	reply_add(reply, str_from(e.what));
	reply->status = result.status;
	reply_end(reply, ends[result.end]);
	program_release(&result);
}

/* Lists -------------------------------------------------------------------------- */

/*
 * "emulator-5554  device product:sdk model:Pixel_8 ..."; "SERIAL  no permissions (...)";
 * of hdc "SERIAL  USB  Connected  localhost  hdc".
 */
static void
device_line(struct devices *all, enum device_tool tool, struct str line)
{
	struct str serial = str_word(&line), state, word, model = {NULL, 0};

	if (tool == TOOL_HDC)
		(void)str_word(&line);
	line = str_trim(line);
	if (serial.n == 0 || line.n == 0 || strchr("*[", *serial.p) != NULL ||
	    str_starts(line, STR("of devices")))
		return;
	state = str_starts(line, STR("no permissions")) ? str_head(line, 14) : str_word(&line);
	while ((word = str_word(&line)).n > 0)
		if (str_starts(word, STR("model:")))
			model = (struct str){word.p + 6, word.n - 6};
	*MEM_ADD(all->list, all->count, all->room) =
	    (struct device){tool, mem_text(serial), mem_text(state), mem_text(model)};
}

void
devices_read(struct devices *all, const struct host *h, enum device_tool tool, struct reply *reply)
{
	const char *const *words = tools[tool].list;
	const char *const argv[] = {h->program[tool], words[0], words[1], words[2], NULL};
	struct str rest;

	ask(h, argv, (struct str){NULL, 0}, h->limit, reply);
	if (reply->failure == FAILURE_NONE && (reply->status != 0 || reply->known == FAILURE_SERVER))
		reply->failure = reply->known;
	if (reply->failure != FAILURE_NONE)
		return;
	rest = reply_out(reply);
	while (rest.p != NULL)
		device_line(all, tool, str_cut(&rest, '\n'));
}

enum failure_id
device_trouble(const struct device *d)
{
	static const struct {
		const char *state;
		enum failure_id failure;
	} states[] = {
	    {"device", FAILURE_NONE},
	    {"Connected", FAILURE_NONE},
	    {"Ready", FAILURE_NONE},
	    {"unauthorized", FAILURE_UNAUTHORIZED},
	    {"Unauthorized", FAILURE_UNAUTHORIZED},
	    {"offline", FAILURE_OFFLINE},
	    {"Offline", FAILURE_OFFLINE},
	    {"authorizing", FAILURE_OFFLINE},
	    {"connecting", FAILURE_OFFLINE},
	    {"no permissions", FAILURE_NO_PERMISSION},
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (strcmp(d->state, states[i].state) == 0)
			return states[i].failure;
	return FAILURE_IN_STATE;
}

/* Commands ------------------------------------------------------------------------- */

/* Takes out our line, with the status that it has; false: it is not there. */
static bool
closing_take(struct reply *reply, struct str mark)
{
	struct sbuf *text = &reply->text;
	char *at = text->n == 0 ? NULL : memmem(text->p, text->n, mark.p, mark.n), *end;
	uint64_t status;

	if (at == NULL)
		return false;
	end = (char *)digits_take(at + mark.n, text->p + text->n, 3, &status);
	if (end == at + mark.n || *end != '\n')
		return false;
	/* Standard error comes after it. */
	reply->status = (int)status;
	reply->printed = (size_t)(at - text->p);
	text->n -= (size_t)(end + 1 - at);
	memmove(at, end + 1, text->n - reply->printed);
	return true;
}

void
device_run(const struct host *h, const struct device *d, struct str command, struct str input,
    struct reply *reply)
{
	struct sbuf text = {0}, mark = {0};
	const char *argv[] = {
	    h->program[d->tool], tools[d->tool].serial, d->serial, "shell", NULL, NULL};

	sbuf_printf(&mark, "slowtop:%s:", h->nonce);
	sbuf_str(&text, command);
	sbuf_printf(&text, "; echo \"%s$?\"", sbuf_cstr(&mark));
	argv[4] = sbuf_cstr(&text);
	ask(h, argv, input, h->limit, reply);
	if (reply->failure != FAILURE_NONE)
		; /* that of the program */
	else if (closing_take(reply, sbuf_view(&mark)))
		reply_end(reply, FAILURE_NONE);
	else
		reply->failure = reply->known < FAILURE_NOT_DEBUGGABLE ? reply->known : FAILURE_LOST;
	sbuf_release(&text);
	sbuf_release(&mark);
}

void
device_pull(const struct host *h, const struct device *d, const char *from, const char *to,
    struct reply *reply)
{
	const struct tool *t = &tools[d->tool];
	const char *argv[] = {h->program[d->tool], t->serial, d->serial, t->pull[0], from, to, NULL, NULL};

	if (t->pull[1] != NULL) {
		argv[4] = t->pull[1];
		argv[5] = from;
		argv[6] = to;
	}
	ask(h, argv, (struct str){NULL, 0}, 0, reply);
}

/* Keeps the names of "package:NAME", or of "<tab>NAME", in the place of what was printed. */
void
device_apps(const struct host *h, const struct device *d, bool all, struct reply *reply)
{
	const struct tool *t = &tools[d->tool];
	struct str mark = str_from(t->app_mark), rest, line;
	struct sbuf names = {0};

	device_run(h, d, str_from(all ? t->all_apps : t->apps), (struct str){NULL, 0}, reply);
	if (reply->failure != FAILURE_NONE)
		return;
	rest = reply_out(reply);
	while (rest.p != NULL) {
		line = str_cut(&rest, '\n');
		if (!str_starts(line, mark) || line.n == mark.n)
			continue;
		sbuf_bytes(&names, line.p + mark.n, line.n - mark.n);
		sbuf_char(&names, '\n');
	}
	sbuf_release(&reply->text);
	reply->text = names;
	reply->printed = names.n;
	reply_end(reply, FAILURE_NONE);
}
