// SPDX-License-Identifier: Apache-2.0
#include <config.h>

#include "view/filters.h"

#include <string.h>

#include "base/mem.h"
#include "base/pattern.h"
#include "base/sbuf.h"

enum verdict { UNKNOWN, SHOWN, HIDDEN }; /* UNKNOWN is zero: what is new is that */

static void
filter_release(struct filter *filter)
{
	pattern_free(filter->pattern);
	mem_free((char *)filter->text.p);
}

void
filters_release(struct filters *f)
{
	for (size_t i = 0; i < f->count; i++)
		filter_release(&f->list[i]);
	mem_free(f->list);
	mem_free(f->verdicts);
	*f = (struct filters){0};
}

void
filters_changed(struct filters *f)
{
	if (f->verdict_room > 0)
		memset(f->verdicts, UNKNOWN, f->verdict_room);
}

/* Makes a filter of a line that begins after `before` bytes.  False without a pattern. */
static bool
filter_parse(struct filter *filter, struct str line, size_t before, struct err *e)
{
	*filter = (struct filter){.exclude = str_starts(line, STR("!"))};
	if (filter->exclude) {
		line = (struct str){line.p + 1, line.n - 1};
		before++;
	}
	if (line.n == 0)
		return false;
	if (!pattern_compile(line, 0, &filter->pattern, e)) {
		if (e != NULL && e->has_offset)
			e->offset += before;
		return false;
	}
	filter->text = (struct str){memcpy(mem_alloc(line.n), line.p, line.n), line.n};
	return true;
}

static void
put_line(struct sbuf *out, const struct filter *filter)
{
	if (filter->exclude)
		sbuf_char(out, '!');
	sbuf_str(out, filter->text);
}

bool
filters_active(const struct filters *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (!f->list[i].off)
			return true;
	return false;
}

bool
filters_set(struct filters *f, struct str line, struct err *e)
{
	bool add = str_starts(line, STR("+")), some;
	struct filter filter;

	if (add)
		line = (struct str){line.p + 1, line.n - 1};
	some = line.n > 0 && !str_equal(line, STR("!"));
	if (some && !filter_parse(&filter, line, add, e))
		return false;
	if (!add)
		filters_release(f);
	if (!some)
		return true;
	*MEM_ADD(f->list, f->count, f->room) = filter;
	filters_changed(f);
	return true;
}

void
filters_remove(struct filters *f, size_t index)
{
	filter_release(&f->list[index]);
	f->count--;
	memmove(
	    &f->list[index], &f->list[index + 1], (f->count - index) * sizeof *f->list);
	filters_changed(f);
}

void
filters_copy(struct filters *to, const struct filters *from)
{
	filters_release(to);
	for (size_t i = 0; i < from->count; i++) {
		struct sbuf line = {0};

		sbuf_char(&line, '+');
		put_line(&line, &from->list[i]);
		if (filters_set(to, sbuf_view(&line), NULL))
			to->list[to->count - 1].off = from->list[i].off;
		sbuf_release(&line);
	}
}

bool
filters_equal(const struct filters *a, const struct filters *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (a->list[i].exclude != b->list[i].exclude ||
		    a->list[i].off != b->list[i].off ||
		    !str_equal(a->list[i].text, b->list[i].text))
			return false;
	}
	return true;
}

static enum verdict
judge(struct filters *f, struct names *names, uint32_t method)
{
	for (size_t i = 0; i < f->count; i++) {
		struct filter *filter = &f->list[i];
		enum pattern_result result;

		if (filter->costly || filter->off)
			continue;
		result = names_match(names, method, filter->pattern);
		if (result == PATTERN_TOO_COSTLY) {
			filter->costly = true;
			err_set(&f->err, ERR_LIMIT, "filter %zu is too costly, ignored",
			    i + 1);
			filters_changed(f);
		} else if ((result == PATTERN_MATCH) == filter->exclude) {
			return HIDDEN;
		}
	}
	return SHOWN;
}

bool
filters_pass(struct filters *f, struct names *names, uint32_t method)
{
	if (f->count == 0)
		return true;
	MEM_GROW_ZERO(f->verdicts, f->verdict_room, (size_t)method + 1);
	if (f->verdicts[method] == UNKNOWN)
		f->verdicts[method] = (uint8_t)judge(f, names, method);
	return f->verdicts[method] == SHOWN;
}

size_t
filters_costly(const struct filters *f)
{
	size_t costly = 0;

	for (size_t i = 0; i < f->count; i++)
		costly += f->list[i].costly;
	return costly;
}

struct str
filters_text(const struct filters *f, struct names *names)
{
	struct sbuf line = {0};
	struct str text;

	for (size_t i = 0; i < f->count; i++) {
		if (f->list[i].off)
			continue;
		if (line.n > 0)
			sbuf_text(&line, " & ");
		put_line(&line, &f->list[i]);
	}
	text = names_clean(names, sbuf_view(&line));
	sbuf_release(&line);
	return text;
}
