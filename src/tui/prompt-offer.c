/* Words that Tab offers in a prompt. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "tui/prompt.h"

enum { GAP = 2 };

static struct str
word_at(const struct prompt *p, int at)
{
	struct str rest = str_from(p->offer), word = STR("");

	for (int i = 0; i <= at; i++)
		word = str_cut(&rest, '\n');
	return word;
}

/* Puts a word in the place of what stands there. */
static bool
put(struct prompt *p, struct str word)
{
	size_t from = p->offer_from, rest = p->n - p->at;

	if (from + word.n + rest > PROMPT_MAX ||
	    (p->at - from == word.n && memcmp(p->text + from, word.p, word.n) == 0))
		return false;
	memmove(p->text + from + word.n, p->text + p->at, rest + 1);
	memcpy(p->text + from, word.p, word.n);
	p->at = from + word.n;
	p->n = p->at + rest;
	p->error[0] = '\0';
	return true;
}

/* What all words begin with: whole characters. */
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

enum prompt_answer
prompt_offer_step(struct prompt *p, int step)
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

void
prompt_offer_draw(const struct prompt *p, struct canvas *c, int row)
{
	int column = 0, first = 0;

	/* From a word on that leaves room for the one in the text. */
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
