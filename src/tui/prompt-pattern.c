/* Prompts for a pattern: taken literally or as an expression, and how letters match. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/pattern.h"
#include "base/utf8.h"
#include "tui/prompt.h"

/* What an expression begins with to match letters so. */
static const char *const flags[PROMPT_CASES] = {
    [PROMPT_SMART] = "", [PROMPT_EXACT] = "(?-i)", [PROMPT_ANY] = "(?i)"};

enum prompt_answer
prompt_toggle_literal(struct prompt *p)
{
	if (p->kept == NULL)
		return PROMPT_MOVED;
	p->modes.literal = !p->modes.literal;
	return PROMPT_CHANGED;
}

enum prompt_answer
prompt_toggle_case(struct prompt *p)
{
	if (p->kept == NULL)
		return PROMPT_MOVED;
	p->modes.letters = (enum prompt_case)((p->modes.letters + 1) % PROMPT_CASES);
	return PROMPT_CHANGED;
}

/* Lines of the history are expressions that say all of it themselves. */
void
prompt_modes_turn(struct prompt *p, int line)
{
	if (p->line == p->history->count)
		p->modes_typed = p->modes;
	p->modes = line == p->history->count ? p->modes_typed : (struct prompt_modes){0};
}

int
prompt_modes_text(const struct prompt *p, int columns, char out[static PROMPT_MODES])
{
	static const char *const words[PROMPT_CASES] = {
	    [PROMPT_SMART] = "", [PROMPT_EXACT] = "exact case", [PROMPT_ANY] = "any case"};
	int n = 0;

	out[0] = '\0';
	if (p->kept != NULL && (p->modes.literal || p->modes.letters != PROMPT_SMART))
		n = snprintf(out, PROMPT_MODES, " %s%s%s", p->modes.literal ? "literal" : "",
		    p->modes.literal && p->modes.letters != PROMPT_SMART ? ", " : "",
		    words[p->modes.letters]);
	return n <= columns / 2 ? n : 0;
}

/* What stands before the expression, as typed. */
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
