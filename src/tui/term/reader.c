// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "tui/term/reader.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <termkey.h>

#include "base/mem.h"
#include "base/utf8.h"

enum {
	BUFFER_BYTES = 4096,
	PASTE_REST_MS = 2000, /* no terminal waits as long in the middle of a paste */
	ALONE_MS = 50,        /* bytes of one text follow each other faster */
};

/* The reader's place in a control sequence. */
enum key_place { OUTSIDE, BEHIND_ESC, AT_FIRST, INSIDE };

enum { ESC = 0x1b, CSI = 0x9b /* ESC [ in one byte, where it is no part of a character */ };

struct key_reader {
	TermKey *keys;
	int fd;
	bool utf8;
	enum key_place place;
	int rest;  /* bytes to come of the character, outside of sequences */
	char mark; /* the byte in the sequence that no key of ours has; 0: none */
	int wait_ms;
	bool started; /* once at least: libtermkey 0.22 crashes when freed before */
	bool half;    /* the beginning of a key is there */
	bool no_more; /* and nothing more came in time */
	bool pasting;
	int64_t filled_ms; /* when bytes came the last time */
	bool first;         /* the next key begins what came after a pause */
};

/*
 * libtermkey 0.22 takes terminfo's kmous for the start of an X10 mouse report, whatever
 * it says, also of the form that we switch on (SGR).
 */
static const char *
mouse_prefix(const char *name, const char *value, void *context)
{
	return strcmp(name, "key_mouse") == 0 ? "\033[M" : value;
}

#define TEXT_OF(number)  #number
#define VERSION_OF(a, b) TEXT_OF(a) "." TEXT_OF(b)

const char reader_library[] =
    "libtermkey " VERSION_OF(TERMKEY_VERSION_MAJOR, TERMKEY_VERSION_MINOR);

struct key_reader *
reader_new(int fd, int wait_ms, struct err *e)
{
	struct key_reader *r = mem_zero(1, sizeof(*r));
	/*
	 * libtermkey would guess from LANG alone.  In the C locale terminals still send
	 * UTF-8, if anything.
	 */
	bool ascii = strcmp(setlocale(LC_CTYPE, NULL), "C") == 0;
	bool utf8 = utf8_locale() || ascii;
	int flags = TERMKEY_FLAG_NOTERMIOS | TERMKEY_FLAG_NOSTART | TERMKEY_FLAG_EINTR |
		    TERMKEY_FLAG_CONVERTKP | (utf8 ? TERMKEY_FLAG_UTF8 : TERMKEY_FLAG_RAW);

	r->wait_ms = wait_ms;
	r->fd = fd;
	r->utf8 = utf8;
	r->keys = termkey_new(fd, flags);
	if (r->keys == NULL) {
		mem_free(r);
		err_set(e, ERR_SYSTEM, "cannot read keys from this terminal");
		return NULL;
	}
	termkey_hook_terminfo_getstr(r->keys, mouse_prefix, NULL);
	termkey_set_canonflags(r->keys, TERMKEY_CANON_DELBS | TERMKEY_CANON_SPACESYMBOL);
	termkey_set_buffer_size(r->keys, BUFFER_BYTES);
	return r;
}

void
reader_set_wait(struct key_reader *r, int ms)
{
	r->wait_ms = ms;
}

void
reader_free(struct key_reader *r)
{
	if (r == NULL)
		return;
	if (r->started)
		termkey_destroy(r->keys);
	mem_free(r);
}

void
reader_start(struct key_reader *r)
{
	termkey_start(r->keys);
	r->started = true;
}

void
reader_stop(struct key_reader *r)
{
	termkey_stop(r->keys);
	r->pasting = false;
}

/* No byte waits to be made a key of. */
static bool
is_drained(const struct key_reader *r)
{
	return termkey_get_buffer_remaining(r->keys) == termkey_get_buffer_size(r->keys);
}

/* How many bytes of a character follow this one; `rest` before it. */
static int
rest_behind(const struct key_reader *r, int rest, unsigned char c)
{
	if (!r->utf8 || c < 0x80 || c >= 0xfe)
		return 0;
	if (c < 0xc0)
		return rest > 0 ? rest - 1 : 0;
	return c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf8 ? 3 : c < 0xfc ? 4 : 5;
}

/* The place after a byte outside of sequences, or the second byte of one. */
static enum key_place
place_behind(struct key_reader *r, unsigned char c)
{
	bool behind_esc = r->place == BEHIND_ESC, whole = r->rest == 0;

	r->mark = 0;
	r->rest = rest_behind(r, r->rest, c);
	if (c == ESC)
		return BEHIND_ESC;
	return (c == CSI && whole) || (c == '[' && behind_esc) ? AT_FIRST : OUTSIDE;
}

/*
 * libtermkey 0.22 looks keys up by the last byte and, if there are any, the marks of a
 * sequence together: beyond the end of its table, where it crashes or finds false keys.
 * A sequence with marks, but for the mouse's, gets a last byte that no key has.
 */
static void
disarm(struct key_reader *r, char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unsigned char c = (unsigned char)bytes[i];

		switch (r->place) {
		case OUTSIDE:
		case BEHIND_ESC:
			r->place = place_behind(r, c);
			break;
		case AT_FIRST:
		case INSIDE:
			if (c >= 0x40 && c < 0x80) {
				bool mouse = r->mark == '<' && (c == 'M' || c == 'm');

				if (r->mark != 0 && !mouse)
					bytes[i] = 'z';
				r->place = OUTSIDE;
				break;
			}
			if ((c >= 0x20 && c < 0x30) ||
			    (r->place == AT_FIRST && c >= 0x3c && c < 0x40))
				r->mark = (char)c;
			r->place = INSIDE;
			break;
		}
	}
}

bool
reader_fill(struct key_reader *r, int64_t now_ms)
{
	int64_t pause_ms = now_ms - r->filled_ms;
	size_t room = termkey_get_buffer_remaining(r->keys);
	char bytes[BUFFER_BYTES];
	ssize_t n;

	r->first = pause_ms >= ALONE_MS && is_drained(r);
	r->pasting = r->pasting && pause_ms < PASTE_REST_MS;
	r->filled_ms = now_ms;
	if (is_drained(r)) {
		r->place = OUTSIDE;
		r->rest = 0;
	}
	if (room == 0) {
		/* A key longer than the buffer is none. */
		r->no_more = true;
		return true;
	}
	n = read(r->fd, bytes, room < sizeof(bytes) ? room : sizeof(bytes));
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (n == 0)
		return false;
	disarm(r, bytes, (size_t)n);
	termkey_push_bytes(r->keys, bytes, (size_t)n);
	return true;
}

int
reader_wait_ms(const struct key_reader *r)
{
	return r->half && !r->no_more ? r->wait_ms : -1;
}

void
reader_no_more(struct key_reader *r)
{
	r->no_more = true;
}

/* Pastes arrive between two keys that libtermkey does not know, 200 and 201. */
static void
notice_paste(struct key_reader *r, const TermKeyKey *key)
{
	long args[16];
	size_t n = sizeof(args) / sizeof(args[0]);
	unsigned long command;

	if (termkey_interpret_csi(r->keys, key, args, &n, &command) != TERMKEY_RES_KEY ||
	    command != '~' || n < 1)
		return;
	if (args[0] == 200)
		r->pasting = true;
	else if (args[0] == 201)
		r->pasting = false;
}

static void
name_key(struct key_reader *r, TermKeyKey *from, struct key *key)
{
	static const struct {
		const char *sent, *name;
	} same[] = {
	    {"<C-h>", "<Backspace>"}, {"<Find>", "<Home>"}, {"<Select>", "<End>"},
	    {"<Suspend>", "<C-z>"}, /* terminfo of "linux" */
	};

	*key = (struct key){.pasted = r->pasting};
	termkey_strfkey(r->keys, key->name, sizeof(key->name), from, TERMKEY_FORMAT_VIM);
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (strcmp(key->name, same[i].sent) == 0)
			snprintf(key->name, sizeof(key->name), "%s", same[i].name);
	if (from->type == TERMKEY_TYPE_UNICODE && from->modifiers == 0)
		snprintf(key->text, sizeof(key->text), "%s", from->utf8);
	else if (strcmp(key->name, "<Space>") == 0)
		key->text[0] = ' ';
}

/* Presses of the left button and of the wheel, which are buttons, too. */
static bool
read_mouse(struct key_reader *r, const TermKeyKey *raw, struct key *key)
{
	static const enum mouse_event buttons[] = {
	    MOUSE_NONE, MOUSE_CLICK, MOUSE_NONE, MOUSE_NONE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN};
	TermKeyMouseEvent event;
	int button, line, column;

	if (termkey_interpret_mouse(r->keys, raw, &event, &button, &line, &column) !=
		TERMKEY_RES_KEY ||
	    event != TERMKEY_MOUSE_PRESS || button < 0 ||
	    button >= (int)(sizeof(buttons) / sizeof(buttons[0])) ||
	    buttons[button] == MOUSE_NONE)
		return false;
	*key = (struct key){.mouse = buttons[button], .row = line - 1, .column = column - 1};
	return true;
}

bool
reader_next(struct key_reader *r, struct key *key)
{
	for (;;) {
		TermKeyKey raw;
		TermKeyResult result = r->no_more ? termkey_getkey_force(r->keys, &raw)
						  : termkey_getkey(r->keys, &raw);
		bool first = r->first;

		r->half = result == TERMKEY_RES_AGAIN;
		if (result != TERMKEY_RES_KEY) {
			r->no_more = false;
			return false;
		}
		r->first = false;
		switch (raw.type) {
		case TERMKEY_TYPE_UNICODE:
		case TERMKEY_TYPE_KEYSYM:
		case TERMKEY_TYPE_FUNCTION:
			name_key(r, &raw, key);
			/* Esc is known by the time that nothing followed; ^C is whole at once. */
			if (key->pasted && first && is_drained(r) &&
			    (strcmp(key->name, "<Escape>") == 0 || strcmp(key->name, "<C-c>") == 0))
				r->pasting = key->pasted = false;
			return true;
		case TERMKEY_TYPE_MOUSE:
			if (read_mouse(r, &raw, key))
				return true;
			break;
		case TERMKEY_TYPE_UNKNOWN_CSI:
			notice_paste(r, &raw);
			break;
		default: /* unasked reports */
			break;
		}
	}
}
