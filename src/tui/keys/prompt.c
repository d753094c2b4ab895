// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "base/utf8.h"
#include "tui/keys/prompt.h"

enum { PROMPT_MODES = 80 };

const char prompt_kinds[PROMPT_KINDS + 1] = "/&:Ex";

/* Words that Tab offers --------------------------------------------------------------- */

enum { GAP = 2 };

static struct str
word_at(const struct prompt *p, int at)
{
	struct str rest = str_from(p->offer), word = STR("");

	for (int i = 0; i <= at; i++)
		word = str_cut(&rest, '\n');
	return word;
}

/* Replaces a part of the text, which stays when the new one is too long. */
static enum prompt_answer
replace(struct prompt *p, size_t from, size_t to, struct str by)
{
	if ((from == to && by.n == 0) || p->n - (to - from) + by.n > PROMPT_MAX)
		return PROMPT_MOVED;
	memmove(p->text + from + by.n, p->text + to, p->n - to + 1);
	memcpy(p->text + from, by.p, by.n);
	p->n = p->n - (to - from) + by.n;
	p->at = from + by.n;
	p->error[0] = '\0';
	return PROMPT_CHANGED;
}

/* Writes a word in place of what was completed. */
static bool
put(struct prompt *p, struct str word)
{
	size_t from = p->offer_from;

	return !str_equal(word, (struct str){p->text + from, p->at - from}) &&
	    replace(p, from, p->at, word) == PROMPT_CHANGED;
}

/* Returns the beginning that all offered words share, in whole characters. */
static struct str
common(const struct prompt *p)
{
	struct str first = word_at(p, 0);

	for (int i = 1; i < p->offer_count; i++) {
		struct str word = word_at(p, i);
		size_t n = 0;

		while (n < first.n && n < word.n && first.p[n] == word.p[n])
			n++;
		first.n = n;
	}
	while (first.n > 0 && ((unsigned char)first.p[first.n] & 0xc0) == 0x80)
		first.n--;
	return first;
}

bool
prompt_offer(struct prompt *p, size_t from, struct str words)
{
	struct str beginning;

	p->offer_count = 0;
	p->offer_at = -1;
	p->offer_from = from;
	while (words.n > 0) {
		struct str word = str_cut(&words, '\n');
		size_t used = p->offer_count > 0 ? strlen(p->offer) : 0;

		if (used + word.n + 2 > PROMPT_OFFER)
			break;
		snprintf(p->offer + used, PROMPT_OFFER - used, "%.*s\n", STR_ARG(word));
		p->offer_count++;
	}
	if (p->offer_count == 0)
		return false;
	beginning = common(p);
	if (p->offer_count == 1 || beginning.n > p->at - from)
		return put(p, beginning);
	/* Nothing more is sure: the first one. */
	p->offer_at = p->step > 0 ? 0 : p->offer_count - 1;
	return put(p, word_at(p, p->offer_at));
}

/* The next (1) or previous (-1) of those offered. */
static enum prompt_answer
offer_step(struct prompt *p, int step)
{
	p->step = step;
	if (p->offer_count <= 1)
		return PROMPT_COMPLETE;
	if (p->offer_at < 0)
		p->offer_at = step > 0 ? 0 : p->offer_count - 1;
	else
		p->offer_at = (p->offer_at + step + p->offer_count) % p->offer_count;
	return put(p, word_at(p, p->offer_at)) ? PROMPT_CHANGED : PROMPT_MOVED;
}

/* Draws them into a row, the one in the text reversed. */
static void
offer_draw(const struct prompt *p, struct canvas *c, int row)
{
	int column = 0, first = 0;

	/* Begins at a word that leaves room for the one in the text. */
	for (int i = 0; i <= p->offer_at; i++) {
		int width = (int)utf8_width(word_at(p, i)) + GAP;

		if (column + width > c->columns) {
			first = i;
			column = 0;
		}
		column += width;
	}
	canvas_fill(c, row, 0, c->columns, ' ', ROLE_POPUP);
	column = 0;
	for (int i = first; i < p->offer_count && column < c->columns; i++) {
		look l = ROLE_POPUP | (i == p->offer_at ? LOOK_SELECTED : 0);

		column = canvas_text(c, row, column, c->columns, word_at(p, i), l) + GAP;
	}
}

/* Patterns: literally or an expression, and how letters match ------------------------- */

/* The beginning of an expression that matches letters this way. */
static const char *const flags[PROMPT_CASES] = {
    [PROMPT_SMART] = "", [PROMPT_EXACT] = "(?-i)", [PROMPT_ANY] = "(?i)"};

/* " literal, any case  3 of 12" and its columns; empty as long as all is as usual. */
static int
modes_text(const struct prompt *p, int columns, char out[static PROMPT_MODES])
{
	static const char *const words[PROMPT_CASES] = {
	    [PROMPT_SMART] = "", [PROMPT_EXACT] = "exact case", [PROMPT_ANY] = "any case"};
	int n = 0;

	out[0] = '\0';
	if (p->kept != NULL && (p->modes.literal || p->modes.letters != PROMPT_SMART))
		n = snprintf(out, PROMPT_MODES, " %s%s%s", p->modes.literal ? "literal" : "",
		    p->modes.literal && p->modes.letters != PROMPT_SMART ? ", " : "",
		    words[p->modes.letters]);
	if (p->note[0] != '\0')
		n += snprintf(out + n, PROMPT_MODES - (size_t)n, "  %s", p->note);
	return n <= columns / 2 ? n : 0;
}

/* Returns how many bytes precede the pattern. */
static size_t
kept_bytes(const struct prompt *p)
{
	size_t n = 0;

	for (const char *c = p->kept; c != NULL && *c != '\0'; c++)
		if (n < p->n && p->text[n] == *c)
			n++;
	return n;
}

void
prompt_pattern(const struct prompt *p, struct sbuf *out)
{
	size_t before = kept_bytes(p);
	struct str text = {p->text + before, p->n - before};

	sbuf_bytes(out, p->text, before);
	if (p->kept == NULL || text.n == 0) {
		sbuf_str(out, text);
		return;
	}
	sbuf_text(out, flags[p->modes.letters]);
	if (p->modes.literal)
		pattern_quote(out, text);
	else
		sbuf_str(out, text);
}

size_t
prompt_pattern_at(const struct prompt *p, size_t at)
{
	size_t before = kept_bytes(p), more = strlen(flags[p->modes.letters]);

	if (p->kept == NULL || at <= before)
		return at;
	return at >= before + more ? at - more : before;
}

/* Bytes of the cluster before, or after, the cursor. */
static size_t
before(const struct prompt *p)
{
	struct str head = {p->text, p->at}, rest = head;
	size_t start = 0;

	while (rest.n > 0) {
		size_t at = p->at - rest.n;
		uint32_t c = utf8_next(&rest);

		if (utf8_char_width(c) != 0)
			start = at;
	}
	return p->at - start;
}

static size_t
after(const struct prompt *p)
{
	struct str rest = {p->text + p->at, p->n - p->at};
	size_t n = rest.n;

	if (n == 0)
		return 0;
	utf8_next(&rest);
	while (rest.n > 0) {
		struct str here = rest;

		if (utf8_char_width(utf8_next(&rest)) != 0) {
			rest = here;
			break;
		}
	}
	return n - rest.n;
}

static enum prompt_answer
cut(struct prompt *p, size_t from, size_t to)
{
	return replace(p, from, to, STR(""));
}

static enum prompt_answer
erase_word(struct prompt *p)
{
	size_t from = p->at;

	while (from > 0 && p->text[from - 1] == ' ')
		from--;
	while (from > 0 && p->text[from - 1] != ' ')
		from--;
	return cut(p, from, p->at);
}

static enum prompt_answer
show_line(struct prompt *p, int line)
{
	const char *text;

	if (p->history == NULL || line < 0 || line > p->history->count)
		return PROMPT_MOVED;
	if (p->line == p->history->count) {
		memcpy(p->entered, p->text, p->n + 1);
		p->modes_entered = p->modes;
	}
	/* Lines of the history are expressions that say all of it themselves. */
	p->modes = line == p->history->count ? p->modes_entered : (struct prompt_modes){0};
	p->line = line;
	text = line == p->history->count ? p->entered : p->history->lines[line];
	p->n = p->at = strlen(text);
	memcpy(p->text, text, p->n + 1);
	return PROMPT_CHANGED;
}

static enum prompt_answer
go(struct prompt *p, size_t at)
{
	p->at = at;
	return PROMPT_MOVED;
}

static enum prompt_answer
act_on(struct prompt *p, enum type_act act)
{
	switch (act) {
	case TYPE_ACCEPT:
		return PROMPT_ACCEPTED;
	case TYPE_CANCEL:
		return PROMPT_CANCELLED;
	case TYPE_OLDER:
		return show_line(p, p->line - 1);
	case TYPE_NEWER:
		return show_line(p, p->line + 1);
	case TYPE_LEFT:
		return go(p, p->at - before(p));
	case TYPE_RIGHT:
		return go(p, p->at + after(p));
	case TYPE_START:
		return go(p, 0);
	case TYPE_END:
		return go(p, p->n);
	case TYPE_ERASE:
		/* As in vi and less: erasing in an empty prompt cancels it. */
		return p->n == 0 ? PROMPT_CANCELLED : cut(p, p->at - before(p), p->at);
	case TYPE_DELETE:
		return cut(p, p->at, p->at + after(p));
	case TYPE_ERASE_WORD:
		return erase_word(p);
	case TYPE_ERASE_LINE:
		return cut(p, 0, p->at);
	case TYPE_ERASE_REST:
		return cut(p, p->at, p->n);
	case TYPE_LITERAL:
		p->modes.literal ^= p->kept != NULL;
		return p->kept != NULL ? PROMPT_CHANGED : PROMPT_MOVED;
	case TYPE_CASE:
		p->modes.letters = (enum prompt_case)((p->modes.letters + 1) % PROMPT_CASES);
		return p->kept != NULL ? PROMPT_CHANGED : PROMPT_MOVED;
	case TYPE_COMPLETE:
		return offer_step(p, 1);
	case TYPE_COMPLETE_BACK:
		return offer_step(p, -1);
	}
	return PROMPT_MOVED;
}

void
prompt_open(
    struct prompt *p, const char *label, struct str text, struct prompt_history *history)
{
	size_t n = text.n <= PROMPT_MAX ? text.n : PROMPT_MAX;

	*p = (struct prompt){.label = label, .n = n, .at = n, .history = history};
	if (n > 0)
		memcpy(p->text, text.p, n);
	p->line = history != NULL ? history->count : 0;
}

/* True if lines may have the character: visible, not a control, not malformed. */
static bool
is_shown(uint32_t c)
{
	return c != UTF8_MALFORMED && !utf8_hidden(c) && utf8_char_width(c) >= 0;
}

enum prompt_answer
prompt_type(struct prompt *p, const struct key *key)
{
	struct str text = str_from(key->text), rest = text;

	p->offer_count = 0;
	/* Enter and Tab of a paste are no commands. */
	return text.n > 0 && is_shown(utf8_next(&rest)) ? replace(p, p->at, p->at, text)
							: PROMPT_MOVED;
}

enum prompt_answer
prompt_do(struct prompt *p, enum type_act act)
{
	enum prompt_answer answer = act_on(p, act);

	if (answer == PROMPT_CHANGED)
		p->error[0] = '\0';
	if (act != TYPE_COMPLETE && act != TYPE_COMPLETE_BACK)
		p->offer_count = 0;
	return answer;
}

void
prompt_error(struct prompt *p, size_t at, const char *what)
{
	snprintf(p->error, sizeof(p->error), "%s", what);
	p->error_at = at <= p->n ? at : p->n;
}

/* Columns that a part of the text takes as drawn. */
static int
columns_of(struct sbuf *scratch, struct str text, bool utf8)
{
	sbuf_clear(scratch);
	clean_append(scratch, text, utf8 ? 0 : CLEAN_ASCII);
	return (int)utf8_width(sbuf_view(scratch));
}

int
prompt_draw(const struct prompt *p, struct canvas *c, int *column)
{
	bool error = p->error[0] != '\0';
	int row = c->rows - 1 - (error && c->rows > 1);
	char words[PROMPT_MODES];
	int modes = modes_text(p, c->columns, words);
	int label = (int)strlen(p->label), room = c->columns - label - 1 - modes,
	    before_cursor, skip = 0;
	struct sbuf line = {0};
	struct str shown;

	before_cursor = columns_of(&line, (struct str){p->text, p->at}, c->utf8);
	canvas_fill(c, row, 0, c->columns, ' ', ROLE_TEXT);
	canvas_text(c, row, 0, c->columns, str_from(p->label), ROLE_KEY);
	/* Text that does not fit scrolls out at the left, half a line at a time. */
	if (room < 2)
		room = 2;
	while (before_cursor - skip > room)
		skip += (room + 1) / 2;
	columns_of(&line, prompt_text(p), c->utf8);
	shown = sbuf_view(&line);
	if (skip > 0) {
		struct str gone = utf8_head(shown, (size_t)skip, NULL);

		shown.p += gone.n;
		shown.n -= gone.n;
	}
	canvas_text(c, row, label, c->columns - modes, shown, ROLE_TEXT);
	canvas_text(c, row, c->columns - modes, c->columns, str_from(words), ROLE_DIM);
	*column = label + before_cursor - skip;
	if (*column >= c->columns)
		*column = c->columns - 1;
	if (error && c->rows > 1) {
		int at = label - skip +
			 columns_of(&line, (struct str){p->text, p->error_at}, c->utf8);
		int width = (int)utf8_width(str_from(p->error));

		if (at < 0)
			at = 0;
		if (at >= c->columns)
			at = c->columns - 1;
		canvas_fill(c, row + 1, 0, c->columns, ' ', ROLE_TEXT);
		canvas_put(c, row + 1, at, '^', ROLE_ERROR);
		/* Right of the caret, left of it, or in its place where neither has room. */
		canvas_text(c, row + 1,
		    at + 2 + width <= c->columns ? at + 2
		    : at - 1 - width >= 0        ? at - 1 - width
						 : 0,
		    c->columns, str_from(p->error), ROLE_ERROR);
	}
	if (p->offer_count > 1 && row > 0)
		offer_draw(p, c, row - 1);
	sbuf_release(&line);
	return row;
}

/* The history, in memory and as text of a file ------------------------------------- */

void
prompt_history_add(struct prompt_history *h, struct str line)
{
	int from = 0;

	if (line.n == 0)
		return;
	while (from < h->count && !str_equal(str_from(h->lines[from]), line))
		from++;
	if (from == h->count && h->count == PROMPT_HISTORY)
		from = 0;
	if (from < h->count - h->fresh && h->fresh < PROMPT_HISTORY)
		h->fresh++; /* an old one, entered again */
	if (from == h->count && h->fresh < PROMPT_HISTORY)
		h->fresh++;
	if (from < h->count) {
		mem_free(h->lines[from]);
		memmove(&h->lines[from], &h->lines[from + 1],
		    (size_t)(h->count - from - 1) * sizeof(h->lines[0]));
		h->count--;
	}
	h->lines[h->count++] = mem_text(line);
}

void
prompt_history_release(struct prompt_history *h)
{
	for (int i = 0; i < h->count; i++)
		mem_free(h->lines[i]);
	*h = (struct prompt_history){0};
}

/* True if a prompt may have the line: visible UTF-8, not empty, at most PROMPT_MAX bytes. */
static bool
is_line(struct str line)
{
	if (line.n == 0 || line.n > PROMPT_MAX)
		return false;
	while (line.n > 0)
		if (!is_shown(utf8_next(&line)))
			return false;
	return true;
}

void
prompt_history_read(struct prompt_history *h, char kind, struct str text)
{
	while (text.n > 0) {
		struct str line = str_cut(&text, '\n'), rest = {line.p + 1, line.n - 1};

		if (line.n > 1 && line.p[0] == kind && is_line(rest))
			prompt_history_add(h, rest);
	}
	h->fresh = 0;
}

void
prompt_history_merge(struct prompt_history *h, const struct prompt_history *fresh)
{
	for (int i = fresh->count - fresh->fresh; i < fresh->count; i++)
		prompt_history_add(h, str_from(fresh->lines[i]));
}

void
prompt_history_write(const struct prompt_history *h, char kind, struct sbuf *out)
{
	for (int i = 0; i < h->count; i++)
		sbuf_printf(out, "%c%s\n", kind, h->lines[i]);
}
