// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "record/failures.h"

#include <string.h>

#include "base/compat.h"

/* Where it is; the count: nowhere. */
static size_t
blank_find(const struct blanks *b, struct str name)
{
	size_t i = 0;

	while (i < b->count && !str_equal(str_from(b->list[i].name), name))
		i++;
	return i;
}

void
blanks_set(struct blanks *b, const char *name, struct str value)
{
	size_t i = blank_find(b, str_from(name));

	if (i == BLANKS_MAX)
		return;
	b->list[i] = (struct blank){name, arena_str(&b->arena, value)};
	b->count += i == b->count;
}

struct str
blanks_get(const struct blanks *b, struct str name)
{
	size_t i = blank_find(b, name);

	return i < b->count ? b->list[i].value : (struct str){NULL, 0};
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

void
blanks_fill(const struct blanks *b, const char *template, bool quoted, struct sbuf *out)
{
	for (; *template != '\0'; template++) {
		const char *end = *template == '{' ? strchr(template, '}') : NULL;
		bool plain = template[1] == '=';

		if (end == NULL) {
			sbuf_char(out, *template);
			continue;
		}
		template += 1 + plain;
		(quoted && !plain ? shell_word : sbuf_str)(
		    out, blanks_get(b, (struct str){template, (size_t)(end - template)}));
		template = end;
	}
}

/* Texts that tell a failure when printed; the first in this list counts. */
static const struct {
	const char *text;
	enum failure_id id;
} seen[] = {
    {"cannot connect to daemon", FAILURE_SERVER},
    {"failed to start daemon", FAILURE_SERVER},
    {"protocol fault", FAILURE_SERVER},
    {"Connect server failed", FAILURE_SERVER},
    {"no devices/emulators found", FAILURE_NO_DEVICE},
    {"[Empty]", FAILURE_NO_DEVICE},
    {"more than one device/emulator", FAILURE_MANY},
    {"need connect-key", FAILURE_MANY},
    {"' not found", FAILURE_GONE},
    {"Not match target founded", FAILURE_GONE},
    {"Device not founded", FAILURE_GONE},
    {"unauthorized", FAILURE_UNAUTHORIZED},
    {"device offline", FAILURE_OFFLINE},
    {"error: closed", FAILURE_OFFLINE},
    {"not debuggable", FAILURE_NOT_DEBUGGABLE},
    {"not profileable", FAILURE_NOT_DEBUGGABLE},
    {"Unknown process", FAILURE_UNKNOWN_PROCESS},
    {"Unable to open file", FAILURE_CANNOT_WRITE},
    {"No space left", FAILURE_NO_SPACE},
    {"Unknown option", FAILURE_NO_OPTION},
    {"unable to start tracing", FAILURE_BUSY},
    {"OpenRecording failed", FAILURE_BUSY},
    {"already tracing", FAILURE_BUSY},
    {"is not support category", FAILURE_BAD_TAG},
    {"No activity found", FAILURE_NO_ACTIVITY},
    {"Error type 3", FAILURE_NO_ACTIVITY},
    {"unable to resolve Intent", FAILURE_NO_ACTIVITY},
    {"inaccessible or not found", FAILURE_NO_TOOL},
    {": not found", FAILURE_NO_TOOL},
    {"doesn't match this client", FAILURE_OLD_SERVER},
};

const struct failure failures[FAILURES] = {
#define FAILURE(id, what, help) {what, help},
#include "record/failures.def"
#undef FAILURE
};

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
	while (text.n > 0 && strchr(" \t\n", text.p[text.n - 1]) != NULL)
		text.n--;
	return text.n > 0 ? line_at(text, text.n - 1) : STR("it said nothing");
}

enum failure_id
failure_find(struct str text, struct str *line)
{
	for (size_t i = 0; text.n > 0 && i < sizeof(seen) / sizeof(seen[0]); i++) {
		const char *at = memmem(text.p, text.n, seen[i].text, strlen(seen[i].text));

		if (at == NULL)
			continue;
		*line = line_at(text, (size_t)(at - text.p));
		return seen[i].id;
	}
	*line = last_line(text);
	return FAILURE_OTHER;
}
