// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "record/failures.h"

#include <string.h>

#include "base/compat.h"

void
blanks_set(struct blanks *b, const char *name, struct str value)
{
	size_t i = 0;

	while (i < b->count && strcmp(b->list[i].name, name) != 0)
		i++;
	if (i == BLANKS_MAX)
		return;
	b->list[i] = (struct blank){.name = name, .value = value};
	b->count += i == b->count;
}

void
shell_word(struct sbuf *out, struct str word)
{
	sbuf_char(out, '\'');
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] == '\'')
			sbuf_text(out, "'\\''");
		else
			sbuf_char(out, word.p[i]);
	sbuf_char(out, '\'');
}

static const struct blank *
blank_find(const struct blanks *b, struct str name)
{
	for (size_t i = 0; i < b->count; i++)
		if (str_equal(str_from(b->list[i].name), name))
			return &b->list[i];
	return NULL;
}

void
blanks_fill(const struct blanks *b, const char *template, bool quoted, struct sbuf *out)
{
	const struct blank *blank;
	const char *end;

	for (; *template != '\0'; template++) {
		end = *template == '{' ? strchr(template, '}') : NULL;
		if (end == NULL) {
			sbuf_char(out, *template);
			continue;
		}
		blank = blank_find(b, (struct str){template + 1, (size_t)(end - template) - 1});
		if (blank != NULL && quoted && !blank->plain)
			shell_word(out, blank->value);
		else if (blank != NULL)
			sbuf_str(out, blank->value);
		template = end;
	}
}

/* clang-format off */
const struct failure failures[FAILURES] = {
	[FAILURE_SERVER] = {
	    {"cannot connect to daemon", "failed to start daemon", "protocol fault",
		"Connect server failed"},
	    "the {tool} server cannot be started: {line}",
	    "Another program may have its port (5037 for adb)." },
	[FAILURE_NO_DEVICE] = {
	    {"no devices/emulators found", "[Empty]"},
	    "no device",
	    "Connect one and switch on USB debugging; over SSH: ssh -R 5037:localhost:5037." },
	[FAILURE_MANY] = {
	    {"more than one device/emulator", "need connect-key"},
	    "several devices: {devices}",
	    "Choose one with --device=SERIAL." },
	[FAILURE_GONE] = {
	    {"' not found", "Not match target founded", "Device not founded"},
	    "device {device} is gone",
	    NULL },
	[FAILURE_UNAUTHORIZED] = {
	    {"device unauthorized", "unauthorized"},
	    "device {device} has not authorized this computer",
	    "Confirm the question on the device's screen." },
	[FAILURE_OFFLINE] = {
	    {"device offline", "error: closed"},
	    "device {device} is offline",
	    "Unplug it and plug it in again, or run 'adb reconnect'." },
	[FAILURE_NOT_DEBUGGABLE] = {
	    {"not debuggable", "not profileable"},
	    "{app} may not be profiled: it is a release build",
	    "Use a debuggable or profileable build of the app, or a userdebug device." },
	[FAILURE_UNKNOWN_PROCESS] = {
	    {"Unknown process"},
	    "{app} ended before the recording began",
	    NULL },
	[FAILURE_CANNOT_WRITE] = {
	    {"Unable to open file"},
	    "the device refuses to write {file}",
	    "Apps can only be profiled into /data/local/tmp." },
	[FAILURE_NO_SPACE] = {
	    {"No space left"},
	    "no space left on device {device}",
	    "Remove files from /data/local/tmp there." },
	[FAILURE_NO_OPTION] = {
	    {"Unknown option"},
	    "Android {release} cannot record this way: {line}",
	    "Use another --mode (traced works on all versions), or leave the option out." },
	[FAILURE_BUSY] = {
	    {"unable to start tracing", "OpenRecording failed", "already tracing"},
	    "another tool is tracing on device {device}: {line}",
	    "End that first: 'atrace --async_stop' or 'hitrace --trace_finish_nodump' there." },
	[FAILURE_BAD_TAG] = {
	    {"is not support category"},
	    "the device refuses a tag: {line}",
	    "Choose others with --tags=LIST." },
	[FAILURE_NO_ACTIVITY] = {
	    {"No activity found", "Error type 3", "unable to resolve Intent"},
	    "{app} has no activity that can be started",
	    "Name one with --activity=APP/CLASS." },
	[FAILURE_NO_TOOL] = {
	    {"inaccessible or not found", ": not found"},
	    "{program} is not on this device (system version {release})",
	    "Use another --mode." },
	[FAILURE_OTHER] = {
	    {NULL},
	    "the device refused '{command}': {line}",
	    NULL },
	[FAILURE_NO_PROGRAM] = {
	    {NULL},
	    "{tool} is not installed or not in PATH",
	    "Install it, or name it with --{tool}=PROGRAM." },
	[FAILURE_CANNOT_RUN] = {
	    {NULL},
	    "{line}",
	    "Name another program with --{tool}=PROGRAM." },
	[FAILURE_OLD_SERVER] = {
	    {"doesn't match this client"},
	    "two versions of {tool} stop each other's server",
	    NULL },
	[FAILURE_NO_PERMISSION] = {
	    {NULL},
	    "no permission to use device {device} over USB",
	    "Install udev rules (package android-sdk-platform-tools-common)." },
	[FAILURE_IN_STATE] = {
	    {NULL},
	    "device {device} is in state '{state}'",
	    "Start its system normally." },
	[FAILURE_NO_SUCH] = {
	    {NULL},
	    "no device {device}; there are: {devices}",
	    NULL },
	[FAILURE_NO_APP] = {
	    {NULL},
	    "app {app} is not installed on the device",
	    "'slowtop record --list-apps' lists them." },
	[FAILURE_NOT_RUNNING] = {
	    {NULL},
	    "{app} is not running",
	    "Start it, or record its start with --mode=startup." },
	[FAILURE_APP_ENDED] = {
	    {NULL},
	    "{app} ended after {seconds} s",
	    NULL },
	[FAILURE_NOTHING] = {
	    {NULL},
	    "nothing was written to {file}",
	    "The app ended or is frozen in the background; try --mode=streamed." },
	[FAILURE_EMPTY] = {
	    {NULL},
	    "the recording is empty",
	    "The app did nothing meanwhile; for a system trace, check --tags." },
	[FAILURE_OVERFLOW] = {
	    {NULL},
	    "the buffer was full: the end of the recording is missing",
	    "Record for a shorter time, or with a larger --buffer." },
	[FAILURE_PARTIAL] = {
	    {NULL},
	    "the recording is incomplete: the device stopped writing it",
	    NULL },
	[FAILURE_DEVICE_SPACE] = {
	    {NULL},
	    "too little space on device {device}: {have} free, {need} needed",
	    "Remove files from /data/local/tmp there, or use a smaller --buffer." },
	[FAILURE_EARLIER] = {
	    {NULL},
	    "device {device} has a recording that was not fetched, or is still written: {earlier}",
	    "Fetch it with: {fetch}; then remove it there with: rm {earlier}" },
	[FAILURE_LOST] = {
	    {NULL},
	    "connection to device {device} lost",
	    NULL },
	[FAILURE_LEFT] = {
	    {NULL},
	    "the recording is still on device {device}",
	    "Fetch it with: {fetch}" },
	[FAILURE_PULL] = {
	    {NULL},
	    "copying broke off after {have} of {need}",
	    NULL },
	[FAILURE_LATE] = {
	    {NULL},
	    "device {device} does not answer to '{command}'",
	    NULL },
	[FAILURE_UNDO] = {
	    {NULL},
	    "could not clean up on device {device}",
	    "Run there: {commands}" },
	[FAILURE_LOCAL] = {
	    {NULL},
	    "{path}: {line}",
	    NULL },
	[FAILURE_NAME] = {
	    {NULL},
	    "'{value}' cannot be {kind}",
	    NULL },
	[FAILURE_TAG] = {
	    {NULL},
	    "no tag {value}; the device has: {tags}",
	    NULL },
	[FAILURE_NOT_OF_MODE] = {
	    {NULL},
	    "--mode={mode} has no --{option}",
	    NULL },
};
/* clang-format on */

/* The line around a place. */
static struct str
line_at(struct str text, size_t at)
{
	size_t end = at;

	while (at > 0 && text.p[at - 1] != '\n')
		at--;
	while (end < text.n && text.p[end] != '\n')
		end++;
	return str_trim((struct str){text.p + at, end - at});
}

static struct str
last_line(struct str text)
{
	struct str line = {NULL, 0};

	for (size_t at = text.n; at > 0 && line.n == 0; at--)
		line = line_at(text, at - 1);
	return line.n > 0 ? line : STR("it said nothing");
}

enum failure_id
failure_find(struct str text, struct str *line)
{
	for (int i = 0; i < FAILURES_KNOWN; i++)
		for (int k = 0; k < 4 && failures[i].seen[k] != NULL; k++) {
			const char *at = text.n == 0 ? NULL : memmem(text.p, text.n,
			    failures[i].seen[k], strlen(failures[i].seen[k]));

			if (at == NULL)
				continue;
			*line = line_at(text, (size_t)(at - text.p));
			return (enum failure_id)i;
		}
	*line = last_line(text);
	return FAILURE_OTHER;
}
