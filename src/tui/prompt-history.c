/* Lines that were typed in prompts, in memory and as text of a file. */
#include <config.h>

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tui/prompt.h"

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
		h->fresh++; /* an old one, typed again */
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

/* As prompts take it: UTF-8 without controls. */
static bool
is_line(struct str line)
{
	if (line.n == 0 || line.n > PROMPT_MAX)
		return false;
	while (line.n > 0) {
		uint32_t c = utf8_next(&line);

		if (c == UTF8_MALFORMED || utf8_hidden(c) || utf8_char_width(c) < 0)
			return false;
	}
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
