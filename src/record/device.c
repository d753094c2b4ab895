// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "record/device.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"

const char *const tool_names[TOOLS] = {"adb", "hdc"};

bool
host_begin(struct host *h, struct err *e)
{
	unsigned char bytes[8];

	if (getentropy(bytes, sizeof(bytes)) != 0)
		return err_system(e, "no random numbers");
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(h->nonce + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

void
reply_release(struct reply *r)
{
	sbuf_release(&r->text);
	*r = (struct reply){0};
}

/* Runs it; both streams without carriage returns, standard output first. */
static void
ask(const struct host *h, const char *const *argv, struct str input, int64_t limit,
    struct reply *reply)
{
	static const enum reply_end ends[] = {
	    [PROGRAM_ENDED] = REPLY_DONE,
	    [PROGRAM_LATE] = REPLY_LATE,
	    [PROGRAM_CANCELLED] = REPLY_CANCELLED,
	    [PROGRAM_MISSING] = REPLY_NO_PROGRAM,
	    [PROGRAM_FAILED] = REPLY_CANNOT_RUN,
	};
	const struct program program = {.argv = argv, .input = input, .limit = limit,
	    .go_on = h->go_on, .context = h->context};
	struct program_result result = {.status = 0};
	const struct sbuf *const texts[] = {&result.out, &result.err};
	struct err e = {.kind = ERR_NONE};

	sbuf_clear(&reply->text);
	program_run(&program, &result, &e);
	reply->end = ends[result.end];
	reply->status = result.status;
	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < texts[k]->n; i++)
			if (texts[k]->p[i] != '\r')
				sbuf_char(&reply->text, texts[k]->p[i]);
		if (reply->text.n > 0 && reply->text.p[reply->text.n - 1] != '\n')
			sbuf_char(&reply->text, '\n');
		if (k == 0)
			reply->printed = reply->text.n;
	}
	if (e.kind != ERR_NONE)
		sbuf_text(&reply->text, e.what);
	program_release(&result);
}

/* Lists -------------------------------------------------------------------------- */

static void
device_add(struct devices *all, enum device_tool tool, struct str serial, struct str state,
    struct str model)
{
	MEM_GROW(all->list, all->room, all->count + 1);
	all->list[all->count++] = (struct device){
	    tool, mem_text(serial), mem_text(state), mem_text(model)};
}

/* "emulator-5554  device product:sdk model:Pixel_8 ..."; "SERIAL  no permissions (...)" */
static void
adb_line(struct devices *all, struct str line)
{
	struct str serial = str_word(&line), rest = str_trim(line), state = str_word(&line);
	struct str word, model = {NULL, 0};

	if (serial.n == 0 || state.n == 0 || serial.p[0] == '*' || str_starts(rest, STR("of devices")))
		return;
	while ((word = str_word(&line)).n > 0)
		if (str_starts(word, STR("model:")))
			model = (struct str){word.p + 6, word.n - 6};
	device_add(all, TOOL_ADB, serial,
	    str_starts(rest, STR("no permissions")) ? str_head(rest, 14) : state, model);
}

/* "SERIAL  USB  Connected  localhost  hdc" */
static void
hdc_line(struct devices *all, struct str line)
{
	struct str serial = str_word(&line), bus = str_word(&line), state = str_word(&line);

	if (bus.n > 0 && state.n > 0 && serial.p[0] != '[')
		device_add(all, TOOL_HDC, serial, state, (struct str){NULL, 0});
}

void
devices_read(struct devices *all, const struct host *h, enum device_tool tool, struct reply *reply)
{
	static const char *const words[TOOLS][3] = {{"devices", "-l"}, {"list", "targets", "-v"}};
	const char *const argv[] = {
	    h->program[tool], words[tool][0], words[tool][1], words[tool][2], NULL};
	struct str rest, line;

	ask(h, argv, (struct str){NULL, 0}, h->limit, reply);
	if (reply->end == REPLY_DONE && (reply->status != 0 ||
		failure_find(sbuf_view(&reply->text), &line) == FAILURE_SERVER))
		reply->end = REPLY_NO_SERVER;
	if (reply->end != REPLY_DONE)
		return;
	rest = reply_out(reply);
	while (rest.p != NULL) {
		line = str_cut(&rest, '\n');
		(tool == TOOL_ADB ? adb_line : hdc_line)(all, line);
	}
}

void
devices_release(struct devices *all)
{
	for (size_t i = 0; i < all->count; i++) {
		mem_free(all->list[i].serial);
		mem_free(all->list[i].state);
		mem_free(all->list[i].model);
	}
	mem_free(all->list);
	*all = (struct devices){0};
}

enum failure_id
device_trouble(const struct device *d)
{
	static const struct {
		const char *state;
		enum failure_id failure;
	} states[] = {
	    {"device", FAILURES},
	    {"Connected", FAILURES},
	    {"Ready", FAILURES},
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

/* Finds our line and takes it out, with the status that it has; false: it is not there. */
static bool
closing_take(struct reply *reply, const char *mark)
{
	size_t n = strlen(mark);
	uint64_t status;

	for (size_t at = reply->text.n; at-- > 0;) {
		const char *end = reply->text.p + reply->text.n, *p;

		if ((size_t)(end - reply->text.p) - at < n || memcmp(reply->text.p + at, mark, n) != 0)
			continue;
		p = digits_take(reply->text.p + at + n, end, 3, &status);
		if (p == end || *p != '\n')
			return false;
		reply->status = (int)status;
		n = (size_t)(p + 1 - (reply->text.p + at));
		/* What came as an error is after it. */
		memmove(reply->text.p + at, p + 1, (size_t)(end - p) - 1);
		reply->text.n -= n;
		reply->printed -= n < reply->printed ? n : reply->printed;
		return true;
	}
	return false;
}

void
device_run(const struct host *h, const struct device *d, struct str command, struct str input,
    struct reply *reply)
{
	struct sbuf text = {0}, mark = {0};
	const char *argv[] = {h->program[d->tool], d->tool == TOOL_ADB ? "-s" : "-t", d->serial,
	    "shell", NULL, NULL};
	struct str line;

	sbuf_printf(&mark, "slowtop:%s:", h->nonce);
	sbuf_str(&text, command);
	sbuf_printf(&text, "; echo \"%s$?\"", sbuf_cstr(&mark));
	argv[4] = sbuf_cstr(&text);
	ask(h, argv, input, h->limit, reply);
	if (reply->end == REPLY_DONE && !closing_take(reply, sbuf_cstr(&mark)))
		reply->end = failure_find(sbuf_view(&reply->text), &line) < FAILURE_NOT_DEBUGGABLE
		    ? REPLY_NO_SERVER : REPLY_LOST;
	sbuf_release(&text);
	sbuf_release(&mark);
}

void
device_pull(const struct host *h, const struct device *d, const char *from, const char *to,
    struct reply *reply)
{
	const char *const adb[] = {h->program[TOOL_ADB], "-s", d->serial, "pull", from, to, NULL};
	const char *const hdc[] = {
	    h->program[TOOL_HDC], "-t", d->serial, "file", "recv", from, to, NULL};

	ask(h, d->tool == TOOL_ADB ? adb : hdc, (struct str){NULL, 0}, 0, reply);
}

void
device_pull_text(const struct device *d, struct str from, struct sbuf *out)
{
	sbuf_printf(out, d->tool == TOOL_ADB ? "adb -s %s pull " : "hdc -t %s file recv ", d->serial);
	sbuf_str(out, from);
}

/* Keeps the names of "package:NAME", or of "<tab>NAME", in the place of what was printed. */
void
device_apps(const struct host *h, const struct device *d, bool all, struct reply *reply)
{
	struct sbuf names = {0};
	struct str rest, line;

	device_run(h, d, d->tool == TOOL_HDC ? STR("bm dump -a")
		: all ? STR("pm list packages") : STR("pm list packages -3"),
	    (struct str){NULL, 0}, reply);
	rest = reply_out(reply);
	while (rest.p != NULL) {
		bool indented = rest.n > 0 && is_blank(*rest.p);

		line = str_trim(str_cut(&rest, '\n'));
		if (d->tool == TOOL_ADB && str_starts(line, STR("package:")))
			line = (struct str){line.p + 8, line.n - 8};
		else if (d->tool == TOOL_ADB || !indented)
			continue;
		if (line.n == 0)
			continue;
		sbuf_str(&names, line);
		sbuf_char(&names, '\n');
	}
	sbuf_release(&reply->text);
	reply->text = names;
	reply->printed = names.n;
}
